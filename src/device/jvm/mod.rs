//! The `jvm` device: a real APK in a Java process, with no emulator.
//!
//! The parts (libraries, an Android framework, our agent) come from the cache ([`parts`]), the app is translated once
//! per content ([`translate`]), and one process at a time runs it ([`process`]), confined by the kernel if possible
//! ([`confine`]). A process that hangs, runs out of memory or dies gives an error with the cause; the next reset starts
//! a new process. Every observation contains the new probes, so a dead process loses only those of its last step.

pub mod apk_check;
mod autopsy;
pub mod browser;
pub mod bundletool;
pub mod cache;
mod checked;
mod child;
pub mod confine;
#[cfg(all(test, unix))]
mod device_tests;
mod files;
mod flags;
mod folder;
pub mod jdk;
mod launch;
#[cfg_attr(not(unix), path = "limits_elsewhere.rs")]
pub mod limits;
mod log;
pub mod maven;
mod native;
pub mod parts;
mod pins;
mod places;
mod platform;
mod prepare;
mod probes;
pub mod process;
mod provision;
mod prune;
mod recording;
pub mod replay;
pub mod sandbox;
#[cfg(any(test, target_os = "macos"))]
mod seatbelt;
pub mod settings;
pub mod sources;
mod stock;
mod tool;
pub mod translate;
pub mod verify;
mod wiring;

use self::cache::Cache;
use self::parts::Parts;
use self::probes::Probes;
use self::process::{JavaProcess, Start};
use self::sandbox::Hold;
pub use self::settings::{Confine, JvmSettings, Network, Orientation, Outside, Web};
use self::translate::{Calls, Translated};
use super::link::{LinkError, Patience};
use super::message::{Incoming, Obs, Request};
use super::progress::Watch;
use super::{Action, App, Caps, Device, DeviceError, Listens, Observation, Reset};
use crate::gui::Page;
use crate::outcome::evidence::Anr;
use crate::util::intern::Interner;
pub use flags::OPENED;
pub use folder::in_session as folder_in_session;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// Memory besides the Java heap, in MB, above which a reset replaces the process.
pub const BESIDE_HEAP_MB: u64 = 480;

/// One app in one Java process at a time.
#[derive(Debug)]
pub struct JvmDevice {
    id: String,
    settings: JvmSettings,
    cache: Cache,
    watch: Watch,
    app: Option<Installed>,
    process: Option<JavaProcess>,
    /// Processes started so far.
    started: u32,
    /// The observation that was not returned yet.
    pending: Option<Obs>,
    page: Option<Arc<Page>>,
    listens: Arc<Listens>,
    probes: Probes,
    /// Is the next start to forget the coverage?
    forget: bool,
    /// Has the app's network given no responses since its data were cleared ([`Reset::Unanswered`])?
    unanswered: bool,
}

#[derive(Debug)]
struct Installed {
    parts: Parts,
    translated: Translated,
    grant_permissions: bool,
}

impl JvmDevice {
    /// A device without an app.
    pub fn new(id: impl Into<String>, settings: JvmSettings, cache: Cache, watch: Watch) -> Self {
        Self {
            id: id.into(),
            settings,
            cache,
            watch,
            app: None,
            process: None,
            started: 0,
            pending: None,
            page: None,
            listens: Arc::default(),
            probes: Probes::default(),
            forget: false,
            unanswered: false,
        }
    }

    /// The installed app's classes before instrumentation, for coverage reports.
    pub fn classes(&self) -> Option<std::path::PathBuf> {
        Some(self.app.as_ref()?.translated.folder.join("original.jar"))
    }

