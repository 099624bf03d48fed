//! The list's rows, and a strategy of a suite with every setting.

use super::ALL;
use super::definition::{Definition, Preset, Settings};
use schemars::{Schema, SchemaGenerator};
use serde_json::{Map, Value, json};
use std::fmt;
use std::sync::Arc;

/// A strategy's settings, and every one of them by its key.
type Read = (Arc<dyn Settings>, Map<String, Value>);

/// A row of the list of strategies.
#[derive(Clone, Copy)]
pub struct Entry {
    /// As a suite names it.
    pub name: &'static str,
    /// What it does, in a line.
    pub summary: &'static str,
    /// Groups of keys of which one replaces the others.
    pub either: &'static [[&'static str; 2]],
    /// Old names of keys.
    pub renamed: &'static [(&'static str, &'static str)],
    paper: &'static [&'static str],
    published: &'static [&'static str],
    /// Does it have another strategy in its settings?
    pub wraps: bool,
    defaults: fn() -> Map<String, Value>,
    read: fn(Map<String, Value>) -> Result<Read, serde_json::Error>,
    schema: fn(&mut SchemaGenerator) -> Schema,
}

impl fmt::Debug for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl Entry {
    /// The row of the strategy with these settings.
    pub const fn of<T: Definition>() -> Self {
        Self {
            name: T::NAME,
            summary: T::SUMMARY,
            either: T::EITHER,
            renamed: T::RENAMED,
            paper: T::PAPER,
            published: T::PUBLISHED,
            wraps: T::WRAPS,
            defaults: || values(&T::default()),
            read: |map| {
                let settings: T = serde_json::from_value(Value::Object(map))?;
                let all = values(&settings);
                Ok((Arc::new(settings), all))
            },
            schema: |generator| T::json_schema(generator),
        }
    }

    /// The values of its key `preset`; none if it has no such key.
    pub fn presets(&self) -> Vec<Preset> {
        if !(self.defaults)().contains_key("preset") {
            return Vec::new();
        }
        let has = |preset: &Preset| *preset == Preset::Default || !self.tables(*preset).is_empty();
        Preset::ALL.into_iter().filter(has).collect()
    }

