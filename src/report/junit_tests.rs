use super::super::fixture::{Spec, run};
use super::super::session::Met;
use super::super::summarize;
use super::*;
use crate::device::jvm::jdk::Jdk;
use crate::outcome::Minimality;
use crate::outcome::finding::FindingKind;
use roxmltree::Document;
use std::path::Path;

fn specs(end: Option<EndReason>) -> Vec<Spec> {
    let spec = |seed| Spec {
        seed,
        end,
        events: 200,
        ..Spec::default()
    };
    vec![spec(1), spec(2)]
}

fn record(specs: &[Spec]) -> RunRecord {
    let base = tempfile::tempdir().unwrap();
    summarize::read(&run(base.path(), specs)).unwrap()
}

fn xml(run: &RunRecord) -> String {
    String::from_utf8(junit(run).unwrap()).unwrap()
}

#[test]
fn the_report_of_two_seeds() {
    let base = tempfile::tempdir().unwrap();
    let record = summarize::read(&run(base.path(), &specs(Some(EndReason::Events)))).unwrap();
    let pretty = xml(&record).replace("><", ">\n<");
    // Paths as printed, independent of this test's folder.
    let base = base.path().display().to_string();
    insta::assert_snapshot!(pretty.replace(&base, "[base]"));
}

#[test]
fn one_cause_met_with_two_seeds_is_one_red_case() {
    let record = record(&specs(Some(EndReason::Events)));
    let xml = xml(&record);
    let document = Document::parse(&xml).unwrap();
    let suites: Vec<_> = document
        .descendants()
        .filter(|n| n.has_tag_name("testsuite"))
        .collect();
    assert_eq!(suites.len(), 2, "the sessions', and the app's");
    let cases = suites.iter().flat_map(|suite| suite.children());
    let mut names: Vec<_> = cases.filter_map(|case| case.attribute("name")).collect();
    assert!(names.contains(&"explore, seed 1") && names.contains(&"explore, seed 2"));
    let count = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), count, "every case has its own name");
    let failures = document
        .descendants()
        .filter(|n| n.has_tag_name("failure"))
        .count();
    assert_eq!(failures, record.summary.app_findings());
    let of_app = suites[1].children().filter(|n| n.is_element());
    for case in of_app.clone() {
        assert_eq!(case.attribute("classname"), Some("notes"));
    }
    let name = of_app.filter_map(|case| case.attribute("name")).next();
    assert!(
        name.unwrap()
            .starts_with("IllegalArgumentException at EditorActivity.onsave ["),
        "{name:?}"
    );
    let skipped = document
        .descendants()
        .find(|n| n.has_tag_name("skipped"))
        .unwrap();
    assert!(
        skipped
            .attribute("message")
            .unwrap()
            .starts_with("native-library (libpager.so)")
    );
}

#[test]
fn hostile_texts_leave_the_file_well_formed_and_readable() {
    let mut record = record(&specs(Some(EndReason::Events)));
    let hostile = "]]><script>&\u{0}\u{1b}[31m\"'\u{202e}\u{ffff}🦀\r\n]]]]>>";
    for session in &mut record.sessions {
        for met in &mut session.findings {
            met.finding.title = hostile.into();
            if let Some(found) = met.repro.as_mut().and_then(|h| h.reproduction.as_mut()) {
                found.steps[0] = hostile.into();
            }
            met.finding.evidence = hostile.repeat(3);
            met.finding.exception = Some(hostile.into());
            met.way[0].words = hostile.into();
        }
    }
    for session in &mut record.summary.sessions {
        session.app = hostile.into();
        session.device_failures = vec![hostile.into()];
    }
    let xml = xml(&record);
    let document = Document::parse(&xml).unwrap();
    let failure = document
        .descendants()
        .find(|n| n.has_tag_name("failure"))
        .unwrap();
    let text: String = failure.children().filter_map(|n| n.text()).collect();
    let kept = for_xml(hostile).replace("\r\n", "\n");
    assert!(text.contains(&kept.repeat(3)), "{text}");
    assert!(document.descendants().all(|n| !n.has_tag_name("script")));
}

