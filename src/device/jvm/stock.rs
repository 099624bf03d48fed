//! Default data of a phone in use: contacts, messages, calls, a calendar, files. Selected and ordered by the session's
//! seed; the same seed gives the same data.

use super::provision;
use super::settings::{JvmSettings, Outside};
use crate::device::DeviceError;
use crate::device::data::{
    CalendarEvent, Call, Contact, DeviceData, FileKind, Message, StoredFile,
};
use crate::util::seed::{Rng, generator};
use rand::seq::SliceRandom as _;
use std::fs;
use std::path::Path;

/// The folder of the source files in the device's folder.
const FILES: &str = "stock";
/// The data besides [`FILES`].
const DATA: &str = super::process::DATA;

/// Fictional names, numbers and addresses.
const PEOPLE: [(&str, Option<&str>, Option<&str>); 6] = [
    (
        "Ada Lovelace",
        Some("+1 650-555-0101"),
        Some("ada@example.com"),
    ),
    (
        "Grace Hopper",
        Some("650-555-0102"),
        Some("grace@example.org"),
    ),
    (
        "Zoë Müller",
        Some("+49 30 5550103"),
        Some("zoe@example.net"),
    ),
    ("Li Wei", Some("6505550104"), None),
    ("O'Brien, Seán", None, Some("sean@example.com")),
    ("Work", Some("+44 20 7946 0105"), None),
];

const TEXTS: [&str; 5] = [
    "See you at 8",
    "Your code is 481516",
    "Happy birthday! \u{1f382}",
    "Can you call me back?",
    "Running late, 10 min",
];

const ENTRIES: [(&str, &str); 3] = [
    ("Dentist", "Main Street 5"),
    ("Team meeting", ""),
    ("Ada's birthday", "Home"),
];

/// Monday, 1 January 2024, 12:00 UTC, in milliseconds.
const THEN: i64 = 1_704_110_400_000;
const DAY: i64 = 86_400_000;

macro_rules! stock {
    ($kind:ident, $name:literal) => {
        (
            FileKind::$kind,
            $name,
            include_bytes!(concat!("stock/", $name)),
        )
    };
}

// The photographs have more than 5,000 bytes: AndroidX's ExifInterface looks at so many to know a picture.
const STOCK: [(FileKind, &str, &[u8]); 9] = [
    stock!(Picture, "dog.jpg"),
    stock!(Picture, "holiday.jpg"),
    stock!(Picture, "chart.png"),
    stock!(Music, "tone.wav"),
    stock!(Video, "clip.mp4"),
    stock!(Document, "notes.txt"),
    stock!(Document, "table.csv"),
    stock!(Document, "backup.json"),
    stock!(Download, "report.pdf"),
];

/// Writes the user's data: the suite's, else, on a phone in use, the default data.
///
/// # Errors
/// A file of the suite cannot be read, or the device's folder cannot be written.
pub fn write(settings: &JvmSettings) -> Result<(), DeviceError> {
    let to = settings.work.join(DATA);
    if !settings.data.is_empty() {
        return provision::write(&settings.data, &to);
    }
    if settings.outside == Outside::Empty {
        return Ok(());
    }
    let files = settings.work.join(FILES);
    fs::create_dir_all(&files)?;
    let data = data(settings.seed, &files);
    for (file, (_, name, bytes)) in data.files.iter().zip(ordered(settings.seed)) {
        debug_assert!(file.from.ends_with(name));
        fs::write(&file.from, bytes)?;
    }
    provision::write(&data, &to)
}

fn random(seed: u64) -> Rng {
    generator(seed, "what a phone has on it", "", 0)
}

fn ordered(seed: u64) -> [(FileKind, &'static str, &'static [u8]); 9] {
    let mut stock = STOCK;
    stock.shuffle(&mut random(seed));
    stock
}

fn data(seed: u64, files: &Path) -> DeviceData {
    let mut rng = random(seed);
    let mut people = PEOPLE;
    people.shuffle(&mut rng);
    let mut texts = TEXTS;
    texts.shuffle(&mut rng);
    let numbers: Vec<&str> = people.iter().filter_map(|person| person.1).collect();
    let mut at = THEN;
    let mut number = |ix: usize| {
        at += DAY / 3;
        (numbers[ix % numbers.len()].to_owned(), at)
    };
    let messages = texts.iter().enumerate().map(|(ix, text)| {
        let (number, at) = number(ix / 2);
        Message {
            number,
            text: (*text).to_owned(),
            sent: ix % 3 == 1,
            at,
        }
    });
    let messages = messages.collect();
    let calls = [(1, 75), (2, 12), (3, 0)].into_iter().enumerate();
    let calls = calls.map(|(ix, (kind, seconds))| {
        let (number, at) = number(ix);
        Call {
            number,
            kind,
            seconds,
            at,
        }
    });
    let calls = calls.collect();
    let entries = ENTRIES.iter().zip(5i64..).map(|((title, place), day)| {
        let begin = THEN + day * DAY;
        CalendarEvent {
            title: (*title).to_owned(),
            place: (*place).to_owned(),
            at: (begin, begin + DAY / 24),
        }
    });
    DeviceData {
        contacts: people
            .iter()
            .map(|&(name, phone, email)| Contact {
                name: name.to_owned(),
                phone: phone.map(str::to_owned),
                email: email.map(str::to_owned),
            })
            .collect(),
        messages,
        calls,
        calendar: entries.collect(),
        files: ordered(seed)
            .into_iter()
            .map(|(kind, name, _)| StoredFile {
                kind,
                from: files.join(name),
            })
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_is_a_phone_and_a_suites_own_data_take_its_place() {
        let folder = tempfile::tempdir().unwrap();
        let mut settings = JvmSettings::new(folder.path(), folder.path().join("logs"));
        let tables = |settings: &JvmSettings| {
            write(settings).unwrap();
            fs::read_to_string(settings.work.join(DATA).join("tables.json")).unwrap()
        };
        let first = tables(&settings);
        assert_eq!(first, tables(&settings));
        for name in [
            "Ada Lovelace",
            "media/video",
            "media/downloads",
            "user_dictionary/words",
        ] {
            assert!(first.contains(name), "{name}: {first}");
        }
        for name in ["dog.jpg", "holiday.jpg"] {
            let picture = settings.work.join(DATA).join("sdcard/Pictures").join(name);
            let bytes = fs::read(picture).unwrap();
            assert!(bytes.starts_with(b"\xff\xd8") && bytes.len() > 5_000);
        }
        settings.seed = 7;
        assert_ne!(first, tables(&settings));
        settings.data.contacts.push(Contact {
            name: "Only".to_owned(),
            phone: None,
            email: None,
        });
        let own = tables(&settings);
        assert!(own.contains("Only") && !own.contains("Lovelace"), "{own}");
        settings.data = DeviceData::default();
        settings.outside = Outside::Empty;
        fs::remove_dir_all(settings.work.join(DATA)).unwrap();
        write(&settings).unwrap();
        assert!(!settings.work.join(DATA).exists());
    }
}