    fn tables(&self, preset: Preset) -> &'static [&'static str] {
        match preset {
            Preset::Default => &[],
            Preset::Paper => self.paper,
            Preset::Published => self.published,
        }
    }

    /// Every setting, of a suite's table: what it leaves out is the preset's, else the default.
    ///
    /// # Errors
    /// It has a key that the strategy does not have.
    pub(super) fn merged(&self, table: Map<String, Value>) -> Result<Map<String, Value>, String> {
        let mut all = (self.defaults)();
        let preset: Preset = match table.get("preset").cloned() {
            Some(preset) => serde_json::from_value(preset).map_err(|e| format!("`preset`: {e}"))?,
            None => Preset::Default,
        };
        if preset != Preset::Default && !self.presets().contains(&preset) {
            let (name, preset) = (self.name, preset.name());
            return Err(format!("`{name}` has no preset `{preset}`"));
        }
        for text in self.tables(preset) {
            self.over(&mut all, from_toml(text)?);
        }
        let known = self.schema(&mut SchemaGenerator::default());
        if let Some(other) = table
            .keys()
            .find(|key| known["properties"].get(key).is_none())
        {
            return Err(format!("`{}` has no key `{other}`", self.name));
        }
        self.over(&mut all, table);
        Ok(all)
    }

    fn over(&self, all: &mut Map<String, Value>, table: Map<String, Value>) {
        for (key, value) in table {
            let group = self
                .either
                .iter()
                .find(|group| group.contains(&key.as_str()));
            for other in group.into_iter().flatten().filter(|other| **other != key) {
                all.remove(*other);
            }
            match (all.get_mut(&key), value) {
                // One strategy's settings are none of another's.
                (Some(Value::Object(below)), Value::Object(above))
                    if !above.contains_key("kind") =>
                {
                    below.extend(above);
                }
                (_, value) => {
                    all.insert(key, value);
                }
            }
        }
    }

    /// Its settings as a schema of an object, with their defaults.
    pub fn schema(&self, generator: &mut SchemaGenerator) -> Value {
        let mut schema = (self.schema)(generator).to_value();
        let defaults = (self.defaults)();
        let presets = self.presets();
        if presets.len() < Preset::ALL.len() && schema["properties"]["preset"].is_object() {
            let description = schema["properties"]["preset"]["description"].take();
            let names: Vec<&str> = presets.into_iter().map(Preset::name).collect();
            schema["properties"]["preset"] =
                json!({ "type": "string", "enum": names, "description": description });
        }
        for (key, property) in schema["properties"].as_object_mut().into_iter().flatten() {
            if let (Some(property), Some(default)) = (property.as_object_mut(), defaults.get(key)) {
                property.insert("default".into(), default.clone());
            }
        }
        schema
    }

    /// The strategy with these settings, as a suite writes them.
    ///
    /// # Errors
    /// They do not fit.
    pub fn with(&'static self, table: Map<String, Value>) -> Result<Kind, String> {
        let merged = self.merged(table)?;
        // With the defaults inside nested tables.
        let (settings, mut value) = (self.read)(merged.clone()).map_err(|e| e.to_string())?;
        let replaced = |key: &str| self.either.iter().flatten().any(|one| *one == key);
        value.retain(|key, _| merged.contains_key(key) || !replaced(key));
        Ok(Kind {
            entry: self,
            value,
            settings,
        })
    }

    /// The strategy with the settings of a preset.
    ///
    /// # Errors
    /// The preset's table does not fit.
    pub fn preset(&'static self, preset: Preset) -> Result<Kind, String> {
        let mut table = Map::new();
        if preset != Preset::Default {
            table.insert("preset".into(), preset.name().into());
        }
        self.with(table)
    }
}

/// A table of one of these strategies as a schema; `more` adds properties that each of them has.
pub fn schema(
    generator: &mut SchemaGenerator,
    which: impl Fn(&&Entry) -> bool,
    more: impl Fn(&mut Value),
) -> Schema {
    let mut branch = |entry: &Entry| {
        let mut schema = entry.schema(generator);
        let mut properties = schema["properties"].take();
        properties["kind"] = json!({ "type": "string", "const": entry.name });
        more(&mut properties);
        json!({
            "type": "object",
            "description": entry.summary,
            "properties": properties,
            "required": ["kind"],
            "additionalProperties": false,
        })
    };
    let branches: Vec<Value> = ALL.iter().filter(which).map(&mut branch).collect();
    schemars::json_schema!({
        "description": "A strategy with its settings.",
        "oneOf": branches,
        "x-tag": "kind",
    })
}

/// A table of TOML.
///
/// # Errors
/// It is not TOML.
pub(super) fn from_toml(text: &str) -> Result<Map<String, Value>, String> {
    let table: toml::Table = text.parse().map_err(|e: toml::de::Error| e.to_string())?;
    match serde_json::to_value(table) {
        Ok(Value::Object(map)) => Ok(map),
        other => Err(format!("{other:?} is not a table")),
    }
}

/// Floats of 32 bits as people write them: 0.628, not 0.6280000209808350.
#[allow(clippy::cast_possible_truncation)] // only where nothing is lost
fn short(value: Value) -> Value {
    match value {
        Value::Object(map) => map
            .into_iter()
            .map(|(key, value)| (key, short(value)))
            .collect(),
        Value::Array(items) => items.into_iter().map(short).collect(),
        Value::Number(number) if number.is_f64() => {
            let wide = number.as_f64().unwrap_or_default();
            let narrow = wide as f32;
            let text = if f64::from(narrow) == wide {
                narrow.to_string()
            } else {
                wide.to_string()
            };
            text.parse::<f64>()
                .map_or(Value::Number(number), Value::from)
        }
        other => other,
    }
}

