//! `--changed-since`: two versions of a small app that R8 wrote, and builds that do not belong together.

use crate::common::app;
use crate::common::program::{Desk, Ended};
use droidtest::apk::{Apk, Build, Changed, ChangedMethod, Counted, Names, compare};
use droidtest::oracle::mapping::Mapping;
use droidtest::settings::Coverage;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

fn apk(name: &str) -> Apk {
    Apk::open(app("changed").join(name)).unwrap()
}

fn mapping(name: &str) -> Mapping {
    let text = fs::read_to_string(app("changed").join(name)).unwrap();
    Mapping::parse(&text, Path::new(name)).unwrap()
}

fn compared(base: (&Apk, Option<&Mapping>), head: (&Apk, Option<&Mapping>)) -> Changed {
    let build = |(apk, mapping)| Build {
        apk,
        names: Option::map(mapping, |mapping: &Mapping| mapping as &dyn Names),
    };
    let counted = Counted::for_app(&Coverage::default(), None, head.0, head.1.is_some());
    let counted = counted.unwrap();
    compare(build(base), build(head), &counted).unwrap()
}

/// `head.patch` touches four classes, shifts R8's names, the numbers of lambdas and the ids of resources.
#[test]
fn only_what_the_patch_changes_differs() {
    let (base, head) = (apk("base.apk"), apk("head.apk"));
    let (old, new) = (mapping("base-mapping.txt"), mapping("head-mapping.txt"));
    let changed = compared((&base, Some(&old)), (&head, Some(&new)));
    let titles: Vec<_> = changed.methods.iter().map(|m| m.title.as_str()).collect();
    let package = "org.droidtest.notes";
    // R8 put the listeners, the import and the undo into the lambdas that call them.
    let expected = [
        "BoardsActivity$$ExternalSyntheticLambda1.onClick(android.view.View)",
        "EditorActivity$$ExternalSyntheticLambda0.onClick(android.view.View)",
        "FormatHistory.<init>()",
        "ImportTask.onPostExecute(java.lang.Object)",
        "WizardActivity$$ExternalSyntheticLambda0.<init>(org.droidtest.notes.WizardActivity)",
        "WizardActivity$$ExternalSyntheticLambda1.onClick(android.view.View)",
        "WizardActivity.lambda$onCreate$0(android.view.View)",
        "WizardActivity.onCreate(android.os.Bundle)",
        "WizardActivity.show()",
    ];
    assert_eq!(titles, expected.map(|name| format!("{package}.{name}")));
    let near: BTreeSet<_> = changed
        .methods
        .iter()
        .filter_map(|m| m.activity.as_deref())
        .collect();
    let activities = ["BoardsActivity", "EditorActivity", "WizardActivity"];
    assert_eq!(
        near,
        activities
            .iter()
            .map(|name| format!("{package}.{name}"))
            .collect::<Vec<_>>()
            .iter()
            .map(String::as_str)
            .collect()
    );
    let show = changed
        .methods
        .iter()
        .find(|m| m.title.ends_with("show()"))
        .unwrap();
    assert_eq!(
        (show.place.as_deref(), show.name.as_str()),
        (Some("WizardActivity.java:64"), "a")
    );
    // Without the names, methods are taken for others that have their name in the other build.
    let raw = compared((&base, None), (&head, None));
    let wrong = raw.methods.iter().filter(|method| {
        let same = |m: &ChangedMethod| (&m.class, &m.name) == (&method.class, &method.name);
        !changed.methods.iter().any(same)
    });
    assert!(wrong.count() > 0, "{:?}", raw.methods);
}

#[test]
fn a_build_does_not_differ_from_itself() {
    let head = apk("head.apk");
    assert_eq!(compared((&head, None), (&head, None)).methods, []);
    let new = mapping("head-mapping.txt");
    let changed = compared((&head, Some(&new)), (&head, Some(&new)));
    assert_eq!((changed.methods, changed.removed), (Vec::new(), Vec::new()));
    assert!(changed.total > 50, "{}", changed.total);
}

