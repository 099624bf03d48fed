//! How well a device can run an app, judged from the APK alone before anything is started.

use serde::{Deserialize, Serialize};
use std::fmt;

/// Reasons shown in one line; the JSON has them all.
const SHOWN: usize = 3;

/// How far the device carries the app.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Support {
    /// Nothing the app requests is known to be missing.
    #[default]
    Supported,
    /// The app runs, and parts of it do not work as on a phone.
    Limited,
    /// Little or nothing of the app can be explored here.
    UseAnEmulator,
}

/// The result of the capability check: a forecast, which blocks nothing.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Capability {
    /// How far.
    pub verdict: Support,
    /// What is missing, the most serious first; empty if everything is supported.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub why: Vec<String>,
}

impl Capability {
    /// From the missing features, each with its effect on the app.
    pub fn from_gaps(mut gaps: Vec<(Support, String)>) -> Self {
        // Stable: equally grave gaps keep their order.
        gaps.sort_by_key(|(support, _)| std::cmp::Reverse(*support));
        Self {
            verdict: gaps.first().map_or(Support::Supported, |(worst, _)| *worst),
            why: gaps.into_iter().map(|(_, why)| why).collect(),
        }
    }

    /// Does the check expect the app to run here?
    pub fn runs(&self) -> bool {
        self.verdict != Support::UseAnEmulator
    }
}

impl fmt::Display for Capability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.verdict {
            Support::Supported => return f.write_str("supported"),
            Support::Limited => "limited: ",
            Support::UseAnEmulator => "use an emulator: ",
        })?;
        let shown: Vec<_> = self.why.iter().take(SHOWN).map(String::as_str).collect();
        f.write_str(&shown.join("; "))?;
        match self.why.len().saturating_sub(SHOWN) {
            0 => Ok(()),
            more => write!(f, "; {more} more"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gravest_gap_decides_and_comes_first() {
        let gap = |support, why: &str| (support, why.to_owned());
        let found = Capability::from_gaps(vec![
            gap(Support::Limited, "a"),
            gap(Support::UseAnEmulator, "b"),
            gap(Support::Limited, "c"),
        ]);
        assert_eq!(found.to_string(), "use an emulator: b; a; c");
        assert!(!found.runs());
        assert_eq!(Capability::from_gaps(Vec::new()).to_string(), "supported");
        let many = (0..5).map(|n| gap(Support::Limited, &n.to_string()));
        let many = Capability::from_gaps(many.collect());
        assert_eq!(many.to_string(), "limited: 0; 1; 2; 2 more");
        assert!(many.runs());
    }

    #[test]
    fn its_json_is_stable() {
        let found = Capability::from_gaps(vec![(Support::UseAnEmulator, "b".to_owned())]);
        let json = serde_json::to_string(&found).unwrap();
        assert_eq!(json, r#"{"verdict":"use-an-emulator","why":["b"]}"#);
        assert_eq!(serde_json::from_str::<Capability>(&json).unwrap(), found);
        let plain = serde_json::to_string(&Capability::default()).unwrap();
        assert_eq!(plain, r#"{"verdict":"supported"}"#);
    }
}
