//! FATE's published models run in process next to the real apps made of them on the jvm device: docs/sim-vs-real.md.

use crate::correlation::{pearson, spearman};
use crate::{Result, sh, study};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const MODELS: &str = "player,social,bank,market_place";
const STRATEGIES: &str = "random,monkey,q-learning,ares-sac,ares-td3,ares-ddpg,dinodroid";
const DOC: &str = "docs/sim-vs-real.md";
const RESULTS: &str = "results.json";

pub fn run(args: &[String]) -> Result {
    let dir = Path::new(study::folder(args)?);
    let list = |name: &str, default: &'static str| -> Result<Vec<String>> {
        let all = sh::option(args, name)?.unwrap_or(default);
        Ok(all.split(',').map(str::to_owned).collect())
    };
    let wish = Wish {
        models: list("--models", MODELS)?,
        strategies: list("--strategies", STRATEGIES)?,
        strings: usize::try_from(sh::number(args, "--strings", 40)?).unwrap_or(usize::MAX),
        events: sh::number(args, "--events", 400)?,
        seeds: sh::number(args, "--seeds", 2)?,
    };
    let studies = sh::target().join("studies").join("sim-vs-real");
    let base = studies.join(format!("{}-{}", wish.strings, wish.events));
    if args.iter().any(|a| a == "--fresh") {
        let _ = fs::remove_dir_all(&base);
    }
    fs::create_dir_all(&base).map_err(|e| format!("cannot make {}: {e}", base.display()))?;
    let tool = sh::build_tool()?;
    let suite = base.join("suite.toml");
    let apps = prepare(&tool, dir, &base, &wish)?;
    write(&suite, &toml(&apps, &wish))?;
    let mut bench = Command::new(&tool);
    bench.args(["bench", "--run-id", "bench", "-j", "1"]);
    if args.iter().any(|a| a == "--no-run") {
        bench.arg("--no-run");
    }
    bench.arg("--suite").arg(&suite).arg("--out").arg(&base);
    // Its table compares strategies, which is not what is asked here.
    let log = base.join("bench.log");
    let log = fs::File::create(&log).map_err(|e| format!("{}: {e}", log.display()))?;
    sh::show(bench.stdout(log))?;
    let results = measure(&base.join("bench").join("sessions"), &wish)?;
    write(&base.join(RESULTS), &format!("{results:#}\n"))?;
    let text = document(&studies)?;
    print!("{text}");
    write(&sh::root().join(DOC), &text)
}

/// What is run.
struct Wish {
    models: Vec<String>,
    strategies: Vec<String>,
    strings: usize,
    events: u64,
    seeds: u64,
}

/// A model with its strings, and the app made of it.
struct Pair {
    name: String,
    model: PathBuf,
    apk: PathBuf,
    strings: Value,
}

fn write(path: &Path, text: &str) -> Result {
    fs::write(path, text).map_err(|e| format!("cannot write {}: {e}", path.display()))
}

fn read(path: &Path) -> Result<Value> {
    let text =
        fs::read_to_string(path).map_err(|e| format!("cannot read {}: {e}", path.display()))?;
    serde_json::from_str(&text).map_err(|e| format!("{}: {e}", path.display()))
}

/// Both forms of each model; an app is made again where its model has changed.
fn prepare(tool: &Path, dir: &Path, base: &Path, wish: &Wish) -> Result<Vec<Pair>> {
    let pool = read(&dir.join("strings.json"))?;
    let pool = pool["pool"]
        .as_array()
        .ok_or("strings.json has no `pool`")?;
    // FATE's sampling includes both ends.
    let strings: Vec<&Value> = pool.iter().take(wish.strings.saturating_add(1)).collect();
    let strings = json!(strings);
    let mut pairs = Vec::new();
    for name in &wish.models {
        let mut model = read(&dir.join(format!("{name}.json")))?;
        model["meta"]["name"] = json!(name);
        model["meta"]["package"] = json!(format!("fate.{name}"));
        model["meta"]["strings"] = strings.clone();
        let (file, apk) = (
            base.join(format!("{name}.json")),
            base.join(format!("{name}.apk")),
        );
        let text = model.to_string();
        if fs::read_to_string(&file).ok().as_ref() != Some(&text) || !apk.is_file() {
            write(&file, &text)?;
            sh::show(
                Command::new(tool)
                    .args(["model", "apk"])
                    .arg(&file)
                    .arg("--out")
                    .arg(&apk),
            )?;
        }
        pairs.push(Pair {
            name: name.clone(),
            model: file,
            apk,
            strings: strings.clone(),
        });
    }
    Ok(pairs)
}

