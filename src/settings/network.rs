//! `network` of a jvm device: the network that an app can use.

use camino::Utf8PathBuf;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// The network that an app can use. Default: none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Network {
    /// No network: no name resolves.
    #[default]
    Off,
    /// The network of this machine.
    Allow,
    /// The responses of an archive: a HAR file or a folder of stubs. Nothing leaves the device.
    Replay(Utf8PathBuf),
}

impl Network {
    /// The archive, if there is one.
    pub fn archive(&self) -> Option<&Utf8PathBuf> {
        match self {
            Self::Replay(path) => Some(path),
            _ => None,
        }
    }

    /// The same, mutable.
    pub fn archive_mut(&mut self) -> Option<&mut Utf8PathBuf> {
        match self {
            Self::Replay(path) => Some(path),
            _ => None,
        }
    }
}

/// The help for `network = "replay"` without an archive.
const NAME_IT: &str =
    "name the archive: `network = { replay = \"traffic.har\" }`, or a folder with a `stubs.toml`";

/// The form in a suite.
#[derive(Deserialize)]
#[serde(untagged)]
enum Written {
    Word(String),
    Table(Table),
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
enum Table {
    Allow(bool),
    Replay(Utf8PathBuf),
}

impl Serialize for Network {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Off => serializer.serialize_str("off"),
            Self::Allow => serializer.serialize_str("allow"),
            Self::Replay(path) => Table::Replay(path.clone()).serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Network {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Written::deserialize(deserializer)? {
            Written::Table(Table::Allow(true)) => Ok(Self::Allow),
            Written::Table(Table::Allow(false)) => Ok(Self::Off),
            Written::Table(Table::Replay(path)) => Ok(Self::Replay(path)),
            Written::Word(word) => match word.as_str() {
                "off" => Ok(Self::Off),
                "allow" => Ok(Self::Allow),
                "replay" => Err(de::Error::custom(NAME_IT)),
                other => Err(de::Error::unknown_variant(other, &["off", "allow"])),
            },
        }
    }
}

impl JsonSchema for Network {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Network".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "The network that an app can use: `off` for none, `allow` for the network of this machine, `{ replay = PATH }` for the responses of an archive.",
            "x-instead": { "replay": NAME_IT },
            "anyOf": [
                { "type": "string", "enum": ["off", "allow"] },
                {
                    "type": "object",
                    "properties": {
                        "allow": {
                            "type": "boolean",
                            "deprecated": true,
                            "description": "The older spelling of `allow` (true) and `off` (false).",
                        },
                        "replay": {
                            "type": "string",
                            "minLength": 1,
                            "description": "A HAR file, or a folder with a `stubs.toml`. The app gets its responses from there, and nothing leaves the device.",
                        },
                    },
                    "oneOf": [{ "required": ["allow"] }, { "required": ["replay"] }],
                    "additionalProperties": false,
                },
            ],
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Holder {
        network: Network,
    }

    fn read(text: &str) -> Result<Network, String> {
        toml::from_str::<Holder>(text)
            .map(|holder| holder.network)
            .map_err(|error| error.to_string())
    }

    #[test]
    fn words_and_tables_are_read_and_written_back() {
        let archive = Network::Replay("a.har".into());
        for (text, network) in [
            ("network = \"off\"", Network::Off),
            ("network = \"allow\"", Network::Allow),
            ("network = { allow = true }", Network::Allow),
            ("network = { allow = false }", Network::Off),
            ("network = { replay = \"a.har\" }", archive),
        ] {
            assert_eq!(read(text).as_ref(), Ok(&network), "{text}");
            let written = toml::to_string(&Holder {
                network: network.clone(),
            });
            assert_eq!(read(&written.unwrap()), Ok(network));
        }
    }

    #[test]
    fn a_replay_without_an_archive_is_an_error() {
        assert!(
            read("network = \"replay\"")
                .unwrap_err()
                .contains("name the archive")
        );
        assert!(read("network = \"on\"").is_err());
        assert!(read("network = { replay = \"a\", allow = true }").is_err());
    }
}
