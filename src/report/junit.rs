//! `junit.xml`: one suite per app, device and strategy; a case per session and one per cause of failure.
//!
//! Names are the same in every run, so that a CI can follow a case. One cause is one red case, however
//! often and with however many seeds it was met. A session's own case (`explore, seed 7`) is an error
//! only for what the app is not to blame for.

use super::causes::{Meeting, Session, causes, chief};
use super::console::near;
use super::scripts;
use super::session::{Met, SessionRecord, WayStep};
use super::summarize::RunRecord;
use crate::coverage::headline;
use crate::outcome::run_event::EndReason;
use crate::outcome::summary::SessionSummary;
use crate::util::text::{for_xml, shorten};
use junit_report::{
    Duration, Error, OffsetDateTime, ReportBuilder, TestCase, TestCaseBuilder, TestSuiteBuilder,
};
use std::path::Path;

/// Characters of evidence kept; a stack overflow's stack is longer, and no one reads that far.
const EVIDENCE: usize = 50_000;

/// The report as XML.
///
/// # Errors
/// The XML writer's, which memory doesn't cause.
pub fn junit(run: &RunRecord) -> Result<Vec<u8>, Error> {
    let mut report = ReportBuilder::new();
    for (name, sessions) in suites(run) {
        let mut suite = TestSuiteBuilder::new(&attribute(&name.join("/")));
        let started = run.info.started.map_or(0, |time| time.as_second());
        if let Ok(time) = OffsetDateTime::from_unix_timestamp(started) {
            suite.set_timestamp(time);
        }
        let class = attribute(&name.join("."));
        for session in &sessions {
            suite.add_testcase(explore(*session, &class));
        }
        for met in causes(&sessions) {
            suite.add_testcase(cause(&met, &class));
        }
        report.add_testsuite(suite.build());
    }
    let mut xml = Vec::new();
    report.build().write_xml(&mut xml)?;
    xml.push(b'\n');
    Ok(xml)
}

