//! Provisions a jvm device with the user's data: tables for the agent's content providers, and files of the shared
//! storage.

use crate::device::DeviceError;
use crate::device::data::{Contact, DeviceData, FileKind, Row, StoredFile, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// The time of every file, in seconds since 1970, the same in every run: 2024-01-01T12:00Z.
const MADE: i64 = 1_704_110_400;

/// Rows by table: `authority/table`, as in the agent's `Stored.java`.
type Tables = BTreeMap<&'static str, Vec<Row>>;

/// Writes `tables.json` and the files below `to`, which is recreated.
///
/// # Errors
/// A file of the suite cannot be read, or the folder cannot be written.
pub fn write(data: &DeviceData, to: &Path) -> Result<(), DeviceError> {
    if to.exists() {
        fs::remove_dir_all(to)?;
    }
    fs::create_dir_all(to)?;
    let mut names = BTreeSet::new();
    for file in &data.files {
        let folder = to.join("sdcard").join(file.kind.folder());
        fs::create_dir_all(&folder)?;
        let name = file.name();
        if !names.insert((file.kind.folder(), name.clone())) {
            return Err(DeviceError::Setup(format!(
                "two files in [device.data] are named {name}: rename one of them"
            )));
        }
        fs::copy(&file.from, folder.join(name)).map_err(|e| {
            DeviceError::Setup(format!("{} of [device.data]: {e}", file.from.display()))
        })?;
    }
    let tables = serde_json::to_vec(&tables(data)).map_err(|e| DeviceError::Io(e.into()))?;
    fs::write(to.join("tables.json"), tables)?;
    Ok(())
}

/// A builder of the tables.
#[derive(Default)]
struct Maker(Tables);

impl Maker {
    /// The number of a table's next row.
    fn next(&self, table: &'static str) -> i64 {
        let rows = self.0.get(table).map_or(0, Vec::len);
        i64::try_from(rows + 1).unwrap_or(i64::MAX)
    }

    fn put(&mut self, table: &'static str, row: Row) {
        let mut complete = Row::from([("_id", self.next(table).into())]);
        complete.extend(row);
        self.0.entry(table).or_default().push(complete);
    }
}

/// The tables as Android's providers would have them after the same entries.
fn tables(data: &DeviceData) -> Tables {
    let mut maker = Maker::default();
    for contact in &data.contacts {
        person(&mut maker, contact);
    }
    for (number, message) in data.messages.iter().enumerate() {
        let mut row = message.row();
        // One conversation with each number.
        let same = |other: &crate::device::data::Message| other.number == message.number;
        let thread = data.messages.iter().position(same).unwrap_or(number);
        row.insert("thread_id", i64::try_from(thread + 1).unwrap_or(1).into());
        maker.put("sms/sms", row);
    }
    for call in &data.calls {
        maker.put("call_log/calls", call.row());
    }
    if !data.calendar.is_empty() {
        maker.put("com.android.calendar/calendars", DeviceData::calendar_row());
    }
    for event in &data.calendar {
        let mut row = event.row();
        row.extend(DeviceData::calendar_row());
        row.insert("calendar_id", 1.into());
        maker.put("com.android.calendar/events", row.clone());
        row.insert(
            "event_id",
            maker.next("com.android.calendar/instances").into(),
        );
        row.insert("begin", event.at.0.into());
        row.insert("end", event.at.1.into());
        maker.put("com.android.calendar/instances", row);
    }
    for file in &data.files {
        media(&mut maker, file);
    }
    for (word, frequency) in [("droidtest", 250), ("brb", 120)] {
        let row = [
            ("word", word.into()),
            ("frequency", Value::from(frequency)),
            ("appid", 0.into()),
        ];
        maker.put("user_dictionary/words", Row::from(row));
    }
    maker.0
}

fn person(maker: &mut Maker, contact: &Contact) {
    let id = maker.next("com.android.contacts/contacts");
    let name = || Value::from(contact.name.as_str());
    let shared = Row::from([
        ("display_name", name()),
        ("display_name_alt", name()),
        ("sort_key", name()),
        ("lookup", format!("0r{id}").as_str().into()),
        (
            "has_phone_number",
            i64::from(contact.phone.is_some()).into(),
        ),
        ("in_visible_group", 1.into()),
        ("starred", 0.into()),
        ("times_contacted", 0.into()),
    ]);
    let mut contacts = shared.clone();
    contacts.insert("name_raw_contact_id", id.into());
    maker.put("com.android.contacts/contacts", contacts);
    let mut raw = shared.clone();
    raw.extend([("contact_id", id.into()), ("deleted", 0.into())]);
    maker.put("com.android.contacts/raw_contacts", raw);
    if let Some(phone) = &contact.phone {
        let digits: String = phone.chars().filter(char::is_ascii_digit).collect();
        let last = &digits[digits.len().saturating_sub(7)..];
        let mut row = shared.clone();
        row.extend([
            ("_id", id.into()),
            ("contact_id", id.into()),
            ("number", phone.as_str().into()),
            ("digits", last.into()),
        ]);
        maker.put("com.android.contacts/phone_lookup", row);
    }
    for mut row in contact.data() {
        row.extend(shared.clone());
        row.extend([("contact_id", id.into()), ("raw_contact_id", id.into())]);
        maker.put("com.android.contacts/data", row);
    }
}

/// A row of the media store; the agent knows where the shared storage is.
fn media(maker: &mut Maker, file: &StoredFile) {
    let name = file.name();
    let (stem, ending) = name.rsplit_once('.').unwrap_or((&name, ""));
    let folder = file.kind.folder();
    let size = fs::metadata(&file.from).map_or(0, |m| m.len());
    let mut row = Row::from([
        ("_data", format!("sdcard:/{folder}/{name}").as_str().into()),
        ("_display_name", name.as_str().into()),
        ("title", stem.into()),
        ("mime_type", mime_of(ending).into()),
        ("_size", i64::try_from(size).unwrap_or(i64::MAX).into()),
        ("date_added", MADE.into()),
        ("date_modified", MADE.into()),
        ("datetaken", (MADE * 1000).into()),
        ("relative_path", format!("{folder}/").as_str().into()),
        ("bucket_display_name", folder.into()),
        ("is_pending", 0.into()),
    ]);
    // MediaStore.Files.FileColumns: none, an image, a sound, a video.
    let kind: i64 = match file.kind {
        FileKind::Picture => 1,
        FileKind::Music => 2,
        FileKind::Video => 3,
        FileKind::Document | FileKind::Download => 0,
    };
    row.insert("media_type", kind.into());
    row.insert("is_music", i64::from(kind == 2).into());
    maker.put("media/file", row.clone());
    match file.kind {
        FileKind::Picture => maker.put("media/images", row),
        FileKind::Music => maker.put("media/audio", row),
        FileKind::Video => maker.put("media/video", row),
        FileKind::Download => maker.put("media/downloads", row),
        FileKind::Document => {}
    }
}

/// Android's MIME type for a file extension.
fn mime_of(ending: &str) -> &'static str {
    match ending.to_ascii_lowercase().as_str() {
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "gif" => "image/gif",
        "webp" => "image/webp",
        "mp3" => "audio/mpeg",
        "ogg" | "oga" => "audio/ogg",
        "mp4" => "video/mp4",
        "wav" => "audio/x-wav",
        "m4a" => "audio/mp4",
        "flac" => "audio/flac",
        "pdf" => "application/pdf",
        "txt" => "text/plain",
        "html" | "htm" => "text/html",
        "csv" => "text/comma-separated-values",
        "json" => "application/json",
        "zip" => "application/zip",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_and_files_are_replaced_and_two_files_of_one_name_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let picture = folder.path().join("cat.png");
        fs::write(&picture, b"png").unwrap();
        let file = StoredFile {
            kind: FileKind::Picture,
            from: picture,
        };
        let mut data = DeviceData {
            contacts: vec![Contact {
                name: "Ada".into(),
                phone: Some("+44 1".into()),
                email: None,
            }],
            files: vec![file.clone()],
            ..DeviceData::default()
        };
        let to = folder.path().join("data");
        fs::create_dir(&to).unwrap();
        fs::write(to.join("old"), b"").unwrap();
        write(&data, &to).unwrap();
        assert!(!to.join("old").exists());
        assert_eq!(
            fs::read(to.join("sdcard/Pictures/cat.png")).unwrap(),
            b"png"
        );
        let text = fs::read_to_string(to.join("tables.json")).unwrap();
        let tables: serde_json::Value = serde_json::from_str(&text).unwrap();
        let contact = &tables["com.android.contacts/contacts"][0];
        assert_eq!(
            (&contact["_id"], &contact["has_phone_number"]),
            (&1.into(), &1.into())
        );
        let rows = tables["com.android.contacts/data"].as_array().unwrap();
        assert_eq!(rows.len(), 2, "a name and a number");
        assert_eq!(rows[1]["_id"], 2);
        assert_eq!(rows[1]["data1"], "+44 1");
        let image = &tables["media/images"][0];
        assert_eq!(image["_data"], "sdcard:/Pictures/cat.png");
        data.files.push(file);
        let error = write(&data, &to).unwrap_err().to_string();
        assert!(
            error.contains("two files") && error.contains("cat.png"),
            "{error}"
        );
        data.files[0].from = folder.path().join("gone.png");
        data.files.pop();
        let error = write(&data, &to).unwrap_err().to_string();
        assert!(error.contains("gone.png"), "{error}");
    }
}