fn toml(apps: &[Pair], wish: &Wish) -> String {
    let seeds: Vec<u64> = (1..=wish.seeds).collect();
    let mut toml = format!(
        "[suite]\nname = \"sim-vs-real\"\nbudget = {{ events = {} }}\nseeds = {seeds:?}\n\n[faults]\nrate = 0\n\n[minimize]\n\
         enabled = false\n\n[report]\nhtml = false\nscreenshots = \"none\"\n\
         coverage = {{ xml = false, html = false, lcov = false, cobertura = false }}\n\n\
         [[device]]\nname = \"sim\"\nkind = \"sim\"\n\n[[device]]\nname = \"jvm\"\nkind = \"jvm\"\n",
        wish.events
    );
    for strategy in &wish.strategies {
        let _ = write!(toml, "\n[[strategy]]\nkind = \"{strategy}\"\n");
    }
    for app in apps {
        // A JSON string is a TOML basic string.
        let path = |path: &Path| Value::from(path.display().to_string());
        let (model, apk) = (path(&app.model), path(&app.apk));
        let (name, strings) = (&app.name, &app.strings);
        let _ = write!(
            toml,
            "\n[[app]]\nname = \"sim-{name}\"\nmodel = {model}\nstrings = {strings}\n\
             \n[[app]]\nname = \"app-{name}\"\napk = {apk}\nstrings = {strings}\n"
        );
    }
    toml
}

/// Areas under the curve of activities, by model and strategy.
fn measure(sessions: &Path, wish: &Wish) -> Result<Value> {
    let mut rows = Vec::new();
    for model in &wish.models {
        for strategy in &wish.strategies {
            let both = |prefix: &str, device: &str| -> Result<Vec<f64>> {
                (1..=wish.seeds)
                    .map(|seed| {
                        let name = format!("{prefix}-{model}-{device}-{strategy}-{seed}");
                        area(&sessions.join(name).join("journal.jsonl"), wish.events)
                    })
                    .collect()
            };
            match (both("sim", "sim"), both("app", "jvm")) {
                (Ok(sim), Ok(app)) => rows.push(json!({
                    "model": model, "strategy": strategy, "sim": sim, "app": app,
                })),
                (Err(why), _) | (_, Err(why)) => eprintln!("skipped: {model}, {strategy}: {why}"),
            }
        }
    }
    if rows.is_empty() {
        return Err("no pair of sessions completed".to_owned());
    }
    let wanted = wish.models.len() * wish.strategies.len();
    Ok(
        json!({"wanted": wanted, "strings": wish.strings, "events": wish.events, "seeds": wish.seeds, "rows": rows}),
    )
}

/// The mean number of activities reached over a session's events: the area under the curve by its width.
fn area(journal: &Path, events: u64) -> Result<f64> {
    let text = fs::read_to_string(journal)
        .map_err(|e| format!("cannot read {}: {e}", journal.display()))?;
    let (mut reached, mut done, mut sum) = (0, 0_u64, 0);
    for line in text.lines() {
        let event: Value =
            serde_json::from_str(line).map_err(|e| format!("{}: {e}", journal.display()))?;
        let kind = event["e"].as_str().unwrap_or_default();
        if kind == "launch" || kind == "step" {
            reached += event["activities"].as_array().map_or(0, Vec::len);
        }
        if kind == "step" {
            done += 1;
            sum += reached;
        }
    }
    if done == events {
        Ok(sum as f64 / done as f64)
    } else {
        Err(format!(
            "{}: {done} of {events} events; its last line says why",
            journal.display()
        ))
    }
}

fn mean(values: &Value) -> f64 {
    let all = values.as_array().map(Vec::as_slice).unwrap_or_default();
    all.iter().filter_map(Value::as_f64).sum::<f64>() / all.len().max(1) as f64
}

/// The page, from all studies that were run.
fn document(studies: &Path) -> Result<String> {
    let mut out = String::from(HEAD);
    let entries =
        fs::read_dir(studies).map_err(|e| format!("cannot read {}: {e}", studies.display()))?;
    let mut found: Vec<Value> = entries
        .filter_map(|entry| read(&entry.ok()?.path().join(RESULTS)).ok())
        .collect();
    found.sort_by_key(|study| std::cmp::Reverse(study["strings"].as_u64()));
    for study in &found {
        section(&mut out, study);
    }
    Ok(out)
}

const HEAD: &str = "\
# Sim compared with real apps

Are the strategies that perform well on models also good on apps? Each of FATE's published models runs twice: as a model on the sim device, and as the Android app that `cargo droidtest model apk` builds from it, with its activities, views, system dialogs, system events and lifecycle, on the jvm device. Both have clean resets (in the published figures globals survive them), the same strings, and the same strategies at their defaults; ARES's learners start an episode every 250 events. The figure is the mean number of activities reached over the events of a session, which is the area under the curve divided by its width.

```
cargo xtask sim-vs-real FOLDER_OF_MODELS --events N --seeds N --strings N
```

resumes where it was stopped, and writes this page from the finished runs.

The headings state what was run: far fewer seeds and events than FATE's comparisons (60 seeds of 4000 steps). A random choice passes a login with a name and a password out of 40 strings once in some 7,000 events, so in short sessions `social` and `bank` hardly leave their first activity and distinguish strategies only by luck, and the pooled figure mostly shows the difference between models. The row with each model's mean subtracted is the stricter one.
";

