//! What is typed into a field: the suite's values first, else by input type and hint, else from pools and fuzz.

use crate::gui::{Flags, Page, Widget};
use crate::outcome::run_event::Input;
use crate::util::intern::Interner;
use crate::util::seed::Rng;
use rand::RngExt as _;

mod pools;
mod words;

use pools::{EMAILS, FUZZ, NAMES, PASSWORDS, PHONES, PLACES, URLS, WORDS};
use words::FieldWords;

/// Chooses texts for fields.
#[derive(Clone, Debug)]
pub struct TextGenerator {
    /// Values from the suite.
    values: Vec<Given>,
    /// Share of texts meant to break things, 0 to 1.
    fuzz: f64,
    /// Strings that replace all pools (FATE's), if any.
    pool: Option<Vec<String>>,
}

impl Default for TextGenerator {
    fn default() -> Self {
        Self {
            values: Vec::new(),
            fuzz: 1.0 / 3.0,
            pool: None,
        }
    }
}

/// The key whose value is for every field that no other key matches.
const ANY: &str = "*";

/// A value from the suite.
#[derive(Clone, Debug)]
struct Given {
    /// As the suite writes it.
    key: String,
    /// The key in small letters, to be compared with resource-id, hint and description.
    name: String,
    value: String,
    secret: bool,
}

/// What a field wants.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Wants {
    Number { signed: bool, decimal: bool },
    Phone,
    Date,
    Time,
    Email,
    Url,
    Password,
    Name,
    Place,
    Words,
}

// android.text.InputType
const CLASS_MASK: u32 = 0xf;
const VARIATION_MASK: u32 = 0xff0;
const NUMBER_SIGNED: u32 = 0x1000;
const NUMBER_DECIMAL: u32 = 0x2000;

/// Words in a resource-id, hint or description that tell what a field wants, the first that matches.
const HINTS: [(&[&str], Wants); 9] = [
    (&["mail", "gmail"], Wants::Email),
    (
        &["url", "http", "https", "web", "website", "server", "host"],
        Wants::Url,
    ),
    (&["phone", "mobile"], Wants::Phone),
    (&["password", "passwd"], Wants::Password),
    (&["date", "birth", "birthday"], Wants::Date),
    (&["time"], Wants::Time),
    (
        &[
            "number", "amount", "count", "price", "age", "weight", "port", "pin", "qty", "minute",
        ],
        Wants::Number {
            signed: false,
            decimal: false,
        },
    ),
    (
        &[
            "city",
            "cities",
            "address",
            "addresses",
            "street",
            "country",
            "countries",
            "location",
        ],
        Wants::Place,
    ),
    (&["user", "name", "author", "contact"], Wants::Name),
];

/// Words in the names of a number's field that tell its range, the first that matches.
const RANGES: [(&str, u32, u32); 6] = [
    ("day", 1, 31),
    ("month", 1, 12),
    ("year", 1900, 2100),
    ("hour", 0, 23),
    ("minute", 0, 59),
    ("percent", 0, 100),
];

impl TextGenerator {
    /// With the suite's values for this app.
    pub fn with_values(values: Vec<(String, String)>) -> Self {
        let given = |(key, value): (String, String)| Given {
            name: key.to_lowercase(),
            key,
            value,
            secret: false,
        };
        Self {
            values: values.into_iter().map(given).collect(),
            ..Self::default()
        }
    }

    /// The values of these keys are secrets: inputs name the key.
    pub fn keep_secret(&mut self, keys: &[String]) {
        for given in &mut self.values {
            given.secret = keys.contains(&given.key);
        }
    }

    /// What a person typed, with the key of the secret that it is.
    pub fn typed(&self, s: String, enter: bool) -> Input {
        let mut secrets = self.values.iter().filter(|given| given.secret);
        match secrets.find(|given| given.value == s) {
            Some(given) => Input::Secret {
                key: given.key.clone(),
                s,
                enter,
            },
            None => Input::Text { s, enter },
        }
    }

    /// Draws every text uniformly from this pool instead (FATE's semantics).
    pub fn from_pool(pool: Vec<String>) -> Self {
        Self {
            pool: Some(pool),
            ..Self::default()
        }
    }

    /// A text for the widget with this index; half of the time its editor action follows, if it has one.
    pub fn generate(&self, page: &Page, widget: u32, interner: &Interner, rng: &mut Rng) -> Input {
        let Some(field) = page.widgets.get(widget as usize) else {
            return Input::Text {
                s: String::new(),
                enter: false,
            };
        };
        if let Some(pool) = self.pool.as_ref().filter(|pool| !pool.is_empty()) {
            return Input::Text {
                s: pool[rng.random_range(0..pool.len())].clone(),
                enter: false,
            };
        }
        let (id, names) = names_of(field, interner);
        let given = self.given(id, &names);
        let s = match given {
            Some(given) => kept(&given.value, field),
            None => kept(&self.choose(field, &names, rng), field),
        };
        let enter = field.ime_action > 1 && rng.random();
        match given.filter(|given| given.secret) {
            Some(given) => Input::Secret {
                key: given.key.clone(),
                s,
                enter,
            },
            None => Input::Text { s, enter },
        }
    }

