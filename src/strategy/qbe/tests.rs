//! Table and choices with known answers, and what a policy is.

use super::*;
use crate::device::{Caps, Observation};
use crate::gui::{Flags, RawNode, Rect, SystemEvent};
use crate::outcome::Crash;

use crate::util::intern::Interner;
use crate::util::seed::generator;

fn qbe(toml: &str) -> Qbe {
    Qbe::new(Settings::read(toml).unwrap(), Lesson::default())
}

/// A page with so many buttons that accept taps, long ones where `long`. It has as many actions, and the keys back and
/// menu.
fn page(activity: &str, buttons: usize, long: bool, interner: &mut Interner) -> Page {
    let live = Flags::VISIBLE | Flags::ENABLED;
    let long = if long { Flags::LONG_CLICKABLE } else { 0 };
    let node = |button: usize| RawNode {
        parent: if button == 0 { -1 } else { 0 },
        resource_id: format!("{activity}_{button}"),
        flags: match button {
            0 => live,
            _ => live | Flags::CLICKABLE | long,
        },
        bounds: Rect::from([0, 0, 9, 9]),
        ..RawNode::default()
    };
    let nodes: Vec<RawNode> = (0..=buttons).map(node).collect();
    Page::build(&nodes, activity, 0, (9, 9), interner)
}

/// What a strategy decides on a page.
fn decide(qbe: &mut Qbe, page: &Page, system: &[SystemEvent], rng: &mut Rng) -> Decision {
    let view = View {
        page,
        system,
        links: &[],
        number: 1,
        interner: &Interner::default(),
        caps: Caps::ALL,
        map: None,
    };
    qbe.decide(&view, rng).unwrap()
}

fn kind(page: &Page, decision: &Decision) -> Option<EventKind> {
    match decision {
        Decision::Perform { event, .. } => Some(page.events[*event].kind),
        _ => None,
    }
}

/// A crash that ends the app, or a page that is shown.
fn learn(qbe: &mut Qbe, before: &Page, after: Option<&Page>, new_activities: usize) {
    let nowhere = crate::gui::page::none();
    let page = after.unwrap_or(&nowhere);
    let after = Observation {
        alive: after.is_some(),
        crash: after.is_none().then(Crash::default),
        ..Observation::default()
    };
    let interner = Interner::default();
    let step = Step {
        number: 1,
        new_activities,
        ..Step::to(before, &after, page, &interner)
    };
    qbe.learn(&step, 0.0).unwrap();
}

/// Trains on five pages in a row, of which each has more actions than the one before. A tap leads to the next, on the
/// last one to a crash; the keys lead to the one before.
fn trained_on_the_chain() -> Qbe {
    let mut interner = Interner::default();
    let pages = [1, 3, 5, 7, 9].map(|buttons| page("Chain", buttons, false, &mut interner));
    let mut qbe = qbe("limits = [3, 5, 7, 9]\nalpha = 0.5\ndiscount = 0.9\nepsilon = 1.0");
    let mut rng = generator(1, "chain", "qbe", 0);
    let mut at = 0;
    for _ in 0..5_000 {
        let decision = decide(&mut qbe, &pages[at], &[], &mut rng);
        let next = match kind(&pages[at], &decision) {
            Some(EventKind::Click) => at + 1,
            _ => at.saturating_sub(1),
        };
        learn(&mut qbe, &pages[at], pages.get(next), 0);
        at = next % pages.len();
    }
    qbe
}

#[test]
fn values_along_a_chain_are_discounted_by_distance() {
    let qbe = trained_on_the_chain();
    for state in 0..STATES {
        let ahead = 0.9_f32.powi(4 - i32::try_from(state).unwrap());
        let behind = 0.9 * 0.9_f32.powi(4 - i32::try_from(state.saturating_sub(1)).unwrap());
        let wanted = [behind, behind, ahead, 0.0, 0.0, 0.0, 0.0];
        for (value, wanted) in qbe.values[state].iter().zip(wanted) {
            assert!((value - wanted).abs() < 1e-3, "{state}: {value} {wanted}");
        }
    }
}

#[test]
fn pages_are_in_the_classes_of_the_paper_and_events_in_seven_types() {
    let mut interner = Interner::default();
    let qbe = qbe("");
    let states =
        [0, 1, 2, 6, 7, 13, 14].map(|buttons| qbe.state(&page("A", buttons, false, &mut interner)));
    assert_eq!(states, [1, 1, 2, 2, 3, 3, 4]);
    assert_eq!(qbe.state(&crate::gui::page::none()), 0);
    let kinds = [
        (EventKind::Menu, Type::Menu),
        (EventKind::Back, Type::Back),
        (EventKind::Point, Type::Click),
        (EventKind::LongClick, Type::LongClick),
        (EventKind::Text, Type::Text),
        (EventKind::Pinch { inward: true }, Type::Contextual),
    ];
    for (kind, wanted) in kinds {
        assert_eq!(Type::of(kind), wanted);
    }
    let dir = crate::gui::Direction::Up;
    assert_eq!(Type::of(EventKind::Scroll { dir }), Type::Swipe);
}

