use super::*;
use serde_json::json;

#[test]
fn a_call_has_the_strategies_that_it_names() {
    let names = |stage, names| -> Vec<&str> {
        let all = contenders(stage, names).unwrap();
        all.into_iter().map(|(name, _)| name).collect()
    };
    let confirmed = names(Stage::Confirmation, Some("portfolio,random"));
    assert_eq!(confirmed, ["portfolio", "random"]);
    assert_eq!(names(Stage::Screening, None).len(), ALL.len());
    assert_eq!(names(Stage::Screening, Some("qbe")), ["qbe"]);
    assert!(contenders(Stage::Confirmation, None).is_err());
    assert!(contenders(Stage::Early, None).is_err());
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
    let trained = contenders(Stage::Screening, Some("qbe-activities")).unwrap();
    let text = suite::toml(&unit, Stage::Screening, &trained, 2);
    let suite: toml::Table = text.parse().unwrap();
    let load = suite["strategy"][0]["policy"]["load"].as_str().unwrap();
    assert!(fs::metadata(load).unwrap().is_file(), "{load}");
    let text = suite::toml(&unit, Stage::Early, &ALL, 2);
    let suite: toml::Table = text.parse().unwrap();
    assert_eq!(suite["suite"]["budget"]["events"].as_integer(), Some(300));
    let text = suite::toml(&unit, Stage::Confirmation, &ALL, 2);
    let suite: toml::Table = text.parse().unwrap();
    assert_eq!(suite["bench"]["time"].as_str(), Some("3600s"));
    assert!(suite["suite"].get("budget").is_none());
}

#[test]
fn a_summary_compares_the_sessions_of_each_unit() {
    let row = |app: &str, strategy: &str, lines: u64, curve: &[(u64, u64)]| {
        let curve: Vec<_> = curve
            .iter()
            .map(|(at, probes)| json!([at, 0, probes]))
            .collect();
        let found = match strategy {
            "dinodroid" => json!([{ "fingerprint": "v2:1" }]),
            _ => json!([]),
        };
        json!({
            "planned": { "app": app, "strategy": strategy, "seed": 1 },
            "lines": { "covered": lines, "total": 200 }, "curve": curve, "found": found, "probes_total": 100,
        })
    };
    let rows: Vec<_> = ["a", "b"]
        .into_iter()
        .flat_map(|app| {
            let far = if app == "a" { 99 } else { 96 };
            [
                row(app, "random", 80, &[(300, 40)]),
                row(app, "dinodroid", 100, &[(300, 50)]),
                row(app, "fastbot", 60, &[(300, 30)]),
                row(app, "frontier", 80, &[(300, 40)]),
                row(app, "dynodroid", 80, &[(10, 20), (100, 39), (300, 40)]),
                row(app, "dynodroid-uniform", 40, &[(20, 20), (300, 20)]),
                row(app, "portfolio", far, &[(300, 48)]),
                row(app, "timemachine", 20, &[(300, 30)]),
                row(app, "monkey", 20, &[(300, 20)]),
            ]
        })
        .collect();
    let text = summary::text(&rows);
    for line in [
        "distinct findings of all units: 2 (dinodroid 2, ",
        "| `dinodroid` | 50.0 | 100.0 | 2, 0, 0 | 2, 2 | 2 |",
        "| `frontier` | 40.0 | 80.0 | 0, 2, 0 | 0, 0 | 2 |",
        "| `fastbot` | 30.0 | 60.0 | 0, 0, 2 | 0, 0 | 2 |",
        "portfolio: within a point of its best member on 1 of 2 units, 97.5 % of it in the mean; by the means of its seeds on 1 of 2 apps; \
         the best member with another seed: 0 of 0",
        "timemachine: 1.50 times the code branches of monkey in the median, more on 2 of 2 units; in equal modelled time 1.50 times, 2",
        "dynodroid: 100 events to 95 % of its peak, 100 to 95 % of dynodroid's, which 0 never reach; medians",
        "dynodroid-uniform: 20 events to 95 % of its peak, inf to 95 % of dynodroid's, which 2 never reach; medians",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
    assert!(text.find("dinodroid") < text.find("frontier"));
    assert!(!text.contains("NaN"), "{text}");
}

#[test]
fn a_portfolio_is_compared_with_its_best_member_by_units_and_apps() {
    let row = |seed: u64, (strategy, lines): (&str, u64)| {
        json!({
            "planned": { "app": "a", "strategy": strategy, "seed": seed },
            "lines": { "covered": lines, "total": 1_000 }, "curve": [[300, 0, 10]], "found": [], "probes_total": 100,
        })
    };
    let names = ["frontier", "fastbot-learned", "dinodroid", "portfolio-3"];
    let rows: Vec<_> = [(1, [600, 500, 550, 585]), (2, [590, 500, 600, 595])]
        .into_iter()
        .flat_map(|(seed, lines)| names.into_iter().zip(lines).map(move |of| row(seed, of)))
        .collect();
    // Seed 1: 1.5 points behind `frontier`, which is 1 point behind its own best with seed 2. Seed 2: half a point behind
    // `dinodroid`, which has 5 points less with seed 1. Means: 59.0 for `frontier`'s 59.5.
    let text = summary::text(&rows);
    let line = "portfolio-3: within a point of its best member on 1 of 2 units, 98.3 % of it in the mean; by the means \
                of its seeds on 1 of 1 apps; the best member with another seed: 1 of 2";
    assert!(text.contains(line), "{text}");
}
