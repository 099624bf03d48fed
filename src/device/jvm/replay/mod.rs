//! A network of recorded responses: reads and checks an archive (a HAR file or a folder of stubs), and writes it in one
//! plain format for the Java process.

mod exchanges;
mod har;
mod host;
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

/// Limit on an archive with its files.
const MOST: u64 = 256 << 20;
/// Limit on the body of a response.
const MOST_OF_BODY: u64 = 32 << 20;
/// Limit on the delay of a response, a day in milliseconds.
const LONGEST: u64 = 86_400_000;

/// Why an archive cannot be used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ArchiveError {
    /// The file.
    pub file: PathBuf,
    /// The entry with the problem, if it is in one.
    pub entry: Option<String>,
    /// The problem.
    pub what: String,
    /// The fix.
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

/// The problem of an entry, and the fix; the reader adds file and entry.
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

/// The failure of a request without a response.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Failure {
    /// The connection is refused.
    Refused,
    /// The name does not resolve.
    UnknownHost,
    /// The connection breaks instead of a response.
    Reset,
    /// No response ever comes.
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

/// A server's message on a web socket.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
struct Message {
    /// The number of the app's messages before it.
    after: u32,
    /// The delay after the previous message of either side.
    delay_ms: u64,
    /// Whether it is a text; otherwise bytes.
    text: bool,
    /// Its content in base64.
    data: String,
}

/// The method by which the rules for web sockets go: no request of HTTP has it.
const SOCKET: &str = "WEBSOCKET";

/// One response, or a failure instead.
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

/// A rule for requests; the first rule that matches and is not used up applies.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
struct Rule {
    /// Any, where it is missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    method: Option<String>,
    url: String,
    /// Whether `*` in the URL matches any text.
    wild: bool,
    /// Whether to ignore the query of a request.
    loose: bool,
    /// The number of requests it applies to; all if missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    times: Option<u32>,
    /// The index of the response in the archive.
    answer: usize,
}

/// A valid archive.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Archive {
    answers: Vec<Answer>,
    rules: Vec<Rule>,
    /// Hosts with responses.
    hosts: Vec<String>,
    /// Hosts whose names do not resolve.
    unknown: Vec<String>,
}

impl Archive {
    /// Reads a HAR file, or a folder with a `stubs.toml`.
    ///
    /// # Errors
    /// It is missing or too large, or an entry is invalid.
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
            "name a .har file or a folder with a stubs.toml; relative paths start from the folder of the suite",
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
            "delete what the app does not request",
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

/// The name of a status.
fn reason(status: u16) -> &'static str {
    http::StatusCode::from_u16(status)
        .ok()
        .and_then(|status| status.canonical_reason())
        .unwrap_or("Status")
}
