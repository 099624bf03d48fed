//! Helpers of the jvm device's end-to-end tests: an app on a device, driven by resource-ids.

use droidtest::device::jvm::cache::Cache;
use droidtest::device::jvm::{JvmDevice, JvmSettings};
use droidtest::device::progress::Watch;
use droidtest::device::{Action, App, Device, DeviceError, Observation, Reset};
use droidtest::gui::{Flags, Page};
use droidtest::util::intern::Interner;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A device with an app on it.
pub struct Driver {
    pub device: JvmDevice,
    pub interner: Interner,
    pub page: Arc<Page>,
    pub folder: tempfile::TempDir,
    package: &'static str,
}

/// An APK of the repository.
pub fn apk(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/apps")
        .join(name)
}

/// The app as a device needs it.
pub fn app(file: PathBuf) -> App {
    App {
        name: "app".to_owned(),
        package: String::new(),
        file: Some(file),
        content: String::new(),
        classes: Vec::new(),
        exclude: Vec::new(),
        grant_permissions: true,
    }
}

#[allow(dead_code)] // each test file uses its own part
impl Driver {
    /// Installs and launches an app; the settings may be changed first.
    pub fn launch(
        file: PathBuf,
        package: &'static str,
        change: impl FnOnce(&mut JvmSettings),
    ) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut settings =
            JvmSettings::new(folder.path().join("device"), folder.path().join("logs"));
        change(&mut settings);
        let watch = Watch::new(|p| println!("{} {}", p.stage, p.detail), Arc::default());
        let mut driver = Self {
            device: JvmDevice::new("jvm", settings, Cache::locate().unwrap(), watch),
            interner: Interner::default(),
            page: Arc::new(droidtest::gui::page::none()),
            folder,
            package,
        };
        driver.device.install(&app(file)).unwrap();
        driver.reset(Reset::ClearData);
        driver
    }

    /// Resets the app and looks at it; the process's log is shown when that fails.
    pub fn reset(&mut self, how: Reset) -> Observation {
        let done = self
            .device
            .reset(how)
            .and_then(|()| self.device.observe(&mut self.interner));
        match done {
            Ok(seen) if seen.alive => self.keep(seen),
            Ok(seen) => panic!("{seen:?}\n{}", self.logs()),
            Err(error) => panic!("{error}\n{}", self.logs()),
        }
    }

    /// Performs one action and looks.
    pub fn perform(&mut self, action: &Action) -> Result<Observation, DeviceError> {
        self.device.perform(action)?;
        let seen = self.device.observe(&mut self.interner)?;
        Ok(self.keep(seen))
    }

    /// Clicks the widget with this id.
    pub fn click(&mut self, id: &str) -> Observation {
        let n = self.find(id);
        match self.perform(&Action::Click { n }) {
            Ok(seen) => seen,
            Err(error) => panic!("{id}: {error}\n{}", self.logs()),
        }
    }

    /// Clicks the widget with this id, which is to end badly.
    pub fn click_fatally(&mut self, id: &str) -> DeviceError {
        let n = self.find(id);
        match self.perform(&Action::Click { n }) {
            Ok(seen) => panic!("{id}: {seen:?}"),
            Err(error) => error,
        }
    }

    /// Starts one of the app's own screens.
    pub fn open(&mut self, class: &str) -> Observation {
        let action = Action::StartActivity {
            component: format!("{}.{class}", self.package),
            action: None,
            data: None,
        };
        self.perform(&action).unwrap()
    }

    /// The text of the widget with this id.
    pub fn text(&self, id: &str) -> String {
        let widget = &self.page.widgets[self.find(id) as usize];
        self.interner.get(widget.text).to_owned()
    }

    /// Waits in virtual and real time until a text fulfils a condition, or gives up.
    pub fn wait_for(&mut self, id: &str, done: impl Fn(&str) -> bool) -> String {
        for _ in 0..100 {
            let text = self.text(id);
            if done(&text) {
                return text;
            }
            std::thread::sleep(std::time::Duration::from_millis(20));
            self.perform(&Action::Wait { ms: 50 }).unwrap();
        }
        self.text(id)
    }

    /// The index of the visible widget with this id.
    pub fn find(&self, id: &str) -> u32 {
        let full = format!("{}:id/{id}", self.package);
        let found =
            self.page.widgets.iter().position(|w| {
                self.interner.get(w.resource_id) == full && w.flags.has(Flags::VISIBLE)
            });
        match found {
            Some(n) => n as u32,
            None => panic!("no {id} on {}", self.interner.get(self.page.activity)),
        }
    }

    fn keep(&mut self, seen: Observation) -> Observation {
        self.page = seen.page();
        seen
    }

    /// What the processes have printed.
    pub fn logs(&self) -> String {
        let mut text = String::new();
        for entry in std::fs::read_dir(self.folder.path().join("logs")).unwrap() {
            text += &std::fs::read_to_string(entry.unwrap().path()).unwrap_or_default();
        }
        text
    }
}
