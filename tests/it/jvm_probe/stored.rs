//! What the suite puts on the device for an app to find.

use crate::common::phone::Phone;
use droidtest::device::Reset;
use droidtest::device::data::{
    CalendarEvent, Call, Contact, DeviceData, FileKind, Message, StoredFile,
};
use std::path::Path;

/// A picture of 5 bytes and a document in this folder, and entries of each kind.
pub fn data(folder: &Path) -> DeviceData {
    let file = |kind, name: &str| {
        let from = folder.join(name);
        std::fs::write(&from, b"bytes").unwrap();
        StoredFile { kind, from }
    };
    let contact = |name: &str, phone: Option<&str>, email: Option<&str>| Contact {
        name: name.into(),
        phone: phone.map(str::to_owned),
        email: email.map(str::to_owned),
    };
    let message = |number: &str, text: &str, sent, at| Message {
        number: number.into(),
        text: text.into(),
        sent,
        at,
    };
    let call = |kind, seconds, at| Call {
        number: "+44 20 555 0100".into(),
        kind,
        seconds,
        at,
    };
    DeviceData {
        contacts: vec![
            contact("Grace", Some("555-7"), None),
            contact("Ada", Some("+44 20 555 0100"), Some("ada@example.org")),
            contact("Nobody", None, None),
        ],
        messages: vec![
            message("+1", "hello", false, 1),
            message("+2", "how's \"it\"?", false, 2),
            message("+1", "hi", true, 3),
            message("+1", "bye", false, 4),
        ],
        calls: vec![call(1, 30, 2), call(3, 0, 1)],
        calendar: vec![CalendarEvent {
            title: "Dentist".into(),
            place: "Main Street".into(),
            at: (1_715_938_200_000, 1_715_941_800_000),
        }],
        files: vec![
            file(FileKind::Picture, "cat.png"),
            file(FileKind::Music, "song.mp3"),
            file(FileKind::Document, "letter.pdf"),
        ],
    }
}

pub fn stored(phone: &mut Phone) {
    let says = |phone: &mut Phone, what: &str, said: &str| {
        phone.click(&format!("stored_{what}"));
        phone.expect("result", said);
    };
    let open = |phone: &mut Phone, how| {
        phone.reset(how);
        phone.open("StoredActivity");
    };
    phone.proves(
        "contacts are found by all the ways apps look for them",
        |phone| {
            open(phone, Reset::ClearData);
            says(phone, "phones", "Ada +44 20 555 0100; Grace 555-7");
            says(phone, "emails", "Ada ada@example.org");
            says(phone, "filter", "Ada");
            says(phone, "lookup", "2 Ada");
            phone.open("NavigationActivity");
            phone.click("contacts");
            phone.expect("result", "contacts has 3 rows");
        },
    );
    phone.proves("messages, calls and the calendar are there", |phone| {
        open(phone, Reset::ClearData);
        says(phone, "messages", "+2 how's \"it\"? null; +1 hello null");
        says(phone, "calls", "+44 20 555 0100 3 0; +44 20 555 0100 1 30");
        says(phone, "calendar", "Dentist Main Street droidtest");
    });
    phone.proves(
        "files lie in the shared storage and in the media store",
        |phone| {
            open(phone, Reset::ClearData);
            says(
                phone,
                "pictures",
                "cat.png of 5 bytes, 5 read, image/png, added now",
            );
            says(phone, "music", "song audio/mpeg");
            says(phone, "documents", "[letter.pdf]");
        },
    );
    phone.proves(
        "what the app adds stays over a relaunch and goes with the data",
        |phone| {
            open(phone, Reset::ClearData);
            says(phone, "insert", "1, 1 1 1; 2 1 1; 4 1 1; 5 1 1");
            open(phone, Reset::Relaunch);
            says(phone, "insert", "1, 1 1 1; 2 1 1; 4 1 1; 5 1 1; 6 1 1");
            open(phone, Reset::ClearData);
            says(phone, "insert", "1, 1 1 1; 2 1 1; 4 1 1; 5 1 1");
        },
    );
}
