//! A person takes over a session: pauses it, acts on the page that is shown, and lets the strategy go on (Dynodroid's
//! human mode, Machiry et al., FSE 2013, section 3.2; here the person's events are recorded).

use super::lower::widget_at;
use crate::device::key;
use crate::gui::{EventKind, ExactId, Page, SystemEvent};
use crate::outcome::run_event::{Input, RawInput};
use crate::step::Decision;
use serde::Deserialize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Longest wait for the session to perform a person's event.
const PATIENCE: Duration = Duration::from_secs(90);
/// Longest text that a person types, in bytes.
const LONGEST: usize = 4096;

/// What a person does on the page that is shown.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "do", deny_unknown_fields)]
pub enum Act {
    /// A click at this pixel.
    Click {
        /// From the left.
        x: i32,
        /// From the top.
        y: i32,
    },
    /// A long click at this pixel.
    LongClick {
        /// From the left.
        x: i32,
        /// From the top.
        y: i32,
    },
    /// A text for the field at this pixel.
    Type {
        /// From the left.
        x: i32,
        /// From the top.
        y: i32,
        /// The text.
        text: String,
        /// Is the field's editor action performed behind it?
        #[serde(default)]
        enter: bool,
    },
    /// The back key.
    Back,
    /// Turns the screen.
    Rotate,
}

/// Why a person's event is not performed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Refused {
    /// The strategy is in control.
    #[error("the session is not paused: pause it first")]
    NotPaused,
    /// The session has ended.
    #[error("the session has ended")]
    Over,
    /// Another event is being performed.
    #[error("the previous event is still being performed")]
    Busy,
    /// The page that the person saw is no longer shown.
    #[error("the screen has changed since: look at it again")]
    Changed,
    /// The pixel is not on the screen.
    #[error("({x}, {y}) is outside the screen of {width} x {height} pixels")]
    #[allow(missing_docs)]
    Outside {
        x: i32,
        y: i32,
        width: i32,
        height: i32,
    },
    /// No widget there takes it.
    #[error("nothing at this place takes a {0}")]
    Nothing(&'static str),
    /// The text is too long.
    #[error("the text has more than {LONGEST} bytes")]
    TooLong,
    /// The device does not answer.
    #[error("the device has not answered for {} s; the event may still be performed", PATIENCE.as_secs())]
    Slow,
}

impl Act {
    /// What it is on this page.
    ///
    /// # Errors
    /// The place is outside the screen, nothing there takes it, or the text is too long.
    pub fn decision(&self, page: &Page) -> Result<Decision, Refused> {
        match self {
            Self::Click { x, y } => {
                let takes = |kind| matches!(kind, EventKind::Click | EventKind::Point);
                let (x, y) = (*x, *y);
                Ok(match event_at(page, (x, y), takes)? {
                    Some(event) => {
                        let drawn = page.events[event].kind == EventKind::Point;
                        let input = drawn.then_some(Input::Point(x, y));
                        Decision::Perform { event, input }
                    }
                    None => Decision::Raw(RawInput::Tap { x, y }),
                })
            }
            Self::LongClick { x, y } => {
                let event = event_at(page, (*x, *y), |kind| kind == EventKind::LongClick)?;
                let event = event.ok_or(Refused::Nothing("long click"))?;
                Ok(Decision::Perform { event, input: None })
            }
            Self::Type { text, .. } if text.len() > LONGEST => Err(Refused::TooLong),
            Self::Type { x, y, text, enter } => {
                let event = event_at(page, (*x, *y), |kind| kind == EventKind::Text)?;
                let event = event.ok_or(Refused::Nothing("text"))?;
                let (s, enter) = (text.clone(), *enter);
                let input = Some(Input::Text { s, enter });
                Ok(Decision::Perform { event, input })
            }
            Self::Back => {
                let back = page.events.iter().position(|e| e.kind == EventKind::Back);
                let pressed = Decision::Raw(RawInput::Key { code: key::BACK });
                Ok(back.map_or(pressed, |event| Decision::Perform { event, input: None }))
            }
            Self::Rotate => Ok(Decision::System(SystemEvent::Rotate)),
        }
    }
}

/// The event of such a kind of the topmost widget at this pixel, else of the closest widget around it.
fn event_at(
    page: &Page,
    (x, y): (i32, i32),
    takes: impl Fn(EventKind) -> bool,
) -> Result<Option<usize>, Refused> {
    let (width, height) = page.screen;
    if !(0..width).contains(&x) || !(0..height).contains(&y) {
        return Err(Refused::Outside {
            x,
            y,
            width,
            height,
        });
    }
    let parent = |n: &u32| page.widgets.get(*n as usize)?.parent;
    let mut around = std::iter::successors(widget_at(page, x, y), parent);
    Ok(around.find_map(|n| {
        let mut events = page.events.iter();
        events.position(|event| event.widget == Some(n) && takes(event.kind))
    }))
}

/// Who is in control of a session.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Control {
    /// The strategy.
    #[default]
    Strategy,
    /// A person has asked for it; the event that is under way ends first.
    Asked,
    /// A person.
    Person,
    /// A person, whose event is being performed.
    Acting,
    /// The session has ended.
    Over,
}

/// What a session that is held does next.
pub(super) enum Next {
    /// It goes on; with `once`, until the strategy has had one more event.
    Resume { once: bool },
    /// It performs this on the page that was seen.
    Act(Act, ExactId),
    /// It waits.
    Wait,
}

#[derive(Debug, Default)]
struct State {
    control: Control,
    once: bool,
    /// An event that the session has not taken yet.
    asked: Option<(Act, ExactId)>,
    /// Does a person wait for an answer?
    waiting: bool,
    answer: Option<Result<(), Refused>>,
    /// Is an event still being performed whose answer no one waits for?
    late: bool,
}

