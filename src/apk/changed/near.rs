//! The nearest activity of each class: the one from whose code the fewest steps lead to the class.

use super::super::Manifest;
use super::super::dex::{self, Budget, dotted};
use dex2class::dex::{Dex, Result};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// From a class's dotted name to the classes that its code, its supertypes and its annotations name.
#[derive(Default)]
pub(super) struct References(FxHashMap<String, Vec<String>>);

impl References {
    /// Adds the class of this number.
    ///
    /// # Errors
    /// It is damaged.
    pub fn add(
        &mut self,
        dex: &Dex<'_>,
        number: u32,
        class: &str,
        budget: &mut Budget,
    ) -> Result<()> {
        let found = dex::references(dex, number, budget)?;
        let types = found.types.iter().chain(&found.constants);
        let names = types.filter_map(|&ix| dex.type_name(ix).ok()).map(element);
        self.0.insert(class.to_owned(), names.map(dotted).collect());
        Ok(())
    }

    /// The activities that the code near each activity names.
    pub fn starts(
        &self,
        manifest: &Manifest,
        nearest: &FxHashMap<String, String>,
    ) -> BTreeMap<String, BTreeSet<String>> {
        let mut starts: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        let activities: FxHashSet<String> = manifest.activity_names().into_iter().collect();
        for (class, activity) in nearest {
            let named = self.0[class].iter().filter(|to| activities.contains(*to));
            let starts = starts.entry(activity.clone()).or_default();
            starts.extend(named.filter(|to| *to != activity).cloned());
        }
        starts
    }

    /// The nearest activity of each class that any leads to, without passing another activity; of two equally near ones
    /// the first of the manifest.
    pub fn nearest(&self, manifest: &Manifest) -> FxHashMap<String, String> {
        let mut nearest: FxHashMap<String, String> = FxHashMap::default();
        let mut open = VecDeque::new();
        for name in manifest.activity_names() {
            if self.0.contains_key(&name) && !nearest.contains_key(&name) {
                nearest.insert(name.clone(), name.clone());
                open.push_back(name);
            }
        }
        while let Some(class) = open.pop_front() {
            let activity = nearest[&class].clone();
            for next in self.0.get(&class).into_iter().flatten() {
                if self.0.contains_key(next) && !nearest.contains_key(next) {
                    nearest.insert(next.clone(), activity.clone());
                    open.push_back(next.clone());
                }
            }
        }
        nearest
    }
}

/// The type of an array's elements.
fn element(descriptor: &[u8]) -> &[u8] {
    let depth = descriptor.iter().take_while(|&&byte| byte == b'[').count();
    &descriptor[depth..]
}
