//! `--ask`: the questions of scripts, on the terminal.

use super::shell::Shell;
use crate::explore::Asks;
use crate::report::prompt::Prompt;
use crate::run::Plan;
use indicatif::MultiProgress;
use std::io::{self, BufReader, IsTerminal as _};
use std::sync::Arc;

/// Do scripts ask in this run, on the terminal or in its live view? Warns of those that do not run because none can.
pub fn of_run(wanted: bool, live: bool, plan: &Plan, shell: &Shell) -> bool {
    let able = wanted && (live || io::stdin().is_terminal());
    for app in plan.apps().iter().filter(|_| !able) {
        for script in app.scripts.iter().filter(|script| script.ask.is_some()) {
            let why = match wanted {
                true => "--ask needs a terminal to type on, or --live",
                false => "it asks a question, which needs --ask",
            };
            let (script, app) = (&script.name, &app.name);
            shell.warn(&format!("the script {script} of {app} does not run: {why}"));
        }
    }
    able
}

/// Asks on this terminal, if there is one.
pub fn terminal(bars: Option<MultiProgress>) -> Option<Arc<dyn Asks>> {
    let prompt = || Arc::new(Prompt::new(bars, BufReader::new(io::stdin()))) as _;
    io::stdin().is_terminal().then(prompt)
}
