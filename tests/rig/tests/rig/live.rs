//! A person takes over a session on a phone: through the live view's page, the stock adb and the agent's socket.

#[allow(dead_code)]
#[path = "../../../it/live/run.rs"]
mod run;

use droidtest_rig::sdk::Sdk;
use droidtest_rig::{Config, Phone, Rig};
use run::{Run, Stream};
use serde_json::{Value, json};
use std::path::Path;

/// What a person sees and does.
struct Person<'r> {
    run: &'r Run,
    stream: Stream,
    screen: Value,
    steps: u64,
}

impl Person<'_> {
    /// Waits until this person is in control.
    fn wait(&mut self) {
        loop {
            let now = self.stream.until(|_| true);
            if now["screen"].is_object() {
                self.screen = now["screen"].clone();
            }
            if now["control"] == "person" && now["steps"] == self.steps {
                break;
            }
        }
    }

    /// The middle of the widget with this text, which takes a click (0), a long click (1) or a text (2).
    fn place(&self, text: &str, takes: usize) -> (i64, i64) {
        let outlines = self.screen["outlines"].as_array().unwrap();
        let wanted = |one: &&Value| one["text"] == text && one["takes"][takes] == true;
        let outline = outlines.iter().find(wanted);
        let at = &outline.unwrap_or_else(|| panic!("no {text:?}: {outlines:?}"))["at"];
        let middle = |a: usize, b: usize| (at[a].as_i64().unwrap() + at[b].as_i64().unwrap()) / 2;
        (middle(0, 2), middle(1, 3))
    }

    fn act(&mut self, act: Value) {
        let wish = json!({ "wish": "act", "page": self.screen["page"], "act": act });
        assert_eq!(self.run.wish(0, &wish), (200, "done".to_owned()));
        self.steps += 1;
        self.wait();
    }
}

#[test]
fn a_person_types_clicks_goes_back_and_turns_a_phone() {
    let folder = tempfile::tempdir().unwrap();
    let sdk = Sdk::new(folder.path(), Path::new(env!("CARGO_BIN_EXE_rig-sdk")));
    let rig = Rig::start(Phone::new(Config::sim(34, "shop")), 0).unwrap();
    sdk.server.connect(&rig.serial());
    let apk = Path::new(env!("CARGO_MANIFEST_DIR")).join("../apps/notes/notes.apk");
    let suite = format!(
        "[suite]\nname = \"s\"\nbudget = {{ events = 5 }}\nseeds = [5]\n\
         [[strategy]]\nkind = \"random\"\n[minimize]\nenabled = false\n[report]\nhtml = false\n\
         [[device]]\nname = \"phone\"\nkind = \"adb\"\nserial = \"{}\"\n\
         [[app]]\nname = \"shop\"\napk = {apk:?}\n",
        rig.serial()
    );
    std::fs::write(folder.path().join("droidtest.toml"), suite).unwrap();
    let run = Run::of(
        sdk.tool()
            .args(["run", "--live", "--paused", "--run-id", "r"]),
    );
    let mut person = Person {
        stream: run.stream(0, 0),
        run: &run,
        screen: Value::Null,
        steps: 0,
    };
    person.wait();
    let inputs = || rig.phone.state.lock().unwrap().inputs;
    let before = inputs();
    let (x, y) = person.place("Search products", 2);
    person.act(json!({ "do": "type", "x": x, "y": y, "text": "coffee" }));
    assert!(inputs() > before);
    let start = person.screen["activity"].clone();
    let (x, y) = person.place("Browse", 0);
    person.act(json!({ "do": "click", "x": x, "y": y }));
    assert_ne!(person.screen["activity"], start);
    // The model that stands in for the app has no answer to these, but the phone has to act.
    for act in ["back", "rotate"] {
        let before = inputs();
        person.act(json!({ "do": act }));
        assert!(inputs() > before, "{act}");
    }
    let (status, saved) = run.wish(0, &json!({ "wish": "save", "to": "corpus" }));
    assert_eq!(status, 200, "{saved}");
    assert_eq!(run.wish(0, &json!({ "wish": "resume" })).0, 200);
    let (code, said) = run.end();
    assert!(matches!(code, Some(0 | 100)), "{said}");

    let file = "target/droidtest/r/sessions/shop-phone-random-5/journal.jsonl";
    let journal = std::fs::read_to_string(folder.path().join(file)).unwrap();
    let lines = journal
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    let steps: Vec<_> = lines.filter(|line| line["e"] == "step").collect();
    assert_eq!(steps.len(), 9, "4 of the person's, 5 of the strategy's");
    let (persons, others) = steps.split_at(4);
    assert!(persons.iter().all(|step| step["led"] == "person"));
    assert_eq!(persons[3]["event"]["do"], "rotate");
    assert!(others.iter().all(|step| step["led"].is_null()));
    assert_eq!(persons[0]["input"]["text"]["s"], "coffee");

    // What was saved replays on the phone.
    let saved: Value = serde_json::from_str(&saved).unwrap();
    let command = saved["command"].as_str().unwrap();
    let replay = command.strip_prefix("cargo droidtest ").unwrap();
    let replayed = sdk.tool().args(replay.split(' ')).output().unwrap();
    let said = String::from_utf8_lossy(&replayed.stdout);
    assert!(
        said.contains("4 steps"),
        "{said}{}",
        String::from_utf8_lossy(&replayed.stderr)
    );
}
