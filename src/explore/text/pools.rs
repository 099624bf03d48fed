//! What is typed where the suite says nothing: what people type, and what is meant to break things.

pub const WORDS: [&str; 13] = [
    "hello",
    "test",
    "note",
    "Anna's list",
    "milk",
    "don't forget",
    "work",
    "a",
    "blue",
    "Lorem ipsum dolor",
    "abc",
    "android",
    "one two three",
];
pub const NAMES: [&str; 6] = ["Ada", "Alan Turing", "Grace", "Linus", "anna", "O'Neil"];
pub const PLACES: [&str; 4] = ["Berlin", "New York", "Main Street 5", "Tokyo"];
pub const EMAILS: [&str; 3] = ["ada@example.com", "a.b+c@example.org", "test@example.net"];
pub const URLS: [&str; 3] = [
    "http://example.com",
    "https://example.org/a?b=c",
    "example.net",
];
pub const PHONES: [&str; 4] = ["5551234", "+4930123456", "112", "0123456789"];
pub const PASSWORDS: [&str; 4] = ["secret12", "Passw0rd!", "1234", "correct horse"];
pub const FUZZ: [&str; 25] = [
    "",
    " ",
    "...",
    "'",
    ",",
    "\"",
    "\\",
    "0",
    "-1",
    "99999999999999999999",
    "1e309",
    "3.14",
    "null",
    "'; DROP TABLE x; --",
    "\"quoted\"",
    "%s %d %n",
    "<b>bold</b>",
    "a\tb",
    "../../etc",
    "ünïcödé",
    "日本語",
    "שלום",
    "🙂🚀",
    "[a-",
    "*.*",
];
