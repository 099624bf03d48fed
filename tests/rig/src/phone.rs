//! The device's state, and the app on it, which runs on a device of the tool's own.

use crate::files::Files;
use crate::home;
use crate::log::Log;
use crate::pipe::{Pipe, lock};
use crate::services::Service;
use droidtest::apk::Apk;
use droidtest::device::jvm::cache::Cache;
use droidtest::device::jvm::{JvmDevice, JvmSettings};
use droidtest::device::progress::Watch;
use droidtest::device::sim::{Model, Semantics, SimDevice};
use droidtest::device::{Action, App, Device, DeviceError, Observation, Reset};
use droidtest::gui::{Page, RawNode};
use droidtest::util::intern::Interner;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// What runs the app.
#[derive(Clone, Debug)]
pub enum Behind {
    /// The APK itself, on Robolectric.
    Jvm {
        /// A folder of the device's own.
        work: PathBuf,
        /// Seed of the app's random numbers.
        seed: u64,
    },
    /// A built-in model, whatever the APK is.
    Sim {
        /// Its name.
        model: String,
        /// Seed of its choices.
        seed: u64,
    },
}

/// What kind of device it is.
#[derive(Clone, Debug)]
pub struct Config {
    /// API level: decides the forms of answers and adb's features.
    pub api: u32,
    /// `ro.product.model`.
    pub model: String,
    /// Does it ask a person to accept the host's key?
    pub asks_for_key: bool,
    /// How long it takes to start.
    pub boot: Duration,
    /// How long each input takes.
    pub delay: Duration,
    /// What runs the app.
    pub behind: Behind,
}

impl Config {
    /// A phone of this API level with a model behind it.
    pub fn sim(api: u32, model: &str) -> Self {
        Self {
            api,
            model: "rig".into(),
            asks_for_key: false,
            boot: Duration::ZERO,
            delay: Duration::ZERO,
            behind: Behind::Sim {
                model: model.into(),
                seed: 7,
            },
        }
    }
}

/// What an app on the device is.
pub struct Installed {
    /// Package.
    pub package: String,
    /// Launcher activity.
    pub launcher: String,
    /// Permissions it asks for.
    pub permissions: Vec<String>,
    /// What runs it.
    pub device: Box<dyn Device>,
    /// Texts behind its pages.
    pub interner: Interner,
    /// What is on its screen.
    pub page: Option<Arc<Page>>,
    /// Process.
    pub pid: u32,
    /// Does its process live?
    pub alive: bool,
    /// Does its next start find cleared data?
    pub cleared: bool,
    /// What was seen since an agent last asked.
    pub seen: Vec<Observation>,
}

impl std::fmt::Debug for Installed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Installed")
            .field("package", &self.package)
            .finish_non_exhaustive()
    }
}

/// What may be changed by a shell.
#[derive(Debug, Default)]
pub struct State {
    /// `settings`, by namespace and key.
    pub settings: BTreeMap<(String, String), String>,
    /// Properties set by a shell.
    pub props: BTreeMap<String, String>,
    /// The app, where one is installed.
    pub app: Option<Installed>,
    /// Permissions granted.
    pub granted: Vec<String>,
    /// What `uiautomator dump` answers next instead of a dump: failures on demand.
    pub dump_failures: Vec<String>,
    /// Number of inputs so far.
    pub inputs: u64,
}

type Listener = Arc<dyn Fn(&Arc<Phone>, &mut Pipe) + Send + Sync>;

/// The device.
pub struct Phone {
    /// What it is.
    pub config: Config,
    /// Its files.
    pub files: Mutex<Files>,
    /// Its log.
    pub log: Log,
    /// Its state.
    pub state: Mutex<State>,
    sockets: Mutex<BTreeMap<String, Listener>>,
    born: Instant,
    off: AtomicBool,
    key: AtomicBool,
    pids: AtomicU32,
    /// Agents started, and how many of them answer: cleared to kill them.
    pub agents: AtomicU32,
}

impl std::fmt::Debug for Phone {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Phone")
            .field("config", &self.config)
            .finish_non_exhaustive()
    }
}

impl Phone {
    /// Switches a device on.
    pub fn new(config: Config) -> Arc<Self> {
        Arc::new(Self {
            config,
            files: Mutex::default(),
            log: Log::default(),
            state: Mutex::default(),
            sockets: Mutex::default(),
            born: Instant::now(),
            off: AtomicBool::new(false),
            key: AtomicBool::new(false),
            pids: AtomicU32::new(4000),
            agents: AtomicU32::new(0),
        })
    }

    /// What it says of itself when a host connects.
    pub fn banner(&self) -> String {
        let features = if self.config.api >= 30 {
            "shell_v2,cmd,stat_v2,ls_v2,fixed_push_mkdir,apex,abb,fixed_push_symlink_timestamp"
        } else if self.config.api >= 24 {
            "shell_v2,cmd"
        } else {
            ""
        };
        let model = &self.config.model;
        // `abb` is left out: it is another protocol, and `cmd` does the same.
        let features = features.replace(",abb", "");
        format!(
            "device::ro.product.name=rig;ro.product.model={model};ro.product.device=rig;features={features}"
        )
    }

