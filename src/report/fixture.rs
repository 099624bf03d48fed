//! Run folders for tests: a synthetic app, walked at random, written as a run writes it.

use super::fixture_app::{APP, FAULTS, PACKAGE, Widget, fault, minimized};
use crate::gui::{EventKey, EventKind, ExactId, PageId, SystemEvent};
use crate::outcome::folder::{PlannedSession, RUN_VERSION, RunFolder, RunInfo, SessionFolder};
use crate::outcome::journal::{JournalWriter, Timing, TimingWriter};
use crate::outcome::run_event::{
    Did, EndReason, EventIdentity, Input, JOURNAL_VERSION, RawInput, Reset, RunEvent,
    SessionHeader, StepRecord,
};
use crate::outcome::summary::{CodeCoverage, Ratio};
use crate::util::hash::{mix, of_bytes};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// One session to write.
pub struct Spec {
    /// App's name.
    pub app: &'static str,
    /// Device's name.
    pub device: &'static str,
    /// Strategy.
    pub strategy: &'static str,
    /// Seed.
    pub seed: u64,
    /// Events.
    pub events: u64,
    /// How it ends; `None`: killed.
    pub end: Option<EndReason>,
    /// Pictures about findings?
    pub pictures: bool,
}

impl Default for Spec {
    fn default() -> Self {
        Self {
            app: "notes",
            device: "jvm",
            strategy: "random",
            seed: 1,
            events: 60,
            end: Some(EndReason::Events),
            pictures: false,
        }
    }
}

impl Spec {
    fn name(&self) -> String {
        format!(
            "{}-{}-{}-{}",
            self.app, self.device, self.strategy, self.seed
        )
    }
}

/// Writes a complete run under `base`.
pub fn run(base: &Path, specs: &[Spec]) -> RunFolder {
    let info = RunInfo {
        version: RUN_VERSION,
        tool: "0.1.0".into(),
        suite: "smoke".into(),
        file: None,
        apks: Vec::new(),
        profile: None,
        run: "20260613-101500".into(),
        started: Some("2026-06-13T10:15:00Z".parse().unwrap()),
        confinement: [("jvm".to_owned(), "full: namespaces, Landlock".to_owned())].into(),
        gate: None,
        sources: BTreeMap::new(),
        whole: None,
        models: BTreeMap::new(),
        merged: false,
        sessions: specs
            .iter()
            .map(|spec| PlannedSession {
                session: spec.name(),
                app: spec.app.into(),
                package: PACKAGE.into(),
                device: spec.device.into(),
                strategy: spec.strategy.into(),
                seed: spec.seed,
                seat: 0,
            })
            .collect(),
    };
    let folder = RunFolder::create(base, &info).unwrap();
    for spec in specs {
        let session = folder.session(&spec.name());
        session.create().unwrap();
        Walk::begin(spec, &session).walk();
        let coverage = serde_json::to_vec(&code(spec.events)).unwrap();
        fs::write(session.coverage(), coverage).unwrap();
        let app = folder.coverage(spec.app);
        fs::create_dir_all(app.join("html")).unwrap();
        fs::write(app.join("html").join("index.html"), "<p>coverage</p>").unwrap();
        let coverage = serde_json::to_vec(&code(spec.events * 2)).unwrap();
        fs::write(folder.coverage_summary(spec.app), coverage).unwrap();
    }
    folder
}

fn code(events: u64) -> CodeCoverage {
    let ratio = |total: u64| Ratio {
        covered: total * events / (events + 150),
        total,
    };
    CodeCoverage {
        line: ratio(1480),
        branch: ratio(402),
        method: ratio(311),
        class: ratio(58),
        instruction: ratio(6120),
    }
}

struct Walk<'a> {
    spec: &'a Spec,
    folder: &'a SessionFolder,
    journal: JournalWriter,
    timing: TimingWriter,
    state: u64,
    at: usize,
    number: u64,
    us: u64,
    seen: Vec<u64>,
    hit: u32,
    front: PageId,
}

