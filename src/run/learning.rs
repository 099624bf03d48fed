//! A session's strategy: made as the suite says, and what it learned kept after.

use super::plan::Session;
use super::prepare::Ready;
use crate::config::Suite;
use crate::explore::session::SessionError;
use crate::outcome::folder::{SessionFolder, write_whole};
use crate::strategy::registry::{self, Setting};
use crate::strategy::{Strategy, StrategyError};

/// The strategy of a session, its policy loaded; `pool`: all that can be typed, where that is known.
///
/// # Errors
/// A file that it starts from cannot be read or does not fit.
pub fn strategy(
    suite: &Suite,
    planned: &Session,
    ready: &Ready,
    pool: Option<&[String]>,
) -> Result<Box<dyn Strategy>, StrategyError> {
    registry::make(
        &planned.strategy.kind,
        &Setting {
            session: &planned.name,
            package: &ready.app.package,
            content: &ready.app.content,
            seed: planned.seed,
            pool,
            torch_device: &suite.settings.suite.torch_device,
            on_disk: &|path| suite.on_disk(path),
        },
    )
}

/// Keeps the policy in the session's folder, where the suite wants it.
///
/// # Errors
/// It cannot be written.
pub fn keep(
    planned: &Session,
    strategy: &dyn Strategy,
    folder: &SessionFolder,
) -> Result<(), SessionError> {
    if planned
        .strategy
        .kind
        .policy()
        .is_some_and(|policy| policy.save)
    {
        let mut policy = Vec::new();
        strategy.save(&mut policy)?;
        write_whole(&folder.policy(), &policy)?;
    }
    Ok(())
}
