//! A strategy inside the settings of another one.

use super::definition::{Definition, Key, Settings, StartFile};
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
    /// With the default settings.
    pub fn of<T: Definition>() -> Self {
        Self(Kind::of::<T>())
    }

    /// With these settings.
    pub fn configured<T: Definition>(settings: T) -> Self {
        Self(Kind::configured(settings))
    }

    /// From a table of the suite; `what`: what it is, for messages.
    ///
    /// # Errors
    /// There is no such kind, it cannot be inside another one, or its settings do not fit.
    pub fn read(mut table: Map<String, Value>, what: &str) -> Result<Self, String> {
        let kind = match table.remove("kind") {
            Some(Value::String(kind)) => kind,
            _ => return Err(format!("{what} has no `kind`")),
        };
        let entry = strategy::entry(&kind).filter(|entry| !entry.wraps);
        let entry = entry.ok_or_else(|| format!("`{kind}` cannot be {what}"))?;
        entry.with(table).map(Self)
    }

    /// As a table of the suite.
    pub fn table(&self) -> Map<String, Value> {
        self.0.table()
    }

    /// The strategy, with every setting.
    pub const fn kind(&self) -> &Kind {
        &self.0
    }

    /// The kind's name.
    pub const fn name(&self) -> &'static str {
        self.0.name()
    }

    /// The kinds that contain another strategy, so that they cannot be inside one.
    pub fn wrapping() -> Vec<&'static str> {
        let wrapping = strategy::ALL.iter().filter(|entry| entry.wraps);
        wrapping.map(|entry| entry.name).collect()
    }

    /// The files it starts from, by the path from the strategy around it.
    pub fn files_below(&self, keys: &[Key]) -> Vec<StartFile<'_>> {
        let mut files = self.0.files();
        for file in &mut files {
            file.keys.splice(0..0, keys.iter().copied());
        }
        files
    }
}

impl Default for Base {
    fn default() -> Self {
        Self::of::<monkey::Settings>()
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
        self.table().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Base {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::read(Map::deserialize(deserializer)?, "a `base`").map_err(D::Error::custom)
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
        all.insert("x-not-inside".into(), Self::wrapping().into());
        all
    }
}
