//! `cargo xtask round-trip --speed`: how fast translated code is, compared with the original class files.

use super::dex::{self, Mode};
use super::tools::{self, Inputs, Tools};
use super::translator::Translator;
use super::{library, process, translated};
use crate::results::summary::median;
use crate::{Result, sh};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// The libraries that `Speed.java` works with.
const LIBRARIES: [&str; 3] = ["commons-codec", "commons-collections4", "jts-core"];
/// Runs of each form, in turns.
const RUNS: usize = 5;
/// Sessions use the first compiler only.
const COMPILER: &str = "-XX:TieredStopAtLevel=1";
const LIMIT: Duration = Duration::from_secs(300);

/// Prints a table with the medians.
pub fn run(tools: &Tools, translator: &Translator) -> Result {
    let mut original = Vec::new();
    let mut after = Vec::new();
    for subject in library::named(&LIBRARIES)? {
        let inputs: Inputs = tools.fetch(&subject)?;
        let set = dex::make(tools, &subject, &inputs, Mode::Release)?;
        let place = inputs.folder.join(format!("speed-{}", translator.name));
        tools::make_folder(&place)?;
        let (code, _) = translated(tools, &inputs, &set, translator, &place)?;
        original.push(set.reference.library);
        after.push(code.library);
    }
    let classes = tools.folder.join("speed");
    tools::make_folder(&classes)?;
    let mut javac = Command::new("javac");
    javac.arg("-cp").arg(tools::joined(&original)?);
    javac.arg("-d").arg(&classes);
    javac.arg(sh::root().join("xtask/src/round_trip/speed/Speed.java"));
    process::must(&mut javac, LIMIT, &tools.folder.join("speed-javac.log"))?;
    let mut times = [BTreeMap::new(), BTreeMap::new()];
    for _ in 0..RUNS {
        for (times, jars) in times.iter_mut().zip([&original, &after]) {
            measure(tools, &classes, jars, times)?;
        }
    }
    println!("| library | original, ms | translated, ms | speed |\n|---|---|---|---|");
    let [original, after] = times.map(medians);
    for (name, before) in &original {
        let now = after
            .get(name)
            .ok_or_else(|| format!("{name} was not measured"))?;
        println!("| {name} | {before:.1} | {now:.1} | {:.2} |", before / now);
    }
    Ok(())
}

/// Runs the work once, and adds what it takes, in milliseconds, by library.
fn measure(
    tools: &Tools,
    classes: &Path,
    jars: &[PathBuf],
    times: &mut BTreeMap<String, Vec<f64>>,
) -> Result {
    let log = tools.folder.join("speed.log");
    let path = tools::joined(std::iter::once(&classes.to_owned()).chain(jars))?;
    let mut java = Command::new("java");
    java.arg(COMPILER).arg("-cp").arg(path).arg("Speed");
    process::must(&mut java, LIMIT, &log)?;
    let said = std::fs::read_to_string(&log).map_err(|e| format!("{}: {e}", log.display()))?;
    for line in said.lines() {
        let found = line.split_once(' ');
        let found = found.and_then(|(name, ms)| Some((name, ms.parse().ok()?)));
        let (name, ms) = found.ok_or_else(|| format!("Speed printed {line:?}"))?;
        times.entry(name.to_owned()).or_default().push(ms);
    }
    Ok(())
}

fn medians(times: BTreeMap<String, Vec<f64>>) -> BTreeMap<String, f64> {
    let each = times.into_iter();
    each.map(|(name, all)| (name, median(all))).collect()
}
