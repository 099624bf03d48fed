//! Why a strategy decided as it did: its reason, and the best events of the page with their values and features.

use serde::{Deserialize, Serialize};

/// Events listed for one decision.
pub const BEST: usize = 5;

/// The reason for the choice.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Why {
    /// The first events are chosen at random.
    WarmUp,
    /// At random, to explore.
    Explore,
    /// The event with the highest value.
    Exploit,
    /// The least performed of those whose values are close to the highest.
    LeastPerformed,
    /// An event that was never performed in this state.
    Untried,
    /// The event that was performed least for its distance.
    Rare,
    /// A state that was rarely shown, to explore from there.
    Archive,
    /// An event that the event model does not have.
    Unknown,
    /// Drawn by where the event led in the event model.
    Model,
    /// Drawn by learned values.
    Values,
    /// The way out of states that repeat.
    Stuck,
    /// A text field is filled first.
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
            Self::Untried => "an untried event",
            Self::Rare => "the least tried event nearby",
            Self::Archive => "a rarely seen page",
            Self::Unknown => "not in the event model",
            Self::Model => "by where it led before",
            Self::Values => "by learned values",
            Self::Stuck => "pages repeat",
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
    /// Its value; `null` in JSON if it is not finite.
    pub q: Option<f32>,
    /// Its features in words.
    pub features: Vec<String>,
}

/// Why the next step was taken.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Explanation {
    /// Number of the event decided on.
    pub i: u64,
    /// The reason for the choice.
    pub why: Why,
    /// Index of the event chosen; `None`: none of the page's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chosen: Option<u32>,
    /// The [`BEST`] events of highest value, the best first; then the chosen one, if it is not among them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub best: Vec<Valued>,
    /// Loss of the last learning step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loss: Option<f32>,
    /// The events that follow on the way to the reason's event or page; `None`: this is the last one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub further: Option<u32>,
}

impl Explanation {
    /// The reason in words.
    pub fn reason(&self) -> String {
        let word = self.why.word();
        match self.further {
            None => word.to_owned(),
            Some(1) => format!("on the way to {word}, 1 event further"),
            Some(n) => format!("on the way to {word}, {n} events further"),
        }
    }
}
