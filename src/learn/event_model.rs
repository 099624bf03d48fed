//! Fastbot's probabilistic model: how often each hyper-event led to which activity, counted over sessions and versions
//! of an app, and the file that keeps it.
//!
//! Lv et al., "Fastbot2" (ASE 2022), section III-A: M = (E, A, δ) with δ(e, A) = N(e, A) / N(e).
//!
//! The file has two lines of JSON: the format's name and version with the SHA-256 of the second line, and the counts.
//! Files of one app are merged by adding their counts.

use crate::util::sha256;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

/// Name of the format.
const FORMAT: &str = "droidtest-event-model";
/// Version of the format; a change of [`crate::graph::fastbot::hyper_event`] is another version.
pub const VERSION: u32 = 1;
/// Bytes of the largest file.
pub const LARGEST: u64 = 256 << 20;
/// Sessions that a model names at most, the newest ones.
const SESSIONS: usize = 10_000;

/// The model of one app.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EventModel {
    /// Sessions whose counts were merged into it, the last one last.
    pub sessions: Vec<String>,
    package: String,
    /// Activities by number; the empty name stands for outside the app.
    activities: Vec<String>,
    numbers: FxHashMap<String, u32>,
    events: FxHashMap<u64, Event>,
}

/// A hyper-event.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Event {
    /// Its activity.
    at: u32,
    /// Activities and how often it led there.
    results: Vec<(u32, u32)>,
}

/// Why a file is no model of this app.
#[derive(Debug, thiserror::Error)]
#[error("{reason}")]
pub struct ModelError {
    /// Its line, from 1; `None`: it cannot be read at all.
    pub line: Option<usize>,
    /// What is wrong.
    pub reason: String,
}

#[derive(Serialize, Deserialize)]
struct Header {
    format: String,
    version: u32,
    sha256: String,
}

#[derive(Serialize, Deserialize)]
struct Body {
    package: String,
    sessions: Vec<String>,
    activities: Vec<String>,
    /// By hyper-event, 16 hexadecimal digits: its activity, and to which activities it led how often.
    events: BTreeMap<String, (u32, Vec<(u32, u32)>)>,
}

impl EventModel {
    /// An empty model of a package.
    pub fn new(package: &str) -> Self {
        Self {
            package: package.to_owned(),
            ..Self::default()
        }
    }

    /// The number of an activity, known from now on.
    pub fn activity(&mut self, name: &str) -> u32 {
        if let Some(known) = self.numbers.get(name) {
            return *known;
        }
        let number = u32::try_from(self.activities.len()).unwrap_or(u32::MAX);
        self.activities.push(name.to_owned());
        self.numbers.insert(name.to_owned(), number);
        number
    }

    /// Counts that an event of an activity led to another so often.
    pub fn count(&mut self, event: u64, at: &str, to: &str, times: u32) {
        let (at, to) = (self.activity(at), self.activity(to));
        let results = Vec::new();
        let event = self.events.entry(event).or_insert(Event { at, results });
        match event.results.iter_mut().find(|(known, _)| *known == to) {
            Some((_, known)) => *known = known.saturating_add(times),
            None => event.results.push((to, times)),
        }
    }

    /// Every hyper-event with the number of its activity.
    pub fn events(&self) -> impl Iterator<Item = (u64, u32)> {
        self.events.iter().map(|(event, known)| (*event, known.at))
    }

    /// Where an event led: activities and N(e, A), each at least 1. Empty: the event is not in the model.
    pub fn results(&self, event: u64) -> &[(u32, u32)] {
        self.events.get(&event).map_or(&[], |known| &known.results)
    }

    /// The number of hyper-events, and of activities.
    pub fn size(&self) -> (usize, usize) {
        (self.events.len(), self.activities.len())
    }

    /// Adds the counts of another model.
    pub fn add(&mut self, other: &Self) {
        // In the order of the keys, so that equal models give equal numbers.
        let mut events: Vec<_> = other.events.iter().collect();
        events.sort_unstable_by_key(|(event, _)| **event);
        let name = |number: u32| other.activities[number as usize].as_str();
        for (event, known) in events {
            for (to, times) in &known.results {
                self.count(*event, name(known.at), name(*to), *times);
            }
        }
        self.sessions.extend(other.sessions.iter().cloned());
        let old = self.sessions.len().saturating_sub(SESSIONS);
        self.sessions.drain(..old);
    }

