//! Where suites are found, what their paths start from, and how layers meet.

use crate::common::suite::Case;
use droidtest::config::{AppSource, Strategy, Suite, load};
use droidtest::run::Plan;

const APP: &str = "[[app]]\nname = \"notes\"\napk = \"out/notes.apk\"\n";
const PACKAGE: &str =
    "[package]\nname = \"x\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[lib]\npath = \"x.rs\"\n";

fn named(name: &str) -> String {
    format!("[suite]\nname = \"{name}\"\n{APP}")
}

fn suite(case: &Case) -> Suite {
    load(case.request()).unwrap_or_else(|problems| panic!("{problems}"))
}

fn apk(suite: &Suite) -> &str {
    match &suite.settings.apps[0].source {
        AppSource::Apk(path) => path.as_str(),
        AppSource::Model(_) => panic!("a model"),
    }
}

#[test]
fn the_config_folder_comes_before_the_file_beside_it() {
    let case = Case::new(&named("beside")).file(".config/droidtest.toml", named("inside"));
    let suite = suite(&case);
    assert_eq!(
        (suite.name(), suite.file.as_str()),
        ("inside", ".config/droidtest.toml")
    );
    assert_eq!(apk(&suite), "out/notes.apk");
}

#[test]
fn paths_start_from_the_folder_of_the_suite() {
    let case = Case::new(&named("here")).file("android/droid.toml", named("there"));
    assert_eq!(apk(&suite(&case)), "out/notes.apk");
    assert_eq!(
        apk(&suite(&case.named("android/droid.toml"))),
        "android/out/notes.apk"
    );
}

#[test]
fn a_package_may_hold_the_suite_and_so_may_its_workspace() {
    let table = |of: &str| {
        format!(
            "[{of}.metadata.droidtest.suite]\nname = \"{of}\"\n[[{of}.metadata.droidtest.app]]\nname = \"notes\"\napk = \"out/notes.apk\"\n"
        )
    };
    let workspace = format!(
        "[workspace]\nmembers = [\"inner\"]\nresolver = \"3\"\n{}",
        table("workspace")
    );
    let case = Case::empty()
        .file("Cargo.toml", &workspace)
        .file("inner/x.rs", "");

    let in_workspace = case.file("inner/Cargo.toml", PACKAGE).within("inner");
    let found = suite(&in_workspace);
    assert_eq!(
        (found.name(), apk(&found)),
        ("workspace", "../out/notes.apk")
    );
    assert_eq!(found.target_dir().unwrap(), "../target");

    let in_package =
        in_workspace.file("inner/Cargo.toml", format!("{PACKAGE}{}", table("package")));
    let found = suite(&in_package);
    assert_eq!((found.name(), apk(&found)), ("package", "out/notes.apk"));
}

#[test]
fn a_suite_without_a_cargo_project_has_a_target_folder_of_its_own() {
    assert_eq!(suite(&Case::new(APP)).target_dir().unwrap(), "target");
    let case = Case::new(APP)
        .file("android/droid.toml", APP)
        .named("android/droid.toml");
    assert_eq!(suite(&case).target_dir().unwrap(), "android/target");
}

#[test]
fn profiles_merge_tables_and_replace_arrays_along_the_chain() {
    let text = format!(
        "{APP}
        [suite]
        budget = {{ events = 10, time = \"1m\" }}
        seeds = [1, 2]
        [profile.default]
        retries = {{ count = 4 }}
        [profile.a]
        suite = {{ budget = {{ events = 20 }}, seeds = [3] }}
        [[profile.a.strategy]]
        kind = \"monkey\"
        [profile.b]
        inherits = \"a\"
        suite = {{ budget = {{ plateau = 5 }} }}
        "
    );
    let plain = suite(&Case::new(&text));
    assert_eq!(
        (plain.budget().events, plain.seeds()),
        (Some(10), &[1, 2][..])
    );
    assert_eq!(plain.settings.retries.count, 4);
    assert_eq!(plain.settings.strategies, [Strategy::default_of_suites()]);

    let chained = suite(&Case::new(&text).profile("b"));
    let budget = chained.budget();
    assert_eq!((budget.events, budget.plateau), (Some(20), Some(5)));
    assert_eq!(budget.time.unwrap().to_string(), "1m");
    assert_eq!(chained.seeds(), [3]);
    assert_eq!(chained.settings.retries.count, 4);
    assert_eq!(chained.settings.strategies[0].kind_name(), "monkey");
    assert_eq!(chained.profiles, ["default", "a", "b"]);
}

#[test]
fn the_plan_joins_each_app_with_the_devices_that_can_run_it() {
    let text = format!(
        "{APP}
        [[app]]
        name = \"shop\"
        model = \"builtin:shop\"
        [[app]]
        name = \"mail\"
        apk = \"mail.apk\"
        devices = [\"tablet\"]
        [[device]]
        name = \"phone\"
        kind = \"jvm\"
        [[device]]
        name = \"tablet\"
        kind = \"jvm\"
        [[device]]
        name = \"model\"
        kind = \"sim\"
        [[strategy]]
        kind = \"random\"
        [[strategy]]
        kind = \"monkey\"
        "
    );
    let names = |case: &Case| -> Vec<String> {
        let plan = Plan::new(&suite(case)).unwrap();
        plan.entries
            .into_iter()
            .map(|session| session.name)
            .collect()
    };
    assert_eq!(
        names(&Case::new(&text)),
        [
            "notes-phone-random-0",
            "notes-phone-monkey-0",
            "notes-tablet-random-0",
            "notes-tablet-monkey-0",
            "shop-model-random-0",
            "shop-model-monkey-0",
            "mail-tablet-random-0",
            "mail-tablet-monkey-0",
        ]
    );
    let some = Case::new(&text)
        .flag("--device", "tablet", "suite.devices", vec!["tablet"])
        .flag("--strategy", "monkey", "suite.strategies", vec!["monkey"])
        .flag("--seed", "8,9", "suite.seeds", vec![8, 9]);
    assert_eq!(
        names(&some),
        [
            "notes-tablet-monkey-8",
            "notes-tablet-monkey-9",
            "mail-tablet-monkey-8",
            "mail-tablet-monkey-9"
        ]
    );
}

#[test]
fn a_secret_is_looked_up_and_never_shown() {
    let case = Case::new(&format!(
        "{APP}[app.text]\nuser = \"ada\"\npin = {{ env = \"DEMO_PIN\" }}\n"
    ))
    .file("out/notes.apk", "")
    .env("DEMO_PIN", "4711");
    let suite = suite(&case);
    let plan = Plan::new(&suite).unwrap();
    let inputs = droidtest::run::Inputs::gather(&suite, &plan, &case.request().env).unwrap();
    assert_eq!(inputs.secrets().collect::<Vec<_>>(), ["4711"]);
    let texts: Vec<_> = inputs
        .texts("notes")
        .map(|(key, text)| (key, text.value.as_str()))
        .collect();
    assert_eq!(texts, [("pin", "4711"), ("user", "ada")]);
    let shown = droidtest::config::show::toml(&suite, true).unwrap();
    assert!(!format!("{inputs:?} {suite:?} {shown}").contains("4711"));
}

#[test]
fn what_a_build_makes_need_not_be_there_yet() {
    let case = Case::new(&format!(
        "{APP}build = \"make\"\nmapping = \"out/mapping.txt\"\nclasses = [\"out\"]\n"
    ));
    assert_eq!(case.problems(), None);
}