/// A type is chosen by its value, however many of the page's actions are of it; then each of them alike.
#[test]
fn a_type_is_chosen_in_proportion_to_its_value_and_then_any_of_its_actions() {
    let mut interner = Interner::default();
    let page = page("A", 3, false, &mut interner);
    let mut qbe = qbe("epsilon = 0.0");
    let mut rng = generator(1, "a", "qbe", 0);
    let system = [SystemEvent::Rotate, SystemEvent::Home];
    let mut counts = |values: [f32; TYPES]| {
        qbe.values[2] = values;
        let (mut back, mut menu, mut clicks, mut outside) = (0, 0, [0; 3], 0);
        for _ in 0..10_000 {
            match decide(&mut qbe, &page, &system, &mut rng) {
                Decision::Perform { event, .. } => match page.events[event].kind {
                    EventKind::Back => back += 1,
                    EventKind::Menu => menu += 1,
                    _ => clicks[event] += 1,
                },
                Decision::System(_) => outside += 1,
                other => panic!("{other:?}"),
            }
        }
        (back, menu, clicks, outside)
    };
    let (back, menu, clicks, outside) = counts([0.0, 0.3, 0.6, 9.0, 0.0, 9.0, 0.1]);
    assert_eq!(menu, 0);
    assert!((2_800..3_200).contains(&back), "{back}");
    assert!((850..1_150).contains(&outside), "{outside}");
    assert!(
        clicks.iter().all(|n| (1_850..2_150).contains(n)),
        "{clicks:?}"
    );
    // Without a value that is known, each of the four types.
    let (back, menu, clicks, outside) = counts([0.0; TYPES]);
    let clicks: u32 = clicks.iter().sum();
    for count in [back, menu, clicks, outside] {
        assert!((2_300..2_700).contains(&count), "{count}");
    }
}

#[test]
fn what_is_rewarded_depends_on_the_goal() {
    let mut interner = Interner::default();
    let page = page("A", 1, false, &mut interner);
    let mut rng = generator(1, "a", "qbe", 0);
    for (goal, crash, activity) in [("crashes", 1.0, 0.0), ("activities", 0.0, 1.0)] {
        let toml = format!("goal = \"{goal}\"\nalpha = 1.0\ndiscount = 0.0");
        for (after, new, wanted) in [(None, 0, crash), (Some(&page), 1, activity)] {
            let mut qbe = qbe(&toml);
            decide(&mut qbe, &page, &[], &mut rng);
            learn(&mut qbe, &page, after, new);
            let sum: f32 = qbe.values.concat().iter().sum();
            assert_eq!(sum, wanted, "{goal}");
        }
        // Switched off, it learns nothing.
        let mut qbe = self::qbe(&format!("{toml}\nlearn = false"));
        decide(&mut qbe, &page, &[], &mut rng);
        learn(&mut qbe, &page, None, 1);
        assert_eq!(qbe.values, Table::default());
    }
}

/// Rewards are rare: where one event in a hundred crashes, that is its value, however long ago the last crash was, and
/// also where a loaded policy goes on.
#[test]
fn a_value_is_the_mean_of_what_was_observed_in_all_sessions() {
    let mut interner = Interner::default();
    let page = page("A", 1, false, &mut interner);
    let mut rng = generator(1, "a", "qbe", 0);
    let mut session = |qbe: &mut Qbe| {
        for number in 0..200 {
            decide(qbe, &page, &[], &mut rng);
            let crashes = number == 0 || number == 100;
            qbe.last = Some((2, Type::Click, 0));
            learn(qbe, &page, Some(&page).filter(|_| !crashes), 0);
        }
        qbe.values[2][Type::Click as usize]
    };
    let settings = "discount = 0.0";
    let mut first = qbe(settings);
    let value = session(&mut first);
    assert!((value - 0.01).abs() < 1e-5, "{value}");
    let mut second = qbe(settings);
    second.load(&mut saved(&first).as_slice()).unwrap();
    let value = session(&mut second);
    assert!((value - 0.01).abs() < 1e-5, "{value}");
    assert_eq!(second.counts[2][Type::Click as usize], 400.0);
    // At a fixed rate, the last hundred events count.
    let mut fixed = qbe("discount = 0.0\nalpha = 0.1");
    let value = session(&mut fixed);
    assert!(value < 1e-4, "{value}");
}

fn saved(qbe: &Qbe) -> Vec<u8> {
    let mut bytes = Vec::new();
    qbe.save(&mut bytes).unwrap();
    bytes
}

