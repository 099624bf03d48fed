//! A network of recorded answers: an archive (a HAR file or a folder of stubs) is read, checked and written in one
//! plain form that the Java process reads.

mod har;
mod socket;
mod stubs;
#[cfg(test)]
mod tests;
mod url;
mod write;

use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// The largest archive, its files taken together.
const MOST: u64 = 256 << 20;
/// The largest body of one answer.
const MOST_OF_BODY: u64 = 32 << 20;
/// The longest delay of an answer, a day in milliseconds.
const LONGEST: u64 = 86_400_000;

/// Why an archive cannot be used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ArchiveError {
    /// The file.
    pub file: PathBuf,
    /// The entry in it, where one is to blame.
    pub entry: Option<String>,
    /// What is wrong.
    pub what: String,
    /// What to do.
    pub fix: String,
}

impl fmt::Display for ArchiveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.file.display())?;
        if let Some(entry) = &self.entry {
            write!(f, "{entry}: ")?;
        }
        f.write_str(&self.what)
    }
}

impl std::error::Error for ArchiveError {}

/// What is wrong with an entry, and what to do; the reader adds file and entry.
#[derive(Debug)]
struct Wrong {
    what: String,
    fix: String,
}

impl Wrong {
    fn new(what: impl Into<String>, fix: impl Into<String>) -> Self {
        Self {
            what: what.into(),
            fix: fix.into(),
        }
    }

    fn at(self, file: &Path, entry: Option<String>) -> ArchiveError {
        ArchiveError {
            file: file.to_owned(),
            entry,
            what: self.what,
            fix: self.fix,
        }
    }
}

/// Where a request ends that gets no response.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Failure {
    /// Nobody accepts the connection.
    Refused,
    /// The name does not resolve.
    UnknownHost,
    /// The connection breaks in place of an answer.
    Reset,
    /// No answer ever comes.
    Timeout,
}

/// Where a body is.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Body {
    Bytes(Vec<u8>),
    File(PathBuf),
}

impl Default for Body {
    fn default() -> Self {
        Self::Bytes(Vec::new())
    }
}

/// What a server sends by a web socket.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
struct Message {
    /// How many messages of the app come before it.
    after: u32,
    /// How long after the message before it, the app's or the server's.
    delay_ms: u64,
    /// Is it a text, or bytes?
    text: bool,
    /// Its content in base64.
    data: String,
}

/// The method by which the rules for web sockets go: no request of HTTP has it.
const SOCKET: &str = "WEBSOCKET";

/// One response, or the failure in its place.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Answer {
    status: u16,
    reason: String,
    headers: Vec<(String, String)>,
    body: Body,
    delay_ms: u64,
    fail: Option<Failure>,
    /// Of a web socket.
    messages: Vec<Message>,
}

impl Answer {
    fn failure(fail: Failure, delay_ms: u64) -> Self {
        Self {
            delay_ms,
            fail: Some(fail),
            ..Self::default()
        }
    }
}

/// Which requests get an answer: the first rule that fits and is not used up.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
struct Rule {
    /// Any, where it is missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    method: Option<String>,
    url: String,
    /// Does `*` in the URL stand for any text?
    wild: bool,
    /// Is the query of a request left out of the comparison?
    loose: bool,
    /// For how many requests it holds; for all, where it is missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    times: Option<u32>,
    /// Which of the archive's answers.
    answer: usize,
}

/// An archive that was read and found right.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Archive {
    answers: Vec<Answer>,
    rules: Vec<Rule>,
    /// Hosts that have answers.
    hosts: Vec<String>,
    /// Hosts whose names are wanted not to resolve.
    unknown: Vec<String>,
}

impl Archive {
    /// Reads a HAR file, or a folder with a `stubs.toml`.
    ///
    /// # Errors
    /// It is not there, too large, or an entry is wrong.
    pub fn read(path: &Path) -> Result<Self, ArchiveError> {
        let mut archive = if path.is_dir() {
            stubs::read(path)?
        } else {
            har::read(path)?
        };
        archive.hosts.sort();
        archive.hosts.dedup();
        archive.unknown.sort();
        archive.unknown.dedup();
        if archive.hosts.len() > write::MOST_HOSTS {
            let what = format!("it has {} hosts", archive.hosts.len());
            let fix = format!("keep at most {} hosts in one archive", write::MOST_HOSTS);
            return Err(Wrong::new(what, fix).at(path, None));
        }
        Ok(archive)
    }

    fn add(&mut self, rule: Rule, host: &str) {
        self.rules.push(rule);
        self.hosts.push(host.to_owned());
    }
}

/// The text of a file of at most this size.
fn text(file: &Path, most: u64) -> Result<String, ArchiveError> {
    let wrong = |what: String, fix: &str| Wrong::new(what, fix).at(file, None);
    let unreadable = |e: io::Error| {
        wrong(
            format!("cannot be read: {e}"),
            "name a .har file or a folder with a stubs.toml; a relative path starts from the folder of the suite",
        )
    };
    // A pipe would keep the reader waiting, and a device has no end.
    if !fs::metadata(file).map_err(unreadable)?.is_file() {
        return Err(wrong("it is not a file".to_owned(), "name a .har file"));
    }
    let mut bytes = Vec::new();
    File::open(file)
        .and_then(|opened| opened.take(most + 1).read_to_end(&mut bytes))
        .map_err(unreadable)?;
    if bytes.len() as u64 > most {
        return Err(wrong(
            format!("it has more than {} MB", most >> 20),
            "leave out what the app does not ask for",
        ));
    }
    let text = String::from_utf8(bytes)
        .map_err(|_| wrong("it is not UTF-8".to_owned(), "save the file as UTF-8"))?;
    Ok(match text.strip_prefix('\u{feff}') {
        Some(rest) => rest.to_owned(),
        None => text,
    })
}

/// Is it a method?
fn is_method(text: &str) -> bool {
    http::Method::from_bytes(text.as_bytes()).is_ok()
}

/// Is it a name of a header?
fn is_header(text: &str) -> bool {
    http::HeaderName::from_bytes(text.as_bytes()).is_ok()
}

/// Is it a header that describes how a connection carries a body? The device's server writes its own.
fn of_the_connection(name: &str) -> bool {
    const OURS: [&str; 9] = [
        "connection",
        "content-encoding",
        "content-length",
        "keep-alive",
        "proxy-connection",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
    ];
    OURS.iter().any(|ours| name.eq_ignore_ascii_case(ours))
}

/// What a status is called.
fn reason(status: u16) -> &'static str {
    http::StatusCode::from_u16(status)
        .ok()
        .and_then(|status| status.canonical_reason())
        .unwrap_or("Status")
}
