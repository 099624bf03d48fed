//! Scripts and blocked parts in complete runs on the sim device, checked by what they leave behind.

use crate::common::program::{Desk, Ended};
use droidtest::gui::PageId;
use droidtest::outcome::RunEvent;
use droidtest::outcome::folder::RunFolder;
use droidtest::outcome::journal::JournalReader;
use droidtest::outcome::run_event::{Did, EndReason, LedBy, StepRecord};
use std::collections::HashMap;
use std::fs;

const LOGIN: &str = r#"
[[app.script]]
name = "log-in"
activity = "Login"
step = [
    { do = "type", id = "Login_name", secret = "email" },
    { do = "type", id = "Login_password", secret = "password" },
    { do = "click", id = "Login_submit" },
]
"#;

/// What a run left behind.
struct Left {
    folder: RunFolder,
    events: Vec<RunEvent>,
    said: String,
    _desk: Desk,
}

fn run(strategy: &str, events: u32, app: &str) -> Left {
    let suite = format!(
        "[suite]\nname = \"s\"\nbudget = {{ events = {events} }}\nseeds = [5]\n\
         [[strategy]]\nkind = \"{strategy}\"\n[minimize]\nenabled = false\n\
         [[app]]\nname = \"shop\"\nmodel = \"builtin:shop\"\n\
         [app.text]\nemail = \"ada@example.org\"\npassword = {{ env = \"PASSWORD\" }}\n{app}"
    );
    let desk = Desk::new(&suite);
    let said = Ended::of(desk.command("run").env("PASSWORD", "correct horse")).err;
    let folder = RunFolder::find(&desk.path("target/droidtest"), None)
        .unwrap_or_else(|e| panic!("{e}\n{said}"));
    let session = folder.session(&folder.sessions().unwrap()[0]);
    let reader = JournalReader::open(&session.journal()).unwrap();
    Left {
        events: reader.map(Result::unwrap).collect(),
        folder,
        said,
        _desk: desk,
    }
}

impl Left {
    fn steps(&self) -> Vec<&StepRecord> {
        let steps = self.events.iter().filter_map(|event| match event {
            RunEvent::Step(step) => Some(step),
            _ => None,
        });
        steps.collect()
    }

    /// The ids of all widgets that anything was done with.
    fn touched(&self) -> Vec<&str> {
        let ids = self.events.iter().filter_map(|event| match event {
            RunEvent::Event { at, .. } => Some(at.id.as_str()),
            _ => None,
        });
        ids.collect()
    }

    /// The activity of each page, by its id.
    fn pages(&self) -> HashMap<PageId, &str> {
        let pages = self.events.iter().filter_map(|event| match event {
            RunEvent::Page { id, activity, .. } => Some((*id, activity.as_str())),
            _ => None,
        });
        pages.collect()
    }

    /// The activities in front before each step, with it.
    fn fronts(&self) -> Vec<(&str, &StepRecord)> {
        let pages = self.pages();
        let front = |step: &StepRecord| pages.get(&step.from).copied().unwrap_or_default();
        self.steps().into_iter().map(|s| (front(s), s)).collect()
    }

