//! The device's commands.

mod am;
mod content;
mod dumpsys;
mod files;
mod input;
mod logcat;
mod pm;
mod system;
mod uiautomator;

use crate::agent;
use crate::phone::Phone;
use crate::services::Outputs;
use std::sync::Arc;

pub use content::exec_file;

/// A command with its message.
pub struct Call<'a> {
    /// The device.
    pub phone: &'a Arc<Phone>,
    /// The command and its arguments.
    pub words: &'a [String],
    /// Variables set for it.
    pub variables: &'a [(String, String)],
    /// What it reads.
    pub input: &'a [u8],
    /// Where its outputs go.
    pub outputs: &'a mut dyn Outputs,
}

impl Call<'_> {
    /// The arguments.
    pub fn args(&self) -> Vec<&str> {
        self.words.iter().skip(1).map(String::as_str).collect()
    }

    /// Prints.
    pub fn say(&mut self, text: &str) -> i32 {
        let _ = self.outputs.out(text.as_bytes());
        0
    }

    /// Complains and fails.
    pub fn fail(&mut self, text: &str, code: i32) -> i32 {
        let _ = self.outputs.err(text.as_bytes());
        code
    }

    /// The word after an option.
    pub fn option(&self, name: &str) -> Option<&str> {
        let at = self.words.iter().position(|w| w == name)?;
        self.words.get(at + 1).map(String::as_str)
    }
}

/// Runs a command.
pub fn run(call: &mut Call<'_>) -> i32 {
    let name = call.words[0].rsplit('/').next().unwrap_or("").to_owned();
    if !call.phone.booted()
        && [
            "am",
            "pm",
            "cmd",
            "input",
            "uiautomator",
            "dumpsys",
            "settings",
            "wm",
            "monkey",
        ]
        .contains(&name.as_str())
    {
        // What these print before their services are there.
        return call.fail(&format!("cmd: Can't find service: {name}\n"), 20);
    }
    if call.words.iter().any(|word| word == "--user") {
        let line = call.words.join(" ");
        crate::pipe::lock(&call.phone.state).user_lines.push(line);
    }
    match name.as_str() {
        "am" => am::run(call),
        "app_process" | "app_process64" => agent::app_process(call),
        "appops" => 0,
        "content" => content::run(call),
        "dumpsys" => dumpsys::run(call),
        "input" => input::run(call),
        "logcat" => logcat::run(call),
        "monkey" => am::monkey(call),
        "pm" => pm::run(call),
        "cmd" if call.words.get(1).is_some_and(|w| w == "package") => {
            let words = call.words[1..].to_vec();
            pm::run(&mut Call {
                phone: call.phone,
                words: &words,
                variables: call.variables,
                input: call.input,
                outputs: call.outputs,
            })
        }
        "uiautomator" => uiautomator::run(call),
        "cat" | "rm" | "mv" | "ls" | "mkdir" | "md5sum" | "chmod" | "test" | "[" => {
            files::run(call)
        }
        _ => system::run(call, &name),
    }
}
