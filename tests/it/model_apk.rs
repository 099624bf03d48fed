//! A model as a real app: what it shows and where it leads on the jvm device is what the sim device shows.

use crate::common::phone::Phone;
use droidtest::device::progress::Watch;
use droidtest::device::sim::app::Project;
use droidtest::device::sim::app::build::Tools;
use droidtest::device::sim::{Model, Semantics, SimDevice};
use droidtest::device::{Action, Device, Observation, Reset, key};
use droidtest::gui::{Flags, Page};
use droidtest::util::intern::Interner;
use droidtest::util::seed;
use rand::RngExt as _;
use std::collections::BTreeSet;
use std::sync::Arc;

/// A sim device and what it showed last.
struct Sim {
    device: SimDevice,
    now: Observation,
    page: Arc<Page>,
    interner: Interner,
}

impl Sim {
    fn new(model: &Model) -> Self {
        let mut device = SimDevice::new("sim", Semantics::Clean, 1);
        device.install_model(Arc::new(model.clone()));
        let mut sim = Self {
            device,
            now: Observation::default(),
            page: Observation::default().page(),
            interner: Interner::default(),
        };
        sim.reset(Reset::ClearData);
        sim
    }

    fn reset(&mut self, how: Reset) {
        self.device.reset(how).unwrap();
        self.look();
    }

    fn act(&mut self, action: &Action) {
        self.device.perform(action).unwrap();
        self.look();
    }

    fn look(&mut self) {
        self.now = self.device.observe(&mut self.interner).unwrap();
        self.page = self.now.page();
    }
}

/// What can be operated: id, class, text and hint, and whether it is enabled.
fn widgets(page: &Page, interner: &Interner) -> BTreeSet<String> {
    let reported = page.widgets.iter().filter_map(|w| {
        let own = interner.get(w.resource_id).split_once(":id/")?.1;
        let known = [w.class, w.text, w.hint, w.description].map(|sym| interner.get(sym));
        let states = [
            Flags::ENABLED,
            Flags::EDITABLE,
            Flags::PASSWORD,
            Flags::CLICKABLE,
        ];
        let states = states.map(|flag| w.flags.has(flag));
        // Android's views have ids too.
        let class = known[0].rsplit('.').next().unwrap_or_default();
        let ours = matches!(class, "Button" | "EditText");
        ours.then(|| format!("{own} {known:?} {states:?}"))
    });
    reported.collect()
}

/// Performs the same actions, drawn from what sim shows, on both; says how many led somewhere.
fn walk(model: &Model, phone: &mut Phone, events: u32) -> (u32, u32) {
    let mut rng = seed::generator(5, &model.name, "walk", 0);
    let mut sim = Sim::new(model);
    phone.reset(Reset::ClearData);
    let (mut moves, mut crashes) = (0, 0);
    let mut last = String::new();
    for event in 0..events {
        let (page, interner) = phone.page();
        assert_eq!(
            widgets(page, interner),
            widgets(&sim.page, &sim.interner),
            "{event}: {last}\n{}",
            phone.shown()
        );
        assert_eq!(
            sim.interner.get(sim.page.activity),
            phone.activity(),
            "{event}: {last}"
        );
        let shown: Vec<(u32, String, bool)> = (0..)
            .zip(&sim.page.widgets)
            .filter(|(_, w)| !w.resource_id.is_empty() && w.flags.has(Flags::ENABLED))
            .map(|(n, w)| {
                let id = sim.interner.get(w.resource_id);
                let id = id.rsplit('/').next().unwrap_or_default().to_owned();
                (n, id, w.flags.has(Flags::EDITABLE))
            })
            .collect();
        let before = sim.page.activity;
        let chosen = rng.random_range(0..=shown.len());
        match shown.get(chosen) {
            None => {
                last = "back".into();
                sim.act(&Action::Key { code: key::BACK });
                phone.back();
            }
            Some((n, id, true)) => {
                let s = model.strings[rng.random_range(0..model.strings.len())].clone();
                last = format!("{id} {s:?}");
                let ime = false;
                // Nothing typed into an empty field is not an event to an app.
                if !s.is_empty() {
                    phone.text(id, &s, ime);
                    sim.act(&Action::Text { n: *n, s, ime });
                }
            }
            Some((n, id, false)) => {
                last = format!("{id} clicked");
                phone.click(id);
                sim.act(&Action::Click { n: *n });
            }
        }
        moves += u32::from(sim.page.activity != before);
        assert_eq!(sim.now.alive, phone.now.alive, "{last}\n{}", phone.shown());
        if let Some(planted) = &sim.now.crash {
            crashes += 1;
            let crash = phone.now.crash.as_ref().expect("a crash on both");
            assert_eq!(planted.class, crash.class, "{last}");
            assert_eq!(planted.app_frame, crash.app_frame, "{}", crash.stack);
        }
        assert_eq!(sim.now.exit.is_some(), phone.now.exit.is_some(), "{last}");
        if !sim.now.alive {
            sim.reset(Reset::Relaunch);
            phone.reset(Reset::Relaunch);
        }
    }
    (moves, crashes)
}

/// A planted crash is observed with the same exception from the same frame on both.
fn crash(model: &Model, phone: &mut Phone) {
    let mut sim = Sim::new(model);
    phone.reset(Reset::ClearData);
    let typed = |n| Action::Text {
        n,
        s: "50%".into(),
        ime: false,
    };
    let steps = [
        ("List_new", None),
        ("Editor_text", Some("50%")),
        ("Editor_preview", None),
    ];
    for (id, text) in steps {
        let has = |sym| sim.interner.get(sym).ends_with(&format!("/{id}"));
        let n = sim.page.widgets.iter().position(|w| has(w.resource_id));
        let n = u32::try_from(n.unwrap()).unwrap();
        match text {
            Some(text) => {
                phone.text(id, text, false);
                sim.act(&typed(n));
            }
            None => {
                phone.click(id);
                sim.act(&Action::Click { n });
            }
        }
    }
    let planted = sim.now.crash.as_ref().unwrap();
    let crash = phone.now.crash.as_ref().expect("a crash on both");
    assert_eq!(planted.class, crash.class);
    assert_eq!(planted.app_frame, crash.app_frame, "{}", crash.stack);
    assert!(crash.environment.is_none());
}

#[test]
fn a_model_as_an_app_shows_what_sim_shows() {
    let tools = match Tools::locate(false, &Watch::silent()) {
        Ok(tools) => tools,
        Err(error) => {
            crate::common::skip::skip(&format!("{error}"));
            return;
        }
    };
    let folder = tempfile::tempdir().unwrap();
    for name in ["shop", "notes"] {
        let model = Model::builtin(name).unwrap();
        let project = Project::of(&model).unwrap();
        let apk = folder.path().join(format!("{name}.apk"));
        tools.build(&project, &apk, &Watch::silent()).unwrap();
        let Some(mut phone) = Phone::with_apk(&project.package, &apk) else {
            return;
        };
        let (moves, crashes) = walk(&model, &mut phone, 60);
        println!("{name}: {moves} moves, {crashes} crashes");
        if name == "notes" {
            crash(&model, &mut phone);
        }
        assert!(moves > 15, "{name}: {moves} moves");
    }
}
