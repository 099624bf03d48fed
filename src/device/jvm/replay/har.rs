//! Reads HAR 1.2, as browsers and proxies write it.

use super::exchanges::{Exchange, archive};
use super::socket;
use super::url::Url;
use super::{
    Answer, Archive, ArchiveError, Body, Failure, LONGEST, MOST, MOST_OF_BODY, SOCKET, Wrong,
    is_header, is_method, of_the_connection, reason, text,
};
use data_encoding::BASE64_NOPAD;
use percent_encoding::{AsciiSet, utf8_percent_encode};
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use std::path::Path;

#[derive(Deserialize)]
struct Whole {
    log: Log,
}

#[derive(Deserialize)]
struct Log {
    entries: Vec<Value>,
}

#[derive(Deserialize)]
struct Entry {
    request: Request,
    response: Response,
    #[serde(default)]
    time: Option<f64>,
    /// Chrome's record of a web socket.
    #[serde(default, rename = "_webSocketMessages")]
    messages: Option<Vec<socket::Recorded>>,
}

#[derive(Deserialize)]
struct Request {
    method: String,
    url: String,
}

#[derive(Deserialize)]
struct Response {
    #[serde(default)]
    status: f64,
    #[serde(default, rename = "statusText")]
    status_text: Option<String>,
    #[serde(default)]
    headers: Vec<Header>,
    #[serde(default)]
    content: Content,
    #[serde(default, rename = "redirectURL")]
    redirect: Option<String>,
    /// Chrome's word for a failure.
    #[serde(default, rename = "_error", deserialize_with = "words")]
    error: Option<String>,
}

/// A failure: Chrome writes a text, other exporters an object. Names with `_` are not the standard's, and none of them
/// makes an entry unreadable.
fn words<'de, D: Deserializer<'de>>(from: D) -> Result<Option<String>, D::Error> {
    Ok(match Value::deserialize(from)? {
        Value::Null => None,
        Value::String(text) => Some(text),
        other => other["message"]
            .as_str()
            .map(str::to_owned)
            .or(Some(other.to_string())),
    })
}

#[derive(Deserialize)]
struct Header {
    name: String,
    /// A line for each header of this name.
    #[serde(deserialize_with = "lines")]
    value: String,
}

/// A text, or several: some exporters write all headers of one name as a list.
fn lines<'de, D: Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Lines {
        One(String),
        All(Vec<String>),
    }
    Ok(match Lines::deserialize(from)? {
        Lines::One(line) => line,
        Lines::All(lines) => lines.join("\n"),
    })
}

#[derive(Default, Deserialize)]
struct Content {
    #[serde(default)]
    size: Option<f64>,
    #[serde(default)]
    text: Option<String>,
    #[serde(default)]
    encoding: Option<String>,
    #[serde(default, rename = "mimeType")]
    mime_type: Option<String>,
}

impl Content {
    /// Is the text the body? Some exporters name its encoding, which in a HAR is base64 or nothing.
    fn is_text(&self) -> bool {
        let name = self.encoding.as_deref().unwrap_or_default().trim();
        let name = name.to_ascii_lowercase();
        let plain = [
            "", "identity", "none", "plain", "text", "ascii", "us-ascii", "latin1",
        ];
        let of = |start: &str| name.starts_with(start);
        plain.contains(&name.as_str()) || of("utf") || of("iso-8859-") || of("windows-")
    }
}

/// What clients escape in an address, and some exporters write as it is shown.
const SHOWN: &AsciiSet = &AsciiSet::EMPTY.add(b' ').add(b'"').add(b'<').add(b'>');
/// The status of an answer whose body is in the client's cache. The app's cache on the device is empty.
const NOT_MODIFIED: u16 = 304;

