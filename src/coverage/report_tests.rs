//! Tests of `report.rs` with a stand-in for Java: a script that notes how it was called and writes JaCoCo's report.

use super::*;
use crate::outcome::folder::RunInfo;
use crate::outcome::journal::JournalWriter;
use crate::outcome::run_event::{JOURNAL_VERSION, Reset, RunEvent, SessionHeader};
use crate::outcome::summary::CodeCoverage;
use crate::settings::Coverage;
use std::os::unix::fs::PermissionsExt as _;

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/coverage")
}

struct TestRun {
    folder: tempfile::TempDir,
    run: RunFolder,
    counted: Counted,
    sources: Sources,
}

impl TestRun {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let info = RunInfo {
            run: "1".into(),
            ..RunInfo::default()
        };
        Self {
            run: RunFolder::create(folder.path(), &info).unwrap(),
            folder,
            counted: Counted::new(&Coverage::default(), None, None),
            sources: Sources::default(),
        }
    }

    /// A `java` that notes that it was called and runs this shell script for each execution file; `$out` is the
    /// folder to write to.
    fn tool(&self, script: &str) -> Tool {
        let java = self.folder.path().join("java");
        let calls = self.folder.path().join("calls");
        let text = format!(
            r#"#!/bin/sh
echo . >> '{}'
while [ "$1" != --out ]; do shift; done
for exec in "$2"/*.exec; do
    out=${{exec%.exec}}
    mkdir "$out"
    {script}
done
"#,
            calls.display()
        );
        fs::write(&java, text).unwrap();
        fs::set_permissions(&java, fs::Permissions::from_mode(0o755)).unwrap();
        Tool {
            java,
            class_path: "agent.jar".into(),
            home: None,
        }
    }

    fn working_tool(&self) -> Tool {
        let xml = fixtures().join("jacoco.xml");
        self.tool(&format!(
            "cp '{}' \"$out/jacoco.xml\"; mkdir \"$out/html\"",
            xml.display()
        ))
    }

    fn calls(&self) -> usize {
        fs::read(self.folder.path().join("calls")).unwrap().len() / 2
    }

    /// A session whose journal holds one hit of the first probe of a class.
    fn session(&self, name: &str, class: &str, probes: u32) {
        let folder = self.run.session(name);
        folder.create().unwrap();
        let mut journal = JournalWriter::create(&folder.journal()).unwrap();
        let header = SessionHeader {
            version: JOURNAL_VERSION,
            tool: String::new(),
            session: name.into(),
            app: "shop".into(),
            package: "shop".into(),
            content: String::new(),
            device: "jvm".into(),
            device_kind: "jvm".into(),
            strategy: "random".into(),
            seed: 1,
            activities_declared: Vec::new(),
            activities_reachable: Vec::new(),
            secrets: Vec::new(),
            scripts: Vec::new(),
            notes: Vec::new(),
            capability: None,
        };
        journal.write(&RunEvent::Session(header)).unwrap();
        let class = RunEvent::Class {
            ix: 0,
            name: class.into(),
            probes,
        };
        journal.write(&class).unwrap();
        let launch = RunEvent::Launch {
            how: Reset::ClearData,
            before: 1,
            page: crate::gui::PageId::default(),
            exact: crate::gui::ExactId::default(),
            probes: vec![(0, 0)],
            activities: Vec::new(),
            findings: Vec::new(),
        };
        journal.write(&launch).unwrap();
    }

    fn complete(&self, tool: &Tool, formats: CoverageFormats) -> Result<Report, CoverageError> {
        self.complete_unless(tool, formats, &|| false)
    }

    fn complete_unless(
        &self,
        tool: &Tool,
        formats: CoverageFormats,
        stopped: &dyn Fn() -> bool,
    ) -> Result<Report, CoverageError> {
        let classes = [fixtures().join("shop.jar")];
        let subject = Subject {
            app: "shop",
            classes: &classes,
            counted: &self.counted,
            changed: None,
            sources: &self.sources,
            formats,
        };
        let sessions = self.run.sessions().unwrap();
        complete(tool, &subject, &self.run, &sessions, stopped)
    }

    /// What is next to the app's reports, in order.
    fn left(&self) -> Vec<String> {
        let mut names: Vec<_> = fs::read_dir(self.run.coverage("shop"))
            .unwrap()
            .map(|e| e.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }
}

fn read_json(file: &Path) -> CodeCoverage {
    serde_json::from_slice(&fs::read(file).unwrap()).unwrap()
}

#[test]
fn all_files_are_written_and_sessions_are_united() {
    let place = TestRun::new();
    place.session("a", "shop/Basket$Item", 1);
    place.session("b", "shop/till/Till", 5);
    let report = place
        .complete(&place.working_tool(), CoverageFormats::default())
        .unwrap();
    let out = place.run.coverage("shop");
    assert_eq!(
        place.left(),
        [
            "cobertura.xml",
            "counted.json",
            "html",
            "jacoco.exec",
            "jacoco.xml",
            "lcov.info",
            "summary.json"
        ]
    );
    let all = ExecData::load(&out.join("jacoco.exec")).unwrap();
    assert_eq!(all.classes().len(), 2);
    assert_eq!(
        read_json(&place.run.coverage_summary("shop")),
        report.total.code
    );
    for session in ["a", "b"] {
        assert_eq!(
            read_json(&place.run.session(session).coverage()),
            report.total.code
        );
        // What the session's journal knows, though its device left no file.
        let own = ExecData::load(&place.run.session(session).exec()).unwrap();
        assert_eq!(own.classes().len(), 1);
    }
    // Done again it is the same, byte for byte.
    let exec = place.run.session("a").exec();
    let before = fs::read(&exec).unwrap();
    let tool = place.working_tool();
    place.complete(&tool, CoverageFormats::default()).unwrap();
    assert_eq!(fs::read(&exec).unwrap(), before);
    // One call for both sessions, one for the app, and both again.
    assert_eq!(place.calls(), 4);
}

#[test]
fn a_single_session_needs_no_report_of_its_own_and_formats_can_be_left_out() {
    let place = TestRun::new();
    place.session("a", "shop/Basket$Item", 1);
    let tool = place.working_tool();
    place.complete(&tool, CoverageFormats::default()).unwrap();
    let formats = CoverageFormats {
        xml: false,
        html: false,
        lcov: false,
        cobertura: false,
    };
    place.complete(&tool, formats).unwrap();
    assert_eq!(place.calls(), 2);
    let out = place.run.coverage("shop");
    assert!(!out.join("jacoco.xml").exists() && !out.join("html").exists());
    assert!(place.run.session("a").coverage().exists());
}

#[test]
fn the_device_own_file_adds_to_the_journal_where_it_can_be_read() {
    let place = TestRun::new();
    place.session("a", "shop/Basket$Item", 1);
    let folder = place.run.session("a");
    let ids = ClassIds::of(&fixtures().join("shop.jar")).unwrap();
    assert_eq!(session_data(&folder, &ids).unwrap().classes().len(), 1);
    let one = fs::read(fixtures().join("one.exec")).unwrap();
    fs::write(folder.exec(), &one).unwrap();
    assert_eq!(session_data(&folder, &ids).unwrap().classes().len(), 3);
    fs::write(folder.exec(), &one[..one.len() - 3]).unwrap();
    assert_eq!(session_data(&folder, &ids).unwrap().classes().len(), 1);
}

#[test]
fn a_tool_that_fails_is_one_line() {
    let place = TestRun::new();
    place.session("a", "shop/Basket$Item", 1);
    let tool = place.tool("echo 'coverage: no such file' >&2; exit 2");
    let error = place
        .complete(&tool, CoverageFormats::default())
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "JaCoCo's report failed: coverage: no such file"
    );
    let tool = Tool {
        java: "no/such/java".into(),
        class_path: OsString::new(),
        home: None,
    };
    let error = place
        .complete(&tool, CoverageFormats::default())
        .unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("JaCoCo's report failed: no/such/java: "),
        "{error}"
    );
}

#[test]
fn a_tool_that_nobody_waits_for_any_more_is_killed_and_leaves_nothing() {
    let place = TestRun::new();
    place.session("a", "shop/Basket$Item", 1);
    let tool = place.tool("sleep 600");
    let calls = place.folder.path().join("calls");
    let start = std::time::Instant::now();
    place
        .complete_unless(&tool, CoverageFormats::default(), &|| calls.exists())
        .unwrap_err();
    assert!(start.elapsed() < Duration::from_secs(60));
    assert_eq!(place.left(), ["counted.json"]);
}

#[test]
fn what_a_killed_process_left_is_removed_but_nothing_that_another_may_work_in() {
    let place = TestRun::new();
    place.session("a", "shop/Basket$Item", 1);
    let out = place.run.coverage("shop");
    let hours_ago = std::time::SystemTime::now() - 2 * ABANDONED;
    for (name, old) in [
        (".droidtest-a", true),
        (".droidtest-b", false),
        ("own", true),
    ] {
        fs::create_dir_all(out.join(name).join("sessions")).unwrap();
        if old {
            let folder = fs::File::open(out.join(name)).unwrap();
            folder.set_modified(hours_ago).unwrap();
        }
    }
    let tool = place.tool("exit 2");
    let formats = CoverageFormats::default();
    place.complete(&tool, formats).unwrap_err();
    assert_eq!(place.left(), [".droidtest-b", "counted.json", "own"]);
}

#[test]
fn an_app_of_which_nothing_counts_is_told() {
    let mut place = TestRun::new();
    place.session("a", "shop/Basket$Item", 1);
    place.counted = Counted::new(&Coverage::default(), Some(&["shop".to_owned()]), None);
    let error = place
        .complete(&place.working_tool(), CoverageFormats::default())
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "no class of shop is measured: `coverage.exclude` or `coverage.scope` leaves out all of them"
    );
}

#[test]
fn lines_on_the_way_are_those_of_the_entries_before_and_are_kept() {
    let place = TestRun::new();
    place.session("a", "shop/Basket$Item", 1);
    // The tool notes what it was given: a class with a hit makes the file longer.
    let xml = fixtures().join("jacoco.xml");
    let sizes = place.folder.path().join("sizes");
    let tool = place.tool(&format!(
        "cp '{}' \"$out/jacoco.xml\"; wc -c < \"$exec\" >> '{}'",
        xml.display(),
        sizes.display()
    ));
    let classes = [fixtures().join("shop.jar")];
    let subject = Subject {
        app: "shop",
        classes: &classes,
        counted: &place.counted,
        changed: None,
        sources: &place.sources,
        formats: CoverageFormats::default(),
    };
    let at = |entries| crate::coverage::at::SessionPoint {
        session: "a".into(),
        entries,
    };
    // Before and after the start, which hits the first probe; a call of Java takes no more, and the next is not made.
    let (before, after, next) = (at(2), at(3), at(1));
    let mut places = vec![&before; AT_ONCE - 1];
    places.extend([&after, &next]);
    let reported = std::cell::Cell::new(0);
    let tell = |some: &[&_]| reported.set(reported.get() + some.len());
    let stop = || place.run.session("a").lines_at().exists();
    crate::coverage::at::complete(&tool, &subject, &place.run, &places, tell, &stop).unwrap();
    assert_eq!(reported.get(), AT_ONCE);
    let sizes = fs::read_to_string(sizes).unwrap();
    let sizes: Vec<u64> = sizes.lines().map(|n| n.trim().parse().unwrap()).collect();
    assert!(
        sizes.len() == AT_ONCE && sizes[0] < sizes[AT_ONCE - 1],
        "{sizes:?}"
    );
    assert_eq!(place.calls(), 1);
    let lines = Report::load(&xml).unwrap().total.code.line;
    let known = crate::coverage::at::known(&place.run.session("a"));
    assert_eq!(known, [(2, lines), (3, lines)].into());
}
