//! A list of words and where each is in it.

/// Words in their file's order, each once when finished, found by binary search: small, and the same on every machine.
#[derive(Debug, Default)]
pub(super) struct Words {
    text: String,
    /// End of each word in `text`.
    ends: Vec<usize>,
    /// Places in order of their words.
    sorted: Vec<u32>,
}

impl Words {
    pub fn push(&mut self, word: &str) {
        self.text.push_str(word);
        self.ends.push(self.text.len());
    }

    /// Makes words findable. Of equal ones the first stays and the others go; where there are some, the places that
    /// stay are returned, in order.
    pub fn finish(&mut self) -> Option<Vec<u32>> {
        let all = u32::try_from(self.ends.len()).unwrap_or(u32::MAX);
        let mut sorted: Vec<u32> = (0..all).collect();
        sorted.sort_by(|&a, &b| self.get(a).cmp(self.get(b)).then(a.cmp(&b)));
        sorted.dedup_by(|b, a| self.get(*a) == self.get(*b));
        self.sorted = sorted;
        if self.sorted.len() == self.ends.len() {
            return None;
        }
        let mut kept = self.sorted.clone();
        kept.sort_unstable();
        let mut once = Self::default();
        for &ix in &kept {
            once.push(self.get(ix));
        }
        // Places move up where others before them are gone.
        once.sorted = self
            .sorted
            .iter()
            .filter_map(|ix| kept.binary_search(ix).ok())
            .filter_map(|ix| u32::try_from(ix).ok())
            .collect();
        *self = once;
        Some(kept)
    }

    pub fn len(&self) -> usize {
        self.ends.len()
    }

    pub fn get(&self, ix: u32) -> &str {
        let ix = ix as usize;
        let start = if ix == 0 { 0 } else { self.ends[ix - 1] };
        &self.text[start..self.ends[ix]]
    }

    pub fn find(&self, word: &str) -> Option<u32> {
        let at = self
            .sorted
            .binary_search_by(|&ix| self.get(ix).cmp(word))
            .ok()?;
        Some(self.sorted[at])
    }

    pub fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.ends.len()).map(|ix| self.get(u32::try_from(ix).unwrap_or(u32::MAX)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_and_the_first_of_equal_ones_counts() {
        let mut words = Words::default();
        for word in ["save", "a", "save", "", "a", "ü"] {
            words.push(word);
        }
        assert_eq!(words.finish(), Some(vec![0, 1, 3, 5]));
        assert_eq!(words.find("save"), Some(0));
        assert_eq!(words.find("a"), Some(1));
        assert_eq!(words.find("ü"), Some(3));
        assert_eq!(words.find(""), Some(2));
        assert_eq!(words.find("sav"), None);
        assert_eq!(words.iter().collect::<Vec<_>>(), ["save", "a", "", "ü"]);
        assert_eq!(words.finish(), None);
    }
}
