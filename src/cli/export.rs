//! `export`: a finding's steps in the language of another tool.

use camino::{Utf8Path, Utf8PathBuf};
use clap::ValueHint;

use super::args::Global;
use super::shell::Shell;
use super::traces::read;
use super::{Failure, named_finding};
use crate::device::adb::quote::is_package;
use crate::exit_code::ExitCode;
use crate::export::{self, Language, Tool};
use crate::report::console::near;
use crate::util::durable::{self, Lasting};

#[derive(Debug, clap::Args)]
pub struct Args {
    /// A trace, the folder of a finding, a bundle, or the id of a finding of the latest run; or a run and the id of one of
    /// its findings
    #[arg(value_name = "[RUN] FINDING", required = true, num_args = 1..=2, value_hint = ValueHint::FilePath)]
    finding: Vec<Utf8PathBuf>,
    /// The tool
    #[arg(long, value_name = "TOOL")]
    to: Tool,
    /// The language of a UiAutomator or Espresso test
    #[arg(long, value_name = "LANGUAGE", default_value = "java")]
    language: Language,
    /// The file; of a test, its name is the class's [default: named after the finding, in this folder]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    out: Option<Utf8PathBuf>,
    /// The folder of all runs [default: droidtest in cargo's target folder]
    #[arg(long, value_name = "DIR", env = "DROIDTEST_OUT", hide_env_values = true, value_hint = ValueHint::DirPath)]
    runs: Option<Utf8PathBuf>,
}

pub fn main(global: &Global, args: &Args, shell: &Shell) -> Result<ExitCode, Failure> {
    let unpacked = tempfile::tempdir()?;
    let runs = args.runs.as_deref();
    let file = match args.finding.as_slice() {
        [run, finding] => named_finding::of_run(global, runs, run, finding.as_str())?,
        [finding, ..] => named_finding::trace(global, runs, finding, unpacked.path())?,
        [] => return Err(Failure::Other(ExitCode::Usage, "name a finding".into())),
    };
    let trace = read(&file, shell)?;
    let package = &trace.app.package;
    if !is_package(package) {
        let message = format!(
            "{file} is a trace of {package}, which is not the package of an Android app: export a trace of an APK"
        );
        return Err(Failure::Other(ExitCode::BadInput, message));
    }
    if let Some([one, other]) = export::clash(&trace) {
        let message = format!(
            "the texts `{one}` and `{other}` of [app.text] would have one variable: rename one, in the suite and in {file}"
        );
        return Err(Failure::Other(ExitCode::BadInput, message));
    }
    let extension = args.to.extension(args.language);
    let out = match &args.out {
        Some(out) => out.clone(),
        None => Utf8Path::new(&export::name(&trace)).with_extension(extension),
    };
    let class = out.file_stem().unwrap_or_default();
    if matches!(args.to, Tool::Uiautomator | Tool::Espresso) && !is_class(class) {
        let message = format!(
            "--out {out}: the file is named as its class: a capital letter, then letters, digits and `_`, such as SaveTest.{extension}"
        );
        return Err(Failure::Other(ExitCode::Usage, message));
    }
    let exported = export::export(&trace, args.to, args.language, class);
    durable::write(out.as_std_path(), exported.text.as_bytes(), Lasting::Sure)
        .map_err(|e| Failure::Other(ExitCode::OutputNotWritten, format!("{out}: {e}")))?;
    shell.notices(&exported.notices);
    shell.status("Written", &near(out.as_std_path()));
    Ok(ExitCode::Ok)
}

/// Is this a class's name in Java and Kotlin? Keywords start with a small letter.
fn is_class(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_uppercase())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}
