//! The release: archives, checksums, bill of materials, the published crate, and what `cargo binstall` reads of it.

use super::Runner;
use crate::common::program::Ended;
use crate::common::{files, root};
use regex::Regex;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;
use toml::Table;

fn manifest(path: &Path) -> Table {
    fs::read_to_string(path).unwrap().parse().unwrap()
}

/// The files of an archive.
fn listed(runner: &Runner, archive: &str) -> Vec<String> {
    let done = Command::new("tar")
        .arg("-tzf")
        .arg(runner.path(archive))
        .output()
        .unwrap();
    let text = String::from_utf8(done.stdout).unwrap();
    let mut names: Vec<_> = text
        .lines()
        .filter(|l| !l.ends_with('/'))
        .map(str::to_owned)
        .collect();
    names.sort();
    names
}

#[test]
fn archives_have_the_places_that_binstall_and_the_action_read() {
    let Some(runner) = Runner::new(&[]) else {
        return;
    };
    let version = env!("CARGO_PKG_VERSION");
    for (target, suffix) in [
        ("x86_64-unknown-linux-gnu", ""),
        ("x86_64-pc-windows-msvc", ".exe"),
    ] {
        let folder = runner.text("built");
        for program in ["cargo-droidtest", "droidtest-sandbox", "droidtest-classes"] {
            runner.write(&format!("built/{program}{suffix}"), "program");
        }
        let out = runner.text("dist");
        runner
            .step("release/pack.sh", &[target, &folder, &out])
            .expect(0);
        let manifest = manifest(&root().join("Cargo.toml"));
        let binstall = &manifest["package"]["metadata"]["binstall"];
        let fill = |template: &str, bin: &str| {
            let values = [
                ("{ name }", "cargo-droidtest"),
                ("{ version }", version),
                ("{ target }", target),
                ("{ bin }", bin),
                ("{ binary-ext }", suffix),
                ("{ repo }", "https://example.org/us/app"),
            ];
            values
                .iter()
                .fold(template.to_owned(), |text, (key, value)| {
                    text.replace(key, value)
                })
        };
        let url = fill(binstall["pkg-url"].as_str().unwrap(), "");
        let name = url
            .strip_prefix(&format!(
                "https://example.org/us/app/releases/download/v{version}/"
            ))
            .unwrap();
        let names = listed(&runner, &format!("dist/{name}"));
        for bin in manifest["bin"].as_array().unwrap() {
            let place = fill(
                binstall["bin-dir"].as_str().unwrap(),
                bin["name"].as_str().unwrap(),
            );
            assert!(names.contains(&place), "{place}: {names:?}");
        }
        assert_eq!(
            names.len(),
            6,
            "three programs, two licences, a page: {names:?}"
        );
    }
}

#[test]
fn a_program_that_was_not_built_is_an_error_and_no_smaller_archive() {
    let Some(runner) = Runner::new(&[]) else {
        return;
    };
    for program in ["cargo-droidtest", "droidtest-classes"] {
        runner.write(&format!("built/{program}"), "program");
    }
    let (folder, out) = (runner.text("built"), runner.text("dist"));
    let packed = runner.step(
        "release/pack.sh",
        &["x86_64-unknown-linux-gnu", &folder, &out],
    );
    assert_ne!(packed.ended.code, 0);
}

#[test]
fn checksums_cover_every_file_and_name_the_sources_that_the_action_compares() {
    let Some(mut runner) = Runner::new(&[
        ("RUNNER_OS", "Linux"),
        ("RUNNER_ARCH", "X64"),
        ("SUITE", "none"),
        ("BASELINE", ""),
        ("BASE_APK", ""),
        ("SHARD", ""),
        ("COMMENT", "false"),
        ("SARIF", "false"),
        ("LOGS", "false"),
    ]) else {
        return;
    };
    runner.write("dist/a.tar.gz", "abc");
    runner.write("dist/b.cdx.json", "{}");
    let dist = runner.text("dist");
    runner.step("release/sums.sh", &[&dist]).expect(0);
    // Again: the sums do not count themselves.
    runner.step("release/sums.sh", &[&dist]).expect(0);
    runner.set("ACTION_PATH", root().to_str().unwrap());
    let plan = runner.step("action/plan.sh", &[]);
    assert_eq!(
        runner.read("dist/SHA256SUMS"),
        format!(
            "# sources {}\n\
             ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  a.tar.gz\n\
             44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a  b.cdx.json\n",
            plan.output("sources")
        )
    );
}

#[test]
fn the_published_crate_needs_no_libtorch_and_has_a_repository() {
    let Some(runner) = Runner::new(&[]) else {
        return;
    };
    if !root().join(".git").exists() {
        eprintln!("no .git: the sources of a commit cannot be packed");
        return;
    }
    let out = runner.text("sources");
    runner
        .step("release/crate.sh", &[&out, "https://example.org/us/app"])
        .expect(0);
    let published = manifest(&runner.path("sources/Cargo.toml"));
    assert!(published["features"].get("default").is_none());
    assert!(published["features"]["tch"].as_array().is_some());
    assert_eq!(
        published["package"]["repository"].as_str(),
        Some("https://example.org/us/app")
    );
    let own = manifest(&root().join("Cargo.toml"));
    assert_eq!(published["dependencies"], own["dependencies"]);
}

