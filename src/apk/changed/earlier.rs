//! What is kept of an earlier build while the code of the app is read: for each method its digest, and what it takes to
//! name it if the app lacks it. The app's methods are compared as they are read, so that those without a change, which are
//! nearly all of them, are in memory one at a time.

use super::{ChangedMethod, Method};
use rustc_hash::FxHashMap;

/// The methods of one identity: several where only compilers' numbers differ.
#[derive(Default)]
struct Known {
    /// How many of each code are not paired yet.
    digests: FxHashMap<u64, usize>,
    titles: Vec<String>,
    /// Does the app have one?
    present: bool,
}

/// An earlier build, and what differs from it so far.
#[derive(Default)]
pub(super) struct Earlier {
    known: FxHashMap<String, Known>,
    /// Methods that are changed or added.
    pub changed: Vec<ChangedMethod>,
    /// Methods of the app.
    pub total: u64,
}

impl Earlier {
    /// Adds a method of the earlier build.
    pub fn add(&mut self, method: Method) {
        let known = self.known.entry(method.identity).or_default();
        *known.digests.entry(method.digest).or_default() += 1;
        known.titles.push(method.shown.title);
    }

    /// Compares a method of the app.
    pub fn compare(&mut self, method: Method) {
        self.total += 1;
        let known = self.known.get_mut(&method.identity);
        let added = known.is_none();
        if let Some(known) = known {
            known.present = true;
            if let Some(left) = known.digests.get_mut(&method.digest)
                && *left > 0
            {
                *left -= 1;
                return;
            }
        }
        self.changed.push(ChangedMethod {
            added,
            ..method.shown
        });
    }

    /// The titles of the methods that the app lacks, sorted, each once.
    pub fn removed(self) -> Vec<String> {
        let gone = self.known.into_values().filter(|known| !known.present);
        let mut removed: Vec<String> = gone.flat_map(|known| known.titles).collect();
        removed.sort_unstable();
        removed.dedup();
        removed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn method(name: &str, digest: u64) -> Method {
        Method {
            identity: format!("a.B.{name}()void"),
            digest,
            shown: ChangedMethod {
                title: format!("a.B.{name}()"),
                ..ChangedMethod::default()
            },
        }
    }

    #[test]
    fn nothing_is_kept_of_methods_without_a_change() {
        let mut earlier = Earlier::default();
        for n in 0..1000 {
            earlier.add(method(&format!("m{n}"), n));
        }
        for n in 0..1000 {
            earlier.compare(method(&format!("m{n}"), if n == 7 { 0 } else { n }));
        }
        earlier.compare(method("new", 1));
        let changed: Vec<_> = earlier
            .changed
            .iter()
            .map(|m| (m.title.as_str(), m.added))
            .collect();
        assert_eq!(changed, [("a.B.m7()", false), ("a.B.new()", true)]);
        assert_eq!((earlier.total, earlier.removed()), (1001, Vec::new()));
    }

    #[test]
    fn methods_of_one_identity_are_paired_by_their_code() {
        let mut earlier = Earlier::default();
        for digest in [1, 2, 2] {
            earlier.add(method("lambda", digest));
        }
        earlier.add(method("gone", 3));
        for digest in [2, 1, 2, 2] {
            earlier.compare(method("lambda", digest));
        }
        assert_eq!(earlier.changed.len(), 1);
        assert_eq!(earlier.removed(), ["a.B.gone()"]);
    }
}
