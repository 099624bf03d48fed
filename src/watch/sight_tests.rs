use super::*;
use serde_json::{Value, json};

fn step(i: u64) -> RunEvent {
    let id = format!("{i:016x}");
    serde_json::from_value(json!({
        "e": "step", "i": i, "t": "system", "event": { "do": "rotate" }, "led": "person",
        "from": id, "to": id, "exact": id, "changed": true, "reward": 0.0,
    }))
    .unwrap()
}

fn message(sight: &Sight, steps: u64) -> Value {
    serde_json::to_value(sight.message(Control::Strategy, steps, 0)).unwrap()
}

#[test]
fn who_is_too_far_behind_gets_the_sums_and_the_last_steps() {
    let mut sight = Sight::new("s".into(), None);
    (1..=600).for_each(|i| sight.take(&step(i)));
    let now = message(&sight, 10);
    let lines = now["lines"].as_array().unwrap();
    assert_eq!((lines.len(), &lines[0]["n"]), (RECENT, &json!(101)));
    assert_eq!(
        (&now["steps"], &lines[499]["n"]),
        (&json!(600), &json!(600))
    );
    assert_eq!(lines[0]["by"], "by a person");
    let now = message(&sight, 598);
    assert_eq!(now["lines"].as_array().unwrap().len(), 2);
    assert_eq!(message(&sight, 600)["lines"], json!([]));
    // A number from another run.
    assert_eq!(message(&sight, u64::MAX)["lines"], json!([]));
}