    /// Has somebody accepted the host's key?
    pub fn accepts_key(&self) -> bool {
        self.key.load(Ordering::Relaxed)
    }

    /// Accepts the host's key from now on.
    pub fn accept_key(&self) {
        self.key.store(true, Ordering::Relaxed);
    }

    /// Is Android up?
    pub fn booted(&self) -> bool {
        self.born.elapsed() >= self.config.boot && !self.is_off()
    }

    /// Is it switched off?
    pub fn is_off(&self) -> bool {
        self.off.load(Ordering::Relaxed)
    }

    /// Switches it off.
    pub fn power_off(&self) {
        self.off.store(true, Ordering::Relaxed);
        lock(&self.sockets).clear();
        lock(&self.state).app = None;
    }

    /// Listens on an abstract socket.
    pub fn listen(
        &self,
        name: &str,
        listener: impl Fn(&Arc<Phone>, &mut Pipe) + Send + Sync + 'static,
    ) {
        lock(&self.sockets).insert(name.to_owned(), Arc::new(listener));
    }

    /// Listens no more.
    pub fn stop_listening(&self, name: &str) {
        lock(&self.sockets).remove(name);
    }

    /// Does anybody listen on it?
    pub fn has_socket(&self, name: &str) -> bool {
        lock(&self.sockets).contains_key(name)
    }

    /// The service behind an abstract socket.
    pub fn connect(&self, name: &str) -> Option<Service> {
        let listener = lock(&self.sockets).get(name).cloned()?;
        Some(Box::new(move |phone, pipe| listener(phone, pipe)))
    }

    /// A process id that nobody has.
    pub fn next_pid(&self) -> u32 {
        self.pids.fetch_add(1, Ordering::Relaxed)
    }

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
            exclude: Vec::new(),
            grant_permissions: grant,
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
            return self.act(state, &Action::Launch);
        }
        let how = if app.cleared {
            Reset::ClearData
        } else {
            Reset::Relaunch
        };
        app.cleared = false;
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
        let Some(app) = state.app.as_mut().filter(|app| app.alive) else {
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
            let body = crash
                .stack
                .lines()
                .filter(|l| !l.starts_with("FATAL EXCEPTION") && !l.starts_with("Process: "));
            let text: Vec<_> = [
                format!("FATAL EXCEPTION: {}", crash.thread),
                format!("Process: {package}, PID: {pid}"),
            ]
            .into_iter()
            .chain(body.map(str::to_owned))
            .collect();
            self.log.write(
                1500,
                'I',
                "am_crash",
                &format!(
                    "[{pid},0,{package},0,{},{},Main.java,1]",
                    crash.class,
                    crash
                        .message
                        .as_deref()
                        .unwrap_or("NULL")
                        .lines()
                        .next()
                        .unwrap_or("")
                ),
            );
            self.log.write(pid, 'E', "AndroidRuntime", &text.join("\n"));
        }
        app.alive = seen.alive;
        app.page.clone_from(&seen.page);
        if !app.alive {
            self.log.write(
                1500,
                'I',
                "ActivityManager",
                &format!("Process {package} (pid {pid}) has died: fg  TOP "),
            );
            self.log.write(
                1500,
                'I',
                "am_proc_died",
                &format!("[0,{pid},{package},0,2]"),
            );
        }
        app.seen.push(seen);
        Ok(())
    }

    fn report_anr(&self, pid: u32, package: &str, ms: u64, stack: &str) {
        let reason = format!(
            "Input dispatching timed out (a1b2c3 {package}/{package}.Main (server) is not responding. Waited {ms}ms for MotionEvent)"
        );
        self.log.write(
            1500,
            'I',
            "am_anr",
            &format!("[0,{pid},{package},952647238,{reason}]"),
        );
        self.log.write(1500, 'E', "ActivityManager", &format!("ANR in {package} ({package}/.Main)\nPID: {pid}\nReason: {reason}\nLoad: 0.1 / 0.2 / 0.3"));
        let frames = stack
            .lines()
            .skip(1)
            .map(|l| format!("  {}", l.trim()))
            .collect::<Vec<_>>()
            .join("\n");
        let traces = format!(
            "\n----- pid {pid} at 2026-01-01 00:00:00 -----\nCmd line: {package}\n\n\"main\" prio=5 tid=1 Sleeping\n{frames}\n\n----- end {pid} -----\n"
        );
        let file = crate::files::File {
            mode: 0o100_644,
            time: 0,
            data: traces.into_bytes(),
        };
        let _ = lock(&self.files).write("/data/anr/traces.txt", file);
    }
}

impl State {
    /// Package, activity, nodes, rotation and screen of what is in front.
    pub fn front(&self) -> (String, String, Vec<RawNode>, u8, (i32, i32)) {
        match self
            .app
            .as_ref()
            .filter(|a| a.alive)
            .and_then(|a| a.page.as_ref().map(|p| (a, p)))
        {
            Some((app, page)) => (
                app.package.clone(),
                app.interner.get(page.activity).to_owned(),
                page.to_raw(&app.interner),
                page.rotation,
                page.screen,
            ),
            None => {
                let screen = (411, 891);
                (
                    home::PACKAGE.into(),
                    home::ACTIVITY.into(),
                    home::nodes(screen),
                    0,
                    screen,
                )
            }
        }
    }
}
