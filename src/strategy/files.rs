//! The files that a suite names for what a strategy learned.

use super::definition::{Key, POLICY, StartFile};
use camino::{Utf8Path, Utf8PathBuf};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The policy of a strategy: the one to start from, and whether to save the new one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct PolicyFiles {
    /// Start from this policy. Default: the one that comes with the tool, where preset, features, encoding,
    /// states and embedding are the default ones it was trained with.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub load: Option<Utf8PathBuf>,
    /// Start with nothing learned if no policy is named.
    pub fresh: bool,
    /// Save the learned policy in the session's folder, as `policy.safetensors`.
    pub save: bool,
}

impl PolicyFiles {
    /// The policy that the suite names.
    pub(super) fn start(&self) -> Option<StartFile<'_>> {
        Some(StartFile {
            what: POLICY,
            keys: ["policy", "load"].map(Key::Name).to_vec(),
            path: self.load.as_deref()?,
            missing: "create it with `cargo droidtest train policy --policy FILE`",
            unusable: "without `policy.load` the strategy starts with nothing learned, or from the policy that comes \
                       with the tool if that fits; `cargo droidtest train policy --policy FILE` trains one with these settings",
            folder: false,
            of_app: false,
        })
    }
}

/// The event model of a strategy that reuses one ([`crate::learn::event_model`]): the files to start from, and whether
/// the session keeps one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct ModelFiles {
    /// Start from this file. Default: what earlier runs of the app counted (`suite.reuse`).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub load: Option<Utf8PathBuf>,
    /// Add the counts of these files, as of other machines, nights or versions of the app.
    #[schemars(with = "Vec<String>")]
    pub merge: Vec<Utf8PathBuf>,
    /// Whether to keep what the session counted, as `model.jsonl` in its folder: runs with `suite.reuse` add it up.
    pub save: bool,
}

impl Default for ModelFiles {
    fn default() -> Self {
        Self {
            load: None,
            merge: Vec::new(),
            save: true,
        }
    }
}

impl ModelFiles {
    /// The files to start from.
    pub fn files(&self) -> impl Iterator<Item = &Utf8Path> {
        let merge = self.merge.iter().map(Utf8PathBuf::as_path);
        self.load.as_deref().into_iter().chain(merge)
    }
}
