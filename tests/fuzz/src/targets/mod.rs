//! The parsers.

mod android;
mod apk;
mod archives;
mod hostile;
mod learned;
mod merge;
mod models;
mod people;
mod suites;
mod translate;

use crate::{Sources, Target};

/// Every parser that reads what others have written.
pub fn all(sources: &Sources) -> Vec<Target> {
    let mut all = models::targets(sources);
    all.extend(android::targets(sources));
    all.extend(apk::targets(sources));
    all.extend(archives::targets(sources));
    all.extend(hostile::targets(sources));
    all.push(merge::target());
    all.extend(people::targets(sources));
    all.extend(suites::targets(sources));
    all.extend(learned::targets());
    all.extend(translate::targets(sources));
    all
}

/// What is read as text: bytes that are none are replaced, as the tool does with output of others' programs.
fn text(bytes: &[u8]) -> std::borrow::Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}
