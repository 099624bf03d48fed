//! The device's state, and the app on it, which runs on a device that the tool created.

use crate::files::Files;
use crate::home;
use crate::log::Log;
use crate::pipe::{Pipe, lock};
use crate::services::Service;
use droidtest::device::{Device, Listens, Observation};
use droidtest::gui::{Page, RawNode};
use droidtest::util::intern::Interner;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
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
    /// Permissions it requests.
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
    /// Is it behind the launcher?
    pub away: bool,
    /// What its code has registered for.
    pub listens: Arc<Listens>,
    /// Is its main thread blocked for good?
    pub hung: bool,
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
    /// So many dumps to come are cut off in their midst, as where the device is short of memory.
    pub dumps_cut: u32,
    /// What `uiautomator dump` answers next instead of a dump: failures on demand.
    pub dump_failures: Vec<String>,
    /// Where the last tap was: a field there has the keys, whether it shows that or not.
    pub last_tap: (i32, i32),
    /// What was typed since. Pages of models do not show it.
    pub typed: String,
    /// Number of inputs so far.
    pub inputs: u64,
    /// Its users, the one in front last; empty: user 0 alone, and nothing lists them.
    pub users: Vec<u32>,
    /// Processes of user 0, by number and name.
    pub others: Vec<(u32, String)>,
    /// Lines that named a user.
    pub user_lines: Vec<String>,
    /// Its soft keyboard; without one none ever opens.
    pub keyboard: Option<crate::keyboard::Keyboard>,
    /// Rows of content providers, by URI without its question.
    pub content: BTreeMap<String, Vec<BTreeMap<String, String>>>,
    /// What the app's coverage hook gives, where it has one.
    pub exec: Option<Vec<u8>>,
    /// Does it otherwise give a class of its own each time, named after the loads of snapshots and its readings so far?
    pub exec_numbered: bool,
    /// What the app listens to, instead of what the device behind reports.
    pub listens: Option<Listens>,
    /// How often a snapshot was loaded.
    pub loads: u32,
    /// How often the hook was asked.
    pub exec_reads: u32,
    /// Keys of settings that a shell may neither read nor write: makers' phones have such.
    pub settings_refused: Vec<String>,
    /// System services that have not started yet.
    pub services_missing: Vec<String>,
    /// Does a keyguard that requests nothing lie over the screen?
    pub keyguard: bool,
    /// Is the app that is there signed with another key than those to come?
    pub other_key: bool,
    /// URIs that take no rows: what a shell may not write on some phones.
    pub content_refused: Vec<String>,
}

/// Opens a service on the host.
type ToHost = Arc<dyn Fn(&str) -> Option<Pipe> + Send + Sync>;
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
    /// What the system has written into its dropbox: time, tag and text.
    pub dropbox: Mutex<Vec<(String, String, String)>>,
    sockets: Mutex<BTreeMap<String, Listener>>,
    /// `adb reverse`: sockets of the device that lead to the host, and where to.
    pub reversed: Mutex<BTreeMap<String, String>>,
    host: Mutex<Option<ToHost>>,
    born: Instant,
    off: AtomicBool,
    key: AtomicBool,
    pids: AtomicU32,
    /// Agents started, and how many of them answer: cleared to kill them.
    pub agents: AtomicU32,
    /// How often agents were killed; one started before ends at its next request.
    pub agent_deaths: AtomicU32,
    /// Time that agents spent on requests, in nanoseconds: the device's part of an event, for benches.
    pub agent_nanos: AtomicU64,
    /// How often Android was started on it again.
    pub restarts: AtomicU32,
    /// So many agents to come are cut off at their start, before they say a word.
    pub agents_cut: AtomicU32,
    /// Does its `adbd` run as root (`adb root`)? Its shell may send what only the system may.
    pub rooted: AtomicBool,
    /// How long each command of the shell takes before it starts, in milliseconds.
    pub shell_delay_ms: AtomicU64,
    agents_refused: AtomicBool,
    agents_silent: AtomicBool,
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
            dropbox: Mutex::default(),
            sockets: Mutex::default(),
            reversed: Mutex::default(),
            host: Mutex::default(),
            born: Instant::now(),
            off: AtomicBool::new(false),
            key: AtomicBool::new(false),
            pids: AtomicU32::new(4000),
            agents: AtomicU32::new(0),
            agent_deaths: AtomicU32::new(0),
            agent_nanos: AtomicU64::new(0),
            restarts: AtomicU32::new(0),
            agents_cut: AtomicU32::new(0),
            rooted: AtomicBool::new(false),
            shell_delay_ms: AtomicU64::new(0),
            agents_refused: AtomicBool::new(false),
            agents_silent: AtomicBool::new(false),
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

    /// Has someone accepted the host's key?
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

    /// Kills the agents, as the system does when memory is short.
    pub fn kill_agents(&self) {
        self.agent_deaths.fetch_add(1, Ordering::Relaxed);
        lock(&self.sockets).retain(|name, _| !name.starts_with("droidtest-"));
    }

    /// Lets no agent start from now on.
    pub fn refuse_agents(&self) {
        self.agents_refused.store(true, Ordering::Relaxed);
    }

    /// Lets agents take requests and answer none, or answer again.
    pub fn silence_agents(&self, silent: bool) {
        self.agents_silent.store(silent, Ordering::Relaxed);
    }

    /// Do agents answer nothing?
    pub fn is_silent(&self) -> bool {
        self.agents_silent.load(Ordering::Relaxed)
    }

    /// May an agent start?
    pub fn allows_agents(&self) -> bool {
        !self.agents_refused.load(Ordering::Relaxed)
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

    /// A host has connected; this is how services of its are opened.
    pub fn meet_host(&self, open: impl Fn(&str) -> Option<Pipe> + Send + Sync + 'static) {
        *lock(&self.host) = Some(Arc::new(open));
    }

    /// Connects, as a program on the device does, to a socket that leads to the host (`adb reverse`); `None`: it
    /// leads nowhere, or nobody listens there.
    pub fn dial(&self, local: &str) -> Option<Pipe> {
        let remote = lock(&self.reversed).get(local).cloned()?;
        let host = lock(&self.host).clone()?;
        host(&remote)
    }

    /// A process id that nobody has.
    pub fn next_pid(&self) -> u32 {
        self.pids.fetch_add(1, Ordering::Relaxed)
    }
}

impl State {
    /// Package, activity, nodes, rotation and screen of what is in front.
    pub fn front(&self) -> (String, String, Vec<RawNode>, u8, (i32, i32)) {
        match self
            .app
            .as_ref()
            .filter(|a| a.alive && !a.away && !self.keyguard)
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
                let package = match self.keyguard {
                    true => home::KEYGUARD,
                    false => home::PACKAGE,
                };
                (
                    package.into(),
                    home::ACTIVITY.into(),
                    home::nodes(screen),
                    0,
                    screen,
                )
            }
        }
    }
}
