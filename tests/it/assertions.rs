//! What scripts assert, and what they ask, in complete runs on the sim device.

use crate::common::program::{Desk, Ended};
use droidtest::config::{self, Request};
use droidtest::explore::Stop;
use droidtest::explore::asks::{Asks, Question};
use droidtest::outcome::RunEvent;
use droidtest::outcome::folder::RunFolder;
use droidtest::outcome::journal::JournalReader;
use droidtest::outcome::run_event::{Did, Input};
use droidtest::run::{self, Inputs, Observer, Options, Plan};
use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex};

/// A suite for the shop's model with this in its app.
pub fn suite(app: &str) -> String {
    format!(
        "[suite]\nname = \"s\"\nbudget = {{ events = 60 }}\nseeds = [5]\n\
         [[strategy]]\nkind = \"random\"\n\
         [[app]]\nname = \"shop\"\nmodel = \"builtin:shop\"\n{app}"
    )
}

/// A property that does not hold: an account can be signed out.
const SIGNED_OUT: &str = "[app.text]\nemail = \"ada@example.org\"\npassword = \"correct horse\"\n\
    [[app.script]]\nname = \"log-in\"\nactivity = \"Login\"\nstep = [\n\
    { do = \"type\", id = \"Login_name\", secret = \"email\" },\n\
    { do = \"type\", id = \"Login_password\", secret = \"password\" },\n\
    { do = \"click\", id = \"Login_submit\" },\n]\n\
    [[app.script]]\nname = \"no-sign-out\"\nactivity = \"Account\"\n\
    assert = { widget = \"Account_logout\", exists = false }\n";

#[test]
fn a_property_that_does_not_hold_is_a_finding_that_is_minimized_and_replayed() {
    let desk = Desk::new(&suite(SIGNED_OUT));
    let ended = desk.tool("run");
    assert_eq!(ended.code, 100, "{}", ended.err);
    let title = "no-sign-out: does not hold: Account_logout is not on the screen";
    assert!(ended.err.contains(title), "{}", ended.err);
    let folder = RunFolder::find(&desk.path("target/droidtest"), None).unwrap();
    let junit = fs::read_to_string(folder.junit()).unwrap();
    assert!(junit.contains(title), "{junit}");
    assert!(
        junit.contains("script no-sign-out: matched once"),
        "{junit}"
    );
    assert!(fs::read_to_string(folder.html()).unwrap().contains(title));
    let session = folder.session("shop-sim-random-5");
    let findings = fs::read_dir(session.path().join("findings")).unwrap();
    let found: Vec<_> = findings
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.to_string_lossy().contains("assertion-"))
        .collect();
    assert_eq!(found.len(), 1, "{found:?}");
    let minimized = found[0].join("minimized.toml");
    let trace = droidtest::trace::load(&minimized).unwrap();
    assert!(trace.steps.len() <= 8, "{} steps", trace.steps.len());
    let replayed = desk.tool(&format!("replay {}", minimized.display()));
    assert_eq!(replayed.code, 100, "{}", replayed.all());
    // Where the property holds, it is not reproduced.
    desk.write(
        "droidtest.toml",
        suite(SIGNED_OUT).replace("exists = false", "exists = true"),
    );
    let replayed = desk.tool(&format!("replay {}", minimized.display()));
    assert_eq!(replayed.code, 0, "{}", replayed.all());
}

#[test]
fn an_assertion_may_only_warn_or_be_off() {
    for (level, said) in [("warn", true), ("off", false)] {
        let desk = Desk::new(&format!(
            "{}[oracles]\nassertion = {level:?}\n",
            suite(SIGNED_OUT)
        ));
        let ended = desk.tool("run");
        assert_eq!(ended.code, 0, "{level}: {}", ended.err);
        assert_eq!(
            ended.err.contains("no-sign-out: does not hold"),
            said,
            "{}",
            ended.err
        );
    }
}

pub const ASKING: &str = "[app.text]\nemail = \"ada@example.org\"\n\
    [[app.script]]\nname = \"code\"\nactivity = \"Login\"\nask = \"The password?\"\nstep = [\n\
    { do = \"type\", id = \"Login_name\", secret = \"email\" },\n\
    { do = \"type\", id = \"Login_password\", secret = \"code\" },\n\
    { do = \"click\", id = \"Login_submit\" },\n]\n";

/// Knows the password.
#[derive(Debug, Default)]
struct Person(Mutex<Vec<String>>);

