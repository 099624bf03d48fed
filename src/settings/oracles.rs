//! `[oracles]`: the failures that count as findings, and their level.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::HumanDuration;

/// The failures to detect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Oracles {
    /// An uncaught exception.
    pub java_crash: Level,
    /// The main thread is blocked.
    #[serde(deserialize_with = "level_or_table")]
    #[schemars(schema_with = "level_or_table_schema::<Anr>")]
    pub anr: Anr,
    /// The app ended its process.
    pub app_exit: Level,
    /// A page without content.
    #[serde(deserialize_with = "level_or_table")]
    #[schemars(schema_with = "level_or_table_schema::<BlankPage>")]
    pub blank_page: BlankPage,
    /// Content of the page is lost when the device is rotated.
    pub rotation_loss: Level,
    /// The `assert` of a script does not hold.
    pub assertion: Level,
    /// What only a made-up system event provokes: a component started, or a broadcast of the app's own sent, without
    /// the extras of its real senders. The lower of this level and the oracle's counts.
    pub system_events: Level,
}

impl Default for Oracles {
    fn default() -> Self {
        Self {
            java_crash: Level::Fail,
            anr: Anr::default(),
            app_exit: Level::Warn,
            blank_page: BlankPage::default(),
            rotation_loss: Level::Warn,
            assertion: Level::Fail,
            system_events: Level::Warn,
        }
    }
}

/// The level of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// `"off"` or `false`: not detected.
    Off,
    /// `"warn"`: reported, but the run stays green.
    Warn,
    /// `"fail"` or `true`: the run has findings and ends with exit code 100.
    Fail,
}

impl Level {
    const NAMES: &[&str] = &["off", "warn", "fail"];

    /// Whether to detect it.
    pub fn is_on(self) -> bool {
        self != Self::Off
    }

    fn parse(text: &str) -> Option<Self> {
        match text {
            "off" => Some(Self::Off),
            "warn" => Some(Self::Warn),
            "fail" => Some(Self::Fail),
            _ => None,
        }
    }
}

impl Serialize for Level {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(Self::NAMES[*self as usize])
    }
}

impl<'de> Deserialize<'de> for Level {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Either {
            Bool(bool),
            Text(String),
        }
        match Either::deserialize(deserializer)? {
            Either::Bool(true) => Ok(Self::Fail),
            Either::Bool(false) => Ok(Self::Off),
            Either::Text(text) => {
                Self::parse(&text).ok_or_else(|| de::Error::unknown_variant(&text, Self::NAMES))
            }
        }
    }
}

impl JsonSchema for Level {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Level".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "anyOf": [
            { "type": "string", "enum": ["off", "warn", "fail"] },
            { "type": "boolean" },
        ] })
    }
}

/// The oracle for a blocked main thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Anr {
    /// The level of the finding.
    pub level: Level,
    /// The blocked time that counts as a failure.
    pub after: HumanDuration,
}

impl Default for Anr {
    fn default() -> Self {
        Level::Fail.into()
    }
}

impl From<Level> for Anr {
    fn from(level: Level) -> Self {
        Self {
            level,
            after: HumanDuration::secs(5),
        }
    }
}

/// The oracle for empty pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct BlankPage {
    /// The level of the finding.
    pub level: Level,
    /// The number of events in a row on an empty page that counts as a failure.
    #[schemars(range(min = 1))]
    pub after: u32,
}

impl Default for BlankPage {
    fn default() -> Self {
        Level::Warn.into()
    }
}

impl From<Level> for BlankPage {
    fn from(level: Level) -> Self {
        Self { level, after: 3 }
    }
}

/// Reads a level, or a table that may contain one.
fn level_or_table<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de> + From<Level>,
{
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Either<T> {
        Level(Level),
        Table(T),
    }
    Ok(match Either::deserialize(deserializer)? {
        Either::Level(level) => level.into(),
        Either::Table(table) => table,
    })
}

fn level_or_table_schema<T: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    let level = generator.subschema_for::<Level>();
    let table = generator.subschema_for::<T>();
    let mut branches = level
        .get("anyOf")
        .and_then(serde_json::Value::as_array)
        .cloned()
        .unwrap_or_default();
    branches.push(table.to_value());
    json_schema!({ "anyOf": branches })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_oracle_is_a_bool_a_level_or_a_table() {
        let oracles: Oracles = toml::from_str(
            "java-crash = true\nanr = { after = \"2s\" }\nblank-page = \"fail\"\napp-exit = false",
        )
        .unwrap();
        assert_eq!(oracles.java_crash, Level::Fail);
        assert_eq!(oracles.anr.level, Level::Fail);
        assert_eq!(oracles.anr.after, HumanDuration::secs(2));
        assert_eq!(oracles.blank_page, Level::Fail.into());
        assert!(!oracles.app_exit.is_on());
    }
}
