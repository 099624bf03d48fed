//! The questions of scripts on the terminal, one at a time.

use crate::explore::{Asks, Stop};
use crate::util::console::{Clean, Stream, write};
use crate::util::text::for_terminal;
use indicatif::{MultiProgress, ProgressDrawTarget};
use std::fmt;
use std::io::BufRead;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// An interrupt ends the wait for an answer after this time at most.
const LOOK: Duration = Duration::from_millis(100);

/// Asks on the terminal.
pub struct Prompt {
    /// The live lines, which are not drawn while someone types.
    bars: Option<MultiProgress>,
    stop: Stop,
    lines: Mutex<Receiver<String>>,
}

impl fmt::Debug for Prompt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Prompt")
    }
}

impl Prompt {
    /// Takes answers from these lines.
    pub fn new(
        bars: Option<MultiProgress>,
        stop: Stop,
        answers: impl BufRead + Send + 'static,
    ) -> Self {
        let (sender, lines) = mpsc::channel();
        // It ends with the lines, with this prompt's next line or with the program: a read cannot be interrupted.
        thread::spawn(move || {
            for line in answers.lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        Self {
            bars,
            stop,
            lines: Mutex::new(lines),
        }
    }

    fn wait(&self, lines: &Receiver<String>) -> Option<String> {
        loop {
            match lines.recv_timeout(LOOK) {
                Ok(line) => return Some(line.trim_end_matches('\r').to_owned()),
                Err(RecvTimeoutError::Timeout) if !self.stop.requested() => {}
                Err(_) => return None,
            }
        }
    }
}

impl Asks for Prompt {
    fn ask(&self, session: &str, question: &str) -> Option<String> {
        let lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(bars) = &self.bars {
            let _ = bars.clear();
            bars.set_draw_target(ProgressDrawTarget::hidden());
        }
        let (session, question) = (for_terminal(session), for_terminal(question));
        let asked = format!("{session} asks: {question}\n(Enter alone: no answer) > ");
        // A closed stderr is not a reason to stop.
        let _ = write(Stream::Err, &Clean::plain(&asked));
        let answer = self.wait(&lines).filter(|answer| !answer.is_empty());
        if let Some(bars) = &self.bars {
            bars.set_draw_target(ProgressDrawTarget::stderr_with_hz(10));
        }
        answer
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_question_takes_a_line_and_an_empty_one_is_no_answer() {
        let lines: &[u8] = b"4711 0815\r\n\n  x\n";
        let prompt = Prompt::new(None, Stop::default(), lines);
        let answers: Vec<_> = (0..4).map(|_| prompt.ask("s", "code?")).collect();
        let wanted = [Some("4711 0815"), None, Some("  x"), None];
        assert_eq!(answers, wanted.map(|answer| answer.map(str::to_owned)));
    }

    #[test]
    fn an_interrupt_ends_the_wait() {
        let stop = Stop::default();
        let (reader, writer) = std::io::pipe().unwrap();
        let prompt = Prompt::new(None, stop.clone(), std::io::BufReader::new(reader));
        stop.request();
        assert_eq!(prompt.ask("s", "code?"), None);
        drop(writer);
    }
}
