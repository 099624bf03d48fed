//! `droidtest.sarif`: findings as SARIF 2.1.0, for code scanning.
//!
//! A consumer follows a result by its rule, its file and its partial fingerprint, so none of them has anything that differs
//! from run to run. Known findings stay in the file, seen or not: GitHub closes the alert of a result that is missing. It
//! ignores `baselineState` and `suppressions`, so a fixed finding is left out, which closes its alert.

use super::causes::{causes, fewest, sessions};
use super::code_lines::{CodeLine, CodeLines};
use super::html::text::line;
use super::session::Sort;
use super::summarize::RunRecord;
use super::words::short_frame;
use crate::outcome::finding::FindingKind;
use crate::outcome::verdict::{Judged, Status};
use serde_json::{Value, json};

/// The schema that the file follows.
const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";
/// GitHub shows 5,000 results of a run.
const MOST: usize = 5000;
/// Steps of a code flow; the trace has all.
const STEPS: usize = 200;
/// The key of the fingerprint. Its version is that of the form, not of the fingerprint's rules.
const FINGERPRINT: &str = "droidtest/v2";

/// What a result is made of.
struct Found<'a> {
    app: &'a str,
    fingerprint: &'a str,
    kind: Option<FindingKind>,
    exception: Option<&'a str>,
    frame: Option<&'a str>,
    title: &'a str,
    activity: &'a str,
    steps: &'a [String],
    replay: Option<&'a str>,
    warning: bool,
    judged: Option<&'a Judged>,
}

/// The findings of a run as a SARIF log with one run and at most 5,000 results, new findings first.
pub fn sarif(run: &RunRecord) -> Value {
    let places = CodeLines::new(&run.info);
    let causes = causes(sessions(run));
    let verdict = run.verdict.as_ref();
    let observed = causes.iter().filter(|c| c.sort() != Sort::Environment);
    let mut all: Vec<_> = observed
        .map(|cause| {
            let (session, met) = cause.chief;
            let finding = &met.finding;
            let repro = met.repro.as_ref();
            let found = repro.and_then(|repro| repro.reproduction.as_ref());
            Found {
                app: &session.app,
                fingerprint: &finding.fingerprint,
                kind: Some(finding.kind),
                exception: finding.exception.as_deref(),
                frame: finding.frame.as_deref(),
                title: &finding.title,
                activity: &finding.activity,
                steps: found.and_then(fewest).unwrap_or_default(),
                replay: repro.map(|repro| repro.typed.as_str()),
                warning: finding.warning,
                judged: verdict.and_then(|v| v.find(&session.app, &finding.fingerprint)),
            }
        })
        .collect();
    let unobserved = verdict.into_iter().flat_map(|verdict| {
        let findings = verdict.findings.iter();
        findings.filter(|judged| {
            // An entry of the baseline has no kind: without an exception its rule is not known.
            judged.exception.is_some()
                && judged.status != Status::Fixed
                && !causes.iter().any(|cause| {
                    let (session, met) = cause.chief;
                    session.app == judged.app && met.finding.fingerprint == judged.fingerprint
                })
        })
    });
    all.extend(unobserved.map(|judged| Found {
        app: &judged.app,
        fingerprint: &judged.fingerprint,
        kind: judged.kind,
        exception: judged.exception.as_deref(),
        frame: judged.frame.as_deref(),
        title: &judged.title,
        activity: "",
        steps: &judged.steps,
        replay: None,
        warning: judged.warning,
        judged: Some(judged),
    }));
    all.sort_by_key(|found| (found.judged.map(|judged| judged.status), found.warning));
    let left_out = all.len().saturating_sub(MOST);
    all.truncate(MOST);
    let mut rules: Vec<String> = all.iter().map(Found::rule).collect();
    rules.sort();
    rules.dedup();
    let results: Vec<_> = all
        .iter()
        .map(|found| found.result(&rules, &places))
        .collect();
    let mut notes: Vec<String> = run
        .summary
        .sessions
        .iter()
        .filter_map(|session| {
            let why = session.incomplete()?;
            Some(format!("session {}: {why}", session.session))
        })
        .collect();
    let complete = notes.is_empty();
    if left_out > 0 {
        notes.push(format!("{left_out} more findings are not in this file"));
    }
    let notes: Vec<_> = notes
        .iter()
        .map(|note| json!({ "level": "warning", "message": message(note) }))
        .collect();
    json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "cargo-droidtest",
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": rules.iter().map(|id| rule(id)).collect::<Vec<_>>(),
            } },
            // Suites of one repository do not close each other's alerts.
            "automationDetails": { "id": format!("droidtest/{}/", uri(&run.summary.suite).replace('/', "-")) },
            "invocations": [{
                "executionSuccessful": complete,
                "toolExecutionNotifications": notes,
            }],
            "columnKind": "utf16CodeUnits",
            "results": results,
        }],
    })
}

