//! An app on an emulator or a phone, behind the [`Device`] trait.

use super::CAPS;
use super::agent::{Agent, NoAgent};
use super::commands::Commands;
use super::coverage::Hook;
use super::dropbox::Dropbox;
use super::error::AdbError;
use super::handle::Handle;
use super::lease::Lease;
use super::listens::Listening;
use super::package::Package;
use super::restore::Restore;
use super::screen::Look;
use super::server::Server;
use super::settings::AdbSettings;
use super::stored::Stored;
use super::watch_log::LogWatch;
use super::{dump, input, keyboard, native_words};
use crate::device::progress::Watch;
use crate::device::{Action, App, Caps, Device, DeviceError, Listens, Observation, Reset};
use crate::gui::{Page, RawNode};
use crate::outcome::evidence::EnvironmentLimit;
use crate::util::intern::Interner;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What the shell answers at once.
const SHORT: Duration = Duration::from_secs(30);

/// One app on one device at the other end of adb.
#[derive(Debug)]
pub struct AdbDevice {
    id: String,
    pub(super) settings: AdbSettings,
    watch: Watch,
    pub(super) here: Option<Here>,
    pub(super) nodes: Arc<Vec<RawNode>>,
    pub(super) screen: (i32, i32),
    pub(super) page: Option<Arc<Page>>,
    pending: Option<Look>,
    limits: BTreeSet<(String, String)>,
    news: Vec<EnvironmentLimit>,
    activity: String,
    started: Instant,
    /// When the current input started.
    pub(super) acted: Option<Instant>,
}

/// What there is once the app is installed. Dropped in this order: the agent lets go of the accessibility
/// service, the log ends, then the device's settings are restored.
#[derive(Debug)]
pub(super) struct Here {
    agent: Option<Agent>,
    pub(super) log: LogWatch,
    pub(super) dropbox: Dropbox,
    hook: Hook,
    listens: Listening,
    pub(super) package: Package,
    /// The package of the phone's keyboard, if it says.
    pub(super) keyboard: Option<String>,
    commands: Commands,
    #[allow(dead_code)] // removed when dropped
    stored: Option<Stored>,
    pub(super) restore: Restore,
    /// Which of the device's lives this is.
    pub(super) life: String,
    pub(super) handle: Arc<Handle>,
    #[allow(dead_code)] // the last to go
    lease: Lease,
}

impl AdbDevice {
    /// A device with no app yet.
    pub fn new(id: impl Into<String>, settings: AdbSettings, watch: Watch) -> Self {
        Self {
            id: id.into(),
            settings,
            watch,
            here: None,
            nodes: Arc::default(),
            screen: (0, 0),
            page: None,
            pending: None,
            limits: BTreeSet::new(),
            news: Vec::new(),
            activity: String::new(),
            started: Instant::now(),
            acted: None,
        }
    }

    /// Waits for the device no more, not even to put back its settings.
    pub fn give_up(&mut self) {
        if let Some(here) = &self.here {
            here.handle.give_up();
        }
    }

    /// Before the device is set back to an earlier state: what the app's process has run is read, which ends with it.
    ///
    /// # Errors
    /// The device cannot be reached.
    pub fn keep_coverage(&mut self) -> Result<(), DeviceError> {
        let here = self.here()?;
        Ok(here.hook.read(&here.handle)?)
    }

    /// After the device was set back to an earlier state: the log is followed again, the agent restarted.
    ///
    /// # Errors
    /// The device cannot be reached.
    pub fn forget_connections(&mut self) -> Result<(), DeviceError> {
        self.pending = None;
        self.page = None;
        let here = self.here()?;
        here.agent = None;
        here.log = LogWatch::start(here.handle.clone(), &here.package.name, &here.package.user)?;
        Ok(())
    }

    pub(super) fn here(&mut self) -> Result<&mut Here, DeviceError> {
        self.here
            .as_mut()
            .ok_or_else(|| DeviceError::Setup("a reset needs an installed app".to_owned()))
    }

    /// A limit of this method, reported once.
    pub(in crate::device) fn limit(&mut self, rule: &str, detail: &str) {
        if self.limits.insert((rule.to_owned(), detail.to_owned())) {
            self.news.push(EnvironmentLimit {
                rule: rule.to_owned(),
                detail: detail.to_owned(),
            });
        }
    }

