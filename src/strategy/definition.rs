//! From a suite's `[[strategy]]` to a strategy: what a strategy's own file declares, and what the rest of the tool asks.
//!
//! To add a strategy: write its file with a `Settings` that implements [`Settings`] and [`Definition`], and name it in
//! [`super::ALL`]. The suite's format, its schema, `list --strategies` and `bench` follow from there.

pub use super::files::{ModelFiles, PolicyFiles};
use super::kind::{self, Entry, Kind};
use super::learner::Learner;
use super::{Strategy, StrategyError};
use crate::device::Caps;
use crate::graph::fastbot::StaticTexts;
use crate::learn::policy_file::Lesson;
use crate::util::seed::{self, Rng};
use camino::{Utf8Path, Utf8PathBuf};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The source of the settings that a suite leaves out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Preset {
    /// Our own values, which did better in measurements.
    #[default]
    Default,
    /// The paper's values.
    Paper,
    /// The values of the paper's published code.
    Published,
}

impl Preset {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Default, Self::Paper, Self::Published];

    /// As a suite writes it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::Paper => "paper",
            Self::Published => "published",
        }
    }
}

/// The session that a strategy is made for.
pub struct Context<'a> {
    /// Name of the session.
    pub session: &'a str,
    /// Package, or the model's name.
    pub package: &'a str,
    /// SHA-256 of the APK or model file.
    pub content: &'a str,
    /// Seed.
    pub seed: u64,
    /// All that can be typed, where that is known (models).
    pub pool: Option<&'a [String]>,
    /// May a strategy without a policy of the suite's start from the one that ships?
    pub shipped: bool,
    /// What computes networks, such as `rust`: see [`droidtest_network::Engine`].
    pub engine: &'a str,
    /// The texts of the app's resources, read from its file.
    pub texts: &'a dyn Fn() -> io::Result<StaticTexts>,
    /// The app's event model as it was when the run started, if the run reuses one.
    pub model: Option<&'a Path>,
    /// Where the session's own event model is written.
    pub keep: Option<PathBuf>,
    /// Demonstrations that a strategy around this one names for its members.
    pub demonstrations: &'a [Utf8PathBuf],
    /// Whether it leaves out those that it cannot use, since another member learns from all of them.
    pub may_leave_out: bool,
    /// A path of the suite as the process must open it.
    pub on_disk: &'a dyn Fn(&Utf8Path) -> Utf8PathBuf,
}

impl Context<'_> {
    /// Networks exist before the session's own generator does: their first weights have one by the session's name.
    pub fn first_weights(&self) -> Rng {
        seed::generator(self.seed, self.package, "first weights", 0)
    }

    /// The session as a policy names it.
    pub fn lesson(&self) -> Lesson {
        Lesson {
            session: self.session.to_owned(),
            package: self.package.to_owned(),
            content: self.content.to_owned(),
            seed: self.seed,
            steps: 0,
        }
    }

    /// Loads the policy that the suite names, if it names one.
    ///
    /// # Errors
    /// [`StrategyError::File`] with the policy's path.
    pub fn load(
        &self,
        files: &PolicyFiles,
        strategy: &mut dyn Strategy,
    ) -> Result<(), StrategyError> {
        let Some(path) = &files.load else {
            return Ok(());
        };
        let path = (self.on_disk)(path);
        let refused = |reason: String| StrategyError::File {
            what: POLICY,
            path: path.clone(),
            place: String::new(),
            reason,
        };
        let mut file = std::fs::File::open(&path).map_err(|e| refused(e.to_string()))?;
        strategy.load(&mut file).map_err(|e| refused(e.to_string()))
    }
}

