//! From a suite's `[oracles]` to the oracles that look at every step.

use super::mapping::Mapping;
use super::{
    Oracle, anr, app_exit, blank_page, environment, java_crash, process_death, rotation_loss,
};
use crate::config::{Level, Oracles};
use crate::outcome::FindingKind;
use std::sync::Arc;

/// The oracles that are on. Those of the process's death and of the environment always are:
/// without them a session would end with no reason given.
pub fn make(settings: &Oracles, mapping: Option<&Arc<Mapping>>) -> Vec<Box<dyn Oracle>> {
    let mapping = || mapping.cloned();
    let mut oracles: Vec<Box<dyn Oracle>> = vec![
        Box::new(process_death::ProcessDeath),
        Box::new(environment::Environment),
    ];
    if settings.java_crash.is_on() {
        oracles.push(Box::new(java_crash::JavaCrash::new(mapping())));
    }
    if settings.anr.level.is_on() {
        let limit = u64::try_from(settings.anr.after.0.as_millis()).unwrap_or(u64::MAX);
        oracles.push(Box::new(anr::AnrOracle::new(limit, mapping())));
    }
    if settings.app_exit.is_on() {
        oracles.push(Box::new(app_exit::AppExit));
    }
    if settings.blank_page.level.is_on() {
        oracles.push(Box::new(blank_page::BlankPage::new(
            settings.blank_page.after,
        )));
    }
    if settings.rotation_loss.is_on() {
        oracles.push(Box::new(rotation_loss::RotationLoss));
    }
    oracles
}

/// How serious the suite takes findings of this kind.
pub fn level(settings: &Oracles, kind: FindingKind) -> Level {
    match kind {
        FindingKind::JavaCrash | FindingKind::OutOfMemory | FindingKind::ProcessDeath => {
            settings.java_crash
        }
        FindingKind::Anr => settings.anr.level,
        FindingKind::AppExit => settings.app_exit,
        FindingKind::BlankPage => settings.blank_page.level,
        FindingKind::RotationLoss => settings.rotation_loss,
        FindingKind::Environment => Level::Off,
    }
}
