//! A session's folder contains no secrets, and redaction changes nothing else.

use super::*;
use crate::gui::{EventKey, EventKind, Extras, Flags, RawNode, Rect, SystemEvent};
use crate::outcome::evidence::Left;
use crate::outcome::finding::{Blame, FindingKind, Trigger};
use crate::outcome::journal::JournalReader;
use crate::outcome::run_event::{Did, EventIdentity, Input, LedBy, Reset, StepRecord};
use crate::run::observer::Silent;
use std::sync::Mutex;

/// Words of the journal's format, or parts of an identity below.
const SECRETS: [&str; 8] = [
    "page", "step", "text", "click", "event", "4711", "input", "java",
];
/// Contains the PIN by chance.
const ID: u64 = 0x0047_1100_4711_abcd;

fn recorder<'a>(
    folder: &tempfile::TempDir,
    secrets: &[&str],
    observer: &'a dyn Observer,
) -> SessionRecorder<'a> {
    let secrets: Vec<_> = secrets.iter().map(|s| (*s).to_owned()).collect();
    let folder = SessionFolder::at(folder.path().join("s"));
    SessionRecorder::create(folder, &secrets, Screenshots::None, observer, 0).unwrap()
}

fn read(folder: &tempfile::TempDir) -> Vec<RunEvent> {
    let journal = SessionFolder::at(folder.path().join("s")).journal();
    let mut reader = JournalReader::open(&journal).unwrap();
    let events = reader.by_ref().collect::<Result<_, _>>().unwrap();
    assert_eq!(reader.skipped(), 0);
    events
}

fn finding(said: &str) -> Finding {
    Finding {
        id: "java-crash-00471100".into(),
        kind: FindingKind::JavaCrash,
        fingerprint: "v2:0047110047110000".into(),
        v1: String::new(),
        title: said.into(),
        exception: Some("java.lang.Error".into()),
        frame: Some("org.page.Step.text(Step.java:4711)".into()),
        evidence: format!("{said}\n\tat org.x.Y"),
        activity: "org.page.Step".into(),
        trigger: Trigger::Event,
        event: 4711,
        warning: true,
        environment: Some(Blame {
            rule: "event-page".into(),
            detail: Some(said.into()),
        }),
        provoked_by: Vec::new(),
        left: Vec::new(),
    }
}

/// One of each kind that holds a text, with this one.
fn events(said: &str) -> Vec<RunEvent> {
    let text = || said.to_owned();
    let step = StepRecord {
        i: 4711,
        did: Did::Event {
            k: EventKey(ID),
            ix: 4711,
            input: Some(Input::Text {
                s: text(),
                enter: true,
            }),
        },
        led: Some(LedBy::Script("step".into())),
        from: PageId(ID),
        to: PageId(ID),
        exact: ExactId(ID),
        changed: true,
        probes: vec![(4711, 4711)],
        activities: vec!["org.page.Step".into()],
        reward: 4711.0,
        left: vec![Left {
            kind: "event".into(),
            data: Some(text()),
            ..Left::default()
        }],
        toasts: vec![text()],
        findings: vec!["0047110047110000".into()],
    };
    let system = Did::System {
        event: SystemEvent::Broadcast {
            action: "org.page.text".into(),
            component: Some("org.page.Step".into()),
            extras: Extras::new(),
        },
    };
    vec![
        RunEvent::Launch {
            how: Reset::ClearData,
            before: 4711,
            page: PageId(ID),
            exact: ExactId(ID),
            probes: Vec::new(),
            activities: vec!["org.page.Step".into()],
            findings: vec!["0047110047110000".into()],
        },
        RunEvent::Page {
            id: PageId(ID),
            activity: "org.page.Step".into(),
            label: text(),
            widgets: 4711,
            events: 1,
            screen: (4711, 4711),
            sketch: None,
        },
        RunEvent::Event {
            k: EventKey(ID),
            kind: EventKind::Click,
            at: EventIdentity {
                class: "android.text".into(),
                id: "org.x:id/page".into(),
                text: text(),
                desc: text(),
                caption: text(),
                path: format!("{ID:016x}"),
                bounds: None,
            },
        },
        RunEvent::Script {
            name: "step".into(),
            before: 1,
            lost: Some(text()),
        },
        RunEvent::Step(StepRecord {
            did: system,
            ..step.clone()
        }),
        RunEvent::Step(step),
        RunEvent::Finding(Box::new(finding(said))),
        RunEvent::DeviceFailure {
            at: 4711,
            message: text(),
        },
    ]
}

#[test]
fn only_what_people_read_is_redacted_whatever_the_secrets_are() {
    let folder = tempfile::tempdir().unwrap();
    let mut recorder = recorder(&folder, &SECRETS, &Silent);
    for secret in SECRETS {
        for event in events(&format!("my {secret}!")) {
            recorder.event(&event).unwrap();
        }
    }
    recorder.finish().unwrap();
    let expected: Vec<_> = SECRETS.iter().flat_map(|_| events("my ***!")).collect();
    assert_eq!(read(&folder), expected);
}

fn page(text: &str, interner: &mut Interner) -> Page {
    let node = RawNode {
        parent: -1,
        class: "android.widget.TextView".into(),
        text: text.into(),
        description: text.into(),
        hint: text.into(),
        bounds: Rect::from([0, 0, 9, 9]),
        flags: Flags::VISIBLE,
        ..RawNode::default()
    };
    Page::build(&[node], "a.B", 0, (9, 9), interner)
}

