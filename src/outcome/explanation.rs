//! Why a learning strategy decided as it did: the best events of the page, their values and features.

use serde::{Deserialize, Serialize};

/// Events listed for one decision.
pub const BEST: usize = 5;

/// What made the choice.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Why {
    /// The first events are chosen at random.
    WarmUp,
    /// By chance, to see something else.
    Explore,
    /// The event with the highest value.
    Exploit,
    /// The one performed least of those whose values come close to the highest.
    LeastPerformed,
    /// A text field is filled before anything else is done.
    Fill,
    /// It was a system event's turn.
    System,
    /// The page shows nothing.
    Blank,
}

impl Why {
    /// A word for reports.
    pub const fn word(self) -> &'static str {
        match self {
            Self::WarmUp => "warm-up",
            Self::Explore => "explore",
            Self::Exploit => "exploit",
            Self::LeastPerformed => "least tried of the best options",
            Self::Fill => "fill",
            Self::System => "system",
            Self::Blank => "blank",
        }
    }
}

/// An event with its value.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Valued {
    /// Index in the page's events; one past the last is the restart.
    pub ix: u32,
    /// The event in words.
    pub what: String,
    /// Its value; `null` in JSON where it is not finite.
    pub q: Option<f32>,
    /// Its features in words.
    pub features: Vec<String>,
}

/// Why the next step was taken.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Explanation {
    /// Number of the event decided on.
    pub i: u64,
    /// What made the choice.
    pub why: Why,
    /// Index of the event chosen; `None`: none of the page's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chosen: Option<u32>,
    /// The [`BEST`] events of highest value, the best first; then the one chosen, where it is none of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub best: Vec<Valued>,
    /// Loss of the last learning step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loss: Option<f32>,
}