impl<'a> Walk<'a> {
    fn begin(spec: &'a Spec, folder: &'a SessionFolder) -> Self {
        Self {
            spec,
            folder,
            journal: JournalWriter::create(&folder.journal()).unwrap(),
            timing: TimingWriter::create(&folder.timing()).unwrap(),
            state: mix(spec.seed, of_bytes(spec.strategy.as_bytes())),
            at: 0,
            number: 0,
            us: 900_000,
            seen: Vec::new(),
            hit: 0,
            front: PageId(0),
        }
    }

    fn random(&mut self, below: u64) -> u64 {
        self.state = mix(self.state, 1);
        self.state % below
    }

    /// Is this the first time? Remembers it.
    fn first(&mut self, what: u64) -> bool {
        let new = !self.seen.contains(&what);
        if new {
            self.seen.push(what);
        }
        new
    }

    fn write(&mut self, event: RunEvent) {
        self.journal.write(&event).unwrap();
    }

    fn walk(mut self) {
        let activity = |(name, ..): &(&str, &str, &[Widget])| format!("{PACKAGE}.{name}");
        let mut declared: Vec<_> = APP.iter().map(activity).collect();
        declared.push(format!("{PACKAGE}.HiddenDebugActivity"));
        let header = SessionHeader {
            version: JOURNAL_VERSION,
            tool: "0.1.0".into(),
            session: self.spec.name(),
            app: self.spec.app.into(),
            package: PACKAGE.into(),
            content: "00".repeat(32),
            device: self.spec.device.into(),
            device_kind: "jvm".into(),
            strategy: self.spec.strategy.into(),
            seed: self.spec.seed,
            activities_reachable: declared[..declared.len() - 1].to_vec(),
            activities_declared: declared,
            secrets: Vec::new(),
            scripts: Vec::new(),
            notes: Vec::new(),
            capability: None,
        };
        self.write(RunEvent::Session(header));
        for class in 0..24 {
            let part = ["", "/data", "/ui"][class as usize % 3];
            self.write(RunEvent::Class {
                ix: class,
                name: format!("org/example/notes{part}/Class{class}"),
                probes: 20,
            });
        }
        self.launch(Reset::ClearData, Vec::new());
        while self.number < self.spec.events {
            self.step();
            if self.number == 40 && self.spec.seed == 2 {
                self.write(RunEvent::DeviceFailure {
                    at: 41,
                    message: "no answer within 20 s: observe".into(),
                });
                self.launch(Reset::Relaunch, Vec::new());
            }
        }
        if let Some(reason) = self.spec.end {
            let events = self.number;
            self.write(RunEvent::End { reason, events });
        }
        self.timing.flush().unwrap();
    }

    /// The page in front; its line and the activity when they are new.
    fn page(&mut self) -> (PageId, Vec<String>) {
        let (name, label, widgets) = APP[self.at];
        let id = of_bytes(name.as_bytes());
        let id = if self.at > 6 {
            id
        } else {
            mix(id, self.random(3))
        };
        if self.first(id) {
            self.write(RunEvent::Page {
                id: PageId(id),
                activity: format!("{PACKAGE}.{name}"),
                label: label.into(),
                widgets: widgets.len() as u32 + 4,
                events: widgets.len() as u32 + 2,
                screen: (411, 891),
                sketch: None,
            });
        }
        let activities = self
            .first(of_bytes(name.as_bytes()) ^ 1)
            .then(|| format!("{PACKAGE}.{name}"));
        self.front = PageId(id);
        (self.front, activities.into_iter().collect())
    }

    /// The page of an ended process.
    fn nothing(&mut self) -> (PageId, Vec<String>) {
        if self.first(0) {
            self.write(RunEvent::Page {
                id: PageId(0),
                activity: String::new(),
                label: String::new(),
                widgets: 0,
                events: 0,
                screen: (0, 0),
                sketch: None,
            });
        }
        (PageId(0), Vec::new())
    }

    fn probes(&mut self, reason: u64) -> Vec<(u32, u32)> {
        if !self.first(reason ^ 0xc0de) {
            return Vec::new();
        }
        let count = 3 + self.random(9) as u32;
        let first = self.hit;
        self.hit = (first + count).min(480);
        (first..self.hit).map(|p| (p % 24, p / 24)).collect()
    }

