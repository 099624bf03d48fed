//! Features: what is known about an event before it is performed, as numbers for a network.
//!
//! One file each, switched on and off one by one (for ablation). To add one: its file, an arm in
//! [`FeatureKind::make`].

pub mod fcd;
pub mod fcr;
pub mod txc;

use crate::graph::Map;
use crate::graph::generations::Scale;
use crate::gui::Page;
use crate::util::intern::Interner;
use droidtest_network::{Rows, Texts, Tower};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The way to turn counts into numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Encoding {
    /// The counts themselves, as in DinoDroid.
    Raw,
    /// One input for each small count; the logarithms of numbers of events. Learns much faster: a separate input tells
    /// 0 from 1.
    #[default]
    Buckets,
}

impl Encoding {
    /// Which counts share an input.
    pub const fn scale(self) -> Scale {
        match self {
            Self::Raw => Scale::Counts,
            Self::Buckets => Scale::Growing,
        }
    }
}

/// A page as features see it.
pub struct Context<'a> {
    /// The page.
    pub page: &'a Page,
    /// The page in the state graph; its last event may be the restart, which is not on the page.
    pub map: Map<'a>,
    /// The texts of the page's symbols.
    pub interner: &'a Interner,
}

/// One feature.
pub trait Feature: Send {
    /// Its name in suites, policies and reports.
    fn name(&self) -> &'static str;
    /// What the network gets: the towers, in order.
    fn towers(&self) -> Vec<Tower>;
    /// Appends the numbers of event `event` (index in the sighting) to the row being written: to `dense` as
    /// many as the vectors have, to `texts` one for each tower of words.
    fn write(&mut self, context: &Context<'_>, event: usize, rows: &mut Rows);
    /// The texts that rows speak of, for the feature that has them.
    fn texts(&self) -> Option<&Texts> {
        None
    }
    /// From now on the symbols are those of another interner.
    fn forget(&mut self) {}
    /// The row in words.
    fn explain(&mut self, context: &Context<'_>, event: usize) -> String;
    /// What the numbers depend on besides the page (the hash of an embedding), kept in policies.
    fn basis(&self) -> Option<String> {
        None
    }
}

/// The features of an event.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FeatureKind {
    /// How often the event was performed.
    Fcr,
    /// How often the events that it leads to were performed, for three generations.
    Fcd,
    /// Its text.
    Txc,
}

impl FeatureKind {
    /// All of them, in the order that networks have.
    pub const ALL: [Self; 3] = [Self::Fcr, Self::Fcd, Self::Txc];

    /// The feature itself. `generation`: events counted in one generation of children at most; `vectors`: the word
    /// vectors.
    pub fn make(
        self,
        encoding: Encoding,
        generation: usize,
        vectors: &txc::Vectors,
    ) -> Box<dyn Feature> {
        match self {
            Self::Fcr => Box::new(fcr::Fcr::new(encoding)),
            Self::Fcd => Box::new(fcd::Fcd::new(encoding, generation)),
            Self::Txc => Box::new(txc::Txc::new(vectors.clone())),
        }
    }
}
