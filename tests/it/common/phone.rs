//! A phone for tests: the jvm device with one of the apps of `tests/apps`, driven by resource-id and text.

use super::app;
use droidtest::config::Oracles;
use droidtest::device::jvm::cache::Cache;
use droidtest::device::jvm::jdk::Jdk;
use droidtest::device::jvm::{JvmDevice, JvmSettings, parts};
use droidtest::device::progress::Watch;
use droidtest::device::{Action, App, Device, DeviceError, Observation, Reset, key};
use droidtest::gui::{Flags, Page, Widget};
use droidtest::oracle;
use droidtest::repro::Runner;
use droidtest::util::intern::Interner;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// One app on one device, and what was seen last.
pub struct Phone {
    /// The device itself.
    pub device: JvmDevice,
    /// What the last action led to.
    pub now: Observation,
    /// Actions since the last reset.
    pub events: usize,
    /// The device's folder.
    pub work: PathBuf,
    /// Where the process's output goes.
    pub logs: PathBuf,
    package: String,
    page: Arc<Page>,
    interner: Interner,
    failures: Vec<String>,
    // Last, so that the device is gone before its folder.
    _folder: tempfile::TempDir,
}

impl Phone {
    /// A phone with `tests/apps/NAME/NAME.apk` installed; none, saying so, where the parts are missing.
    pub fn with(name: &str, settings: impl FnOnce(&mut JvmSettings)) -> Option<Self> {
        let mut phone = Self::bare(&format!("org.droidtest.{name}"), settings)?;
        phone.install(name, true);
        Some(phone)
    }

    /// A phone with this APK installed; none, saying so, where the parts are missing.
    pub fn with_apk(package: &str, apk: &Path) -> Option<Self> {
        let mut phone = Self::bare(package, |_| {})?;
        phone.install_file(package, apk, true);
        Some(phone)
    }

    fn bare(package: &str, settings: impl FnOnce(&mut JvmSettings)) -> Option<Self> {
        let cache = Cache::locate().unwrap();
        if let Err(error) = Jdk::locate() {
            crate::common::skip::skip(&format!("{error}"));
            return None;
        }
        let folder = tempfile::tempdir().unwrap();
        let (work, logs) = (folder.path().join("device"), folder.path().join("logs"));
        let mut wanted = JvmSettings::new(&work, &logs);
        // Other tests and other people may keep the machine busy.
        wanted.anr = Duration::from_secs(15);
        wanted.step_limit = Duration::from_secs(120);
        wanted.start_limit = Duration::from_secs(240);
        settings(&mut wanted);
        let mut fetched = parts::fetched(wanted.sdk).into_iter();
        if let Some(entry) = fetched.find(|entry| cache.find(entry).is_none()) {
            let api = wanted.sdk;
            crate::common::skip::skip(&format!(
                "{entry} is not set up; `cargo droidtest setup --api {api}` fetches it"
            ));
            return None;
        }
        Some(Self {
            device: JvmDevice::new("jvm", wanted, cache, Watch::silent()),
            now: Observation::default(),
            events: 0,
            work,
            logs,
            package: package.to_owned(),
            page: Observation::default().page(),
            interner: Interner::default(),
            failures: Vec::new(),
            _folder: folder,
        })
    }

    /// Installs the app again, in a fresh process.
    pub fn install(&mut self, name: &str, grant_permissions: bool) {
        let apk = app(name).join(format!("{name}.apk"));
        self.install_file(name, &apk, grant_permissions);
    }

    fn install_file(&mut self, name: &str, apk: &Path, grant_permissions: bool) {
        let app = App {
            name: name.to_owned(),
            package: self.package.clone(),
            file: Some(apk.to_owned()),
            content: String::new(),
            classes: Vec::new(),
            counted: droidtest::apk::Counted::default(),
            grant_permissions,
            ..App::default()
        };
        self.device.install(&app).unwrap();
    }

    /// The same device for replays, judged as a suite judges by default; its folder goes with the second part.
    pub fn into_runner(self) -> (Runner, tempfile::TempDir) {
        let judges = || oracle::registry::make(&Oracles::default(), &Default::default());
        let runner = Runner {
            device: Box::new(self.device),
            texts: Arc::default(),
            questions: None,
            judges: Arc::new(judges),
            interner: self.interner,
            classes: Default::default(),
        };
        (runner, self._folder)
    }

