//! What is known of how a finding reproduces: `reproduction.json` in its folder.

use serde::{Deserialize, Serialize};

/// Version of `reproduction.json`.
pub const REPRODUCTION_VERSION: u32 = 1;

/// How short the steps are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Minimality {
    /// No single step can be left out: each was tried.
    OneMinimal,
    /// The same, but the finding is intermittent: it holds with the stated probability.
    Likely,
    /// The budget was used up, or devices failed, before that was known.
    Budget,
    /// The finding did not reproduce, or was not replayed at all (`of` is 0): nothing could be left out.
    NotReproduced,
}

/// The result of minimizing and confirming a finding.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Reproduction {
    /// [`REPRODUCTION_VERSION`].
    pub version: u32,
    /// Fingerprint of the finding.
    pub fingerprint: String,
    /// Steps of the trace it started with.
    pub given: u64,
    /// The fewest steps found, in words; those given where it did not reproduce.
    pub steps: Vec<String>,
    /// How short they are.
    pub minimality: Minimality,
    /// Least chance that no single step can be left out, 0 to 1.
    pub chance: f64,
    /// Replays spent on it, confirmation left out.
    pub replays: u64,
    /// Steps performed in these replays; 0 in older files.
    #[serde(default)]
    pub carried: u64,
    /// Replays in fresh processes that showed it again.
    pub reproduced: u64,
    /// The number of replays with a result: without those in which the device failed or the app did not start.
    pub of: u64,
    /// Where the steps given no longer fit the app, if that is why it did not reproduce:
    /// `step 2 (click “Save”): the widget was not found`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub diverged: Option<String>,
}

impl Reproduction {
    /// How reliably it reproduces, 0 to 1.
    pub fn rate(&self) -> f64 {
        if self.of == 0 {
            return 0.0;
        }
        self.reproduced as f64 / self.of as f64
    }

    /// The steps in one line, at most so many: `click “Skip” (skip), menu, rotate`.
    pub fn in_words(&self, most: usize) -> String {
        if self.steps.is_empty() {
            return "start the app".to_owned();
        }
        let shown: Vec<_> = self.steps.iter().take(most).map(String::as_str).collect();
        match self.steps.len().saturating_sub(most) {
            0 => shown.join(", "),
            more => format!("{}, and {more} more", shown.join(", ")),
        }
    }

    /// How short and how reliable, in words: `Reduced from 212 steps to 3; reproduced 5 of 5 times`.
    pub fn words(&self) -> String {
        let short = match self.minimality {
            Minimality::NotReproduced if self.of == 0 => {
                return "not replayed: time budget used or no device available".to_owned();
            }
            Minimality::NotReproduced => {
                let diverged = self.diverged.as_ref();
                let why = diverged.map_or_else(String::new, |at| format!("; diverged at {at}"));
                let (reproduced, of) = (self.reproduced, self.of);
                return format!("did not reproduce: {reproduced} of {of} replays{why}");
            }
            Minimality::OneMinimal => String::new(),
            Minimality::Likely => format!(
                " (minimal with a probability of at least {:.0} %)",
                100.0 * self.chance
            ),
            Minimality::Budget => " (not fully minimized: budget used or device failed)".to_owned(),
        };
        let replays = match self.of {
            0 => "not confirmed".to_owned(),
            of => format!("reproduced {} of {of} times", self.reproduced),
        };
        let given = match self.given {
            1 => "1 step".to_owned(),
            n => format!("{n} steps"),
        };
        format!(
            "Reduced from {given} to {}{short}; {replays}",
            self.steps.len()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_say_how_short_and_how_sure() {
        let mut found = Reproduction {
            version: REPRODUCTION_VERSION,
            fingerprint: "0".into(),
            given: 212,
            steps: vec!["menu".into()],
            minimality: Minimality::OneMinimal,
            chance: 1.0,
            replays: 30,
            carried: 90,
            reproduced: 5,
            of: 5,
            diverged: None,
        };
        assert_eq!(
            found.words(),
            "Reduced from 212 steps to 1; reproduced 5 of 5 times"
        );
        found.minimality = Minimality::Likely;
        (found.chance, found.reproduced) = (0.967, 3);
        assert_eq!(
            found.words(),
            "Reduced from 212 steps to 1 (minimal with a probability of at least 97 %); reproduced 3 of 5 times"
        );
        assert!((found.rate() - 0.6).abs() < 1e-9);
        found.minimality = Minimality::NotReproduced;
        assert_eq!(found.words(), "did not reproduce: 3 of 5 replays");
        found.diverged = Some("step 1 (menu): the widget was not found".into());
        assert_eq!(
            found.words(),
            "did not reproduce: 3 of 5 replays; diverged at step 1 (menu): the widget was not found"
        );
        found.of = 0;
        assert!(found.words().starts_with("not replayed"));
    }
}