pub fn read(file: &Path) -> Result<Archive, ArchiveError> {
    let whole: Whole = serde_json::from_str(&text(file, MOST)?).map_err(|e| {
        Wrong::new(
            format!("it is not a HAR file: {e}"),
            "export the traffic as HAR 1.2, or name a folder with a stubs.toml",
        )
        .at(file, None)
    })?;
    let mut exchanges: Vec<Exchange> = Vec::new();
    for (index, value) in whole.log.entries.into_iter().enumerate() {
        let name = name(index, &value);
        let read = exchange(value).map_err(|wrong| wrong.at(file, Some(name.clone())))?;
        let Some(mut read) = read else {
            continue;
        };
        if read.answer.status == NOT_MODIFIED && read.answer.fail.is_none() {
            // What the body was is in an earlier answer, or nowhere.
            let same = |one: &&Exchange| {
                one.answer.status == 200 && one.method == read.method && one.url == read.url
            };
            let earlier = exchanges.iter().rfind(same).ok_or_else(|| {
                Wrong::new(
                    "its status is 304, and the body that was not modified is not in the file",
                    "record with an empty cache, or delete the entry",
                )
                .at(file, Some(name))
            })?;
            let delay_ms = read.answer.delay_ms;
            read.answer = Answer {
                delay_ms,
                ..earlier.answer.clone()
            };
        }
        exchanges.push(read);
    }
    if exchanges.is_empty() {
        let wrong = Wrong::new(
            "it has no HTTP or HTTPS request",
            "record the app's traffic and export it with content",
        );
        return Err(wrong.at(file, None));
    }
    Ok(archive(exchanges))
}

/// `entry 3 (GET https://..)`, counted from 1.
fn name(index: usize, value: &Value) -> String {
    let part = |key: &str| value["request"][key].as_str();
    match (part("method"), part("url")) {
        (Some(method), Some(url)) => {
            let url: String = url.chars().take(200).collect();
            format!("entry {} ({method} {url})", index + 1)
        }
        _ => format!("entry {}", index + 1),
    }
}

/// The content of an entry; nothing for `data:` addresses and web sockets without messages.
fn exchange(value: Value) -> Result<Option<Exchange>, Wrong> {
    let entry: Entry = serde_json::from_value(value).map_err(|e| {
        Wrong::new(
            format!("it is not an entry of HAR 1.2: {e}"),
            "export the traffic again, or delete the entry",
        )
    })?;
    let (mut method, mut address) = (entry.request.method, entry.request.url);
    let scheme = address.split(':').next().unwrap_or_default();
    let is = |known: &[&str]| known.iter().any(|known| scheme.eq_ignore_ascii_case(known));
    let switched = entry.response.status == 101.0;
    let socket = is(&["ws", "wss"]) || switched && entry.messages.is_some();
    if !socket && !is(&["http", "https"]) || switched && entry.messages.is_none() {
        return Ok(None);
    }
    if socket {
        method = SOCKET.to_owned();
        address = socket::as_http(&address);
    }
    let address = utf8_percent_encode(address.trim(), SHOWN).to_string();
    let url = Url::parse(&address)?;
    if !is_method(&method) {
        return Err(Wrong::new(
            format!("{method:?} is not a method"),
            "delete the entry",
        ));
    }
    // -1: not measured.
    let delay_ms = entry.time.unwrap_or(0.0).clamp(0.0, LONGEST as f64).round() as u64;
    let error = entry
        .response
        .error
        .clone()
        .filter(|error| !error.is_empty());
    let answer = if entry.response.status <= 0.0 {
        let late = error
            .as_ref()
            .is_some_and(|error| error.contains("TIMED_OUT"));
        let fail = if late {
            Failure::Timeout
        } else {
            Failure::Reset
        };
        Answer::failure(fail, delay_ms)
    } else if switched {
        let messages = socket::messages(entry.messages.unwrap_or_default())?;
        let headers = headers(entry.response.headers, false)?;
        Answer {
            status: 101,
            reason: reason(101).to_owned(),
            // What the two sides agree on is the device's own: nothing is compressed.
            headers: headers
                .into_iter()
                .filter(|(name, _)| !socket::is_agreed(name))
                .collect(),
            messages,
            ..Answer::default()
        }
    } else {
        answer(&method, entry.response, delay_ms)?
    };
    Ok(Some(Exchange {
        method,
        url,
        answer,
        error,
    }))
}

