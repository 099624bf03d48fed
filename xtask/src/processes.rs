//! The processes of a program that this one started, also those that have left its tree.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::process::Command;

/// One process: a number is used again, with another start.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Process {
    pub id: u32,
    started: u64,
    /// What it runs.
    pub name: String,
}

impl Process {
    /// The one that has this number now.
    pub fn running(id: u32) -> Option<Self> {
        let text = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
        let state = state(&text)?;
        Some(Self {
            id,
            started: state.started,
            name: state.name,
        })
    }

    /// Ends it.
    pub fn end(&self) {
        let _ = Command::new("kill")
            .args(["-9", &self.id.to_string()])
            .status();
    }
}

/// Those seen so far.
pub struct Known {
    root: u32,
    marks: Vec<String>,
    /// Number and start of each, without the root.
    seen: BTreeSet<(u32, u64)>,
}

impl Known {
    /// Of the process of this number: those below it, and those with one of these texts in their arguments or environment.
    pub fn new(root: u32, marks: Vec<String>) -> Self {
        Self {
            root,
            marks,
            seen: BTreeSet::new(),
        }
    }

    /// Notes who is there now.
    pub fn look(&mut self) {
        let all = all();
        let mut own: BTreeSet<u32> = BTreeSet::from([self.root]);
        own.extend(
            all.iter()
                .filter(|(id, p)| self.seen.contains(&(**id, p.started)))
                .map(|(id, _)| *id),
        );
        loop {
            let more: Vec<u32> = all
                .iter()
                .filter(|(id, p)| !own.contains(id) && own.contains(&p.parent))
                .map(|(id, _)| *id)
                .collect();
            if more.is_empty() {
                break;
            }
            own.extend(more);
        }
        let ours = std::process::id();
        for (id, process) in &all {
            let by_mark = *id != ours && !own.contains(id) && self.marked(*id);
            if (own.contains(id) || by_mark) && *id != self.root {
                self.seen.insert((*id, process.started));
            }
        }
    }

    fn marked(&self, id: u32) -> bool {
        let text = |file: &str| fs::read(format!("/proc/{id}/{file}")).unwrap_or_default();
        let (arguments, environment) = (text("cmdline"), text("environ"));
        let holds =
            |text: &[u8], mark: &str| text.windows(mark.len()).any(|part| part == mark.as_bytes());
        let mut marks = self.marks.iter();
        marks.any(|mark| holds(&arguments, mark) || holds(&environment, mark))
    }

    /// Those of them that run. One that has ended and that nobody has requested since does not.
    pub fn alive(&self) -> Vec<Process> {
        let all = all();
        let running = |(id, started): &(u32, u64)| {
            let state = all.get(id).filter(|state| state.started == *started)?;
            (!matches!(state.state, 'Z' | 'X')).then(|| Process {
                id: *id,
                started: *started,
                name: state.name.clone(),
            })
        };
        self.seen.iter().filter_map(running).collect()
    }

    /// How many there have been.
    pub fn count(&self) -> usize {
        self.seen.len()
    }
}

struct State {
    parent: u32,
    state: char,
    started: u64,
    name: String,
}

fn all() -> BTreeMap<u32, State> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let numbers = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let states = numbers.filter_map(|id| {
        let text = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
        Some((id, state(&text)?))
    });
    states.collect()
}

/// One line of `/proc/PID/stat`. The name is in brackets and may hold some.
fn state(text: &str) -> Option<State> {
    let (before, rest) = text.rsplit_once(')')?;
    let (_, name) = before.split_once('(')?;
    let mut fields = rest.split_whitespace();
    Some(State {
        name: name.to_owned(),
        state: fields.next()?.chars().next()?,
        parent: fields.next()?.parse().ok()?,
        started: fields.nth(17)?.parse().ok()?,
    })
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use std::thread::sleep;
    use std::time::Duration;

    #[test]
    fn a_name_with_brackets_is_read() {
        let rest = (0..20).map(|n| n.to_string()).collect::<Vec<_>>().join(" ");
        let found = state(&format!("7 (a) b) S {rest}")).unwrap();
        assert_eq!(
            (found.name.as_str(), found.state, found.parent),
            ("a) b", 'S', 0)
        );
        assert_eq!(found.started, 18);
    }

    #[test]
    fn one_that_left_the_tree_and_its_folder_is_found_by_its_mark() {
        let mark = format!("XTASK_PROCESSES={}", std::process::id());
        let (key, value) = mark.split_once('=').unwrap();
        let mut shell = Command::new("sh")
            .args(["-c", "setsid sleep 30 & exit 0"])
            .env(key, value)
            .spawn()
            .unwrap();
        let mut known = Known::new(shell.id(), vec![mark.clone()]);
        shell.wait().unwrap();
        sleep(Duration::from_millis(300));
        known.look();
        let alive = known.alive();
        assert_eq!(alive.len(), 1, "{alive:?}");
        assert_eq!(alive[0].name, "sleep");
        alive[0].end();
        sleep(Duration::from_millis(300));
        assert!(known.alive().is_empty());
    }
}