    /// The key of the suite's value for this widget.
    pub fn key_of(&self, page: &Page, widget: u32, interner: &Interner) -> Option<&str> {
        let field = page.widgets.get(widget as usize)?;
        let (id, names) = names_of(field, interner);
        self.given(id, &names).map(|given| given.key.as_str())
    }

    /// The suite's value for a field with this id and these words in its names.
    fn given(&self, id: &str, names: &FieldWords) -> Option<&Given> {
        let id = id.to_lowercase();
        let exact = self.values.iter().find(|given| id == given.name);
        let within = |given: &&Given| names.have_all(&given.key);
        let any = |given: &&Given| given.name == ANY;
        exact
            .or_else(|| self.values.iter().find(within))
            .or_else(|| self.values.iter().find(any))
    }

    fn choose(&self, field: &Widget, names: &FieldWords, rng: &mut Rng) -> String {
        let wants = wants(field, names);
        if rng.random_bool(self.fuzz) {
            return fuzz(wants, rng);
        }
        let pick = |pool: &[&str], rng: &mut Rng| pool[rng.random_range(0..pool.len())].to_owned();
        match wants {
            Wants::Number { signed, decimal } => {
                within(names, rng).unwrap_or_else(|| number(signed, decimal, rng))
            }
            Wants::Phone => pick(&PHONES, rng),
            Wants::Date => format!(
                "{}-{:02}-{:02}",
                rng.random_range(1970..2040),
                rng.random_range(1..=12),
                rng.random_range(1..=28)
            ),
            Wants::Time => format!(
                "{:02}:{:02}",
                rng.random_range(0..24),
                rng.random_range(0..60)
            ),
            Wants::Email => pick(&EMAILS, rng),
            Wants::Url => pick(&URLS, rng),
            Wants::Password => pick(&PASSWORDS, rng),
            Wants::Name => pick(&NAMES, rng),
            Wants::Place => pick(&PLACES, rng),
            // An untyped field may want anything; a number now and then opens doors.
            Wants::Words if rng.random_ratio(1, 5) => number(false, false, rng),
            Wants::Words => pick(&WORDS, rng),
        }
    }
}

/// What a field keeps of a text.
pub fn kept(text: &str, field: &Widget) -> String {
    let longest = field.max_length.map_or(usize::MAX, |max| max as usize);
    text.chars().take(longest).collect()
}

/// The last part of a field's id, and the words of its names.
fn names_of<'i>(field: &Widget, interner: &'i Interner) -> (&'i str, FieldWords) {
    let id = interner.get(field.resource_id);
    // The package before it says what the app is for, not what the field is.
    let id = id.rsplit('/').next().unwrap_or(id);
    let names = [
        id,
        interner.get(field.hint),
        interner.get(field.description),
    ];
    (id, FieldWords::new(&names))
}

fn wants(field: &Widget, names: &FieldWords) -> Wants {
    let variation = field.input_type & VARIATION_MASK;
    match field.input_type & CLASS_MASK {
        2 => Wants::Number {
            signed: field.input_type & NUMBER_SIGNED != 0,
            decimal: field.input_type & NUMBER_DECIMAL != 0,
        },
        3 => Wants::Phone,
        4 if variation == 0x20 => Wants::Time,
        4 => Wants::Date,
        1 if variation == 0x10 => Wants::Url,
        1 if matches!(variation, 0x20 | 0xd0) => Wants::Email,
        1 if variation == 0x60 => Wants::Name,
        1 if variation == 0x70 => Wants::Place,
        1 if matches!(variation, 0x80 | 0x90 | 0xe0) => Wants::Password,
        _ if field.flags.has(Flags::PASSWORD) => Wants::Password,
        _ => HINTS
            .iter()
            .find(|(words, _)| words.iter().any(|word| names.have(word)))
            .map_or(Wants::Words, |&(_, wants)| wants),
    }
}

/// Small numbers mostly: counts, ages and sizes are.
fn number(signed: bool, decimal: bool, rng: &mut Rng) -> String {
    let digits = rng.random_range(1..=4_u32);
    let mut text = rng.random_range(0..10_u32.pow(digits)).to_string();
    if decimal && rng.random() {
        text = format!("{text}.{}", rng.random_range(0..100));
    }
    if signed && rng.random_ratio(1, 4) {
        text.insert(0, '-');
    }
    text
}

/// A number of the range that the field's names tell: one of its ends half of the time.
fn within(names: &FieldWords, rng: &mut Rng) -> Option<String> {
    let (_, low, high) = RANGES.iter().find(|(word, ..)| names.have(word))?;
    let number = match rng.random_range(0..4) {
        0 => *low,
        1 => *high,
        _ => rng.random_range(*low..=*high),
    };
    Some(number.to_string())
}

fn fuzz(wants: Wants, rng: &mut Rng) -> String {
    if rng.random_ratio(1, 10) {
        return "x".repeat(rng.random_range(200..2_000));
    }
    match wants {
        // What a number field's filter would refuse anyway teaches nothing.
        Wants::Number { .. } => {
            let pool = [
                "",
                "0",
                "2147483647",
                "2147483648",
                "9223372036854775808",
                "99999999999999999999",
            ];
            pool[rng.random_range(0..pool.len())].to_owned()
        }
        _ => FUZZ[rng.random_range(0..FUZZ.len())].to_owned(),
    }
}

#[cfg(test)]
mod tests;
