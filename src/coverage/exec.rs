//! JaCoCo's execution data (`.exec`, format 0x1007): read, merged, rebuilt from a journal, written.
//!
//! A run that was killed left no exec file, but its journal names every probe hit; with the ids of the classes the
//! file can be made from it, so that reports come out of JaCoCo all the same.

use crate::outcome::RunEvent;
use crate::util::foreign;
use std::collections::HashMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

const MAGIC: u16 = 0xc0c0;
const VERSION: u16 = 0x1007;
const HEADER: u8 = 0x01;
const SESSION: u8 = 0x10;
const EXECUTION: u8 = 0x11;

/// What one session of a JVM wrote about itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SessionInfo {
    /// Its name.
    pub id: String,
    /// When it started, milliseconds since 1970.
    pub start: i64,
    /// When it was written.
    pub dump: i64,
}

/// The probes of one class.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClassProbes {
    /// JaCoCo's id: [`super::class_id`] of the class file before it was instrumented.
    pub id: u64,
    /// Internal name (`a/b/C`).
    pub name: String,
    /// Which probes were hit.
    pub probes: Vec<bool>,
}

/// Execution data of any number of sessions, one entry a class.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ExecData {
    /// Sessions, in the order read.
    pub sessions: Vec<SessionInfo>,
    classes: Vec<ClassProbes>,
    by_id: HashMap<u64, usize>,
}

/// Why execution data cannot be read or merged.
#[derive(Debug, thiserror::Error)]
pub enum ExecError {
    /// The file cannot be read.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The file is cut off or no execution data.
    #[error("{}: not JaCoCo execution data: {why} at byte {at}", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        why: &'static str,
        /// Where.
        at: usize,
    },
    /// Two entries for one id that are not of one class: the app's code changed between the sessions.
    #[error(
        "the class {name} has {ours} probes in one session and {theirs} in another: the sessions are of different \
         builds"
    )]
    Mismatch {
        /// The class.
        name: String,
        /// Probes known.
        ours: usize,
        /// Probes added.
        theirs: usize,
    },
}

impl ExecData {
    /// The classes, in the order first observed.
    pub fn classes(&self) -> &[ClassProbes] {
        &self.classes
    }

    /// Reads a file.
    pub fn load(path: &Path) -> Result<Self, ExecError> {
        let bytes = foreign::read(path).map_err(|source| ExecError::Io {
            path: path.to_owned(),
            source,
        })?;
        Self::read(&bytes).map_err(|(why, at)| ExecError::Format {
            path: path.to_owned(),
            why,
            at,
        })
    }

    /// Reads the bytes of a file, or of several put one after the other; an error says what is wrong and where.
    pub fn read(bytes: &[u8]) -> Result<Self, (&'static str, usize)> {
        let mut data = Self::default();
        let mut input = Input { bytes, at: 0 };
        let mut started = false;
        while input.at < bytes.len() {
            let start = input.at;
            let block = input.u8().ok_or(("cut off", start))?;
            let done = match block {
                HEADER => match (input.u16(), input.u16()) {
                    (Some(MAGIC), Some(VERSION)) => Some(()),
                    (Some(MAGIC), Some(_)) => return Err(("another format version", start)),
                    _ => return Err(("no header", start)),
                },
                _ if !started => return Err(("no header", start)),
                SESSION => input.session().map(|session| data.sessions.push(session)),
                EXECUTION => {
                    let class = input.class().ok_or(("cut off", start))?;
                    data.add(class)
                        .map_err(|_| ("two entries of one class that differ", start))?;
                    Some(())
                }
                _ => return Err(("an unknown block", start)),
            };
            done.ok_or(("cut off", start))?;
            started = true;
        }
        Ok(data)
    }

    /// Adds the probes of a class to those known.
    pub fn add(&mut self, class: ClassProbes) -> Result<(), ExecError> {
        let Some(&at) = self.by_id.get(&class.id) else {
            self.by_id.insert(class.id, self.classes.len());
            self.classes.push(class);
            return Ok(());
        };
        let known = &mut self.classes[at];
        if known.probes.len() != class.probes.len() || known.name != class.name {
            return Err(ExecError::Mismatch {
                name: class.name,
                ours: known.probes.len(),
                theirs: class.probes.len(),
            });
        }
        for (known, new) in known.probes.iter_mut().zip(class.probes) {
            *known |= new;
        }
        Ok(())
    }

    /// Adds all of another session's data.
    pub fn merge(&mut self, other: Self) -> Result<(), ExecError> {
        for session in other.sessions {
            if !self.sessions.contains(&session) {
                self.sessions.push(session);
            }
        }
        other
            .classes
            .into_iter()
            .try_for_each(|class| self.add(class))
    }

