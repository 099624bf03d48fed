//! What reading a flow costs. Repetitions and variables let a short file stand for a very long one.

use super::yaml::Mistake;
use std::ops::Range;

/// Commands of a flow at most, those left out too, repeated ones counted each time.
const COMMANDS: usize = 10_000;
/// Bytes of the commands and of what variables stand for at most, repeated ones counted each time.
const TEXT: usize = 16 << 20;

/// What has been read so far.
#[derive(Default)]
pub struct Work {
    commands: usize,
    text: usize,
}

impl Work {
    /// So many commands and bytes more are read, at this place.
    pub fn spend(
        &mut self,
        commands: usize,
        text: usize,
        at: &Range<usize>,
    ) -> Result<(), Mistake> {
        self.commands = self.commands.saturating_add(commands);
        self.text = self.text.saturating_add(text);
        let message = if self.commands > COMMANDS {
            format!("more than {COMMANDS} commands")
        } else if self.text > TEXT {
            let most = TEXT >> 20;
            format!("more than {most} MiB of commands and texts of variables")
        } else {
            return Ok(());
        };
        let help = "split the flow: what is repeated counts each time";
        Err(Mistake::new(at, message, help))
    }
}
