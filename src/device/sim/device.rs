//! A model behind the [`Device`] trait.

use super::evidence;
use super::expr::{Texts, Value};
use super::model::{Ix, Model, Semantics, State};
use super::screen::{Screen, before_widgets, widget_at};
use super::watch::{News, Watch};
use crate::device::{
    Action, App, Caps, Device, DeviceError, Listens, Observation, Reset, SnapshotId, Snapshots, key,
};
use crate::util::intern::Interner;
use std::sync::Arc;

/// Virtual milliseconds an input takes to settle, as long as the agent waits elsewhere.
const SETTLE_MS: u64 = 300;

/// From here on a blocked main thread is an ANR.
const ANR_MS: u64 = 5000;

/// An app that is a model.
///
/// Install again for each session: what counts as newly hit is counted from there.
/// `visited` names an activity on its first visit since the last reset only.
#[derive(Debug)]
pub struct SimDevice {
    id: String,
    semantics: Semantics,
    seed: u64,
    app: Option<Installed>,
    listens: Arc<Listens>,
}

#[derive(Debug)]
struct Installed {
    model: Arc<Model>,
    texts: Texts,
    life: Life,
    screen: Screen,
    saved: Vec<Option<Life>>,
    watch: Watch,
}

/// What a snapshot holds.
#[derive(Clone, Debug)]
struct Life {
    state: State,
    alive: bool,
    clock_ms: u64,
}

impl SimDevice {
    /// A device without an app; `seed` decides between a model's nondeterministic transitions.
    pub fn new(id: impl Into<String>, semantics: Semantics, seed: u64) -> Self {
        Self {
            id: id.into(),
            semantics,
            seed,
            app: None,
            listens: Arc::default(),
        }
    }

    /// Installs a model that has been read already.
    pub fn install_model(&mut self, model: Arc<Model>) {
        self.app = Some(Installed {
            texts: model.texts(),
            life: Life {
                state: model.first_state(self.seed),
                alive: false,
                clock_ms: 0,
            },
            screen: Screen::default(),
            saved: Vec::new(),
            watch: Watch::new(&model),
            model,
        });
    }

    /// The model installed.
    pub fn model(&self) -> Option<&Arc<Model>> {
        self.app.as_ref().map(|app| &app.model)
    }

    /// Where the app stands, and the texts its values name.
    pub fn state(&self) -> Option<(&State, &Texts)> {
        self.app.as_ref().map(|app| (&app.life.state, &app.texts))
    }

    fn installed(&mut self) -> Result<&mut Installed, DeviceError> {
        self.app
            .as_mut()
            .ok_or_else(|| DeviceError::Protocol("no app is installed".into()))
    }
}

impl Device for SimDevice {
    fn id(&self) -> &str {
        &self.id
    }

    fn caps(&self) -> Caps {
        Caps {
            snapshots: true,
            coverage: self.model().is_none_or(|m| !m.blocks.is_empty()),
            virtual_time: true,
            ..Caps::default()
        }
    }

    fn install(&mut self, app: &App) -> Result<(), DeviceError> {
        let model = Model::of(app).map_err(|error| DeviceError::Launch(error.to_string()))?;
        self.install_model(Arc::new(model));
        Ok(())
    }

    fn reset(&mut self, how: Reset) -> Result<(), DeviceError> {
        let semantics = self.semantics;
        let app = self.installed()?;
        let keep = how == Reset::Relaunch;
        app.model.restart(&mut app.life.state, keep, semantics);
        app.life.alive = true;
        app.life.clock_ms = 0;
        app.watch.reset();
        app.watch.arrive(&app.model, app.life.state.node);
        Ok(())
    }

    fn forget_coverage(&mut self) {
        if let Some(app) = &mut self.app {
            app.watch = Watch::new(&app.model);
        }
    }

    fn perform(&mut self, action: &Action) -> Result<(), DeviceError> {
        let semantics = self.semantics;
        let app = self.installed()?;
        if !app.life.alive {
            return Err(DeviceError::Protocol(
                "the app does not run; reset it".into(),
            ));
        }
        app.life.clock_ms = app.life.clock_ms.saturating_add(SETTLE_MS);
        let node = app.life.state.node;
        match action {
            Action::Click { n } => {
                if let Some(widget) = app.widget(*n)?
                    && !app.model.ways[widget as usize].editable
                {
                    return app.fire(widget, Value::None, semantics);
                }
            }
            Action::Text { n, s, .. } => {
                if let Some(widget) = app.widget(*n)?
                    && app.model.ways[widget as usize].editable
                {
                    let text = Value::Text(app.texts.intern(s));
                    return app.fire(widget, text, semantics);
                }
            }
            Action::Tap { x, y } => {
                if let Some(widget) = widget_at(&app.model, node, *x, *y)
                    && !app.model.ways[widget as usize].editable
                {
                    return app.fire(widget, Value::None, semantics);
                }
            }
            Action::Key { code: key::BACK } => {
                app.model.back(&mut app.life.state);
                app.watch.arrive(&app.model, app.life.state.node);
            }
            Action::Wait { ms } => {
                app.life.clock_ms = app.life.clock_ms.saturating_add(*ms);
            }
            Action::Long { n }
            | Action::Scroll { n, .. }
            | Action::Swipe { n, .. }
            | Action::Pinch { n, .. } => {
                app.widget(*n)?;
            }
            // A model has no ear for the rest; `caps` reports it.
            Action::Drag { .. }
            | Action::Key { .. }
            | Action::Rotate { .. }
            | Action::Home
            | Action::Launch
            | Action::Trackball { .. }
            | Action::Broadcast { .. }
            | Action::Call { .. }
            | Action::Service { .. }
            | Action::StartActivity { .. }
            | Action::Sensor { .. }
            | Action::Location { .. }
            | Action::Fault { .. } => {}
        }
        Ok(())
    }