    fn ended(&self) -> EndReason {
        match self.events.last() {
            Some(RunEvent::End { reason, .. }) => *reason,
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn a_script_passes_the_login_wall_once_for_each_cleared_start_and_its_secret_is_redacted() {
    let left = run("random", 400, LOGIN);
    let led: Vec<_> = left
        .steps()
        .into_iter()
        .filter(|s| s.led.is_some())
        .collect();
    assert_eq!(led.len(), 3);
    let by = Some(LedBy::Script("log-in".into()));
    assert!(led.iter().all(|step| step.led == by));
    assert!(led.windows(2).all(|pair| pair[0].i + 1 == pair[1].i));
    assert!(
        left.pages().values().any(|page| *page == "Account"),
        "{}",
        left.said
    );
    let session = left.folder.session("shop-sim-random-5");
    let journal = fs::read_to_string(session.journal()).unwrap();
    assert!(!journal.contains("correct horse"));
    let junit = fs::read_to_string(left.folder.junit()).unwrap();
    assert!(junit.contains("script log-in: matched once"));
    assert!(!left.said.contains("log-in"), "{}", left.said);
}

#[test]
fn a_script_that_never_matched_is_said_on_the_terminal_in_junit_and_in_html() {
    let left = run(
        "random",
        60,
        &LOGIN.replace("activity = \"Login\"", "when = \"//WebView\""),
    );
    let said = "Script log-in of shop matched 0 times in 1 session";
    assert!(left.said.contains(said), "{}", left.said);
    let junit = fs::read_to_string(left.folder.junit()).unwrap();
    assert!(junit.contains("script log-in: matched 0 times"));
    let html = fs::read_to_string(left.folder.html()).unwrap();
    let row = html.split("<h3>Scripts").nth(1).unwrap();
    assert!(row.contains("log-in") && row.contains("0 times"));
    let summary: serde_json::Value =
        serde_json::from_slice(&fs::read(left.folder.summary()).unwrap()).unwrap();
    assert_eq!(summary["sessions"][0]["scripts"][0]["matched"], 0);
}

#[test]
fn what_is_blocked_is_never_touched_and_a_blocked_activity_is_left_by_back() {
    let open = run("random", 600, LOGIN);
    assert!(
        open.touched()
            .iter()
            .any(|id| id.ends_with("Account_logout"))
    );
    assert!(
        open.fronts()
            .iter()
            .any(|(front, s)| *front == "Cart" && s.led.is_none())
    );
    let block = "[app.block]\nactivities = [\"Cart\"]\nwidgets = [\"Account_logout\", \"//Button[@text='Browse']\"]\n";
    let left = run("random", 600, &format!("{LOGIN}{block}"));
    let barred = |id: &&str| id.ends_with("Account_logout") || id.ends_with("Start_browse");
    assert!(!left.touched().iter().any(barred));
    let fronts = left.fronts();
    let cart: Vec<_> = fronts
        .iter()
        .filter(|(front, _)| *front == "Cart")
        .collect();
    assert!(cart.iter().all(|(_, step)| step.led == Some(LedBy::Block)));
    assert_eq!(left.steps().len(), 600, "led steps count as events");
}

#[test]
fn an_activity_that_back_does_not_leave_is_left_by_a_new_start_and_at_last_ends_the_session() {
    let left = run("random", 50, "[app.block]\nactivities = [\"Start\"]\n");
    assert_eq!(left.ended(), EndReason::Blocked, "{}", left.said);
    assert!(
        left.steps()
            .iter()
            .all(|step| step.led == Some(LedBy::Block))
    );
    assert!(left.steps().len() < 20);
    assert!(
        left.said
            .contains("stays in an activity that the suite blocks")
    );
}

#[test]
fn monkeys_taps_do_not_land_in_a_blocked_region() {
    let block = "[app.block]\nregions = [[0.0, 0.0, 1.0, 0.5]]\n";
    let left = run("monkey", 500, block);
    let mut taps = 0;
    for step in left.steps() {
        let Did::Raw { action } = &step.did else {
            continue;
        };
        use droidtest::outcome::run_event::RawInput::{Drag, Tap};
        if let &Tap { y, .. } | &Drag { y, .. } = action {
            assert!(y >= 960, "{action:?}");
            taps += 1;
        }
    }
    assert!(taps > 50, "{taps}");
}

#[test]
fn one_seed_gives_one_journal_with_scripts_and_blocked_parts_too() {
    let app =
        format!("{LOGIN}[app.block]\nwidgets = [\"Account_logout\"]\nactivities = [\"Paid\"]\n");
    let journal = |strategy: &str| {
        let left = run(strategy, 200, &app);
        let session = left.folder.sessions().unwrap()[0].clone();
        fs::read(left.folder.session(&session).journal()).unwrap()
    };
    for strategy in ["random", "q-learning", "dinodroid"] {
        assert!(journal(strategy) == journal(strategy), "{strategy}");
    }
}
