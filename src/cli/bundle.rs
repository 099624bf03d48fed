//! `bundle`: one archive of a finding, to be sent to somebody who replays it with one command.

use camino::{Utf8Path, Utf8PathBuf};
use clap::ValueHint;

use super::args::{Global, Selection};
use super::shell::Shell;
use super::{Failure, load, named_finding};
use crate::config::Suite;
use crate::exit_code::ExitCode;
use crate::report::console::near;
use crate::trace::record;
use crate::util::durable::{self, Lasting};
use crate::util::foreign;
use crate::util::text::for_file_name;
use std::fs::{self, File};
use std::io::{Cursor, Read as _, Write as _};
use std::path::Path;
use zip::result::ZipError;
use zip::write::SimpleFileOptions;
use zip::{ZipArchive, ZipWriter};

/// The trace in a bundle.
const TRACE: &str = "trace.toml";
/// Bytes of a trace in a bundle of somebody else.
const LONGEST: u64 = 64 << 20;

#[derive(Debug, clap::Args)]
pub struct Args {
    /// The finding: its id, or the fingerprint that its name ends with
    #[arg(value_name = "FINDING")]
    finding: String,
    /// The run's folder, or its name below the folder of all runs
    #[arg(long, value_name = "RUN", default_value = "latest", value_hint = ValueHint::DirPath)]
    run: Utf8PathBuf,
    /// The archive [default: FINDING.zip]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    out: Option<Utf8PathBuf>,
    /// The folder of all runs [default: droidtest in cargo's target folder]
    #[arg(long, value_name = "DIR", env = "DROIDTEST_OUT", hide_env_values = true, value_hint = ValueHint::DirPath)]
    runs: Option<Utf8PathBuf>,
}

pub fn main(global: &Global, args: &Args, shell: &Shell) -> Result<ExitCode, Failure> {
    let named = named_finding::find(global, args.runs.as_deref(), &args.run, &args.finding)?;
    let bad = |message: String| Failure::Other(ExitCode::BadInput, message);
    let trace = named.finding.trace.as_ref();
    let trace = trace.ok_or_else(|| bad(format!("the finding {} has no trace", args.finding)))?;
    let default = format!("{}.zip", for_file_name(&named.finding.id));
    let out = args.out.clone().unwrap_or_else(|| default.into());
    let mut files: Vec<(String, Vec<u8>)> = Vec::new();
    let read =
        |path: &Path| foreign::read(path).map_err(|e| bad(format!("{}: {e}", path.display())));
    let trace = record::named(named.run.path().join(trace))?;
    files.push((TRACE.into(), read(&trace)?));
    let folder = &named.folder;
    let others = [
        folder.finding(),
        folder.reproduction(),
        folder.before(),
        folder.after(),
        folder.hierarchy_before(),
        folder.hierarchy_after(),
    ];
    let pictures = named.finding.pictures.iter();
    let pictures = pictures.map(|picture| named.run.path().join(picture));
    for path in others
        .into_iter()
        .chain(pictures)
        .filter(|path| path.is_file())
    {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        files.push((name.into_owned(), read(&path)?));
    }
    let finding = files.iter().find(|(name, _)| name == "finding.json");
    let finding: Option<serde_json::Value> =
        finding.and_then(|(_, json)| serde_json::from_slice(json).ok());
    if let Some(stack) = finding.as_ref().and_then(|f| f["evidence"].as_str()) {
        files.push(("stack.txt".into(), stack.into()));
    }
    match load(global, &Selection::default()) {
        Ok(suite) => files.push((
            "suite.toml".into(),
            excerpt(&suite, &named.app, &named.device)?.into(),
        )),
        Err(_) => shell.warn("the bundle has no excerpt of the suite: it cannot be loaded here"),
    }
    let command = format!(
        "cargo droidtest replay {}",
        out.file_name().unwrap_or_default()
    );
    let read_me = format!(
        "{}\n\nReplay it in the folder of the app's suite (suite.toml here is an excerpt):\n\n    {command}\n",
        named.finding.title
    );
    files.push(("README.txt".into(), read_me.into()));
    let unwritten =
        |why: String| Failure::Other(ExitCode::OutputNotWritten, format!("{out}: {why}"));
    let archive = pack(&files).map_err(|e| unwritten(e.to_string()))?;
    durable::write(out.as_std_path(), &archive, Lasting::Sure)
        .map_err(|e| unwritten(e.to_string()))?;
    shell.status(
        "Written",
        &format!("{}: {command}", near(out.as_std_path())),
    );
    Ok(ExitCode::Ok)
}

/// The app and the device in a suite. Secrets are in it by the names of their variables only.
fn excerpt(suite: &Suite, app: &str, device: &str) -> Result<String, Failure> {
    let settings = &suite.settings;
    let apps: Vec<_> = settings.apps.iter().filter(|a| a.name == app).collect();
    let devices: Vec<_> = settings
        .devices
        .iter()
        .filter(|d| d.name == device)
        .collect();
    let internal = |e: toml::ser::Error| Failure::Other(ExitCode::Internal, e.to_string());
    let mut text = toml::to_string(&serde_json::json!({ "suite": { "name": suite.name() } }));
    for (key, tables) in [
        ("app", serde_json::json!(apps)),
        ("device", serde_json::json!(devices)),
    ] {
        let part = toml::to_string(&serde_json::json!({ key: tables })).map_err(internal)?;
        text = text.map(|text| format!("{text}\n{part}"));
    }
    text.map_err(internal)
}

/// The same files give the same bytes.
fn pack(files: &[(String, Vec<u8>)]) -> Result<Vec<u8>, ZipError> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in files {
        zip.start_file(name.as_str(), SimpleFileOptions::default())?;
        zip.write_all(content)?;
    }
    Ok(zip.finish()?.into_inner())
}

/// Unpacks a bundle's trace into a folder, and nothing else.
///
/// # Errors
/// It is no archive, or has no trace.
pub fn unpack(bundle: &Utf8Path, into: &Path) -> Result<Utf8PathBuf, Failure> {
    let bad = |why: String| {
        let message = format!("{bundle} is not a bundle of `cargo droidtest bundle`: {why}");
        Failure::Other(ExitCode::BadInput, message)
    };
    let file = File::open(bundle).map_err(|e| bad(e.to_string()))?;
    let mut archive = ZipArchive::new(file).map_err(|e| bad(e.to_string()))?;
    let entry = archive
        .by_name(TRACE)
        .map_err(|e| bad(format!("{TRACE}: {e}")))?;
    let mut content = Vec::new();
    let mut limited = entry.take(LONGEST + 1);
    limited
        .read_to_end(&mut content)
        .map_err(|e| bad(format!("{TRACE}: {e}")))?;
    if content.len() as u64 > LONGEST {
        return Err(bad(format!("{TRACE} has more than {LONGEST} bytes")));
    }
    let name = for_file_name(bundle.file_stem().unwrap_or_default());
    let folder = into.join(format!("bundle-{name}"));
    fs::create_dir_all(&folder)?;
    let path = folder.join(TRACE);
    fs::write(&path, content)?;
    Utf8PathBuf::from_path_buf(path).map_err(|path| bad(format!("{} is not UTF-8", path.display())))
}
