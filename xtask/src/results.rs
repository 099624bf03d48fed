//! What strategies are worth on real apps that the shipped policy was not trained on, for `docs/results.md`.

use crate::halves::{self, Apk};
use crate::{Result, sh, study};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::process::Command;

/// The paper's hour: DinoDroid performs 2,517 events in it (1.43 s each), Monkey 18,000 (200 ms each).
const HOUR: u64 = 3_600;

/// Events after which they are compared, too: a short run in CI need not end as an hour does.
const AT: [u64; 5] = [50, 100, 250, 500, 1_000];

/// Name, settings, milliseconds for one event beyond the 200 of the event itself.
const STRATEGIES: [(&str, &str, u64); 7] = [
    ("dinodroid", "kind = \"dinodroid\"", 1_230),
    (
        "dinodroid-fresh",
        "kind = \"dinodroid\"\npolicy = { fresh = true }",
        1_230,
    ),
    (
        "without-fcr",
        "kind = \"dinodroid\"\nfeatures = [\"fcd\", \"txc\"]",
        1_230,
    ),
    (
        "without-fcd",
        "kind = \"dinodroid\"\nfeatures = [\"fcr\", \"txc\"]",
        1_230,
    ),
    (
        "without-txc",
        "kind = \"dinodroid\"\nfeatures = [\"fcr\", \"fcd\"]",
        1_230,
    ),
    ("random", "kind = \"random\"", 1_230),
    ("monkey", "kind = \"monkey\"", 0),
];

pub fn run(args: &[String]) -> Result {
    let folder = study::folder(args)?;
    let seeds = sh::number(args, "--seeds", 5)?;
    let count = usize::try_from(sh::number(args, "--apps", 12)?).unwrap_or(usize::MAX);
    let skip = usize::try_from(sh::number(args, "--skip", 0)?).unwrap_or(usize::MAX);
    let seconds = sh::number(args, "--seconds", HOUR)?;
    let jobs = sh::number(args, "--jobs", 2)?;
    let base = sh::target().join("studies").join(name(skip));
    if args.iter().any(|a| a == "--fresh") {
        let _ = fs::remove_dir_all(&base);
    }
    fs::create_dir_all(&base).map_err(|e| format!("cannot make {}: {e}", base.display()))?;
    let apps = chosen(halves::apks(folder)?, skip, count);
    if apps.is_empty() {
        return Err(format!("--skip {skip} leaves no app"));
    }
    let suite = base.join("suite.toml");
    fs::write(&suite, toml(&apps, seeds, seconds, jobs))
        .map_err(|e| format!("cannot write {}: {e}", suite.display()))?;
    let mut bench = Command::new(sh::build_tool()?);
    bench.args(["bench", "--run-id", "bench", "-j", &jobs.to_string()]);
    if args.iter().any(|a| a == "--no-run") {
        bench.arg("--no-run");
    }
    for strategy in sh::option(args, "--strategies")?
        .into_iter()
        .flat_map(|all| all.split(','))
    {
        bench.args(["--strategy", strategy]);
    }
    bench.arg("--suite").arg(&suite).arg("--out").arg(&base);
    sh::show(&mut bench)
}

/// The study's folder: apps kept back have one of their own, so that their figures stay apart.
fn name(skip: usize) -> String {
    match skip {
        0 => "results".to_owned(),
        skip => format!("results-from-{}", skip.saturating_add(1)),
    }
}

/// Of the half not trained on: so many of AndroTest's apps behind the first `skip`, and as many others; one build of
/// each app.
fn chosen(mut apps: Vec<Apk>, skip: usize, count: usize) -> Vec<Apk> {
    apps.retain(|apk| !halves::is_trained_on(&apk.package));
    let mut seen = BTreeSet::new();
    apps.retain(|apk| seen.insert(halves::app(&apk.package).to_owned()));
    let of_androtest = |app: &Apk| app.name().starts_with("androtest-");
    let (androtest, others): (Vec<_>, Vec<_>) = apps.into_iter().partition(of_androtest);
    let first = |apps: Vec<Apk>| apps.into_iter().skip(skip).take(count);
    first(androtest).chain(first(others)).collect()
}

fn toml(apps: &[Apk], seeds: u64, seconds: u64, jobs: u64) -> String {
    let seeds: Vec<u64> = (1..=seeds).collect();
    let mut toml = format!(
        "[suite]\nname = \"results\"\nseeds = {seeds:?}\n\n[faults]\nrate = 0\n\n[minimize]\nenabled = false\n\n\
         [report]\nhtml = false\nscreenshots = \"none\"\n\n\
         [[device]]\nname = \"jvm\"\nkind = \"jvm\"\ncount = {jobs}\n\n[bench]\ntime = \"{seconds}s\"\nat = {AT:?}\n\
         cost = {{ tap = \"200ms\", long-press = \"200ms\", gesture = \"200ms\", text = \"200ms\", \
         system = \"200ms\", start = \"200ms\" }}\n\n[bench.think]\n"
    );
    for (name, _, think) in STRATEGIES {
        let _ = writeln!(toml, "{name} = \"{think}ms\"");
    }
    for (name, settings, _) in STRATEGIES {
        let _ = write!(toml, "\n[[strategy]]\nname = \"{name}\"\n{settings}\n");
    }
    for app in apps {
        // A JSON string is a TOML basic string.
        let (name, file) = (app.name(), app.file.display().to_string());
        let (name, file) = (Value::from(name), Value::from(file));
        let _ = write!(toml, "\n[[app]]\nname = {name}\napk = {file}\n");
    }
    toml
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn apps_are_of_the_other_half_and_no_app_comes_twice() {
        let apk = |file: &str, package: &str| Apk {
            file: file.into(),
            package: package.into(),
        };
        let all = vec![
            apk("androtest-a.apk", "net.mandaria.tippytipper"),
            apk("androtest-b.apk", "org.liberty.android.fantastischmemo"),
            apk("androtest-c.apk", "com.tum.yahtzee"),
            apk("x-1.apk", "a2dp.Vol"),
            apk("x-2.apk", "a2dp.Vol"),
            apk("x-3.apk", "a2dp.Vol.debug"),
        ];
        let names = |skip, count| -> Vec<String> {
            let all = chosen(all.clone(), skip, count);
            all.iter().map(Apk::name).collect()
        };
        assert_eq!(names(0, 9), ["androtest-a", "androtest-c", "x-1"]);
        assert_eq!(names(0, 1), ["androtest-a", "x-1"]);
        // Apps kept back: none of those measured before, in a separate study.
        assert_eq!(names(1, 1), ["androtest-c"]);
        assert_eq!(names(2, 9), [""; 0]);
        assert_eq!([name(0), name(1)], ["results", "results-from-2"]);
    }
}
