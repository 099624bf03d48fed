//! How many sessions run side by side: as many as `-j`, `count` and the machine's memory allow.

use super::plan::Session;
use crate::config::{Device, DeviceKind};
use crate::device::jvm::BESIDE_HEAP_MB;
use crate::util::memory;
use std::cmp::Reverse;
use std::collections::HashMap;

/// The jvm devices without a `count`: they share the machine's memory. No device has this name.
const SHARED: &str = "";

/// What limits sessions that run side by side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slots {
    jobs: usize,
    /// In MB; nothing where the system does not report it.
    memory: Option<u64>,
}

impl Slots {
    /// With `-j` and this machine's memory.
    pub fn new(jobs: usize) -> Self {
        let memory = memory::available().map(|bytes| bytes >> 20);
        Self { jobs, memory }
    }

    /// The most instances of a device: its `count`. Without one, `-j` for a model, which needs only its thread; for a
    /// jvm device `-j`, as far as the memory allows; 1 for others.
    pub fn of(&self, device: &Device) -> usize {
        match (device.count, &device.kind) {
            (Some(count), _) => count as usize,
            (None, DeviceKind::Sim(_)) => self.jobs,
            (None, DeviceKind::Jvm(_)) => {
                let carried = |all| (all / megabytes(device).max(1)) as usize;
                self.memory.map_or(1, carried).min(self.jobs).max(1)
            }
            (None, DeviceKind::Adb(_) | DeviceKind::Avd(_)) => 1,
        }
    }

    /// The instances of each group of devices of these sessions.
    pub fn groups<'a>(
        &self,
        sessions: impl IntoIterator<Item = &'a Session>,
    ) -> HashMap<String, usize> {
        let mut groups = HashMap::new();
        for session in sessions {
            let slots = self.of(&session.device);
            let group = groups
                .entry(group(&session.device).to_owned())
                .or_insert(slots);
            *group = slots.min(*group);
        }
        groups
    }

    /// How many of these sessions run side by side.
    pub fn at_once<'a>(&self, sessions: impl IntoIterator<Item = &'a Session> + Clone) -> usize {
        let devices = self
            .groups(sessions.clone())
            .values()
            .fold(0, |sum: usize, n| sum.saturating_add(*n));
        devices.min(self.started(sessions.into_iter().map(|one| one.seat)))
    }

    /// The most sessions that `-j` starts at once, by their numbers in groups: those of a group count as one.
    fn started(&self, seats: impl Iterator<Item = u32>) -> usize {
        let mut units: Vec<usize> = Vec::new();
        for seat in seats {
            match units.last_mut() {
                Some(sessions) if seat > 0 => *sessions += 1,
                _ => units.push(1),
            }
        }
        units.sort_unstable_by_key(|sessions| Reverse(*sessions));
        units.iter().take(self.jobs).sum()
    }

    /// Why a jvm device has as many instances as it has, in words; nothing for other devices and with a `count`.
    pub fn reason(&self, device: &Device) -> Option<String> {
        if group(device) != SHARED {
            return None;
        }
        let each = megabytes(device);
        Some(match self.memory {
            None => "the system does not report its memory; set `count`".to_owned(),
            Some(all) => format!(
                "-j {} and {all} MB of memory, {each} MB for each session",
                self.jobs
            ),
        })
    }
}

/// The devices that share instances with this one: those of the same name, or all that share the memory.
pub fn group(device: &Device) -> &str {
    match (device.count, &device.kind) {
        (None, DeviceKind::Jvm(_)) => SHARED,
        _ => &device.name,
    }
}

/// Memory of one session on a jvm device in MB: its Java heap, and what the process takes besides it at most (ApiDemos:
/// 1485 MB with a heap of 1024, docs/performance.md). 0 for others.
fn megabytes(device: &Device) -> u64 {
    match &device.kind {
        DeviceKind::Jvm(jvm) => u64::from(jvm.memory) + BESIDE_HEAP_MB,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn devices(more: &str) -> Vec<Device> {
        let text = format!("[[device]]\nname = \"a\"\nkind = \"jvm\"\n{more}");
        #[derive(serde::Deserialize)]
        struct Some {
            device: Vec<Device>,
        }
        toml::from_str::<Some>(&text).unwrap().device
    }

    #[test]
    fn a_jvm_device_follows_the_jobs_as_far_as_memory_allows() {
        let of = |jobs, memory, more: &str| Slots { jobs, memory }.of(&devices(more)[0]);
        assert_eq!(of(4, Some(20_000), ""), 4);
        assert_eq!(of(4, Some(3_100), ""), 2);
        assert_eq!(of(4, Some(3_100), "memory = 256"), 4);
        assert_eq!(of(4, Some(100), ""), 1);
        assert_eq!(of(4, None, ""), 1);
        // What the user chooses counts.
        assert_eq!(of(1, Some(100), "count = 3"), 3);
    }

    #[test]
    fn a_group_counts_as_one_of_the_jobs() {
        let started = |jobs, seats: &[u32]| {
            let slots = Slots { jobs, memory: None };
            slots.started(seats.iter().copied())
        };
        assert_eq!(started(2, &[0, 0, 0]), 2);
        assert_eq!(started(4, &[0, 0, 0]), 3);
        assert_eq!(started(1, &[0, 0, 1, 2, 0]), 3);
        assert_eq!(started(2, &[0, 1, 0, 1]), 4);
        assert_eq!(started(2, &[]), 0);
    }

    #[test]
    fn only_a_chosen_count_keeps_a_jvm_device_apart() {
        let all = devices(
            "[[device]]\nname = \"b\"\nkind = \"jvm\"\ncount = 2\n[[device]]\nname = \"c\"\nkind = \"sim\"\n",
        );
        assert_eq!(
            all.iter().map(group).collect::<Vec<_>>(),
            [SHARED, "b", "c"]
        );
        let slots = Slots {
            jobs: 2,
            memory: Some(2000),
        };
        let reason = slots.reason(&all[0]).unwrap();
        assert_eq!(
            reason,
            "-j 2 and 2000 MB of memory, 1504 MB for each session"
        );
        assert_eq!(slots.reason(&all[1]), None);
    }
}
