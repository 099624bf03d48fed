//! Whether the jvm device starts from a recording, and if not, why.

use super::Check;
use crate::device::jvm::cache::Cache;
use crate::device::jvm::maven::SETUP_COMMAND;
use crate::device::jvm::parts::{self, Parts};
use crate::device::progress::Watch;

/// The recordings of the Android versions whose parts are there; the check of the parts names the others.
pub fn recordings(cache: &Cache, sdks: &[u32], watch: &Watch) -> Option<Check> {
    let mut recorded = Vec::new();
    let mut failed = Vec::new();
    for &sdk in sdks {
        if parts::entries(sdk).iter().any(|e| cache.find(e).is_none()) {
            continue;
        }
        let Ok(parts) = Parts::ensure(cache, sdk, true, watch) else {
            continue;
        };
        match parts.unrecorded(cache) {
            Some(why) => failed.push(format!("API level {sdk}: {why}")),
            None => recorded.push(sdk.to_string()),
        }
    }
    if !failed.is_empty() {
        return Some(Check::warning(
            "start",
            format!(
                "Java could not record it, so that each start takes seconds longer: {}",
                failed.join("; ")
            ),
            SETUP_COMMAND,
        ));
    }
    let levels = recorded.join(", ");
    (!recorded.is_empty()).then(|| {
        Check::ok(
            "start",
            format!("recorded, or at the first run (API level {levels})"),
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_without_the_parts_has_nothing_to_record() {
        let folder = tempfile::tempdir().unwrap();
        let found = recordings(&Cache::at(folder.path()), &[34], &Watch::silent());
        assert!(found.is_none());
    }
}