impl Asks for Person {
    fn ask(&self, question: &Arc<Question>) {
        let asked = format!("{}: {}", question.session(), question.text());
        self.0.lock().unwrap().push(asked);
        assert!(question.answer(Some("correct horse".to_owned())));
    }
}

/// Watches a run, and has a person to ask.
struct Watcher(Arc<Person>);

impl Observer for Watcher {
    fn asks(&self) -> Vec<Arc<dyn Asks>> {
        vec![self.0.clone() as Arc<dyn Asks>]
    }
}

fn asked(folder: &Path, observer: Arc<dyn Observer>) -> RunFolder {
    let file = camino::Utf8PathBuf::from_path_buf(folder.join("droidtest.toml")).unwrap();
    let suite = config::load(&Request {
        suite: Some(file),
        ..Request::default()
    });
    let suite = suite.unwrap();
    let plan = Plan::new(&suite).unwrap();
    let inputs = Inputs::gather(&suite, &plan, &Default::default()).unwrap();
    let options = Options {
        base: folder.join("runs"),
        run_id: None,
        jobs: 1,
        offline: true,
        corpus: None,
        gate: None,
        bench: false,
        resume: None,
        reuse: false,
    };
    let stop = Stop::default();
    let outcome = run::execute(&suite, &plan, &inputs, &options, &observer, &stop);
    outcome.unwrap().folder
}

#[test]
fn an_answer_is_typed_and_written_nowhere() {
    let desk = Desk::new(&suite(ASKING));
    let person = Arc::new(Person::default());
    let folder = asked(desk.folder(), Arc::new(Watcher(Arc::clone(&person))));
    let questions = person.0.lock().unwrap().clone();
    assert_eq!(questions, ["shop-sim-random-5: The password?"]);
    let session = folder.session("shop-sim-random-5");
    let events: Vec<_> = JournalReader::open(&session.journal())
        .unwrap()
        .map(Result::unwrap)
        .collect();
    let keys: Vec<_> = (events.iter())
        .filter_map(|event| match event {
            RunEvent::Step(step) => match &step.did {
                Did::Event {
                    input: Some(Input::Secret { key, s, .. }),
                    ..
                } => Some((key.as_str(), s.as_str())),
                _ => None,
            },
            _ => None,
        })
        .collect();
    assert_eq!(keys, [("email", ""), ("code", "")]);
    let account = |event: &RunEvent| matches!(event, RunEvent::Page { activity, .. } if activity == "Account");
    assert!(events.iter().any(account), "the password was right");
    assert!(holding(folder.path(), "correct horse").is_empty());
}

/// The files below a folder that contain this.
pub fn holding(folder: &Path, text: &str) -> Vec<std::path::PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_symlink() {
            continue;
        }
        if path.is_dir() {
            found.extend(holding(&path, text));
        } else if String::from_utf8_lossy(&fs::read(&path).unwrap()).contains(text) {
            found.push(path);
        }
    }
    found
}

#[test]
fn without_a_person_the_script_does_not_run_and_a_notice_says_so() {
    let desk = Desk::new(&suite(ASKING));
    for (args, why) in [
        ("run", "it asks a question, which needs --ask"),
        ("run --ask", "--ask needs a terminal to type on"),
    ] {
        let ended = desk.tool(args);
        let notice = format!("the script code of shop does not run: {why}");
        assert!(ended.err.contains(&notice), "{}", ended.err);
        assert!(
            ended.err.contains("Script code of shop matched 0 times"),
            "{}",
            ended.err
        );
    }
}

#[test]
fn a_trace_that_types_an_answer_is_replayed_only_with_ask() {
    let desk = Desk::new(&suite(ASKING));
    let trace = "version = 1\n[app]\nname = \"shop\"\npackage = \"org.example.shop\"\n\
        [[step]]\ndo = \"type\"\nid = \"Login_password\"\nsecret = \"code\"\n";
    desk.write("trace.toml", trace);
    for (command, code, said) in [
        (
            "replay trace.toml",
            2,
            "run replay with --ask on a terminal",
        ),
        (
            "replay --ask trace.toml",
            2,
            "run replay with --ask on a terminal",
        ),
    ] {
        let Ended {
            code: ended, err, ..
        } = desk.tool(command);
        assert_eq!(ended, code, "{err}");
        assert!(err.contains(said) && err.contains("`code`"), "{err}");
    }
}