/// In one app only a long press crashes. What is learned there applies to another app's pages.
#[test]
fn what_was_learned_on_one_app_chooses_on_another() {
    let mut interner = Interner::default();
    let mut rng = generator(1, "one", "qbe", 0);
    let one = page("One", 4, true, &mut interner);
    let mut teacher = qbe("");
    for _ in 0..500 {
        let decision = decide(&mut teacher, &one, &[], &mut rng);
        let crashes = kind(&one, &decision) == Some(EventKind::LongClick);
        learn(&mut teacher, &one, Some(&one).filter(|_| !crashes), 0);
    }
    let other = page("Other", 5, true, &mut interner);
    let mut share = |policy: Option<Vec<u8>>| {
        let mut pupil = qbe("learn = false\nepsilon = 0.0");
        if let Some(policy) = &policy {
            pupil.load(&mut policy.as_slice()).unwrap();
            assert_eq!(pupil.values, teacher.values);
        }
        let long = (0..2_000)
            .filter(|_| {
                let decision = decide(&mut pupil, &other, &[], &mut rng);
                kind(&other, &decision) == Some(EventKind::LongClick)
            })
            .count();
        long as f64 / 2_000.0
    };
    let (untrained, trained) = (share(None), share(Some(saved(&teacher))));
    assert!((0.2..0.3).contains(&untrained), "{untrained}");
    assert!(trained > 0.6, "{trained}");
}

#[test]
fn a_policy_that_does_not_fit_is_refused() {
    let taught = trained_on_the_chain();
    let policy = saved(&taught);
    let refused = |toml: &str, bytes: &[u8]| {
        let mut qbe = qbe(toml);
        let error = qbe.load(&mut &*bytes).unwrap_err().to_string();
        assert_eq!(qbe.values, Table::default());
        error
    };
    let limits = "limits = [3, 5, 7, 9]";
    let error = refused(limits, &policy[..policy.len() - 1]);
    assert!(error.contains("cut off"), "{error}");
    let error = refused("", &policy);
    assert!(
        error.contains("limits: the policy's is [3,5,7,9], the suite's is [1,3,8,15]"),
        "{error}"
    );
    let error = refused(&format!("{limits}\ngoal = \"activities\""), &policy);
    assert!(
        error.contains("goal: the policy's is \"crashes\""),
        "{error}"
    );
    let changed = |change: &dyn Fn(&mut PolicyFile)| {
        let mut file = PolicyFile::read(&mut policy.as_slice(), "qbe").unwrap();
        change(&mut file);
        let mut bytes = Vec::new();
        file.write(&mut bytes).unwrap();
        refused(limits, &bytes)
    };
    let error = changed(&|file| file.strategy = "q-learning".into());
    assert!(error.contains("the policy's is q-learning"), "{error}");
    let error = changed(&|file| file.tensors.get_mut(TABLE).unwrap().shape = vec![TYPES, STATES]);
    assert!(error.contains("two tables of 5 x 7 numbers"), "{error}");
    let error = changed(&|file| file.tensors.retain(|name, _| name == TABLE));
    assert!(error.contains("`values` and `counts`"), "{error}");
    let error = changed(&|file| file.tensors.get_mut(COUNTS).unwrap().numbers[3] = -1.0);
    assert!(error.contains("`counts` holds -1"), "{error}");
    let error = changed(&|file| file.tensors.get_mut(TABLE).unwrap().numbers[3] = -0.5);
    assert!(
        error.contains("-0.5, but no number there is negative"),
        "{error}"
    );
    let error = changed(&|file| file.tensors.get_mut(TABLE).unwrap().numbers[3] = 2e6);
    assert!(error.contains("beyond a million"), "{error}");
    // As it was written, it fits.
    let mut again = qbe(limits);
    again.load(&mut policy.as_slice()).unwrap();
    assert_eq!((again.values, again.counts), (taught.values, taught.counts));
    assert_eq!(again.history, [taught.session]);
    // As a member of a portfolio that had no turn leaves it.
    let unused = saved(&again);
    again.load(&mut unused.as_slice()).unwrap();
    assert_eq!((again.values, again.counts), (taught.values, taught.counts));
}

#[test]
fn the_papers_values_are_shares_and_chosen_by_goal() {
    for (goal, first) in [("crashes", 0.04), ("activities", 0.11)] {
        let paper = Settings::read(&format!("preset = \"paper\"\ngoal = \"{goal}\"")).unwrap();
        assert!(!paper.learn);
        let values = Qbe::new(paper, Lesson::default()).values;
        assert_eq!(values[0][0], first);
        for row in values {
            let sum: f32 = row.iter().sum();
            assert!((sum - 1.0).abs() < 0.015, "{row:?}");
        }
    }
    let found = definition::Settings::conflict(&Settings {
        limits: [1, 8, 3, 15],
        ..Settings::default()
    })
    .unwrap();
    assert!(found.message.contains("[1, 8, 3, 15]"), "{found:?}");
    assert_eq!(definition::Settings::conflict(&Settings::default()), None);
}
