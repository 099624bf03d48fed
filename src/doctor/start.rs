//! Whether the jvm device starts from a recording, and if not, why.

use super::Check;
use crate::device::jvm::cache::Cache;
use crate::device::jvm::maven::SETUP_COMMAND;
use crate::device::jvm::parts::Parts;
use crate::device::progress::Watch;

/// The recordings of the Android versions whose parts exist; the check of the parts names the others.
pub fn recordings(cache: &Cache, sdks: &[u32], watch: &Watch) -> Option<Check> {
    let mut found = Vec::new();
    let mut failed = false;
    for &sdk in sdks {
        let Some(parts) = Parts::found(cache, sdk, watch) else {
            continue;
        };
        let state = match parts.tried(cache) {
            Some(Ok(())) => "starts from a recording, which is faster".to_owned(),
            Some(Err(why)) => {
                failed = true;
                format!("not recorded, so each start takes seconds longer: {why}")
            }
            None => "is recorded at the first run, then starts faster".to_owned(),
        };
        found.push(format!("API level {sdk}: {state}"));
    }
    let text = found.join("; ");
    if failed {
        return Some(Check::warning("start", text, SETUP_COMMAND));
    }
    (!found.is_empty()).then(|| Check::ok("start", text))
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
