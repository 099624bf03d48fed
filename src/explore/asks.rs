//! The questions that scripts ask a person, and their answers.

use super::Stop;
use crate::util::redact;
use std::fmt;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// An interrupt or the end of the run's time ends the wait for an answer after this time at most.
const LOOK: Duration = Duration::from_millis(100);

/// A place where a person answers questions, such as the terminal. Sessions call it from their own threads.
pub trait Asks: fmt::Debug + Send + Sync {
    /// Shows the question while it is open, and gives it the person's answer. Returns when it is closed, or when no
    /// answer can come from this place any more.
    fn ask(&self, question: &Arc<Question>);
}

/// A question of a script. The first answer closes it, wherever it comes from.
pub struct Question {
    session: String,
    text: String,
    stop: Stop,
    until: Option<Instant>,
    answer: Mutex<Option<Option<String>>>,
    answered: Condvar,
}

/// Without the answer.
impl fmt::Debug for Question {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Question({:?})", self.text)
    }
}

impl Question {
    /// The session that asks.
    pub fn session(&self) -> &str {
        &self.session
    }

    /// The question, as the suite has it.
    pub fn text(&self) -> &str {
        &self.text
    }

    fn given(&self) -> MutexGuard<'_, Option<Option<String>>> {
        self.answer.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Closes the question with this answer; `None`: the person gives none. `false`: it was closed already, and this
    /// answer is dropped.
    pub fn answer(&self, answer: Option<String>) -> bool {
        let mut given = self.given();
        let first = given.is_none() && !self.is_too_late();
        if first {
            if let Some(answer) = &answer {
                redact::hide_from_now_on(answer);
            }
            *given = Some(answer);
            self.answered.notify_all();
        }
        first
    }

    fn is_too_late(&self) -> bool {
        let over = self.until.is_some_and(|until| Instant::now() >= until);
        over || self.stop.requested()
    }

    /// Waits a moment for an answer. Is it still open then?
    pub fn wait(&self) -> bool {
        let open = |given: &mut Option<Option<String>>| given.is_none();
        let waited = self.answered.wait_timeout_while(self.given(), LOOK, open);
        let given = waited.unwrap_or_else(PoisonError::into_inner).0;
        given.is_none() && !self.is_too_late()
    }
}

/// A session that may ask. What is answered is a secret from then on.
#[derive(Clone, Debug)]
pub struct Asking {
    session: String,
    asks: Vec<Arc<dyn Asks>>,
    stop: Stop,
    until: Option<Instant>,
    waited: Duration,
}

impl Asking {
    /// For a session of this name, in all these places at once. A question is closed when `stop` is requested.
    pub const fn new(session: String, asks: Vec<Arc<dyn Asks>>, stop: Stop) -> Self {
        Self {
            session,
            asks,
            stop,
            until: None,
            waited: Duration::ZERO,
        }
    }

    /// A question is also closed at this time.
    #[must_use]
    pub fn until(self, until: Option<Instant>) -> Self {
        Self { until, ..self }
    }

    /// Asks, and waits for the answer. `None`: there will be none, because the person gives none, the run ends or no
    /// place can take one any more.
    pub fn ask(&mut self, question: &str) -> Option<String> {
        let asked = Instant::now();
        let question = Arc::new(Question {
            session: self.session.clone(),
            text: question.to_owned(),
            stop: self.stop.clone(),
            until: self.until,
            answer: Mutex::default(),
            answered: Condvar::new(),
        });
        thread::scope(|scope| {
            for place in &self.asks {
                let ask = || place.ask(&question);
                // A place without a thread cannot answer; the others can.
                let _ = thread::Builder::new().spawn_scoped(scope, ask);
            }
        });
        self.waited += asked.elapsed();
        // From now on it is closed, also if nobody could answer.
        question.given().get_or_insert(None).clone()
    }

    /// How long the session has waited for answers since the last call.
    pub(super) fn take_waited(&mut self) -> Duration {
        std::mem::take(&mut self.waited)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Answers with its text once the other place has the question, or watches until it is closed.
    #[derive(Debug)]
    struct Place(Option<&'static str>, Mutex<Vec<bool>>);

    impl Asks for Place {
        fn ask(&self, question: &Arc<Question>) {
            match self.0 {
                Some(answer) => {
                    let first = question.answer(Some(answer.to_owned()));
                    let again = question.answer(Some("x9".to_owned()));
                    self.1.lock().unwrap().extend([first, again]);
                }
                None => while question.wait() {},
            }
        }
    }

    fn place(answer: Option<&'static str>) -> Arc<Place> {
        Arc::new(Place(answer, Mutex::default()))
    }

    #[test]
    fn the_first_answer_counts_and_closes_the_question_everywhere() {
        let (silent, quick) = (place(None), place(Some("q7")));
        let stop = Stop::default();
        let mut asking = Asking::new("s".into(), vec![silent, quick.clone()], stop);
        assert_eq!(asking.ask("code?").as_deref(), Some("q7"));
        assert_eq!(*quick.1.lock().unwrap(), [true, false]);
    }

    #[test]
    fn an_interrupt_and_the_end_of_the_time_end_the_wait() {
        let stop = Stop::default();
        let asking = Asking::new("s".into(), vec![place(None)], stop.clone());
        let mut late = asking.clone().until(Some(Instant::now()));
        assert_eq!(late.ask("code?"), None);
        stop.request();
        assert_eq!(asking.clone().ask("code?"), None);
        let mut deaf = Asking::new("s".into(), vec![place(Some("q7"))], stop);
        assert_eq!(deaf.ask("code?"), None, "too late");
    }
}
