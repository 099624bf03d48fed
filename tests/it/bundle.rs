//! `replay` by id, folder and bundle; `bundle`.

use crate::common::program::{Desk, Ended};
use crate::common::shop;
use std::fs;
use std::io::Read as _;

const SUITE: &str = "[suite]\nname = \"smoke\"\nbudget = { events = 40 }\nseeds = [5]\n\
    [[app]]\nname = \"shop\"\nmodel = \"shop.json\"\n[app.text]\npin = { env = \"PIN\" }\n[[strategy]]\nkind = \"random\"\n";

/// A desk with a run, and the id of its finding.
fn desk() -> (Desk, String) {
    let desk = Desk::new(SUITE);
    desk.write("shop.json", shop::model("closed"));
    let done = Ended::of(desk.command("run").env("PIN", "4711"));
    assert_eq!(done.code, 100, "{}", done.err);
    let findings = desk.path("target/droidtest/latest/sessions/shop-sim-random-5/findings");
    let id = fs::read_dir(findings)
        .unwrap()
        .next()
        .unwrap()
        .unwrap()
        .file_name();
    (desk, id.into_string().unwrap())
}

fn run(desk: &Desk, args: &str) -> (i32, String) {
    let done = Ended::of(desk.command(args).env("PIN", "4711"));
    (done.code, done.all())
}

#[test]
fn a_finding_is_replayed_by_id_fingerprint_folder_and_bundle() {
    let (desk, id) = desk();
    let folder = format!("target/droidtest/latest/sessions/shop-sim-random-5/findings/{id}");
    let finding: serde_json::Value =
        serde_json::from_slice(&desk.read(&format!("{folder}/finding.json"))).unwrap();
    let print = finding["fingerprint"].as_str().unwrap();
    let short = &print[..print.find(':').map_or(8, |at| at + 9)];
    assert_eq!(run(&desk, &format!("bundle {id} --out out.zip")).0, 0);
    for name in [&id, print, short, &folder, "out.zip"] {
        let (code, said) = run(&desk, &format!("replay {name}"));
        assert_eq!(code, 100, "{name}: {said}");
        assert!(said.contains("Reproduced"), "{name}: {said}");
    }
    let (code, said) = run(&desk, "replay nothing");
    let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(code, 65, "{said}");
    assert!(said.contains(&format!("it has {id}")), "{said}");
    let (code, said) = run(&desk, "replay target");
    assert!(
        code == 65 && said.contains("name the folder of a finding"),
        "{said}"
    );
    desk.write("bad.zip", "no archive");
    let (code, said) = run(&desk, "replay bad.zip");
    assert!(code == 65 && said.contains("not a bundle"), "{said}");
}

#[test]
fn a_finding_is_found_by_its_id_in_the_folder_of_all_runs_that_is_named() {
    let (desk, id) = desk();
    fs::rename(desk.path("target/droidtest"), desk.path("runs")).unwrap();
    for (command, flag, code) in [
        (format!("replay {id}"), "--out", 100),
        (format!("bundle {id}"), "--runs", 0),
        (format!("export {id} --to adb"), "--runs", 0),
        (format!("export latest {id} --to adb"), "--runs", 0),
        ("report".to_owned(), "--out", 0),
    ] {
        let (lost, said) = run(&desk, &command);
        let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
        let fix = "does not contain a latest run: run `cargo droidtest run` first, or set DROIDTEST_OUT to the folder of all runs";
        assert!(lost != 0 && said.contains(fix), "{command}: {said}");
        let found = |done: &Ended, by: &str| {
            assert_eq!(done.code, code, "{command} by {by}: {}", done.all());
            assert!(!done.err.contains("latest run"), "{command}: {}", done.err);
        };
        found(
            &Ended::of(
                desk.command(&format!("{command} {flag} runs"))
                    .env("PIN", "4711"),
            ),
            flag,
        );
        let mut by_variable = desk.command(&command);
        by_variable.env("PIN", "4711").env("DROIDTEST_OUT", "runs");
        found(&Ended::of(&mut by_variable), "DROIDTEST_OUT");
    }
}

#[test]
fn a_bundle_has_what_a_colleague_needs_and_no_secret() {
    let (desk, id) = desk();
    let (code, said) = run(&desk, &format!("bundle {id}"));
    assert_eq!(code, 0, "{said}");
    assert!(
        said.contains(&format!("cargo droidtest replay {id}.zip")),
        "{said}"
    );
    let archive = fs::File::open(desk.path(&format!("{id}.zip"))).unwrap();
    let mut archive = zip::ZipArchive::new(archive).unwrap();
    let mut text = |name: &str| {
        let mut text = String::new();
        let mut entry = archive
            .by_name(name)
            .unwrap_or_else(|e| panic!("{name}: {e}"));
        entry.read_to_string(&mut text).unwrap();
        text
    };
    assert!(text("trace.toml").contains("kind = \"java-crash\""));
    assert!(text("stack.txt").contains("Main.save(Main.java:7)"));
    assert!(text("README.txt").contains("IllegalStateException"));
    assert!(text("reproduction.json").contains("\"steps\""));
    let suite = text("suite.toml");
    assert!(
        suite.contains("name = \"shop\"") && suite.contains("env = \"PIN\""),
        "{suite}"
    );
    assert!(!suite.contains("4711"), "{suite}");
    // The same finding gives the same bytes.
    let first = desk.read(&format!("{id}.zip"));
    run(&desk, &format!("bundle {id}"));
    assert!(first == desk.read(&format!("{id}.zip")));
}