impl State {
    /// Is a person's event under way?
    const fn is_busy(&self) -> bool {
        self.waiting || self.late
    }
}

/// A session's control, shared by the session and those who watch it.
#[derive(Debug)]
pub struct Hand {
    state: Mutex<State>,
    changed: Condvar,
    /// Is the session to pause? What a session asks before each event, without the lock.
    holds: AtomicBool,
    /// How many watch it.
    watchers: AtomicUsize,
    picture: PathBuf,
}

impl Hand {
    /// In control from the start if `paused`; pictures of the screen are written to the file `picture`.
    pub fn new(paused: bool, picture: PathBuf) -> Self {
        let control = match paused {
            true => Control::Asked,
            false => Control::Strategy,
        };
        Self {
            state: Mutex::new(State {
                control,
                ..State::default()
            }),
            changed: Condvar::new(),
            holds: AtomicBool::new(paused),
            watchers: AtomicUsize::new(0),
            picture,
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Who is in control.
    pub fn control(&self) -> Control {
        let state = self.state();
        match state.control {
            Control::Person if state.is_busy() => Control::Acting,
            control => control,
        }
    }

    /// Where the picture of the screen is.
    pub fn picture(&self) -> &Path {
        &self.picture
    }

    /// One more watches, or one fewer.
    pub fn watch(&self, more: bool) {
        match more {
            true => self.watchers.fetch_add(1, Ordering::Relaxed),
            false => self.watchers.fetch_sub(1, Ordering::Relaxed),
        };
    }

    /// Does anyone watch?
    pub fn is_watched(&self) -> bool {
        self.watchers.load(Ordering::Relaxed) > 0
    }

    /// Asks the session to pause before its next event.
    ///
    /// # Errors
    /// The session has ended.
    pub fn pause(&self) -> Result<(), Refused> {
        let mut state = self.state();
        match state.control {
            Control::Over => return Err(Refused::Over),
            Control::Strategy => state.control = Control::Asked,
            Control::Asked | Control::Person | Control::Acting => {}
        }
        self.holds.store(true, Ordering::Relaxed);
        Ok(())
    }

    /// Gives control back to the strategy; with `once`, for one event.
    ///
    /// # Errors
    /// The session is not paused, performs a person's event or has ended.
    pub fn resume(&self, once: bool) -> Result<(), Refused> {
        let mut state = self.state();
        match state.control {
            Control::Over => return Err(Refused::Over),
            Control::Strategy => return Err(Refused::NotPaused),
            _ if state.waiting => return Err(Refused::Busy),
            Control::Asked | Control::Person | Control::Acting => {}
        }
        (state.control, state.once) = match once {
            true => (Control::Asked, true),
            false => (Control::Strategy, false),
        };
        self.holds.store(once, Ordering::Relaxed);
        self.changed.notify_all();
        Ok(())
    }

    /// Performs an event on the page `seen`, and waits until it is done.
    ///
    /// # Errors
    /// The session is not paused, shows another page, or nothing there takes the event.
    pub fn act(&self, act: Act, seen: ExactId) -> Result<(), Refused> {
        let mut state = self.state();
        match state.control {
            Control::Over => return Err(Refused::Over),
            Control::Strategy | Control::Asked => return Err(Refused::NotPaused),
            _ if state.is_busy() => return Err(Refused::Busy),
            Control::Person | Control::Acting => {}
        }
        (state.asked, state.waiting) = (Some((act, seen)), true);
        self.changed.notify_all();
        let until = Instant::now() + PATIENCE;
        loop {
            if let Some(answer) = state.answer.take() {
                (state.waiting, state.asked) = (false, None);
                return answer;
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                state.late = state.asked.is_none();
                (state.waiting, state.asked) = (false, None);
                return Err(Refused::Slow);
            }
            let waited = self.changed.wait_timeout(state, left);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Is the session to pause?
    pub(super) fn holds(&self) -> bool {
        self.holds.load(Ordering::Relaxed)
    }

    /// The session has paused; `false`: it is no longer to pause.
    pub(super) fn take(&self) -> bool {
        let mut state = self.state();
        let asked = state.control == Control::Asked;
        if asked {
            state.control = Control::Person;
        }
        asked
    }

    /// What a paused session does next, after at most so long.
    pub(super) fn next(&self, patience: Duration) -> Next {
        let idle = |state: &mut State| state.control == Control::Person && state.asked.is_none();
        let waited = self
            .changed
            .wait_timeout_while(self.state(), patience, idle);
        let mut state = waited.unwrap_or_else(PoisonError::into_inner).0;
        if state.control != Control::Person {
            let once = std::mem::take(&mut state.once);
            return Next::Resume { once };
        }
        match state.asked.take() {
            Some((act, seen)) => Next::Act(act, seen),
            None => Next::Wait,
        }
    }

    /// What became of the event that the session took last.
    pub(super) fn answer(&self, answer: Result<(), Refused>) {
        let mut state = self.state();
        // Whoever asked may have given up.
        if !std::mem::take(&mut state.late) {
            state.answer = state.waiting.then_some(answer);
        }
        self.changed.notify_all();
    }

    /// The session has ended.
    pub fn end(&self) {
        let mut state = self.state();
        state.control = Control::Over;
        state.answer = state.waiting.then_some(Err(Refused::Over));
        self.holds.store(false, Ordering::Relaxed);
        self.changed.notify_all();
    }
}

#[cfg(test)]
#[path = "hand_tests.rs"]
mod tests;
