//! Traces on the sim device: written with every finding, replayed by the program, refused where they do not fit.

use crate::common::program::{Desk, Ended};
use std::fs;
use std::path::{Path, PathBuf};

const SUITE: &str = "[suite]\nname = \"s\"\nbudget = { events = 4000 }\nseeds = [5]\n\
    [[app]]\nname = \"shop\"\nmodel = \"builtin:shop\"\n[app.text]\npassword = { env = \"SHOP_SECRET\" }\n\
    [[app]]\nname = \"notes\"\nmodel = \"builtin:notes\"\n[[strategy]]\nkind = \"random\"\n";

/// A folder with a suite and a run of it.
struct Bench {
    desk: Desk,
}

impl Bench {
    /// A suite that has not been run.
    fn bare() -> Self {
        let desk = Desk::new(SUITE);
        Self { desk }
    }

    fn new() -> Self {
        let bench = Self::bare();
        let (code, _, err) = bench.tool(&["run", "--run-id", "r"]);
        assert_eq!(code, 100, "{err}");
        bench
    }

    fn tool(&self, args: &[&str]) -> (i32, String, String) {
        let mut command = self.desk.command("");
        command.env("SHOP_SECRET", "hush-hush").args(args);
        Ended::of(&mut command).parts()
    }

    fn replay(&self, trace: &Path) -> (i32, serde_json::Value) {
        let file = trace.to_str().unwrap();
        let (code, out, err) = self.tool(&["replay", file, "--message-format", "json"]);
        let last = out.lines().last().unwrap_or_else(|| panic!("{err}"));
        (code, serde_json::from_str(last).unwrap())
    }

    /// The traces of all findings of an app.
    fn traces(&self, app: &str) -> Vec<PathBuf> {
        let session = format!("target/droidtest/r/sessions/{app}-sim-random-5/findings");
        let findings = fs::read_dir(self.desk.path(&session)).unwrap();
        let mut traces: Vec<_> = findings
            .map(|f| f.unwrap().path().join("trace.toml"))
            .collect();
        traces.sort();
        traces
    }

    /// A trace written manually.
    fn written(&self, text: &str) -> PathBuf {
        self.desk.write("hand.toml", text)
    }
}

#[test]
fn every_finding_of_a_run_has_a_trace_that_leads_to_it_again() {
    let bench = Bench::new();
    let traces = [bench.traces("shop"), bench.traces("notes")].concat();
    assert!(traces.len() >= 4, "{traces:?}");
    for trace in &traces {
        let text = fs::read_to_string(trace).unwrap();
        assert!(!text.contains("hush-hush"));
        let (code, said) = bench.replay(trace);
        assert_eq!(
            (code, said["result"].as_str()),
            (100, Some("reproduced")),
            "{said}"
        );
        assert_eq!(said["step"], said["steps"], "the last step is the one");
        assert!(said["guesses"].as_array().unwrap().is_empty(), "{said}");
    }
}

const HEAD: &str = "version = 1\n[app]\npackage = \"org.example.notes\"\n\
    [finding]\nkind = \"java-crash\"\nexception = \"java.lang.NullPointerException\"\n";

#[test]
fn a_trace_says_where_it_no_longer_fits_and_where_nothing_came() {
    let bench = Bench::new();
    let gone = bench.written(&format!(
        "{HEAD}[[step]]\ndo = \"click\"\nid = \"no_such_thing\"\n"
    ));
    let (code, said) = bench.replay(&gone);
    assert_eq!((code, said["result"].as_str()), (96, Some("diverged")));
    assert_eq!(
        (said["step"].as_u64(), said["why"].as_str()),
        (Some(1), Some("the widget was not found"))
    );
    let quiet = bench.written(&format!("{HEAD}[[step]]\ndo = \"back\"\n"));
    let (code, said) = bench.replay(&quiet);
    assert_eq!((code, said["result"].as_str()), (0, Some("not-met")));
}

#[test]
fn traces_that_cannot_be_replayed_are_refused_with_place_and_mend() {
    let bench = Bench::new();
    let refused = |text: &str| {
        let file = bench.written(text);
        let (code, out, err) = bench.tool(&["replay", file.to_str().unwrap()]);
        assert_eq!((code, out.as_str()), (96, ""), "{err}");
        err
    };
    let unknown = refused(&format!("{HEAD}[[step]]\ndo = \"click\"\nidd = \"a\"\n"));
    assert!(
        unknown.contains("hand.toml:9") && unknown.contains("did you mean `id`?"),
        "{unknown}"
    );
    assert!(
        unknown.contains("idd = \"a\""),
        "the line is shown:\n{unknown}"
    );
    let other = refused(&HEAD.replace("org.example.notes", "com.other.app"));
    assert!(
        other.contains("com.other.app") && other.contains("`notes`"),
        "{other}"
    );
    let (code, _, err) = bench.tool(&["replay", "nowhere.toml"]);
    assert!(code == 96 && err.contains("nowhere.toml"), "{err}");
    let shop = bench.traces("shop");
    let (code, _, err) = bench.tool(&["replay", shop[0].to_str().unwrap(), "--app", "notes"]);
    assert!(
        code == 96 && err.contains("org.example.shop") && err.contains("--app"),
        "{err}"
    );
    let (code, _, err) = bench.tool(&["replay", shop[0].to_str().unwrap(), "--device", "simm"]);
    assert!(code == 96 && err.contains("did you mean `sim`?"), "{err}");
}

