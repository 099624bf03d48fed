//! Two versions of an app: how many changed methods sessions reach with and without preference of changed code.

use crate::{Result, sh};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const STRATEGIES: [&str; 2] = ["dinodroid", "q-learning"];

pub fn run(args: &[String]) -> Result {
    let [base, head, options @ ..] = args else {
        return Err("changed needs BASE.apk and HEAD.apk".to_owned());
    };
    let absolute = |file: &str| fs::canonicalize(file).map_err(|e| format!("{file}: {e}"));
    let file = |name| sh::option(options, name)?.map(absolute).transpose();
    let (base, head) = (absolute(base)?, absolute(head)?);
    let mapping = match file("--mapping")? {
        Some(file) => format!("mapping = '{}'\n", file.display()),
        None => String::new(),
    };
    let events = sh::number(options, "--events", 300)?;
    let seeds: Vec<_> = (1..=sh::number(options, "--seeds", 5)?)
        .map(|n| n.to_string())
        .collect();
    let jobs = sh::number(options, "--jobs", 2)?;
    let name = head
        .file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let folder = sh::target().join("studies/changed").join(&name);
    fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let suite = format!(
        "[suite]\nname = \"changed\"\nbudget = {{ events = {events} }}\nseeds = [{}]\n\
         [[app]]\nname = \"app\"\napk = '{}'\n{mapping}\
         [[device]]\nname = \"jvm\"\nkind = \"jvm\"\ncount = {jobs}\n\
         [[strategy]]\nkind = \"{}\"\n[[strategy]]\nkind = \"{}\"\n\
         [minimize]\nenabled = false\n[report]\nhtml = false\nscreenshots = \"none\"\n",
        seeds.join(", "),
        head.display(),
        STRATEGIES[0],
        STRATEGIES[1],
    );
    let file_of_suite = folder.join("droidtest.toml");
    fs::write(&file_of_suite, suite).map_err(|e| format!("{}: {e}", file_of_suite.display()))?;
    let tool = sh::build_tool()?;
    let base_mapping = file("--base-mapping")?;
    let mut found = Vec::new();
    for prefer in [false, true] {
        explore(&tool, &folder, prefer, jobs, &base, base_mapping.as_ref())?;
        let summary = folder.join(prefer.to_string()).join("summary.json");
        let text = fs::read(&summary).map_err(|e| format!("{}: {e}", summary.display()))?;
        found.push(serde_json::from_slice::<Value>(&text).map_err(|e| e.to_string())?);
    }
    println!("| app | strategy | changed methods | reached without | reached with | medians |");
    println!("|---|---|--:|---|---|---|");
    for strategy in STRATEGIES {
        let [without, with] = [&found[0], &found[1]].map(|summary| reached(summary, strategy));
        let total = &found[0]["apps"][0]["changed"]["methods"]["total"];
        let medians = format!("{} → {}", median(&without), median(&with));
        println!("| {name} | `{strategy}` | {total} | {without:?} | {with:?} | {medians} |");
    }
    Ok(())
}

/// One run; that it has findings is no failure.
fn explore(
    tool: &Path,
    folder: &Path,
    prefer: bool,
    jobs: u64,
    base: &Path,
    mapping: Option<&PathBuf>,
) -> Result {
    let run = folder.join(prefer.to_string());
    if run.exists() {
        fs::remove_dir_all(&run).map_err(|e| format!("{}: {e}", run.display()))?;
    }
    let mut command = Command::new(tool);
    command
        .current_dir(folder)
        .env("DROIDTEST_CHANGED__PREFER", prefer.to_string())
        .args([
            "run",
            "--out",
            ".",
            "--run-id",
            &prefer.to_string(),
            "-j",
            &jobs.to_string(),
        ])
        .arg("--changed-since")
        .arg(base);
    if let Some(mapping) = mapping {
        command.arg("--changed-mapping").arg(mapping);
    }
    let status = command
        .status()
        .map_err(|e| format!("{}: {e}", tool.display()))?;
    match status.code() {
        Some(0 | 100) => Ok(()),
        _ => Err(format!("the run in {} failed ({status})", run.display())),
    }
}

/// Changed methods reached by each session of a strategy, in the order of seeds.
fn reached(summary: &Value, strategy: &str) -> Vec<u64> {
    let sessions = summary["sessions"].as_array().into_iter().flatten();
    let own = sessions.filter(|session| session["strategy"] == strategy);
    own.filter_map(|session| session["changed"]["methods"]["covered"].as_u64())
        .collect()
}

fn median(all: &[u64]) -> f64 {
    let mut all = all.to_vec();
    all.sort_unstable();
    let middle = |ix: usize| all.get(ix).copied().unwrap_or_default() as f64;
    (middle(all.len() / 2) + middle(all.len().saturating_sub(1) / 2)) / 2.0
}
