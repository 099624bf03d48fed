//! `[changed]`: the earlier builds that apps are compared with.

use camino::Utf8PathBuf;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Compares the code of each app with an earlier build: learning strategies prefer what reaches changed methods, and
/// reports list those that nothing reached.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Changed {
    /// APKs of the apps before the change, matched to the apps by package. Default: nothing is compared.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "Vec<String>")]
    pub since: Vec<Utf8PathBuf>,
    /// The `mapping.txt` of R8 or ProGuard of the build in `since`, which must be the only one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub mapping: Option<Utf8PathBuf>,
    /// Whether learning strategies prefer what reaches changed code; otherwise it is only reported.
    pub prefer: bool,
}

impl Default for Changed {
    fn default() -> Self {
        Self {
            since: Vec::new(),
            mapping: None,
            prefer: true,
        }
    }
}
