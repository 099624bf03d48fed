//! What the processes of a run cost: memory and processor time, looked at ten times a second.

use crate::processes::{Known, Process};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;

/// Hundredths of a second, Linux's unit of processor time in `/proc`.
const TICKS: f64 = 100.0;

/// The most that one kind of process was seen with.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Cost {
    /// Kilobytes that only this process has, files that it maps included.
    pub private_kb: u64,
    /// Kilobytes without files that it maps: what the system cannot drop.
    pub memory_kb: u64,
    /// Seconds on a processor.
    pub cpu: f64,
}

/// Costs by kind of process: a Java program's main class, or the name of another program.
pub struct Costs {
    known: Known,
    by_process: BTreeMap<u32, (String, Cost)>,
}

impl Costs {
    /// Of the process of this number and all that it starts.
    pub fn new(root: u32) -> Self {
        Self {
            known: Known::new(root, Vec::new()),
            by_process: BTreeMap::new(),
        }
    }

    /// Looks at all processes once.
    pub fn look(&mut self, root: &Process) {
        self.known.look();
        for process in self.known.alive().iter().chain([root]) {
            let Some(now) = cost(process.id) else {
                continue;
            };
            let kind = kind(process);
            let kept = self.by_process.entry(process.id).or_default();
            // A process begins as what started it, and becomes another program.
            if kept.0 != kind {
                *kept = (kind, Cost::default());
            }
            kept.1 = Cost {
                private_kb: kept.1.private_kb.max(now.private_kb),
                memory_kb: kept.1.memory_kb.max(now.memory_kb),
                cpu: now.cpu,
            };
        }
    }

    /// Of each kind the largest process, and the processor time of all.
    pub fn by_kind(&self) -> BTreeMap<String, Cost> {
        let mut all: BTreeMap<String, Cost> = BTreeMap::new();
        for (kind, cost) in self.by_process.values() {
            let sum = all.entry(kind.clone()).or_default();
            *sum = Cost {
                private_kb: sum.private_kb.max(cost.private_kb),
                memory_kb: sum.memory_kb.max(cost.memory_kb),
                cpu: sum.cpu + cost.cpu,
            };
        }
        all
    }

    pub fn json(&self) -> Value {
        let one = |(kind, cost): (String, Cost)| {
            let cost = json!({
                "private_kb": cost.private_kb, "memory_kb": cost.memory_kb,
                "cpu": (cost.cpu * TICKS).round() / TICKS,
            });
            (kind, cost)
        };
        Value::Object(self.by_kind().into_iter().map(one).collect())
    }
}

fn kind(process: &Process) -> String {
    if process.name != "java" {
        return process.name.clone();
    }
    let arguments = fs::read(format!("/proc/{}/cmdline", process.id)).unwrap_or_default();
    let text = String::from_utf8_lossy(&arguments);
    let main = text.split('\0').find(|word| word.starts_with("droidtest."));
    main.unwrap_or("java").to_owned()
}

fn cost(id: u32) -> Option<Cost> {
    let stat = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    let cpu = cpu(&stat)?;
    if let Ok(text) = fs::read_to_string(format!("/proc/{id}/smaps_rollup"))
        && text.contains("Pss_Anon:")
    {
        return Some(Cost {
            private_kb: field(&text, "Private_Clean:") + field(&text, "Private_Dirty:"),
            memory_kb: field(&text, "Pss_Anon:") + field(&text, "Pss_Shmem:"),
            cpu,
        });
    }
    // Others may not look that closely at a confined process.
    let text = fs::read_to_string(format!("/proc/{id}/status")).ok()?;
    let memory_kb = field(&text, "RssAnon:") + field(&text, "RssShmem:");
    Some(Cost {
        private_kb: memory_kb,
        memory_kb,
        cpu,
    })
}

/// Seconds that a process and those that it waited for were on a processor, from a line of `/proc/PID/stat`.
fn cpu(stat: &str) -> Option<f64> {
    let (_, rest) = stat.rsplit_once(')')?;
    let mut fields = rest.split_whitespace().skip(11);
    let user: f64 = fields.next()?.parse().ok()?;
    let system: f64 = fields.next()?.parse().ok()?;
    Some((user + system) / TICKS)
}

/// The number behind a name, in kilobytes.
fn field(text: &str, name: &str) -> u64 {
    let line = text.lines().find_map(|line| line.strip_prefix(name));
    let number = line.and_then(|rest| rest.split_whitespace().next());
    number.and_then(|number| number.parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_the_kernel_is_read() {
        let fields = "S 1 2 3 4 5 6 7 8 9 10 250 50 0 0 20";
        assert_eq!(cpu(&format!("7 (a) b) {fields}")), Some(3.0));
        assert_eq!(cpu("7 (a)"), None);
        let text = "Rss:   9 kB\nPrivate_Dirty:       12 kB\n";
        assert_eq!(
            (field(text, "Private_Dirty:"), field(text, "Pss:")),
            (12, 0)
        );
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_process_that_holds_memory_is_seen_with_it() {
        let mut shell = std::process::Command::new("sh")
            .args([
                "-c",
                "x=$(head -c 20000000 /dev/zero | tr '\\0' x); sleep 5; echo ${#x}",
            ])
            .stdout(std::process::Stdio::null())
            .spawn()
            .unwrap();
        let root = Process::running(shell.id()).unwrap();
        let mut costs = Costs::new(shell.id());
        let mut seen = Cost::default();
        for _ in 0..40 {
            costs.look(&root);
            seen = costs.by_kind().remove("sh").unwrap_or_default();
            if seen.memory_kb > 19_000 {
                break;
            }
            std::thread::sleep(std::time::Duration::from_millis(100));
        }
        shell.kill().unwrap();
        shell.wait().unwrap();
        assert!(seen.memory_kb > 19_000, "{seen:?}");
        assert!(seen.private_kb >= seen.memory_kb / 2, "{seen:?}");
    }
}
