//! What an app is to find on a device: put there by the shell's `content` and pushed files, removed at the end.
//!
//! Every row carries a mark that no app shows (a source id, a service centre, a place of a call), every file
//! is in a list on the device: so what a killed run left is removed by the next one, and nothing else.

use super::error::AdbError;
use super::handle::Handle;
use super::quote::{command, quote};
use crate::device::DeviceError;
use crate::device::data::{DeviceData, Row, TAG, Value};
use crate::util::text::shorten;
use std::fs::File;
use std::sync::Arc;
use std::time::Duration;

const SHORT: Duration = Duration::from_secs(30);
/// A file of some hundred megabytes takes so long.
const PUSH: Duration = Duration::from_secs(300);
/// The files put there, one per line.
const LIST: &str = "/data/local/tmp/droidtest-stored";
/// The first level whose media store takes a call to look at a file; below it a broadcast does.
const SCAN_BY_CALL: u32 = 30;

const RAW_CONTACTS: &str = "content://com.android.contacts/raw_contacts";
const CONTACT_DATA: &str = "content://com.android.contacts/data";
const MESSAGES: &str = "content://sms";
const CALLS: &str = "content://call_log/calls";
/// As the calendar's synchroniser: no other process may make a calendar.
const CALENDARS: &str = "content://com.android.calendar/calendars?caller_is_syncadapter=true&account_name=droidtest&account_type=LOCAL";
const EVENTS: &str = "content://com.android.calendar/events";

/// Rows by their marks, and how many of them there should be.
const MARKED: [(&str, &str, &str); 4] = [
    ("contacts", RAW_CONTACTS, "sourceid LIKE 'droidtest-%'"),
    ("messages", MESSAGES, "service_center='droidtest'"),
    ("calls", CALLS, "geocoded_location='droidtest'"),
    ("calendar", CALENDARS, "account_name='droidtest'"),
];

/// What is there, until this is dropped.
#[derive(Debug)]
pub struct Stored {
    handle: Arc<Handle>,
    api: u32,
}

impl Stored {
    /// Removes what an earlier run left and puts the data there. Gives with it what the device did not take,
    /// in words.
    ///
    /// # Errors
    /// The device cannot be reached, a file cannot be read, or one of that name is there already.
    pub fn put(
        handle: &Arc<Handle>,
        data: &DeviceData,
        api: u32,
    ) -> Result<(Self, Vec<String>), DeviceError> {
        let this = Self {
            handle: handle.clone(),
            api,
        };
        this.remove()?;
        this.rows(data)?;
        this.files(data)?;
        let refused = this.refused(data)?;
        Ok((this, refused))
    }

    fn rows(&self, data: &DeviceData) -> Result<(), DeviceError> {
        for (number, contact) in data.contacts.iter().enumerate() {
            let source = format!("{TAG}-{number}");
            self.insert(
                RAW_CONTACTS,
                &Row::from([("sourceid", source.as_str().into())]),
            )?;
            let Some(id) = self.id(RAW_CONTACTS, &format!("sourceid='{source}'"))? else {
                continue;
            };
            for mut row in contact.data() {
                row.insert("raw_contact_id", id.into());
                self.insert(CONTACT_DATA, &row)?;
            }
        }
        if !data.messages.is_empty() {
            // Only the app for messages may write them, and the shell where it is let.
            self.run(&["appops", "set", "com.android.shell", "WRITE_SMS", "allow"])?;
        }
        for message in &data.messages {
            self.insert(MESSAGES, &message.row())?;
        }
        for call in &data.calls {
            self.insert(CALLS, &call.row())?;
        }
        if data.calendar.is_empty() {
            return Ok(());
        }
        self.insert(CALENDARS, &DeviceData::calendar_row())?;
        if let Some(id) = self.id(CALENDARS, "account_name='droidtest'")? {
            for event in &data.calendar {
                let mut row = event.row();
                row.insert("calendar_id", id.into());
                self.insert(EVENTS, &row)?;
            }
        }
        Ok(())
    }

