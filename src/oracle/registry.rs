//! Makes the oracles from a suite's `[oracles]`.

use super::program::Program;
use super::{
    Oracle, anr, app_exit, blank_page, environment, java_crash, process_death, rotation_loss,
};
use crate::outcome::Finding;
use crate::settings::{Level, Oracles};
use crate::step::Step;

/// The oracles that are on. Those of the process's death and of the environment always are:
/// without them a session would end with no reason given.
pub fn make(settings: &Oracles, program: &Program) -> Vec<Box<dyn Oracle>> {
    let mut oracles: Vec<Box<dyn Oracle>> = vec![
        Box::new(process_death::ProcessDeath),
        Box::new(environment::Environment),
    ];
    let mut add = |level: Level, oracle: Box<dyn Oracle>| match level {
        Level::Off => {}
        Level::Warn => oracles.push(Box::new(Warning(oracle))),
        Level::Fail => oracles.push(oracle),
    };
    let crash = java_crash::JavaCrash::new(program.clone());
    add(settings.java_crash, Box::new(crash));
    let limit = u64::try_from(settings.anr.after.0.as_millis()).unwrap_or(u64::MAX);
    let anr = anr::AnrOracle::new(limit, program.clone());
    add(settings.anr.level, Box::new(anr));
    add(settings.app_exit, Box::new(app_exit::AppExit));
    let blank = blank_page::BlankPage::new(settings.blank_page.after);
    add(settings.blank_page.level, Box::new(blank));
    add(
        settings.rotation_loss,
        Box::new(rotation_loss::RotationLoss),
    );
    oracles
}

/// An oracle whose findings count as warnings.
struct Warning(Box<dyn Oracle>);

impl Oracle for Warning {
    fn name(&self) -> &'static str {
        self.0.name()
    }

    fn inspect(&mut self, step: &Step<'_>) -> Vec<Finding> {
        let mut findings = self.0.inspect(step);
        for finding in &mut findings {
            finding.warning = true;
        }
        findings
    }
}
