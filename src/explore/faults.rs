//! Whether something goes wrong around the app now.

use crate::device::Caps;
use crate::gui::{Fault, SystemEvent};
use crate::step::Decision;
use crate::util::seed::Rng;
use rand::RngExt as _;

/// A fault in place of the strategy's event, at the suite's rate. Without a rate nothing is drawn, so that sessions
/// without faults are what they were.
pub fn draw(rate: f64, caps: Caps, rng: &mut Rng) -> Option<Decision> {
    if rate <= 0.0 || !caps.faults() || !rng.random_bool(rate.min(1.0)) {
        return None;
    }
    // Without a network there is none to lose.
    let possible = Fault::ALL.into_iter();
    let possible: Vec<_> = possible
        .filter(|fault| caps.network || *fault != Fault::Offline)
        .collect();
    let fault = possible[rng.random_range(0..possible.len())];
    Some(Decision::System(SystemEvent::Fault { fault }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::util::seed::generator;

    #[test]
    fn faults_come_at_their_rate_and_not_where_a_device_has_none() {
        let caps = Caps {
            system_events: true,
            virtual_time: true,
            ..Caps::default()
        };
        let mut rng = generator(1, "", "", 0);
        let count = |rate, caps, rng: &mut Rng| {
            (0..1000)
                .filter(|_| draw(rate, caps, rng).is_some())
                .count()
        };
        let some = count(0.1, caps, &mut rng);
        assert!((60..140).contains(&some), "{some}");
        assert_eq!(count(1.0, Caps::default(), &mut rng), 0);
        let offline = Decision::System(SystemEvent::Fault {
            fault: Fault::Offline,
        });
        let goes = |network, rng: &mut Rng| {
            let caps = Caps { network, ..caps };
            (0..1000).any(|_| draw(1.0, caps, rng).as_ref() == Some(&offline))
        };
        assert!(!goes(false, &mut rng));
        assert!(goes(true, &mut rng));
        let mut untouched = generator(1, "", "", 0);
        assert_eq!(count(0.0, caps, &mut untouched), 0);
        let drawn: u64 = untouched.random();
        assert_eq!(drawn, generator(1, "", "", 0).random::<u64>());
    }
}
