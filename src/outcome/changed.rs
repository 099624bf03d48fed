//! What a run or a session reached of the code that changed since an earlier build.

use super::summary::Ratio;
use serde::{Deserialize, Serialize};

/// Coverage of the changed methods. Only methods that JaCoCo counts are in it.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct ChangedCoverage {
    /// Changed methods of which any code was run.
    pub methods: Ratio,
    /// Lines of changed methods (0 of 0 without line numbers).
    pub lines: Ratio,
    /// Methods of the earlier build that the app lacks.
    pub removed: u64,
    /// Changed methods that nothing reached: those with a nearest activity first, then by name; empty for a session.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unreached: Vec<Unreached>,
}

/// A changed method that nothing reached.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Unreached {
    /// Its name in the source: `a.b.C.save(int)`.
    pub method: String,
    /// Source file and line: `Main.java:12`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// The activity from whose code the fewest steps lead to its class; `None`: none is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub activity: Option<String>,
}

impl ChangedCoverage {
    /// `3 of 12 changed methods reached, 20 of 80 changed lines covered (25.0 %)`.
    pub fn words(&self) -> String {
        let (methods, lines) = (self.methods, self.lines);
        let reached = format!(
            "{} of {} changed methods reached",
            methods.covered, methods.total
        );
        if lines.total == 0 {
            return reached;
        }
        let percent = lines.percent();
        format!(
            "{reached}, {} of {} changed lines covered ({percent:.1} %)",
            lines.covered, lines.total
        )
    }
}

impl Unreached {
    /// `a.b.C.save(int) (C.java:12), nearest activity a.b.Main`.
    pub fn words(&self) -> String {
        let place = self.place.as_ref().map(|place| format!(" ({place})"));
        let near = self.activity.as_deref().unwrap_or("none known");
        let place = place.unwrap_or_default();
        format!("{}{place}, nearest activity {near}", self.method)
    }
}