    /// The execution data that a session's journal reports. `id_of` gives the id of a class by its internal name
    /// ([`super::ClassIds`]); classes it does not know are left out.
    pub fn from_journal<'a>(
        session: &str,
        events: impl IntoIterator<Item = &'a RunEvent>,
        id_of: impl Fn(&str) -> Option<u64>,
    ) -> Self {
        let mut data = Self::default();
        data.sessions.push(SessionInfo {
            id: session.to_owned(),
            start: 0,
            dump: 0,
        });
        // The device's index of a class leads to its place here. A device that was restarted may number again.
        let mut places: HashMap<u32, usize> = HashMap::new();
        for event in events {
            let hit = match event {
                RunEvent::Class { ix, name, probes } => {
                    places.remove(ix);
                    if let Some(place) = id_of(name).and_then(|id| data.place(id, name, *probes)) {
                        places.insert(*ix, place);
                    }
                    continue;
                }
                RunEvent::Step(step) => &step.probes,
                RunEvent::Launch { probes, .. } | RunEvent::Restore { probes, .. } => probes,
                _ => continue,
            };
            for (class, probe) in hit {
                let class = places.get(class).map(|&at| &mut data.classes[at]);
                let probe = usize::try_from(*probe).ok();
                if let Some(hit) = class.zip(probe).and_then(|(c, at)| c.probes.get_mut(at)) {
                    *hit = true;
                }
            }
        }
        data
    }

    /// The place of a class with so many probes, made where there is none; `None` when it had another number.
    fn place(&mut self, id: u64, name: &str, probes: u32) -> Option<usize> {
        /// A class of the largest size allowed has fewer.
        const MOST: u32 = 1 << 20;
        let probes = usize::try_from(probes.min(MOST)).ok()?;
        let class = ClassProbes {
            id,
            name: name.to_owned(),
            probes: vec![false; probes],
        };
        self.add(class).ok()?;
        self.by_id.get(&id).copied()
    }

    /// Writes the file as JaCoCo would. Classes without a hit are left out, as JaCoCo leaves them.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut bytes = vec![HEADER];
        bytes.extend(MAGIC.to_be_bytes());
        bytes.extend(VERSION.to_be_bytes());
        for session in &self.sessions {
            bytes.push(SESSION);
            write_utf(&mut bytes, &session.id);
            bytes.extend(session.start.to_be_bytes());
            bytes.extend(session.dump.to_be_bytes());
        }
        for class in self.classes.iter().filter(|c| c.probes.contains(&true)) {
            bytes.push(EXECUTION);
            bytes.extend(class.id.to_be_bytes());
            write_utf(&mut bytes, &class.name);
            write_probes(&mut bytes, &class.probes);
        }
        out.write_all(&bytes)
    }

    /// Writes the file to a path, complete or not at all.
    pub fn save(&self, path: &Path) -> io::Result<()> {
        let mut bytes = Vec::new();
        self.write(&mut bytes)?;
        crate::outcome::folder::write_whole(path, &bytes)
    }
}

struct Input<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Input<'a> {
    fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let part = self.bytes.get(self.at..self.at.checked_add(length)?)?;
        self.at += length;
        Some(part)
    }

    fn u8(&mut self) -> Option<u8> {
        self.take(1).map(|b| b[0])
    }

    fn u16(&mut self) -> Option<u16> {
        Some(u16::from_be_bytes(self.take(2)?.try_into().ok()?))
    }

    fn u64(&mut self) -> Option<u64> {
        Some(u64::from_be_bytes(self.take(8)?.try_into().ok()?))
    }

    /// Java's modified UTF-8; what is not UTF-8 in it (surrogates, a long zero) becomes U+FFFD.
    fn utf(&mut self) -> Option<String> {
        let length = usize::from(self.u16()?);
        Some(String::from_utf8_lossy(self.take(length)?).into_owned())
    }

    fn session(&mut self) -> Option<SessionInfo> {
        Some(SessionInfo {
            id: self.utf()?,
            start: self.u64()?.cast_signed(),
            dump: self.u64()?.cast_signed(),
        })
    }

    fn class(&mut self) -> Option<ClassProbes> {
        Some(ClassProbes {
            id: self.u64()?,
            name: self.utf()?,
            probes: self.probes()?,
        })
    }

    fn probes(&mut self) -> Option<Vec<bool>> {
        let mut count = 0_usize;
        for shift in (0..35).step_by(7) {
            let byte = usize::from(self.u8()?);
            count |= (byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                // The bytes must be there before room is made for what they hold.
                let bytes = self.take(count.div_ceil(8))?;
                let bit = |ix: usize| bytes[ix / 8] & (1 << (ix % 8)) != 0;
                return Some((0..count).map(bit).collect());
            }
        }
        None
    }
}

/// Java's modified UTF-8, cut at 65,535 bytes; zero and characters outside the basic plane are not in class names.
fn write_utf(out: &mut Vec<u8>, text: &str) {
    let mut end = text.len().min(usize::from(u16::MAX));
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    out.extend(u16::try_from(end).unwrap_or(u16::MAX).to_be_bytes());
    out.extend(&text.as_bytes()[..end]);
}

fn write_probes(out: &mut Vec<u8>, probes: &[bool]) {
    let mut count = probes.len();
    while count > 0x7f {
        out.push((count & 0x7f) as u8 | 0x80);
        count >>= 7;
    }
    out.push(count as u8);
    for eight in probes.chunks(8) {
        out.push(
            eight
                .iter()
                .rev()
                .fold(0, |byte, &hit| byte << 1 | u8::from(hit)),
        );
    }
}

#[cfg(test)]
#[path = "exec_tests.rs"]
mod tests;