    /// As a file. Equal models give equal bytes.
    ///
    /// # Errors
    /// Never in practice: everything in it can be written as JSON.
    pub fn to_bytes(&self) -> io::Result<Vec<u8>> {
        let events = self.events.iter();
        let body = serde_json::to_vec(&Body {
            package: self.package.clone(),
            sessions: self.sessions.clone(),
            activities: self.activities.clone(),
            events: events
                .map(|(event, known)| (format!("{event:016x}"), (known.at, known.results.clone())))
                .collect(),
        })?;
        let mut file = serde_json::to_vec(&Header {
            format: FORMAT.to_owned(),
            version: VERSION,
            sha256: sha256::of_bytes(&body),
        })?;
        file.push(b'\n');
        file.extend(body);
        file.push(b'\n');
        Ok(file)
    }

    /// Reads the model of a package.
    ///
    /// # Errors
    /// It cannot be read, is damaged, another format's, of a newer version, or another package's.
    pub fn open(path: &Path, package: &str) -> Result<Self, ModelError> {
        let unread = |reason: String| ModelError { line: None, reason };
        if path.extension().is_some_and(|ending| ending == "fbm") {
            return Err(unread(
                "it is a model of Fastbot's own tool. Its keys are hashes of that build's `std::hash` over attributes \
                 that the file does not name, so that they fit no event of this tool; delete the setting, and the next \
                 runs record a model"
                    .to_owned(),
            ));
        }
        let mut bytes = Vec::new();
        let file = File::open(path).map_err(|e| unread(e.to_string()))?;
        let read = file.take(LARGEST + 1).read_to_end(&mut bytes);
        match read.map_err(|e| unread(e.to_string()))? as u64 {
            0..=LARGEST => Self::from_bytes(&bytes, package),
            _ => Err(unread("it is larger than 256 MiB".to_owned())),
        }
    }

    /// The same, of a file's content.
    ///
    /// # Errors
    /// As of [`Self::open`].
    pub fn from_bytes(bytes: &[u8], package: &str) -> Result<Self, ModelError> {
        let wrong = |line, reason: String| ModelError {
            line: Some(line),
            reason,
        };
        let end = bytes.iter().position(|byte| *byte == b'\n');
        let (first, rest) = bytes.split_at(end.unwrap_or(bytes.len()));
        let header: Header = serde_json::from_slice(first)
            .map_err(|e| wrong(1, format!("it is not an event model of this tool: {e}")))?;
        if header.format != FORMAT {
            let reason = format!("it is in the format {:?}, not {FORMAT}", header.format);
            return Err(wrong(1, reason));
        }
        if header.version != VERSION {
            return Err(wrong(
                1,
                format!(
                    "it has format version {}, but this tool reads version {VERSION}",
                    header.version
                ),
            ));
        }
        let whole = rest.strip_prefix(b"\n").and_then(|r| r.strip_suffix(b"\n"));
        let body = whole.ok_or_else(|| wrong(2, "it is cut off".to_owned()))?;
        if sha256::of_bytes(body) != header.sha256 {
            return Err(wrong(2, "it is damaged: its checksum differs".to_owned()));
        }
        let body: Body = serde_json::from_slice(body).map_err(|e| wrong(2, e.to_string()))?;
        if body.package != package {
            return Err(wrong(
                2,
                format!("it is of {:?}, the app is {package:?}", body.package),
            ));
        }
        Self::checked(body).map_err(|reason| wrong(2, reason))
    }

    fn checked(body: Body) -> Result<Self, String> {
        let distinct: BTreeSet<_> = body.activities.iter().collect();
        if distinct.len() < body.activities.len() {
            return Err("it names an activity twice".to_owned());
        }
        let mut model = Self::new(&body.package);
        model.sessions = body.sessions;
        for name in &body.activities {
            model.activity(name);
        }
        for (key, (at, results)) in body.events {
            let event = u64::from_str_radix(&key, 16);
            let event = event.map_err(|_| format!("{key:?} is not a hyper-event"))?;
            let name = |number: u32| {
                let name = body.activities.get(number as usize);
                name.ok_or_else(|| format!("{key} names the unknown activity {number}"))
            };
            for (to, times) in results {
                if times == 0 {
                    return Err(format!("{key} has a count of 0"));
                }
                model.count(event, name(at)?, name(to)?, times);
            }
        }
        Ok(model)
    }
}

#[cfg(test)]
mod tests;
