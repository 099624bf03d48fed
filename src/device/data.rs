//! What the owner of a device has on it: contacts, messages, calls, a calendar, files. Told as rows of Android's
//! own content providers, which the jvm device keeps in tables and the shell's `content` writes on a phone.

use std::collections::BTreeMap;
use std::path::PathBuf;

/// A column's value.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
#[serde(untagged)]
pub enum Value {
    /// A whole number.
    Number(i64),
    /// A text.
    Text(String),
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<i64> for Value {
    fn from(number: i64) -> Self {
        Self::Number(number)
    }
}

/// A row by its columns.
pub type Row = BTreeMap<&'static str, Value>;

/// A person.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Contact {
    /// The name shown.
    pub name: String,
    /// A telephone number.
    pub phone: Option<String>,
    /// An e-mail address.
    pub email: Option<String>,
}

/// A text message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Message {
    /// The other side.
    pub number: String,
    /// What it says.
    pub text: String,
    /// From here?
    pub sent: bool,
    /// When, in milliseconds since 1970.
    pub at: i64,
}

/// A call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Call {
    /// The other side.
    pub number: String,
    /// `CallLog.Calls.TYPE`: 1 incoming, 2 outgoing, 3 missed.
    pub kind: i64,
    /// How long.
    pub seconds: u32,
    /// When, in milliseconds since 1970.
    pub at: i64,
}

/// An entry of a calendar.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CalendarEvent {
    /// What.
    pub title: String,
    /// Where.
    pub place: String,
    /// From and to, in milliseconds since 1970.
    pub at: (i64, i64),
}

/// What kind of file, which says where it lies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FileKind {
    /// `Pictures`.
    Picture,
    /// `Music`.
    Music,
    /// `Documents`.
    Document,
    /// `Movies`.
    Video,
    /// `Download`.
    Download,
}

impl FileKind {
    /// Its folder in the shared storage.
    pub const fn folder(self) -> &'static str {
        match self {
            Self::Picture => "Pictures",
            Self::Music => "Music",
            Self::Document => "Documents",
            Self::Video => "Movies",
            Self::Download => "Download",
        }
    }
}

/// A file of this machine to be found on the device.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoredFile {
    /// What it is there.
    pub kind: FileKind,
    /// Where it is here.
    pub from: PathBuf,
}

impl StoredFile {
    /// Its name.
    pub fn name(&self) -> String {
        let name = self.from.file_name().unwrap_or_default();
        name.to_string_lossy().into_owned()
    }
}

/// All of it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct DeviceData {
    /// The address book.
    pub contacts: Vec<Contact>,
    /// Text messages.
    pub messages: Vec<Message>,
    /// The call log.
    pub calls: Vec<Call>,
    /// A calendar.
    pub calendar: Vec<CalendarEvent>,
    /// Files in the shared storage.
    pub files: Vec<StoredFile>,
}

/// The name by which what was put there is known again.
pub const TAG: &str = "droidtest";

/// `ContactsContract.CommonDataKinds`: how a row of `data` says what it holds.
pub mod mime {
    #![allow(missing_docs)] // named as Android names them
    pub const NAME: &str = "vnd.android.cursor.item/name";
    pub const PHONE: &str = "vnd.android.cursor.item/phone_v2";
    pub const EMAIL: &str = "vnd.android.cursor.item/email_v2";
}

impl Contact {
    /// Its rows of `data`, as far as any contact of this content has them.
    pub fn data(&self) -> Vec<Row> {
        let row = |mime: &str, data: &str, kind: Option<i64>| {
            let mut row = Row::from([("mimetype", mime.into()), ("data1", data.into())]);
            row.extend(kind.map(|kind| ("data2", kind.into())));
            row
        };
        // Mobile, home.
        let phone = self.phone.iter().map(|p| row(mime::PHONE, p, Some(2)));
        let email = self.email.iter().map(|e| row(mime::EMAIL, e, Some(1)));
        let name = std::iter::once(row(mime::NAME, &self.name, None));
        name.chain(phone).chain(email).collect()
    }
}

impl Message {
    /// The row of `sms`.
    pub fn row(&self) -> Row {
        Row::from([
            ("address", self.number.as_str().into()),
            ("body", self.text.as_str().into()),
            ("date", self.at.into()),
            ("date_sent", self.at.into()),
            ("read", 1.into()),
            ("seen", 1.into()),
            ("type", if self.sent { 2 } else { 1 }.into()),
            ("service_center", TAG.into()),
        ])
    }
}

impl Call {
    /// The row of `calls`.
    pub fn row(&self) -> Row {
        Row::from([
            ("number", self.number.as_str().into()),
            ("type", self.kind.into()),
            ("duration", i64::from(self.seconds).into()),
            ("date", self.at.into()),
            ("new", 0.into()),
            ("geocoded_location", TAG.into()),
        ])
    }
}

impl CalendarEvent {
    /// The row of `events`, except for the calendar's number.
    pub fn row(&self) -> Row {
        Row::from([
            ("title", self.title.as_str().into()),
            ("eventLocation", self.place.as_str().into()),
            ("dtstart", self.at.0.into()),
            ("dtend", self.at.1.into()),
            ("eventTimezone", "UTC".into()),
            ("allDay", 0.into()),
        ])
    }
}

impl DeviceData {
    /// Is there nothing?
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// The row of `calendars` that the entries belong to.
    pub fn calendar_row() -> Row {
        Row::from([
            ("account_name", TAG.into()),
            ("account_type", "LOCAL".into()),
            ("name", TAG.into()),
            ("calendar_displayName", TAG.into()),
            ("calendar_color", (-16_776_961).into()),
            ("calendar_access_level", 700.into()),
            ("calendar_timezone", "UTC".into()),
            ("ownerAccount", TAG.into()),
            ("visible", 1.into()),
            ("sync_events", 1.into()),
        ])
    }
}
