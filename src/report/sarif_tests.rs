use super::super::fixture::{Spec, run};
use super::super::fixture_verdict::verdict;
use super::super::{Options, render, summarize};
use super::*;

/// The schema of the standard. `tests/fixtures/sarif/README.md` says where it is from.
const STANDARD: &str = include_str!("../../tests/fixtures/sarif/sarif-schema-2.1.0.json");

fn record() -> RunRecord {
    let base = tempfile::tempdir().unwrap();
    let spec = |seed| Spec {
        seed,
        events: 200,
        ..Spec::default()
    };
    summarize::read(&run(base.path(), &[spec(1), spec(2)])).unwrap()
}

/// The problems by the standard's schema.
fn problems(log: &Value) -> Vec<String> {
    let schema: Value = serde_json::from_str(STANDARD).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    validator
        .iter_errors(log)
        .map(|e| format!("{e} at {}", e.instance_path()))
        .collect()
}

fn results(log: &Value) -> &Vec<Value> {
    log["runs"][0]["results"].as_array().unwrap()
}

#[test]
fn a_run_without_a_gate_is_valid_and_every_finding_an_error() {
    let log = sarif(&record());
    assert_eq!(problems(&log), [""; 0]);
    let results = results(&log);
    assert_eq!(results.len(), 4);
    assert!(
        results
            .iter()
            .all(|r| r["level"] == "error" && r.get("baselineState").is_none())
    );
    let crash = results
        .iter()
        .find(|r| r["ruleId"] == "crash/java.lang.NullPointerException");
    let crash = crash.unwrap();
    let steps = crash["codeFlows"][0]["threadFlows"][0]["locations"]
        .as_array()
        .unwrap();
    assert!(
        steps.len() > 1
            && steps[1]["location"]["message"]["text"]
                .as_str()
                .unwrap()
                .starts_with("2. click")
    );
    let place = &crash["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "droidtest.toml");
    assert_eq!(place["region"]["startLine"], 1);
}

#[test]
fn a_wrong_log_is_noticed_by_the_schema() {
    let mut log = sarif(&record());
    log["runs"][0]["results"][0]["level"] = "fatal".into();
    assert_eq!(problems(&log).len(), 1);
}

#[test]
fn levels_and_states_follow_the_gate_and_fixed_findings_are_left_out() {
    let mut run = record();
    let mut verdict = verdict(&run);
    verdict.findings[1].status = Status::Accepted;
    verdict.findings[1].reason = Some("accepted by ana: sdk".into());
    let mut unseen = verdict.findings.last().unwrap().clone();
    (unseen.status, unseen.fingerprint) = (Status::NotSeen, "v2:1".into());
    verdict.findings.push(unseen);
    run.verdict = Some(verdict);
    let log = sarif(&run);
    assert_eq!(problems(&log), [""; 0]);
    let of = |r: &Value| {
        (
            r["properties"]["status"].clone(),
            r["level"].clone(),
            r["baselineState"].clone(),
        )
    };
    let all: Vec<_> = results(&log).iter().map(of).collect();
    let row = |status: &str, level: &str, state: &str| (json!(status), json!(level), json!(state));
    let wanted = [
        row("new", "error", "new"),
        row("known", "note", "unchanged"),
        row("known", "note", "unchanged"),
        row("accepted", "note", "unchanged"),
        row("not seen", "note", "unchanged"),
    ];
    assert_eq!(all, wanted);
    assert_eq!(
        results(&log)[3]["suppressions"][0]["justification"],
        "accepted by ana: sdk"
    );
}

#[test]
fn what_identifies_a_result_is_the_same_in_the_next_run() {
    let mut next = record();
    for session in &mut next.sessions {
        for met in &mut session.findings {
            met.finding.event += 7;
            met.finding.title += " (other)";
            met.count += 1;
        }
    }
    let identity = |run: &RunRecord| -> Vec<String> {
        let log = sarif(run);
        let of = |r: &Value| {
            format!(
                "{} {} {}",
                r["ruleId"], r["locations"], r["partialFingerprints"]
            )
        };
        results(&log).iter().map(of).collect()
    };
    let mut before = identity(&record());
    let mut after = identity(&next);
    before.sort();
    after.sort();
    assert_eq!(before, after);
}

#[test]
fn there_are_at_most_5000_results_and_hostile_texts_stay_text() {
    let mut run = record();
    let finding = run.sessions[0].findings[0].clone();
    run.sessions[0].findings = (0..5100)
        .map(|number| {
            let mut met = finding.clone();
            met.finding.fingerprint = format!("v2:{number:016x}");
            met.finding.title = "[x](https://evil)\u{1b}[2J\u{0}".into();
            met
        })
        .collect();
    run.sessions.truncate(1);
    run.summary.sessions.truncate(1);
    run.summary.suite = "a b/../ü".into();
    let log = sarif(&run);
    assert_eq!(problems(&log), [""; 0]);
    assert_eq!(results(&log).len(), MOST);
    let notes = &log["runs"][0]["invocations"][0]["toolExecutionNotifications"];
    assert_eq!(
        notes[0]["message"]["text"],
        "100 more findings are not in this file"
    );
    let text = results(&log)[0]["message"]["text"].as_str().unwrap();
    assert!(!text.contains("](") && !text.contains('\u{1b}'), "{text}");
    assert_eq!(
        log["runs"][0]["automationDetails"]["id"],
        "droidtest/a%20b-..-%C3%BC/"
    );
}

#[test]
fn the_file_is_written_with_a_gate_or_on_request() {
    let base = tempfile::tempdir().unwrap();
    let folder = run(base.path(), &[Spec::default()]);
    render(&folder, Options::default(), None).unwrap();
    assert!(!folder.sarif().exists());
    let judge = |_: &_| verdict(&summarize::read(&folder).unwrap());
    render(&folder, Options::default(), Some(&judge)).unwrap();
    let log: Value = serde_json::from_slice(&std::fs::read(folder.sarif()).unwrap()).unwrap();
    assert_eq!(results(&log)[0]["baselineState"], "new");
}