/// What `reproduction.json` of each finding of an app says, by its title's exception.
fn reproductions(bench: &Bench, app: &str) -> Vec<serde_json::Value> {
    let read = |trace: PathBuf| {
        let file = trace.with_file_name("reproduction.json");
        serde_json::from_slice(&fs::read(file).unwrap()).unwrap()
    };
    bench.traces(app).into_iter().map(read).collect()
}

#[test]
fn a_run_hands_its_findings_over_minimized_and_confirmed() {
    let bench = Bench::new();
    let all = [
        reproductions(&bench, "shop"),
        reproductions(&bench, "notes"),
    ]
    .concat();
    for found in &all {
        assert_eq!(found["minimality"], "one-minimal", "{found}");
        assert_eq!((&found["reproduced"], &found["of"]), (&5.into(), &5.into()));
        let steps = found["steps"].as_array().unwrap().len() as u64;
        assert!(
            steps <= 20 && steps < found["given"].as_u64().unwrap(),
            "{found}"
        );
    }
    for trace in [bench.traces("shop"), bench.traces("notes")].concat() {
        let minimized = trace.with_file_name("minimized.toml");
        let (code, said) = bench.replay(&minimized);
        assert_eq!((code, &said["step"]), (100, &said["steps"]), "{said}");
    }
}

#[test]
fn minimizing_a_trace_again_on_several_devices_gives_the_same() {
    let bench = Bench::new();
    let suite = SUITE.to_owned() + "[[device]]\nname = \"sim\"\nkind = \"sim\"\ncount = 3\n";
    bench.desk.write("droidtest.toml", suite);
    for trace in bench.traces("notes") {
        let result = || fs::read(trace.with_file_name("reproduction.json")).unwrap();
        let alone = result();
        fs::remove_file(trace.with_file_name("reproduction.json")).unwrap();
        let (code, out, err) = bench.tool(&["minimize", trace.to_str().unwrap(), "-j3"]);
        assert_eq!(code, 100, "{err}");
        assert!(out.contains("reproduced 5 of 5 times"), "{out}");
        assert_eq!(result(), alone);
    }
}

#[test]
fn a_finding_that_does_not_come_again_is_said_to_be_so() {
    let bench = Bench::new();
    let trace = bench.written(&format!("{HEAD}[[step]]\ndo = \"back\"\n"));
    let (code, out, err) = bench.tool(&["minimize", trace.to_str().unwrap()]);
    assert_eq!(code, 0, "{err}");
    assert!(out.contains("did not reproduce: 0 of 5 replays"), "{out}");
    assert!(!bench.desk.path("hand-minimized/minimized.toml").exists());
}

const FORMAT_CRASH: &str = "[[step]]\ndo = \"type\"\nid = \"Editor_text\"\ninput = \"50%\"\n\
    [[step]]\ndo = \"click\"\nid = \"Editor_preview\"\ntext = \"Vorschau\"\n";

/// A hand-written trace to the crash on formatting; its first step names its widget so.
fn to_format_crash(first: &str) -> String {
    let head = HEAD.replace("lang.NullPointer", "util.UnknownFormatConversion");
    format!("{head}[[step]]\ndo = \"click\"\n{first}\n{FORMAT_CRASH}")
}

#[test]
fn a_result_that_no_longer_holds_is_taken_away() {
    let bench = Bench::bare();
    let result = bench.desk.path("hand-minimized");
    let minimize = |text: &str| {
        let trace = bench.written(text);
        let (code, _, err) = bench.tool(&["minimize", trace.to_str().unwrap()]);
        let there = ["minimized.toml", "step-01.png", "step-99.png", "other.png"]
            .map(|name| result.join(name).is_file());
        (code, there, err)
    };
    fs::create_dir(&result).unwrap();
    for name in ["step-01.png", "step-99.png", "other.png"] {
        fs::write(result.join(name), "").unwrap();
    }
    let (code, there, err) = minimize(&to_format_crash("id = \"List_new\""));
    assert_eq!((code, there), (100, [true, true, false, true]), "{err}");
    let (code, there, err) = minimize(&format!("{HEAD}[[step]]\ndo = \"back\"\n"));
    assert_eq!((code, there), (0, [false, false, false, true]), "{err}");
}

