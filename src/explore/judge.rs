//! Judging a step: every oracle is asked, new findings are recorded with what belongs to them.

use super::seen::{Seen, Sighting};
use super::{Pages, Recorder};
use crate::device::{Death, Device, DeviceError, Observation};
use crate::oracle::Oracle;
use crate::outcome::evidence::Crash;
use crate::outcome::run_event::RunEvent;
use crate::step::Step;
use std::io;

/// The result of the oracles for a step.
#[derive(Default)]
pub struct Judged {
    /// Fingerprints of all findings.
    pub fingerprints: Vec<String>,
    /// Findings of the app met for the first time in the session.
    pub new: usize,
    /// Findings of the app that were met before.
    pub known: usize,
}

/// Asks every oracle; records findings met for the first time, and again when they no longer only warn.
pub fn judge(
    oracles: &mut [Box<dyn Oracle>],
    step: &Step<'_>,
    seen: &mut Seen,
    recorder: &mut dyn Recorder,
    device: &mut dyn Device,
) -> io::Result<Judged> {
    let mut judged = Judged::default();
    for oracle in oracles {
        for finding in oracle.inspect(step) {
            judged.fingerprints.push(finding.fingerprint.clone());
            let of_app = finding.environment.is_none();
            let sighting = seen.finding(&finding);
            if sighting != Sighting::First {
                judged.known += usize::from(of_app);
            } else if of_app {
                judged.new += 1;
                seen.last_new = seen.counts.events;
            }
            if sighting == Sighting::Known {
                continue;
            }
            let pages = Pages {
                before: step.before,
                after: step.page,
                interner: step.interner,
            };
            let folder = recorder.finding(&finding, &pages)?;
            if let Some(folder) = folder.filter(|_| device.caps().screenshots) {
                let _ = device.screenshot(&folder.join("after.png"));
            }
            recorder.event(&RunEvent::Finding(Box::new(finding)))?;
        }
    }
    Ok(judged)
}

/// What a device's error says about the app, if it does; all others are the infrastructure's.
///
/// # Errors
/// Those others, as they are.
pub fn evidence_of(error: DeviceError) -> Result<Observation, DeviceError> {
    match error {
        DeviceError::Blocked(anr) => Ok(Observation {
            anr: Some(anr),
            ..Observation::default()
        }),
        DeviceError::Died {
            message,
            out_of_memory: true,
            ..
        } => {
            let crash = Crash {
                class: "java.lang.OutOfMemoryError".into(),
                stack: message,
                ..Crash::default()
            };
            Ok(Observation {
                crash: Some(crash),
                ..Observation::default()
            })
        }
        DeviceError::Died {
            message,
            in_app: true,
            ..
        } => Ok(Observation {
            death: Some(Death::said(message)),
            ..Observation::default()
        }),
        error => Err(error),
    }
}
