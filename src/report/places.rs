//! Places within activities, as shown in all reports.

use super::html::text::line;
use super::words::short_class;
use crate::outcome::Place;
use crate::outcome::summary::SessionSummary;
use std::collections::BTreeSet;

/// Longest name in a report.
const NAME: usize = 80;

/// Places of an activity, or of a session, that a report lists: an app may have one for each of its articles. All are in
/// `summary.json`.
pub const LISTED: usize = 50;

/// How many more there are than listed, in words.
pub fn more(places: usize) -> Option<String> {
    let more = places.checked_sub(LISTED)?;
    (more > 0).then(|| format!("and {more} more"))
}

/// How many different places an app's sessions have seen.
pub fn of_app(sessions: &[SessionSummary], app: &str) -> u64 {
    let of_it = sessions.iter().filter(|session| session.app == app);
    let places: BTreeSet<&Place> = of_it.flat_map(|session| &session.places).collect();
    places.len() as u64
}

/// A place in one line: `MainActivity: item/{id}`.
pub fn words(place: &Place) -> String {
    let name = line(&place.name, NAME);
    format!("{}: {name}", line(short_class(&place.activity), NAME))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_listed_is_counted() {
        assert_eq!([LISTED - 1, LISTED].map(more), [None, None]);
        assert_eq!(more(LISTED + 2).unwrap(), "and 2 more");
    }

    #[test]
    fn a_place_is_one_line_whatever_its_name_holds() {
        let place = Place {
            activity: "a.b.MainActivity".into(),
            name: "x\ny".repeat(200),
        };
        let words = words(&place);
        assert!(words.starts_with("MainActivity: x"), "{words}");
        assert!(
            !words.contains('\n') && words.chars().count() < 120,
            "{words}"
        );
    }
}
