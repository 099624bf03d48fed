//! Models that are held out: a table of their own in docs/fate.md.

use super::{Table, find};
use crate::Result;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// Models that no figure was published for and nothing was tuned on.
pub struct KeptBack {
    pub files: Vec<PathBuf>,
    pub strings: u64,
    pub table: Table,
}

impl KeptBack {
    /// The models of a folder, by name.
    pub fn of(folder: &Path, strings: u64) -> Result<Self> {
        let listed =
            fs::read_dir(folder).map_err(|e| format!("cannot list {}: {e}", folder.display()))?;
        let mut files: Vec<PathBuf> = listed
            .filter_map(|entry| entry.ok().map(|entry| entry.path()))
            .filter(|file| file.extension().is_some_and(|e| e == "json" || e == "xml"))
            .filter(|file| file.file_name().is_some_and(|name| name != "strings.json"))
            .collect();
        files.sort();
        if files.is_empty() {
            return Err(format!("{} holds no model", folder.display()));
        }
        Ok(Self {
            files,
            strings,
            table: Vec::new(),
        })
    }

    /// The section of the document.
    pub fn document(&self, out: &mut String) {
        let _ = write!(
            out,
            "`--kept-back DIR`: models for which nothing is published and on which nothing was tuned; {} strings. Mean ± standard \
             deviation (seeds), and in combined standard errors above our random.\n\n| model |",
            self.strings
        );
        for (name, _) in &self.table {
            let columns = if name == "random" { " |" } else { " | |" };
            let _ = write!(out, " {name}{columns}");
        }
        out.push_str("\n|---|");
        for (name, _) in &self.table {
            out.push_str(if name == "random" { "---|" } else { "---|---|" });
        }
        out.push('\n');
        for (ix, file) in self.files.iter().enumerate() {
            let name = file.file_stem().unwrap_or_default().to_string_lossy();
            let random = find(&self.table, "random").and_then(|f| f[ix]);
            let _ = write!(out, "| {name} |");
            for (strategy, figures) in &self.table {
                match (figures[ix], random) {
                    (Some(own), _) if strategy == "random" => {
                        let _ = write!(out, " {:.0} ± {:.0} ({}) |", own.mean, own.sd, own.seeds);
                    }
                    (Some(own), Some(random)) => {
                        let above = own.above(random.mean, random.sd, random.seeds);
                        let _ = write!(
                            out,
                            " {:.0} ± {:.0} ({}) | {above:+.1} |",
                            own.mean, own.sd, own.seeds
                        );
                    }
                    _ if strategy == "random" => out.push_str(" |"),
                    _ => out.push_str(" | |"),
                }
            }
            out.push('\n');
        }
    }
}