#[test]
fn the_bill_of_materials_lists_what_is_compiled_in_with_the_locks_checksums() {
    let Some(runner) = Runner::new(&[]) else {
        return;
    };
    let list = |features: &[&str]| -> serde_json::Value {
        let args = [&["x86_64-unknown-linux-gnu"], features].concat();
        let done = runner.step("release/sbom.sh", &args);
        assert_eq!(done.ended.code, 0, "{}", done.ended.err);
        serde_json::from_str(&done.ended.out).unwrap()
    };
    let small = list(&[]);
    let has = |bill: &serde_json::Value, name: &str| {
        let all = bill["components"].as_array().unwrap();
        all.iter().any(|c| c["name"] == name)
    };
    assert_eq!(
        (&small["bomFormat"], &small["specVersion"]),
        (&"CycloneDX".into(), &"1.5".into())
    );
    assert_eq!(small["metadata"]["component"]["name"], "cargo-droidtest");
    // A dependency, one of another system, one for tests only, one for the second engine only.
    let expected = [
        ("serde_json", true),
        ("windows-sys", false),
        ("insta", false),
        ("tch", false),
    ];
    for (name, is) in expected {
        assert_eq!(has(&small, name), is, "{name}");
    }
    assert!(has(&list(&["--features=tch"]), "tch"));
    let lock: Table = fs::read_to_string(root().join("Cargo.lock"))
        .unwrap()
        .parse()
        .unwrap();
    let lock = lock["package"].as_array().unwrap();
    for component in small["components"].as_array().unwrap() {
        let same = |p: &&toml::Value| {
            p["name"].as_str() == component["name"].as_str()
                && p["version"].as_str() == component["version"].as_str()
        };
        let locked = lock.iter().find(same).expect("a crate of the lock file");
        assert_eq!(
            component["hashes"][0]["content"].as_str(),
            // A crate of this repository has none.
            locked.get("checksum").and_then(|sum| sum.as_str()),
            "{component}"
        );
        assert!(
            component["licenses"][0]["expression"].is_string(),
            "{component}"
        );
    }
}

#[test]
fn the_package_has_every_file_that_the_sources_include() {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args([
        "package",
        "--list",
        "--allow-dirty",
        "--offline",
        "--package",
        "cargo-droidtest",
    ]);
    let done = Ended::of(cargo.current_dir(root()));
    assert_eq!(done.code, 0, "{}", done.err);
    let packed: BTreeSet<_> = done.out.lines().collect();
    let included = Regex::new(r#"include_(?:str|bytes)!\(\s*"([^"]+)"\s*\)"#).unwrap();
    let mut seen = 0;
    for file in files(&root().join("src")) {
        let Ok(text) = fs::read_to_string(&file) else {
            continue;
        };
        for found in included.captures_iter(&text) {
            // Of a test in a folder that the module's name adds, the path may start elsewhere; the compiler checks those.
            let Ok(path) = fs::canonicalize(file.with_file_name(&found[1])) else {
                continue;
            };
            let name = path.strip_prefix(root()).unwrap().to_str().unwrap();
            assert!(
                packed.contains(name),
                "{}: {name} is not in the package",
                file.display()
            );
            seen += 1;
        }
    }
    assert!(seen >= 10, "only {seen} files were seen");
    for folder in [
        "src/device/agent/pom.xml",
        "templates/report.html",
        "LICENSE-MIT",
    ] {
        assert!(packed.contains(folder), "{folder}");
    }
}

#[test]
fn the_images_and_the_linters_are_pinned_by_their_hashes() {
    if Runner::new(&[]).is_none() {
        return;
    }
    let read = |name: &str| fs::read_to_string(root().join(name)).unwrap();
    let image = Regex::new(r"^FROM [^ @]+:[^ @]+@sha256:[0-9a-f]{64}( AS \w+)?$").unwrap();
    let container = read("Containerfile");
    let stages: Vec<_> = container
        .lines()
        .filter(|l| l.starts_with("FROM"))
        .collect();
    assert_eq!(stages.len(), 2);
    assert!(
        stages.iter().all(|stage| image.is_match(stage)),
        "{stages:?}"
    );
    let linter = Regex::new(r"^[a-z-]+==[0-9.]+ --hash=sha256:[0-9a-f]{64}$").unwrap();
    let linters = read(".github/lint.txt");
    let linters: Vec<_> = linters.lines().filter(|l| !l.starts_with('#')).collect();
    assert!(
        !linters.is_empty() && linters.iter().all(|l| linter.is_match(l)),
        "{linters:?}"
    );
}
