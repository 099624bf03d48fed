//! Exports: each tool's own parser or compiler takes them, whatever is in the texts of an app.

use crate::common::program::{Desk, Ended};
use crate::common::root;
use crate::common::shop;
use droidtest::device::App;
use droidtest::device::jvm::cache::Cache;
use droidtest::device::jvm::jdk::Jdk;
use droidtest::device::jvm::parts::{self, Parts};
use droidtest::device::jvm::translate::{self, Calls};
use droidtest::device::progress::Watch;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const PLUGIN: &str = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:build-classpath";

fn fixtures() -> PathBuf {
    root().join("tests/fixtures/export")
}

/// The class path of Maestro's parser and Kotlin's compiler; none, saying so, where Maven has not fetched them.
fn tools() -> Option<String> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("class-path");
    let done = Command::new("mvn")
        .args(["-o", "-q", "-B", PLUGIN, "-f"])
        .arg(fixtures().join("pom.xml"))
        .arg(format!("-Dmdep.outputFile={}", file.display()))
        .output();
    if !done.is_ok_and(|done| done.status.success()) {
        crate::common::skip::skip(
            "Maestro and Kotlin's compiler are not there; `cargo xtask test` fetches them",
        );
        return None;
    }
    Some(fs::read_to_string(file).unwrap())
}

/// Exports the trace with every step; the folder, the file and what is printed.
fn export(arguments: &str, name: &str) -> (Desk, PathBuf, String) {
    let desk = Desk::new("");
    let trace = fixtures().join("every-step.toml");
    let command = format!("export {} {arguments} --out {name}", trace.display());
    let done = desk.tool(&command);
    assert_eq!(done.code, 0, "{}", done.all());
    let file = desk.path(name);
    (desk, file, done.err)
}

/// Runs a program that has to end well; what it prints.
fn output(command: &mut Command) -> String {
    let done = Ended::of(command);
    assert_eq!(done.code, 0, "{}", done.all());
    done.out
}

#[test]
fn a_finding_is_exported_by_its_id_and_what_cannot_be_is_refused() {
    let desk = Desk::new(
        "[suite]\nname = \"s\"\nbudget = { events = 40 }\nseeds = [5]\n\
         [[app]]\nname = \"shop\"\nmodel = \"shop.json\"\n[[strategy]]\nkind = \"random\"\n",
    );
    desk.write("shop.json", shop::model("no"));
    assert_eq!(desk.tool("run --run-id one").code, 100);
    let findings = desk.path("target/droidtest/one/sessions/shop-sim-random-5/findings");
    let finding = fs::read_dir(findings).unwrap().next().unwrap().unwrap();
    let id = finding.file_name().into_string().unwrap();
    for (named, file) in [
        (id.clone(), "MainSaveIllegalStateExceptionTest.sh"),
        (format!("one {id}"), "MainSaveIllegalStateExceptionTest.sh"),
        (format!("{id} --out Other.sh"), "Other.sh"),
    ] {
        let done = desk.tool(&format!("export {named} --to adb"));
        assert_eq!(done.code, 0, "{}", done.all());
        let script = String::from_utf8(desk.read(file)).unwrap();
        assert!(
            script.contains("\npackage=org.x\n") && script.contains("Save"),
            "{script}"
        );
        fs::remove_file(desk.path(file)).unwrap();
    }
    let refused = |arguments: &str, code: i32, why: &str| {
        let done = desk.tool(&format!("export {arguments}"));
        assert_eq!(done.code, code, "{}", done.all());
        assert!(done.err.contains(why), "{}", done.err);
    };
    refused(
        &format!("{id} --to espresso --out test.java"),
        2,
        "SaveTest.java",
    );
    refused("nowhere --to adb", 65, "no finding of that id");
    refused("missing.toml --to adb", 96, "missing.toml");
    let trace = "version = 1\n[app]\npackage = \"shop\"\n[finding]\nkind = \"anr\"\n[[step]]\ndo = \"back\"\n";
    desk.write("model.toml", trace);
    refused(
        "model.toml --to adb",
        65,
        "not the package of an Android app",
    );
}