    /// Starts the app again; events count from here.
    pub fn reset(&mut self, how: Reset) {
        if let Err(error) = self.device_reset(how) {
            panic!("{error}\n{}", self.log());
        }
    }

    /// The same for an app that may not start.
    pub fn device_reset(&mut self, how: Reset) -> Result<(), DeviceError> {
        self.device.reset(how)?;
        self.look();
        self.events = 0;
        Ok(())
    }

    /// What the processes have printed.
    pub fn log(&self) -> String {
        let mut files: Vec<_> = std::fs::read_dir(&self.logs)
            .into_iter()
            .flatten()
            .flatten()
            .collect();
        files.sort_by_key(std::fs::DirEntry::file_name);
        files
            .iter()
            .filter_map(|f| std::fs::read_to_string(f.path()).ok())
            .collect()
    }

    fn look(&mut self) {
        self.now = self.device.observe(&mut self.interner).unwrap();
        self.page = self.now.page();
    }

    /// Performs an action that may fail, and looks.
    pub fn attempt(&mut self, action: &Action) -> Result<(), DeviceError> {
        self.events += 1;
        if let Err(error) = self.device.perform(action) {
            // Nothing is known of the app any more; the next screen opened starts it again.
            self.now = Observation::default();
            return Err(error);
        }
        self.look();
        Ok(())
    }

    /// Performs an action and looks.
    pub fn act(&mut self, action: &Action) {
        if let Err(error) = self.attempt(action) {
            panic!("{action:?}: {error:?}\n{}", self.shown());
        }
    }

    /// Lets virtual time pass.
    pub fn wait(&mut self, ms: u64) {
        self.act(&Action::Wait { ms });
    }

    /// A click on a resource-id.
    pub fn click(&mut self, id: &str) {
        let n = self.by_id(id);
        self.act(&Action::Click { n });
    }

    /// A click on a text.
    pub fn click_text(&mut self, text: &str) {
        let n = self.by_text(text);
        self.act(&Action::Click { n });
    }

    /// A long press on a resource-id.
    pub fn long(&mut self, id: &str) {
        let n = self.by_id(id);
        self.act(&Action::Long { n });
    }

    /// Types into a resource-id.
    pub fn text(&mut self, id: &str, text: &str, ime: bool) {
        let n = self.by_id(id);
        let s = text.to_owned();
        self.act(&Action::Text { n, s, ime });
    }

    /// A key.
    pub fn key(&mut self, code: u32) {
        self.act(&Action::Key { code });
    }

    /// The back key.
    pub fn back(&mut self) {
        self.key(key::BACK);
    }

    /// Turns the screen.
    pub fn rotate(&mut self) {
        let to = (self.page.rotation + 1) % 2;
        self.act(&Action::Rotate { to });
    }

    /// Opens an exported screen of the app, named without its package, right above the first one.
    pub fn open(&mut self, activity: &str) {
        for _ in 0..20 {
            if !self.now.alive {
                self.reset(Reset::Relaunch);
            }
            if self.activity() == "MainActivity" {
                break;
            }
            self.back();
        }
        let component = format!("{}.{activity}", self.package);
        self.act(&Action::StartActivity {
            component,
            action: None,
            data: None,
        });
        assert_eq!(self.activity(), activity, "{}", self.shown());
    }

    fn has_id(&self, widget: &Widget, id: &str) -> bool {
        let full = self.interner.get(widget.resource_id);
        full.rsplit('/').next() == Some(id)
    }

    fn nth(&self, nth: usize, what: &str, wanted: impl Fn(&Self, &Widget) -> bool) -> u32 {
        let found = self
            .page
            .widgets
            .iter()
            .enumerate()
            .filter(|(_, w)| w.flags.has(Flags::VISIBLE) && wanted(self, w))
            .nth(nth);
        match found {
            Some((ix, _)) => u32::try_from(ix).unwrap(),
            None => panic!("nothing with {what} is shown\n{}", self.shown()),
        }
    }

    /// The index of a shown resource-id.
    pub fn by_id(&self, id: &str) -> u32 {
        self.nth(0, &format!("id {id}"), |p, w| p.has_id(w, id))
    }

    /// The index of a shown text.
    pub fn by_text(&self, text: &str) -> u32 {
        self.nth(0, &format!("text {text}"), |p, w| {
            p.interner.get(w.text) == text
        })
    }