fn section(out: &mut String, study: &Value) {
    let rows = study["rows"]
        .as_array()
        .map(Vec::as_slice)
        .unwrap_or_default();
    let number = |key: &str| study[key].as_u64().unwrap_or(0);
    let _ = write!(
        out,
        "\n## {} strings, {} events, {} seed{}\n\n| model | strategy | sim, by seed | app, by seed | sim | app |\n\
         |---|---|---|---|---|---|\n",
        number("strings"),
        number("events"),
        number("seeds"),
        if number("seeds") == 1 { "" } else { "s" },
    );
    let mut models: BTreeMap<&str, Vec<(f64, f64)>> = BTreeMap::new();
    let mut pooled = Vec::new();
    let mut single = Vec::new();
    for row in rows {
        let (sim, app) = (mean(&row["sim"]), mean(&row["app"]));
        let seeds = |side: &str| -> Vec<f64> {
            let all = row[side].as_array().into_iter().flatten();
            all.filter_map(Value::as_f64).collect()
        };
        let reported = |side: &str| -> String {
            let all: Vec<String> = seeds(side).iter().map(|v| format!("{v:.2}")).collect();
            all.join(", ")
        };
        let model = row["model"].as_str().unwrap_or_default();
        let strategy = row["strategy"].as_str().unwrap_or_default();
        let _ = writeln!(
            out,
            "| {model} | {strategy} | {} | {} | {sim:.2} | {app:.2} |",
            reported("sim"),
            reported("app")
        );
        models.entry(model).or_default().push((sim, app));
        pooled.push((sim, app));
        single.extend(seeds("sim").into_iter().zip(seeds("app")));
    }
    let wanted = number("wanted");
    if wanted > rows.len() as u64 {
        let _ = writeln!(
            out,
            "\n{} of {wanted} pairs: the sessions of the others were stopped or failed.",
            rows.len()
        );
    }
    // What is left of it when each model's level is removed.
    let within: Vec<(f64, f64)> = models
        .values()
        .flat_map(|pairs| {
            let n = pairs.len() as f64;
            let sim = pairs.iter().map(|p| p.0).sum::<f64>() / n;
            let app = pairs.iter().map(|p| p.1).sum::<f64>() / n;
            pairs.iter().map(move |p| (p.0 - sim, p.1 - app))
        })
        .collect();
    let _ = write!(
        out,
        "\nCorrelation of both sides:\n\n| pairs | number | Pearson | Spearman |\n|---|---|---|---|\n"
    );
    let mut line = |name: &str, pairs: &[(f64, f64)]| {
        let vary = |of: fn(&(f64, f64)) -> f64| pairs.iter().any(|p| of(p) != of(&pairs[0]));
        let many = pairs.len();
        // Where nobody gets anywhere there is nothing to compare.
        let constant = match (vary(|p| p.0), vary(|p| p.1)) {
            (true, true) => {
                let (pearson, spearman) = (pearson(pairs), spearman(pairs));
                let _ = writeln!(out, "| {name} | {many} | {pearson:.2} | {spearman:.2} |");
                return;
            }
            (false, false) => "all equal",
            (false, true) => "all equal on sim",
            (true, false) => "all equal on jvm",
        };
        let _ = writeln!(out, "| {name} | {many} | {constant} | {constant} |");
    };
    line("all, means over seeds", &pooled);
    line("all, seed by seed", &single);
    line("all, each model's mean subtracted", &within);
    for (model, pairs) in &models {
        line(model, pairs);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_area_counts_activities_from_the_launch_on() {
        let folder = tempfile::tempdir().unwrap();
        let journal = folder.path().join("journal.jsonl");
        let lines = [
            r#"{"e":"session"}"#,
            r#"{"e":"launch","activities":["a"]}"#,
            r#"{"e":"step"}"#,
            r#"{"e":"step","activities":["b","c"]}"#,
        ];
        fs::write(&journal, lines.join("\n")).unwrap();
        assert_eq!(area(&journal, 2), Ok(2.0));
        assert!(area(&journal, 3).unwrap_err().contains("2 of 3"));
    }

    #[test]
    fn a_section_tells_both_correlations() {
        let row = |model: &str, strategy: &str, sim: f64, app: f64| json!({"model": model, "strategy": strategy, "sim": [sim], "app": [app]});
        let rows = [
            row("a", "random", 1.0, 2.0),
            row("a", "monkey", 2.0, 3.0),
            row("b", "random", 5.0, 6.0),
            row("c", "random", 1.0, 1.0),
            row("c", "monkey", 1.0, 7.0),
            row("d", "random", 1.0, 1.0),
            row("d", "monkey", 7.0, 1.0),
        ];
        let mut out = String::new();
        section(
            &mut out,
            &json!({"strings": 40, "events": 9, "seeds": 1, "rows": rows}),
        );
        assert!(out.contains("| a | 2 | 1.00 | 1.00 |"), "{out}");
        assert!(out.contains("| all, means over seeds | 7 | 0."), "{out}");
        let one_side = "| c | 2 | all equal on sim | all equal on sim |\n| d | 2 | all equal on jvm | all equal on jvm |";
        assert!(out.contains(one_side), "{out}");
        assert!(out.contains("| b | 1 | all equal | all equal |"), "{out}");
        assert!(
            out.contains("| a | random | 1.00 | 2.00 | 1.00 | 2.00 |"),
            "{out}"
        );
    }
}
