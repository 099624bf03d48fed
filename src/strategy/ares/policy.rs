//! What was learned, to and from a file.

use super::Ares;
use crate::learn::bundle::Bundle;
use crate::learn::policy_file::{LARGEST, PolicyFile};
use crate::strategy::StrategyError;
use crate::strategy::actor;
use crate::strategy::optimist::UNTRIED;
use rustc_hash::FxHashMap;
use serde_json::{Map, Value, json};
use std::io;

/// Most places. The networks of more would be larger than any policy's file.
const PLACES: usize = 1 << 20;

impl Ares {
    /// Writes what was learned.
    ///
    /// # Errors
    /// It cannot be written, or learning ran away.
    pub(super) fn write_policy(&self, to: &mut dyn io::Write) -> Result<(), StrategyError> {
        let bundle = self.learner.export();
        let such = |number: &f32| number.abs() <= LARGEST || *number == UNTRIED;
        if !bundle.tensors.values().flatten().all(such) {
            return Err(StrategyError::Diverged(
                "numbers of the policy are not finite or beyond a million, and are not written; \
                 lower the strategy's `discount`, `learning-rate` or `reward-scale`",
            ));
        }
        let mut places: Vec<(&String, u32)> = self.places.iter().map(|(n, p)| (n, *p)).collect();
        places.sort_unstable_by_key(|(_, place)| *place);
        let places: Vec<&String> = places.into_iter().map(|(name, _)| name).collect();
        let mut about: Map<String, Value> = bundle
            .texts
            .into_iter()
            .map(|(key, text)| (key, text.into()))
            .collect();
        about.insert("places".into(), json!(places));
        about.insert("strings".into(), json!(self.parameters.strings));
        about.insert("choices".into(), self.strings().into());
        let tensors = bundle
            .tensors
            .into_iter()
            .map(|(name, numbers)| (name, numbers.into()));
        let file = PolicyFile {
            strategy: self.name.to_owned(),
            about,
            // A session with too few events to learn from counts, too: it need not be done again.
            history: self
                .history
                .iter()
                .chain([&self.session])
                .cloned()
                .collect(),
            tensors: tensors.collect(),
        };
        Ok(file.write(to)?)
    }

    /// Goes on from what was learned before.
    ///
    /// # Errors
    /// It cannot be read, is another strategy's or of other strings, or holds what no learning leaves.
    pub(super) fn read_policy(&mut self, from: &mut dyn io::Read) -> Result<(), StrategyError> {
        let file = PolicyFile::read(from, self.name)?;
        let strings: Vec<String> = file.about("strings")?;
        if strings != self.parameters.strings {
            let theirs = format!("{strings:?}");
            let ours = format!("{:?}", self.parameters.strings);
            return Err(StrategyError::differs("strings", theirs, ours));
        }
        // With the text generator's, which depends on where the strings come from. Older policies do not have it.
        let choices = u64::from(self.strings());
        let theirs: Option<u64> = file.about("choices")?;
        if let Some(theirs) = theirs.filter(|theirs| *theirs != choices) {
            let what = "number of texts to choose from";
            return Err(StrategyError::differs(what, theirs, choices));
        }
        let order = file
            .tensors
            .get("order")
            .map_or(0, |order| order.numbers.len());
        let wanted = (self.strings() as usize).min(actor::STRINGS);
        // It is drawn with the first action.
        if order != 0 && order != wanted {
            return Err(StrategyError::differs("length of `order`", order, wanted));
        }
        let places = places(&file)?;
        let text = |(key, value): (String, Value)| Some((key, value.as_str()?.to_owned()));
        let numbers = file.tensors.into_iter();
        let bundle = Bundle {
            texts: file.about.into_iter().filter_map(text).collect(),
            tensors: numbers
                .map(|(name, tensor)| (name, tensor.numbers))
                .collect(),
        };
        self.learner
            .import(&bundle)
            .map_err(StrategyError::Policy)?;
        // Otherwise what is met next would get the weights of something else. There may be more names than the networks
        // know: those met on the last page, where nothing was done any more.
        if self.learner.places() > places.len() {
            return Err(StrategyError::Policy(format!(
                "its networks know {} places, but its list of places names {}",
                self.learner.places(),
                places.len()
            )));
        }
        (self.history, self.places) = (file.history, places);
        Ok(())
    }
}

/// Its places, by name. One name for each number.
fn places(file: &PolicyFile) -> Result<FxHashMap<String, u32>, StrategyError> {
    let names: Vec<String> = file.about("places")?;
    if names.len() > PLACES {
        return Err(StrategyError::Policy(format!(
            "its list of places names {}, but at most {PLACES} are allowed",
            names.len()
        )));
    }
    let mut places = FxHashMap::default();
    for (name, place) in names.into_iter().zip(0..) {
        if places.insert(name.clone(), place).is_some() {
            return Err(StrategyError::Policy(format!(
                "its list of places names {name:.200?} twice"
            )));
        }
    }
    Ok(places)
}
