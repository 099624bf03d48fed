//! Commands inside others: repetitions, and flows inside the flow.

use super::commands::{NAME, Reader};
use super::line_starts;
use super::yaml::{Mistake, Node};
use crate::util::text::shorten;
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

    /// A flow inside the flow, its commands here or in a file, with the constants of its own `env`.
    pub(super) fn inner(&mut self, value: &Node, at: &Range<usize>) -> Result<(), Mistake> {
        let known = [
            "commands",
            "file",
            "when",
            "env",
            "label",
            "optional",
            "maxRetries",
        ];
        let help = "write `file` or `commands`, and `when` with `visible`, `notVisible`, `platform` or `true`";
        if value.text().is_none() {
            value.only(&known, "a flow inside the flow", help)?;
        }
        if let Some(when) = value.get("when")
            && !self.holds(when, at)?
        {
            return Ok(());
        }
        let file = match value.text() {
            Some(name) => Some(name),
            None => value.text_of("file")?,
        };
        let inner = self.variables.with(value, &mut self.work)?;
        let outer = std::mem::replace(&mut self.variables, inner);
        match (file, value.get("commands")) {
            (Some(name), None) => self.file(name, at)?,
            (None, Some(commands)) => self.commands(commands)?,
            _ => return Err(Mistake::new(at, "a flow inside the flow", help)),
        }
        self.variables = outer;
        Ok(())
    }

    /// Does a flow inside the flow run? A trace has no conditions and starts with cleared data: what runs only while
    /// something is shown is left out, as what is optional; what runs because something is not there yet is performed.
    fn holds(&mut self, when: &Node, at: &Range<usize>) -> Result<bool, Mistake> {
        let known = ["visible", "notVisible", "platform", "true", "label"];
        let help = "write `visible`, `notVisible`, `platform` or `true`";
        when.only(&known, "a condition", help)?;
        let mut why = None;
        if let Some(platform) = when.text_of("platform")?
            && !platform.trim().eq_ignore_ascii_case("android")
        {
            why = Some(format!("it is for {}", shorten(platform, NAME)));
        } else if let Some(value) = when.get("true")
            && !is_true(value.text())
        {
            why = Some("its condition is not true".to_owned());
        } else if when.get("visible").is_some() {
            why = Some("it runs only while something is shown".to_owned());
        }
        match &why {
            Some(why) => {
                self.leave_out(at, "runFlow", why);
                // It may have moved the focus.
                self.field = None;
            }
            None if when.get("notVisible").is_some() => {
                let what = "`runFlow` is performed: after a start with cleared data what it waits for is not shown";
                self.tell(at, what.to_owned());
            }
            None => {}
        }
        Ok(why.is_none())
    }

    /// The commands of a file. What is wrong or left out in it is named with its line, at the command that runs it.
    fn file(&mut self, name: &str, at: &Range<usize>) -> Result<(), Mistake> {
        let text = self
            .files
            .enter(name)
            .map_err(|(message, help)| Mistake::new(at, message, help))?;
        self.work.spend(1, text.len(), at)?;
        let starts = line_starts(&text);
        let line = |of: &Range<usize>| starts.partition_point(|start| *start <= of.start);
        let outer = self.variables.clone();
        let noted = self.take_notices();
        self.nested(&text).map_err(|mistake| {
            let message = format!("{name}:{}: {}", line(&mistake.at), mistake.message);
            Mistake::new(at, message, mistake.help)
        })?;
        for (of, what) in self.put_back_notices(noted) {
            let what = format!("{name}:{}: {what}", line(&of));
            self.add_notice(at, what);
        }
        self.move_end(at);
        self.variables = outer;
        self.files.leave();
        Ok(())
    }

    fn nested(&mut self, text: &str) -> Result<(), Mistake> {
        let documents = super::yaml::documents(text)?;
        let (header, commands) = super::parts(&documents)?;
        self.variables = self.variables.with(header, &mut self.work)?;
        if let Some(app) = header.get("appId") {
            let named = self
                .variables
                .fill(app.need("`appId`")?, app, &mut self.work)?;
            self.is_this_app(&named, app)?;
        }
        super::without_hooks(header)?;
        self.commands(commands)
    }
}

/// As JavaScript takes a text that a script gave.
fn is_true(text: Option<&str>) -> bool {
    let text = text.unwrap_or_default().trim();
    !["", "false", "0", "null", "undefined", "NaN"].contains(&text)
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