/// All files of a finding, which has this text in title and on its pages.
fn files(
    recorder: &mut SessionRecorder<'_>,
    folder: &tempfile::TempDir,
    said: &str,
) -> Vec<String> {
    let mut interner = Interner::default();
    let page = page(said, &mut interner);
    let pages = Pages {
        before: &page,
        after: &page,
        interner: &interner,
    };
    let finding = finding(said);
    recorder.finding(&finding, &pages).unwrap();
    let folder = SessionFolder::at(folder.path().join("s")).finding(&finding.id);
    [
        folder.finding(),
        folder.hierarchy_before(),
        folder.hierarchy_after(),
    ]
    .map(|file| fs::read_to_string(file).unwrap())
    .to_vec()
}

#[test]
fn a_secret_that_xml_and_json_escape_is_in_no_file_of_a_finding() {
    let folder = tempfile::tempdir().unwrap();
    let mut recorder = recorder(&folder, &["a&b<c>\"d"], &Silent);
    for file in files(&mut recorder, &folder, "it is a&b<c>\"d, you know") {
        assert!(
            file.contains("it is ***, you know")
                && !file.contains("c&gt;")
                && !file.contains("b<c"),
            "{file}"
        );
    }
}

#[test]
fn what_a_field_kept_of_a_secret_is_redacted_from_then_on() {
    let folder = tempfile::tempdir().unwrap();
    let mut recorder = recorder(&folder, &["adalovelace"], &Silent);
    recorder.secret_typed("adalov");
    // Too short to be a secret, and not part of one.
    recorder.secret_typed("ada");
    recorder.secret_typed("hello");
    for file in files(&mut recorder, &folder, "hello adalov") {
        assert!(
            file.contains("hello ***") && !file.contains("ada"),
            "{file}"
        );
    }
    let page = events("hello adalov, ada").swap_remove(1);
    recorder.event(&page).unwrap();
    recorder.finish().unwrap();
    let expected = events("hello ***, ada").swap_remove(1);
    assert_eq!(read(&folder), [expected]);
}

#[test]
fn a_secret_typed_is_known_by_its_key_and_its_text_is_not_written() {
    let folder = tempfile::tempdir().unwrap();
    // Too short for the redactor.
    let mut recorder = recorder(&folder, &["123"], &Silent);
    let did = |s: &str| Did::Event {
        k: EventKey(ID),
        ix: 0,
        input: Some(Input::Secret {
            key: "pin".into(),
            s: s.into(),
            enter: true,
        }),
    };
    let step = |s| match events("x").swap_remove(5) {
        RunEvent::Step(step) => RunEvent::Step(StepRecord {
            did: did(s),
            ..step
        }),
        other => panic!("{other:?}"),
    };
    recorder.event(&step("123")).unwrap();
    recorder.finish().unwrap();
    assert_eq!(read(&folder), [step("")]);
}

/// What the terminal shows while a session runs.
#[derive(Default)]
struct Shown(Mutex<Vec<String>>);

impl Observer for Shown {
    fn finding(&self, _: usize, finding: &Finding) {
        self.0.lock().unwrap().push(finding.title.clone());
    }
    fn note(&self, _: usize, text: &str) {
        self.0.lock().unwrap().push(text.to_owned());
    }
}

#[test]
fn neither_the_terminal_nor_the_log_shows_a_secret() {
    let folder = tempfile::tempdir().unwrap();
    let shown = Shown::default();
    let mut recorder = recorder(&folder, &["one two\nthree four"], &shown);
    files(&mut recorder, &folder, "it was one two");
    let failure = RunEvent::DeviceFailure {
        at: 1,
        message: "lost at three four".into(),
    };
    recorder.event(&failure).unwrap();
    assert_eq!(*shown.0.lock().unwrap(), ["it was ***", "lost at ***"]);
    let line = LogLine {
        priority: 4,
        tag: "T".into(),
        message: "in one two\nthree four, out\nbye".into(),
    };
    recorder.log(7, &[line]);
    recorder.finish().unwrap();
    let log = fs::read_to_string(folder.path().join("s/logs/app.log")).unwrap();
    assert_eq!(log, "     7 I T: in ***, out\n     7 I T: bye\n");
}

#[test]
fn the_screenshot_before_a_finding_is_of_the_page_as_it_was_then() {
    let folder = tempfile::tempdir().unwrap();
    let files = SessionFolder::at(folder.path().join("s"));
    let mut recorder =
        SessionRecorder::create(files.clone(), &[], Screenshots::Findings, &Silent, 0).unwrap();
    let mut interner = Interner::default();
    let [first, later] = ["one", "two"].map(|text| page(text, &mut interner));
    assert_eq!(first.id, later.id, "the same structure");
    let picture = recorder.page_picture(&first).unwrap();
    fs::write(picture, "a picture").unwrap();
    for (before, expected) in [(&later, false), (&first, true)] {
        let finding = finding("it");
        let pages = Pages {
            before,
            after: before,
            interner: &interner,
        };
        recorder.finding(&finding, &pages).unwrap();
        assert_eq!(files.finding(&finding.id).before().is_file(), expected);
    }
}
