//! `--ask`: the questions of scripts, on the terminal.

use super::shell::Shell;
use crate::explore::Stop;
use crate::report::prompt::Prompt;
use crate::run::Plan;
use indicatif::MultiProgress;
use std::io::{self, BufReader, IsTerminal as _};

/// Do scripts ask in this run? Warns of those that do not run because none can.
pub fn of_run(wanted: bool, plan: &Plan, shell: &Shell) -> bool {
    let able = wanted && io::stdin().is_terminal();
    for app in plan.apps().iter().filter(|_| !able) {
        for script in app.scripts.iter().filter(|script| script.ask.is_some()) {
            let why = match wanted {
                true => "--ask needs a terminal to type on",
                false => "it asks a question, which needs --ask",
            };
            let (script, app) = (&script.name, &app.name);
            shell.warn(&format!("the script {script} of {app} does not run: {why}"));
        }
    }
    able
}

/// Asks on this terminal.
pub fn prompt(bars: Option<MultiProgress>, stop: &Stop) -> Prompt {
    Prompt::new(bars, stop.clone(), BufReader::new(io::stdin()))
}
