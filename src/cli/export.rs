//! `export`: a finding's steps in the language of another tool.

use camino::{Utf8Path, Utf8PathBuf};
use clap::ValueHint;

use super::args::Global;
use super::shell::Shell;
use super::traces::read;
use super::{Failure, named_finding};
use crate::device::adb::quote::is_package;
use crate::exit_code::ExitCode;
use crate::export::{self, Tool};
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
    /// The file [default: named after the finding, in this folder]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    out: Option<Utf8PathBuf>,
}

pub fn main(global: &Global, args: &Args, shell: &Shell) -> Result<ExitCode, Failure> {
    let unpacked = tempfile::tempdir()?;
    let file = match args.finding.as_slice() {
        [run, finding] => named_finding::of_run(global, run, finding.as_str())?,
        [finding, ..] => named_finding::trace(global, finding, unpacked.path())?,
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
    let out = match &args.out {
        Some(out) => out.clone(),
        None => Utf8Path::new(&export::name(&trace)).with_extension(args.to.extension()),
    };
    let exported = export::export(&trace, args.to);
    durable::write(out.as_std_path(), exported.text.as_bytes(), Lasting::Sure)
        .map_err(|e| Failure::Other(ExitCode::OutputNotWritten, format!("{out}: {e}")))?;
    shell.notices(&exported.notices);
    shell.status("Written", &near(out.as_std_path()));
    Ok(ExitCode::Ok)
}
