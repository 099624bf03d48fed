//! What the traces of an app are worth, as `index.json` in its folder of the corpus. It is a cache: without it, traces are
//! measured again.

use super::folder::{CorpusError, Entry, of_app};
use super::worth::{Gain, Worth};
use crate::gui::SketchId;
use crate::outcome::folder::pretty;
use crate::util::durable::{self, Lasting};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Version of the file's format.
const VERSION: u32 = 1;

/// What is known of an app's traces, by their files' names.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize)]
pub struct Index {
    version: u32,
    traces: BTreeMap<String, Known>,
}

/// What is known of a trace.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize)]
struct Known {
    /// SHA-256 of its file.
    file: String,
    /// What the session reached that it was recorded in.
    #[serde(default)]
    recorded: Stored,
    /// What replays reached.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    measured: Option<Measured>,
}

/// What replays of a trace reached.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Measured {
    /// SHA-256 of the app's file.
    pub app: String,
    /// The device's name.
    pub device: String,
    /// Version of the tool.
    pub tool: String,
    /// The number of replays.
    pub replays: u32,
    /// What each of them reached.
    #[serde(with = "stored")]
    pub worth: Worth,
    /// What some of them reached.
    #[serde(with = "stored")]
    pub unstable: Worth,
    /// Numbers, from 1, of the steps that could not be performed in each of them.
    pub lost: Vec<usize>,
    /// When they were made.
    pub at: Timestamp,
}

/// What a measurement depends on, besides the trace.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Basis<'a> {
    /// SHA-256 of the app's file.
    pub app: &'a str,
    /// The device's name.
    pub device: &'a str,
    /// The fewest replays.
    pub replays: u32,
}

impl Index {
    /// The index of an app's traces; an empty one where it does not exist, cannot be understood, or is of another version.
    pub fn load(corpus: &Path, package: &str) -> Self {
        let text = fs::read(path(corpus, package)).ok();
        let found: Option<Self> = text.and_then(|text| serde_json::from_slice(&text).ok());
        found
            .filter(|found| found.version == VERSION)
            .unwrap_or_default()
    }

    /// Is nothing known?
    pub fn is_empty(&self) -> bool {
        self.traces.is_empty()
    }

    /// Writes it, without traces that are no longer in the corpus.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn save(mut self, corpus: &Path, package: &str) -> Result<(), CorpusError> {
        let folder = of_app(corpus, package);
        self.version = VERSION;
        self.traces.retain(|name, _| folder.join(name).is_file());
        let path = path(corpus, package);
        pretty(&self)
            .and_then(|text| durable::write(&path, &text, Lasting::Likely))
            .map_err(|source| CorpusError::Io { path, source })
    }

    /// A measurement of this trace on this basis, if there is one.
    pub fn measured(&self, entry: &Entry, basis: Basis<'_>) -> Option<&Measured> {
        let known = self.traces.get(&file_name(entry))?;
        let measured = known.measured.as_ref()?;
        let valid = known.file == entry.content
            && measured.app == basis.app
            && measured.device == basis.device
            && measured.tool == env!("CARGO_PKG_VERSION")
            && measured.replays >= basis.replays;
        valid.then_some(measured)
    }

    /// Notes a measurement of a trace.
    pub fn measure(&mut self, entry: &Entry, measured: Measured) {
        self.known(entry).measured = Some(measured);
    }

    /// Notes what the session reached that a trace was recorded in.
    pub fn record(&mut self, entry: &Entry, reached: &Worth) {
        self.known(entry).recorded = reached.into();
    }

    fn known(&mut self, entry: &Entry) -> &mut Known {
        let known = self.traces.entry(file_name(entry)).or_default();
        if known.file != entry.content {
            *known = Known {
                file: entry.content.clone(),
                ..Known::default()
            };
        }
        known
    }

    /// How many probes of these classes (internal names) a trace has reached, in its session or in each replay.
    pub fn probes_in(&self, entry: &Entry, classes: &BTreeSet<&str>) -> usize {
        let known = self.traces.get(&file_name(entry));
        let Some(known) = known.filter(|known| known.file == entry.content) else {
            return 0;
        };
        let mut reached = Worth::from(known.recorded.clone());
        let measured = known.measured.iter().flat_map(|measured| &measured.worth);
        reached.extend(measured.cloned());
        let inside = |gain: &&Gain| matches!(gain, Gain::Probe(class, _) if classes.contains(class.as_str()));
        reached.iter().filter(inside).count()
    }

    /// All that its traces have reached, in their sessions or in any replay.
    pub fn reached(&self) -> Worth {
        let measured = |known: &Known| {
            let all = known.measured.as_ref();
            all.map(|m| m.worth.union(&m.unstable).cloned().collect::<Worth>())
        };
        let all = self.traces.values().flat_map(|known| {
            let recorded = Worth::from(known.recorded.clone());
            recorded
                .into_iter()
                .chain(measured(known).unwrap_or_default())
        });
        all.collect()
    }
}

fn path(corpus: &Path, package: &str) -> PathBuf {
    of_app(corpus, package).join("index.json")
}

fn file_name(entry: &Entry) -> String {
    let name = entry.file.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

/// A [`Worth`] as it is stored: probes by class.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize)]
#[serde(default)]
struct Stored {
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    probes: BTreeMap<String, Vec<u32>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    transitions: Vec<(SketchId, SketchId)>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    findings: Vec<String>,
}

impl From<&Worth> for Stored {
    fn from(worth: &Worth) -> Self {
        let mut stored = Self::default();
        for gain in worth {
            match gain {
                Gain::Probe(class, probe) => {
                    stored.probes.entry(class.clone()).or_default().push(*probe);
                }
                Gain::Transition(from, to) => stored.transitions.push((*from, *to)),
                Gain::Finding(print) => stored.findings.push(print.clone()),
            }
        }
        stored
    }
}

impl From<Stored> for Worth {
    fn from(stored: Stored) -> Self {
        let probes = stored.probes.into_iter().flat_map(|(class, probes)| {
            let probe = move |probe| Gain::Probe(class.clone(), probe);
            probes.into_iter().map(probe)
        });
        let transitions = stored.transitions.into_iter();
        let transitions = transitions.map(|(from, to)| Gain::Transition(from, to));
        let findings = stored.findings.into_iter().map(Gain::Finding);
        probes.chain(transitions).chain(findings).collect()
    }
}

mod stored {
    use super::{Stored, Worth};
    use serde::{Deserialize as _, Deserializer, Serialize as _, Serializer};

    pub fn serialize<S: Serializer>(worth: &Worth, to: S) -> Result<S::Ok, S::Error> {
        Stored::from(worth).serialize(to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Worth, D::Error> {
        Stored::deserialize(from).map(Worth::from)
    }
}
