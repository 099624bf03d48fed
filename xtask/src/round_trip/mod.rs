//! `cargo xtask round-trip`: libraries go from class files to dex by D8 or R8, back by the translator, and must then end
//! their own tests as before; compilers must write the same bytes. Nobody here wrote those tests.

mod dex;
mod library;
mod observe;
mod outcomes;
mod process;
mod report;
mod speed;
mod tools;
mod translator;

use crate::{Result, sh};
use dex::{Code, DexSet, Mode};
use library::{Check, Subject};
use observe::Observer;
use serde_json::{Value, json};
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Instant;
use tools::{Inputs, Tools};
use translator::Translator;

/// With more test classes that differ, a second run would settle nothing.
const SETTLED: usize = 40;
/// How many of the methods that grew most are listed.
const LARGEST: &str = "40";
/// What `cargo xtask test` runs.
const QUICK: (&str, Mode) = ("commons-csv", Mode::Desugared);

/// The options of the command.
struct Options<'a> {
    modes: Vec<Mode>,
    translator: Translator,
    only: Option<&'a str>,
    fresh: bool,
}

/// Runs what is not measured yet, and prints a table of all that was asked for.
pub fn run(args: &[String]) -> Result {
    let values = ["--modes", "--translator", "--only"];
    let is_value = |ix: usize| ix > 0 && values.contains(&args[ix - 1].as_str());
    let names = args.iter().enumerate();
    let names: Vec<&str> = names
        .filter(|(ix, arg)| !arg.starts_with("--") && !is_value(*ix))
        .map(|(_, arg)| arg.as_str())
        .collect();
    let subjects = library::named(&names)?;
    let modes = match sh::option(args, "--modes")? {
        None => Mode::ALL.to_vec(),
        Some(list) => list.split(',').map(Mode::parse).collect::<Result<_>>()?,
    };
    let options = Options {
        modes,
        translator: Translator::new(sh::option(args, "--translator")?)?,
        only: sh::option(args, "--only")?,
        fresh: args.iter().any(|a| a == "--fresh"),
    };
    let tools = Tools::prepare(&folder())?;
    if args.iter().any(|a| a == "--speed") {
        return speed::run(&tools, &options.translator);
    }
    let rows = measure(&tools, &subjects, &options)?;
    println!("{}", report::HEAD);
    for row in &rows {
        println!("{}", report::line(row));
    }
    println!("\n{}", report::total(&rows));
    let unequal = rows.iter().filter(|row| !report::is_equal(row)).count();
    match unequal {
        0 => Ok(()),
        _ => Err(format!(
            "{unequal} of {} round trips differ; see differences.txt in {}/LIBRARY/MODE-{}",
            rows.len(),
            tools.folder.display(),
            options.translator.name
        )),
    }
}

/// One small library, as a part of `cargo xtask test`. Without a network, or before the translator's crate exists, it is
/// skipped with a message; what differs is an error.
pub fn quick() -> Result {
    let (name, mode) = QUICK;
    let skipped = |reason: String| {
        eprintln!("xtask: THE ROUND TRIP OF {name} IS SKIPPED: {reason}");
        Ok(())
    };
    if !sh::root().join("crates/dex2class/src/main.rs").exists() {
        return skipped("the crate dex2class has no program".to_owned());
    }
    let options = Options {
        modes: vec![mode],
        translator: Translator::new(None)?,
        only: None,
        fresh: false,
    };
    let subjects = library::named(&[name])?;
    let fetched = Tools::prepare(&folder()).and_then(|tools| {
        let all: Result<Vec<Inputs>> = subjects.iter().map(|s| tools.fetch(s)).collect();
        all.map(|_| tools)
    });
    let tools = match fetched {
        Ok(tools) => tools,
        Err(reason) => return skipped(reason),
    };
    for row in measure(&tools, &subjects, &options)? {
        eprintln!("xtask: {}", report::line(&row));
        if !report::is_equal(&row) {
            return Err(format!("the round trip of {name} differs: {row}"));
        }
    }
    Ok(())
}

fn folder() -> PathBuf {
    sh::target().join("studies/round-trip")
}

/// The rows of all subjects and modes, from the file of results where they are kept there.
fn measure(tools: &Tools, subjects: &[Subject], options: &Options) -> Result<Vec<Value>> {
    let file = tools.folder.join("results.jsonl");
    let kept = kept_rows(&file)?;
    let mut rows = Vec::new();
    for subject in subjects {
        for mode in &options.modes {
            // R8 would shrink a program to nothing, since nothing says what of it is used.
            if *mode == Mode::R8 && matches!(subject.check, Check::Runs(_)) {
                continue;
            }
            let same = |row: &&Value| {
                row["library"] == subject.name.as_str()
                    && row["version"] == subject.coordinates.version.as_str()
                    && row["mode"] == mode.name()
                    && row["translator"] == options.translator.name.as_str()
                    && row["build"] == options.translator.build.as_str()
                    && row["only"] == json!(options.only)
            };
            if let Some(row) = kept.iter().rev().find(same).filter(|_| !options.fresh) {
                rows.push(row.clone());
                continue;
            }
            eprintln!("{} {}", subject.name, mode.name());
            let mut row = trip(tools, subject, *mode, options).unwrap_or_else(|reason| {
                eprintln!("{} {}: {reason}", subject.name, mode.name());
                json!({
                    "library": subject.name,
                    "version": subject.coordinates.version,
                    "mode": mode.name(),
                    "translator": options.translator.name,
                    "build": options.translator.build,
                    "failed": reason,
                })
            });
            row["only"] = json!(options.only);
            append(&file, &row)?;
            rows.push(row);
        }
    }
    Ok(rows)
}