/// The result of the first session's case: its element's name and type.
fn explored(change: impl Fn(&mut SessionSummary)) -> Option<(String, String)> {
    let mut record = record(&specs(Some(EndReason::Events))[..1]);
    change(&mut record.summary.sessions[0]);
    let xml = xml(&record);
    let document = Document::parse(&xml).unwrap();
    let case = document
        .descendants()
        .find(|n| n.has_tag_name("testcase"))
        .unwrap();
    let result = case
        .children()
        .find(|n| n.is_element() && !n.has_tag_name("system-out"))?;
    let kind = result.attribute("type").unwrap();
    Some((result.tag_name().name().to_owned(), kind.to_owned()))
}

#[test]
fn only_infrastructure_makes_a_sessions_own_case_an_error() {
    let is = |name: &str, kind: &str| Some((name.to_owned(), kind.to_owned()));
    assert_eq!(explored(|_| ()), None, "findings have cases of their own");
    assert_eq!(explored(|s| s.ended = None), is("error", "killed"));
    assert_eq!(
        explored(|s| s.ended = Some(EndReason::DeviceLost)),
        is("error", "device-lost")
    );
    assert_eq!(
        explored(|s| s.ended = Some(EndReason::Interrupted)),
        is("skipped", "interrupted")
    );
    assert_eq!(
        explored(|s| s.started = false),
        is("skipped", "not-started")
    );
    assert_eq!(
        explored(|s| s.damage = Some("x".into())),
        is("error", "damaged-record")
    );
    assert_eq!(
        explored(|s| (s.ended, s.failed) = (None, Some("x".into()))),
        is("error", "failed")
    );
    assert_eq!(
        explored(|s| s.ended = Some(EndReason::CannotLaunch)),
        None,
        "its crash is red"
    );
    let only_environment = |s: &mut SessionSummary| {
        s.ended = Some(EndReason::CannotLaunch);
        s.findings.clear();
    };
    assert_eq!(explored(only_environment), is("skipped", "environment"));
    let nothing = |s: &mut SessionSummary| {
        only_environment(s);
        s.environment_findings.clear();
    };
    assert_eq!(explored(nothing), is("error", "cannot-launch"));
    assert_eq!(
        explored(|s| s.ended = Some(EndReason::ClosesAtStart)),
        is("error", "closes-at-start"),
        "its device limitations do not explain that"
    );
}

#[test]
fn the_apps_fault_outweighs_the_environments() {
    let mut record = record(&specs(Some(EndReason::Events)));
    let fingerprint = record.sessions[0].findings[0].finding.fingerprint.clone();
    assert!(!record.sessions[0].findings[0].is_environment());
    for met in &mut record.sessions[1].findings {
        met.finding.fingerprint.clone_from(&fingerprint);
        met.finding.kind = FindingKind::Environment;
    }
    let xml = xml(&record);
    assert_eq!(
        xml.matches("<failure").count(),
        record.summary.sessions[0].findings.len()
    );
}

