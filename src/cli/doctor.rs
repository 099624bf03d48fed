//! `doctor`: check this machine, and the suite's files.

use camino::Utf8PathBuf;
use clap::ValueHint;
use serde_json::json;

use super::args::Global;
use super::shell::{MessageFormat, Shell};
use super::{Failure, capability, preparation};
use crate::doctor::{self, Verdict};
use crate::exit_code::ExitCode;
use crate::util::text::for_terminal;

#[derive(Debug, clap::Args)]
pub struct Args {
    /// An Android API level to check for, 34 to 36 [default: those of the suite's devices, else 34]
    #[arg(long, value_name = "LEVEL", value_parser = clap::value_parser!(u32).range(34..=36))]
    api: Vec<u32>,
    /// APKs: report how well the jvm device is expected to support each, instead of checking the machine
    #[arg(value_name = "APK", value_hint = ValueHint::FilePath)]
    apks: Vec<Utf8PathBuf>,
}

pub fn main(global: &Global, args: &Args, shell: &Shell) -> Result<ExitCode, Failure> {
    if !args.apks.is_empty() {
        return apks(&args.apks, shell);
    }
    let suite = preparation::suite(global);
    let devices = match &suite {
        Ok(Some(suite)) => suite.settings.devices.as_slice(),
        _ => &[],
    };
    let levels = preparation::api_levels(devices, &args.api);
    let mut checks = {
        let watch = preparation::watch(shell, std::sync::Arc::default());
        doctor::examine(&levels, preparation::wanted(devices), &watch)
    };
    match &suite {
        Ok(Some(suite)) => checks.extend(doctor::suite(suite, global.jobs())),
        Ok(None) => {}
        Err(problems) => checks.extend(problems.iter().map(doctor::problem)),
    }
    shell.print(&match shell.format() {
        MessageFormat::Human => doctor::human(&checks, shell.color_stdout()),
        MessageFormat::Json => doctor::json(&checks),
    })?;
    Ok(match doctor::worst(&checks) {
        Verdict::Ok | Verdict::Warning => ExitCode::Ok,
        Verdict::Failed => ExitCode::Config,
    })
}

/// The capability check of each file, one per line. A verdict is not a failure; a file that is no usable APK is.
fn apks(files: &[Utf8PathBuf], shell: &Shell) -> Result<ExitCode, Failure> {
    let mut code = ExitCode::Ok;
    for file in files {
        let watch = preparation::watch(shell, std::sync::Arc::default());
        let read = capability::read(file.as_std_path(), &[], &watch);
        drop(watch);
        let found = match read {
            Ok((_, needs)) => needs.on_jvm(),
            Err(why) => {
                shell.error(&why);
                code = ExitCode::BadInput;
                continue;
            }
        };
        shell.print(&match shell.format() {
            MessageFormat::Human => format!("{file}: {}\n", for_terminal(&found.to_string())),
            MessageFormat::Json => format!("{}\n", json!({ "file": file, "capability": found })),
        })?;
    }
    Ok(code)
}
