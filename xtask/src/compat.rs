//! Which APKs of a folder launch on the jvm device and carry their events.

use crate::liveliness::Liveliness;
use crate::study::{self, Outcome, Study, coverage_percent, name, num};
use crate::{Result, sh};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::fs;

pub fn run(args: &[String]) -> Result {
    let files = study::apks(study::folder(args)?)?;
    let events = sh::number(args, "--events", 300)?;
    let strategy = sh::option(args, "--strategy")?.unwrap_or("random");
    let jobs = sh::number(args, "--jobs", 2)?;
    let fresh = args.iter().any(|a| a == "--fresh");
    let tool = sh::build_tool()?;
    let study = Study {
        name: format!("compat-{strategy}-{events}"),
        strategy: study::table(strategy),
        events,
        plateau: None,
        seed: 1,
        screenshots: false,
    };
    let outcomes = study.run(&tool, &files, usize::try_from(jobs).unwrap_or(1), fresh)?;
    let rows: Vec<Value> = outcomes.iter().map(row).collect();
    print!("{}", table(&rows, events));
    if let Some(file) = sh::option(args, "--json")? {
        let text =
            serde_json::to_string_pretty(&json!({ "apks": rows })).map_err(|e| e.to_string())?;
        fs::write(file, text + "\n").map_err(|e| format!("cannot write {file}: {e}"))?;
    }
    Ok(())
}

fn row(outcome: &Outcome) -> Value {
    let file = name(&outcome.file);
    let session = match &outcome.session {
        Ok(session) => session,
        Err(reason) => {
            return json!({
                "file": file, "launched": false, "events": 0, "events_per_second": 0.0, "no_change_share": 0.0,
                "device_failures": 0, "activities_reached": 0, "activities_declared": 0, "line_coverage": null,
                "app_findings": 0, "environment_findings": 0, "pages": 0, "effective": 0, "first_page_blank": false,
                "capability": null, "reason": reason,
            });
        }
    };
    let count = |key: &str| session[key].as_array().map_or(0, Vec::len);
    let events = num(session, &["events"]);
    let seconds = num(session, &["seconds"]);
    let launched = count("activities_reached") > 0 && num(session, &["pages"]) > 0.0;
    let ended = session["ended"].as_str().unwrap_or("killed");
    let first = |key: &str, field: &str| {
        session[key]
            .get(0)
            .map(|f| f[field].as_str().unwrap_or("").to_owned())
    };
    let failure = session["device_failures"]
        .get(0)
        .and_then(Value::as_str)
        .map(str::to_owned);
    let reason = if ended == "events" || ended == "plateau" {
        failure.unwrap_or_default()
    } else {
        let why = failure
            .or_else(|| first("findings", "title"))
            .or_else(|| first("environment_findings", "title"))
            .unwrap_or_default();
        format!("{ended}: {why}")
    };
    let life = Liveliness::of_run(&outcome.folder, session["session"].as_str().unwrap_or(""));
    json!({
        "file": file,
        "launched": launched,
        "events": session["events"],
        "events_per_second": if seconds > 0.0 { round(events / seconds) } else { 0.0 },
        "no_change_share": if events > 0.0 { round(num(session, &["unchanged"]) / events) } else { 0.0 },
        "device_failures": count("device_failures"),
        "activities_reached": count("activities_reached"),
        "activities_declared": session["activities_declared"],
        "line_coverage": coverage_percent(session).map(round),
        "app_findings": count("findings"),
        "environment_findings": limits(session),
        "pages": session["pages"],
        "effective": life.effective,
        "first_page_blank": life.first_page_blank,
        "capability": session["capability"],
        "reason": reason,
    })
}

/// Findings of the environment that limit what the app can do; an unstable order of threads does not.
fn limits(session: &Value) -> usize {
    let all = session["environment_findings"].as_array();
    all.map_or(0, |all| {
        all.iter()
            .filter(|f| f["environment"] != "unstable")
            .count()
    })
}

fn round(x: f64) -> f64 {
    (x * 1000.0).round() / 1000.0
}

/// Did it launch and carry all its events without a device failure?
fn whole(row: &Value, events: u64) -> bool {
    row["launched"] == true
        && num(row, &["device_failures"]) == 0.0
        && num(row, &["events"]) >= events as f64
}

/// Why an app that carried its events does not count all the same.
fn hollow(row: &Value) -> Option<&'static str> {
    if num(row, &["effective"]) == 0.0 {
        return Some("only Back, Menu or relaunch has an effect");
    }
    let verdict = row["capability"]["verdict"].as_str().unwrap_or("supported");
    let limited = verdict != "supported" || num(row, &["environment_findings"]) > 0.0;
    (limited && row["first_page_blank"] == true)
        .then_some("a device limitation blanks its first page")
}

/// Did it carry its events, and come alive?
fn carried(row: &Value, events: u64) -> bool {
    whole(row, events) && hollow(row).is_none()
}

/// Did the capability check forecast what happened? `None` if there was none.
fn agrees(row: &Value, events: u64) -> Option<bool> {
    let verdict = row["capability"]["verdict"].as_str()?;
    Some((verdict != "use-an-emulator") == carried(row, events))
}

