//! Questions on the terminal, each with a default.

use crate::cli::Failure;
use crate::cli::args::Global;
use crate::cli::shell::{MessageFormat, Verbosity};
use crate::util::console::{self, Clean, Stream};
use std::io::{self, BufRead as _, IsTerminal as _};

/// Asks, or takes the defaults.
#[derive(Clone, Copy, Debug)]
pub struct Asker {
    asks: bool,
}

impl Asker {
    /// Asks where a person reads and types, unless `yes`.
    pub fn new(global: &Global, yes: bool) -> Self {
        let person = io::stdin().is_terminal() && io::stderr().is_terminal();
        let human = global.message_format == MessageFormat::Human;
        let asks = person && human && !yes && global.verbosity() > Verbosity::Quiet;
        Self { asks }
    }

    /// The value of a flag, else the answer; an empty one is the default.
    ///
    /// # Errors
    /// The input ends.
    pub fn choose<T>(
        self,
        given: Option<T>,
        question: &str,
        default: (&str, T),
        read: impl Fn(&str) -> Result<T, String>,
    ) -> Result<T, Failure> {
        if let Some(given) = given {
            return Ok(given);
        }
        let (shown, default) = default;
        if !self.asks {
            return Ok(default);
        }
        loop {
            console::write(
                Stream::Err,
                &Clean::plain(&format!("{question} [{shown}]: ")),
            )?;
            let mut line = String::new();
            if io::stdin().lock().read_line(&mut line)? == 0 {
                return Err(Failure::Interrupted);
            }
            match line.trim() {
                "" => return Ok(default),
                answer => match read(answer) {
                    Ok(value) => return Ok(value),
                    Err(why) => console::write(Stream::Err, &Clean::plain(&format!("{why}\n")))?,
                },
            }
        }
    }

    /// The same for yes or no.
    ///
    /// # Errors
    /// The input ends.
    pub fn agree(self, given: Option<bool>, question: &str) -> Result<bool, Failure> {
        self.choose(given, question, ("yes", true), |answer| {
            match answer.to_ascii_lowercase().as_str() {
                "y" | "yes" => Ok(true),
                "n" | "no" => Ok(false),
                _ => Err("answer yes or no".to_owned()),
            }
        })
    }
}