    fn launch(&mut self, how: Reset, findings: Vec<String>) {
        self.at = usize::from(how == Reset::Relaunch);
        let (page, activities) = self.page();
        let probes = self.probes(7);
        let before = self.number + 1;
        self.write(RunEvent::Launch {
            how,
            before,
            page,
            exact: ExactId(page.0 ^ 5),
            probes,
            activities,
            findings,
        });
    }

    fn step(&mut self) {
        self.number += 1;
        let (name, _, widgets) = APP[self.at];
        let from = self.front;
        let choice = self.random(widgets.len() as u64 + 3) as usize;
        let mut target = "";
        let mut what = "back";
        let did = if self.spec.strategy == "monkey" && choice.is_multiple_of(3) {
            let (x, y) = (self.random(1080) as i32, self.random(2340) as i32);
            let action = RawInput::Tap { x, y };
            target = widgets[0].4;
            Did::Raw { action }
        } else if choice == widgets.len() {
            what = "rotate";
            let event = SystemEvent::Rotate;
            Did::System { event }
        } else {
            let widget = widgets.get(choice).copied();
            let (kind, class, id, text, to) =
                widget.unwrap_or((EventKind::Back, "", "", "", "ListActivity"));
            (what, target) = (if id.is_empty() { "back" } else { id }, to);
            let k = EventKey(mix(of_bytes(name.as_bytes()), 100 + choice as u64));
            if self.first(k.0) {
                let at = EventIdentity {
                    class: class.into(),
                    id: format!("{PACKAGE}:id/{id}"),
                    text: text.into(),
                    ..EventIdentity::default()
                };
                let at = if kind.is_global() {
                    EventIdentity::default()
                } else {
                    at
                };
                self.write(RunEvent::Event { k, kind, at });
            }
            let text = ["milk", "2026-02-30", "<b>bold</b>"][self.number as usize % 3];
            let input = (kind == EventKind::Text).then(|| Input::Text {
                s: text.into(),
                enter: false,
            });
            Did::Event {
                k,
                ix: choice as u32,
                input,
            }
        };
        let findings = self.faults(name, what);
        let dead = !findings.is_empty() && what != "rotate" && what != "pager";
        if let Some(at) = APP.iter().position(|a| a.0 == target) {
            self.at = at;
        }
        let (to, activities) = if dead { self.nothing() } else { self.page() };
        let probes = self.probes(mix(of_bytes(name.as_bytes()), of_bytes(what.as_bytes())));
        let changed = from != to || !probes.is_empty() || dead;
        let wait_us = 4000 + self.random(9000);
        self.us += wait_us + 200;
        self.write(RunEvent::Step(StepRecord {
            i: self.number,
            did,
            led: None,
            from,
            to,
            exact: ExactId(mix(to.0, self.number)),
            changed,
            probes,
            activities,
            reward: if changed { 1.0 } else { -2.0 },
            left: Vec::new(),
            toasts: (what == "save")
                .then(|| "Saved".to_owned())
                .into_iter()
                .collect(),
            findings,
        }));
        let (i, us) = (self.number, self.us);
        self.timing.write(Timing { i, us, wait_us }).unwrap();
        if dead {
            self.launch(Reset::Relaunch, Vec::new());
        }
    }

    fn faults(&mut self, activity: &str, what: &str) -> Vec<String> {
        let mut met = Vec::new();
        for &(where_, by, kind, exception, message, often) in FAULTS {
            if where_ != activity || by != what || self.random(often) != 0 {
                continue;
            }
            let finding = fault(activity, by, kind, exception, message, self.number);
            met.push(finding.fingerprint.clone());
            if self.first(of_bytes(finding.id.as_bytes())) {
                let folder = self.folder.finding(&finding.id);
                folder.create().unwrap();
                if self.spec.pictures {
                    fs::write(folder.before(), super::fixture_png::screen(7)).unwrap();
                    fs::write(folder.after(), super::fixture_png::screen(2)).unwrap();
                }
                minimized(&folder, &finding, self.spec.pictures);
                self.write(RunEvent::Finding(Box::new(finding)));
            }
        }
        met
    }
}
