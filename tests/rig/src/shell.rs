//! The device's shell: words and quotes as mksh reads them, `;`, `&&`, `||`, `|`, redirection, variables before a
//! command. Commands are in [`crate::commands`].

use crate::commands::{self, Call};
use crate::files::File;
use crate::phone::Phone;
use crate::pipe::lock;
use crate::services::Outputs;
use std::io;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// A shell's exit code after SIGHUP.
const HUNG_UP: i32 = 129;

/// Runs a line; gives the last command's exit code.
pub fn run(phone: &Arc<Phone>, line: &str, outputs: &mut dyn Outputs) -> i32 {
    run_with(phone, line, &[], outputs)
}

/// Runs a line whose first command reads `input`.
pub fn run_with(phone: &Arc<Phone>, line: &str, input: &[u8], outputs: &mut dyn Outputs) -> i32 {
    let mut last = 0;
    let mut before = Joint::Always;
    for part in parse(line) {
        let go = match before {
            Joint::Always => true,
            Joint::IfDone => last == 0,
            Joint::IfFailed => last != 0,
        };
        before = part.then;
        if !go {
            continue;
        }
        let mut input = input.to_vec();
        let count = part.stages.len();
        for (ix, stage) in part.stages.into_iter().enumerate() {
            let words = stage
                .words
                .iter()
                .map(|w| w.replace("$?", &last.to_string()))
                .collect();
            let kept = ix + 1 < count || stage.to.is_some();
            let mut tap = Tap {
                kept: kept.then(Vec::new),
                merge: stage.merge,
                drop_errors: stage.drop_errors,
                to: outputs,
            };
            if is_cut_off(phone, &tap) {
                return HUNG_UP;
            }
            last = command(phone, words, &input, &mut tap);
            let kept = tap.kept.take().unwrap_or_default();
            if let Some((name, append)) = stage.to {
                last = redirect(phone, &name, append, kept, outputs, last);
                input = Vec::new();
            } else {
                input = kept;
            }
        }
        if outputs.is_closed() {
            break;
        }
    }
    last
}

/// Takes a slow shell's time. A shell whose connection ends is hung up on, with what it would still have done.
fn is_cut_off(phone: &Phone, outputs: &dyn Outputs) -> bool {
    let until =
        Instant::now() + Duration::from_millis(phone.shell_delay_ms.load(Ordering::Relaxed));
    loop {
        if outputs.is_closed() {
            return true;
        }
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return false;
        }
        std::thread::sleep(left.min(Duration::from_millis(5)));
    }
}

fn command(
    phone: &Arc<Phone>,
    mut words: Vec<String>,
    input: &[u8],
    outputs: &mut dyn Outputs,
) -> i32 {
    let mut variables = Vec::new();
    while words.first().is_some_and(|w| {
        w.find('=').is_some_and(|at| {
            at > 0
                && w[..at]
                    .chars()
                    .all(|c| c.is_ascii_alphanumeric() || c == '_')
        })
    }) {
        let word = words.remove(0);
        let (name, value) = word.split_once('=').unwrap_or((&word, ""));
        variables.push((name.to_owned(), value.to_owned()));
    }
    if words.first().is_some_and(|w| w == "exec") {
        words.remove(0);
    }
    if words.is_empty() {
        return 0;
    }
    commands::run(&mut Call {
        phone,
        words: &words,
        variables: &variables,
        input,
        outputs,
    })
}

fn redirect(
    phone: &Phone,
    name: &str,
    append: bool,
    data: Vec<u8>,
    outputs: &mut dyn Outputs,
    last: i32,
) -> i32 {
    if name == "/dev/null" {
        return last;
    }
    let mut files = lock(&phone.files);
    let mut whole = if append {
        files.get(name).map(|f| f.data.clone()).unwrap_or_default()
    } else {
        Vec::new()
    };
    whole.extend(data);
    match files.write(
        name,
        File {
            mode: 0o100_666,
            time: 0,
            data: whole,
        },
    ) {
        Ok(()) => last,
        Err(why) => {
            let _ = outputs.err(format!("/system/bin/sh: can't create {name}: {why}\n").as_bytes());
            1
        }
    }
}

/// One command's outputs, kept for a pipe or file or passed on.
struct Tap<'a> {
    kept: Option<Vec<u8>>,
    merge: bool,
    drop_errors: bool,
    to: &'a mut dyn Outputs,
}

