//! The published code's order of choices and its priorities, on pages made by hand.

use super::*;
use crate::graph::EventId;
use crate::graph::fastbot::StaticTexts;
use crate::gui::Direction;
use crate::learn::event_model::EventModel;
use crate::strategy::definition::{Definition as _, Preset};
use crate::strategy::fastbot::Settings;
use crate::util::seed::generator;

fn fastbot(settings: Settings) -> Fastbot {
    let model = || EventModel::new("p");
    Fastbot::new(settings, StaticTexts::default(), model(), model(), None)
}

fn published() -> Settings {
    Settings::preset(Preset::Published).unwrap()
}

fn action(kind: EventKind, expectation: Option<f64>) -> Action {
    Action {
        id: EventId(0),
        key: 0,
        kind,
        events: vec![0],
        known: expectation.is_some(),
        count: 0,
        expectation: expectation.unwrap_or(0.0),
        prospect: expectation.unwrap_or(0.0),
    }
}

/// How often each event of a page is chosen, and why the first time.
fn chosen(strategy: &Fastbot, page: &[Action]) -> (Vec<u32>, Why) {
    let mut rng = generator(1, "p", "choice", 0);
    let mut times = vec![0; page.len()];
    let mut why = None;
    for _ in 0..10_000 {
        let choice = strategy.choose(page, 1, &mut rng).unwrap();
        times[choice.at] += 1;
        why.get_or_insert(choice.why);
    }
    (times, why.unwrap())
}

/// `adjustActions` of the published code: 4 + 20 + 5 * 4, 2 + 20 + 5 * 2, 1 + 20 + 5, and 1 + 5 without a widget. The code
/// has no menu key.
#[test]
fn new_events_have_the_published_codes_priorities() {
    let scroll = EventKind::Scroll {
        dir: Direction::Down,
    };
    let kinds = [
        (EventKind::Click, 44.0),
        (EventKind::LongClick, 32.0),
        (scroll, 32.0),
        (EventKind::Text, 26.0),
        (EventKind::Back, 6.0),
        (EventKind::Menu, 26.0),
    ];
    let page: Vec<Action> = kinds.iter().map(|(kind, _)| action(*kind, None)).collect();
    let all: f64 = kinds.iter().map(|(_, priority)| priority).sum();
    let (times, why) = chosen(&fastbot(published()), &page);
    assert_eq!(why, Why::Unknown);
    for (times, (kind, priority)) in times.into_iter().zip(kinds) {
        let expected = 10_000.0 * priority / all;
        // Four standard deviations of 10,000 draws are 200 at most.
        assert!(
            (f64::from(times) - expected).abs() < 200.0,
            "{kind}: {times}, {expected}"
        );
    }
}

/// A reused model that knows twenty events, one of which often leads to a new activity.
#[test]
fn the_published_codes_model_chooses_among_events_that_promise_something() {
    let mut page: Vec<Action> = (0..20)
        .map(|_| action(EventKind::Click, Some(0.0)))
        .collect();
    page[7].expectation = 0.1;
    for select in [Select::Model, Select::Both] {
        let strategy = fastbot(Settings {
            select,
            ..published()
        });
        let (times, why) = chosen(&strategy, &page);
        assert_eq!((times[7], why), (10_000, Why::Model), "{select:?}");
    }
    // Without it, events that were not performed come by their priority, back last.
    page[7] = action(EventKind::Back, Some(0.0));
    let (times, why) = chosen(&fastbot(published()), &page);
    assert_eq!(why, Why::Untried);
    assert!(times[7] < 150, "{times:?}");
    // The paper's softmax knows no such limit.
    page[7].expectation = 0.1;
    let paper = Settings::preset(Preset::Paper).unwrap();
    let (times, why) = chosen(&fastbot(paper), &page);
    assert_eq!(why, Why::Model);
    assert!(times[7] < 1_000, "{times:?}");
}
