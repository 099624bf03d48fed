//! `bench compare`: the sessions of two benches in one comparison, and files that are none.

use super::{Case, SUITE};
use serde_json::Value;
use std::fs;

#[test]
fn benches_of_two_machines_compare_as_one() {
    let whole = Case::new(SUITE);
    whole.bench("");
    let parts = Case::new(SUITE);
    for seed in [1, 2] {
        let (code, _, err) = parts.bench(&format!("--seed {seed} --run-id part-{seed}"));
        assert_eq!(code, 0, "{err}");
    }
    let part = |seed: u32| format!("target/droidtest/part-{seed}/bench.jsonl");
    let files = format!("{} {}", part(1), part(2));
    let (code, out, err) = parts.bench(&format!("compare {files} --out both"));
    assert_eq!(code, 0, "{err}");
    assert!(out.contains("random over no-system"), "{out}");
    let text = fs::read(parts.desk.path("both/bench.json")).unwrap();
    let report: Value = serde_json::from_slice(&text).unwrap();
    let expected = whole.report();
    let values = |report: &Value| {
        let all = report["comparisons"].as_array().unwrap().iter();
        let mut all: Vec<String> = all.map(|c| c["pairs"].to_string()).collect();
        all.sort();
        all
    };
    assert_eq!(values(&report), values(&expected));
    assert_eq!(report["causes"], expected["causes"]);
    // The sets of probes are not in the files.
    assert!(report["unions"][0]["probes"].is_null());
    assert!(parts.desk.path("both/bench.html").is_file());

    let (code, out, _) = parts.bench(&format!(
        "compare {files} --strategies random,monkey --at 50 --out some"
    ));
    assert_eq!(code, 0);
    assert!(
        out.contains("after 50 events") && !out.contains("no-system"),
        "{out}"
    );
    let refused = |args: &str, why: &str| {
        let (code, _, err) = parts.bench(&format!("compare {args} --out no"));
        assert_eq!(code, 65, "{err}");
        assert!(err.contains(why), "{err}");
        assert!(!parts.desk.path("no").exists());
    };
    refused(&format!("{0} {0}", part(1)), "bench.jsonl:1: ");
    refused(&format!("{files} --strategies dino"), "no session of dino");
    refused(
        "target/droidtest/part-1/bench.json",
        "not a measured session",
    );
    refused("missing.jsonl", "cannot read missing.jsonl");
    let (code, _, err) = parts.bench(&format!("compare {files} --at 0 --out no"));
    assert!(code == 2 && err.contains("0 is not in 1.."), "{err}");
    // What no session came to is named.
    let (code, out, _) = parts.bench(&format!("compare {files} --at 99999 --out far"));
    assert!(
        code == 0 && out.contains("Not compared after 99999 events"),
        "{out}"
    );
}
