//! A demonstration saved from the page, and what to do with it.

use crate::report::console::{near, plural};
use crate::report::repro_info;
use crate::run::demonstration::{Form, Keeper, NotKept};
use crate::util::quote::double_quoted;
use serde::Serialize;
use std::path::PathBuf;

/// What was saved.
#[derive(Serialize)]
pub struct Saved {
    /// Where it is and what it is for, in words.
    words: String,
    /// What to type for that.
    command: String,
}

/// Saves what a person has done so far.
///
/// # Errors
/// There is nothing to save, or it cannot be written.
pub fn save(keeper: &Keeper, form: Form) -> Result<Saved, NotKept> {
    let files = keeper.keep(form)?;
    let whole = |file: &PathBuf| std::path::absolute(file).unwrap_or_else(|_| file.clone());
    let literals: Vec<_> = files
        .iter()
        .map(|file| double_quoted(&whole(file).to_string_lossy()))
        .collect();
    let names: Vec<_> = files.iter().map(|file| near(file)).collect();
    let names = names.join(", ");
    Ok(match form {
        Form::Corpus => Saved {
            words: format!("Saved {}: {names}", plural(files.len() as u64, "trace")),
            command: repro_info::replay(keeper.run(), &files),
        },
        Form::Script => Saved {
            words: format!(
                "Saved {names}: copy its tables to the suite, below the [[app]]; each run performs them"
            ),
            command: format!("cat {}", repro_info::paths(&files)),
        },
        Form::Model => Saved {
            words: format!("Saved {names}: a strategy of the kind fastbot starts from it with"),
            // The suite's paths start from its folder, those of a terminal from the working folder.
            command: format!("model = {{ load = {} }}", literals.join(", ")),
        },
    })
}
