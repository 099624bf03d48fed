//! What is written is read back, and mistakes are reported with their place.

use super::format::*;
use super::{read, words, write};
use crate::gui::{Direction, Extra, Extras, SystemEvent};
use crate::outcome::FindingKind;
use proptest::prelude::*;
use serde_json::Number;
use std::path::Path;

fn trace(steps: Vec<Step>) -> Trace {
    Trace {
        app: AppRef {
            name: "notes".into(),
            package: "org.x".into(),
            content: "ab".into(),
        },
        device: DeviceRef {
            name: "jvm".into(),
            kind: "jvm".into(),
        },
        seed: 7,
        finding: Some(Expected {
            kind: FindingKind::JavaCrash,
            fingerprint: Some("00000000000000ff".into()),
            exception: Some("java.lang.Error".into()),
            frame: None,
            activity: None,
            title: Some("Error: \"it\"\n'''".into()),
        }),
        steps,
    }
}

fn spot() -> impl Strategy<Value = Spot> {
    (0..=10_000_u32, 0..=10_000_u32).prop_map(|(x, y)| Spot {
        x: f64::from(x) / 1e4,
        y: f64::from(y) / 1e4,
    })
}

fn direction() -> impl Strategy<Value = Direction> {
    proptest::sample::select(Direction::ALL.to_vec())
}

fn values() -> impl Strategy<Value = Vec<Number>> {
    let number = prop_oneof![
        (-1e6..1e6).prop_filter_map("finite", Number::from_f64),
        any::<i64>().prop_map(Number::from),
    ];
    proptest::collection::vec(number, 0..4)
}

fn extras() -> impl Strategy<Value = Extras> {
    let extra = prop_oneof![
        any::<bool>().prop_map(Extra::Flag),
        any::<i64>().prop_map(Extra::Number),
        any::<String>().prop_map(Extra::Text),
        any::<Vec<i64>>().prop_map(Extra::Numbers),
        proptest::collection::vec(any::<String>(), 1..4).prop_map(Extra::Texts),
    ];
    proptest::collection::btree_map(any::<String>(), extra, 0..4)
}

fn step() -> impl Strategy<Value = Step> {
    let target = (
        any::<[String; 4]>(),
        "[a-z]{1,5}",
        any::<Option<u64>>(),
        any::<Option<u8>>(),
        proptest::option::of(spot()),
    )
        .prop_map(|([text, desc, caption, class], id, path, nth, at)| Target {
            id,
            text,
            desc,
            caption,
            class,
            path,
            nth: nth.map(usize::from),
            at,
        });
    let typed =
        (any::<String>(), any::<bool>(), any::<bool>()).prop_map(|(text, secret, enter)| Typed {
            secret: secret.then(|| text.clone()),
            text: if secret { String::new() } else { text },
            enter,
        });
    let deed = prop_oneof![
        Just(Deed::Click),
        Just(Deed::LongClick),
        typed.prop_map(Deed::Type),
        direction().prop_map(Deed::Scroll),
        direction().prop_map(Deed::Swipe),
        any::<bool>().prop_map(|inward| Deed::Pinch { inward }),
        spot().prop_map(Deed::Tap),
    ];
    let gesture = prop_oneof![
        spot().prop_map(Gesture::Tap),
        (spot(), spot()).prop_map(|(at, to)| Gesture::Drag(at, to)),
        (spot(), any::<bool>()).prop_map(|(at, inward)| Gesture::Pinch { at, inward }),
        (any::<[(i8, i8); 10]>(), any::<bool>())
            .prop_map(|(moves, press)| Gesture::Trackball { moves, press }),
    ];
    let system = prop_oneof![
        Just(SystemEvent::Rotate),
        Just(SystemEvent::Home),
        Just(SystemEvent::Relaunch),
        (-90.0..90.0, -180.0..180.0).prop_map(|(latitude, longitude)| SystemEvent::Location {
            values: [latitude, longitude]
                .into_iter()
                .filter_map(Number::from_f64)
                .collect(),
        }),
        (any::<i32>(), values())
            .prop_map(|(sensor, values)| SystemEvent::Sensor { sensor, values }),
        extras().prop_map(|extras| SystemEvent::Call { extras }),
        (any::<(String, Option<String>)>(), extras()).prop_map(|((action, component), extras)| {
            SystemEvent::Broadcast {
                action,
                component,
                extras,
            }
        }),
        any::<(String, Option<String>)>()
            .prop_map(|(component, action)| SystemEvent::Service { component, action }),
        any::<(String, Option<String>, Option<String>)>().prop_map(|(component, action, data)| {
            SystemEvent::Activity {
                component,
                action,
                data,
            }
        }),
    ];
    prop_oneof![
        4 => (target, deed).prop_map(|(target, deed)| Step::On(target, deed)),
        1 => any::<u32>().prop_map(Step::Key),
        1 => gesture.prop_map(Step::Gesture),
        1 => system.prop_map(Step::System),
        1 => Just(Step::Launch),
        1 => (0..=24 * 3_600_000_u64).prop_map(Step::Wait),
    ]
}