#[test]
fn warnings_tell_their_evidence_and_suites_count_what_is_skipped() {
    let mut record = record(&specs(Some(EndReason::Events)));
    let hostile = "</testsuite><testsuite skipped=\"7\" a='>";
    for session in &mut record.sessions {
        let lost = |met: &&mut Met| met.finding.kind == FindingKind::RotationLoss;
        for met in session.findings.iter_mut().filter(lost) {
            met.finding.warning = true;
            met.finding.title = hostile.into();
        }
    }
    for session in &mut record.summary.sessions {
        session.app = hostile.into();
    }
    let xml = xml(&record);
    let document = Document::parse(&xml).unwrap();
    let all = |name: &'static str| document.descendants().filter(move |n| n.has_tag_name(name));
    let counts: Vec<_> = all("testsuite").map(|n| n.attribute("skipped")).collect();
    let wanted = [Some("0"), Some("2")];
    assert_eq!(counts, wanted, "a warning and the environment's");
    assert_eq!(all("skipped").count(), 2);
    for skipped in all("skipped") {
        let case = skipped.parent().unwrap();
        let out = case.children().find(|n| n.has_tag_name("system-out"));
        let text: String = out.unwrap().children().filter_map(|n| n.text()).collect();
        for part in [
            "\tat org.example.notes.",
            "Replay: ",
            "Original steps (the last ones):",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
    }
}

/// The report where each crash has so many steps.
fn with_steps(count: usize, minimality: Minimality) -> String {
    let mut record = record(&specs(Some(EndReason::Events)));
    let all = record.sessions.iter_mut().flat_map(|s| &mut s.findings);
    for repro in all.filter_map(|met| met.repro.as_mut()) {
        if let Some(found) = &mut repro.reproduction {
            found.steps = (1..=count).map(|n| format!("key {n}")).collect();
            (found.minimality, found.of) = (minimality, 0);
        }
    }
    xml(&record)
}

#[test]
fn what_was_not_replayed_has_no_minimized_steps() {
    let xml = with_steps(801, Minimality::NotReproduced);
    assert!(!xml.contains("Minimized steps") && !xml.contains("key 1"));
    assert!(xml.contains("Not minimized: not replayed"));
    assert!(xml.contains("Replay: cargo droidtest replay"));
}

#[test]
fn of_very_many_steps_the_first_hundred_are_told() {
    let xml = with_steps(801, Minimality::Budget);
    assert!(xml.contains("   100  key 100\n        and 701 more, see the trace\n"));
    assert!(!xml.contains("key 101"));
    assert!(!with_steps(100, Minimality::Budget).contains("more, see"));
}

/// Reports with everything that a report can have: failures, errors, what is skipped, properties, output.
fn every_kind() -> Vec<String> {
    let mut all = vec![with_steps(3, Minimality::Budget)];
    let ends = [
        Some(EndReason::Events),
        Some(EndReason::DeviceLost),
        Some(EndReason::Interrupted),
        Some(EndReason::CannotLaunch),
        Some(EndReason::ClosesAtStart),
        None,
    ];
    for end in ends {
        let mut record = record(&specs(end));
        for session in &mut record.sessions {
            for met in &mut session.findings {
                met.finding.warning = met.finding.kind == FindingKind::RotationLoss;
            }
        }
        record.summary.sessions[1].started = end.is_some();
        record.summary.sessions[0].damage = end.is_none().then(|| "<cut>".into());
        all.push(xml(&record));
    }
    all
}

#[test]
fn jenkins_published_schema_takes_every_report() {
    let Ok(jdk) = Jdk::locate() else {
        crate::skip::skip("no JDK");
        return;
    };
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/junit");
    let schema = std::fs::read_to_string(fixtures.join("jenkins-junit.xsd")).unwrap();
    // As in Jenkins' later versions.
    let skipped = "<xs:element name=\"skipped\"><xs:complexType mixed=\"true\">\
        <xs:attribute name=\"type\" type=\"xs:string\"/><xs:attribute name=\"message\" type=\"xs:string\"/>\
        </xs:complexType></xs:element>";
    let before = "<xs:element name=\"skipped\" type=\"xs:string\"/>";
    assert!(schema.contains(before));
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    };
    let schema = file("junit.xsd", &schema.replace(before, skipped));
    let problems = |xml: &[String]| {
        let mut command = std::process::Command::new(jdk.java());
        command.arg(fixtures.join("Validate.java")).arg(&schema);
        for (ix, xml) in xml.iter().enumerate() {
            command.arg(file(&format!("{ix}.xml"), xml));
        }
        let done = command.output().unwrap();
        assert!(
            done.status.success(),
            "{}",
            String::from_utf8_lossy(&done.stderr)
        );
        String::from_utf8(done.stdout).unwrap()
    };
    let all = every_kind();
    for part in [
        "<failure ",
        "<error ",
        "<skipped ",
        "<property ",
        "<system-out>",
    ] {
        assert!(all.iter().any(|xml| xml.contains(part)), "{part}");
    }
    assert_eq!(problems(&all), "");
    let wrong = all[0].replace("<testcase name=", "<testcase title=");
    assert!(
        problems(&[wrong]).contains("title"),
        "the validator finds mistakes"
    );
}

#[test]
fn what_gitlab_documents_that_it_reads_is_there() {
    for xml in every_kind() {
        let document = Document::parse(&xml).unwrap();
        let suites = document.root_element();
        assert!(suites.has_tag_name("testsuites"));
        for suite in suites.children().filter(|n| n.is_element()) {
            assert!(suite.has_tag_name("testsuite") && suite.attribute("name").is_some());
            let mut names = Vec::new();
            for case in suite.children().filter(|n| n.has_tag_name("testcase")) {
                let name = ["classname", "name"].map(|key| case.attribute(key).unwrap());
                assert!(
                    name.iter().all(|name| !name.is_empty()) && !names.contains(&name),
                    "{name:?}"
                );
                names.push(name);
                assert!(case.attribute("time").unwrap().parse::<f64>().is_ok());
                let results = case.children().filter(|n| n.is_element());
                let results = results.filter(|n| !n.has_tag_name("system-out")).count();
                assert!(results <= 1, "one result for each case");
            }
        }
    }
}