    /// Sends a request and waits; a failed process is killed, and the error has the cause.
    fn call<'r>(
        &mut self,
        limit: Duration,
        request: impl FnOnce(u64) -> Request<'r>,
    ) -> Result<Incoming, DeviceError> {
        let Some(process) = self.process.as_mut() else {
            return Err(DeviceError::Protocol(
                "no process is running: the device needs a reset".to_owned(),
            ));
        };
        let id = process.link.next_id();
        let patience = Patience {
            total: limit,
            blocked: self.settings.anr,
        };
        let error = match process.link.call(&request(id), patience) {
            Ok(answer) => return Ok(answer),
            // Only this request failed; the process is fine.
            Err(LinkError::Refused(failure)) => {
                return Err(match failure.code.as_str() {
                    "stale-widget" => DeviceError::StaleWidget,
                    "launch-failed" => DeviceError::Launch(failure.message),
                    code => DeviceError::Protocol(format!("{code}: {}", failure.message)),
                });
            }
            Err(error) => error,
        };
        let Some(process) = self.process.take() else {
            return Err(DeviceError::Protocol("no process".to_owned()));
        };
        Err(match error {
            LinkError::Blocked { ms, stack } => {
                process.end();
                DeviceError::Blocked(Anr {
                    ms,
                    virtual_time: false,
                    stack,
                    ..Anr::default()
                })
            }
            LinkError::Deadline => {
                process.dump_and_end();
                DeviceError::Timeout {
                    what: "the app's process to answer".to_owned(),
                    seconds: limit.as_secs(),
                }
            }
            LinkError::Interrupted => {
                process.end();
                DeviceError::Interrupted
            }
            LinkError::Garbage(what) => {
                process.end();
                DeviceError::Protocol(what)
            }
            LinkError::Fatal(text) => process.post_mortem(&text),
            LinkError::Closed => process.post_mortem("the connection was lost"),
            LinkError::Refused(failure) => DeviceError::Protocol(failure.message),
        })
    }

    /// Sends a request whose response is an observation, and keeps it for [`Device::observe`].
    fn call_for_observation<'r>(
        &mut self,
        limit: Duration,
        request: impl FnOnce(u64) -> Request<'r>,
    ) -> Result<(), DeviceError> {
        let none = || DeviceError::Protocol("a response without an observation".to_owned());
        let obs = self.call(limit, request)?.obs.ok_or_else(none)?;
        match self.pending.as_mut() {
            Some(earlier) => earlier.absorb(obs),
            None => self.pending = Some(obs),
        }
        Ok(())
    }

    fn start_process(&mut self) -> Result<(), DeviceError> {
        let installed = self
            .app
            .as_ref()
            .ok_or_else(|| DeviceError::Setup("a reset needs an installed app".to_owned()))?;
        self.started += 1;
        self.watch.report("starting", "the Java process", 0, 0);
        let process = JavaProcess::start(&Start {
            parts: &installed.parts,
            app: &installed.translated.folder,
            package: &installed.translated.summary.package,
            settings: &self.settings,
            grant_permissions: installed.grant_permissions,
            number: self.started,
            watch: &self.watch,
            recording: installed.parts.recording(),
        })?;
        if let Hold::Partial(why) | Hold::None(why) = &process.hold {
            self.watch.report("not fully confined:", why, 0, 0);
        }
        self.process = Some(process);
        self.page = None;
        self.probes.new_process();
        Ok(())
    }

    /// The page of an observation; the previous one if nothing changed.
    fn page_of(&mut self, obs: &mut Obs, interner: &mut Interner) -> Option<Arc<Page>> {
        if !obs.alive {
            self.page = None;
            return None;
        }
        let nodes = match obs.page.take() {
            Some(nodes) => nodes,
            None if obs.unchanged => return self.page.clone(),
            None => Vec::new(),
        };
        let page = Page::build(&nodes, &obs.activity, obs.rotation, obs.screen, interner);
        self.page = Some(Arc::new(page));
        self.page.clone()
    }
}

impl Device for JvmDevice {
    fn id(&self) -> &str {
        &self.id
    }

    fn caps(&self) -> Caps {
        Caps {
            snapshots: false,
            network: self.settings.network != Network::Off,
            ..Caps::ALL
        }
    }