    fn observe(&mut self, interner: &mut Interner) -> Result<Observation, DeviceError> {
        let semantics = self.semantics;
        let listens = self.listens.clone();
        let app = self.installed()?;
        let alive = app.life.alive;
        let node = app.life.state.node;
        let page = alive.then(|| app.screen.page(&app.model, node, semantics, interner));
        let news = &mut app.watch.news;
        // Written out: nothing here allocates unless there is news.
        Ok(Observation {
            page,
            alive,
            crash: news.crash.take(),
            anr: news.anr.take(),
            exit: news.exit.take(),
            death: None,
            probes: std::mem::take(&mut news.probes),
            classes: std::mem::take(&mut news.classes),
            visited: std::mem::take(&mut news.visited),
            place: String::new(),
            pane: String::new(),
            left: Vec::new(),
            toasts: Vec::new(),
            redrawn: false,
            log: Vec::new(),
            environment: Vec::new(),
            listens,
            clock_ms: app.life.clock_ms,
            settled: true,
        })
    }

    fn snapshots(&mut self) -> Option<&mut dyn Snapshots> {
        Some(self)
    }
}

impl Snapshots for SimDevice {
    fn save(&mut self) -> Result<SnapshotId, DeviceError> {
        let app = self.installed()?;
        let life = Some(app.life.clone());
        let free = app.saved.iter().position(Option::is_none);
        let at = free.unwrap_or(app.saved.len());
        if free.is_some() {
            app.saved[at] = life;
        } else {
            app.saved.push(life);
        }
        u32::try_from(at)
            .map(SnapshotId)
            .map_err(|_| DeviceError::Protocol("too many snapshots".into()))
    }

    fn restore(&mut self, id: SnapshotId) -> Result<(), DeviceError> {
        let app = self.installed()?;
        let Some(Some(life)) = app.saved.get(id.0 as usize) else {
            return Err(DeviceError::Protocol(format!("no snapshot {}", id.0)));
        };
        app.life.clone_from(life);
        app.watch.news = News::default();
        if app.life.alive {
            app.watch.arrive(&app.model, app.life.state.node);
        }
        Ok(())
    }

    fn delete(&mut self, id: SnapshotId) {
        if let Some(slot) = self
            .app
            .as_mut()
            .and_then(|app| app.saved.get_mut(id.0 as usize))
        {
            *slot = None;
        }
    }
}

impl Installed {
    /// The model's widget behind a node of the page; `None` for what is no widget.
    fn widget(&self, n: u32) -> Result<Option<Ix>, DeviceError> {
        let node = self.life.state.node;
        let Some(number) = n.checked_sub(before_widgets(&self.model, node)) else {
            return Ok(None);
        };
        match self.model.widget(node, number) {
            Some(widget) => Ok(Some(widget)),
            None => Err(DeviceError::StaleWidget),
        }
    }

    fn fire(&mut self, widget: Ix, input: Value, semantics: Semantics) -> Result<(), DeviceError> {
        let Self {
            model,
            texts,
            life,
            watch,
            ..
        } = self;
        let node = life.state.node;
        let taken = model
            .fire(&mut life.state, texts, widget, input, semantics)
            .map_err(|error| DeviceError::Setup(error.to_string()))?;
        let Some(taken) = taken else { return Ok(()) };
        let transition = &model.transitions[taken as usize];
        watch.hit(model, &transition.blocks);
        if let Some(effect) = &transition.effect {
            if let Some(ms) = effect.anr_ms {
                life.clock_ms += ms;
                if ms > ANR_MS {
                    watch.news.anr = Some(evidence::anr(model, node, widget, ms));
                }
            }
            if let Some(crash) = &effect.crash {
                watch.news.crash = Some(evidence::crash(model, node, widget, crash));
                life.alive = false;
            }
            if let Some(how) = &effect.exit {
                watch.news.exit = Some(how.clone());
                life.alive = false;
            }
        }
        if life.alive {
            watch.arrive(model, life.state.node);
        }
        if texts.is_full() {
            let saved = self.saved.iter_mut().flatten();
            let states = std::iter::once(life).chain(saved);
            let values = states.flat_map(|life| &mut life.state.globals);
            model.compact(texts, values);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