impl Found<'_> {
    /// The rule, by the exception or the kind: `crash/java.lang.NullPointerException`, `anr`.
    fn rule(&self) -> String {
        match (self.exception, self.kind) {
            (Some(class), _) if !class.is_empty() => format!("crash/{}", line(class, 200)),
            (_, Some(kind)) => kind.to_string().to_lowercase().replace(' ', "-"),
            _ => "crash".to_owned(),
        }
    }

    fn level(&self) -> &'static str {
        match self.judged.map_or(Status::New, |judged| judged.status) {
            Status::New if !self.warning => "error",
            Status::New | Status::Flaky | Status::Device => "warning",
            _ => "note",
        }
    }

    fn text(&self) -> String {
        let mut text = match self.frame {
            Some(frame) => format!("{}: {}", short_frame(frame), self.title),
            None if self.activity.is_empty() => self.title.to_owned(),
            None => format!("{} in {}", self.title, self.activity),
        };
        text += &format!(" (app {})", self.app);
        if let Some(replay) = self.replay {
            text += &format!(". Replay: cargo droidtest replay {replay}");
        }
        text
    }

    fn result(&self, rules: &[String], places: &CodeLines) -> Value {
        let rule = self.rule();
        let place = places.of(self.app, self.frame);
        let at = physical(&place);
        let mut result = json!({
            "ruleId": rule,
            "ruleIndex": rules.iter().position(|known| *known == rule),
            "level": self.level(),
            "message": message(&self.text()),
            "locations": [{ "physicalLocation": at }],
            "partialFingerprints": { FINGERPRINT: format!("{}:{}", self.app, self.fingerprint) },
        });
        if !self.steps.is_empty() {
            // A step is on the screen, not in the code; consumers show only steps that have a file.
            let step = |(number, step): (usize, &String)| {
                json!({ "location": {
                    "message": message(&format!("{}. {step}", number + 1)),
                    "physicalLocation": at,
                } })
            };
            let steps: Vec<_> = self
                .steps
                .iter()
                .take(STEPS)
                .enumerate()
                .map(step)
                .collect();
            result["codeFlows"] = json!([{ "threadFlows": [{ "locations": steps }] }]);
        }
        let Some(judged) = self.judged else {
            return result;
        };
        let is_known = matches!(
            judged.status,
            Status::Known | Status::Accepted | Status::NotSeen | Status::PreExisting
        );
        result["baselineState"] = if is_known { "unchanged" } else { "new" }.into();
        result["properties"] = json!({ "status": judged.status.name() });
        if judged.status == Status::Accepted {
            let why = judged.reason.as_deref().unwrap_or("accepted");
            result["suppressions"] = json!([{ "kind": "external", "status": "accepted", "justification": line(why, 400) }]);
        }
        result
    }
}

fn rule(id: &str) -> Value {
    let what = match id.split_once('/') {
        Some((_, class)) => format!("The app crashes with {class}"),
        None => format!("The app fails: {}", id.replace('-', " ")),
    };
    json!({
        "id": id,
        "shortDescription": { "text": what },
        "fullDescription": { "text": format!("{what}. Found by exploring the app; the steps lead there from a fresh start.") },
        "defaultConfiguration": { "level": "error" },
    })
}

/// A plain text. What looks like an embedded link stays text.
fn message(text: &str) -> Value {
    json!({ "text": line(text, 2000).replace("](", "] (") })
}

fn physical(place: &CodeLine) -> Value {
    json!({
        "artifactLocation": { "uri": uri(&place.file), "uriBaseId": "%SRCROOT%" },
        "region": { "startLine": place.line },
    })
}

/// A relative path as a URI.
fn uri(path: &str) -> String {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"-._~/".contains(&b);
    let encoded = path.bytes().map(|b| match plain(b) {
        true => char::from(b).to_string(),
        false => format!("%{b:02X}"),
    });
    encoded.collect()
}

#[cfg(test)]
#[path = "sarif_tests.rs"]
mod tests;