impl<'a> Context<'a> {
    /// A session of an app that is not prepared, with nothing learned before: a model that is walked without a device.
    pub fn bare(package: &'a str) -> Self {
        Self {
            session: package,
            package,
            content: "",
            seed: 0,
            pool: None,
            shipped: false,
            engine: "rust",
            texts: &|| Ok(StaticTexts::default()),
            model: None,
            keep: None,
            demonstrations: &[],
            may_leave_out: false,
            on_disk: &|path: &Utf8Path| path.to_owned(),
        }
    }
}

/// [`StartFile::what`] of a policy.
pub const POLICY: &str = "policy";

/// A part of the path to a value below `[[strategy]]`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Key {
    /// A key of a table.
    Name(&'static str),
    /// A place in a list.
    Place(usize),
}

/// The path to a value below `[[strategy]]` as a JSON pointer.
pub fn pointer(keys: &[Key]) -> String {
    let part = |key: &Key| match key {
        Key::Name(name) => format!("/{name}"),
        Key::Place(place) => format!("/{place}"),
    };
    keys.iter().map(part).collect()
}

/// A file of the suite that a strategy starts from.
#[derive(Clone, Debug)]
pub struct StartFile<'a> {
    /// What it is, for messages; unique within a strategy.
    pub what: &'static str,
    /// The path to its name.
    pub keys: Vec<Key>,
    /// Its path, as the suite writes it.
    pub path: &'a Utf8Path,
    /// What to do where it is missing.
    pub missing: &'static str,
    /// What to do where it cannot be used.
    pub unusable: &'static str,
    /// May it be a folder?
    pub folder: bool,
    /// Is it of one app?
    pub of_app: bool,
}

impl StartFile<'_> {
    /// The value that names it, as a JSON pointer in the strategy's table.
    pub fn pointer(&self) -> String {
        pointer(&self.keys)
    }
}

/// What settings can be wrong together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Together {
    /// Shares do not add up.
    Shares,
    /// Numbers are not in order.
    Order,
    /// One key leaves nothing to do for another.
    Exclude,
}

/// Settings that are wrong together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Conflict {
    /// What is wrong.
    pub what: Together,
    /// The path to the value to mark.
    pub keys: Vec<Key>,
    /// The same in a sentence.
    pub message: String,
    /// The fix.
    pub fix: &'static str,
}

impl Conflict {
    /// The conflict of a strategy inside another one, at this path.
    #[must_use]
    pub fn below(self, path: &[Key]) -> Self {
        let keys = [path, &self.keys].concat();
        Self { keys, ..self }
    }
}

/// Sessions that run side by side, each on a device of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Group {
    /// How many, at least 2.
    pub sessions: usize,
    /// The events of each from one exchange to the next.
    pub segment: u64,
}

/// How a strategy treats the texts that can be typed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Texts {
    /// Any text will do.
    Any,
    /// It learns the app's texts by their number in the list: another list is another policy.
    Numbered,
    /// The same, with a list of the suite's.
    Listed,
}

/// What the tool asks of a strategy's settings. All but [`Settings::make`] have an answer for strategies that do not
/// learn.
pub trait Settings: fmt::Debug + Send + Sync {
    /// The strategy, its policy loaded.
    ///
    /// # Errors
    /// A file that it starts from cannot be used; this build has no tensor engine, or not on the wanted device.
    fn make(&self, context: &Context<'_>) -> Result<Box<dyn Strategy>, StrategyError>;

    /// Where its policy comes from and whether it is kept, of strategies that learn.
    fn policy(&self) -> Option<&PolicyFiles> {
        None
    }

    /// The member whose policy that is, of strategies with members.
    fn saver(&self) -> Option<String> {
        None
    }

    /// Its event model, of strategies that reuse one.
    fn model(&self) -> Option<&ModelFiles> {
        None
    }

    /// The demonstrations to learn from, of strategies that can.
    fn demonstrations(&self) -> Option<&[Utf8PathBuf]> {
        None
    }

    /// Does it learn from demonstrations that a strategy around it names?
    fn learns_demonstrations(&self) -> bool {
        self.demonstrations().is_some()
    }

    /// Does it learn from traces, which name no activities?
    fn learns_traces(&self) -> bool {
        false
    }

    /// The strategies in its settings, with the path to each.
    fn inside(&self) -> Vec<(Vec<Key>, &Kind)> {
        Vec::new()
    }

    /// The files it starts from.
    fn files(&self) -> Vec<StartFile<'_>> {
        self.policy()
            .into_iter()
            .filter_map(PolicyFiles::start)
            .collect()
    }

