//! Converts a suite's `[device.data]` to the data that a device holds.

use crate::config;
use crate::config::CallKind;
use crate::device::DeviceError;
use crate::device::data::{
    CalendarEvent, Call, Contact, DeviceData, FileKind, Message, StoredFile,
};
use camino::Utf8PathBuf;

/// The suite's data with parsed times.
///
/// # Errors
/// An invalid time; a suite that was loaded has none.
pub fn of(data: &config::DeviceData) -> Result<DeviceData, DeviceError> {
    let files = |kind, paths: &[Utf8PathBuf]| {
        let file = |path: &Utf8PathBuf| StoredFile {
            kind,
            from: path.clone().into_std_path_buf(),
        };
        paths.iter().map(file).collect::<Vec<_>>()
    };
    let messages = data.messages.iter().map(|message| {
        Ok(Message {
            number: message.number.clone(),
            text: message.text.clone(),
            sent: message.sent,
            at: millis(&message.at)?,
        })
    });
    let calls = data.calls.iter().map(|call| {
        Ok(Call {
            number: call.number.clone(),
            kind: match call.kind {
                CallKind::Incoming => 1,
                CallKind::Outgoing => 2,
                CallKind::Missed => 3,
            },
            seconds: call.seconds,
            at: millis(&call.at)?,
        })
    });
    let calendar = data.calendar.iter().map(|event| {
        let begin = millis(&event.at)?;
        Ok(CalendarEvent {
            title: event.title.clone(),
            place: event.place.clone(),
            at: (begin, begin + i64::from(event.minutes) * 60_000),
        })
    });
    let contacts = data.contacts.iter().map(|contact| Contact {
        name: contact.name.clone(),
        phone: contact.phone.clone(),
        email: contact.email.clone(),
    });
    Ok(DeviceData {
        contacts: contacts.collect(),
        messages: messages.collect::<Result<_, DeviceError>>()?,
        calls: calls.collect::<Result<_, DeviceError>>()?,
        calendar: calendar.collect::<Result<_, DeviceError>>()?,
        files: [
            files(FileKind::Picture, &data.pictures),
            files(FileKind::Music, &data.music),
            files(FileKind::Document, &data.documents),
        ]
        .concat(),
    })
}

fn millis(at: &str) -> Result<i64, DeviceError> {
    config::millis_of(at)
        .ok_or_else(|| DeviceError::Setup(format!("[device.data]: {at} is not a valid time")))
}
