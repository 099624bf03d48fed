//! `schema`: the JSON schema of a suite file, for editors.

use super::{Failure, shell};
use crate::config::schema;
use crate::exit_code::ExitCode;
use crate::util::console::Clean;

#[derive(Debug, clap::Args)]
pub struct Args {}

pub fn main(_args: &Args) -> Result<ExitCode, Failure> {
    shell::print(&Clean::own(&format!("{:#}\n", schema::document())))?;
    Ok(ExitCode::Ok)
}
