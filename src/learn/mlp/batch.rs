//! What a network reads.

/// What a network reads, one item a row.
///
/// Rows of one observation share it: a screen is met again and again, and may have thousands of widgets, so that its
/// part of the first layer is computed once a batch.
#[derive(Clone, Debug, Default)]
pub struct Batch<'a> {
    /// The observations, each once: the places that are 1.
    pub(super) seen: Vec<&'a [u32]>,
    /// By row: which of them.
    pub(super) rows: Vec<usize>,
    /// Further numbers, row by row: as many a row as the network has `dense` inputs.
    pub dense: Vec<f32>,
}

impl<'a> Batch<'a> {
    /// Adds a row with these places; the same slice as an earlier row's is shared with it.
    pub fn push(&mut self, bits: &'a [u32]) {
        let known = self.seen.iter().position(|&seen| std::ptr::eq(seen, bits));
        self.rows.push(known.unwrap_or(self.seen.len()));
        if known.is_none() {
            self.seen.push(bits);
        }
    }

    /// Rows.
    pub const fn len(&self) -> usize {
        self.rows.len()
    }

    /// Is there no row?
    pub const fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The same rows with these further numbers.
    pub fn with(&self, dense: Vec<f32>) -> Self {
        Self {
            dense,
            ..self.clone()
        }
    }
}

impl<'a> FromIterator<&'a [u32]> for Batch<'a> {
    fn from_iter<I: IntoIterator<Item = &'a [u32]>>(rows: I) -> Self {
        let mut batch = Self::default();
        rows.into_iter().for_each(|bits| batch.push(bits));
        batch
    }
}