fn answer(method: &str, mut response: Response, delay_ms: u64) -> Result<Answer, Wrong> {
    let mut status = response.status as u16;
    if f64::from(status) != response.status || !(200..=599).contains(&status) {
        return Err(Wrong::new(
            format!("{} is not the status of a response", response.status),
            "delete the entry, or give it a status from 200 to 599",
        ));
    }
    let is_text = response.content.is_text();
    // A browser writes the body of its cache that it showed; an app without a cache gets all of it.
    let text = response.content.text.as_deref();
    if status == NOT_MODIFIED && (method == "HEAD" || text.is_some_and(|text| !text.is_empty())) {
        status = 200;
        response.status_text = None;
    }
    let kind = response.content.mime_type.take();
    // The body of a redirect is not shown, and often not recorded.
    let unrecorded = (300..400).contains(&status) && response.content.text.is_none();
    let empty = method == "HEAD" || matches!(status, 204 | 205 | NOT_MODIFIED) || unrecorded;
    let body = if empty {
        Vec::new()
    } else {
        body(response.content)?
    };
    let mut added = response.headers;
    let mut add = |name: &str, value: Option<String>| {
        let value = value.filter(|value| !value.trim().is_empty());
        if let Some(value) = value
            && !added.iter().any(|one| one.name.eq_ignore_ascii_case(name))
        {
            let name = name.to_owned();
            added.push(Header { name, value });
        }
    };
    if (300..400).contains(&status) {
        add("Location", response.redirect);
    }
    if !body.is_empty() {
        add("Content-Type", kind.filter(|kind| kind.contains('/')));
    }
    let headers = headers(added, is_text)?;
    let named = response.status_text.unwrap_or_default();
    let plain = !named.trim().is_empty() && !named.chars().any(char::is_control);
    Ok(Answer {
        status,
        reason: if plain {
            named.trim().to_owned()
        } else {
            reason(status).to_owned()
        },
        headers,
        body: Body::Bytes(body),
        delay_ms,
        ..Answer::default()
    })
}

/// The headers that an app gets.
fn headers(of: Vec<Header>, is_text: bool) -> Result<Vec<(String, String)>, Wrong> {
    let mut headers = Vec::new();
    for Header { name, value } in of {
        // HTTP/2 has its status among the headers; a HAR holds bodies as they are after decoding.
        if name.starts_with(':') || of_the_connection(&name) {
            continue;
        }
        if !is_header(&name) {
            return Err(Wrong::new(
                format!("{name:?} is not the name of a header"),
                "delete that header",
            ));
        }
        // Chrome writes several headers of one name as lines of one.
        for line in value.lines().map(str::trim) {
            if line.chars().any(char::is_control) {
                return Err(Wrong::new(
                    format!("the header {name} has a control character"),
                    "delete that header",
                ));
            }
            let utf8 = is_text && name.eq_ignore_ascii_case("content-type");
            let value = if utf8 { in_utf8(line) } else { line.to_owned() };
            headers.push((name.clone(), value));
        }
    }
    Ok(headers)
}

fn body(content: Content) -> Result<Vec<u8>, Wrong> {
    let is_text = content.is_text();
    let Some(text) = content.text else {
        return match content.size {
            Some(size) if size > 0.0 => Err(Wrong::new(
                format!("its body of {size} bytes is not in the file"),
                "export the HAR with content, or delete the entry",
            )),
            _ => Ok(Vec::new()),
        };
    };
    let bytes = match content.encoding.as_deref().map(str::trim) {
        _ if is_text => text.into_bytes(),
        Some(name) if name.eq_ignore_ascii_case("base64") => decoded(&text).ok_or_else(|| {
            Wrong::new(
                "its body is not valid base64",
                "export the traffic again, or delete the entry",
            )
        })?,
        other => {
            let other = other.unwrap_or_default();
            return Err(Wrong::new(
                format!("its body is encoded as {other:?}"),
                "a HAR has plain text or base64: export the traffic again",
            ));
        }
    };
    if bytes.len() as u64 > MOST_OF_BODY {
        return Err(Wrong::new(
            format!("its body has {} MB", bytes.len() >> 20),
            format!(
                "a body has at most {} MB: delete the entry",
                MOST_OF_BODY >> 20
            ),
        ));
    }
    Ok(bytes)
}

/// The bytes of base64, with or without padding, on one line or more; `None`: it is none.
fn decoded(text: &str) -> Option<Vec<u8>> {
    let letters: String = text.split_ascii_whitespace().collect();
    let letters = letters.trim_end_matches('=');
    BASE64_NOPAD.decode(letters.as_bytes()).ok()
}

/// A type of text in the encoding that the file has it in.
fn in_utf8(kind: &str) -> String {
    let parts = kind.split(';').map(str::trim).map(|part| {
        let charset = part.len() > 8 && part.is_char_boundary(8);
        if charset && part[..8].eq_ignore_ascii_case("charset=") {
            "charset=utf-8"
        } else {
            part
        }
    });
    parts.collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
#[path = "har_tests.rs"]
mod tests;
