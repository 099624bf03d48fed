//! What strategies are worth on real apps, in stages, for `docs/results.md`. Measured sessions are kept in
//! `benches/results`, so that another machine continues where one stopped.

mod apps;
mod rows;
mod suite;
pub(crate) mod summary;

use crate::{Result, sh, study};
use apps::Unit;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

/// A strategy: its name and its settings.
type Contender = (&'static str, &'static str);

/// All strategies. Names are those of the kept sessions: a changed setting needs another name. `RESULTS` is
/// [`folder`].
const ALL: [Contender; 23] = [
    ("random", "kind = \"random\""),
    ("monkey", "kind = \"monkey\""),
    ("monkey-system", "kind = \"monkey\"\nsystem-rate = 0.05"),
    ("dinodroid", "kind = \"dinodroid\""),
    ("q-learning", "kind = \"q-learning\""),
    ("ares-sac", "kind = \"ares-sac\""),
    ("ares-td3", "kind = \"ares-td3\""),
    ("ares-ddpg", "kind = \"ares-ddpg\""),
    ("dynodroid", "kind = \"dynodroid\""),
    (
        "dynodroid-frequency",
        "kind = \"dynodroid\"\nselect = \"frequency\"",
    ),
    (
        "dynodroid-uniform",
        "kind = \"dynodroid\"\nselect = \"uniform\"",
    ),
    ("fastbot", "kind = \"fastbot\""),
    ("fastbot-model", "kind = \"fastbot\"\nselect = \"model\""),
    (
        "fastbot-learned",
        "kind = \"fastbot\"\nselect = \"learned\"",
    ),
    ("frontier", "kind = \"frontier\""),
    ("timemachine", "kind = \"timemachine\""),
    ("timemachine-restart", "kind = \"timemachine\"\nsaved = 1"),
    ("qbe", "kind = \"qbe\""),
    (
        "qbe-for-activities",
        "kind = \"qbe\"\ngoal = \"activities\"",
    ),
    (
        "qbe-crashes",
        "kind = \"qbe\"\nlearn = false\npolicy = { load = \"RESULTS/qbe-crashes.safetensors\" }",
    ),
    (
        "qbe-activities",
        "kind = \"qbe\"\ngoal = \"activities\"\nlearn = false\npolicy = { load = \"RESULTS/qbe-activities.safetensors\" }",
    ),
    (
        "portfolio",
        "kind = \"portfolio\"\nmembers = [{ kind = \"dinodroid\" }, { kind = \"fastbot\" }, { kind = \"frontier\" }, \
         { kind = \"dynodroid\" }]",
    ),
    (
        "portfolio-3",
        "kind = \"portfolio\"\nmembers = [{ kind = \"frontier\" }, { kind = \"fastbot\", select = \"learned\" }, \
         { kind = \"dinodroid\" }]",
    ),
];

/// One of the stages.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    /// All strategies, few seeds, short sessions, on apps that the confirmation does not use.
    Screening,
    /// The first events of the confirmation: 300 of each of its sessions, in a tenth of the time.
    Early,
    /// Few strategies, five seeds, the paper's hour.
    Confirmation,
}

impl Stage {
    fn named(name: Option<&str>) -> Result<Self> {
        match name {
            Some("screening") => Ok(Self::Screening),
            Some("early") => Ok(Self::Early),
            Some("confirmation") => Ok(Self::Confirmation),
            _ => Err("--stage must be screening, early or confirmation".to_owned()),
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Screening => "screening",
            Self::Early => "early",
            Self::Confirmation => "confirmation",
        }
    }

    const fn seeds(self) -> u64 {
        match self {
            Self::Screening => 2,
            Self::Early | Self::Confirmation => 5,
        }
    }

    /// Numbers of events after which sessions are compared, besides their end.
    const fn at(self) -> &'static [u64] {
        match self {
            Self::Screening | Self::Early => &[50, 100, 200, 300],
            Self::Confirmation => &[50, 100, 300, 1_000, 2_500],
        }
    }
}

/// Where measured sessions and the policies that they use are kept.
pub fn folder() -> PathBuf {
    sh::root().join("benches/results")
}

