//! Layers of settings, merged by figment, and the source text of each merged value.

use std::sync::Arc;

use figment::value::{Dict, Map, Tag, Value as Merged};
use figment::{Figment, Metadata, Profile, Provider};

use super::Settings;
use super::diagnose::{Code, Location, Problem};
use super::source::{Node, Segment, Source, Value};

/// The origin of a layer; later ones win.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rank {
    /// The suite's tables.
    Suite,
    /// A profile of the suite.
    Profile(String),
    /// A variable of the environment, by name.
    Env(String),
    /// A flag of the command line, as written.
    Flag(String),
}

/// Settings from one origin.
#[derive(Clone, Debug)]
pub struct Layer {
    /// The origin.
    pub rank: Rank,
    /// The text.
    pub source: Arc<Source>,
    /// The table of settings.
    pub node: Node,
}

/// Where a value came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// No layer sets it.
    Default,
    /// The suite file, at a line.
    File {
        /// The file, as the user would write it.
        file: String,
        /// The line, from 1.
        line: usize,
        /// The profile, unless it is in the suite's tables.
        profile: Option<String>,
    },
    /// A variable of the environment.
    Env(String),
    /// A flag.
    Flag(String),
}

impl std::fmt::Display for Origin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Default => f.write_str("default"),
            Self::File {
                file,
                line,
                profile: None,
            } => write!(f, "{file}:{line}"),
            Self::File {
                file,
                line,
                profile: Some(profile),
            } => {
                write!(f, "{file}:{line} (profile {profile})")
            }
            Self::Env(name) => write!(f, "environment: {name}"),
            Self::Flag(flag) => write!(f, "flag: {flag}"),
        }
    }
}

/// Layers in order of precedence.
#[derive(Clone, Debug)]
pub struct Stack {
    layers: Vec<Layer>,
    figment: Figment,
    merged: Merged,
}

struct Provided<'a>(usize, &'a Layer);

impl Provider for Provided<'_> {
    fn metadata(&self) -> Metadata {
        Metadata::from("layer", figment::Source::Custom(self.0.to_string()))
    }

    fn data(&self) -> Result<Map<Profile, Dict>, figment::Error> {
        let dict = match to_figment(&self.1.node) {
            Merged::Dict(_, dict) => dict,
            _ => Dict::new(),
        };
        Ok(Map::from([(Profile::Default, dict)]))
    }
}

fn to_figment(node: &Node) -> Merged {
    match &node.value {
        Value::String(text) | Value::Datetime(text) => Merged::from(text.clone()),
        Value::Integer(number) => Merged::from(*number),
        Value::Float(number) => Merged::from(*number),
        Value::Bool(flag) => Merged::from(*flag),
        Value::Array(items) => Merged::Array(Tag::Default, items.iter().map(to_figment).collect()),
        Value::Table(entries) => Merged::Dict(
            Tag::Default,
            entries
                .iter()
                .map(|entry| (entry.key.clone(), to_figment(&entry.node)))
                .collect(),
        ),
    }
}

impl Stack {
    /// Stacks the layers; later ones win.
    pub fn new(layers: Vec<Layer>) -> Self {
        let figment = layers
            .iter()
            .enumerate()
            .fold(Figment::new(), |figment, (index, layer)| {
                figment.merge(Provided(index, layer))
            });
        let merged = figment
            .find_value("")
            .unwrap_or_else(|_| Merged::from(Dict::new()));
        Self {
            layers,
            figment,
            merged,
        }
    }

    /// Reads the merged settings.
    pub fn settings(&self) -> Result<Settings, Problem> {
        self.figment.extract().map_err(|error| {
            let path: Vec<Segment> = error
                .path
                .iter()
                .map(|step| {
                    step.parse()
                        .map_or_else(|_| Segment::Key(step.clone()), Segment::Index)
                })
                .collect();
            Problem::new(Code::WrongType, error.kind.to_string())
                .at(self.place(&path, "this value"))
        })
    }

    /// The layer of the value at a path, and its node there.
    fn find(&self, path: &[Segment]) -> Option<(&Layer, &Node)> {
        let value = path
            .iter()
            .try_fold(&self.merged, |value, step| match (step, value) {
                (Segment::Key(key), Merged::Dict(_, dict)) => dict.get(key),
                (Segment::Index(index), Merged::Array(_, items)) => items.get(*index),
                _ => None,
            })?;
        let named = |value: &Merged| -> Option<usize> {
            let source = self.figment.get_metadata(value.tag())?.source.as_ref()?;
            source.custom()?.parse().ok()
        };
        let from_tag = named(value).and_then(|index| self.layers.get(index));
        from_tag
            .into_iter()
            .chain(self.layers.iter().rev())
            .find_map(|layer| layer.node.node_at(path).map(|node| (layer, node)))
    }

    /// The name of the suite's file.
    pub fn file(&self) -> &str {
        self.layers.first().map_or("", |layer| &layer.source.name)
    }

    /// Where the value at a path came from.
    pub fn origin(&self, path: &[Segment]) -> Origin {
        let Some((layer, node)) = self.find(path) else {
            return Origin::Default;
        };
        let file = |profile| Origin::File {
            file: layer.source.name.clone(),
            line: layer.source.line(node.span.start),
            profile,
        };
        match &layer.rank {
            Rank::Suite => file(None),
            Rank::Profile(name) => file(Some(name.clone())),
            Rank::Env(name) => Origin::Env(name.clone()),
            Rank::Flag(flag) => Origin::Flag(flag.clone()),
        }
    }

    /// The text of the value at a path, labelled.
    pub fn place(&self, path: &[Segment], label: &str) -> Option<Location> {
        let (layer, node) = self.find(path)?;
        Some(Location::new(&layer.source, node.span.clone(), label))
    }
}