    /// The text of a resource-id, also one that is empty or scrolled away; none if it is missing.
    pub fn says(&self, id: &str) -> Option<String> {
        let widget = self.page.widgets.iter().find(|w| self.has_id(w, id))?;
        Some(self.interner.get(widget.text).to_owned())
    }

    /// Is this text on the page?
    pub fn shows(&self, text: &str) -> bool {
        self.page
            .widgets
            .iter()
            .any(|w| self.interner.get(w.text) == text)
    }

    /// Waits until a resource-id says this: background work may take its time.
    pub fn expect(&mut self, id: &str, text: &str) {
        self.expect_that(id, &format!("say {text:?}"), |said| said == text);
    }

    /// Waits until a resource-id says something of this kind.
    pub fn expect_that(&mut self, id: &str, kind: &str, right: impl Fn(&str) -> bool) {
        let start = Instant::now();
        while !self.says(id).is_some_and(|said| right(&said)) {
            if start.elapsed() > Duration::from_secs(3) {
                panic!("{id} should {kind}\n{}", self.shown());
            }
            self.wait(20);
        }
    }

    /// The class of the activity in front, without its package.
    pub fn activity(&self) -> String {
        let name = self.interner.get(self.page.activity);
        name.strip_prefix(&format!("{}.", self.package))
            .unwrap_or(name)
            .to_owned()
    }

    /// The page as it was seen last.
    pub fn page(&self) -> (&Page, &Interner) {
        (&self.page, &self.interner)
    }

    /// The page in words, for messages.
    pub fn shown(&self) -> String {
        let mut out = format!("on {} (alive: {})", self.activity(), self.now.alive);
        if let Some(crash) = &self.now.crash {
            out.push_str(&format!("\n  crash {}", crash.stack));
        }
        let death = self.now.death.iter().map(|death| &death.words);
        for exit in self.now.exit.iter().chain(death) {
            out.push_str(&format!("\n  ended by {exit}"));
        }
        for w in &self.page.widgets {
            let mut text: String = self.interner.get(w.text).chars().take(60).collect();
            if self.interner.get(w.resource_id).is_empty() && text.is_empty() {
                continue;
            }
            text = text.escape_debug().to_string();
            let id = self
                .interner
                .get(w.resource_id)
                .rsplit('/')
                .next()
                .unwrap_or_default();
            let class = self
                .interner
                .get(w.class)
                .rsplit('.')
                .next()
                .unwrap_or_default();
            out.push_str(&format!(
                "\n  {class} {id} {text:?} {:?}",
                <[i32; 4]>::from(w.bounds)
            ));
        }
        out
    }

    /// Proves one thing; when it fails, the others are tried all the same.
    pub fn proves(&mut self, what: &str, body: impl FnOnce(&mut Self)) {
        let start = Instant::now();
        let done = catch_unwind(AssertUnwindSafe(|| body(&mut *self)));
        let took = start.elapsed().as_millis();
        match done {
            Ok(()) => println!("{what}: {took} ms"),
            Err(_) => {
                println!("{what}: FAILED after {took} ms");
                self.failures.push(what.to_owned());
            }
        }
    }

    /// Fails if anything could not be proved.
    pub fn finish(self) {
        if !self.failures.is_empty() {
            let log = self.log();
            let skip = log.char_indices().rev().nth(4000).map_or(0, |(at, _)| at);
            panic!(
                "not proved: {}\nlast output of the process:\n{}",
                self.failures.join(", "),
                &log[skip..]
            );
        }
    }
}

/// The processes of the device with this folder, by their names and numbers. Those of other tests run beside them.
#[cfg(target_os = "linux")]
pub fn running(work: &Path) -> Vec<(String, i32)> {
    let folder = work.display().to_string();
    let text = |path: &Path, name: &str| {
        String::from_utf8_lossy(&std::fs::read(path.join(name)).unwrap_or_default()).into_owned()
    };
    let one = |process: std::fs::DirEntry| {
        let path = process.path();
        let status = text(&path, "status");
        let number = status.split("PPid:").nth(1)?.split_whitespace().next()?;
        // A program in a sandbox has the folder elsewhere; its parent has both paths as arguments.
        let parent = Path::new("/proc").join(number);
        let ours = [path.as_path(), &parent].map(|at| text(at, "cmdline").contains(&folder));
        let pid = process.file_name().to_str()?.parse().ok()?;
        (ours[0] || ours[1]).then(|| (text(&path, "comm").trim_end().to_owned(), pid))
    };
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    processes.filter_map(one).collect()
}
