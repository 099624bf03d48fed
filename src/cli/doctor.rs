//! `doctor`: check what the suite needs on this machine.

use super::Failure;
use super::args::Global;
use super::shell::Shell;
use crate::exit_code::ExitCode;

pub fn main(_global: &Global, _shell: &Shell) -> Result<ExitCode, Failure> {
    Err(Failure::Other(
        ExitCode::Internal,
        "`doctor` is not in this build yet".to_owned(),
    ))
}
