//! Monkey's line coverage on AndroTest's apps next to the published figures: how true the jvm device is to Android.

use crate::correlation::spearman;
use crate::study::{self, Outcome, Study, coverage_percent, name, num};
use crate::{Result, sh};
use serde_json::json;
use std::fmt::Write as _;
use std::fs;

/// Package, Monkey's published line coverage in percent, does the app need a network?
/// Source: Romdhana et al., "Deep Reinforcement Learning for Black-Box Testing of Android Apps"
/// (ARES), table 5: one hour on an Android 7 emulator, mean of 10 runs.
const PUBLISHED: [(&str, f64, bool); 26] = [
    ("a2dp.Vol", 38.0, false),
    ("hu.vsza.adsdroid", 30.0, true),
    ("jp.sblo.pandora.aGrep", 45.0, false),
    ("com.angrydoughnuts.android.alarmclock", 64.0, false),
    ("org.liberty.android.fantastischmemo", 31.0, false),
    ("com.everysoft.autoanswer", 12.0, false),
    ("ch.blinkenlights.battery", 73.0, false),
    ("org.scoutant.blokish", 55.0, false),
    ("org.beide.bomber", 76.0, false),
    ("com.eleybourn.bookcatalogue", 27.0, false),
    ("org.jfedor.frozenbubble", 80.0, false),
    ("com.gluegadget.hndroid", 7.0, true),
    ("org.waxworlds.edam.importcontacts", 40.0, false),
    ("net.fercanet.LNM", 47.0, false),
    ("in.shick.lockpatterngenerator", 75.0, false),
    ("com.android.lolcat", 26.0, false),
    ("de.homac.Mirrored", 57.0, true),
    ("com.hectorone.multismssender", 34.0, false),
    ("com.bwx.bequick", 50.0, false),
    ("com.example.android.musicplayer", 53.0, false),
    ("be.ppareit.swiftp_free", 12.0, false),
    ("com.nloko.android.syncmypix", 21.0, false),
    ("net.mandaria.tippytipper", 75.0, false),
    ("org.tomdroid", 47.0, false),
    ("es.senselesssolutions.gpl.weightchart", 63.0, false),
    ("com.tum.yahtzee", 51.0, false),
];

struct Row {
    package: &'static str,
    published: f64,
    network: bool,
    events: f64,
    ended: String,
    ours: Option<f64>,
}

pub fn run(args: &[String]) -> Result {
    let folder = study::folder(args)?;
    let events = sh::number(args, "--events", 18_000)?;
    let jobs = usize::try_from(sh::number(args, "--jobs", 2)?).unwrap_or(1);
    let fresh = args.iter().any(|a| a == "--fresh");
    let wanted = |file: &str| {
        PUBLISHED
            .iter()
            .find(|(package, ..)| file.ends_with(&format!("{package}.apk")))
    };
    let mut files = study::apks(folder)?;
    files.retain(|f| name(f).starts_with("androtest-") && wanted(&name(f)).is_some());
    let tool = sh::build_tool()?;
    let study = Study {
        name: format!("fidelity-{events}"),
        strategy: study::table("monkey"),
        events,
        plateau: Some(sh::number(args, "--plateau", 4_000)?),
        seed: 1,
        screenshots: false,
    };
    let outcomes = study.run(&tool, &files, jobs, fresh)?;
    let rows: Vec<Row> = outcomes
        .iter()
        .filter_map(|o| row(o, wanted(&name(&o.file))?))
        .collect();
    let text = report(&rows, events);
    print!("{text}");
    if let Some(file) = sh::option(args, "--json")? {
        let rows: Vec<_> = rows
            .iter()
            .map(|r| json!({"package": r.package, "published": r.published, "ours": r.ours, "events": r.events, "network": r.network}))
            .collect();
        fs::write(file, json!({ "apps": rows }).to_string())
            .map_err(|e| format!("cannot write {file}: {e}"))?;
    }
    Ok(())
}

fn row(outcome: &Outcome, published: &(&'static str, f64, bool)) -> Option<Row> {
    let session = outcome.session.as_ref().ok();
    Some(Row {
        package: published.0,
        published: published.1,
        network: published.2,
        events: session.map_or(0.0, |s| num(s, &["events"])),
        ended: session
            .and_then(|s| s["ended"].as_str())
            .unwrap_or("failed")
            .to_owned(),
        ours: session.and_then(coverage_percent),
    })
}

fn report(rows: &[Row], events: u64) -> String {
    let mut out = String::from(
        "| package | Monkey, published | monkey, here | difference | events | ended |\n|---|---|---|---|---|---|\n",
    );
    for r in rows {
        let ours = r.ours.unwrap_or(0.0);
        let _ = writeln!(
            out,
            "| {}{} | {:.0} | {:.1} | {:+.1} | {} | {} |",
            r.package,
            if r.network { " (needs a network)" } else { "" },
            r.published,
            ours,
            ours - r.published,
            r.events,
            r.ended
        );
    }
    let counted: Vec<(f64, f64)> = rows
        .iter()
        .filter(|r| !r.network)
        .map(|r| (r.published, r.ours.unwrap_or(0.0)))
        .collect();
    let mean =
        counted.iter().map(|(p, o)| (p - o).abs()).sum::<f64>() / counted.len().max(1) as f64;
    let _ = writeln!(
        out,
        "\n{} apps that need no network, at most {events} events each: mean absolute difference {mean:.1} points, rank correlation {:.2}.",
        counted.len(),
        spearman(&counted)
    );
    out
}
