//! A libtorch that a build cannot use: `doctor` says what is wrong with it and how to fix it.

use crate::common::program::{Desk, Ended};
use serde_json::Value;
use std::fs;

/// What `doctor` says of libtorch where `LIBTORCH` names this folder of the desk's; nothing else is set up.
fn libtorch(desk: &Desk, folder: &str) -> Value {
    let (named, cache) = (desk.path(folder), desk.path("cache"));
    let mut doctor = desk.command("doctor --message-format json");
    let said = Ended::of(doctor.env("LIBTORCH", named).env("DROIDTEST_CACHE", cache));
    let all: Value = serde_json::from_str(&said.out).unwrap_or_else(|_| panic!("{}", said.err));
    let checks = all["checks"].as_array().unwrap();
    checks
        .iter()
        .find(|check| check["name"] == "libtorch")
        .unwrap()
        .clone()
}

#[test]
fn doctor_names_what_a_libtorch_lacks_and_the_command_that_mends_it() {
    let desk = Desk::new("");
    let bad = |found: &str| {
        let check = libtorch(&desk, "own");
        let verdict = if cfg!(feature = "deep") {
            "failed"
        } else {
            "warning"
        };
        assert_eq!(check["verdict"], verdict, "{check}");
        assert!(check["found"].as_str().unwrap().contains(found), "{check}");
        let fix = check["fix"].as_str().unwrap();
        assert!(fix.contains("cargo droidtest setup --libtorch"), "{check}");
    };
    bad("which is not a folder");
    fs::create_dir_all(desk.path("own/lib")).unwrap();
    let library = |name: &str, text: &str| {
        let (before, after) = (std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
        desk.write(&format!("own/lib/{before}{name}{after}"), text);
    };
    library("torch", "a");
    library("c10", "a");
    bad("torch_cpu");
    library("torch_cpu", "");
    bad("is empty");
    library("torch_cpu", "a");
    bad("torch.h");
    fs::create_dir_all(desk.path("own/include/torch/csrc/api/include/torch")).unwrap();
    desk.write("own/include/torch/csrc/api/include/torch/torch.h", "a");
    desk.write("own/build-version", "2.3.0+cpu\n");
    bad("which is libtorch 2.3.0+cpu instead of 2.");
    fs::remove_file(desk.path("own/build-version")).unwrap();
    let check = libtorch(&desk, "own");
    assert_eq!(
        check["verdict"],
        if cfg!(feature = "deep") {
            "ok"
        } else {
            "warning"
        },
        "{check}"
    );
}