#[test]
fn what_replay_reproduces_with_a_guess_is_minimized_by_the_widgets_names() {
    let bench = Bench::bare();
    let trace = bench.written(&to_format_crash("at = [0.5, 0.1125]"));
    let (code, said) = bench.replay(&trace);
    assert_eq!(code, 100, "{said}");
    assert!(!said["guesses"].as_array().unwrap().is_empty(), "{said}");
    let (code, out, err) = bench.tool(&["minimize", trace.to_str().unwrap()]);
    assert_eq!(code, 100, "{out}{err}");
    let minimized = bench.desk.path("hand-minimized/minimized.toml");
    let text = fs::read_to_string(&minimized).unwrap();
    assert!(text.contains("List_new"), "{text}");
    let (code, said) = bench.replay(&minimized);
    assert_eq!(code, 100, "{said}");
    assert!(said["guesses"].as_array().unwrap().is_empty(), "{said}");
}

#[test]
fn a_trace_that_names_only_a_kind_is_minimized_to_the_crash_that_comes_first() {
    let bench = Bench::bare();
    // Fewer of these steps lead to another crash of the same kind, in the search.
    let steps = "click List_new, type Editor_text 50%, click Editor_save, click List_new, \
        type Editor_text #work, click Editor_save, click List_search, type Search_query #work, \
        click Search_tags, back, click List_open, click Detail_delete, click List_open, \
        click Detail_edit, click Editor_save, click List_new, type Editor_text todo, \
        click Editor_save, click List_open, click Detail_share, click Share_pdf";
    let keys = ["do", "id", "input"];
    let table = |step: &str| {
        let lines = keys.iter().zip(step.split_whitespace());
        let lines = lines.map(|(key, value)| format!("{key} = {value:?}\n"));
        format!("[[step]]\n{}", lines.collect::<String>())
    };
    let head = HEAD.replace("exception = \"java.lang.NullPointerException\"\n", "");
    let steps: String = steps.split(", ").map(table).collect();
    let trace = bench.written(&format!("{head}{steps}"));
    let first = |said: &serde_json::Value| {
        let met = said["met"].as_array().unwrap();
        let met = met.iter().find(|met| met["expected"] == true);
        met.unwrap()["fingerprint"].clone()
    };
    let (code, given) = bench.replay(&trace);
    assert_eq!((code, &given["step"]), (100, &21.into()), "{given}");
    let (code, out, err) = bench.tool(&["minimize", trace.to_str().unwrap()]);
    assert_eq!(code, 100, "{out}{err}");
    let result = bench.desk.path("hand-minimized");
    let (code, short) = bench.replay(&result.join("minimized.toml"));
    assert_eq!((code, first(&short)), (100, first(&given)), "{short}");
    let found = fs::read(result.join("reproduction.json")).unwrap();
    let found: serde_json::Value = serde_json::from_slice(&found).unwrap();
    assert_eq!(found["fingerprint"], first(&given));
}

#[test]
fn another_crash_on_the_way_becomes_a_finding_of_its_own() {
    let bench = Bench::new();
    // Both crashes of the model's shop are on this way; the run looks for the second only.
    let findings = bench
        .desk
        .path("target/droidtest/r/sessions/shop-sim-random-5");
    let journal = fs::read_to_string(findings.join("journal.jsonl")).unwrap();
    let known = journal
        .lines()
        .filter(|line| line.contains("\"e\":\"finding\""))
        .count();
    assert_eq!(known, 2);
    let mut hidden = false;
    let lines = journal.lines().filter(|line| {
        let first = !hidden && line.contains("\"e\":\"finding\"");
        hidden |= first;
        !first
    });
    let text: String = lines.map(|line| format!("{line}\n")).collect();
    fs::write(findings.join("journal.jsonl"), text).unwrap();
    fs::remove_dir_all(findings.join("findings")).unwrap();
    let run = bench.desk.path("target/droidtest/r");
    let (code, _, err) = bench.tool(&["minimize", run.to_str().unwrap()]);
    assert_eq!(code, 100, "{err}");
    let met = run.join("sessions/shop-sim-minimize-5/findings");
    let met: Vec<_> = fs::read_dir(met)
        .unwrap()
        .map(|f| f.unwrap().path())
        .collect();
    assert_eq!(met.len(), 1, "{err}");
    for file in [
        "finding.json",
        "trace.toml",
        "minimized.toml",
        "reproduction.json",
    ] {
        assert!(met[0].join(file).is_file(), "{file}");
    }
    let summary = fs::read_to_string(run.join("summary.json")).unwrap();
    assert!(summary.contains("shop-sim-minimize-5"));
}
