//! `[[strategy]]`: the algorithm that selects the next event.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use serde_json::{Map, Value};

use crate::settings::name_schema;
use crate::strategy::kind::{Kind, schema};
use crate::strategy::{self, portfolio};

/// A strategy with its settings.
#[derive(Clone, Debug, PartialEq)]
pub struct Strategy {
    /// The strategy's name in reports and on the command line. Default: its kind.
    pub name: Option<String>,
    /// Which strategy, with its settings.
    pub kind: Kind,
}

impl Strategy {
    /// The name: the suite's, or the kind's.
    pub fn name(&self) -> &str {
        self.name.as_deref().unwrap_or(self.kind.name())
    }

    /// The name of the strategy's kind in the suite.
    pub fn kind_name(&self) -> &'static str {
        self.kind.name()
    }

    /// The strategy of a suite that names none: `portfolio`, whose members are those that this build has.
    pub fn default_of_suites() -> Self {
        let kind = Kind::of::<portfolio::Settings>();
        Self { name: None, kind }
    }

    /// The strategies of a suite that has none: the selected ones whose names are kinds, with their default settings,
    /// else [`Self::default_of_suites`].
    ///
    /// # Errors
    /// The defaults of one do not fit.
    pub fn defaults(selected: Option<&[String]>) -> Result<Vec<Self>, String> {
        let kinds = selected.into_iter().flatten();
        let kinds = kinds.filter_map(|name| strategy::entry(name));
        let named = kinds.map(|entry| {
            let kind = entry.with(Map::new())?;
            Ok(Self { name: None, kind })
        });
        let named: Vec<_> = named.collect::<Result<_, String>>()?;
        match named.is_empty() {
            true => Ok(vec![Self::default_of_suites()]),
            false => Ok(named),
        }
    }

    /// From a table of the suite.
    fn read(mut table: Map<String, Value>) -> Result<Self, String> {
        let mut take = |key: &str| match table.remove(key) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(other) => Err(format!("`{key}` must be a text, not {other}")),
        };
        let name = take("name")?;
        let kind = take("kind")?.ok_or("a strategy has no `kind`")?;
        let entry =
            strategy::entry(&kind).ok_or_else(|| format!("there is no strategy `{kind}`"))?;
        let kind = entry.with(table)?;
        Ok(Self { name, kind })
    }
}

impl Serialize for Strategy {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut all = self.kind.table();
        if let Some(name) = &self.name {
            all.insert("name".into(), name.clone().into());
        }
        all.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Strategy {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::read(Map::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

impl JsonSchema for Strategy {
    fn schema_name() -> Cow<'static, str> {
        "Strategy".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut name = name_schema(generator).to_value();
        name["description"] =
            "The strategy's name in reports and on the command line. Default: its kind.".into();
        let named = |properties: &mut Value| properties["name"] = name.clone();
        schema(generator, |_| true, named)
    }
}
