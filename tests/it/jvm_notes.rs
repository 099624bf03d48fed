//! Traces on the jvm device: each witness leads to its planted crash with the events it claims, on any screen.

use crate::common::phone::Phone;
use crate::common::planted::{self, Planted, planted};
use droidtest::device::Reset;
use droidtest::repro::replay::Gone;
use droidtest::repro::{End, Runner};
use droidtest::trace::find::{By, Fit};
use droidtest::trace::{Deed, Spot, Step, Target};

#[test]
fn every_witness_leads_to_its_crash() {
    let Some(phone) = Phone::with("notes", |_| {}) else {
        return;
    };
    let (mut runner, _folder) = phone.into_runner();
    let all = planted();
    assert!(all.len() >= 12);
    planted::lead_to_their_crashes(&mut runner, &all);
}

#[test]
fn a_trace_replays_on_another_screen_and_a_place_is_scaled_with_it() {
    let Some(mut phone) = Phone::with("notes", |_| {}) else {
        return;
    };
    let crash = planted()
        .into_iter()
        .find(|c| c.id == "sort-untagged")
        .unwrap();
    phone.reset(Reset::ClearData);
    let n = phone.by_id("skip");
    let (page, _) = phone.page();
    let (bounds, screen) = (page.widgets[n as usize].bounds, page.bounds());
    let (x, y) = (
        bounds.left + bounds.width() / 2,
        bounds.top + bounds.height() / 2,
    );
    // All that is known of the first step's widget is where it was.
    let mut steps = crash.witness.steps.clone();
    let place = Target {
        at: Some(Spot::of(x, y, screen)),
        ..Target::default()
    };
    steps[0] = Step::On(place, Deed::Click);
    drop(phone);
    let twice = |s: &mut droidtest::device::jvm::JvmSettings| s.density = 320;
    let (mut runner, _folder) = Phone::with("notes", twice).unwrap().into_runner();
    let replay = runner
        .replay(
            &steps,
            crash.witness.finding.as_ref(),
            (Fit::Loose, Gone::Ends),
            None,
        )
        .unwrap();
    assert_eq!(replay.end, End::Reproduced { after: 2 }, "{replay:?}");
    let guesses = replay.guesses.iter().map(|guess| (guess.step, guess.by));
    assert_eq!(guesses.collect::<Vec<_>>(), [(1, By::Place)]);
    let strict = runner
        .replay(
            &steps,
            crash.witness.finding.as_ref(),
            (Fit::Strict, Gone::Ends),
            None,
        )
        .unwrap();
    assert!(
        matches!(strict.end, End::Diverged { step: 1, .. }),
        "{strict:?}"
    );
    drop(runner);
    // A tablet on its side, another shape altogether: names are enough.
    let tablet = |s: &mut droidtest::device::jvm::JvmSettings| {
        s.screen_dp = (800, 1280);
        s.orientation = droidtest::device::jvm::Orientation::Landscape;
    };
    let (mut runner, _folder) = Phone::with("notes", tablet).unwrap().into_runner();
    for id in ["sort-untagged", "pin-too-long", "tag-quote"] {
        let crash = planted().into_iter().find(|c| c.id == id).unwrap();
        assert_eq!(
            replay_end(&mut runner, &crash),
            End::Reproduced { after: crash.least },
            "{id}"
        );
    }
}

fn replay_end(runner: &mut Runner, crash: &Planted) -> End {
    let witness = &crash.witness;
    let replay = runner.replay(
        &witness.steps,
        witness.finding.as_ref(),
        (Fit::Loose, Gone::Ends),
        None,
    );
    replay.unwrap().end
}
