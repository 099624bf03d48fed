//! The cases of an app's causes.

use super::super::causes::{Cause, causes, fewest, sessions};
use super::super::console::{near, times};
use super::super::gate_lines;
use super::super::repro_info::ReproInfo;
use super::super::session::{Sort, WayStep};
use super::super::summarize::RunRecord;
use super::super::words::short_frame;
use super::{EVIDENCE, STEPS, attribute, cdata};
use crate::outcome::Reproduction;
use crate::outcome::cause_name::cause_name;
use crate::outcome::verdict::{Judged, Status, Verdict};
use crate::util::text::shorten;
use junit_report::{Duration, TestCase, TestCaseBuilder};
use std::path::Path;

/// A case per cause of an app; with a gate, one for each finding of the baseline that is fixed, too.
pub fn of_app(run: &RunRecord, app: &str) -> Vec<TestCase> {
    let class = attribute(app);
    let verdict = run.verdict.as_ref();
    let of_app = sessions(run).filter(|(summary, _)| summary.app == app);
    let judged = |cause: &Cause<'_>| {
        let print = &cause.chief.1.finding.fingerprint;
        verdict.and_then(|verdict| verdict.find(app, print))
    };
    let mut cases: Vec<_> = causes(of_app)
        .iter()
        .map(|found| cause(found, judged(found), &class))
        .collect();
    let replayed = verdict.into_iter().flat_map(Verdict::replayed);
    cases.extend(replayed.filter(|f| f.app == app).map(|f| {
        let (name, status) = (attribute(&f.name), attribute(&gate_lines::status(f)));
        let mut case = match f.status {
            Status::New => TestCaseBuilder::failure(&name, Duration::ZERO, "new", &status),
            known => TestCaseBuilder::skipped_with_cause(&name, known.name(), &status),
        };
        case.set_classname(&class).build()
    }));
    let fixed = verdict.into_iter().flat_map(|v| v.of(Status::Fixed));
    cases.extend(fixed.filter(|f| f.app == app).map(|f| {
        let mut case = TestCaseBuilder::success(&attribute(&f.name), Duration::ZERO);
        case.set_system_out(&cdata(&gate_lines::status(f)));
        case.set_classname(&class).build()
    }));
    cases
}

fn cause(cause: &Cause<'_>, judged: Option<&Judged>, class: &str) -> TestCase {
    let finding = &cause.chief.1.finding;
    let what = finding
        .exception
        .clone()
        .unwrap_or_else(|| finding.kind.to_string());
    let (exception, frame) = (finding.exception.as_deref(), finding.frame.as_deref());
    let (activity, print) = (&finding.activity, &finding.fingerprint);
    let name = attribute(&cause_name(finding.kind, exception, frame, activity, print));
    let at = frame.map(|frame| format!("{}: ", short_frame(frame)));
    let title = format!("{}{}", at.unwrap_or_default(), finding.title);
    let reported = cdata(&evidence(cause));
    let skipped = |kind: &str, message: &str| {
        let mut case = TestCaseBuilder::skipped_with_cause(&name, kind, &attribute(message));
        case.set_system_out(&reported);
        case
    };
    let passes = judged.filter(|judged| judged.status != Status::New);
    let mut case = match (cause.sort(), &finding.environment) {
        (Sort::Finding, _) => match passes {
            Some(judged) => {
                let reason = format!("{}: {title}", gate_lines::status(judged));
                skipped(judged.status.name(), &reason)
            }
            None => {
                let (kind, message) = (attribute(&what), attribute(&title));
                let mut case = TestCaseBuilder::failure(&name, Duration::ZERO, &kind, &message);
                case.set_trace(&reported);
                case
            }
        },
        (Sort::Warning, _) => skipped("warning", &title),
        (Sort::Environment, None) => skipped("environment", &title),
        (Sort::Environment, Some(blame)) => {
            let detail = blame.detail.as_ref().map(|d| format!(" ({d})"));
            let detail = detail.unwrap_or_default();
            let reason = format!("{}{detail}: {title}", blame.rule);
            skipped("environment", &reason)
        }
    };
    case.set_classname(class).build()
}

fn evidence(cause: &Cause<'_>) -> String {
    let (_, met) = cause.chief;
    let finding = &met.finding;
    let mut text = format!("{}\nin {}\n", finding.title, finding.activity);
    if let Some(frame) = &finding.frame {
        text += &format!("at {frame}\n");
    }
    if let Some(provoked) = met.provoked() {
        text += &format!("{provoked}\n");
    }
    for (summary, met) in &cause.meetings {
        text += &format!(
            "seed {}: first at event {}, {} (sessions/{}/findings/{})\n",
            summary.seed,
            met.finding.event,
            times(met.count),
            summary.session,
            met.finding.id
        );
    }
    if let Some(repro) = &met.repro {
        if let Some(found) = &repro.reproduction {
            text += &minimized(found, repro);
        }
        text += &format!("Replay: cargo droidtest replay {}\n", repro.typed);
    }
    text += "\nOriginal steps (the last ones):\n";
    for step in &met.way {
        text += &line(step);
    }
    text += "\n";
    text += &shorten(&finding.evidence, EVIDENCE);
    text
}

fn minimized(found: &Reproduction, repro: &ReproInfo) -> String {
    let words = found.words();
    let Some(steps) = fewest(found) else {
        return format!("\nNot minimized: {words}\n");
    };
    let mut text = format!("\nMinimized steps from a fresh start. {words}:\n");
    for (number, step) in steps.iter().take(STEPS).enumerate() {
        text += &format!("{:>6}  {step}\n", number + 1);
    }
    if steps.len() > STEPS {
        text += &format!("        and {} more, see the trace\n", steps.len() - STEPS);
    }
    let images: Vec<_> = repro.images.iter().flatten().collect();
    if let (Some(first), Some(last)) = (images.first(), images.last()) {
        let name = |path: &Path| path.file_name().unwrap_or_default().display().to_string();
        let (first, last) = (near(first), name(last));
        text += &format!("Screenshots before each step: {first} to {last}\n");
    }
    text
}

fn line(step: &WayStep) -> String {
    match step.number {
        Some(number) => format!("{number:>6}  {}\n", step.words),
        None => format!("        {}\n", step.words),
    }
}
