//! The flags of `[changed]`.

use camino::Utf8PathBuf;
use clap::{Args, ValueHint};

use crate::config::Override;

/// Settings of `[changed]`.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Changed code")]
pub struct ChangedFlags {
    /// Compare the code with this earlier build: prefer what reaches changed methods, and report those that nothing
    /// reached; may be repeated
    #[arg(long, value_name = "APK", value_hint = ValueHint::FilePath)]
    pub changed_since: Vec<Utf8PathBuf>,
    /// The mapping.txt of the earlier build
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, requires = "changed_since")]
    pub changed_mapping: Option<Utf8PathBuf>,
}

impl ChangedFlags {
    /// The flags as settings.
    pub fn overrides(&self) -> Vec<Override> {
        let mut overrides = Vec::new();
        if !self.changed_since.is_empty() {
            let files: Vec<_> = self.changed_since.iter().map(ToString::to_string).collect();
            let written = files.join(" ");
            overrides.push(Override::new(
                "--changed-since",
                &written,
                "changed.since",
                files,
            ));
        }
        if let Some(file) = &self.changed_mapping {
            let (flag, key) = ("--changed-mapping", "changed.mapping");
            overrides.push(Override::new(flag, file.as_str(), key, file.as_str()));
        }
        overrides
    }
}