fn table(rows: &[Value], events: u64) -> String {
    let mut out = String::new();
    let _ = writeln!(
        out,
        "{:<58} {:>6} {:>6} {:>7} {:>5} {:>4} {:>7} {:>6} {:>4} {:>4}  {:<8} reason",
        "file", "events", "ev/s", "nochg%", "pages", "fail", "acts", "line%", "app", "env", "check"
    );
    for r in rows {
        let text = |key: &str| r[key].as_str().unwrap_or("").to_owned();
        let acts = format!(
            "{}/{}",
            num(r, &["activities_reached"]),
            num(r, &["activities_declared"])
        );
        let line = r["line_coverage"]
            .as_f64()
            .map_or("-".into(), |x| format!("{x:.1}"));
        let check = match r["capability"]["verdict"].as_str() {
            Some("use-an-emulator") => "emulator",
            Some("supported") => "ok",
            Some(other) => other,
            None => "-",
        };
        let mut reason: String = text("reason").chars().take(90).collect();
        reason.retain(|c| !c.is_control());
        if whole(r, events)
            && let Some(why) = hollow(r)
        {
            reason = format!("{why}; {reason}");
        }
        let _ = writeln!(
            out,
            "{:<58} {:>6} {:>6.0} {:>7.0} {:>5} {:>4} {:>7} {:>6} {:>4} {:>4}  {check:<8} {}",
            text("file").chars().take(58).collect::<String>(),
            num(r, &["events"]),
            num(r, &["events_per_second"]),
            100.0 * num(r, &["no_change_share"]),
            num(r, &["pages"]),
            num(r, &["device_failures"]),
            acts,
            line,
            num(r, &["app_findings"]),
            num(r, &["environment_findings"]),
            reason.trim_end_matches("; ")
        );
    }
    out + &totals(rows, events)
}

/// The last lines: each count by itself.
fn totals(rows: &[Value], events: u64) -> String {
    let all = rows.len();
    let count = |keep: &dyn Fn(&Value) -> bool| rows.iter().filter(|r| keep(r)).count();
    let hollow_by = |part: &str| {
        count(&|r| whole(r, events) && hollow(r).is_some_and(|why| why.contains(part)))
    };
    let mut pages: Vec<u64> = rows
        .iter()
        .filter(|r| carried(r, events))
        .filter_map(|r| r["pages"].as_u64())
        .collect();
    pages.sort_unstable();
    let median = pages.get(pages.len() / 2).copied().unwrap_or(0);
    let checked = count(&|r| agrees(r, events).is_some());
    format!(
        "\n{} of {all} launched.\n\
         {} of {all} had no device failure.\n\
         {} of {all} launched and completed all {events} events without a device failure.\n\
         {} of these had an effect by Back, Menu or relaunch only; the first page of {} more was blanked by a device limitation.\n\
         {} of {all} run: these remain.\n\
         On {} of these at most 40 % of the events had no effect; the median is {median} structural pages.\n\
         The capability check agrees with compat on {} of {checked}.\n",
        count(&|r| r["launched"] == true),
        count(&|r| num(r, &["device_failures"]) == 0.0),
        count(&|r| whole(r, events)),
        hollow_by("only Back"),
        hollow_by("blanks"),
        count(&|r| carried(r, events)),
        count(&|r| carried(r, events) && num(r, &["no_change_share"]) <= 0.4),
        count(&|r| agrees(r, events) == Some(true)),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(effective: u64, blank: bool, verdict: &str, failures: u64) -> Value {
        json!({
            "file": "a.apk", "launched": true, "events": 60, "device_failures": failures, "pages": 4,
            "no_change_share": 0.2, "environment_findings": 0, "effective": effective, "first_page_blank": blank,
            "capability": { "verdict": verdict }, "reason": "",
        })
    }

    #[test]
    fn an_app_that_only_goes_back_is_not_carried() {
        assert!(carried(&row(3, false, "supported", 0), 60));
        assert!(!carried(&row(0, false, "supported", 0), 60));
        assert!(!carried(&row(3, false, "supported", 1), 60));
        // A blank first page counts against the device where a limitation is known.
        assert!(carried(&row(3, true, "supported", 0), 60));
        assert!(!carried(&row(3, true, "limited", 0), 60));
    }

    #[test]
    fn the_check_is_compared_with_what_happened() {
        assert_eq!(agrees(&row(3, false, "limited", 0), 60), Some(true));
        assert_eq!(
            agrees(&row(3, false, "use-an-emulator", 0), 60),
            Some(false)
        );
        assert_eq!(agrees(&row(0, false, "use-an-emulator", 0), 60), Some(true));
        assert_eq!(agrees(&json!({ "capability": null }), 60), None);
        let rows = [
            row(3, false, "supported", 0),
            row(0, false, "supported", 0),
            row(3, true, "limited", 0),
        ];
        let text = totals(&rows, 60);
        assert!(text.contains("3 of 3 launched and completed"), "{text}");
        assert!(text.contains("1 of these had an effect by Back"), "{text}");
        assert!(text.contains("the first page of 1 more"), "{text}");
        assert!(text.contains("1 of 3 run"), "{text}");
        assert!(text.ends_with("agrees with compat on 1 of 3.\n"), "{text}");
    }
}
