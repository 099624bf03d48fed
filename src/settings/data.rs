//! `[device.data]`: the user's data on a device before a run.

use camino::Utf8PathBuf;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

/// Contacts, messages and files that an app finds on the device.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct DeviceData {
    /// People in the address book.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub contacts: Vec<Contact>,
    /// Text messages.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub messages: Vec<Message>,
    /// The call log.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<Call>,
    /// Entries of a calendar.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub calendar: Vec<CalendarEvent>,
    /// Files put into the folder `Pictures`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "Vec<String>")]
    pub pictures: Vec<Utf8PathBuf>,
    /// Files put into the folder `Music`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "Vec<String>")]
    pub music: Vec<Utf8PathBuf>,
    /// Files put into the folder `Documents`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "Vec<String>")]
    pub documents: Vec<Utf8PathBuf>,
}

impl DeviceData {
    /// Is it empty?
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Its files, each with its key and its index.
    pub fn files(&self) -> impl Iterator<Item = ((&'static str, usize), &Utf8PathBuf)> {
        let lists = [
            ("pictures", &self.pictures),
            ("music", &self.music),
            ("documents", &self.documents),
        ];
        lists.into_iter().flat_map(|(key, paths)| {
            let at = move |(ix, path)| ((key, ix), path);
            paths.iter().enumerate().map(at)
        })
    }

    /// The same, mutable.
    pub fn files_mut(&mut self) -> impl Iterator<Item = (&'static str, &mut Utf8PathBuf)> {
        let lists = [
            ("pictures", &mut self.pictures),
            ("music", &mut self.music),
            ("documents", &mut self.documents),
        ];
        lists
            .into_iter()
            .flat_map(|(key, paths)| paths.iter_mut().map(move |path| (key, path)))
    }
}

/// One person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Contact {
    /// The displayed name.
    #[schemars(length(min = 1))]
    pub name: String,
    /// A telephone number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", length(min = 1))]
    pub phone: Option<String>,
    /// An e-mail address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", length(min = 1))]
    pub email: Option<String>,
}

/// One text message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Message {
    /// The other party's number.
    #[schemars(length(min = 1))]
    pub number: String,
    /// The text.
    pub text: String,
    /// Whether it was sent from this device; otherwise it was received.
    #[serde(default)]
    pub sent: bool,
    /// The time in UTC.
    #[serde(default = "then")]
    #[schemars(schema_with = "time")]
    pub at: String,
}

/// One call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Call {
    /// The other party's number.
    #[schemars(length(min = 1))]
    pub number: String,
    /// Its type.
    #[serde(default)]
    pub kind: CallKind,
    /// Its duration.
    #[serde(default)]
    pub seconds: u32,
    /// The time in UTC.
    #[serde(default = "then")]
    #[schemars(schema_with = "time")]
    pub at: String,
}

/// The type of a call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CallKind {
    /// Received and answered.
    #[default]
    Incoming,
    /// Made from this device.
    Outgoing,
    /// Received and not answered.
    Missed,
}

/// One calendar entry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct CalendarEvent {
    /// The title.
    #[schemars(length(min = 1))]
    pub title: String,
    /// The start in UTC.
    #[schemars(schema_with = "time")]
    pub at: String,
    /// The duration.
    #[serde(default = "hour")]
    #[schemars(range(min = 1))]
    pub minutes: u32,
    /// The location.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub place: String,
}

/// A time of the suite in milliseconds since 1970; `None` if it is invalid.
pub fn millis_of(at: &str) -> Option<i64> {
    let time: jiff::Timestamp = at.parse().ok()?;
    Some(time.as_millisecond())
}

pub(super) fn time(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": "string",
        "pattern": r"^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?Z$",
        "x-expects": "a time in UTC such as \"2024-05-17T09:30Z\"",
    })
}

/// The time for entries without one: arbitrary, but the same in every run.
fn then() -> String {
    "2024-01-01T12:00Z".to_owned()
}

fn hour() -> u32 {
    60
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_of_the_calendar() {
        assert_eq!(millis_of(&then()), Some(1_704_110_400_000));
        assert_eq!(millis_of("1970-01-01T00:00:01Z"), Some(1000));
        assert_eq!(millis_of("2024-02-30T12:00Z"), None);
    }
}
