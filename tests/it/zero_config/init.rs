//! `init`: what it writes, and what it leaves as it is.

use super::{empty, gradle, notes, said};
use serde_json::Value;
use std::fs;

#[test]
fn init_writes_a_suite_that_loads_and_overwrites_nothing() {
    let desk = gradle();
    desk.write(".gitignore", "/build");
    let first = said(&desk, &["init", "--yes", "--strategy", "random"]);
    insta::assert_snapshot!(first);
    let name = desk
        .folder()
        .file_name()
        .unwrap()
        .to_str()
        .unwrap()
        .trim_start_matches('.')
        .to_owned();
    let text = |name: &str| String::from_utf8(desk.read(name)).unwrap();
    insta::assert_snapshot!(format!(
        "{}\n{}",
        text("droidtest.toml").replace(&name, "[folder]"),
        text(".github/workflows/droidtest.yml")
    ));
    assert_eq!(text(".gitignore"), "/build\n/target/droidtest/\n");
    // Nothing in it is left to a person.
    assert!(!text(".github/workflows/droidtest.yml").contains("OWNER"));
    for profile in ["default", "ci"] {
        let shown = desk.tool(&format!(
            "show-config --message-format json --profile {profile}"
        ));
        let shown: Value = serde_json::from_str(&shown.out).unwrap();
        assert_eq!(
            shown["settings"]["app"][0]["sources"][0],
            "app/src/main/java"
        );
        assert_eq!(
            shown["settings"]["gate"]["baseline"],
            "droidtest-baseline.toml"
        );
    }
    // Nothing is lost: neither what a person changed, nor the baseline when the rest is written again.
    desk.write("droidtest.toml", "# mine\n");
    let baseline = desk.write("droidtest-baseline.toml", "version = 1\n# mine\n");
    let second = desk.tool("init --yes");
    assert_eq!(second.code, 96, "{}", second.all());
    assert!(
        second
            .err
            .contains("droidtest.toml and .github/workflows/droidtest.yml"),
        "{}",
        second.err
    );
    assert_eq!(text("droidtest.toml"), "# mine\n");
    let forced = desk.tool("init --yes --force --ci none --gate=false --device adb --events 20");
    assert_eq!(forced.code, 0, "{}", forced.all());
    assert!(text("droidtest.toml").contains("kind = \"adb\""));
    assert!(!text("droidtest.toml").contains("[gate]"));
    assert_eq!(desk.tool("show-config").code, 0);
    assert!(fs::read_to_string(baseline).unwrap().contains("# mine"));
    assert_eq!(text(".gitignore").matches("droidtest").count(), 1);
}

#[test]
fn init_writes_a_workflow_with_the_action_or_an_installation() {
    let desk = gradle();
    let workflow = |args: &str| {
        let ended = desk.tool(&format!("init --yes --force --ci github {args}"));
        assert_eq!(ended.code, 0, "{}", ended.all());
        assert!(!ended.all().contains("warning"), "{}", ended.all());
        String::from_utf8(desk.read(".github/workflows/droidtest.yml")).unwrap()
    };
    let deep = workflow("--strategy dinodroid");
    for words in [
        "run: |\n          cargo install --locked cargo-droidtest\n",
        "      - run: cargo droidtest run --profile ci\n",
    ] {
        assert!(deep.contains(words), "{words}: {deep}");
    }
    assert_eq!(workflow(""), deep);
    let action = workflow("--action ./ci/droidtest");
    assert!(action.contains(
        "      - uses: ./ci/droidtest\n        with:\n          suite: droidtest.toml\n"
    ));
    assert!(!action.contains("cargo install"), "{action}");
}

#[test]
fn init_writes_a_job_for_gitlab_and_leaves_a_pipeline_as_it_is() {
    let desk = gradle();
    let refused = desk.tool("init --yes --ci gitlab --action o/r@v1");
    assert_eq!(refused.code, 2, "{}", refused.all());
    assert!(refused.all().contains("--ci github"), "{}", refused.all());
    assert!(!desk.path("droidtest.toml").exists());
    let first = desk.tool("init --yes --ci gitlab --strategy random");
    assert_eq!(first.code, 0, "{}", first.all());
    let warnings = first.all().matches("warning").count();
    assert!(
        warnings == 1 && first.all().contains("Gradle needs the Android SDK"),
        "{}",
        first.all()
    );
    insta::assert_snapshot!(String::from_utf8(desk.read(".gitlab/droidtest.yml")).unwrap());
    assert_eq!(
        desk.read(".gitlab-ci.yml"),
        b"include: .gitlab/droidtest.yml\n"
    );
    assert!(!desk.path(".github").exists());
    // A project with a pipeline uses GitLab; the pipeline need not be UTF-8.
    let mine = b"# mine \xff\nstages: [test]\n";
    desk.write(".gitlab-ci.yml", mine);
    fs::remove_dir_all(desk.path(".git")).unwrap();
    let second = desk.tool("init --yes --force --strategy dinodroid");
    assert_eq!(second.code, 0, "{}", second.all());
    for words in [
        "GitLab reads .gitlab-ci.yml at the root of a repository only",
        "Written .gitlab/droidtest.yml",
        "add `include: .gitlab/droidtest.yml` to .gitlab-ci.yml",
    ] {
        assert!(second.all().contains(words), "{words}: {}", second.all());
    }
    assert_eq!(desk.read(".gitlab-ci.yml"), mine);
}

#[test]
fn init_takes_apks_or_says_that_there_is_none() {
    let desk = empty();
    assert_eq!(desk.tool("init --yes").code, 96);
    assert!(!desk.path("droidtest.toml").exists());
    desk.write("apks/notes.apk", notes());
    desk.write("more/notes.apk", notes());
    let ended = desk.tool("init apks/notes.apk more --yes --ci none --strategy random");
    assert_eq!(ended.code, 0, "{}", ended.all());
    let list = desk.tool("list");
    assert_eq!(list.code, 0, "{}", list.all());
    for name in ["notes-jvm-random-1", "notes-2-jvm-random-1"] {
        assert!(list.out.contains(name), "{}", list.out);
    }
    assert_eq!(desk.tool("init --yes --strategy no-such").code, 2);
    assert_eq!(desk.tool("init --yes --force --action a:b more").code, 2);
    desk.write(".gitignore", [0xff]);
    assert_eq!(desk.tool("init --yes --force more").code, 96);
}
