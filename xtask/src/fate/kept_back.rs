//! Models that are held out: a separate table in docs/fate.md.

use super::tool::Refused;
use super::{Figure, Table, find};
use std::fmt::Write as _;
use std::fs;
use std::path::{MAIN_SEPARATOR, Path, PathBuf};

/// The file of strings next to models.
const STRINGS: &str = "strings.json";

/// Models that no figure was published for and nothing was tuned on.
pub struct KeptBack {
    pub files: Vec<PathBuf>,
    /// The strings, where none are next to the models: those of the published ones.
    pub pool: Option<PathBuf>,
    pub strings: u64,
    pub table: Table,
    /// By model: why it is left out.
    left_out: Vec<Option<String>>,
}

impl KeptBack {
    /// The models of a folder, by name; `published` holds those that figures were published for.
    pub fn of(folder: &Path, published: &Path, strings: u64) -> Result<Self, String> {
        let listed =
            fs::read_dir(folder).map_err(|e| format!("cannot list {}: {e}", folder.display()))?;
        let mut files: Vec<PathBuf> = listed
            .filter_map(|entry| entry.ok().map(|entry| entry.path()))
            .filter(|file| file.extension().is_some_and(|e| e == "json" || e == "xml"))
            .filter(|file| file.file_name().is_some_and(|name| name != STRINGS))
            .collect();
        files.sort();
        if files.is_empty() {
            return Err(format!("{} contains no model", folder.display()));
        }
        let pool = published.join(STRINGS);
        let needed = !folder.join(STRINGS).is_file() && pool.is_file();
        Ok(Self {
            left_out: vec![None; files.len()],
            files,
            pool: needed.then_some(pool),
            strings,
            table: Vec::new(),
        })
    }

    /// One strategy on all models; a model that `figure` cannot be had of is left out from then on.
    pub fn run(
        &mut self,
        strategy: &str,
        figure: impl Fn(&Path) -> Result<Option<Figure>, Refused>,
    ) -> Result<(), String> {
        let mut figures = Vec::new();
        for (file, left_out) in self.files.iter().zip(&mut self.left_out) {
            if left_out.is_some() {
                figures.push(None);
                continue;
            }
            match figure(file) {
                Ok(figure) => figures.push(figure),
                Err(Refused::Model(why)) => {
                    eprintln!("{} is skipped: {why}", file.display());
                    *left_out = Some(why);
                    figures.push(None);
                }
                Err(Refused::All(why)) => return Err(why),
            }
        }
        self.table.push((strategy.to_owned(), figures));
        Ok(())
    }

    /// Is there something to show?
    pub const fn has_run(&self) -> bool {
        !self.table.is_empty()
    }

    /// The section of the document.
    pub fn document(&self, out: &mut String) {
        let _ = write!(
            out,
            "`--kept-back DIR`: models for which nothing is published and on which nothing was tuned; {} strings (the published \
             models' where DIR has no `strings.json`). Mean ± standard \
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
            if self.table.iter().all(|(_, figures)| figures[ix].is_none()) {
                continue;
            }
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
        for (file, why) in self.files.iter().zip(&self.left_out) {
            let Some(why) = why else {
                continue;
            };
            // The document names no folders of the machine that it was written on.
            let folder = file.parent().unwrap_or(Path::new("")).display();
            let why = why.replace(&format!("{folder}{MAIN_SEPARATOR}"), "");
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            let _ = writeln!(out, "\n`{name}` is skipped: {}.", why.replace('\n', " "));
        }
    }
}
