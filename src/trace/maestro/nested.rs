//! Commands inside others: repetitions, and flows inside the flow.

use super::commands::Reader;
use super::yaml::{Mistake, Node};
use std::ops::Range;

/// Repetitions of a command at most.
const TIMES: u64 = 100;

impl Reader<'_> {
    /// The commands inside, so many times.
    pub(super) fn repeat(&mut self, value: &Node, at: &Range<usize>) -> Result<(), Mistake> {
        let known = ["times", "commands", "label", "optional"];
        value.only(
            &known,
            "a repetition",
            "write `times` and `commands`: conditions are not read",
        )?;
        match (value.get("commands"), times(value, "times")?) {
            (Some(commands), Some(times)) => {
                for _ in 0..times {
                    self.commands(commands)?;
                }
                Ok(())
            }
            _ => {
                let message = "a repetition without `times` or `commands`";
                Err(Mistake::new(at, message, "write both"))
            }
        }
    }

    /// The commands inside, with the constants of their own `env`.
    pub(super) fn inner(&mut self, value: &Node, at: &Range<usize>) -> Result<(), Mistake> {
        let known = ["commands", "env", "label", "optional"];
        let help = "put the commands of that flow here: other files and conditions are not read";
        value.only(&known, "a flow inside the flow", help)?;
        match value.get("commands") {
            Some(commands) => {
                if value.get("env").is_none() {
                    return self.commands(commands);
                }
                let inner = self.variables.with(value, &mut self.work)?;
                let outer = std::mem::replace(&mut self.variables, inner);
                self.commands(commands)?;
                self.variables = outer;
                Ok(())
            }
            None => Err(Mistake::new(at, "a flow inside the flow", help)),
        }
    }
}

/// How often something is repeated, if the key is there.
pub(super) fn times(node: &Node, key: &str) -> Result<Option<u64>, Mistake> {
    let times = node.number_of(key)?;
    match times.filter(|times| *times > TIMES) {
        None => Ok(times),
        Some(_) => {
            let message = format!("more than {TIMES} repetitions");
            Err(Mistake::new(&node.at, message, "repeat it less often"))
        }
    }
}
