//! `junit.xml`: a suite per app, with a case per cause of failure; and a suite per app, device and strategy, with a
//! case per session.
//!
//! Names are the same in every run, so that a CI can follow a case. One cause is one red case, whatever strategies,
//! devices and seeds observed it, and its name and class name hold none of these. A session's case (`explore, seed 7`)
//! is an error only for what the app is not responsible for.

mod cases;

use super::causes::{Session, sessions};
use super::console::plural;
use super::html::text::duration;
use super::places;
use super::scripts;
use super::session::SessionRecord;
use super::summarize::RunRecord;
use crate::coverage::headline;
use crate::outcome::run_event::EndReason;
use crate::outcome::summary::SessionSummary;
use crate::util::text::{for_xml, shorten};
use junit_report::{
    Duration, Error, OffsetDateTime, ReportBuilder, TestCase, TestCaseBuilder, TestSuiteBuilder,
};
use quick_xml::events::Event;
use quick_xml::{Reader, Writer};

/// Characters of evidence kept; a stack overflow's stack is longer, and no one reads that far.
const EVIDENCE: usize = 50_000;
/// Maximum steps to list; the trace has all.
const STEPS: usize = 100;

/// The report as XML.
///
/// # Errors
/// The XML writer's, which memory doesn't cause.
pub fn junit(run: &RunRecord) -> Result<Vec<u8>, Error> {
    let mut report = ReportBuilder::new();
    let mut notes = Vec::new();
    for (name, sessions) in suites(run) {
        let mut suite = TestSuiteBuilder::new(&attribute(&name.join("/")));
        let started = run.info.started.map_or(0, |time| time.as_second());
        if let Ok(time) = OffsetDateTime::from_unix_timestamp(started) {
            suite.set_timestamp(time);
        }
        let class = attribute(&name.join("."));
        let confinement = sessions.iter().find_map(|s| s.0.confinement.as_deref());
        let confinement = confinement.map(attribute);
        for session in &sessions {
            suite.add_testcase(explore(*session, &class));
        }
        let suite = suite.build();
        let confinement = confinement.map(|held| ("confinement", held));
        notes.push((suite.skipped(), Vec::from_iter(confinement)));
        report.add_testsuite(suite);
    }
    let mut apps: Vec<&str> = Vec::new();
    for session in &run.summary.sessions {
        if !apps.contains(&session.app.as_str()) {
            apps.push(&session.app);
        }
    }
    for app in apps {
        let mut suite = TestSuiteBuilder::new(&attribute(app));
        let started = run.info.started.map_or(0, |time| time.as_second());
        if let Ok(time) = OffsetDateTime::from_unix_timestamp(started) {
            suite.set_timestamp(time);
        }
        for case in cases::of_app(run, app) {
            suite.add_testcase(case);
        }
        let suite = suite.build();
        let summary = run.summary.apps.iter().find(|found| found.app == app);
        let changed = summary.and_then(|found| found.changed.as_ref());
        let changed = changed.map(|changed| ("changed-code", attribute(&changed.words())));
        let counted = summary.and_then(|found| found.counted.as_ref());
        let counted = counted.map(|counted| ("counted-code", attribute(&counted.words())));
        notes.push((
            suite.skipped(),
            changed.into_iter().chain(counted).collect(),
        ));
        report.add_testsuite(suite);
    }
    let mut xml = Vec::new();
    report.build().write_xml(&mut xml)?;
    let mut xml = with_notes(&xml, notes)?;
    xml.push(b'\n');
    Ok(xml)
}

/// A property of a suite: its name and its value.
type Property = (&'static str, String);

/// The same with what the writer leaves out of each suite: its count of skipped cases, and properties.
fn with_notes(xml: &[u8], notes: Vec<(usize, Vec<Property>)>) -> Result<Vec<u8>, Error> {
    let mut notes = notes.into_iter();
    let mut reader = Reader::from_reader(xml);
    let mut writer = Writer::new(Vec::new());
    loop {
        let mut event = reader.read_event()?;
        let mut properties = Vec::new();
        match &mut event {
            Event::Eof => return Ok(writer.into_inner()),
            Event::Start(start) if start.name().as_ref() == b"testsuite" => {
                let (skipped, noted) = notes.next().unwrap_or_default();
                start.push_attribute(("skipped", skipped.to_string().as_str()));
                properties = noted;
            }
            _ => {}
        }
        writer.write_event(event)?;
        if !properties.is_empty() {
            writer
                .create_element("properties")
                .write_inner_content(|writer| {
                    for (name, value) in &properties {
                        writer
                            .create_element("property")
                            .with_attributes([("name", *name), ("value", value.as_str())])
                            .write_empty()?;
                    }
                    Ok(())
                })?;
        }
    }
}

/// Sessions that differ only in their seed, by app, device and strategy.
fn suites(run: &RunRecord) -> Vec<([&str; 3], Vec<Session<'_>>)> {
    let mut suites: Vec<([&str; 3], Vec<Session<'_>>)> = Vec::new();
    for session in sessions(run) {
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
    let broken = summary.failed.as_ref().map(|why| ("failed", why));
    let broken = broken.or(summary.damage.as_ref().map(|what| ("damaged-record", what)));
    let mut case = match (broken, summary.ended) {
        _ if !summary.started => {
            skipped("not-started", "the run ended before this session started")
        }
        (Some((kind, why)), _) => error(kind, why),
        (None, None) => error("killed", &format!("killed after {events} events")),
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
                    &format!("cannot be started on this device: {}", finding.title),
                ),
                None => error("cannot-launch", "the app cannot be started"),
            }
        }
        (None, Some(reason @ EndReason::ClosesAtStart)) => {
            error("closes-at-start", super::console::why(reason))
        }
        // A crash at launch is reported by the crash's case.
        _ => TestCaseBuilder::success(&name, time),
    };
    if summary.started {
        case.set_system_out(&cdata(&totals(summary, record)));
    }
    case.set_classname(class).build()
}

fn totals(summary: &SessionSummary, record: &SessionRecord) -> String {
    let mut text = format!(
        "session {}\n{} in {}, {} of them had no effect\n{}, {} of {} declared ({} reachable)\n",
        summary.session,
        plural(summary.events, "event"),
        duration(summary.seconds),
        summary.unchanged,
        plural(summary.pages, "page"),
        plural(summary.activities_reached.len() as u64, "activity"),
        summary.activities_declared,
        summary.activities_reachable,
    );
    if !summary.places.is_empty() {
        let count = summary.places.len();
        let listed = summary.places.iter().take(places::LISTED);
        let all: Vec<_> = listed
            .map(places::words)
            .chain(places::more(count))
            .collect();
        text += &format!("{}: {}\n", plural(count as u64, "place"), all.join("; "));
    }
    if let Some(coverage) = summary.coverage {
        let (ratio, what) = headline(&coverage);
        text += &format!("covered: {:.1} % of {what}\n", ratio.percent());
    }
    if summary.probes.total > 0 {
        text += &format!(
            "{} of {} code branches reached\n",
            summary.probes.covered, summary.probes.total
        );
    }
    for script in &summary.scripts {
        text += &format!("{}\n", scripts::line(script));
    }
    if let Some(corpus) = &summary.corpus {
        text += &format!("{}\n", scripts::corpus(corpus));
    }
    for (at, message) in &record.failures {
        text += &format!("device failure at event {at}: {message}\n");
    }
    text
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
/// section and starts another.
fn cdata(text: &str) -> String {
    for_xml(text).replace("]]>", "]]]]><![CDATA[>")
}

#[cfg(test)]
#[path = "junit_tests.rs"]
mod tests;