    /// Starts the agent where it is wanted and does not run; where it cannot be had, dumps do from then on.
    fn ensure_agent(&mut self) -> Result<(), DeviceError> {
        if !self.settings.agent || self.here()?.agent.is_some() {
            return Ok(());
        }
        let (watch, offline) = (self.watch.clone(), self.settings.offline);
        let limit = self.settings.start_limit;
        let here = self.here()?;
        // A device that restarted answers before Android is up, where no agent starts. One that is away is
        // waited for no longer than for anything else.
        here.handle.shell("true", SHORT)?;
        super::boot::wait(&here.handle, limit)?;
        match Agent::start(&here.handle, &here.package, &watch, offline) {
            Ok(agent) => here.agent = Some(agent),
            Err(NoAgent::Now(error)) => return Err(error),
            Err(NoAgent::Never(error)) => {
                self.settings.agent = false;
                let detail = format!("the agent does not start, so view dumps replace it: {error}");
                self.watch.report("falling back", &detail, 0, 0);
                self.limit("no-agent", &detail);
            }
        }
        Ok(())
    }

    pub(super) fn look(&mut self) -> Result<Look, DeviceError> {
        let limit = self.settings.step_limit;
        let here = self.here()?;
        let look = match &mut here.agent {
            Some(agent) => agent.observe(limit),
            None => {
                dump::look(&here.handle, &here.package, here.keyboard.as_deref()).map(Look::from)
            }
        };
        self.without_lost_agent(look)
    }

    /// An agent that broke off is restarted for the next step.
    fn without_lost_agent<T>(&mut self, done: Result<T, DeviceError>) -> Result<T, DeviceError> {
        if let Err(
            DeviceError::Died { .. } | DeviceError::Protocol(_) | DeviceError::Timeout { .. },
        ) = &done
            && let Ok(here) = self.here()
        {
            here.agent = None;
        }
        done
    }
}

impl Device for AdbDevice {
    fn id(&self) -> &str {
        &self.id
    }

    fn caps(&self) -> Caps {
        let restore = self.here.as_ref().map(|here| &here.restore);
        Caps {
            network: restore.is_some_and(Restore::can_disconnect),
            ..CAPS
        }
    }

    fn install(&mut self, app: &App) -> Result<(), DeviceError> {
        self.here = None;
        let server = Server::new(
            self.settings.port,
            self.settings.program.clone(),
            self.watch.interrupt(),
        )
        .patient(self.settings.patience);
        server.start()?;
        let (wanted, folder) = (self.settings.serial.clone(), self.settings.leases.clone());
        let patience = self.settings.patience;
        let emulators = self.settings.emulators.as_deref();
        let lease = Lease::take(
            &server,
            wanted.as_deref(),
            folder.as_deref(),
            emulators,
            patience,
        )
        .map_err(AdbError::before_seen)?;
        let handle = Arc::new(Handle::new(server, lease.serial.clone()));
        self.watch.report("waiting for", &handle.serial, 0, 0);
        let api =
            super::boot::wait(&handle, self.settings.start_limit).map_err(AdbError::before_seen)?;
        self.watch.report("installing", &app.name, 0, 0);
        let (restore, refused) = Restore::calm(&handle, api)?;
        for detail in refused {
            self.limit("setting-refused", &detail);
        }
        // What is on an emulator is nobody's own.
        let replace = self.settings.replace || handle.serial.starts_with("emulator-");
        let package = Package::install(&handle, app, replace, api)?;
        self.screen = super::boot::screen_size(&handle)?;
        let (life, _) = super::evidence::life(&handle)?;
        let log = LogWatch::start(handle.clone(), &package.name, &package.user)?;
        let data = self.settings.data.clone();
        let mut stored = None;
        if !data.is_empty() {
            self.watch.report("copying data to", &handle.serial, 0, 0);
            let (put, refused) = Stored::put(&handle, &data, api)?;
            for detail in refused {
                self.limit("no-device-data", &detail);
            }
            stored = Some(put);
        }
        let commands = Commands::start(&handle, app, &self.watch)?;
        self.here = Some(Here {
            agent: None,
            log,
            dropbox: Dropbox::for_user(&package.user),
            listens: Listening::new(self.settings.console),
            hook: Hook::new(&package.name, self.settings.coverage),
            keyboard: keyboard::package(&handle)?,
            package,
            commands,
            stored,
            restore,
            life,
            handle,
            lease,
        });
        self.ensure_agent()
    }

