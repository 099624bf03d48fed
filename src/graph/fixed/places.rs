//! Decides which texts of one place are distinguished: those of commands, not those of data.
//!
//! A place is a kind of widget in an activity (a list's row) or a key on an activity's pages. A menu shows a few texts,
//! and each leads to another page; a list of user data keeps showing new texts that all lead to the same page. So texts
//! are distinguished until enough of them in a row led to nothing new.

use rustc_hash::{FxHashMap, FxHashSet};

#[derive(Debug, Default)]
struct Tags {
    /// Distinguished tags; they stay distinguished.
    distinguished: FxHashSet<u64>,
    /// Tags first performed since one of them last led to anything new.
    without_novelty: u32,
}

/// The places of one app.
#[derive(Debug)]
pub struct Places {
    /// After this many tags in a row that lead to nothing new, further tags are not distinguished.
    novelty_patience: u32,
    all: FxHashMap<u64, Tags>,
}

impl Places {
    /// No places yet.
    pub fn new(novelty_patience: u32) -> Self {
        Self {
            novelty_patience,
            all: FxHashMap::default(),
        }
    }

    /// The tag if it is distinguished, else the place's tag.
    pub fn tell(&mut self, place: u64, tag: u64) -> u64 {
        let known = self.all.entry(place).or_default();
        if !known.distinguished.contains(&tag) {
            if known.without_novelty >= self.novelty_patience {
                return place;
            }
            known.distinguished.insert(tag);
        }
        tag
    }

    /// Notes whether an event of the place led to anything new; `first`: the first time it was performed.
    pub fn performed(&mut self, place: u64, first: bool, new: bool) {
        let known = self.all.entry(place).or_default();
        if new {
            known.without_novelty = 0;
        } else if first {
            known.without_novelty = known.without_novelty.saturating_add(1);
        }
    }
}
