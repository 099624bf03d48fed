//! What cargo knows of the project, if there is one.

use camino::{Utf8Path, Utf8PathBuf};
use cargo_metadata::MetadataCommand;

use super::diagnose::{Code, Problem};
use super::locate::ancestors;

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
            let lines: Vec<_> = text
                .lines()
                .map(str::trim)
                .filter(|line| !line.is_empty())
                .collect();
            Problem::new(
                Code::CargoMetadata,
                format!("cargo metadata failed for {manifest}"),
            )
            .help(format!("cargo says: {}", lines.join("; ")))
        })?;
    let here = camino::absolute_utf8(base).unwrap_or_else(|_| base.to_owned());
    let relative = |path: &Utf8Path| {
        path.strip_prefix(&here)
            .map_or_else(|_| path.to_owned(), Utf8Path::to_owned)
    };
    Ok(Some(Project {
        workspace_manifest: relative(&metadata.workspace_root.join("Cargo.toml")),
        target_dir: relative(&metadata.target_directory),
        manifest,
    }))
}
