//! `replay` by id, folder and bundle; `bundle`.

use crate::common::program::Desk;
use crate::common::shop;
use std::fs;
use std::io::Read as _;

const SUITE: &str = "[suite]\nname = \"smoke\"\nbudget = { events = 40 }\nseeds = [5]\n\
    [[app]]\nname = \"shop\"\nmodel = \"shop.json\"\n[app.text]\npin = { env = \"PIN\" }\n[[strategy]]\nkind = \"random\"\n";

/// A desk with a run, and the id of its finding.
fn desk() -> (Desk, String) {
    let desk = Desk::new(SUITE);
    desk.write("shop.json", shop::model("closed"));
    let done = crate::common::program::Ended::of(desk.command("run").env("PIN", "4711"));
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
    let done = crate::common::program::Ended::of(desk.command(args).env("PIN", "4711"));
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
