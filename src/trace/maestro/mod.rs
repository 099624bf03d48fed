//! Flows of Maestro as traces: the commands that act on an app become steps.
//!
//! What only looks at the screen (assertions, screenshots, waits) is left out, and listed. A command that does something
//! that a trace cannot hold is an error with its place: a flow without it would lead elsewhere.

mod acts;
mod commands;
mod files;
mod nested;
mod notices;
mod selector;
mod texts;
mod variables;
mod work;
mod yaml;

use self::commands::{LeftOut, Reader};
use self::files::Files;
use self::variables::Variables;
use self::work::Work;
use self::yaml::{Mistake, Node};
use super::error::TraceError;
use super::format::{AppRef, DeviceRef, Trace};
use super::read::text_of;
use std::path::Path;

/// Bytes of a flow at most.
const LARGEST: u64 = 1 << 20;

/// Maestro's names of Android's key codes.
pub const KEYS: [(u32, &str); 14] = [
    (66, "Enter"),
    (19, "Remote Dpad Up"),
    (20, "Remote Dpad Down"),
    (21, "Remote Dpad Left"),
    (22, "Remote Dpad Right"),
    (23, "Remote Dpad Center"),
    (24, "Volume Up"),
    (25, "Volume Down"),
    (26, "Power"),
    (61, "Tab"),
    (67, "Backspace"),
    (82, "Remote Menu"),
    (111, "Escape"),
    (4, "Back"),
];

/// A flow as a trace.
#[derive(Clone, PartialEq, Debug)]
pub struct Flow {
    /// What it does after a start with cleared data.
    pub trace: Trace,
    /// What was left out, each with its line and the reason.
    pub left_out: Vec<String>,
}

/// Is the file a flow, by its name?
pub fn is_flow(file: &Path) -> bool {
    let extension = file.extension().and_then(|extension| extension.to_str());
    matches!(extension, Some("yaml" | "yml"))
}

/// Reads this file.
///
/// # Errors
/// It cannot be read, is not UTF-8, or what [`read`] says.
pub fn load(file: &Path) -> Result<Flow, Box<TraceError>> {
    read(&text_of(file, LARGEST)?, file)
}

/// Reads the text of this file.
///
/// # Errors
/// YAML that cannot be read, a flow without `appId`, a command or a selector that a trace cannot hold; each with file,
/// line and the fix.
pub fn read(text: &str, file: &Path) -> Result<Flow, Box<TraceError>> {
    flow(text, Files::beside(file))
        .map(|(trace, left_out)| {
            let starts = line_starts(text);
            let line = |(at, why): LeftOut| {
                let line = starts.partition_point(|start| *start <= at.start);
                format!("{}:{line}: {why}", file.display())
            };
            Flow {
                trace,
                left_out: left_out.into_iter().map(line).collect(),
            }
        })
        .map_err(|mistake| {
            let at = byte(text, mistake.at.start)..byte(text, mistake.at.end);
            let at = Some((at, "here"));
            TraceError::new(file, text, &mistake.message, at, Some(mistake.help))
        })
}

/// The characters at which lines start.
fn line_starts(text: &str) -> Vec<usize> {
    let breaks = text.chars().enumerate().filter(|(_, c)| *c == '\n');
    std::iter::once(0)
        .chain(breaks.map(|(at, _)| at + 1))
        .collect()
}

/// The byte at which a character starts.
fn byte(text: &str, character: usize) -> usize {
    let found = text.char_indices().nth(character);
    found.map_or(text.len(), |(at, _)| at)
}

/// The trace, and what was left out of it with its place.
fn flow(text: &str, files: Files) -> Result<(Trace, Vec<LeftOut>), Mistake> {
    let documents = yaml::documents(text)?;
    let (header, commands) = parts(&documents)?;
    let mut work = Work::default();
    let variables = Variables::default().with(header, &mut work)?;
    let Some(app) = header.get("appId") else {
        let help = "add `appId: PACKAGE`: flows of web pages cannot be read";
        return Err(Mistake::new(&header.at, "the flow has no `appId`", help));
    };
    let package = variables.fill(app.need("`appId`")?, app, &mut work)?;
    let mut reader = Reader::new(&package, variables, work, files);
    without_hooks(header)?;
    reader.commands(commands)?;
    let (steps, left_out) = reader.finish()?;
    let trace = Trace {
        app: AppRef {
            package: package.clone(),
            ..AppRef::default()
        },
        device: DeviceRef::default(),
        seed: 0,
        finding: None,
        steps,
    };
    Ok((trace, left_out))
}

/// The header and the commands of a flow.
fn parts(documents: &[Node]) -> Result<(&Node, &Node), Mistake> {
    match documents {
        [header, commands] => Ok((header, commands)),
        _ => {
            let message = "not a flow of Maestro: it has two parts with `---` between them";
            let help = "write `appId: PACKAGE`, a line `---`, and the commands";
            Err(Mistake::new(&(0..0), message, help))
        }
    }
}

fn without_hooks(header: &Node) -> Result<(), Mistake> {
    for key in ["onFlowStart", "onFlowComplete"] {
        if let Some(hook) = header.get(key) {
            let help = "move its commands to the flow";
            return Err(Mistake::new(&hook.at, format!("`{key}` is not read"), help));
        }
    }
    Ok(())
}

#[cfg(test)]
mod file_tests;
#[cfg(test)]
mod limit_tests;
#[cfg(test)]
mod phone_tests;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod text_tests;
#[cfg(test)]
mod variable_tests;