/// Sessions that differ in nothing but their seed, by app, device and strategy.
fn suites(run: &RunRecord) -> Vec<([&str; 3], Vec<Session<'_>>)> {
    let mut suites: Vec<([&str; 3], Vec<Session<'_>>)> = Vec::new();
    for session in run.summary.sessions.iter().zip(&run.sessions) {
        let summary = session.0;
        let name = [
            summary.app.as_str(),
            summary.device.as_str(),
            summary.strategy.as_str(),
        ];
        match suites.iter_mut().find(|(known, _)| *known == name) {
            Some((_, sessions)) => sessions.push(session),
            None => suites.push((name, vec![session])),
        }
    }
    suites
}

fn explore((summary, record): Session<'_>, class: &str) -> TestCase {
    let name = format!("explore, seed {}", summary.seed);
    let time = Duration::seconds_f64(summary.seconds);
    let error =
        |kind: &str, message: &str| TestCaseBuilder::error(&name, time, kind, &attribute(message));
    let skipped = |kind: &str, message: &str| {
        TestCaseBuilder::skipped_with_cause(&name, kind, &attribute(message))
    };
    let events = summary.events;
    let mut case = match (&summary.damage, summary.ended) {
        _ if !summary.started => skipped("not-started", "the run ended before this session began"),
        (Some(damage), _) => error("damaged-record", damage),
        (None, None) => error(
            "killed",
            &format!("ended from outside after {events} events"),
        ),
        (None, Some(EndReason::Interrupted)) => {
            skipped("interrupted", &format!("interrupted after {events} events"))
        }
        (None, Some(EndReason::DeviceLost)) => {
            let last = summary.device_failures.last();
            error(
                "device-lost",
                last.map_or("the device was lost", |m| m.as_str()),
            )
        }
        (None, Some(EndReason::Blocked)) => error(
            "blocked",
            &format!("after {events} events the app stays in an activity that the suite blocks"),
        ),
        (None, Some(EndReason::CannotLaunch)) if summary.findings.is_empty() => {
            match summary.environment_findings.first() {
                Some(finding) => skipped(
                    "environment",
                    &format!("cannot be started here: {}", finding.title),
                ),
                None => error("cannot-launch", "the app cannot be started"),
            }
        }
        // That it crashes when started is told by the crash's case.
        _ => TestCaseBuilder::success(&name, time),
    };
    if summary.started {
        case.set_system_out(&cdata(&totals(summary, record)));
    }
    case.set_classname(class).build()
}

fn totals(summary: &SessionSummary, record: &SessionRecord) -> String {
    let mut text = format!(
        "session {}\n{} events in {:.1} s, {} of them changed nothing\n{} pages, {} activities of {} declared ({} reachable)\n",
        summary.session,
        summary.events,
        summary.seconds,
        summary.unchanged,
        summary.pages,
        summary.activities_reached.len(),
        summary.activities_declared,
        summary.activities_reachable,
    );
    if let Some(coverage) = summary.coverage {
        let (ratio, what) = headline(&coverage);
        text += &format!("covered: {:.1} % of {what}\n", ratio.percent());
    }
    if summary.probes.total > 0 {
        text += &format!(
            "{} of {} probes hit\n",
            summary.probes.covered, summary.probes.total
        );
    }
    for script in &summary.scripts {
        text += &format!("{}\n", scripts::line(script));
    }
    for (at, message) in &record.failures {
        text += &format!("device failure at event {at}: {message}\n");
    }
    text
}

fn cause(meetings: &[Meeting<'_>], class: &str) -> TestCase {
    let (_, met) = chief(meetings);
    let finding = &met.finding;
    let what = finding
        .exception
        .clone()
        .unwrap_or_else(|| finding.kind.to_string());
    let name = attribute(&format!("{what} [{}]", finding.id));
    let kind = attribute(&what);
    let message = attribute(&finding.title);
    let mut case = match &finding.environment {
        _ if !met.is_environment() && finding.warning => {
            TestCaseBuilder::skipped_with_cause(&name, "warning", &message)
        }
        _ if !met.is_environment() => {
            let mut case = TestCaseBuilder::failure(&name, Duration::ZERO, &kind, &message);
            case.set_trace(&cdata(&evidence(meetings, met)));
            case
        }
        Some(blame) => {
            let detail = blame
                .detail
                .as_ref()
                .map(|d| format!(" ({d})"))
                .unwrap_or_default();
            let reason = format!("{}{detail}: {}", blame.rule, finding.title);
            TestCaseBuilder::skipped_with_cause(&name, "environment", &attribute(&reason))
        }
        None => TestCaseBuilder::skipped_with_cause(&name, "environment", &message),
    };
    case.set_classname(class).build()
}

fn evidence(meetings: &[Meeting<'_>], met: &Met) -> String {
    let finding = &met.finding;
    let mut text = format!("{}\nin {}\n", finding.title, finding.activity);
    if let Some(frame) = &finding.frame {
        text += &format!("at {frame}\n");
    }
    for (summary, met) in meetings {
        let times = if met.count == 1 {
            "once".to_owned()
        } else {
            format!("{} times", met.count)
        };
        text += &format!(
            "seed {}: first at event {}, {times} (sessions/{}/findings/{})\n",
            summary.seed, met.finding.event, summary.session, met.finding.id
        );
    }
    if let Some(handed) = &met.handed {
        if let Some(found) = &handed.reproduction {
            text += &format!(
                "\nMinimized steps from a fresh start ({}):\n",
                found.words()
            );
            for (number, step) in found.steps.iter().enumerate() {
                text += &format!("{:>6}  {step}\n", number + 1);
            }
            let images: Vec<_> = handed.images.iter().flatten().collect();
            if let (Some(first), Some(last)) = (images.first(), images.last()) {
                let name = |path: &Path| path.file_name().unwrap_or_default().display().to_string();
                let (first, last) = (near(first), name(last));
                text += &format!("The screen before each of them: {first} to {last}\n");
            }
        }
        text += &format!("Replay it: cargo droidtest replay {}\n", handed.typed);
    }
    text += "\nThe last steps before it:\n";
    for step in &met.way {
        text += &line(step);
    }
    text += "\n";
    text += &shorten(&finding.evidence, EVIDENCE);
    text
}

fn line(step: &WayStep) -> String {
    match step.number {
        Some(number) => format!("{number:>6}  {}\n", step.words),
        None => format!("        {}\n", step.words),
    }
}

/// One line fit for an attribute.
fn attribute(text: &str) -> String {
    let line: String = text
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    for_xml(&shorten(&line, 500)).into_owned()
}

/// Text fit for the one CDATA section that the writer puts around it: an end mark in the text ends that
/// section and begins another.
fn cdata(text: &str) -> String {
    for_xml(text).replace("]]>", "]]]]><![CDATA[>")
}

#[cfg(test)]
#[path = "junit_tests.rs"]
mod tests;