    /// Names of other `[[strategy]]` tables in its settings, with the path to each; a suite's are replaced by the tables.
    fn named(&self) -> Vec<(Vec<Key>, &str)> {
        Vec::new()
    }

    /// What is wrong with the settings together.
    fn conflict(&self) -> Option<Conflict> {
        None
    }

    /// How several sessions of it run side by side, if they do.
    fn group(&self) -> Option<Group> {
        None
    }

    /// A pause after every event.
    fn throttle(&self) -> Duration {
        Duration::ZERO
    }

    /// Does `[faults]` apply? Not to what is compared with figures that others measured.
    fn faults(&self) -> bool {
        true
    }

    /// Why `[faults]` does not apply, if a strategy inside would have some.
    fn loses_faults(&self) -> Option<&'static str> {
        None
    }

    /// Does it prefer changed code? Not what is compared with figures that others measured.
    fn prefers_changed(&self) -> bool {
        false
    }

    /// What a report says of it on a device that can do this much, and no more.
    fn notes(&self, _: Caps) -> Vec<&'static str> {
        Vec::new()
    }

    /// The texts that can be typed, as it sees them.
    fn texts(&self) -> Texts {
        Texts::Any
    }

    /// The key that must be `true` while it is trained, if it has one.
    fn learning_switch(&self) -> Option<&'static str> {
        None
    }

    /// Sessions that the policy which ships has learned from, where the strategy starts from it.
    fn shipped_lessons(&self) -> Vec<String> {
        Vec::new()
    }

    /// The learner that walks FATE's models step by step, with so many numbers in an action; `None`: it needs pages.
    fn learner(&self, _numbers: usize, _rng: &mut Rng) -> Option<Box<dyn Learner>> {
        None
    }
}

/// What a strategy declares beside its settings. Hyperparameters are written once: as defaults, and as presets, which
/// are tables merged over the defaults.
pub trait Definition:
    Settings + Default + Serialize + DeserializeOwned + JsonSchema + 'static
{
    /// As a suite names it: `kind = "NAME"`.
    const NAME: &'static str;
    /// What it does, in a line, with its paper.
    const SUMMARY: &'static str;
    /// The TOML tables of the preset `paper`, each merged over those before. Empty: there is no such preset.
    const PAPER: &'static [&'static str] = &[];
    /// The same of `published`.
    const PUBLISHED: &'static [&'static str] = &[];
    /// Groups of keys of which one replaces the others.
    const EITHER: &'static [[&'static str; 2]] = &[];
    /// Old names of keys, read until the next version: (old, new).
    const RENAMED: &'static [(&'static str, &'static str)] = &[];
    /// Does it have another strategy in its settings? It cannot be that strategy itself.
    const WRAPS: bool = false;

    /// The settings of a preset with a suite's table over it. For tests and benchmarks.
    ///
    /// # Errors
    /// The table is not TOML, or does not fit.
    fn read(toml: &str) -> Result<Self, String> {
        let table = kind::from_toml(toml)?;
        let merged = Entry::of::<Self>().merged(table)?;
        serde_json::from_value(Value::Object(merged)).map_err(|e| e.to_string())
    }

    /// These settings with all hyperparameters of a preset. For tests and benchmarks.
    ///
    /// # Errors
    /// There is no such preset, or its tables do not fit.
    fn preset(preset: Preset) -> Result<Self, String> {
        Self::read(&format!("preset = \"{}\"", preset.name()))
    }
}