pub fn run(args: &[String]) -> Result {
    let old = study::folder(args)?;
    let modern = study::folder(args.get(1..).unwrap_or_default())
        .map_err(|_| "the second argument must be the folder of modern APKs")?;
    let stage = Stage::named(sh::option(args, "--stage")?)?;
    let kept = folder().join(format!("{}.jsonl", stage.name()));
    if args.iter().any(|a| a == "--summary") {
        print!("{}", summary::text(&rows::read(&kept)?));
        return Ok(());
    }
    let contenders = contenders(stage, sh::option(args, "--strategies")?)?;
    let jobs = sh::number(args, "--jobs", 2)?;
    let count = sh::number(args, "--units", u64::MAX)?;
    let collect = args.iter().any(|a| a == "--no-run");
    let base = sh::target().join("studies/results").join(stage.name());
    fs::create_dir_all(&base).map_err(|e| format!("cannot make {}: {e}", base.display()))?;
    let tool = sh::build_tool()?;
    let build = build(sh::option(args, "--build")?)?;
    let mut rows = rows::Rows::open(&kept)?;
    let units = apps::units(stage, old, modern)?;
    let total = units.len();
    let lab = Lab {
        tool,
        base,
        stage,
        jobs,
        collect,
    };
    let mut left = count;
    for (number, unit) in units.iter().enumerate() {
        let todo: Vec<Contender> = (contenders.iter().copied())
            .filter(|(name, _)| !rows.has(&unit.app, name, unit.seed))
            .collect();
        let id = unit.id();
        let skipped = collect && !lab.base.join(&id).is_dir();
        if todo.is_empty() || left == 0 || skipped {
            continue;
        }
        left -= 1;
        eprintln!("[{}/{total}] {id}: {} sessions", number + 1, todo.len());
        let measured = lab.measure(unit, &todo)?;
        for why in rows.add(&measured, &build, stage.at())? {
            eprintln!("  not kept: {why}");
        }
    }
    let names: Vec<&str> = contenders.iter().map(|(name, _)| *name).collect();
    let compared = rows.compared(&names)?;
    if compared.is_empty() {
        let names = names.join(", ");
        return Err(format!(
            "{}: no unit has sessions of each of {names}",
            kept.display()
        ));
    }
    lab.compare(&compared)
}

/// The named ones; without names all of a screening.
fn contenders(stage: Stage, names: Option<&str>) -> Result<Vec<Contender>> {
    let named = |name: &str| {
        let found = ALL.iter().copied().find(|(known, _)| *known == name);
        found.ok_or_else(|| {
            let all: Vec<_> = ALL.iter().map(|(name, _)| *name).collect();
            format!("no strategy {name:?}; there are {}", all.join(", "))
        })
    };
    match (names, stage) {
        (Some(names), _) => names.split(',').map(named).collect(),
        (None, Stage::Screening) => Ok(ALL.to_vec()),
        (None, Stage::Early | Stage::Confirmation) => Err(
            "--strategies must name random, monkey and the best of the screening, in one call or in several"
                .to_owned(),
        ),
    }
}

/// Which build of the tool measured a session: the commit, if the command builds the tool itself.
fn build(named: Option<&str>) -> Result<String> {
    if let Some(named) = named {
        return Ok(named.to_owned());
    }
    if std::env::var_os("XTASK_TOOL").is_some() {
        return Err("--build must name the commit of XTASK_TOOL".to_owned());
    }
    let out = Command::new("git")
        .args(["describe", "--always", "--dirty"])
        .current_dir(sh::root())
        .output()
        .map_err(|e| format!("cannot run git: {e}"))?;
    Ok(String::from_utf8_lossy(&out.stdout).trim().to_owned())
}

/// Where and how units are measured.
struct Lab {
    tool: PathBuf,
    base: PathBuf,
    stage: Stage,
    jobs: u64,
    /// Are only the sessions taken that were measured before?
    collect: bool,
}

impl Lab {
    /// Measures a unit; gives the file of its sessions.
    fn measure(&self, unit: &Unit, todo: &[Contender]) -> Result<PathBuf> {
        let id = unit.id();
        let file = self.base.join(format!("{id}.toml"));
        fs::write(&file, suite::toml(unit, self.stage, todo, self.jobs))
            .map_err(|e| format!("cannot write {}: {e}", file.display()))?;
        let mut bench = Command::new(&self.tool);
        bench.args(["--quiet", "bench", "--run-id", &id]);
        bench.args(["-j", &self.jobs.to_string()]);
        if self.collect {
            bench.arg("--no-run");
        }
        bench.arg("--suite").arg(&file).arg("--out").arg(&self.base);
        let table = self.base.join(format!("{id}.txt"));
        let out = fs::File::create(&table).map_err(|e| format!("{}: {e}", table.display()))?;
        let sessions = self.base.join(id).join("bench.jsonl");
        // Those of an earlier call may be of another build.
        if !self.collect && sessions.exists() {
            fs::remove_file(&sessions).map_err(|e| format!("{}: {e}", sessions.display()))?;
        }
        // A session whose device was lost fails the command; the others of the unit are measured.
        if let Err(why) = sh::show(bench.stdout(out)) {
            if !sessions.is_file() {
                return Err(why);
            }
            eprintln!("  {why}");
        }
        Ok(sessions)
    }

    /// Compares sessions, one line each.
    fn compare(&self, sessions: &str) -> Result {
        let file = self.base.join("compared.jsonl");
        fs::write(&file, sessions).map_err(|e| format!("cannot write {}: {e}", file.display()))?;
        let at: Vec<String> = self.stage.at().iter().map(u64::to_string).collect();
        let mut command = Command::new(&self.tool);
        command.args(["bench", "compare", "--at", &at.join(","), "--out"]);
        sh::show(command.arg(self.base.join("compare")).arg(file))
    }
}

#[cfg(test)]
mod tests;