    fn files(&self, data: &DeviceData) -> Result<(), DeviceError> {
        for file in &data.files {
            let to = format!("/sdcard/{}/{}", file.kind.folder(), file.name());
            if self.run(&["ls", &to])?.0 == 0 {
                return Err(DeviceError::Setup(format!(
                    "{to} already exists on {}: rename the file in [device.data]",
                    self.handle.serial
                )));
            }
            let bytes = File::open(&file.from).map_err(|e| {
                DeviceError::Setup(format!("{} of [device.data]: {e}", file.from.display()))
            })?;
            let line = format!("echo {} >> {LIST}", quote(&to));
            self.handle.shell(&line, SHORT)?;
            self.handle.push(bytes, &to, 0o644, PUSH)?;
            self.scan(&to)?;
        }
        Ok(())
    }

    /// Has the media store look at a file, which may be there or gone.
    fn scan(&self, path: &str) -> Result<(), AdbError> {
        if self.api >= SCAN_BY_CALL {
            let uri = "content://media";
            self.run(&[
                "content",
                "call",
                "--uri",
                uri,
                "--method",
                "scan_file",
                "--arg",
                path,
            ])?;
        } else {
            let action = "android.intent.action.MEDIA_SCANNER_SCAN_FILE";
            let uri = format!("file://{path}");
            self.run(&["am", "broadcast", "-a", action, "-d", &uri])?;
        }
        Ok(())
    }

    /// What is not there although it was put there.
    fn refused(&self, data: &DeviceData) -> Result<Vec<String>, AdbError> {
        let wanted = [
            data.contacts.len(),
            data.messages.len(),
            data.calls.len(),
            usize::from(!data.calendar.is_empty()),
        ];
        let mut refused = Vec::new();
        for ((what, uri, mark), wanted) in MARKED.into_iter().zip(wanted) {
            if wanted == 0 {
                continue;
            }
            let (_, said) = self.query(uri, mark)?;
            let there = said
                .lines()
                .filter(|line| line.starts_with("Row: "))
                .count();
            if there < wanted {
                let said = shorten(said.trim(), 200).into_owned();
                refused.push(format!(
                    "only {there} of {wanted} rows of `{what}` were stored: {said}"
                ));
            }
        }
        Ok(refused)
    }

    fn insert(&self, uri: &str, row: &Row) -> Result<(), AdbError> {
        let binds: Vec<String> = row
            .iter()
            .map(|(column, value)| match value {
                Value::Number(number) => format!("{column}:l:{number}"),
                Value::Text(text) => format!("{column}:s:{text}"),
            })
            .collect();
        let mut words = vec!["content", "insert", "--uri", uri];
        for bind in &binds {
            words.extend(["--bind", bind]);
        }
        self.run(&words)?;
        Ok(())
    }

    fn query(&self, uri: &str, mark: &str) -> Result<(i32, String), AdbError> {
        self.run(&[
            "content",
            "query",
            "--uri",
            uri,
            "--projection",
            "_id",
            "--where",
            mark,
        ])
    }

    /// The number of the row with this mark.
    fn id(&self, uri: &str, mark: &str) -> Result<Option<i64>, AdbError> {
        let (_, said) = self.query(uri, mark)?;
        let id = said.lines().find_map(|line| line.split("_id=").nth(1));
        Ok(id.and_then(|id| id.split(',').next()?.trim().parse().ok()))
    }

    fn run(&self, words: &[&str]) -> Result<(i32, String), AdbError> {
        let output = self.handle.shell(&command(words.iter().copied()), SHORT)?;
        let text = if output.stdout.is_empty() {
            output.words()
        } else {
            output.text()
        };
        Ok((output.code, text))
    }

    /// Removes everything that carries our mark.
    fn remove(&self) -> Result<(), AdbError> {
        for (_, uri, mark) in MARKED {
            // A deleted contact stays as a mark for synchronisers, unless one of them deletes it.
            let all = if uri == RAW_CONTACTS {
                format!("{uri}?caller_is_syncadapter=true")
            } else {
                uri.to_owned()
            };
            self.run(&["content", "delete", "--uri", &all, "--where", mark])?;
        }
        self.run(&["appops", "set", "com.android.shell", "WRITE_SMS", "default"])?;
        let (code, list) = self.run(&["cat", LIST])?;
        if code == 0 {
            for path in list.lines().filter(|path| path.starts_with("/sdcard/")) {
                self.run(&["rm", "-f", path])?;
                self.scan(path)?;
            }
            self.run(&["rm", "-f", LIST])?;
        }
        Ok(())
    }
}

impl Drop for Stored {
    fn drop(&mut self) {
        self.handle = Arc::new(self.handle.closing());
        // A device that is gone holds it until the next run.
        if self.remove().is_err() {
            self.handle.give_up();
        }
    }
}