/// Every setting, by its key in a suite.
fn values(settings: &impl serde::Serialize) -> Map<String, Value> {
    match serde_json::to_value(settings).map(short) {
        Ok(Value::Object(map)) => map,
        _ => Map::new(),
    }
}

/// A strategy of a suite: which one, with every setting.
#[derive(Clone)]
pub struct Kind {
    entry: &'static Entry,
    value: Map<String, Value>,
    settings: Arc<dyn Settings>,
}

impl Kind {
    /// The strategy of these settings, with its defaults.
    pub fn of<T: Definition>() -> Self {
        Self::configured(T::default())
    }

    /// The strategy with these settings.
    pub fn configured<T: Definition>(settings: T) -> Self {
        Self {
            entry: const { &Entry::of::<T>() },
            value: values(&settings),
            settings: Arc::new(settings),
        }
    }

    /// The row of the list that it is from.
    pub const fn entry(&self) -> &'static Entry {
        self.entry
    }

    /// As a suite names it.
    pub const fn name(&self) -> &'static str {
        self.entry.name
    }

    /// As a table of a suite, without a name.
    pub fn table(&self) -> Map<String, Value> {
        let mut table = self.value.clone();
        table.insert("kind".into(), self.name().into());
        table
    }

    /// Every setting, by its key in a suite.
    pub const fn values(&self) -> &Map<String, Value> {
        &self.value
    }

    /// The same strategy with another value at these keys.
    ///
    /// # Errors
    /// It does not fit.
    pub fn set(&self, keys: &[&str], value: Value) -> Result<Self, String> {
        let mut all = Value::Object(self.value.clone());
        let mut at = &mut all;
        for key in keys {
            at = &mut at[*key];
        }
        *at = value;
        self.with(all)
    }

    /// The same strategy with another value at a JSON pointer.
    ///
    /// # Errors
    /// There is no value, or the new one does not fit.
    pub fn replace(&self, pointer: &str, value: Value) -> Result<Self, String> {
        let mut all = Value::Object(self.value.clone());
        let at = all.pointer_mut(pointer);
        *at.ok_or_else(|| format!("there is no value at {pointer}"))? = value;
        self.with(all)
    }

    fn with(&self, all: Value) -> Result<Self, String> {
        match all {
            Value::Object(all) => self.entry.with(all),
            other => Err(format!("{other} is not a table")),
        }
    }
}

impl std::ops::Deref for Kind {
    type Target = dyn Settings;

    fn deref(&self) -> &Self::Target {
        self.settings.as_ref()
    }
}

impl PartialEq for Kind {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name() && self.value == other.value
    }
}

impl fmt::Debug for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:?}", self.name(), self.settings)
    }
}

#[cfg(test)]
mod tests {
    use crate::strategy::ALL;

    #[test]
    fn tables_inside_are_complete_and_have_one_of_keys_that_exclude_each_other() {
        let timemachine = ALL.iter().find(|entry| entry.name == "timemachine");
        let table = toml::from_str("base = { kind = \"dinodroid\", system-every = 3 }").unwrap();
        let kind = timemachine.unwrap().with(table).unwrap();
        let base = &kind.values()["base"];
        assert!(base["learning-rate"].is_number(), "{base}");
        assert_eq!(base["system-every"], 3);
        assert!(base.get("system-rate").is_none(), "{base}");
        assert!(timemachine.unwrap().with(kind.values().clone()).unwrap() == kind);
    }

    #[test]
    fn every_preset_of_every_strategy_reads_back_as_it_is() {
        for entry in ALL {
            for preset in entry.presets() {
                let kind = entry.preset(preset).unwrap();
                assert!(!kind.values().is_empty(), "{entry:?}");
                assert!(
                    entry.with(kind.values().clone()).unwrap() == kind,
                    "{kind:?}"
                );
            }
            let unknown = toml::from_str("preset = \"own\"").unwrap();
            assert!(entry.with(unknown).is_err(), "{entry:?}");
        }
    }
}
