use super::super::fixture_app::fault;
use super::*;
use crate::outcome::finding::FindingKind;
use crate::outcome::run_event::EndReason;
use crate::outcome::{Minimality, Reproduction};
use crate::report::console::word;
use crate::run::observer::{Observer as _, Phase};
use std::sync::Arc;
use std::time::Duration;

/// A stream that is read back.
#[derive(Clone, Default)]
struct Kept(Arc<Mutex<Vec<u8>>>);

impl Write for Kept {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        lock(&self.0).extend(bytes);
        Ok(bytes.len())
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Kept {
    fn text(&self) -> String {
        String::from_utf8(lock(&self.0).clone()).unwrap()
    }
}

fn counts(events: u64, seconds: u64) -> Counts {
    Counts {
        events,
        unchanged: 3,
        pages: 12,
        activities: 1,
        probes_hit: 41,
        probes_total: 100,
        findings: 2,
        elapsed: Duration::from_secs(seconds),
        modelled: Duration::ZERO,
    }
}

/// The output of a short run: text, then JSON.
fn said(style: Style) -> (String, String) {
    let (words, json) = (Kept::default(), Kept::default());
    let budget = Budget {
        events: Some(500),
        time: Some(Duration::from_secs(600)),
        plateau: None,
        ..Budget::default()
    };
    let named = |name: &str| Named {
        name: name.into(),
        app: "notes".into(),
        device: ("phone".into(), "jvm"),
        strategy: "random".into(),
        seed: 1,
        budget: budget.clone(),
    };
    let scope = Scope {
        suite: "smoke".into(),
        at_once: 1,
        total: None,
    };
    let sessions = vec![
        named("notes-jvm-random-1"),
        named("notes-jvm-random-2\u{1b}[1m"),
    ];
    let live = Live::to(
        sessions,
        scope,
        style,
        Box::new(words.clone()),
        Box::new(json.clone()),
    );
    live.begin();
    live.app("notes", Phase::Building);
    live.started(0);
    for done in [0, 5, 10] {
        let (what, total) = ("translating the app", 10);
        live.phase(0, Phase::Preparing { what, done, total });
    }
    live.phase(0, Phase::Starting);
    live.counts(0, &counts(1, 0));
    live.finding(
        0,
        &fault(
            "EditorActivity",
            "save",
            FindingKind::JavaCrash,
            "java.lang.Error",
            "no\u{1b}[2J\ntitle",
            7,
        ),
    );
    live.note(0, "no answer within 20 s: observe");
    live.counts(0, &counts(100, 10));
    live.counts(0, &counts(300, 31));
    live.counts(0, &counts(500, 50));
    live.ended(0, Ok(EndReason::Events));
    live.started(1);
    live.phase(1, Phase::Starting);
    live.ended(1, Err("no JDK found"));
    let summary = RunSummary {
        version: 1,
        tool: "0.1.0".into(),
        suite: "smoke".into(),
        run: "r".into(),
        interrupted: false,
        apps: Vec::new(),
        sessions: Vec::new(),
    };
    let written = [PathBuf::from("r/report.html")];
    live.finish(&summary, None, &written, &Finish::default());
    (words.text(), json.text())
}

#[test]
fn without_a_terminal_a_run_is_told_in_plain_lines() {
    let (words, json) = said(Style::default());
    assert_eq!(json, "");
    insta::assert_snapshot!(words);
}

#[test]
fn json_lines_are_journal_events_with_their_session_and_the_summary_at_the_end() {
    let json = said(Style {
        json: true,
        ..Style::default()
    });
    assert_eq!(json.0, "");
    let lines: Vec<serde_json::Value> = json
        .1
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let kinds: Vec<_> = lines
        .iter()
        .map(|line| line["e"].as_str().unwrap())
        .collect();
    let wanted = "run start progress finding device-failure progress progress progress end \
                  start failed summary written finish";
    assert_eq!(kinds.join(" "), wanted);
    assert_eq!(lines[0]["at-once"], 1);
    assert_eq!(lines[3]["session"], "notes-jvm-random-1");
    // 300 of 500 events in 31 s.
    let left = lines[6]["seconds-left"].as_f64().unwrap();
    assert!((20.0..21.0).contains(&left), "{left}");
    assert_eq!(lines[6]["sessions-done"], 0);
    assert_eq!(lines[8]["events"], 500);
    assert_eq!(lines[10]["why"], "no JDK found");
}

#[test]
fn quiet_leaves_findings_and_failures() {
    let (words, _) = said(Style {
        verbosity: Verbosity::Quiet,
        ..Style::default()
    });
    let first: Vec<_> = words
        .lines()
        .map(|line| line.split_whitespace().next().unwrap())
        .collect();
    assert_eq!(first, ["Crash", "Warning", "Failed"]);
}

#[test]
fn with_a_terminal_the_finished_lines_stay() {
    let (words, _) = said(Style {
        live: true,
        ..Style::default()
    });
    let first: Vec<_> = words
        .lines()
        .map(|line| line.split_whitespace().next().unwrap())
        .collect();
    assert_eq!(
        first,
        ["Building", "Crash", "Warning", "Finished", "Failed"]
    );
}

#[test]
fn warnings_are_no_findings_and_what_did_not_come_again_is_not_minimized() {
    let words = Kept::default();
    let named = Named {
        name: "s".into(),
        ..Named::default()
    };
    let style = Style::default();
    let out = Box::new(words.clone());
    let live = Live::to(
        vec![named],
        Scope::default(),
        style,
        out,
        Box::new(Kept::default()),
    );
    let kind = FindingKind::RotationLoss;
    let mut finding = fault("EditorActivity", "rotate", kind, "", "text lost", 7);
    finding.warning = true;
    live.finding(0, &finding);
    live.counts(0, &counts(100, 10));
    let result = Reproduction {
        version: 1,
        fingerprint: finding.fingerprint.clone(),
        given: 3,
        steps: vec!["menu".into(); 3],
        minimality: Minimality::NotReproduced,
        chance: 0.0,
        replays: 1,
        carried: 0,
        reproduced: 0,
        of: 5,
        diverged: None,
    };
    live.minimized(&finding, &result);
    live.ended(0, Ok(EndReason::Events));
    let words = words.text();
    assert!(words.contains("0 findings, 1 warning"), "{words}");
    assert!(!words.contains("Minimized"), "{words}");
    let reported = "not minimized, did not reproduce: 0 of 5 replays";
    assert!(words.contains(reported), "{words}");
    assert_eq!(word(&finding).0, Tone::Warn);
}

#[test]
fn findings_of_the_baseline_are_marked() {
    let words = Kept::default();
    let named = Named {
        name: "s".into(),
        ..Named::default()
    };
    let style = Style {
        verbosity: Verbosity::Quiet,
        ..Style::default()
    };
    let out = Box::new(words.clone());
    let mut live = Live::to(
        vec![named],
        Scope::default(),
        style,
        out,
        Box::new(Kept::default()),
    );
    live.known =
        Box::new(|session, finding| (session == 0 && finding.event == 7).then_some("accepted"));
    for event in [7, 8] {
        let kind = FindingKind::JavaCrash;
        live.finding(
            0,
            &fault("Editor", "save", kind, "java.lang.Error", "no", event),
        );
    }
    let words = words.text();
    let lines: Vec<_> = words.lines().collect();
    assert!(lines[0].ends_with("(s, event 7, accepted)"), "{words}");
    assert!(lines[1].ends_with("(s, event 8)"), "{words}");
}

#[test]
fn more_detail_names_devices_times_and_why_a_session_ended() {
    let (words, _) = said(Style {
        verbosity: Verbosity::Verbose,
        ..Style::default()
    });
    let start = "Starting notes-jvm-random-1: app `notes`, device `phone` (jvm), strategy `random`, seed 1\n";
    assert!(words.contains(start), "{words}");
    assert!(
        words.contains(
            "Started notes-jvm-random-1: prepared in 0.0 s, the first event after 0.0 s\n"
        ),
        "{words}"
    );
    assert!(
        words.contains("1 finding, all events of its budget performed (1 of 2 sessions, ~"),
        "{words}"
    );
}

#[test]
fn most_detail_shows_each_step_with_its_page_and_what_is_new() {
    let words = Kept::default();
    let named = Named {
        name: "s".into(),
        ..Named::default()
    };
    let style = Style {
        verbosity: Verbosity::Steps,
        ..Style::default()
    };
    let out = Box::new(words.clone());
    let live = Live::to(
        vec![named],
        Scope::default(),
        style,
        out,
        Box::new(Kept::default()),
    );
    for line in [
        r#"{"e":"page","id":"0000000000000001","activity":"a.Main","label":"Notes","widgets":2,"events":3}"#,
        r#"{"e":"page","id":"0000000000000002","activity":"a.Edit","label":"","widgets":2,"events":3}"#,
        r#"{"e":"launch","how":"clear-data","before":1,"page":"0000000000000001","exact":"0000000000000001","probes":[[0,1]]}"#,
        r#"{"e":"step","i":1,"t":"system","event":{"do":"rotate"},"from":"0000000000000001","to":"0000000000000002","exact":"0000000000000002","changed":true,"probes":[[0,2],[0,3]],"activities":["a.Edit"],"reward":1}"#,
        r#"{"e":"step","i":2,"t":"invalid","led":{"script":"log-in"},"from":"0000000000000002","to":"0000000000000002","exact":"0000000000000002","changed":false,"reward":0}"#,
    ] {
        live.event(0, &serde_json::from_str(line).unwrap());
    }
    insta::assert_snapshot!(words.text());
}
