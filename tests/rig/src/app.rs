//! The app on the device: installed, started, touched, and what the log says of it.

use crate::phone::{Behind, Installed, Phone, State};
use crate::pipe::lock;
use droidtest::apk::Apk;
use droidtest::device::jvm::cache::Cache;
use droidtest::device::jvm::{JvmDevice, JvmSettings};
use droidtest::device::progress::Watch;
use droidtest::device::sim::{Model, Semantics, SimDevice};
use droidtest::device::{Action, App, Device, DeviceError, Observation, Reset};
use droidtest::util::intern::Interner;
use std::sync::Arc;
use std::sync::atomic::Ordering;

impl Phone {
    /// Installs an APK.
    ///
    /// # Errors
    /// `pm`'s own words for a file that is no app.
    pub fn install(&self, apk: &[u8], grant: bool) -> Result<(), String> {
        let failure = |code: &str, why: &dyn std::fmt::Display| format!("Failure [{code}: {why}]");
        let folder =
            tempfile::tempdir().map_err(|e| failure("INSTALL_FAILED_INSUFFICIENT_STORAGE", &e))?;
        let file = folder.path().join("base.apk");
        std::fs::write(&file, apk)
            .map_err(|e| failure("INSTALL_FAILED_INSUFFICIENT_STORAGE", &e))?;
        let read = Apk::open(&file).map_err(|e| failure("INSTALL_PARSE_FAILED_NOT_APK", &e))?;
        let app = App {
            name: read.manifest.package.clone(),
            package: read.manifest.package.clone(),
            file: Some(file),
            content: read.content.clone(),
            classes: Vec::new(),
            counted: droidtest::apk::Counted::default(),
            grant_permissions: grant,
            before: Vec::new(),
            after: Vec::new(),
        };
        lock(&self.state).app = None;
        let device: Box<dyn Device> = match &self.config.behind {
            Behind::Jvm { work, seed } => {
                let settings = JvmSettings {
                    seed: *seed,
                    ..JvmSettings::new(work.join("device"), work.join("logs"))
                };
                let cache =
                    Cache::locate().map_err(|e| failure("INSTALL_FAILED_INTERNAL_ERROR", &e))?;
                let mut device = JvmDevice::new("rig", settings, cache, Watch::silent());
                device
                    .install(&app)
                    .map_err(|e| failure("INSTALL_FAILED_INTERNAL_ERROR", &e))?;
                Box::new(device)
            }
            Behind::Sim { model, seed } => {
                let model = Model::builtin(model)
                    .map_err(|e| failure("INSTALL_FAILED_INTERNAL_ERROR", &e))?;
                let mut device = SimDevice::new("rig", Semantics::Clean, *seed);
                device.install_model(Arc::new(model));
                Box::new(device)
            }
        };
        let mut state = lock(&self.state);
        state.granted = if grant {
            read.manifest.permissions.clone()
        } else {
            Vec::new()
        };
        state.app = Some(Installed {
            package: app.package,
            launcher: read.manifest.launcher.clone().unwrap_or_default(),
            permissions: read.manifest.permissions.clone(),
            device,
            interner: Interner::default(),
            page: None,
            pid: 0,
            alive: false,
            listens: Arc::default(),
            away: false,
            hung: false,
            cleared: true,
            seen: Vec::new(),
        });
        Ok(())
    }

    /// Starts the app, or brings it to the front.
    ///
    /// # Errors
    /// It is not installed, or does not start.
    pub fn launch(&self, state: &mut State) -> Result<(), String> {
        let app = state.app.as_mut().ok_or("no app")?;
        if app.alive {
            // The device behind leaves and comes back at once: both happen now.
            let was_away = std::mem::take(&mut app.away);
            let back = if was_away {
                Action::Home
            } else {
                Action::Launch
            };
            return self.act(state, &back);
        }
        app.away = false;
        let how = if app.cleared {
            Reset::ClearData
        } else {
            Reset::Relaunch
        };
        app.cleared = false;
        app.hung = false;
        app.pid = self.next_pid();
        app.alive = true;
        let (pid, package) = (app.pid, app.package.clone());
        self.log.write(
            1500,
            'I',
            "am_proc_start",
            &format!("[0,{pid},10100,{package},activity,{{{package}/.Main}}]"),
        );
        let done = app
            .device
            .reset(how)
            .and_then(|()| app.device.observe(&mut app.interner));
        self.took(state, done)
    }

    /// Performs one input of the app and looks at what comes of it.
    ///
    /// # Errors
    /// The device behind cannot do it.
    pub fn act(&self, state: &mut State, action: &Action) -> Result<(), String> {
        state.inputs += 1;
        std::thread::sleep(self.config.delay);
        let locked = state.keyguard;
        let Some(app) = state
            .app
            .as_mut()
            .filter(|app| app.alive && !app.away && !app.hung && !locked)
        else {
            return Ok(());
        };
        let done = match app.device.perform(action) {
            Ok(()) | Err(DeviceError::StaleWidget) => app.device.observe(&mut app.interner),
            Err(error) => Err(error),
        };
        self.took(state, done)
    }

    fn took(
        &self,
        state: &mut State,
        done: Result<Observation, DeviceError>,
    ) -> Result<(), String> {
        let Some(app) = state.app.as_mut() else {
            return Ok(());
        };
        let (pid, package) = (app.pid, app.package.clone());
        let seen = match done {
            Ok(seen) => seen,
            Err(DeviceError::Blocked(anr)) => {
                self.report_anr(pid, &package, anr.ms, &anr.stack);
                Observation::default()
            }
            Err(error) => {
                app.alive = false;
                return Err(error.to_string());
            }
        };
        for line in &seen.log {
            let priority =
                ['I', 'I', 'V', 'D', 'I', 'W', 'E', 'F'][usize::from(line.priority.min(7))];
            self.log.write(pid, priority, &line.tag, &line.message);
        }
        if let Some(anr) = &seen.anr {
            self.report_anr(pid, &package, anr.ms, &anr.stack);
        }
        if let Some(crash) = &seen.crash {
            self.report_crash(pid, &package, crash);
        }
        app.alive = seen.alive;
        app.page.clone_from(&seen.page);
        app.listens.clone_from(&seen.listens);
        if !app.alive {
            self.report_end(pid, &package);
        }
        app.seen.push(seen);
        Ok(())
    }

    /// Starts Android again; nothing runs on it then.
    pub fn restart(&self) {
        self.restarts.fetch_add(1, Ordering::Relaxed);
        self.kill_agents();
        if let Some(app) = lock(&self.state).app.as_mut() {
            app.alive = false;
        }
    }
}
