//! Checks a translated app with the JVM's verifier: `tool/Verify.java`, once per translation.

use super::cache::Cache;
use super::limits::Limits;
use super::parts::Parts;
use super::tool;
use super::{child, translate};
use crate::device::progress::Watch;
use crate::device::{App, DeviceError};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::time::Duration;

/// Time limit; the largest apps take a minute, and each failing method needs another class loader.
const LIMIT: Duration = Duration::from_secs(900);

/// The file of the results, one JSON object.
pub const RESULT: &str = "verify.json";

/// The cause in `failing` of methods that throw when they are called, since they could not be translated.
pub const NOT_TRANSLATED: &str = "not translated";

/// Translates an APK, verifies every class and resolves every call site; returns the JSON object that `Verify`
/// writes, with `methods_failed` and `classes_failed` of the translation. The former count as failing methods: the
/// verifier accepts what stands in for them.
///
/// # Errors
/// The APK cannot be translated, or the verifying process fails.
pub fn verify(
    cache: &Cache,
    parts: &Parts,
    apk: &Path,
    watch: &Watch,
) -> Result<Value, DeviceError> {
    let name = apk.file_stem().unwrap_or_default().to_string_lossy();
    let app = App {
        name: name.into_owned(),
        file: Some(apk.to_owned()),
        ..App::default()
    };
    let translated = translate::ensure(cache, parts, &app, translate::Calls::Confined, watch)?;
    let folder = &translated.folder;
    let id = folder.file_name().unwrap_or_default().to_string_lossy();
    let entry = format!("verified/{id}");
    let verified = cache.ensure(&entry, watch, |to| {
        judge(parts, folder, to, &app.name, watch)
    })?;
    let mut found = object(&verified.join(RESULT))?;
    let summary = object(&folder.join("translate.json"))?;
    for key in ["methods_failed", "classes_failed", "methods_unprobed"] {
        found[key] = summary[key].clone();
    }
    count_untranslated(&mut found);
    Ok(found)
}

/// Adds `methods_failed` to `failing` and `failing_methods`.
fn count_untranslated(found: &mut Value) {
    let methods = found["methods_failed"].as_array().cloned();
    let methods = methods.unwrap_or_default();
    if methods.is_empty() {
        return;
    }
    let count = found["failing_methods"].as_u64().unwrap_or(0) + methods.len() as u64;
    found["failing_methods"] = count.into();
    if let Some(failing) = found["failing"].as_object_mut() {
        let one = json!({ "count": methods.len(), "sites": methods });
        failing.insert(NOT_TRANSLATED.to_owned(), one);
    }
}

fn object(file: &Path) -> Result<Value, DeviceError> {
    serde_json::from_slice(&fs::read(file)?)
        .map_err(|e| DeviceError::Protocol(format!("{}: {e}", file.display())))
}

/// Verifies the classes of a translation's folder; writes [`RESULT`] into the folder `to`.
///
/// # Errors
/// The verifying process cannot be started, or fails.
pub fn judge(
    parts: &Parts,
    translated: &Path,
    to: &Path,
    name: &str,
    watch: &Watch,
) -> Result<(), DeviceError> {
    watch.report("verifying", name, 0, 0);
    let mut command = tool::command(parts, "Verify", &[translated.to_owned()], to, to)?;
    command.arg(translated).arg(to.join(RESULT));
    let limits = Some(Limits::of_tool("the verifier", to.to_owned()));
    let ended = child::run_within(&mut command, LIMIT, limits, watch, |_| {})?;
    if ended.status.success() {
        return Ok(());
    }
    Err(DeviceError::Launch(format!(
        "verifying {name}: {}",
        ended.reason()
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn methods_that_were_not_translated_are_failing() {
        let mut found = json!({
            "failing_methods": 2, "failing": {"VerifyError": {"count": 2, "sites": ["a", "b"]}},
            "methods_failed": ["La;.c()V"],
        });
        count_untranslated(&mut found);
        assert_eq!(found["failing_methods"], 3);
        assert_eq!(found["failing"]["not translated"]["sites"][0], "La;.c()V");
        let none = json!({"failing_methods": 0, "failing": {}, "methods_failed": []});
        let mut same = none.clone();
        count_untranslated(&mut same);
        assert_eq!(same, none);
    }
}
