//! What is reported to the person at the terminal, in cargo-nextest's manner:
//! results on stdout, and on stderr lines that start with a status word,
//! right-aligned in 12 columns.

use std::io::{self, IsTerminal as _};

use clap::ValueEnum;
use miette::{GraphicalReportHandler, GraphicalTheme};
use serde_json::json;

use crate::config::Problems;
use crate::report::console::Paint;
pub use crate::report::console::Verbosity;
use crate::util::console::{self, Clean, Stream};

/// When to use colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal, unless `NO_COLOR` is set.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// The output format.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum MessageFormat {
    /// Text for people.
    #[default]
    Human,
    /// JSON for programs.
    Json,
}

/// The terminal.
#[derive(Clone, Copy, Debug)]
pub struct Shell {
    color: Color,
    format: MessageFormat,
    verbosity: Verbosity,
}

const GREEN: &str = "\x1b[32;1m";
const YELLOW: &str = "\x1b[33;1m";
const RED: &str = "\x1b[31;1m";
const RESET: &str = "\x1b[0m";

impl Shell {
    /// A terminal with these choices.
    pub fn new(color: Color, format: MessageFormat, verbosity: Verbosity) -> Self {
        Self {
            color,
            format,
            verbosity,
        }
    }

    /// The output format.
    pub fn format(&self) -> MessageFormat {
        self.format
    }

    /// The verbosity.
    pub fn verbosity(&self) -> Verbosity {
        self.verbosity
    }

    /// Whether stderr is coloured.
    pub fn color(&self) -> bool {
        self.wants_color(io::stderr().is_terminal())
    }

    /// How status lines are written on stderr.
    pub fn paint(&self) -> Paint {
        Paint {
            color: self.color(),
        }
    }

    /// How status lines are written on stdout.
    pub fn paint_stdout(&self) -> Paint {
        Paint {
            color: self.color_stdout(),
        }
    }

    /// Whether stdout is coloured.
    pub fn color_stdout(&self) -> bool {
        self.wants_color(io::stdout().is_terminal())
    }

    fn wants_color(&self, terminal: bool) -> bool {
        let no_color = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        match self.color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => terminal && !no_color,
        }
    }

    /// Prints what is being done.
    pub fn status(&self, word: &str, message: &str) {
        if self.verbosity > Verbosity::Quiet {
            self.line(GREEN, word, message);
        }
    }

    /// Prints what a person needs to go on, with `-q` too.
    pub fn always(&self, word: &str, message: &str) {
        self.line(GREEN, word, message);
    }

    /// Prints a warning.
    pub fn warn(&self, message: &str) {
        self.line(YELLOW, "warning", message);
    }

    /// Warns of each, a line each.
    pub fn notices(&self, notices: &[String]) {
        for notice in notices {
            self.warn(notice);
        }
    }

    /// Prints an error.
    pub fn error(&self, message: &str) {
        self.line(RED, "error", message);
    }

    fn line(&self, color: &str, word: &str, message: &str) {
        let line = if self.format == MessageFormat::Json {
            let message = json!({ "level": word, "message": message });
            Clean::json(&format!("{message}\n"))
        } else if self.color() {
            let message = without_colours(message);
            Clean::painted(&format!("{color}{word:>12}{RESET} {message}\n"))
        } else {
            Clean::plain(&format!("{word:>12} {message}\n"))
        };
        say(&line);
    }

    /// Prints the problems of a suite.
    pub fn problems(&self, problems: &Problems) {
        let mut text = String::new();
        for (index, problem) in problems.iter().enumerate() {
            if index > 0 && self.format == MessageFormat::Human {
                text.push('\n');
            }
            if self.format == MessageFormat::Json {
                text += &format!("{}\n", problem.to_json());
                continue;
            }
            text += &render(problem, self.color());
        }
        self.write_rendered(&text);
    }

    /// Writes rendered text: problems, and lines with colours.
    pub fn write_rendered(&self, text: &str) {
        say(&match self.format {
            MessageFormat::Json => Clean::json(text),
            MessageFormat::Human if self.color() => Clean::painted(text),
            MessageFormat::Human => Clean::plain(text),
        });
    }

    /// Writes annotations: escaped commands to GitHub's runner, which reads both streams. JSON keeps stdout to itself.
    pub fn annotate(&self, commands: &str) -> io::Result<()> {
        let commands = Clean::own(commands);
        match self.format {
            MessageFormat::Human => print(&commands),
            MessageFormat::Json => {
                say(&commands);
                Ok(())
            }
        }
    }

    /// Writes a result to stdout, in the selected format.
    pub fn print(&self, text: &str) -> io::Result<()> {
        print(&match self.format {
            MessageFormat::Json => Clean::json(text),
            MessageFormat::Human if self.color_stdout() => Clean::painted(text),
            MessageFormat::Human => Clean::plain(text),
        })
    }
}

/// A closed stderr is not a reason to stop.
fn say(text: &Clean) {
    let _ = console::write(Stream::Err, text);
}

fn without_colours(message: &str) -> String {
    message.replace('\x1b', " ")
}

/// A problem as text, with the lines that caused it.
pub fn render(problem: &dyn miette::Diagnostic, color: bool) -> String {
    let theme = if color {
        GraphicalTheme::unicode()
    } else {
        GraphicalTheme::unicode_nocolor()
    };
    let mut text = String::new();
    let _ = GraphicalReportHandler::new_themed(theme)
        .with_links(false)
        .with_width(100)
        .render_report(&mut text, problem);
    text
}

/// Writes a result to stdout. A reader that has gone away (`| head`) is fine.
pub fn print(text: &Clean) -> io::Result<()> {
    match console::write(Stream::Out, text) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}
