use super::*;
use crate::graph::By;
use crate::graph::scene::{self, button};
use crate::gui::RawNode;

/// A page of buttons that differ in nothing but their descriptions and texts.
fn page(buttons: &[(&str, &str)], interner: &mut Interner) -> Page {
    let node = |&(description, text): &(&str, &str)| RawNode {
        description: description.into(),
        ..button(text)
    };
    scene::page("A", buttons.iter().map(node), interner)
}

/// No text is static, as in a list of an app's data.
fn tuned() -> Tuned {
    Tuned::new(StaticTexts::only(FxHashSet::default()), Restart::Never)
}

/// So many steps that lead from the page to itself.
fn batch(states: &mut Tuned, at: &Sighting) {
    for _ in 0..BATCH {
        let step = Move {
            from: at.state,
            event: at.events[0],
            to: Some(at.state),
            by: By::Strategy,
        };
        states.performed(step, false, false);
    }
}

#[test]
fn an_event_of_many_widgets_is_told_apart_after_a_batch_and_only_then() {
    let mut interner = Interner::default();
    let crowd = page(&[("a", ""), ("b", ""), ("c", ""), ("d", "")], &mut interner);
    let mut states = tuned();
    let first = states.observe(&crowd, &interner);
    assert!(is_crowded(&first.events));
    assert_eq!(states.observe(&crowd, &interner), first);
    batch(&mut states, &first);
    let refined = states.observe(&crowd, &interner);
    assert!(!is_crowded(&refined.events));
    assert_eq!(states.activities[&crowd.activity].mask, DESCRIPTION);
    batch(&mut states, &refined);
    assert_eq!(states.activities[&crowd.activity].mask, DESCRIPTION);
}

#[test]
fn an_event_that_leads_from_one_state_to_two_is_ambiguous() {
    let mut interner = Interner::default();
    let page = page(&[("a", "")], &mut interner);
    let mut states = tuned();
    let at = states.observe(&page, &interner);
    let mut lead = |to| {
        let step = Move {
            from: at.state,
            event: at.events[0],
            to: Some(StateId(to)),
            by: By::Strategy,
        };
        states.performed(step, false, false);
        states.activities[&page.activity].ambiguous
    };
    assert_eq!([lead(5), lead(5), lead(6)], [false, false, true]);
}

#[test]
fn a_mask_that_splits_a_state_too_far_is_taken_back_for_good() {
    let mut interner = Interner::default();
    let named = ["a", "b", "c", "d"].map(|name| (name, ""));
    let crowd = page(&named, &mut interner);
    let mut states = tuned();
    let first = states.observe(&crowd, &interner);
    batch(&mut states, &first);
    for number in 0..=SPLIT {
        let name = number.to_string();
        let other = page(&[(&name, "")], &mut interner);
        states.observe(&other, &interner);
    }
    let activity = &states.activities[&crowd.activity];
    assert_eq!(
        (activity.mask, &activity.banned[..]),
        (0, &[DESCRIPTION][..])
    );
    let again = states.observe(&crowd, &interner);
    assert_eq!(again.state, first.state);
    batch(&mut states, &again);
    assert_eq!(states.activities[&crowd.activity].mask, PLACE);
}

#[test]
fn texts_never_count_where_most_widgets_have_one() {
    let mut wordy = Activity {
        wordy: true,
        mask: DESCRIPTION | PLACE,
        ..Activity::default()
    };
    wordy.refine();
    assert_eq!(wordy.mask, DESCRIPTION | PLACE);
    wordy.wordy = false;
    wordy.refine();
    assert_eq!(wordy.mask, DESCRIPTION | PLACE | TEXT);
    let mut interner = Interner::default();
    assert!(is_wordy(&page(
        &[("", "x"), ("", "y"), ("", "")],
        &mut interner
    )));
    assert!(!is_wordy(&page(
        &[("", "x"), ("", ""), ("", "")],
        &mut interner
    )));
}
