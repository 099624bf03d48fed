//! The questions of scripts on the terminal, one at a time.

use crate::explore::asks::{Asks, Question};
use crate::util::console::{Clean, Stream, write};
use crate::util::text::for_terminal;
use indicatif::{MultiProgress, ProgressDrawTarget};
use std::fmt;
use std::io::BufRead;
use std::sync::mpsc::{self, Receiver, TryRecvError};
use std::sync::{Arc, Mutex, TryLockError};
use std::thread;

/// Asks on the terminal.
pub struct Prompt {
    /// The live lines, which are not drawn while someone types.
    bars: Option<MultiProgress>,
    lines: Mutex<Lines>,
}

struct Lines {
    typed: Receiver<String>,
    /// Was the last question closed while someone may have been typing the answer?
    late: bool,
}

impl fmt::Debug for Prompt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Prompt")
    }
}

impl Prompt {
    /// Takes answers from these lines.
    pub fn new(bars: Option<MultiProgress>, answers: impl BufRead + Send + 'static) -> Self {
        let (sender, typed) = mpsc::channel();
        // It ends with the lines, with this prompt's next line or with the program: a read cannot be interrupted.
        thread::spawn(move || {
            for line in answers.lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        let late = false;
        Self {
            bars,
            lines: Mutex::new(Lines { typed, late }),
        }
    }
}

impl Lines {
    /// Takes a line as the answer; `false`: the question was closed elsewhere first.
    fn answer(&mut self, question: &Question) -> bool {
        // A line for the last question is no answer to this one.
        if std::mem::take(&mut self.late) {
            while self.typed.try_recv().is_ok() {}
        }
        loop {
            match self.typed.try_recv() {
                Ok(line) => {
                    let line = line.trim_end_matches('\r').to_owned();
                    return question.answer(Some(line).filter(|line| !line.is_empty()));
                }
                // The terminal is closed: it has no answer.
                Err(TryRecvError::Disconnected) => return true,
                Err(TryRecvError::Empty) if question.wait() => {}
                Err(TryRecvError::Empty) => {
                    self.late = true;
                    return false;
                }
            }
        }
    }
}

impl Asks for Prompt {
    fn ask(&self, question: &Arc<Question>) {
        // One question at a time.
        let mut lines = loop {
            match self.lines.try_lock() {
                Ok(lines) => break lines,
                Err(TryLockError::Poisoned(lines)) => break lines.into_inner(),
                Err(TryLockError::WouldBlock) if question.wait() => {}
                Err(TryLockError::WouldBlock) => return,
            }
        };
        if let Some(bars) = &self.bars {
            let _ = bars.clear();
            bars.set_draw_target(ProgressDrawTarget::hidden());
        }
        let (session, text) = (
            for_terminal(question.session()),
            for_terminal(question.text()),
        );
        let asked = format!("{session} asks: {text}\n(Enter alone: no answer) > ");
        // A closed stderr is not a reason to stop.
        let _ = write(Stream::Err, &Clean::plain(&asked));
        if !lines.answer(question) {
            let _ = write(
                Stream::Err,
                &Clean::plain("\n(closed without an answer here)\n"),
            );
        }
        if let Some(bars) = &self.bars {
            bars.set_draw_target(ProgressDrawTarget::stderr_with_hz(10));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explore::{Asking, Stop};
    use std::time::{Duration, Instant};

    fn asking(answers: impl BufRead + Send + 'static, stop: &Stop) -> Asking {
        let prompt = Arc::new(Prompt::new(None, answers));
        Asking::new("s".into(), vec![prompt], stop.clone())
    }

    #[test]
    fn each_question_takes_a_line_and_an_empty_one_is_no_answer() {
        let lines: &[u8] = b"4711 0815\r\n\n  x\n";
        let mut asking = asking(lines, &Stop::default());
        let answers: Vec<_> = (0..4).map(|_| asking.ask("code?")).collect();
        let wanted = [Some("4711 0815"), None, Some("  x"), None];
        assert_eq!(answers, wanted.map(|answer| answer.map(str::to_owned)));
    }

    #[test]
    fn an_interrupt_ends_the_wait() {
        let stop = Stop::default();
        let (reader, writer) = std::io::pipe().unwrap();
        let mut asking = asking(std::io::BufReader::new(reader), &stop);
        stop.request();
        assert_eq!(asking.ask("code?"), None);
        drop(writer);
    }

    /// Knows the answer at once.
    #[derive(Debug)]
    struct Page;

    impl Asks for Page {
        fn ask(&self, question: &Arc<Question>) {
            question.answer(Some("q7".to_owned()));
        }
    }

    #[test]
    fn a_line_that_comes_too_late_is_no_answer_to_the_next_question() {
        let (sender, typed) = mpsc::channel();
        let late = false;
        let prompt = Arc::new(Prompt {
            bars: None,
            lines: Mutex::new(Lines { typed, late }),
        });
        let stop = Stop::default();
        let places: Vec<Arc<dyn Asks>> = vec![prompt.clone(), Arc::new(Page)];
        let mut both = Asking::new("s".into(), places, stop.clone());
        assert_eq!(both.ask("code?").as_deref(), Some("q7"));
        sender.send("x4".to_owned()).unwrap();
        let soon = Instant::now() + Duration::from_millis(300);
        let mut alone = Asking::new("s".into(), vec![prompt], stop).until(Some(soon));
        assert_eq!(alone.ask("code?"), None);
    }
}
