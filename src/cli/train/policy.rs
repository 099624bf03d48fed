//! `train policy`: one policy across many apps, session after session.

use camino::Utf8PathBuf;
use clap::ValueHint;

use super::super::args::{Global, Selection};
use super::super::run as run_command;
use super::super::shell::Shell;
use super::super::{Failure, load};
use crate::exit_code::ExitCode;
use crate::explore::Stop;
use crate::run::train::{self, Course, Learned, TrainError};
use crate::run::{self, Inputs, Options, Plan};
use std::sync::Arc;

// Each session is a lesson of its own: there is no time that they share.
#[derive(Debug, clap::Args)]
#[command(mut_arg("total", |arg| arg.hide(true)))]
pub struct Args {
    #[command(flatten)]
    selection: Selection,
    /// The policy file; training continues an existing one
    #[arg(long, value_name = "FILE", default_value = "policy.safetensors", value_hint = ValueHint::FilePath)]
    policy: Utf8PathBuf,
    /// The folder of the sessions [default: droidtest-training in cargo's target folder]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    out: Option<Utf8PathBuf>,
}

pub fn main(global: &Global, args: &Args, shell: &Shell) -> Result<ExitCode, Failure> {
    let mut suite = load(global, &args.selection)?;
    train::start_without(&mut suite, &args.policy)
        .map_err(|why| Failure::Other(ExitCode::Internal, why))?;
    shell.notices(&suite.notices);
    if let Some(total) = suite.settings.suite.total.take() {
        shell.warn(&format!(
            "training has no total time: `total = {total}` does not apply"
        ));
    }
    let plan = Plan::new(&suite)?;
    let inputs = Inputs::gather(&suite, &plan, &crate::config::process_env())?;
    let base = match &args.out {
        Some(out) => out.clone(),
        None => suite.target_dir()?.join("droidtest-training"),
    };
    let stop = Stop::default();
    run_command::stop_on_ctrl_c(&stop)?;
    let building: Arc<dyn run::Observer> =
        Arc::new(run_command::live(&suite, &plan, shell, 1, false));
    let course = Course::new(&suite, &plan, &inputs, &args.policy, &building, &stop);
    let course = course.map_err(refused)?;
    drop(building);
    let all = course.done() + course.lessons().len();
    if course.done() > 0 {
        let done = course.done();
        shell.status(
            "Resuming",
            &format!("{}: {done} of {all} sessions done", args.policy),
        );
    }
    for name in course.changed() {
        shell.warn(&format!(
            "{name} has changed since the last training; training on it again"
        ));
    }
    let mut missed = 0;
    for lesson in course.lessons() {
        let options = Options {
            base: base.clone().into_std_path_buf(),
            run_id: None,
            jobs: 1,
            offline: global.offline,
            corpus: None,
            gate: None,
            bench: false,
            resume: None,
            reuse: false,
        };
        let plan = course.plan(lesson).map_err(refused)?;
        let live = Arc::new(run_command::live(&suite, &plan, shell, 1, false));
        let watch: Arc<dyn run::Observer> = Arc::clone(&live) as _;
        let kept = course.learn(&suite, &plan, &inputs, &options, &watch, &stop);
        if stop.requested() {
            return Ok(ExitCode::Interrupted);
        }
        match kept {
            // Continue with the other apps if one does not run.
            Err(TrainError::Session(name, why)) => {
                missed += 1;
                shell.warn(&format!("learned nothing from {name}: {why}"));
            }
            Ok(Learned::Nothing) => {
                let name = &lesson.name;
                shell.warn(&format!(
                    "learned nothing from {name}: the strategy chose no event"
                ));
            }
            Ok(Learned::Kept) => {
                shell.status("Learned", &format!("{} into {}", lesson.name, args.policy));
            }
            Err(other) => return Err(refused(other)),
        }
    }
    if missed > 0 {
        let why =
            format!("{missed} of {all} sessions failed to run; the same command retries them");
        return Err(Failure::Other(ExitCode::DeviceUnavailable, why));
    }
    shell.status("Trained", &format!("{}: {all} sessions", args.policy));
    Ok(ExitCode::Ok)
}

fn refused(error: TrainError) -> Failure {
    let code = match error {
        TrainError::Run(error) => return run_command::refused(error),
        TrainError::NothingToLearn | TrainError::Policy(..) => ExitCode::Config,
        TrainError::Session(..) => ExitCode::DeviceUnavailable,
        TrainError::Taken(..) | TrainError::Unwritten(..) => ExitCode::OutputNotWritten,
    };
    Failure::Other(code, error.to_string())
}
