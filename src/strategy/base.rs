//! A strategy inside the settings of another one.

use super::definition::{Settings, StartFile};
use super::kind::{Kind, schema};
use super::monkey;
use crate::strategy;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::ops::Deref;

/// A strategy with its settings, as a table of the suite: `{ kind = "monkey", … }`. It is none that has a base itself.
#[derive(Clone, PartialEq, Debug)]
pub struct Base(Kind);

impl Base {
    /// The files it starts from, by the keys of the strategy around it.
    pub fn files(&self) -> Vec<StartFile<'_>> {
        let mut files = self.0.files();
        for file in &mut files {
            file.keys.insert(0, "base");
        }
        files
    }
}

impl Default for Base {
    fn default() -> Self {
        Self(Kind::of::<monkey::Settings>())
    }
}

impl Deref for Base {
    type Target = dyn Settings;

    fn deref(&self) -> &Self::Target {
        &*self.0
    }
}

impl Serialize for Base {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut table = self.0.values().clone();
        table.insert("kind".into(), self.0.name().into());
        table.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Base {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut table = Map::deserialize(deserializer)?;
        let kind = match table.remove("kind") {
            Some(Value::String(kind)) => kind,
            _ => return Err(D::Error::custom("`base` has no `kind`")),
        };
        let entry = strategy::entry(&kind).filter(|entry| !entry.wraps);
        let entry =
            entry.ok_or_else(|| D::Error::custom(format!("`{kind}` cannot be a `base`")))?;
        entry.with(table).map(Self).map_err(D::Error::custom)
    }
}

impl JsonSchema for Base {
    fn schema_name() -> Cow<'static, str> {
        "Base".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut all = schema(generator, |entry| !entry.wraps, |_| {});
        let wrapping = strategy::ALL.iter().filter(|entry| entry.wraps);
        let names: Vec<&str> = wrapping.map(|entry| entry.name).collect();
        all.insert("x-not-inside".into(), names.into());
        all
    }
}
