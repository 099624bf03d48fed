use super::*;

#[test]
fn a_confirmation_has_the_baselines_once() {
    let names = |stage, names| -> Vec<&str> {
        let all = contenders(stage, names).unwrap();
        all.into_iter().map(|(name, _)| name).collect()
    };
    let confirmed = names(Stage::Confirmation, Some("portfolio,random"));
    assert_eq!(confirmed, ["random", "monkey", "portfolio"]);
    assert_eq!(names(Stage::Screening, None).len(), ALL.len());
    assert_eq!(names(Stage::Screening, Some("qbe")), ["qbe"]);
    assert!(contenders(Stage::Confirmation, None).is_err());
    let wrong = contenders(Stage::Screening, Some("dinosaur")).unwrap_err();
    assert!(wrong.contains("no strategy \"dinosaur\""), "{wrong}");
}

#[test]
fn the_suite_has_the_unit_and_each_strategy() {
    let unit = Unit {
        app: "a \"b\"".into(),
        file: "x.apk".into(),
        seed: 2,
    };
    let text = suite::toml(&unit, Stage::Screening, &ALL, 2);
    let suite: toml::Table = text.parse().unwrap();
    assert_eq!(suite["suite"]["seeds"][0].as_integer(), Some(2));
    assert_eq!(suite["app"][0]["name"].as_str(), Some("a \"b\""));
    assert_eq!(suite["strategy"].as_array().unwrap().len(), ALL.len());
    let think = &suite["bench"]["think"];
    let of = |name: &str| think[name].as_str();
    assert_eq!(
        [of("monkey-system"), of("timemachine-restart"), of("qbe")],
        [Some("0ms"), Some("0ms"), Some("1230ms")]
    );
    let text = suite::toml(&unit, Stage::Confirmation, &ALL, 2);
    let suite: toml::Table = text.parse().unwrap();
    assert_eq!(suite["bench"]["time"].as_str(), Some("3600s"));
    assert!(suite["suite"].get("budget").is_none());
}
