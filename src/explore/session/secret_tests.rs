//! A secret that a field cuts: the recorder learns what the field keeps of it before anything shows it.

use super::*;
use crate::device::{Action, App, Caps};
use crate::explore::text::TextGenerator;
use crate::explore::{Budget, Corpus, Counts, Guide, Pages};
use crate::gui::{Flags, RawNode, Rect};
use crate::outcome::Finding;
use crate::outcome::run_event::{Input, SessionHeader};
use crate::reward::Novelty;
use crate::strategy::random::{self, Random};
use crate::util::seed::generator;
use std::io;
use std::path::PathBuf;

/// A field for an account, which keeps 6 characters, and what it holds as a title.
#[derive(Default)]
struct Form {
    held: String,
}

impl Device for Form {
    fn id(&self) -> &str {
        "form"
    }
    fn caps(&self) -> Caps {
        Caps::default()
    }
    fn install(&mut self, _app: &App) -> Result<(), DeviceError> {
        Ok(())
    }
    fn reset(&mut self, _how: Reset) -> Result<(), DeviceError> {
        Ok(())
    }
    fn perform(&mut self, action: &Action) -> Result<(), DeviceError> {
        if let Action::Text { s, .. } = action {
            self.held = s.chars().take(6).collect();
        }
        Ok(())
    }
    fn observe(&mut self, interner: &mut Interner) -> Result<Observation, DeviceError> {
        let node = |flags| RawNode {
            parent: -1,
            flags: Flags::VISIBLE | Flags::ENABLED | flags,
            bounds: Rect::from([0, 0, 9, 9]),
            ..RawNode::default()
        };
        let title = RawNode {
            text: self.held.clone(),
            ..node(0)
        };
        let field = RawNode {
            hint: "Account".into(),
            max_length: Some(6),
            ..node(Flags::EDITABLE)
        };
        // Another structure once something is held, so that the journal has its label.
        let nodes = if self.held.is_empty() {
            vec![field]
        } else {
            vec![title, field]
        };
        let page = Page::build(&nodes, "a.Main", 0, (9, 9), interner);
        Ok(Observation {
            page: Some(Arc::new(page)),
            alive: true,
            ..Observation::default()
        })
    }
}

/// The calls of a recorder, in order.
#[derive(Clone, PartialEq, Debug)]
enum Call {
    Kept(String),
    Label(String),
    Typed(Input),
}

#[derive(Default)]
struct Ears(Vec<Call>);

impl Recorder for Ears {
    fn event(&mut self, event: &RunEvent) -> io::Result<()> {
        match event {
            RunEvent::Page { label, .. } => self.0.push(Call::Label(label.clone())),
            RunEvent::Step(StepRecord {
                did: Did::Event {
                    input: Some(input), ..
                },
                ..
            }) => self.0.push(Call::Typed(input.clone())),
            _ => {}
        }
        Ok(())
    }
    fn secret_typed(&mut self, kept: &str) {
        self.0.push(Call::Kept(kept.to_owned()));
    }
    fn timing(&mut self, _: u64, _: Duration, _: Duration) -> io::Result<()> {
        Ok(())
    }
    fn progress(&mut self, _: &Counts) {}
    fn finding(&mut self, _: &Finding, _: &Pages<'_>) -> io::Result<Option<PathBuf>> {
        Ok(None)
    }
}

fn calls(secrets: &[&str], guide: Guide) -> Vec<Call> {
    let (mut device, mut ears) = (Form::default(), Ears::default());
    let mut strategy = Random::new(random::Settings { system_rate: 0.0 });
    let settings = Settings {
        budget: Budget {
            events: Some(30),
            ..Budget::default()
        },
        retries: 0,
        header: SessionHeader {
            secrets: secrets.iter().map(|&key| key.to_owned()).collect(),
            ..SessionHeader::default()
        },
        manifest_events: Vec::new(),
        texts: TextGenerator::with_values(texts()),
        changed: None,
        faults: 0.0,
        throttle: Duration::ZERO,
        backoff: Duration::ZERO,
        guide,
        corpus: Corpus::default(),
    };
    let session = Session::new(
        settings,
        &mut device,
        &mut strategy,
        Vec::new(),
        Box::new(Novelty::default()),
        &mut ears,
        generator(1, "a", "random", 0),
    );
    session.run(&Stop::default()).unwrap();
    ears.0
}

fn texts() -> Vec<(String, String)> {
    vec![("account".into(), "adalovelace".into())]
}

fn place(calls: &[Call], wanted: impl Fn(&Call) -> bool) -> usize {
    let place = calls.iter().position(wanted);
    place.unwrap_or_else(|| panic!("{calls:?}"))
}

#[test]
fn what_a_field_keeps_of_a_secret_is_told_before_a_page_shows_it() {
    let calls = calls(&["account"], Guide::default());
    let kept = place(&calls, |one| *one == Call::Kept("adalov".into()));
    let shown = place(
        &calls,
        |one| matches!(one, Call::Label(label) if label.contains("adalov")),
    );
    assert!(kept < shown, "{calls:?}");
    let by_key =
        |one: &Call| matches!(one, Call::Typed(Input::Secret { key, .. }) if key == "account");
    place(&calls, by_key);
}

#[test]
fn so_it_is_where_a_script_types_it_and_an_ordinary_text_is_none_of_that() {
    let script = toml::from_str(
        "name = \"login\"\nactivity = \"Main\"\nstep = [{ do = \"type\", caption = \"Account\", secret = \"account\" }]",
    );
    let app = crate::config::App {
        scripts: vec![script.unwrap()],
        ..toml::from_str("name = \"a\"\nmodel = \"builtin:shop\"").unwrap()
    };
    let guide = Guide::new(&app, &texts()).unwrap();
    let by_script = calls(&[], guide);
    assert_eq!(by_script[1], Call::Kept("adalov".into()), "{by_script:?}");
    let plain = calls(&[], Guide::default());
    assert!(!plain.iter().any(|one| matches!(one, Call::Kept(_))));
    place(
        &plain,
        |one| matches!(one, Call::Typed(Input::Text { s, .. }) if s == "adalov"),
    );
}

#[test]
fn a_secret_that_a_person_types_is_known_by_its_key() {
    let pairs = [("account", "ada lovelace"), ("title", "notes")];
    let pairs = pairs.map(|(key, value)| (key.to_owned(), value.to_owned()));
    let mut texts = TextGenerator::with_values(pairs.to_vec());
    texts.keep_secret(&["account".to_owned()]);
    let secret = Input::Secret {
        key: "account".to_owned(),
        s: "ada lovelace".to_owned(),
        enter: true,
    };
    assert_eq!(texts.typed("ada lovelace".to_owned(), true), secret);
    for text in ["notes", "ada"] {
        let (s, enter) = (text.to_owned(), false);
        assert_eq!(
            texts.typed(text.to_owned(), false),
            Input::Text { s, enter }
        );
    }
}
