//! Checks a suite: that the files it names are there, and how many sessions run side by side.

use super::Check;
use crate::config::diagnose::Problem;
use crate::config::{DeviceKind, Suite};
use crate::run::{Plan, Slots, inputs};

/// A check of each problem that a run of the suite would stop at, and one of the sessions on its jvm devices. `jobs`: `-j`.
pub fn suite(suite: &Suite, jobs: usize) -> Vec<Check> {
    let planned = Plan::new(suite).and_then(|plan| plan.has_devices(suite).map(|()| plan));
    let plan = match planned {
        Ok(plan) => plan,
        Err(problems) => return problems.iter().map(problem).collect(),
    };
    let missing = inputs::missing(suite, &plan);
    let mut checks: Vec<_> = missing.iter().map(problem).collect();
    if checks.is_empty() {
        checks.push(Check::ok(
            "suite",
            format!("{}: its files are there", suite.file),
        ));
    }
    checks.extend(sessions(suite, &Slots::new(jobs)));
    checks
}

/// A problem of the suite: where it is, what it is, the line, and the fix.
pub fn problem(problem: &Problem) -> Check {
    let mut found = problem.message.clone();
    if let Some(place) = problem.places.first() {
        let line = place.source.line(place.span.start);
        let text = place.source.text.lines().nth(line - 1).unwrap_or_default();
        found = format!("{}:{line}: {found} (`{}`)", place.source.name, text.trim());
    }
    Check::failed(
        "suite",
        found,
        problem.help.as_deref().unwrap_or("change it"),
    )
}

fn sessions(suite: &Suite, slots: &Slots) -> Option<Check> {
    let devices = suite.settings.devices.iter();
    let devices = devices.filter(|device| matches!(device.kind, DeviceKind::Jvm(_)));
    let each: Vec<_> = devices
        .map(|device| {
            let why = slots.reason(device);
            let why = why.unwrap_or_else(|| "its `count`".to_owned());
            format!("`{}` {} at a time ({why})", device.name, slots.of(device))
        })
        .collect();
    (!each.is_empty()).then(|| Check::ok("sessions", each.join("; ")))
}
