//! Which APKs of a folder launch on the jvm device and carry their events.

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
        strategy: format!("kind = \"{strategy}\""),
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
                "app_findings": 0, "environment_findings": 0, "reason": reason,
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
        "environment_findings": count("environment_findings"),
        "reason": reason,
    })
}

fn round(x: f64) -> f64 {
    (x * 1000.0).round() / 1000.0
}

fn table(rows: &[Value], events: u64) -> String {
    let mut out = String::new();
    let _ = writeln!(
        out,
        "{:<58} {:>6} {:>6} {:>7} {:>4} {:>7} {:>6} {:>4} {:>4}  reason",
        "file", "events", "ev/s", "nochg%", "fail", "acts", "line%", "app", "env"
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
        let mut reason: String = text("reason").chars().take(90).collect();
        reason.retain(|c| !c.is_control());
        let _ = writeln!(
            out,
            "{:<58} {:>6} {:>6.0} {:>7.0} {:>4} {:>7} {:>6} {:>4} {:>4}  {}",
            text("file").chars().take(58).collect::<String>(),
            num(r, &["events"]),
            num(r, &["events_per_second"]),
            100.0 * num(r, &["no_change_share"]),
            num(r, &["device_failures"]),
            acts,
            line,
            num(r, &["app_findings"]),
            num(r, &["environment_findings"]),
            reason
        );
    }
    let whole = |r: &&Value| {
        r["launched"] == true
            && num(r, &["device_failures"]) == 0.0
            && num(r, &["events"]) >= events as f64
    };
    let carried = rows.iter().filter(whole).count();
    let lively = rows
        .iter()
        .filter(whole)
        .filter(|r| num(r, &["no_change_share"]) <= 0.4)
        .count();
    let _ = writeln!(
        out,
        "\n{carried} of {} launched and carried all events without a device failure; on {lively} of them at most 40 % of the events changed nothing.",
        rows.len()
    );
    out
}
