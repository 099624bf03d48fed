//! The cargo project around the suite, if there is one.

use camino::{Utf8Path, Utf8PathBuf};
use cargo_metadata::MetadataCommand;

use super::diagnose::{Code, Problem};
use super::locate::{absolute, ancestors};

/// A cargo project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Project {
    /// The nearest manifest, as a relative path.
    pub manifest: Utf8PathBuf,
    /// The workspace's manifest.
    pub workspace_manifest: Utf8PathBuf,
    /// The target folder.
    pub target_dir: Utf8PathBuf,
}

/// Asks `cargo metadata`, if there is a manifest here or in a folder above.
pub fn project(base: &Utf8Path) -> Result<Option<Project>, Problem> {
    let manifests = ancestors(base)
        .into_iter()
        .map(|folder| folder.join("Cargo.toml"));
    let Some(manifest) = manifests.into_iter().find(|path| base.join(path).is_file()) else {
        return Ok(None);
    };
    let metadata = MetadataCommand::new()
        .manifest_path(base.join(&manifest))
        .no_deps()
        .exec()
        .map_err(|error| {
            let text = error.to_string();
            let reason = text
                .lines()
                .map(|line| line.trim().trim_start_matches("error: "));
            let reason: Vec<_> = reason
                .map(|line| line.trim_start_matches("`cargo metadata` exited with an error: "))
                .map(|line| line.trim_start_matches("error: "))
                .take_while(|line| !line.starts_with("-->"))
                .filter(|line| !line.is_empty())
                .collect();
            let message = format!("cargo metadata failed for {manifest}");
            Problem::new(Code::CargoMetadata, message)
                .help(format!("cargo says: {}", reason.join("; ")))
        })?;
    let here = absolute(base);
    let relative = |path: &Utf8Path| relative(path, &here);
    Ok(Some(Project {
        workspace_manifest: relative(&metadata.workspace_root.join("Cargo.toml")),
        target_dir: relative(&metadata.target_directory),
        manifest,
    }))
}

/// A path relative to a folder, unless they have only the root in common.
pub(super) fn relative(path: &Utf8Path, here: &Utf8Path) -> Utf8PathBuf {
    let mut up = Utf8PathBuf::new();
    for folder in here.ancestors().filter(|folder| folder.parent().is_some()) {
        if let Ok(rest) = path.strip_prefix(folder) {
            return up.join(rest);
        }
        up.push("..");
    }
    path.to_owned()
}
