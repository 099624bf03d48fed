//! Parts of the docs that a chore writes: what is between two comments.

use crate::{Result, sh};
use std::fs;

const END: &str = "<!-- until here -->\n";

/// The part of a page that starts with `<!-- written by cargo xtask NAME -->`.
pub struct Part {
    /// The page, from the repository's root.
    pub page: &'static str,
    /// The chore.
    pub chore: &'static str,
}

impl Part {
    /// Puts this text there.
    pub fn write(&self, text: &str) -> Result {
        let path = sh::root().join(self.page);
        let said = |e: std::io::Error| format!("{}: {e}", path.display());
        let new = self.put(&fs::read_to_string(&path).map_err(said)?, text)?;
        fs::write(&path, new).map_err(said)
    }

    /// The page as it is.
    pub fn read(&self) -> Result<String> {
        let path = sh::root().join(self.page);
        fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))
    }

    fn put(&self, page: &str, text: &str) -> Result<String> {
        let begin = format!("<!-- written by cargo xtask {} -->\n", self.chore);
        let missing = |line: &str| format!("{} has no line {}", self.page, line.trim());
        let (before, rest) = page.split_once(&begin).ok_or_else(|| missing(&begin))?;
        let (_, after) = rest.split_once(END).ok_or_else(|| missing(END))?;
        Ok(format!("{before}{begin}{text}{END}{after}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_between_the_marks_is_written_anew() {
        let part = Part {
            page: "docs/x.md",
            chore: "b",
        };
        let page = "head\n<!-- written by cargo xtask a -->\nold\n<!-- until here -->\n\
                    <!-- written by cargo xtask b -->\nold\nold\n<!-- until here -->\ntail\n";
        let new = part.put(page, "new\n").unwrap();
        assert!(new.contains("xtask a -->\nold\n<!--"), "{new}");
        assert!(new.ends_with("xtask b -->\nnew\n<!-- until here -->\ntail\n"));
        assert!(part.put("head\n", "new\n").unwrap_err().contains("xtask b"));
    }
}
