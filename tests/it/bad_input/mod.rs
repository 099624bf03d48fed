//! Files that are not what they should be, and pages of sizes that no designer meant, through the program: a clear
//! error with place and fix, or a session that completes with complete reports. `docs/reliability.md` lists them.

mod apps;
mod dumps;
mod learned;
mod models;
mod pages;
mod traces;
mod training;

use crate::common::program::Desk;

impl Desk {
    /// What the program says when it refuses: all these words, in lines that a person can read.
    fn refused(&self, args: &str, words: &[&str]) -> String {
        let said = self.tool(args);
        let all = said.all();
        assert_eq!(said.code, 96, "{args}: {all:.3000}");
        assert!(all.len() < 6000, "{args}: {} bytes", all.len());
        // The lines are wrapped, some with a bar before them.
        let plain = all.replace(['│', '\n'], " ");
        let plain = plain.split_whitespace().collect::<Vec<_>>().join(" ");
        for word in words {
            assert!(plain.contains(word), "{args}: no `{word}` in:\n{all}");
        }
        plain
    }
}
