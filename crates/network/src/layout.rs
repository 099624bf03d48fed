//! What a network reads: rows of numbers in named towers, and texts by their number in a table.

use serde::{Deserialize, Serialize};

/// One input of a network. It gets layers of its own before all are joined.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "shape")]
pub enum Tower {
    /// A vector; a dense layer reads it.
    Vector {
        /// Feature and part, such as `fcd1`.
        name: String,
        /// Numbers.
        len: usize,
    },
    /// A matrix, one word a row; a convolution reads it. Rows name it by its number in [`Texts`].
    Words {
        /// Feature.
        name: String,
        /// Words.
        count: usize,
        /// Numbers a word.
        dim: usize,
    },
}

impl Tower {
    /// Its name.
    pub fn name(&self) -> &str {
        match self {
            Self::Vector { name, .. } | Self::Words { name, .. } => name,
        }
    }
}

/// Numbers in a row's vectors, all together.
pub fn dense_len(towers: &[Tower]) -> usize {
    towers
        .iter()
        .map(|tower| match tower {
            Tower::Vector { len, .. } => *len,
            Tower::Words { .. } => 0,
        })
        .sum()
}

/// Events as the network reads them, one a row.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Rows {
    /// How many.
    pub len: usize,
    /// The vectors, in the towers' order, row by row: `len` x [`dense_len`].
    pub dense: Vec<f32>,
    /// The text of each row; empty where no tower reads words.
    pub texts: Vec<u32>,
}

impl Rows {
    /// One of the rows.
    ///
    /// # Panics
    /// There is no such row.
    pub fn row(&self, ix: usize) -> Self {
        let width = self.dense.len() / self.len;
        Self {
            len: 1,
            dense: self.dense[ix * width..(ix + 1) * width].to_vec(),
            texts: self.texts.get(ix).copied().into_iter().collect(),
        }
    }

    /// Puts these rows below the others.
    pub fn append(&mut self, other: &Self) {
        self.len += other.len;
        self.dense.extend_from_slice(&other.dense);
        self.texts.extend_from_slice(&other.texts);
    }
}

/// Matrices of words, each kept once: what [`Rows::texts`] counts in.
#[derive(Clone, Debug, Default)]
pub struct Texts {
    cells: Vec<f32>,
    size: usize,
}

impl Texts {
    /// An empty table for matrices of `count` x `dim`.
    pub const fn new(count: usize, dim: usize) -> Self {
        Self {
            cells: Vec::new(),
            size: count * dim,
        }
    }

    /// Adds a matrix and gives its number.
    ///
    /// # Panics
    /// It is of another size.
    pub fn push(&mut self, matrix: &[f32]) -> u32 {
        assert_eq!(matrix.len(), self.size, "count x dim numbers");
        let number = self.len();
        self.cells.extend_from_slice(matrix);
        u32::try_from(number).unwrap_or(u32::MAX)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.cells.len().checked_div(self.size).unwrap_or(0)
    }

    /// Is there none?
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// The matrix of a number, row by row; `None`: there is no such text.
    pub fn get(&self, number: u32) -> Option<&[f32]> {
        let start = number as usize * self.size;
        self.cells.get(start..start + self.size)
    }
}
