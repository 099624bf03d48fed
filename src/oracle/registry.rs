//! Makes the oracles from a suite's `[oracles]`.

use super::assertion::{Assertion, Assertions};
use super::program::Program;
use super::{
    Oracle, anr, app_exit, blank_page, environment, java_crash, process_death, rotation_loss,
};
use crate::outcome::Finding;
use crate::settings::{Level, Oracles};
use crate::step::{Decision, Step};
use std::sync::Arc;

/// The oracles that are on, for an app whose scripts assert nothing.
pub fn make(settings: &Oracles, program: &Program) -> Vec<Box<dyn Oracle>> {
    with_assertions(settings, program, &Default::default())
}

/// The oracles that are on, with what the scripts of the app assert. Those of the process's death and of the environment always are:
/// without them a session would end with no reason given.
pub fn with_assertions(
    settings: &Oracles,
    program: &Program,
    assertions: &Arc<[Assertion]>,
) -> Vec<Box<dyn Oracle>> {
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
    if !assertions.is_empty() {
        add(
            settings.assertion,
            Box::new(Assertions::new(Arc::clone(assertions))),
        );
    }
    match settings.system_events {
        Level::Fail => oracles,
        level => oracles
            .into_iter()
            .map(|oracle| -> Box<dyn Oracle> { Box::new(Artificial { oracle, level }) })
            .collect(),
    }
}

/// An oracle whose findings have a level of their own where an artificial system event led to them.
struct Artificial {
    oracle: Box<dyn Oracle>,
    level: Level,
}

impl Oracle for Artificial {
    fn name(&self) -> &'static str {
        self.oracle.name()
    }

    fn inspect(&mut self, step: &Step<'_>) -> Vec<Finding> {
        let mut findings = self.oracle.inspect(step);
        let artificial =
            matches!(step.decision, Some(Decision::System(event)) if event.is_artificial());
        if artificial {
            // Limits of the environment fail no run, and say what the device could not do.
            findings.retain(|finding| self.level.is_on() || finding.environment.is_some());
            for finding in &mut findings {
                finding.warning = true;
            }
        }
        findings
    }
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

#[cfg(test)]
mod tests {
    use super::super::testing::step;
    use super::*;
    use crate::device::Observation;
    use crate::gui::SystemEvent;
    use crate::gui::page::none;
    use crate::outcome::Crash;
    use crate::util::intern::Interner;

    /// For each level of system events: is the crash of this step found, and does it only warn?
    fn found(decision: &Decision) -> [Option<bool>; 3] {
        let after = Observation {
            crash: Some(Crash {
                class: "java.lang.Error".into(),
                stack: "java.lang.Error\n\tat com.x.A.b(A.java:1)".into(),
                ..Crash::default()
            }),
            ..Observation::default()
        };
        let (page, interner) = (none(), Interner::default());
        [Level::Off, Level::Warn, Level::Fail].map(|level| {
            let settings = Oracles {
                system_events: level,
                ..Oracles::default()
            };
            let mut oracles = make(&settings, &Program::default());
            let step = step(&page, &page, Some(decision), &after, &interner);
            let mut findings = oracles.iter_mut().flat_map(|oracle| oracle.inspect(&step));
            findings.next().map(|finding| finding.warning)
        })
    }

    #[test]
    fn findings_of_artificial_starts_have_a_level_of_their_own() {
        let service = Decision::System(SystemEvent::Service {
            component: "com.x.Sync".into(),
            action: None,
        });
        assert_eq!(found(&service), [None, Some(true), Some(false)]);
        for other in [Decision::System(SystemEvent::Rotate), Decision::Restart] {
            assert_eq!(found(&other), [Some(false); 3]);
        }
    }
}
