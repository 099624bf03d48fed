//! Traces on the sim device: written with every finding, replayed by the program, refused where they do not fit.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const SUITE: &str = "[suite]\nname = \"s\"\nbudget = { events = 4000 }\nseeds = [5]\n\
    [[app]]\nname = \"shop\"\nmodel = \"builtin:shop\"\n[app.text]\npassword = { env = \"SHOP_SECRET\" }\n\
    [[app]]\nname = \"notes\"\nmodel = \"builtin:notes\"\n";

/// A folder with a suite and a run of it.
struct Bench {
    folder: tempfile::TempDir,
}

impl Bench {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("droidtest.toml"), SUITE).unwrap();
        let bench = Self { folder };
        let (code, _, err) = bench.tool(&["run", "--run-id", "r"]);
        assert_eq!(code, 100, "{err}");
        bench
    }

    fn tool(&self, args: &[&str]) -> (i32, String, String) {
        let out = Command::new(env!("CARGO_BIN_EXE_cargo-droidtest"))
            .env_clear()
            .env("SHOP_SECRET", "hush-hush")
            .current_dir(self.folder.path())
            .args(args)
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (
            out.status.code().unwrap_or(-1),
            text(out.stdout),
            text(out.stderr),
        )
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
        let findings = fs::read_dir(self.folder.path().join(session)).unwrap();
        let mut traces: Vec<_> = findings
            .map(|f| f.unwrap().path().join("trace.toml"))
            .collect();
        traces.sort();
        traces
    }

    /// A trace written by hand.
    fn written(&self, text: &str) -> PathBuf {
        let path = self.folder.path().join("hand.toml");
        fs::write(&path, text).unwrap();
        path
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
        (Some(1), Some("the widget is gone"))
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
