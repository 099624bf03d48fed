//! What the header of a policy file says, in words.

use crate::learn::bundle::{Bundle, BundleError};
use crate::strategy::StrategyError;
use std::io;

/// Names of the sessions that a policy of this strategy learned from.
///
/// # Errors
/// It is no policy, or another strategy's.
pub fn history(from: &mut dyn io::Read, strategy: &str) -> Result<Vec<String>, StrategyError> {
    let bundle = Bundle::read(from).map_err(refused)?;
    let text = |key: &str| bundle.texts.get(key).map_or("", String::as_str);
    if text("strategy") != strategy {
        return Err(StrategyError::Policy(format!(
            "strategy: the policy's is {}, the suite's is {strategy}",
            text("strategy")
        )));
    }
    serde_json::from_str(text("history"))
        .map_err(|e| StrategyError::Policy(format!("its list of history: {e}")))
}

/// A list as a policy's text.
pub(super) fn json(list: &impl serde::Serialize) -> Result<String, StrategyError> {
    serde_json::to_string(list).map_err(|e| StrategyError::Io(e.into()))
}

/// Why a policy cannot be read or written.
pub(super) fn refused(error: BundleError) -> StrategyError {
    match error {
        BundleError::Io(error) => StrategyError::Io(error),
        other => StrategyError::Policy(other.to_string()),
    }
}