#[test]
fn a_mapping_belongs_to_the_build_that_it_was_written_with() {
    let (base, head) = (apk("base.apk"), apk("head.apk"));
    let (old, new) = (mapping("base-mapping.txt"), mapping("head-mapping.txt"));
    for (mapping, apk, belongs) in [
        (&old, &base, true),
        (&new, &head, true),
        (&old, &head, false),
        (&new, &base, false),
    ] {
        assert_eq!(mapping.belongs_to(apk).unwrap(), belongs);
    }
}

fn desk() -> Desk {
    let folder = app("changed");
    Desk::new(&format!(
        "[suite]\nname = \"s\"\nbudget = {{ events = 15 }}\nseeds = [1]\n\
         [[app]]\nname = \"notes\"\napk = '{0}/head.apk'\nmapping = '{0}/head-mapping.txt'\n\
         [[device]]\nname = \"jvm\"\nkind = \"jvm\"\n[[strategy]]\nkind = \"q-learning\"\n\
         [minimize]\nenabled = false\n",
        folder.display()
    ))
}

#[test]
fn builds_that_do_not_belong_together_are_refused() {
    let desk = desk();
    let file = |name: &str| app(name).display().to_string();
    desk.write("broken.apk", b"PK\x03\x04");
    for (arguments, words) in [
        (
            vec!["--changed-since".into(), file("probe/probe.apk")],
            [
                "probe.apk has the package",
                "name an earlier build of one of them",
            ],
        ),
        (
            vec!["--changed-since".into(), "broken.apk".into()],
            ["broken.apk: is cut off", "build it again"],
        ),
        (
            vec![
                "--changed-since".into(),
                file("changed/base.apk"),
                "--changed-mapping".into(),
                file("changed/head-mapping.txt"),
            ],
            [
                "does not belong to",
                "name the mapping.txt that was written with this APK",
            ],
        ),
        (
            vec![
                "--changed-since".into(),
                file("changed/base.apk"),
                "--changed-mapping".into(),
                "none.txt".into(),
            ],
            ["none.txt", "No such file"],
        ),
    ] {
        let ended = Ended::of(desk.command("run --offline").args(&arguments));
        assert_eq!(ended.code, 96, "{}", ended.all());
        for word in words {
            assert!(ended.err.contains(word), "{word}: {}", ended.err);
        }
    }
}

#[test]
fn a_run_reports_what_it_reached_of_the_changed_code() {
    let desk = desk();
    let folder = app("changed");
    // Where the parts of the device are.
    let places = [
        "HOME",
        "PATH",
        "JAVA_HOME",
        "XDG_CACHE_HOME",
        "DROIDTEST_CACHE",
    ];
    let places = places
        .iter()
        .filter_map(|name| Some((name, std::env::var_os(name)?)));
    let ended = Ended::of(
        desk.command("")
            .envs(places)
            .args([
                "run",
                "--out",
                "runs",
                "--run-id",
                "r",
                "--min-changed-lines",
                "100",
            ])
            .arg("--changed-since")
            .arg(folder.join("base.apk"))
            .arg("--changed-mapping")
            .arg(folder.join("base-mapping.txt")),
    );
    assert_eq!(ended.code, 108, "{}", ended.all());
    assert!(
        ended.all().contains("(`min-changed-lines`)"),
        "{}",
        ended.all()
    );
    let summary: Value = serde_json::from_slice(&desk.read("runs/r/summary.json")).unwrap();
    let changed = &summary["apps"][0]["changed"];
    // JaCoCo leaves out what a compiler made up.
    assert_eq!(changed["methods"]["total"], 8, "{changed}");
    let unreached = changed["unreached"].as_array().unwrap();
    let reached = changed["methods"]["covered"].as_u64().unwrap();
    assert_eq!(unreached.len() as u64 + reached, 8, "{changed}");
    let wizard = unreached
        .iter()
        .find(|m| m["method"] == "org.droidtest.notes.WizardActivity.show()");
    assert_eq!(
        wizard.unwrap()["activity"],
        "org.droidtest.notes.WizardActivity"
    );
    let html = String::from_utf8(desk.read("runs/r/report.html")).unwrap();
    assert!(html.contains("Changed methods that nothing reached"));
}
