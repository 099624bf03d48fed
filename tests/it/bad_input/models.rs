//! Event models that cannot be used: refused before anything runs, with file, key and reason.

use crate::common::program::Desk;

const STORED: &str = "runs/models/org.example.shop.jsonl";

/// A suite of one app, whose strategy has this line.
fn suite(app: &str, line: &str) -> String {
    format!(
        "[suite]\nname = \"s\"\nbudget = {{ events = 30 }}\nseeds = [1]\n\
         [[app]]\nname = \"{app}\"\nmodel = \"builtin:{app}\"\n\
         [[strategy]]\nkind = \"fastbot\"\n{line}\n"
    )
}

/// The models that runs of two apps leave: the first app's and the second one's.
fn left(desk: &Desk) -> [Vec<u8>; 2] {
    ["shop", "notes"].map(|app| {
        desk.write("droidtest.toml", suite(app, ""));
        let said = desk.tool(&format!("run --out runs --run-id {app}"));
        assert!([0, 100].contains(&said.code), "{}", said.err);
        desk.read(&format!("runs/models/org.example.{app}.jsonl"))
    })
}

/// Models that cannot be used for the first app, and the message about each after the file's name.
fn unusable([good, foreign]: [Vec<u8>; 2]) -> [(Vec<u8>, &'static str); 3] {
    let cut = good[..good.len() / 2].to_vec();
    let text = String::from_utf8(good).unwrap();
    let (now, later) = ("\"version\":1,", "\"version\":2,");
    assert!(text.contains(now), "{text}");
    let newer = text.replacen(now, later, 1).into_bytes();
    let other = ":2: it is of \"org.example.notes\", the app is \"org.example.shop\"";
    let version = ":1: it has format version 2, but this tool reads version 1";
    [
        (cut, ":2: it is cut off"),
        (foreign, other),
        (newer, version),
    ]
}

#[test]
fn a_model_that_the_suite_names_is_refused_with_its_key() {
    let desk = Desk::new("");
    let models = left(&desk);
    // The file may be usable otherwise: Fastbot's own models are refused by their name.
    let fastbot = (models[0].clone(), ": it is a model of Fastbot's own tool");
    let cases = unusable(models).map(|case| ("x.jsonl", case));
    for (name, (content, reason)) in cases.into_iter().chain([("x.fbm", fastbot)]) {
        desk.write(name, content);
        let refused = format!("{name}{reason}");
        for key in [
            format!("load = \"{name}\""),
            format!("merge = [\"{name}\"]"),
        ] {
            desk.write(
                "droidtest.toml",
                suite("shop", &format!("model = {{ {key} }}")),
            );
            let words = [
                "bad-file",
                "[droidtest.toml:10",
                &key,
                &refused,
                "without `model.load`",
            ];
            desk.refused("run --out runs --run-id bad", &words);
            assert!(
                !desk.path("runs/bad").exists(),
                "{refused}: a run was started"
            );
        }
    }
}

#[test]
fn a_stored_model_is_refused_with_the_key_to_run_without_it() {
    let desk = Desk::new("");
    let models = left(&desk);
    desk.write("droidtest.toml", suite("shop", ""));
    for (content, reason) in unusable(models) {
        desk.write(STORED, content);
        let refused = format!("{STORED}{reason}");
        desk.refused(
            "run --out runs --run-id bad",
            &[&refused, "set `reuse = false` in `[suite]`"],
        );
        assert!(
            !desk.path("runs/bad").exists(),
            "{refused}: a run was started"
        );
    }
}
