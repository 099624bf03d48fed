//! `setup`: fetch and prepare what the devices need.

use super::args::Global;
use super::shell::Shell;
use super::{Failure, preparation};
use crate::device::DeviceError;
use crate::device::jvm::bundletool;
use crate::device::jvm::cache::Cache;
use crate::device::jvm::parts;
use crate::exit_code::ExitCode;

#[derive(Debug, clap::Args)]
pub struct Args {
    /// An Android API level to prepare; 34 to 36 [default: those of the suite's devices, else 34]
    #[arg(long, value_name = "LEVEL", value_parser = clap::value_parser!(u32).range(34..=36))]
    api: Vec<u32>,
}

pub fn main(global: &Global, args: &Args, shell: &Shell) -> Result<ExitCode, Failure> {
    let failed = |error: DeviceError| match error {
        DeviceError::Io(error) => Failure::Output(error),
        other => Failure::Other(ExitCode::Config, other.to_string()),
    };
    let cache = Cache::locate().map_err(failed)?;
    // A suite is not needed: without a usable one, the defaults are prepared.
    let devices = preparation::suite(global).ok().flatten();
    let devices = devices
        .map(|suite| suite.settings.devices)
        .unwrap_or_default();
    let levels = preparation::api_levels(&devices, &args.api);
    let watch = preparation::watch(shell, std::sync::Arc::default());
    parts::setup(&cache, &levels, global.offline, &watch).map_err(failed)?;
    // Only apps in the form of a bundle need it.
    if !global.offline {
        bundletool::fetched(false, &watch).map_err(failed)?;
    }
    let levels: Vec<_> = levels.iter().map(u32::to_string).collect();
    shell.status(
        "Ready",
        &format!(
            "Android API level {} in {}",
            levels.join(", "),
            cache.root().display()
        ),
    );
    Ok(ExitCode::Ok)
}