/// Measures one library in one mode.
fn trip(tools: &Tools, subject: &Subject, mode: Mode, options: &Options) -> Result<Value> {
    let inputs = tools.fetch(subject)?;
    let set = dex::make(tools, subject, &inputs, mode)?;
    let translator = &options.translator;
    let place = inputs
        .folder
        .join(format!("{}-{}", mode.name(), translator.name));
    tools::make_folder(&place)?;
    let start = Instant::now();
    let (code, whole) = translated(tools, &inputs, &set, translator, &place)?;
    let seconds = start.elapsed().as_secs_f64();
    let observer = Observer {
        tools,
        subject,
        inputs: &inputs,
        only: options.only,
    };
    let before = observer.reference(&set.reference, set.reference_name)?;
    let (known, _) = observer.link(&set.reference)?;
    let (mut rejected, _) = observer.link(&code)?;
    rejected.retain(|(class, error)| {
        let kind = |text: &str| text.split(':').next().unwrap_or_default().to_owned();
        let as_before =
            |(other, was): &(String, String)| other == class && kind(was) == kind(error);
        !known.iter().any(as_before)
    });
    let after = observer.run(&code, &place.join("tests.jsonl"), &[])?;
    let mut found = outcomes::compare(&before, &after);
    let classes = found.classes_that_differ();
    let is_library = matches!(subject.check, Check::Tests(_));
    if is_library && !classes.is_empty() && classes.len() <= SETTLED {
        let classes: Vec<&str> = classes.iter().map(String::as_str).collect();
        let again = observer.run(&code, &place.join("again.jsonl"), &classes)?;
        found.settle(&again);
    }
    let done = report::Trip {
        name: &subject.name,
        version: &subject.coordinates.version,
        mode: mode.name(),
        translator: &translator.name,
        build: &translator.build,
        reference: set.reference_name,
        found: &found,
        complete: after.complete,
        whole,
        rejected: &rejected,
        sizes: sizes(tools, &set.reference, &code, &place)?,
        seconds,
    };
    tools::write(&place.join("differences.txt"), &done.text())?;
    Ok(done.row())
}

/// The translated classes with the resources of the original, and whether all of them could be translated.
fn translated(
    tools: &Tools,
    inputs: &Inputs,
    set: &DexSet,
    translator: &Translator,
    place: &Path,
) -> Result<(Code, bool)> {
    let out = place.join("translated.jar");
    if translator.is_identity() {
        let jars = set.reference.jars();
        tools.helper("Jars", |c| c.arg("merge").arg(&out).args(jars))?;
        let code = dex::repack(tools, inputs, &out, &set.reference, place)?;
        return Ok((code, true));
    }
    let mut libs = vec![&tools.platform, &tools.console];
    libs.extend(&inputs.class_path);
    let whole = translator.translate(&set.files, &libs, &out, &place.join("translator.log"))?;
    let code = dex::repack(tools, inputs, &out, &set.resources, place)?;
    Ok((code, whole))
}

/// Sizes of class files and code; the methods that grew most go to `sizes.txt`.
fn sizes(tools: &Tools, reference: &Code, code: &Code, place: &Path) -> Result<Value> {
    let before = tools::joined(&reference.jars())?;
    let after = tools::joined(&code.jars())?;
    let text = tools.helper("Measure", |c| c.arg(before).arg(after).arg(LARGEST))?;
    let (sizes, largest) = text.split_once('\n').unwrap_or((&text, ""));
    tools::write(&place.join("sizes.txt"), largest)?;
    serde_json::from_str(sizes).map_err(|e| format!("Measure printed {sizes:?}: {e}"))
}

fn kept_rows(file: &Path) -> Result<Vec<Value>> {
    let text = match fs::read_to_string(file) {
        Ok(text) => text,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(e) => return Err(format!("cannot read {}: {e}", file.display())),
    };
    // The last line may be cut off where the study was stopped; failures are tried again.
    let rows = text.lines().filter_map(|l| serde_json::from_str(l).ok());
    Ok(rows.filter(|row: &Value| row["failed"].is_null()).collect())
}

fn append(file: &Path, row: &Value) -> Result {
    let failed = |e| format!("cannot write {}: {e}", file.display());
    let mut open = fs::OpenOptions::new()
        .create(true)
        .append(true)
        .open(file)
        .map_err(failed)?;
    writeln!(open, "{row}").map_err(failed)
}
