//! Embeddings into files: word2vec's two formats and the compact form. What a reader would read otherwise than it
//! was is refused before the first byte.

use super::Embedding;
use super::compact::{MAGIC, VERSION};
use sha2::{Digest as _, Sha256};
use std::io::{self, Write};

/// Most bytes in a word of word2vec's binary format; where one seems to be longer, the file is cut or the dimension
/// is wrong.
pub(super) const LONGEST_WORD: usize = 4095;

/// A form to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// word2vec's binary format: 4 bytes per number, exact. No word that is empty, holds whitespace, or is longer than
    /// 4,095 bytes.
    Word2vec,
    /// word2vec's text format: digits, exact. No word that is empty or holds whitespace.
    Text,
    /// One byte a number, exact to a 254th of a row's greatest. No word that holds a line feed.
    Compact,
}

impl Form {
    /// Why this form cannot hold a word, and what to do; `None` if it can.
    fn refuses(self, word: &str) -> Option<(&'static str, &'static str)> {
        const COMPACT: &str = "write the compact format (--format compact)";
        const RENAME: &str =
            "no format can hold it: rename the word in the file that it comes from";
        match self {
            _ if word.contains('\n') => Some(("holds a line feed", RENAME)),
            Self::Compact => None,
            _ if word.is_empty() => Some(("is empty", COMPACT)),
            _ if word.contains(char::is_whitespace) => Some((
                "holds whitespace, which ends a word in this format",
                COMPACT,
            )),
            Self::Word2vec if word.len() > LONGEST_WORD => Some((
                "is longer than 4,095 bytes, the limit of this format",
                COMPACT,
            )),
            Self::Word2vec | Self::Text => None,
        }
    }
}

impl Embedding {
    /// Can this form hold all words? To be asked before hours of work whose result would be refused.
    ///
    /// # Errors
    /// It cannot: of kind `InvalidInput`; the error names the first such word, what is wrong with it, and what to
    /// do.
    pub fn writable(&self, form: Form) -> io::Result<()> {
        let refused = |word| form.refuses(word).map(|(why, fix)| (word, why, fix));
        match self.words().find_map(refused) {
            None => Ok(()),
            Some((word, why, fix)) => {
                let word = crate::util::text::shorten(word, 40);
                let message = format!("the word {word:?} {why}; {fix}");
                Err(io::Error::new(io::ErrorKind::InvalidInput, message))
            }
        }
    }

    /// Writes one of the forms that [`open`](Self::open) reads.
    ///
    /// # Errors
    /// The form cannot hold a word ([`writable`](Self::writable)), and nothing is written; or `to` does not take it.
    pub fn write(&self, form: Form, to: &mut impl Write) -> io::Result<()> {
        match form {
            Form::Word2vec => self.write_word2vec(to),
            Form::Text => self.write_text(to),
            Form::Compact => self.write_compact(to),
        }
    }

    /// Writes word2vec's binary format.
    ///
    /// # Errors
    /// A word is empty, holds whitespace or is longer than 4,095 bytes, and nothing is written; `to` does not take
    /// it.
    pub fn write_word2vec(&self, to: &mut impl Write) -> io::Result<()> {
        self.writable(Form::Word2vec)?;
        writeln!(to, "{} {}", self.len(), self.dim())?;
        let mut row = vec![0.0; self.dim()];
        for (ix, word) in (0..).zip(self.words()) {
            self.row(ix, &mut row);
            write!(to, "{word} ")?;
            for number in &row {
                to.write_all(&number.to_le_bytes())?;
            }
            writeln!(to)?;
        }
        Ok(())
    }

    /// Writes word2vec's text format.
    ///
    /// # Errors
    /// A word is empty or holds whitespace, and nothing is written; `to` does not take it.
    pub fn write_text(&self, to: &mut impl Write) -> io::Result<()> {
        self.writable(Form::Text)?;
        writeln!(to, "{} {}", self.len(), self.dim())?;
        let mut row = vec![0.0; self.dim()];
        for (ix, word) in (0..).zip(self.words()) {
            self.row(ix, &mut row);
            write!(to, "{word}")?;
            for number in &row {
                write!(to, " {number}")?;
            }
            writeln!(to)?;
        }
        Ok(())
    }

    /// Writes the compact form: one byte a number, exact to a 254th of a row's greatest.
    ///
    /// # Errors
    /// A word holds a line feed, and nothing is written; `to` does not take it.
    pub fn write_compact(&self, to: &mut impl Write) -> io::Result<()> {
        self.writable(Form::Compact)?;
        let mut out = MAGIC.to_vec();
        out.extend(VERSION);
        writeln!(out, "\n{} {}", self.len(), self.dim())?;
        let mut scales = Vec::new();
        let mut cells = Vec::new();
        let mut row = vec![0.0; self.dim()];
        for (ix, word) in (0..).zip(self.words()) {
            writeln!(out, "{word}")?;
            self.row(ix, &mut row);
            let greatest = row.iter().fold(0.0_f32, |most, x| most.max(x.abs()));
            let mut scale = greatest / 127.0;
            // Rounded up, that of the greatest floats is too great to be multiplied back.
            if !(scale * 127.0).is_finite() {
                scale = scale.next_down();
            }
            scales.extend(scale.to_le_bytes());
            let cell = |x: &f32| {
                if scale > 0.0 {
                    (x / scale).round() as i8
                } else {
                    0
                }
            };
            cells.extend(row.iter().map(|x| cell(x).cast_unsigned()));
        }
        out.extend(scales);
        out.extend(cells);
        let digest = Sha256::digest(&out);
        to.write_all(&out)?;
        to.write_all(&digest)
    }
}
