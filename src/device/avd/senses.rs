//! What an emulator's console can make an app sense: a place and the values of sensors, in the words of Android's
//! "Send emulator console commands" (`geo fix`, `sensor set`).

use crate::device::Action;

/// Sensors of the console by `Sensor.TYPE_*`, with how many values they have.
const SENSORS: [(i32, &str, usize); 9] = [
    (1, "acceleration", 3),
    (2, "magnetic-field", 3),
    (3, "orientation", 3),
    (4, "gyroscope", 3),
    (5, "light", 1),
    (6, "pressure", 1),
    (8, "proximity", 1),
    (12, "humidity", 1),
    (13, "temperature", 1),
];

/// The console's command for this; `None`: it is no matter of the senses, or the console has no such sensor.
pub fn command(action: &Action) -> Option<String> {
    match action {
        // The console wants the longitude first.
        Action::Location { values } => match values.as_slice() {
            [latitude, longitude, rest @ ..] => {
                let altitude = rest.first().copied().unwrap_or_default();
                Some(format!("geo fix {longitude} {latitude} {altitude}"))
            }
            _ => None,
        },
        Action::Sensor { values } => {
            let (kind, values) = values.split_first()?;
            let is_kind = |(known, ..): &&(i32, _, _)| f64::from(*known) == *kind;
            let (_, name, count) = SENSORS.iter().find(is_kind)?;
            let values: Vec<_> = values.iter().take(*count).map(f64::to_string).collect();
            (values.len() == *count).then(|| format!("sensor set {name} {}", values.join(":")))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_and_a_sensor_are_told_as_the_console_wants_them() {
        let place = |values: &[f64]| {
            command(&Action::Location {
                values: values.to_vec(),
            })
        };
        let berlin = Some("geo fix 13.405 52.52 30".to_owned());
        assert_eq!(place(&[52.52, 13.405, 30.0]), berlin);
        assert_eq!(place(&[52.52]), None);
        let sensor = |values: &[f64]| {
            command(&Action::Sensor {
                values: values.to_vec(),
            })
        };
        let shaken = Some("sensor set acceleration 1:2:9".to_owned());
        assert_eq!(sensor(&[1.0, 1.0, 2.0, 9.0]), shaken);
        let dark = Some("sensor set light 1".to_owned());
        assert_eq!(sensor(&[5.0, 1.0, 2.0, 9.0]), dark);
        // A step counter is none of the console's.
        assert_eq!(sensor(&[19.0, 1.0, 2.0, 9.0]), None);
        assert_eq!(sensor(&[1.0]), None);
        assert_eq!(command(&Action::Home), None);
    }
}
