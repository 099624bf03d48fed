//! Workers: each takes sessions until none is left. Sessions of a group run at once, each in a thread of its own.

use super::{Ended, Run};
use crate::explore::group::Seat;
use crate::outcome::run_event::EndReason;
use crate::run::failed::{SessionFailed, guarded};
use crate::run::pool::Pool;
use std::sync::Mutex;
use std::thread;
use std::time::Instant;

impl Run<'_> {
    /// Takes sessions from the pool until none is left.
    pub(super) fn work(&self, pool: &Pool, ended: &Mutex<Vec<Ended>>) {
        while let Some(turn) = pool.next() {
            if self.stop.requested() {
                pool.cancel();
                break;
            }
            let is_open = |ix: &usize| !matches!(&ended.lock(), Ok(ended) if ended[*ix].is_some());
            let open: Vec<usize> = turn.sessions.clone().filter(is_open).collect();
            match open[..] {
                [one] => self.one(one, None, ended),
                _ => self.together(&open, ended),
            }
        }
    }

    fn together(&self, sessions: &[usize], ended: &Mutex<Vec<Ended>>) {
        thread::scope(|scope| {
            for (ix, seat) in sessions.iter().copied().zip(Seat::group(sessions.len())) {
                let named = thread::Builder::new().name(format!("session-{ix}"));
                let started = named.spawn_scoped(scope, move || self.one(ix, Some(seat), ended));
                if let Err(e) = started {
                    let why = format!("cannot start a thread for it: {e}");
                    self.finish(ix, Err(SessionFailed::Device(why)), ended);
                }
            }
        });
    }

    fn one(&self, ix: usize, seat: Option<super::OfGroup>, ended: &Mutex<Vec<Ended>>) {
        // The next call of the bench runs it.
        if self.last_start.is_some_and(|last| Instant::now() >= last) {
            return;
        }
        let share = match &self.pot {
            Some(pot) => match pot.start(ix) {
                Some(share) => Some(share),
                // The others wait for nothing.
                None => return,
            },
            None => None,
        };
        let done = guarded(|| self.session(ix, share.as_ref(), seat));
        self.finish(ix, done, ended);
    }

    fn finish(&self, ix: usize, done: Result<EndReason, SessionFailed>, ended: &Mutex<Vec<Ended>>) {
        if let Err(failed) = &done {
            self.keep_failure(ix, failed);
        }
        let words = done.as_ref().map_err(ToString::to_string);
        self.observer
            .ended(ix, words.as_ref().map(|r| **r).map_err(String::as_str));
        if let Ok(mut ended) = ended.lock() {
            ended[ix] = Some(done);
        }
    }
}
