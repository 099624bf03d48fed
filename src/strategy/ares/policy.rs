//! What was learned, to and from a file.

use super::Ares;
use crate::learn::bundle::{Bundle, BundleError, LARGEST};
use crate::strategy::StrategyError;
use crate::strategy::actor;
use crate::strategy::definition::Lesson;
use crate::strategy::optimist::UNTRIED;
use rustc_hash::FxHashMap;
use serde::de::DeserializeOwned;
use std::io;

/// Version of what policies hold.
const VERSION: &str = "1";

/// Most places. The networks of more would be larger than any policy's file.
const PLACES: usize = 1 << 20;

/// The sessions that a policy of this strategy learned from, in order.
///
/// # Errors
/// It is no policy, or another strategy's.
pub fn history(from: &mut dyn io::Read, strategy: &str) -> Result<Vec<Lesson>, StrategyError> {
    lessons(&read(from, strategy)?)
}

impl Ares {
    /// Writes what was learned: nothing where it was never asked what to do.
    ///
    /// # Errors
    /// It cannot be written, or learning ran away.
    pub(super) fn write_policy(&self, to: &mut dyn io::Write) -> Result<(), StrategyError> {
        if !self.asked && self.agent.updates() == 0 {
            return Ok(());
        }
        let mut bundle = self.agent.export();
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
        // A session with too few events to learn from counts, too: it need not be done again.
        let history: Vec<&Lesson> = self.history.iter().chain([&self.session]).collect();
        let names: Vec<&String> = history.iter().map(|lesson| &lesson.session).collect();
        let contents: Vec<&String> = history.iter().map(|lesson| &lesson.content).collect();
        for (key, text) in [
            ("version", VERSION.to_owned()),
            ("strategy", self.name.to_owned()),
            ("places", json(&places)?),
            ("strings", json(&self.parameters.strings)?),
            ("choices", self.strings().to_string()),
            ("history", json(&names)?),
            ("contents", json(&contents)?),
        ] {
            bundle.texts.insert(key.to_owned(), text);
        }
        bundle.write(to).map_err(|error| refused(error, self.name))
    }

    /// Goes on from what was learned before.
    ///
    /// # Errors
    /// It cannot be read, is another strategy's or of other strings, or holds what no learning leaves.
    pub(super) fn read_policy(&mut self, from: &mut dyn io::Read) -> Result<(), StrategyError> {
        let bundle = read(from, self.name)?;
        let strings: Vec<String> = list(&bundle, "strings")?;
        if strings != self.parameters.strings {
            let (theirs, ours) = (
                format!("{strings:?}"),
                format!("{:?}", self.parameters.strings),
            );
            return Err(differs("strings", &theirs, &ours));
        }
        // With the text generator's, which depends on where the strings come from.
        let choices = self.strings().to_string();
        if let Some(theirs) = bundle.texts.get("choices").filter(|own| **own != choices) {
            return Err(differs("number of texts to choose from", theirs, &choices));
        }
        let order = bundle.tensors.get("order").map_or(0, Vec::len);
        let wanted = (self.strings() as usize).min(actor::STRINGS);
        // It is drawn with the first action.
        if order != 0 && order != wanted {
            let (theirs, ours) = (order.to_string(), wanted.to_string());
            return Err(differs("length of `order`", &theirs, &ours));
        }
        let history = lessons(&bundle)?;
        let places = places(&bundle)?;
        self.agent.import(&bundle).map_err(StrategyError::Policy)?;
        // Otherwise what is met next would get the weights of something else. There may be more names than the networks
        // know: those met on the last page, where nothing was done any more.
        if self.agent.places() > places.len() {
            return Err(StrategyError::Policy(format!(
                "its networks know {} places, its list of places names {}",
                self.agent.places(),
                places.len()
            )));
        }
        (self.history, self.places) = (history, places);
        Ok(())
    }
}

/// A policy of this strategy, of the version that this tool reads.
fn read(from: &mut dyn io::Read, strategy: &str) -> Result<Bundle, StrategyError> {
    let bundle = Bundle::read(from).map_err(|error| refused(error, strategy))?;
    let text = |key: &str| bundle.texts.get(key).map_or("", String::as_str);
    if text("strategy") != strategy {
        return Err(differs("strategy", text("strategy"), strategy));
    }
    if text("version") != VERSION {
        return Err(differs("version", text("version"), VERSION));
    }
    Ok(bundle)
}

/// The sessions that it learned from.
fn lessons(bundle: &Bundle) -> Result<Vec<Lesson>, StrategyError> {
    let names: Vec<String> = list(bundle, "history")?;
    let contents: Vec<String> = if bundle.texts.contains_key("contents") {
        list(bundle, "contents")?
    } else {
        vec![String::new(); names.len()]
    };
    if contents.len() != names.len() {
        return Err(StrategyError::Policy(format!(
            "its history is of {} sessions, its contents of {}",
            names.len(),
            contents.len()
        )));
    }
    let lesson = |(session, content)| Lesson { session, content };
    Ok(names.into_iter().zip(contents).map(lesson).collect())
}

/// Its places, by name. One name for each number.
fn places(bundle: &Bundle) -> Result<FxHashMap<String, u32>, StrategyError> {
    let names: Vec<String> = list(bundle, "places")?;
    if names.len() > PLACES {
        return Err(StrategyError::Policy(format!(
            "its list of places names {}, where {PLACES} are the most",
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

fn list<T: DeserializeOwned>(bundle: &Bundle, key: &str) -> Result<Vec<T>, StrategyError> {
    let text = bundle.texts.get(key).map_or("", String::as_str);
    serde_json::from_str(text).map_err(|e| StrategyError::Policy(format!("its list of {key}: {e}")))
}

fn json(list: &impl serde::Serialize) -> Result<String, StrategyError> {
    serde_json::to_string(list).map_err(|e| StrategyError::Io(e.into()))
}

fn differs(what: &str, theirs: &str, ours: &str) -> StrategyError {
    StrategyError::Policy(format!(
        "{what}: the policy's is {theirs}, the suite's is {ours}"
    ))
}

/// Why a policy of this strategy cannot be read or written.
fn refused(error: BundleError, strategy: &str) -> StrategyError {
    match error {
        BundleError::Io(error) => StrategyError::Io(error),
        BundleError::Foreign(theirs) => differs("strategy", &theirs, strategy),
        other => StrategyError::Policy(other.to_string()),
    }
}
