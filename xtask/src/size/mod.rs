//! What the size of an app costs on the jvm device: `cargo xtask size`, for `docs/translation.md`.

mod cache;
mod library;
mod material;
mod measure;
mod padding;
mod processes;
mod table;

use crate::{Result, sh, study};
use cache::Cache;
use material::{App, Material};
use measure::{Bench, Kind};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// Apps of which all classes are translated at once, too.
const WHOLE: [&str; 3] = ["plain", "56", "toolbox"];

/// A build that is measured.
struct Build {
    /// `before` or `now`.
    name: &'static str,
    /// Hash of the program, so that what another one needed is not taken for its own.
    tool: String,
    bench: Bench,
}

pub fn run(args: &[String]) -> Result {
    let plain =
        PathBuf::from(study::folder(args).map_err(|_| "the first argument must be an APK")?);
    let times = sh::number(args, "--times", 5)?;
    let base = sh::target().join("studies/size");
    if args.iter().any(|a| a == "--fresh") {
        let _ = fs::remove_file(base.join("rows.jsonl"));
    }
    fs::create_dir_all(&base).map_err(|e| format!("cannot make {}: {e}", base.display()))?;
    let mut study = Study {
        material: Material::new(&plain, &base.join("apks"))?,
        store: base.join("rows.jsonl"),
        rows: Vec::new(),
    };
    study.rows = study.read()?;
    let apps = match sh::option(args, "--apps")? {
        Some(names) => names.split(',').map(str::to_owned).collect(),
        None => Material::names(),
    };
    if args.iter().any(|a| a == "--material") {
        return study.material.print(&apps);
    }
    let mut builds = Vec::new();
    if let Some(before) = sh::option(args, "--before")? {
        builds.push(Build::new("before", Path::new(before), &base)?);
    }
    builds.push(Build::new("now", &sh::build_tool()?, &base)?);
    if !args.iter().any(|a| a == "--summary") {
        for number in 1..=times {
            for app in &apps {
                for build in &builds {
                    study.round(build, app, number)?;
                }
            }
        }
    }
    let rows = |name: &str| {
        let tool = builds.iter().find(|build| build.name == name);
        let tool = tool.map(|build| build.tool.clone());
        let own = move |row: &&Value| tool.as_ref().is_some_and(|tool| row["tool"] == **tool);
        table::Rows::new(study.rows.iter().filter(own))
    };
    print!("{}", table::text(&rows("before"), &rows("now")));
    Ok(())
}

impl Build {
    fn new(name: &'static str, tool: &Path, base: &Path) -> Result<Self> {
        let tool = fs::canonicalize(tool).map_err(|e| format!("{}: {e}", tool.display()))?;
        let bytes = fs::read(&tool).map_err(|e| format!("{}: {e}", tool.display()))?;
        let hash: String = Sha256::digest(bytes)
            .iter()
            .take(4)
            .map(|b| format!("{b:02x}"))
            .collect();
        let base = base.join(name);
        fs::create_dir_all(&base).map_err(|e| format!("{}: {e}", base.display()))?;
        let cache = Cache::prepare(&tool, &base.join(format!("cache-{hash}")))?;
        Ok(Self {
            name,
            tool: hash,
            bench: Bench { tool, base, cache },
        })
    }
}

/// The measurements so far.
struct Study {
    material: Material,
    store: PathBuf,
    rows: Vec<Value>,
}

impl Study {
    /// All that is measured of an app, in the order that leaves the cache as the next one needs it.
    fn round(&mut self, build: &Build, name: &str, number: u64) -> Result {
        let app = self.material.app(name)?;
        let mut todo: Vec<(App, Kind)> =
            vec![(app.clone(), Kind::First), (app.clone(), Kind::Cached)];
        for edit in Material::edits(name) {
            todo.push((self.material.app(edit)?, Kind::Second));
        }
        if WHOLE.contains(&name) {
            todo.push((app, Kind::Inspect));
        }
        let failed = |row: &&Value| row["tool"] == *build.tool && row["failure"].is_string();
        let mut failures = self.rows.iter().filter(failed);
        // What failed once does so again, in minutes.
        if failures.any(|row| row["app"] == *name && row["kind"] == "first")
            || todo
                .iter()
                .all(|(app, kind)| self.has(build, app, *kind, number))
        {
            return Ok(());
        }
        let mut rows = Vec::new();
        for (app, kind) in &todo {
            let mut row = build.bench.measure(app, *kind)?;
            row["build"] = json!(build.name);
            row["tool"] = json!(build.tool);
            row["number"] = json!(number);
            eprintln!("{row}");
            let first_failed = *kind == Kind::First && row["failure"].is_string();
            rows.push(row);
            if first_failed {
                break;
            }
        }
        self.keep(rows)
    }

    fn has(&self, build: &Build, app: &App, kind: Kind, number: u64) -> bool {
        self.rows.iter().any(|row| {
            let of_app = row["app"] == *app.name && row["kind"] == kind.name();
            of_app && row["tool"] == *build.tool && row["number"] == number
        })
    }

    fn read(&self) -> Result<Vec<Value>> {
        let text = fs::read_to_string(&self.store).unwrap_or_default();
        let rows = text.lines().map(serde_json::from_str);
        rows.collect::<std::result::Result<_, _>>()
            .map_err(|e| format!("{}: {e}; --fresh starts over", self.store.display()))
    }

    /// Those of a round together: a round that was stopped is measured again.
    fn keep(&mut self, rows: Vec<Value>) -> Result {
        let failed = |e: std::io::Error| format!("cannot write {}: {e}", self.store.display());
        let mut file = OpenOptions::new()
            .append(true)
            .create(true)
            .open(&self.store)
            .map_err(failed)?;
        let lines: String = rows.iter().map(|row| format!("{row}\n")).collect();
        file.write_all(lines.as_bytes()).map_err(failed)?;
        self.rows.extend(rows);
        Ok(())
    }
}