    fn install(&mut self, app: &App) -> Result<(), DeviceError> {
        self.process = None;
        self.pending = None;
        self.page = None;
        self.unanswered = false;
        sandbox::required(self.settings.confine)?;
        let (cache, watch) = (&self.cache, &self.watch);
        let parts = Parts::ensure(cache, self.settings.sdk, self.settings.offline, watch)?;
        let parts = parts.recorded(cache, watch)?;
        let translated = translate::ensure(
            cache,
            &parts,
            app,
            (self.settings.calls).unwrap_or(Calls::of(self.settings.confine)),
            watch,
        )?;
        self.settings.work = std::path::absolute(&self.settings.work)?;
        self.settings.logs = std::path::absolute(&self.settings.logs)?;
        folder::claim(&self.settings.work, watch)?;
        stock::write(&self.settings)?;
        folder::network(&self.settings)?;
        self.probes = Probes::new(app.counted.clone());
        self.app = Some(Installed {
            parts,
            translated,
            grant_permissions: app.grant_permissions,
        });
        Ok(())
    }

    fn reset(&mut self, how: Reset) -> Result<(), DeviceError> {
        let most = (u64::from(self.settings.memory_mb) + BESIDE_HEAP_MB) << 20;
        let swollen = self
            .process
            .as_mut()
            .and_then(JavaProcess::resident)
            .is_some_and(|bytes| bytes > most);
        if let Some(process) = self.process.take_if(|_| swollen) {
            process.end();
        }
        if self.process.is_none() {
            folder::clear(&self.settings, how, &self.watch)?;
            self.start_process()?;
        }
        if how != Reset::Relaunch {
            self.unanswered = how == Reset::Unanswered;
        }
        let unanswered = self.unanswered;
        let forget = std::mem::take(&mut self.forget);
        self.call_for_observation(self.settings.start_limit, |id| {
            Request::start(id, how, unanswered, forget)
        })
    }

    fn perform(&mut self, action: &Action) -> Result<(), DeviceError> {
        let settle_ms = self.settings.settle_ms;
        let limit = self.settings.step_limit;
        match self.call_for_observation(limit, |id| Request::Step {
            id,
            action,
            settle_ms,
        }) {
            // A thread of the app ended the process between two events: its remains are this event's outcome.
            Err(DeviceError::Protocol(what)) if what.starts_with("not-alive") => {
                self.call_for_observation(limit, |id| Request::Observe { id, full: false })
            }
            done => done,
        }
    }

    fn observe(&mut self, interner: &mut Interner) -> Result<Observation, DeviceError> {
        let lacks = |obs: &Obs, page: &Option<Arc<Page>>| obs.unchanged && page.is_none();
        if self
            .pending
            .as_ref()
            .is_none_or(|obs| lacks(obs, &self.page))
        {
            let (full, limit) = (self.page.is_none(), self.settings.step_limit);
            self.call_for_observation(limit, |id| Request::Observe { id, full })?;
        }
        let mut obs = self.pending.take().unwrap_or_default();
        let page = self.page_of(&mut obs, interner);
        let (classes, probes) = self
            .probes
            .take(obs.classes, &obs.probes)
            .map_err(DeviceError::Protocol)?;
        if let Some(listens) = obs.listens.filter(|new| *new != *self.listens) {
            self.listens = Arc::new(listens);
        }
        Ok(Observation {
            page,
            alive: obs.alive,
            crash: obs.crash,
            anr: obs.anr,
            exit: obs.exit,
            death: None,
            probes,
            classes,
            visited: obs.visited,
            place: obs.place,
            pane: obs.pane,
            left: obs.left,
            toasts: obs.toasts,
            redrawn: obs.redrawn,
            log: obs.log,
            environment: obs.env,
            listens: self.listens.clone(),
            clock_ms: obs.virtual_ms,
            settled: obs.settled,
        })
    }

    fn forget_coverage(&mut self) {
        self.probes.forget();
        self.forget = true;
    }

    fn exec_data(&mut self, to: &Path) -> Result<bool, DeviceError> {
        self.write_exec(to)
    }

    fn screenshot(&mut self, to: &Path) -> Result<bool, DeviceError> {
        self.write_picture(to)
    }
}

impl Drop for JvmDevice {
    fn drop(&mut self) {
        if let Some(process) = self.process.take() {
            process.end();
        }
        if self.app.is_some() {
            folder::leave(&self.settings.work, &self.watch);
        }
    }
}
