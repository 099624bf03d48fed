//! Long preparations on the terminal: one status line per stage, and a live line on a terminal.

use std::io::{self, IsTerminal as _};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressFinish, ProgressStyle};

use super::args::Global;
use super::shell::{Shell, Verbosity};
use crate::config::diagnose::Code;
use crate::config::{Device, DeviceKind, Problems, Suite, Web};
use crate::device::jvm::parts::DEFAULT_SDK;
use crate::device::progress::{Progress, Watch};
use crate::doctor::Wanted;
use crate::util::text::for_terminal;

/// The suite of the arguments; `None` where there is none and none is named.
///
/// # Errors
/// It cannot be read.
pub fn suite(global: &Global) -> Result<Option<Suite>, Problems> {
    match super::load(global, &super::args::Selection::default()) {
        Ok(suite) => Ok(Some(suite)),
        Err(problems)
            if global.suite.is_none() && problems.iter().all(|p| p.code == Code::SuiteNotFound) =>
        {
            Ok(None)
        }
        Err(problems) => Err(problems),
    }
}

/// The Android versions that the arguments name, else those of the jvm devices, else the default.
pub fn api_levels(devices: &[Device], named: &[u32]) -> Vec<u32> {
    let mut levels = named.to_vec();
    if levels.is_empty() {
        levels.extend(devices.iter().filter_map(|device| match &device.kind {
            DeviceKind::Jvm(jvm) => Some(u32::from(jvm.api)),
            DeviceKind::Sim(_) | DeviceKind::Adb(_) | DeviceKind::Avd(_) => None,
        }));
    }
    if levels.is_empty() {
        levels.push(DEFAULT_SDK);
    }
    levels.sort_unstable();
    levels.dedup();
    levels
}

/// What these devices need, besides jvm devices.
pub fn wanted(devices: &[Device]) -> Wanted {
    let has = |wanted: fn(&DeviceKind) -> bool| devices.iter().any(|device| wanted(&device.kind));
    Wanted {
        adb: has(|kind| matches!(kind, DeviceKind::Adb(_))),
        avd: has(|kind| matches!(kind, DeviceKind::Avd(_))),
        chromium: has(|kind| matches!(kind, DeviceKind::Jvm(jvm) if jvm.web == Web::Chromium)),
    }
}

/// A watch that shows what is being prepared. `interrupt` ends it early.
pub fn watch(shell: &Shell, interrupt: Arc<AtomicBool>) -> Watch {
    let live = shell.verbosity() > Verbosity::Quiet && io::stderr().is_terminal();
    shown(shell, interrupt, live)
}

/// The same without a live line, which would be drawn over what a person types.
pub fn lines(shell: &Shell, interrupt: Arc<AtomicBool>) -> Watch {
    shown(shell, interrupt, false)
}

fn shown(shell: &Shell, interrupt: Arc<AtomicBool>, live: bool) -> Watch {
    let shell = *shell;
    let live = live.then(|| {
        let bar = ProgressBar::new_spinner().with_finish(ProgressFinish::AndClear);
        bar.set_style(
            ProgressStyle::with_template("{spinner:>12} {wide_msg}")
                .unwrap_or_else(|_| ProgressStyle::default_spinner()),
        );
        bar.enable_steady_tick(Duration::from_millis(120));
        bar
    });
    let last = Mutex::new("");
    let show = move |progress: Progress<'_>| {
        let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
        let fresh = std::mem::replace(&mut *last, progress.stage) != progress.stage;
        match &live {
            Some(bar) => {
                let said = format!("{}{}", line(&progress), counted(&progress));
                bar.set_message(for_terminal(&said).into_owned());
            }
            None if fresh => shell.status(&title(progress.stage), progress.detail),
            None => {}
        }
    };
    Watch::new(show, interrupt)
}

fn line(progress: &Progress<'_>) -> String {
    format!("{} {}", title(progress.stage), progress.detail)
}

fn counted(progress: &Progress<'_>) -> String {
    match (progress.done, progress.total) {
        (0, 0) => String::new(),
        (done, 0) => format!(" ({done})"),
        (done, total) => format!(" ({done}/{total})"),
    }
}

fn title(stage: &str) -> String {
    let mut letters = stage.chars();
    letters
        .next()
        .map(|first| first.to_uppercase().chain(letters).collect())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_reads_as_a_sentence_with_counts_where_known() {
        let mut progress = Progress {
            stage: "translating",
            detail: "notes",
            done: 3,
            total: 0,
        };
        assert_eq!(line(&progress), "Translating notes");
        assert_eq!(counted(&progress), " (3)");
        progress.total = 9;
        assert_eq!(counted(&progress), " (3/9)");
    }
}
