//! A list of words and where each stands in it.

/// Words in their file's order, found by binary search: small, and the same on every machine.
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

    /// Makes words findable; of equal ones the first is found.
    pub fn finish(&mut self) {
        let mut sorted: Vec<u32> =
            (0..u32::try_from(self.ends.len()).unwrap_or(u32::MAX)).collect();
        sorted.sort_by(|&a, &b| self.get(a).cmp(self.get(b)).then(a.cmp(&b)));
        sorted.dedup_by(|b, a| self.get(*a) == self.get(*b));
        self.sorted = sorted;
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
        for word in ["save", "a", "save", "", "ü"] {
            words.push(word);
        }
        words.finish();
        assert_eq!(words.find("save"), Some(0));
        assert_eq!(words.find("ü"), Some(4));
        assert_eq!(words.find(""), Some(3));
        assert_eq!(words.find("sav"), None);
        assert_eq!(
            words.iter().collect::<Vec<_>>(),
            ["save", "a", "save", "", "ü"]
        );
    }
}
