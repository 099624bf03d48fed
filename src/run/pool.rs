//! Schedules sessions: in the plan's order, limited by the number of each device.

use std::collections::HashMap;
use std::sync::{Condvar, Mutex, PoisonError};

/// Hands out sessions to workers.
#[derive(Debug)]
pub struct Pool {
    state: Mutex<State>,
    freed: Condvar,
}

#[derive(Debug)]
struct State {
    /// Sessions not yet taken, in reverse order, with the group of their device.
    waiting: Vec<(usize, String)>,
    free: HashMap<String, usize>,
}

/// A scheduled session; dropping it frees the device.
#[derive(Debug)]
pub struct Turn<'a> {
    pool: &'a Pool,
    /// Index in the plan.
    pub session: usize,
    device: String,
}

impl Pool {
    /// A pool for sessions on these groups of devices, in order; `free` counts the instances of each group.
    pub fn new(sessions: impl IntoIterator<Item = String>, free: HashMap<String, usize>) -> Self {
        let mut waiting: Vec<_> = sessions.into_iter().enumerate().collect();
        waiting.reverse();
        Self {
            state: Mutex::new(State { waiting, free }),
            freed: Condvar::new(),
        }
    }

    /// The next session whose device is free; waits for one. `None`: no session is left.
    pub fn next(&self) -> Option<Turn<'_>> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if state.waiting.is_empty() {
                return None;
            }
            let at = state
                .waiting
                .iter()
                .rposition(|(_, device)| state.free.get(device).is_none_or(|&n| n > 0));
            if let Some(at) = at {
                let (session, device) = state.waiting.remove(at);
                if let Some(n) = state.free.get_mut(&device) {
                    *n -= 1;
                }
                return Some(Turn {
                    pool: self,
                    session,
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
            *n += 1;
        }
        self.pool.freed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_busy_device_lets_the_next_session_pass() {
        let names = ["a", "a", "b"].map(str::to_owned);
        let pool = Pool::new(names, HashMap::from([("a".into(), 1), ("b".into(), 1)]));
        let first = pool.next().unwrap();
        let second = pool.next().unwrap();
        assert_eq!((first.session, second.session), (0, 2));
        drop(first);
        assert_eq!(pool.next().unwrap().session, 1);
        assert!(pool.next().is_none());
    }

    #[test]
    fn cancelling_leaves_nothing_to_do() {
        let pool = Pool::new(["a".to_owned()], HashMap::new());
        pool.cancel();
        assert!(pool.next().is_none());
    }
}
