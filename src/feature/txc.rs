//! TXC, text content: the event's text as word vectors (DinoDroid, section III-C).

use super::{Context, Feature};
use crate::embed::{Embedding, shipped, tokenise};
use crate::gui::EventKind;
use crate::gui::caption::caption;
use crate::util::intern::Sym;
use droidtest_network::{Rows, Texts, Tower};
use rustc_hash::FxHashMap;
use std::ops::Deref;
use std::sync::Arc;

/// Words read of an event's text.
pub const WORDS: usize = 6;

/// The word vectors.
#[derive(Clone, Debug, Default)]
pub enum Vectors {
    /// The embedding that ships with the tool.
    #[default]
    Shipped,
    /// One of the user's.
    Own(Arc<Embedding>),
}

impl Deref for Vectors {
    type Target = Embedding;

    fn deref(&self) -> &Embedding {
        match self {
            Self::Shipped => shipped(),
            Self::Own(embedding) => embedding,
        }
    }
}

/// The feature: [`WORDS`] word vectors, the text's first words in lower case, zeros after a shorter text.
///
/// The text is the widget's caption, else the name in its resource-id; for keys and the restart, their own
/// names (`back`, `menu`, `enter`, `restart`).
pub struct Txc {
    vectors: Vectors,
    texts: Texts,
    /// By the caption's symbols; an unbounded app shows unbounded texts, so not more than `LIMIT`.
    known: FxHashMap<Vec<Sym>, u32>,
    by_words: FxHashMap<Vec<String>, u32>,
}

/// Characters of a text that are read.
const LONGEST: usize = 400;
/// Maximum texts kept. Later new texts count as empty.
const LIMIT: usize = 20_000;

impl Txc {
    /// With these meanings of words.
    pub fn new(vectors: Vectors) -> Self {
        let mut texts = Texts::new(WORDS, vectors.dim());
        // Number 0 is not a text.
        texts.push(&vec![0.0; WORDS * vectors.dim()]);
        Self {
            texts,
            vectors,
            known: FxHashMap::default(),
            by_words: FxHashMap::default(),
        }
    }

    fn number(&mut self, words: Vec<String>) -> u32 {
        if words.is_empty() {
            return 0;
        }
        if let Some(&number) = self.by_words.get(&words) {
            return number;
        }
        if self.texts.len() >= LIMIT {
            return 0;
        }
        let dim = self.vectors.dim();
        let mut matrix = vec![0.0; WORDS * dim];
        for (word, row) in words.iter().zip(matrix.chunks_exact_mut(dim.max(1))) {
            self.vectors.vector(word, row);
        }
        let number = self.texts.push(&matrix);
        self.by_words.insert(words, number);
        number
    }
}

/// The symbols of an event's text, or the name of a key.
fn symbols(context: &Context<'_>, event: usize, out: &mut Vec<Sym>) -> Option<&'static str> {
    let Some(this) = context.page.events.get(event) else {
        return Some("restart");
    };
    match (this.kind, this.widget) {
        (EventKind::Back, _) => Some("back"),
        (EventKind::Menu, _) => Some("menu"),
        (EventKind::Enter, _) => Some("enter"),
        (_, None) => None,
        (_, Some(widget)) => {
            caption(context.page, widget, out);
            if out.is_empty() {
                out.push(context.page.widgets[widget as usize].resource_id);
            }
            None
        }
    }
}

/// The prefix of a text that its first words can take, even for very long texts.
fn start(text: &str) -> &str {
    let end = text.char_indices().nth(LONGEST).map(|(at, _)| at);
    &text[..end.unwrap_or(text.len())]
}

/// The first words of an event's text.
pub fn words(context: &Context<'_>, event: usize) -> Vec<String> {
    let mut out = Vec::new();
    if let Some(key) = symbols(context, event, &mut out) {
        return vec![key.to_owned()];
    }
    let mut words = Vec::new();
    for sym in out {
        let tokens = tokenise(start(context.interner.get(sym)));
        words.extend(tokens.iter().map(|t| t.as_str().to_owned()));
    }
    words.truncate(WORDS);
    words
}

impl Feature for Txc {
    fn name(&self) -> &'static str {
        "txc"
    }

    fn towers(&self) -> Vec<Tower> {
        vec![Tower::Words {
            name: "txc".into(),
            count: WORDS,
            dim: self.vectors.dim(),
        }]
    }

    fn write(&mut self, context: &Context<'_>, event: usize, rows: &mut Rows) {
        let mut key = Vec::new();
        let number = match symbols(context, event, &mut key) {
            Some(name) => self.number(vec![name.to_owned()]),
            None => match self.known.get(&key) {
                Some(&number) => number,
                None => {
                    let number = self.number(words(context, event));
                    if self.known.len() < LIMIT {
                        self.known.insert(key, number);
                    }
                    number
                }
            },
        };
        rows.texts.push(number);
    }

    fn texts(&self) -> Option<&Texts> {
        Some(&self.texts)
    }

    fn forget(&mut self) {
        self.known.clear();
    }

    fn explain(&mut self, context: &Context<'_>, event: usize) -> String {
        format!("says {:?}", words(context, event).join(" "))
    }

    fn basis(&self) -> Option<String> {
        Some(self.vectors.hash().to_owned())
    }
}