#[test]
fn maestros_own_parser_reads_a_flow_and_finds_no_script_in_the_texts_of_an_app() {
    let (desk, file, warned) = export("--to maestro", "flow.yaml");
    for notice in [
        "Maestro has no trackball",
        "Maestro sends no broadcast",
        "-e TEXT_PASS_WORD=TEXT",
    ] {
        assert!(warned.contains(notice), "{warned}");
    }
    let flow = fs::read_to_string(&file).unwrap();
    assert!(
        flow.contains("# not as in the trace: Maestro has no trackball"),
        "{flow}"
    );
    let Some(tools) = tools() else { return };
    let jdk = Jdk::locate().unwrap();
    output(
        Command::new(jdk.javac())
            .args(["-cp", &tools, "-d"])
            .arg(desk.folder())
            .arg(fixtures().join("Flow.java")),
    );
    let class_path = format!("{}:{tools}", desk.folder().display());
    let read = output(
        Command::new(jdk.java())
            .args(["-cp", &class_path, "Flow"])
            .arg(&file),
    );
    let of = |kind: &str| -> Vec<&str> {
        let lines = read.lines().filter_map(|line| line.split_once('\t'));
        lines
            .filter(|(known, _)| *known == kind)
            .map(|(_, value)| value)
            .collect()
    };
    assert_eq!(of("script"), ["TEXT_PASS_WORD"], "{read}");
    let typed = "5%s 'quoted' \"$HOME\" $(touch pwned) `touch pwned` ${x} \\${y} ${open \\ ;&|";
    assert_eq!(of("types"), [typed, "Größe 😀", ""], "{read}");
    let commands = of("command");
    for expected in [
        "LaunchAppCommand",
        "TapOnElementCommand",
        "TapOnPointV2Command",
        "SwipeCommand",
        "InputTextCommand",
        "EraseTextCommand",
        "PressKeyCommand",
        "BackPressCommand",
        "SetOrientationCommand",
        "OpenLinkCommand",
        "SetLocationCommand",
        "KillAppCommand",
        "StopAppCommand",
        "ToggleDarkModeCommand",
        "ToggleAirplaneModeCommand",
        "AssertConditionCommand",
    ] {
        assert!(commands.contains(&expected), "{expected}: {read}");
    }
}

/// The class path of a test: androidx.test, JUnit and Hamcrest, which Maestro's test app has in full, and Android.
fn androidx(tools: &str, folder: &Path) -> Option<String> {
    let cache = Cache::locate().unwrap();
    let fetched = parts::fetched(parts::DEFAULT_SDK);
    if fetched.iter().any(|entry| cache.find(entry).is_none()) {
        crate::common::skip::skip("the parts are not set up; `cargo droidtest setup` fetches them");
        return None;
    }
    let client = tools
        .split(':')
        .find(|jar| jar.contains("maestro-client"))
        .unwrap();
    let mut jar = zip::ZipArchive::new(fs::File::open(client).unwrap()).unwrap();
    let file = folder.join("maestro-server.apk");
    let mut apk = jar.by_name("maestro-server.apk").unwrap();
    std::io::copy(&mut apk, &mut fs::File::create(&file).unwrap()).unwrap();
    let parts = Parts::ensure(&cache, parts::DEFAULT_SDK, true, &Watch::silent()).unwrap();
    let app = App {
        name: "androidx".to_owned(),
        file: Some(file),
        ..App::default()
    };
    let translated =
        translate::ensure(&cache, &parts, &app, Calls::Open, &Watch::silent()).unwrap();
    let (jar, android) = (
        translated.folder.join("original.jar"),
        parts.class_path().unwrap(),
    );
    Some(format!("{}:{}", jar.display(), android.display()))
}

#[test]
fn tests_for_uiautomator_and_espresso_compile_in_java_and_kotlin() {
    let Some(tools) = tools() else { return };
    let folder = tempfile::tempdir().unwrap();
    let Some(libraries) = androidx(&tools, folder.path()) else {
        return;
    };
    let jdk = Jdk::locate().unwrap();
    let desk = Desk::new("");
    let file = |name: &str, tool: &str, language: &str| {
        let (from, file, warned) = export(&format!("--to {tool} --language {language}"), name);
        assert!(warned.contains("cannot cause the fault locale"), "{warned}");
        let to = desk.path(name);
        fs::copy(file, &to).unwrap();
        drop(from);
        to
    };
    let java = ["uiautomator", "espresso"].map(|tool| file(&format!("J{tool}.java"), tool, "java"));
    output(
        Command::new(jdk.javac())
            .args(["-encoding", "UTF-8", "-proc:none", "-cp", &libraries, "-d"])
            .arg(desk.folder())
            .args(java),
    );
    let kotlin =
        ["uiautomator", "espresso"].map(|tool| file(&format!("K{tool}.kt"), tool, "kotlin"));
    let is_stdlib = |jar: &&str| jar.contains("/kotlin-stdlib/");
    let stdlib = tools.split(':').find(is_stdlib).unwrap();
    output(
        Command::new(jdk.java())
            .args(["-cp", &tools, "org.jetbrains.kotlin.cli.jvm.K2JVMCompiler"])
            .args(["-no-stdlib", "-no-reflect", "-cp"])
            .arg(format!("{stdlib}:{libraries}"))
            .arg("-d")
            .arg(desk.folder())
            .args(kotlin),
    );
    for class in ["Juiautomator", "Jespresso", "Kuiautomator", "Kespresso"] {
        assert!(desk.path(&format!("{class}.class")).exists(), "{class}");
    }
}
