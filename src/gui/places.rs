//! Which texts of one place are distinguished: those of commands, not those of data.
//!
//! A place is a kind of widget in an activity (a list's row) or a key on an activity's pages. A menu shows its few
//! texts at once and behind each lies something else; a list of what the user wrote continues showing new ones with
//! the same behind them all. So texts are distinguished until enough of them in a row led to nothing new.

use rustc_hash::{FxHashMap, FxHashSet};

#[derive(Debug, Default)]
struct Place {
    /// Distinguished tags; they stay distinguished.
    reported: FxHashSet<u64>,
    /// Tags first performed since one of the place last led to anything new.
    barren: u32,
}

/// The places of one app.
#[derive(Debug)]
pub struct Places {
    /// Tags in a row that lead to nothing new, from which on new ones are one.
    limit: u32,
    all: FxHashMap<u64, Place>,
}

impl Places {
    /// None seen yet.
    pub fn new(limit: u32) -> Self {
        Self {
            limit,
            all: FxHashMap::default(),
        }
    }

    /// The tag if it is distinguished, else the place's tag.
    pub fn tell(&mut self, place: u64, tag: u64) -> u64 {
        let known = self.all.entry(place).or_default();
        if !known.reported.contains(&tag) {
            if known.barren >= self.limit {
                return place;
            }
            known.reported.insert(tag);
        }
        tag
    }

    /// Notes whether an event of the place led to anything new; `first`: the first time it was performed.
    pub fn performed(&mut self, place: u64, first: bool, new: bool) {
        let known = self.all.entry(place).or_default();
        if new {
            known.barren = 0;
        } else if first {
            known.barren = known.barren.saturating_add(1);
        }
    }
}