    fn reset(&mut self, how: Reset) -> Result<(), DeviceError> {
        self.pending = None;
        self.page = None;
        self.ensure_agent()?;
        let limit = self.settings.start_limit;
        let here = self.here()?;
        here.hook.read(&here.handle)?;
        here.package.stop(&here.handle)?;
        here.restore.as_at_start()?;
        if how != Reset::Relaunch {
            here.package.clear(&here.handle)?;
        }
        // What an earlier life said is not this one's.
        let old = here.log.take();
        here.dropbox.note(&old);
        let (life, now) = super::evidence::life(&here.handle)?;
        here.dropbox.begin(&life, &now);
        here.life = life;
        here.package.start(&here.handle, limit)?;
        self.started = Instant::now();
        self.acted = None;
        self.activity.clear();
        let look = self.look()?;
        self.here()?.dropbox.started(&look.pids);
        self.pending = Some(look);
        Ok(())
    }

    fn perform(&mut self, action: &Action) -> Result<(), DeviceError> {
        self.pending = None;
        self.acted = Some(Instant::now());
        let (limit, settle_ms) = (self.settings.step_limit, self.settings.settle_ms);
        let package = self.here()?.package.name.clone();
        if let Some(way) = input::beyond_the_screen(action, &package) {
            return self.by_shell(way);
        }
        let here = self.here()?;
        if let Some(agent) = &mut here.agent {
            let look = agent.step(action, settle_ms, limit);
            self.pending = Some(self.without_lost_agent(look)?);
            return Ok(());
        }
        let action = self.uncover(action)?;
        let way = input::lower(&action, &package, &self.nodes, self.screen);
        self.by_shell(way)
    }

    fn observe(&mut self, interner: &mut Interner) -> Result<Observation, DeviceError> {
        self.ensure_agent()?;
        let look = match self.pending.take() {
            Some(look) => look,
            None => self.look()?,
        };
        let (mut look, left, mut exit) = self.back_to_app(look)?;
        let reported = self.reported(&look)?;
        self.acted = None;
        let crash = reported.crashes.first().map(|c| c.crash.clone());
        let death = reported.native.first().map(native_words::of_crash);
        let anr = Self::anr(&reported);
        if !look.alive && crash.is_none() && death.is_none() && anr.is_none() {
            exit = self.quiet_end(&reported)?;
        }
        // The log may know of a death before the screen does.
        if crash.is_some() || death.is_some() {
            look.alive = false;
        }
        let mut visited = std::mem::take(&mut look.visited);
        if look.alive && !look.activity.is_empty() && look.activity != self.activity {
            self.activity.clone_from(&look.activity);
            if !visited.contains(&look.activity) {
                visited.push(look.activity.clone());
            }
        }
        let here = self.here.as_mut().filter(|_| look.alive);
        let listens = here.map_or_else(Arc::<Listens>::default, |here| {
            let Here {
                listens,
                handle,
                package,
                ..
            } = here;
            listens.to(handle, &package.name, &look.activity)
        });
        Ok(Observation {
            page: self.page_of(&mut look, interner),
            alive: look.alive,
            crash,
            anr,
            exit,
            death,
            visited,
            left,
            toasts: look.toasts,
            log: reported.lines,
            environment: std::mem::take(&mut self.news),
            listens,
            clock_ms: u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX),
            settled: look.settled,
            ..Observation::default()
        })
    }

    fn exec_data(&mut self, to: &Path) -> Result<bool, DeviceError> {
        let here = self.here()?;
        here.hook.read(&here.handle)?;
        Ok(here.hook.write(to)?)
    }

    fn leave(&mut self) -> Vec<String> {
        (self.here.as_mut()).map_or_else(Vec::new, |here| here.commands.finish())
    }

    fn screenshot(&mut self, to: &Path) -> Result<bool, DeviceError> {
        let handle = &self.here()?.handle;
        let png = handle.exec("screencap -p", SHORT)?;
        if !png.starts_with(b"\x89PNG") {
            return Ok(false);
        }
        std::fs::write(to, png)?;
        Ok(true)
    }
}

impl Drop for AdbDevice {
    fn drop(&mut self) {
        // The app does not continue running on someone's phone.
        if let Some(here) = &self.here
            && here.package.stop(&here.handle.closing()).is_err()
        {
            here.handle.give_up();
            self.watch.report("leaving", &here.handle.serial, 0, 0);
        }
    }
}
