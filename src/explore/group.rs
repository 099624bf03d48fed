//! Sessions that run side by side and meet from time to time: each gives something, and gets what all gave.

use super::Stop;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How often a session that waits looks whether the user wants to stop.
const LOOK: Duration = Duration::from_millis(100);

/// What each session gave, in their order; nothing from one that has left.
pub type Given<T> = Arc<Vec<Option<T>>>;

#[derive(Debug)]
struct State<T> {
    here: Vec<bool>,
    given: Vec<Option<T>>,
    /// Meetings that are over, and what was given in the last one.
    meetings: u64,
    last: Given<T>,
}

#[derive(Debug)]
struct Group<T> {
    state: Mutex<State<T>>,
    over: Condvar,
}

/// The place of a session in its group. Dropping it leaves the group: the others wait for it no longer.
#[derive(Debug)]
pub struct Seat<T> {
    group: Arc<Group<T>>,
    at: usize,
}

impl<T> Seat<T> {
    /// The places of a new group, in order.
    pub fn group(sessions: usize) -> Vec<Self> {
        let none = || (0..sessions).map(|_| None).collect();
        let group = Arc::new(Group {
            state: Mutex::new(State {
                here: vec![true; sessions],
                given: none(),
                meetings: 0,
                last: Arc::new(none()),
            }),
            over: Condvar::new(),
        });
        let seat = |at| Self {
            group: Arc::clone(&group),
            at,
        };
        (0..sessions).map(seat).collect()
    }

    /// The session's number in the group, from 0.
    pub const fn number(&self) -> usize {
        self.at
    }

    /// Waits until every session of the group is at this meeting or has left, and returns what they gave. Those that do
    /// not come within `patience` are left out from then on. `None`: this session has been left out, or the user stops it.
    pub fn meet(&self, gift: T, patience: Option<Duration>, stop: &Stop) -> Option<Given<T>> {
        let came = Instant::now();
        let mut state = self.state();
        if !state.here[self.at] {
            return None;
        }
        state.given[self.at] = Some(gift);
        let meeting = state.meetings;
        self.conclude(&mut state);
        while state.meetings == meeting {
            if stop.requested() {
                self.leave(&mut state);
                return None;
            }
            if patience.is_some_and(|patience| came.elapsed() >= patience) {
                let State { here, given, .. } = &mut *state;
                for (here, given) in here.iter_mut().zip(given) {
                    *here &= given.is_some();
                }
                self.conclude(&mut state);
                continue;
            }
            let waited = self.group.over.wait_timeout(state, LOOK);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        Some(Arc::clone(&state.last))
    }

    fn state(&self) -> MutexGuard<'_, State<T>> {
        let state = self.group.state.lock();
        state.unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends the meeting if all have come.
    fn conclude(&self, state: &mut State<T>) {
        let mut all = state.here.iter().zip(&state.given);
        if all.all(|(here, given)| !here || given.is_some()) {
            let none = state.given.iter().map(|_| None).collect();
            state.last = Arc::new(std::mem::replace(&mut state.given, none));
            state.meetings += 1;
            self.group.over.notify_all();
        }
    }

    fn leave(&self, state: &mut State<T>) {
        state.here[self.at] = false;
        state.given[self.at] = None;
        if state.here.contains(&true) {
            self.conclude(state);
        }
    }
}

impl<T> Drop for Seat<T> {
    fn drop(&mut self) {
        self.leave(&mut self.state());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    #[test]
    fn all_get_what_all_gave_in_their_order_whoever_comes_first() {
        let seats = Seat::group(3);
        thread::scope(|scope| {
            for seat in &seats {
                scope.spawn(move || {
                    for round in 0..50 {
                        thread::sleep(Duration::from_micros(100 * (seat.at as u64 * 7 % 3)));
                        let given = seat.meet(round * 10 + seat.at, None, &Stop::default());
                        let all: Vec<_> = given.unwrap().iter().flatten().copied().collect();
                        assert_eq!(all, [round * 10, round * 10 + 1, round * 10 + 2]);
                    }
                });
            }
        });
    }

    #[test]
    fn nothing_is_awaited_of_one_that_has_left() {
        let mut seats = Seat::group(3);
        let lost = seats.remove(1);
        thread::scope(|scope| {
            let met = seats.iter().map(|seat| {
                scope.spawn(move || seat.meet(seat.at, None, &Stop::default()).unwrap())
            });
            let met: Vec<_> = met.collect();
            drop(lost);
            for one in met {
                assert_eq!(*one.join().unwrap(), [Some(0), None, Some(2)]);
            }
        });
    }

    #[test]
    fn one_that_does_not_come_in_time_is_left_out() {
        let seats = Seat::group(2);
        let soon = Some(Duration::from_millis(1));
        let met = seats[0].meet('a', soon, &Stop::default()).unwrap();
        assert_eq!(*met, [Some('a'), None]);
        assert!(seats[1].meet('b', soon, &Stop::default()).is_none());
        // No other session is awaited.
        let met = seats[0].meet('c', None, &Stop::default()).unwrap();
        assert_eq!(*met, [Some('c'), None]);
    }

    #[test]
    fn the_user_ends_a_wait() {
        let seats = Seat::group(2);
        let stop = Stop::default();
        stop.request();
        assert!(seats[0].meet((), None, &stop).is_none());
    }
}
