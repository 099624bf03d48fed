//! The limits of `[gate]`: counts and coverage.

use super::baseline::Baseline;
use crate::outcome::finding::FindingKind;
use crate::outcome::summary::{AppSummary, Ratio, RunSummary};
use crate::outcome::verdict::{Exceeded, Judged, Status};
use crate::settings::Gate;

/// The limits of `[gate]` that a run with these findings and stale entries exceeds.
pub(super) fn exceeded(
    run: &RunSummary,
    baseline: &Baseline,
    gate: &Gate,
    findings: &[Judged],
    stale: &[String],
) -> Vec<Exceeded> {
    let counted = |f: &&Judged| {
        f.status.is_observed() && !f.warning && !matches!(f.status, Status::Flaky | Status::Device)
    };
    let count = |kinds: &[FindingKind]| {
        let of = |f: &&Judged| f.kind.is_some_and(|kind| kinds.contains(&kind));
        findings.iter().filter(counted).filter(of).count() as u64
    };
    let crashes = [
        FindingKind::JavaCrash,
        FindingKind::ProcessDeath,
        FindingKind::OutOfMemory,
    ];
    let mut exceeded = Vec::new();
    for (limit, most, count, what) in [
        ("max-crashes", gate.max_crashes, count(&crashes), "crashes"),
        (
            "max-anrs",
            gate.max_anrs,
            count(&[FindingKind::Anr]),
            "ANRs",
        ),
    ] {
        if let Some(most) = most.filter(|most| count > *most) {
            exceeded.push(Exceeded {
                limit: limit.into(),
                app: None,
                what: format!("{count} distinct {what}, at most {most} allowed"),
            });
        }
    }
    for app in &run.apps {
        let lines = app.coverage.map(|c| c.line).filter(|line| line.total > 0);
        let lines = lines.map(Ratio::percent);
        let mut below = |limit: &str, least: Option<f64>| {
            let Some(least) = least else { return };
            let what = match lines {
                Some(lines) if lines >= least => return,
                Some(lines) => {
                    format!("{lines:.1} % of lines covered, at least {least:.1} % required")
                }
                None => format!("line coverage was not measured, {least:.1} % required"),
            };
            exceeded.push(Exceeded {
                limit: limit.into(),
                app: Some(app.app.clone()),
                what,
            });
        };
        below("min-lines", gate.min_lines);
        let known = baseline.coverage.iter().find(|c| c.app == app.app);
        let drop = known.zip(gate.max_drop);
        below("max-drop", drop.map(|(known, drop)| known.lines - drop));
        if let Some(least) = gate.min_changed_lines
            && let Some(what) = changed_below(app, least)
        {
            exceeded.push(Exceeded {
                limit: "min-changed-lines".into(),
                app: Some(app.app.clone()),
                what,
            });
        }
    }
    if gate.strict && !stale.is_empty() {
        exceeded.push(Exceeded {
            limit: "strict".into(),
            app: None,
            what: format!("{} stale entries of the baseline", stale.len()),
        });
    }
    exceeded
}

/// Why the changed lines of an app are covered too little, in words. Without a changed method there is nothing to cover.
fn changed_below(app: &AppSummary, least: f64) -> Option<String> {
    let required = format!("{least:.1} % required");
    let Some(changed) = &app.changed else {
        return Some(format!(
            "changed lines were not measured, {required}: run with `--changed-since APK` and coverage"
        ));
    };
    match (changed.lines, changed.methods.total) {
        (_, 0) => None,
        (Ratio { total: 0, .. }, _) => Some(format!(
            "changed lines were not measured, {required}: build the app with line numbers"
        )),
        (lines, _) => (lines.percent() < least).then(|| {
            let (covered, percent) = (lines.covered, lines.percent());
            format!(
                "{percent:.1} % of changed lines covered ({covered} of {}), at least {required}",
                lines.total
            )
        }),
    }
}
