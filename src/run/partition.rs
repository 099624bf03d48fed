//! The shard of a plan that a machine runs: `slice:2/8`, `hash:2/8`, or `auto`.
//!
//! The syntax, the numbering from 1 and the variables are those of cargo-nextest's `--partition`
//! (nexte.st, "Partitioning test runs"). A session is never cut: it is in exactly one shard.

use crate::outcome::folder::{Division, Shard};
use crate::util::sha256;
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

/// The variable with the number of shards, where the scheduler has none.
pub const SHARDS: &str = "DROIDTEST_SHARDS";
/// The forms that can be written.
const FORMS: &str = "write `slice:M/N`, `hash:M/N` (shard M of N, from 1), or `auto`";

/// One shard of several.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Partition {
    by: Division,
    /// From 1.
    index: u64,
    /// At least `index`.
    count: u64,
}

/// What the command line requests.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wanted {
    /// This shard.
    One(Partition),
    /// The shard that the scheduler's variables name.
    Auto,
}

impl Partition {
    /// A shard, if its number is between 1 and the number of shards.
    ///
    /// # Errors
    /// It is not; in words.
    pub fn new(by: Division, index: u64, count: u64) -> Result<Self, String> {
        match (index, count) {
            (_, 0) => Err("there are 0 shards; the number after `/` is at least 1".to_owned()),
            (0, _) => Err(format!(
                "shards are numbered from 1 to {count}; there is no shard 0"
            )),
            _ if index > count => Err(format!(
                "there is no shard {index} of {count}; shards are numbered from 1 to {count}"
            )),
            _ => Ok(Self { by, index, count }),
        }
    }

    /// Is a session in this shard? `ix`: its place in the whole plan, from 0.
    pub fn holds(self, ix: usize, session: &str) -> bool {
        shard_of(self.by, self.count, ix, session) == self.index
    }

    /// As `run.json` has it.
    pub const fn record(self) -> Shard {
        Shard {
            by: self.by,
            index: Some(self.index),
            count: self.count,
        }
    }
}

/// The shard of `count` that a session is in, from 1. `ix`: its place in the whole plan, from 0. By hash: the first 64
/// bits of the SHA-256 of its name, modulo `count`.
pub fn shard_of(by: Division, count: u64, ix: usize, session: &str) -> u64 {
    let count = count.max(1);
    let number = match by {
        Division::Slice => ix as u64,
        Division::Hash => {
            let digest = sha256::of_bytes(session.as_bytes());
            u64::from_str_radix(&digest[..16], 16).unwrap_or(0)
        }
    };
    number % count + 1
}

impl fmt::Display for Partition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}/{}", self.by, self.index, self.count)
    }
}

impl FromStr for Wanted {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "auto" {
            return Ok(Self::Auto);
        }
        let (by, rest) = match text.split_once(':') {
            Some(("slice", rest)) => (Division::Slice, rest),
            Some(("hash", rest)) => (Division::Hash, rest),
            _ => return Err(FORMS.to_owned()),
        };
        let number = |text: &str| text.parse::<u64>().ok().filter(|_| !text.starts_with('+'));
        let (index, count) = rest
            .split_once('/')
            .and_then(|(index, count)| number(index).zip(number(count)))
            .ok_or(FORMS)?;
        Partition::new(by, index, count).map(Self::One)
    }
}

impl Wanted {
    /// The shard, with the names of the variables it was read from.
    ///
    /// # Errors
    /// `auto`, and the variables are missing or contradict each other; the message names them and the fix.
    pub fn resolve(
        self,
        env: &BTreeMap<String, String>,
    ) -> Result<(Partition, Vec<&'static str>), String> {
        match self {
            Self::One(partition) => Ok((partition, Vec::new())),
            Self::Auto => auto(env),
        }
    }
}

fn auto(env: &BTreeMap<String, String>) -> Result<(Partition, Vec<&'static str>), String> {
    let is_set = |name: &str| env.get(name).is_some_and(|value| !value.is_empty());
    let number = |name: &str| {
        let text = env.get(name).map(String::as_str).unwrap_or_default();
        let parsed = text.trim().parse::<u64>();
        parsed.map_err(|_| format!("the variable {name} is not a number: {text:?}"))
    };
    let needs = |name: &str, other: &str| {
        format!(
            "the variable {name} is set, but {other} is not; set it, or name the shard: `--partition slice:M/N`"
        )
    };
    let made = |index, count, names: Vec<&'static str>| {
        let partition = Partition::new(Division::Slice, index, count)
            .map_err(|why| format!("{}: {why}", names.join(" and ")))?;
        Ok((partition, names))
    };
    if is_set("CI_NODE_INDEX") {
        if !is_set("CI_NODE_TOTAL") {
            return Err(needs("CI_NODE_INDEX", "CI_NODE_TOTAL"));
        }
        let names = vec!["CI_NODE_INDEX", "CI_NODE_TOTAL"];
        return made(number("CI_NODE_INDEX")?, number("CI_NODE_TOTAL")?, names);
    }
    if is_set("SLURM_ARRAY_TASK_ID") {
        let index = number("SLURM_ARRAY_TASK_ID")?;
        if is_set(SHARDS) {
            return made(index, number(SHARDS)?, vec!["SLURM_ARRAY_TASK_ID", SHARDS]);
        }
        if !is_set("SLURM_ARRAY_TASK_COUNT") {
            return Err(needs("SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_COUNT"));
        }
        let count = number("SLURM_ARRAY_TASK_COUNT")?;
        // A part of an array, such as `--array=3,5`, has a smaller count: its tasks would run other shards.
        for (name, bound) in [("SLURM_ARRAY_TASK_MIN", 1), ("SLURM_ARRAY_TASK_MAX", count)] {
            if is_set(name) && number(name)? != bound {
                return Err(format!(
                    "{name} is {}, but the array's tasks are to be numbered from 1 to their number ({count}): use \
                     `--array=1-{count}`; to run some shards only, set {SHARDS} to the number of all shards",
                    number(name)?
                ));
            }
        }
        return made(
            index,
            count,
            vec!["SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_COUNT"],
        );
    }
    if is_set("JOB_COMPLETION_INDEX") {
        if !is_set(SHARDS) {
            return Err(needs("JOB_COMPLETION_INDEX", SHARDS));
        }
        let index = number("JOB_COMPLETION_INDEX")?.saturating_add(1);
        return made(index, number(SHARDS)?, vec!["JOB_COMPLETION_INDEX", SHARDS]);
    }
    Err(format!(
        "`auto` found none of the variables that name a shard: CI_NODE_INDEX and CI_NODE_TOTAL (GitLab and others), \
         SLURM_ARRAY_TASK_ID and SLURM_ARRAY_TASK_COUNT (Slurm), JOB_COMPLETION_INDEX and {SHARDS} (Kubernetes); name \
         the shard: `--partition slice:M/N`"
    ))
}

#[cfg(test)]
#[path = "partition_tests.rs"]
mod tests;
