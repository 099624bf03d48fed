//! Schedules sessions: in the plan's order, limited by the number of each device.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Condvar, Mutex, PoisonError};

/// Hands out sessions to workers.
#[derive(Debug)]
pub struct Pool {
    state: Mutex<State>,
    freed: Condvar,
}

#[derive(Debug)]
struct State {
    /// Sessions not yet taken, in reverse order, with the group of their device; those of a range run at once.
    waiting: Vec<(Range<usize>, String)>,
    free: HashMap<String, usize>,
}

/// A scheduled session, or several that run at once; dropping it frees their devices.
#[derive(Debug)]
pub struct Turn<'a> {
    pool: &'a Pool,
    /// Indices in the plan.
    pub sessions: Range<usize>,
    device: String,
}

impl Pool {
    /// A pool for sessions on these groups of devices, in order, those of a range at once; `free` counts the instances
    /// of each group, which are at least as many as run at once.
    pub fn new(
        sessions: impl IntoIterator<Item = (Range<usize>, String)>,
        free: HashMap<String, usize>,
    ) -> Self {
        let mut waiting: Vec<_> = sessions.into_iter().collect();
        waiting.reverse();
        Self {
            state: Mutex::new(State { waiting, free }),
            freed: Condvar::new(),
        }
    }

    /// The next session whose device is free, or group with free devices for all; waits for one. `None`: no session is
    /// left.
    pub fn next(&self) -> Option<Turn<'_>> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if state.waiting.is_empty() {
                return None;
            }
            let at = state.waiting.iter().rposition(|(sessions, device)| {
                state.free.get(device).is_none_or(|&n| n >= sessions.len())
            });
            if let Some(at) = at {
                let (sessions, device) = state.waiting.remove(at);
                if let Some(n) = state.free.get_mut(&device) {
                    *n -= sessions.len();
                }
                return Some(Turn {
                    pool: self,
                    sessions,
                    device,
                });
            }
            state = self
                .freed
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Cancels all sessions that have not started.
    pub fn cancel(&self) {
        self.state
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .waiting
            .clear();
        self.freed.notify_all();
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        let mut state = self
            .pool
            .state
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(n) = state.free.get_mut(&self.device) {
            *n += self.sessions.len();
        }
        self.pool.freed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn alone<const N: usize>(devices: [&str; N]) -> impl Iterator<Item = (Range<usize>, String)> {
        let devices = devices.map(str::to_owned).into_iter().enumerate();
        devices.map(|(at, device)| (at..at + 1, device))
    }

    #[test]
    fn a_busy_device_lets_the_next_session_pass() {
        let free = HashMap::from([("a".into(), 1), ("b".into(), 1)]);
        let pool = Pool::new(alone(["a", "a", "b"]), free);
        let first = pool.next().unwrap();
        let second = pool.next().unwrap();
        assert_eq!((&first.sessions, &second.sessions), (&(0..1), &(2..3)));
        drop(first);
        assert_eq!(pool.next().unwrap().sessions, 1..2);
        assert!(pool.next().is_none());
    }

    #[test]
    fn a_group_waits_for_all_its_devices_and_frees_them_together() {
        let units = [(0..1, "a"), (1..3, "a"), (3..4, "a")];
        let units = units.map(|(sessions, device)| (sessions, device.to_owned()));
        let pool = Pool::new(units, HashMap::from([("a".into(), 2)]));
        let first = pool.next().unwrap();
        assert_eq!(first.sessions, 0..1);
        // One device is free: too few for the group.
        let third = pool.next().unwrap();
        assert_eq!(third.sessions, 3..4);
        drop(first);
        drop(third);
        let group = pool.next().unwrap();
        assert_eq!(group.sessions, 1..3);
        drop(group);
        assert!(pool.next().is_none());
    }

    #[test]
    fn cancelling_leaves_nothing_to_do() {
        let pool = Pool::new(alone(["a"]), HashMap::new());
        pool.cancel();
        assert!(pool.next().is_none());
    }
}