proptest! {
    #[test]
    fn a_trace_is_read_back_as_it_was_written(steps in proptest::collection::vec(step(), 0..12)) {
        let trace = trace(steps);
        let text = write(&trace);
        let back = read(&text, Path::new("trace.toml")).map_err(|e| TestCaseError::fail(format!("{e}\n{text}")))?;
        prop_assert_eq!(back, trace);
    }

    #[test]
    fn no_text_makes_the_reader_panic(text in any::<String>(), at in any::<prop::sample::Index>()) {
        let _ = read(&text, Path::new("t.toml"));
        let mut whole = write(&trace(vec![Step::Launch, Step::Key(4)]));
        let mut place = at.index(whole.len());
        while !whole.is_char_boundary(place) { place -= 1; }
        whole.insert_str(place, &text);
        let _ = read(&whole, Path::new("t.toml"));
    }
}

const HEAD: &str = "version = 1\n[app]\npackage = \"a\"\n[finding]\nkind = \"java-crash\"\n";

/// The message and the help, one per line.
fn reported(text: &str) -> String {
    let error = read(text, Path::new("t.toml")).unwrap_err();
    format!("{error}\n{}", error.help.clone().unwrap_or_default())
}

#[test]
fn a_hand_written_trace_needs_little() {
    let text = format!("{HEAD}[[step]]\ndo = \"click\"\nid = \"ok\"\n");
    let trace = read(&text, Path::new("t.toml")).unwrap();
    let target = Target {
        id: "ok".into(),
        ..Target::default()
    };
    assert_eq!(trace.steps, [Step::On(target, Deed::Click)]);
}

#[test]
fn mistakes_are_reported_with_line_and_fix() {
    let with = |step: &str| reported(&format!("{HEAD}[[step]]\n{step}\n"));
    let unknown = with("do = \"click\"\nid = \"a\"\ntextt = \"x\"");
    assert!(
        unknown.starts_with("t.toml:9: unknown field `textt`"),
        "{unknown}"
    );
    assert!(unknown.ends_with("did you mean `text`?"), "{unknown}");
    let deed = with("do = \"clik\"\nid = \"a\"");
    assert!(
        deed.starts_with("t.toml:7: step 1: unknown step `clik`"),
        "{deed}"
    );
    assert!(deed.ends_with("did you mean `click`?"), "{deed}");
    let misplaced = with("do = \"back\"\nid = \"a\"");
    assert!(misplaced.contains("`back` has no `id`"), "{misplaced}");
    assert!(with("do = \"type\"\nid = \"a\"").contains("`type` needs `input` or `secret`"));
    assert!(with("do = \"click\"").contains("`click` does not identify a widget"));
    let both = with("do = \"type\"\nid = \"a\"\ninput = \"x\"\nsecret = \"y\"");
    assert!(both.contains("both `input` and `secret`"), "{both}");
    assert!(with("do = \"tap\"\nat = [0.5, 7]").contains("`at` is outside the screen"));
    assert!(with("do = \"wait\"\nms = 86400001").contains("longer than a day"));
    assert!(reported(&HEAD.replace("= 1", "= 2")).starts_with("t.toml:1: a trace of version 2"));
    let kind = reported(&HEAD.replace("java-crash", "java-crush"));
    assert!(kind.ends_with("did you mean `java-crash`?"), "{kind}");
    assert!(reported("version = ").starts_with("t.toml:1: "));
}

#[test]
fn a_seed_that_could_not_be_written_again_is_refused() {
    let text = HEAD.replace("[app]", "seed = 9223372036854775807\n[app]");
    assert_eq!(read(&text, Path::new("t.toml")).unwrap().seed, MAX_SEED);
    let greater = reported(&text.replace("5807", "5808"));
    assert!(greater.starts_with("t.toml:2: "), "{greater}");
}

#[test]
fn words_that_would_stand_for_several_widgets_tell_their_places() {
    let more = |path, y| {
        let target = Target {
            text: "More".into(),
            path: Some(path),
            at: Some(Spot { x: 0.9, y }),
            ..Target::default()
        };
        Step::On(target, Deed::Click)
    };
    let nameless = Target {
        class: "android.widget.ImageView".into(),
        at: Some(Spot { x: 0.5, y: 0.25 }),
        ..Target::default()
    };
    let nameless = Step::On(nameless, Deed::LongClick);
    assert_eq!(
        words::steps(&[more(1, 0.16), nameless.clone(), more(2, 0.23)]),
        [
            "click “More” at 90 %, 16 % of the screen",
            "long click an ImageView at 50 %, 25 % of the screen",
            "click “More” at 90 %, 23 % of the screen",
        ]
    );
    // The same widget twice, and different words, need none.
    assert_eq!(
        words::steps(&[more(1, 0.16), Step::Wait(5), more(1, 0.16)]),
        ["click “More”", "wait 5 ms", "click “More”"]
    );
    assert!(words::typed(&"x".repeat(500)).ends_with("” (500 characters)"));
    assert_eq!(words::typed("abc"), "“abc”");
}
