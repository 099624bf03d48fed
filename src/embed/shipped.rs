//! The embedding that ships with the crate. `cargo xtask embedding` makes it; docs/embeddings.md says from what.

use super::error::In;
use super::{Embedding, compact};
use std::path::Path;
use std::sync::LazyLock;

const BYTES: &[u8] = include_bytes!("words.bin");

static SHIPPED: LazyLock<Embedding> = LazyLock::new(|| {
    compact::read(In(Path::new("words.bin")), BYTES).expect("the crate's own file is whole")
});

/// The embedding that ships with the crate: small, English, of words that interfaces show.
pub fn shipped() -> &'static Embedding {
    &SHIPPED
}
