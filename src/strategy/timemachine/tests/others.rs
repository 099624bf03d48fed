//! What others do behind the events and restores of the strategy.

use super::*;

/// A machine that restores state 1 next; the name that it was saved by.
pub(super) fn restoring() -> (Walk, SaveId) {
    let mut walk = Walk::new(Settings {
        max_no_progress: 1,
        ..Settings::default()
    });
    walk.decide(0);
    walk.step(1, true);
    walk.step(1, false);
    walk.machine.states[0].visits = 50;
    let Decision::Restore(id) = walk.step(1, false) else {
        panic!()
    };
    // The session tells it before it restores.
    walk.interrupt(1);
    (walk, id)
}

#[test]
fn a_restored_page_that_has_another_state_by_now_has_arrived() {
    let (mut walk, id) = restoring();
    walk.on(7, 1, |machine, view, rng| {
        machine.decide(view, rng).unwrap()
    });
    let saved = walk.machine.saved[id.0 as usize].unwrap();
    assert_eq!(saved.state, StateId(7));
}

#[test]
fn what_others_do_behind_a_restore_does_not_count_as_its_result() {
    let (mut walk, id) = restoring();
    walk.interrupt(1);
    walk.decide(7);
    let saved = walk.machine.saved[id.0 as usize].unwrap();
    assert_eq!(saved.state, StateId(1));
}

#[test]
fn the_result_of_its_last_event_counts_although_others_act_behind_it() {
    let mut walk = Walk::new(Settings::default());
    walk.decide(0);
    walk.led(true);
    walk.interrupt(1);
    walk.decide(2);
    let state = |at: usize| walk.machine.states[at];
    assert_eq!((state(1).visits, state(0).found), (1, 1));
    assert!(state(1).interesting);
}