impl Outputs for Tap<'_> {
    fn out(&mut self, bytes: &[u8]) -> io::Result<()> {
        match &mut self.kept {
            Some(kept) => {
                kept.extend_from_slice(bytes);
                Ok(())
            }
            None => self.to.out(bytes),
        }
    }

    fn err(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.drop_errors {
            Ok(())
        } else if self.merge {
            self.out(bytes)
        } else {
            self.to.err(bytes)
        }
    }

    fn is_closed(&self) -> bool {
        self.to.is_closed()
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Joint {
    Always,
    IfDone,
    IfFailed,
}

#[derive(Debug, Default)]
struct Stage {
    words: Vec<String>,
    to: Option<(String, bool)>,
    merge: bool,
    drop_errors: bool,
}

#[derive(Debug)]
struct Part {
    stages: Vec<Stage>,
    then: Joint,
}

/// A word, or an operator outside of quotes.
#[derive(Debug, PartialEq)]
enum Token {
    Word(String),
    Operator(String),
}

fn tokens(line: &str) -> Vec<Token> {
    let mut found = Vec::new();
    let mut word: Option<String> = None;
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\'' => {
                let word = word.get_or_insert_default();
                word.extend(chars.by_ref().take_while(|c| *c != '\''));
            }
            '"' => {
                let word = word.get_or_insert_default();
                while let Some(c) = chars.next() {
                    match c {
                        '"' => break,
                        '\\' => word.extend(chars.next()),
                        c => word.push(c),
                    }
                }
            }
            '\\' => word.get_or_insert_default().extend(chars.next()),
            c if c.is_whitespace() => {
                found.extend(word.take().map(Token::Word));
                if c == '\n' {
                    found.push(Token::Operator(";".into()));
                }
            }
            ';' | '&' | '|' | '>' => {
                // `2>` names the stream that is sent elsewhere.
                let number = (c == '>')
                    .then(|| word.take_if(|w| w == "2" || w == "1"))
                    .flatten();
                found.extend(word.take().map(Token::Word));
                let mut operator = number.unwrap_or_default();
                operator.push(c);
                while let Some(next) =
                    chars.next_if(|n| *n == c && c != ';' || c == '>' && *n == '&')
                {
                    operator.push(next);
                }
                found.push(Token::Operator(operator));
            }
            c => word.get_or_insert_default().push(c),
        }
    }
    found.extend(word.map(Token::Word));
    found
}

fn parse(line: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut stages = vec![Stage::default()];
    let mut all = tokens(line).into_iter();
    while let Some(token) = all.next() {
        let joint = match token {
            Token::Word(word) => {
                if let Some(stage) = stages.last_mut() {
                    stage.words.push(word);
                }
                continue;
            }
            Token::Operator(operator) => match operator.as_str() {
                "|" => {
                    stages.push(Stage::default());
                    continue;
                }
                ">" | "1>" | ">>" | "2>" | "2>>" | "2>&" | ">&" => {
                    let Some(Token::Word(to)) = all.next() else {
                        continue;
                    };
                    if let Some(stage) = stages.last_mut() {
                        match operator.as_str() {
                            "2>&" => stage.merge = true,
                            "2>" | "2>>" => stage.drop_errors = true,
                            ">&" => {}
                            _ => stage.to = Some((to, operator == ">>")),
                        }
                    }
                    continue;
                }
                "&&" => Joint::IfDone,
                "||" => Joint::IfFailed,
                _ => Joint::Always,
            },
        };
        parts.push(Part {
            stages: std::mem::replace(&mut stages, vec![Stage::default()]),
            then: joint,
        });
    }
    parts.push(Part {
        stages,
        then: Joint::Always,
    });
    parts.retain(|p| p.stages.iter().any(|s| !s.words.is_empty()));
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_keep_words_together() {
        let words = |line: &str| -> Vec<String> { parse(line).remove(0).stages.remove(0).words };
        assert_eq!(
            words(r"echo 'a b' 'it'\''s' \;"),
            ["echo", "a b", "it's", ";"]
        );
        let parts = parse("a 2>/dev/null; b > /x && c 2>&1 | d");
        assert_eq!(parts.len(), 3);
        assert!(parts[0].stages[0].drop_errors && parts[2].stages[0].merge);
        assert_eq!(
            (parts[1].stages[0].to.clone(), parts[1].then),
            (Some(("/x".into(), false)), Joint::IfDone)
        );
    }
}
