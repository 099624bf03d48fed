//! From what was seen to what an observation says: the page, the ways out of the app and back, ANRs.

use super::boot;
use super::device::AdbDevice;
use super::error::AdbError;
use super::handle::Handle;
use super::native_words;
use super::screen::{Look, is_ours};
use super::watch_log::Told;
use crate::device::DeviceError;
use crate::gui::Page;
use crate::outcome::evidence::{Anr, Left};
use crate::util::intern::Interner;
use std::sync::Arc;
use std::time::Duration;

/// What the shell answers at once.
const SHORT: Duration = Duration::from_secs(30);
/// How long the log may take to report a death that was seen.
const DEATH: Duration = Duration::from_secs(3);
/// How long Android waits for an app to take an input before it writes down an ANR.
const ANR: Duration = Duration::from_secs(5);
/// Attempts to come back to the app after it was left.
const WAYS_BACK: u32 = 3;

/// What is another one after each start of the device, or of Android on it; and the device's clock, as
/// `YYYY-MM-DD HH:MM:SS`.
pub(super) fn life(handle: &Handle) -> Result<(String, String), AdbError> {
    let line = "cat /proc/sys/kernel/random/boot_id 2>/dev/null; pidof system_server 2>/dev/null; date '+%Y-%m-%d %H:%M:%S'";
    let text = handle.shell(line, SHORT)?.text();
    let (life, now) = text.trim_end().rsplit_once('\n').unwrap_or(("", &text));
    Ok((life.to_owned(), now.trim().to_owned()))
}

impl AdbDevice {
    /// The serial of the device that the app is on.
    pub fn serial(&self) -> Option<String> {
        self.here.as_ref().map(|here| here.handle.serial.clone())
    }

    /// What the log reports about the app since the last look, and what the dropbox adds.
    pub(super) fn reported(&mut self, look: &Look) -> Result<Told, DeviceError> {
        let slow = self.acted.is_some_and(|at| at.elapsed() >= ANR);
        let here = self.here()?;
        here.log.processes(look.pids.iter().copied());
        here.dropbox.processes(&look.pids);
        let mut reported = if look.alive {
            here.log.take()
        } else {
            here.log.wait_for_death(DEATH)
        };
        let (restarts, lost, dropped) = here.log.troubles();
        let package = &here.package.name;
        for report in &mut reported.anrs {
            if report.main_stack.is_empty() {
                report.main_stack = native_words::main_stack(&here.handle, package, report.pid);
            }
        }
        let how = (look.alive, restarts + lost, slow);
        let reported = here.dropbox.complete(&here.handle, package, reported, how);
        if restarts > 0 {
            let why = "the device's log was interrupted and was reopened";
            self.limit("log-broke-off", why);
        }
        if dropped > 0 {
            let why = "more log lines arrived at once than can be kept: the oldest were dropped";
            self.limit("log-flood", why);
        }
        Ok(reported)
    }

    /// Comes back to the app where an input led out of it; says what was left for.
    pub(super) fn back_to_app(
        &mut self,
        mut look: Look,
    ) -> Result<(Look, Vec<Left>, Option<String>), DeviceError> {
        let (mut left, mut exit) = (Vec::new(), None);
        let package = self.here()?.package.name.clone();
        for attempt in 0..WAYS_BACK {
            if !look.alive || look.package.is_empty() || is_ours(&look.package, &package) {
                break;
            }
            if attempt == 0 {
                if look.is_home() {
                    exit = Some("finished".to_owned());
                } else {
                    let component = Some(format!("{}/{}", look.package, look.activity));
                    left.push(Left {
                        kind: "activity".to_owned(),
                        component,
                        ..Left::default()
                    });
                }
            }
            // A person would press back; a launcher has nothing behind it.
            if attempt == 0 && !look.is_home() {
                self.here()?.handle.shell("input keyevent 4", SHORT)?;
            } else {
                let limit = self.settings.start_limit;
                let here = self.here()?;
                here.package.start(&here.handle, limit)?;
            }
            look = self.look()?;
        }
        Ok((look, left, exit))
    }

    /// What ended a process that left no crash: its doing, unless the device restarted or was short of
    /// memory.
    pub(super) fn quiet_end(&mut self, reported: &Told) -> Result<Option<String>, DeviceError> {
        let limit = self.settings.start_limit;
        let here = self.here()?;
        let (life, _) = life(&here.handle)?;
        if life != here.life {
            here.life = life;
            let message = format!("{} restarted", here.handle.serial);
            boot::wait(&here.handle, limit)?;
            return Err(DeviceError::Died {
                message,
                out_of_memory: false,
                in_app: false,
            });
        }
        if reported.short_of_memory {
            let detail = "the device was short of memory and ended the app";
            self.limit("killed-for-memory", detail);
            return Ok(None);
        }
        Ok(Some("System.exit or killProcess".to_owned()))
    }

    pub(super) fn anr(reported: &Told) -> Option<Anr> {
        let report = reported.anrs.first()?;
        Some(Anr {
            ms: report.waited_ms.unwrap_or(5_000),
            virtual_time: false,
            stack: report.words(),
            ..Anr::default()
        })
    }

    pub(super) fn page_of(
        &mut self,
        look: &mut Look,
        interner: &mut Interner,
    ) -> Option<Arc<Page>> {
        if !look.alive {
            self.page = None;
            return None;
        }
        if let Some(nodes) = look.nodes.take()
            && !Arc::ptr_eq(&nodes, &self.nodes)
        {
            self.nodes = nodes;
            self.page = None;
        }
        if look.screen != (0, 0) {
            self.screen = look.screen;
        }
        if self.page.as_ref().is_none_or(|p| {
            interner.get(p.activity) != look.activity
                || (p.rotation, p.screen) != (look.rotation, self.screen)
        }) {
            let page = Page::build(
                &self.nodes,
                &look.activity,
                look.rotation,
                self.screen,
                interner,
            );
            self.page = Some(Arc::new(page));
        }
        self.page.clone()
    }
}
