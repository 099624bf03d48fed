//! Reads HAR 1.2, as browsers and proxies write it.

use super::socket;
use super::url::Url;
use super::{
    Answer, Archive, ArchiveError, Body, Failure, LONGEST, MOST, MOST_OF_BODY, Rule, SOCKET, Wrong,
    is_header, is_method, of_the_connection, reason, text,
};
use data_encoding::BASE64_NOPAD;
use serde::Deserialize;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
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
    /// Chrome's word for a failure.
    #[serde(default, rename = "_error")]
    error: Option<String>,
}

#[derive(Deserialize)]
struct Header {
    name: String,
    value: String,
}

#[derive(Default, Deserialize)]
struct Content {
    #[serde(default)]
    size: Option<f64>,
    #[serde(default)]
    text: Option<String>,
    #[serde(default)]
    encoding: Option<String>,
}

/// A request with what it got.
struct Exchange {
    method: String,
    url: Url,
    answer: Answer,
    error: Option<String>,
}

pub fn read(file: &Path) -> Result<Archive, ArchiveError> {
    let whole: Whole = serde_json::from_str(&text(file, MOST)?).map_err(|e| {
        Wrong::new(
            format!("it is not a HAR file: {e}"),
            "export the traffic as HAR 1.2, or name a folder with a stubs.toml",
        )
        .at(file, None)
    })?;
    let mut exchanges = Vec::new();
    for (index, value) in whole.log.entries.into_iter().enumerate() {
        let name = name(index, &value);
        let read = exchange(value).map_err(|wrong| wrong.at(file, Some(name)))?;
        exchanges.extend(read);
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
    let url = Url::parse(&address.replace(' ', "%20"))?;
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

fn answer(method: &str, response: Response, delay_ms: u64) -> Result<Answer, Wrong> {
    let status = response.status as u16;
    if f64::from(status) != response.status || !(200..=599).contains(&status) {
        return Err(Wrong::new(
            format!("{} is not the status of a response", response.status),
            "delete the entry, or give it a status from 200 to 599",
        ));
    }
    let is_text = response.content.encoding.is_none();
    let empty = method == "HEAD" || matches!(status, 204 | 304);
    let body = if empty {
        Vec::new()
    } else {
        body(response.content)?
    };
    let headers = headers(response.headers, is_text)?;
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
    let Some(text) = content.text else {
        return match content.size {
            Some(size) if size > 0.0 => Err(Wrong::new(
                format!("its body of {size} bytes is not in the file"),
                "export the HAR with content, or delete the entry",
            )),
            _ => Ok(Vec::new()),
        };
    };
    let bytes = match content.encoding.as_deref() {
        None | Some("") => text.into_bytes(),
        Some(name) if name.eq_ignore_ascii_case("base64") => decoded(&text).ok_or_else(|| {
            Wrong::new(
                "its body is not valid base64",
                "export the traffic again, or delete the entry",
            )
        })?,
        Some(other) => {
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

/// Equal requests get their responses in order, then the last one repeatedly; matched by the complete address, else
/// without the query.
fn archive(exchanges: Vec<Exchange>) -> Archive {
    let mut archive = Archive::default();
    let (unresolved, refused) = (
        always(&exchanges, "NAME_NOT_RESOLVED", |url| url.host.clone()),
        always(&exchanges, "CONNECTION_REFUSED", Url::root),
    );
    let mut loose: Vec<(Rule, String)> = Vec::new();
    for exchange in exchanges {
        let Exchange {
            method,
            url,
            mut answer,
            ..
        } = exchange;
        if unresolved.contains(&url.host) {
            archive.unknown.push(url.host);
            continue;
        }
        let early = refused.contains(&url.root());
        if early {
            answer.fail = Some(Failure::Refused);
        }
        let rule = |url: String, loose| Rule {
            method: (!early).then(|| method.clone()),
            url,
            wild: false,
            loose,
            times: Some(1),
            answer: archive.answers.len(),
        };
        if !early {
            loose.push((rule(url.without_query().to_owned(), true), url.host.clone()));
        }
        let exact = rule(if early { url.root() } else { url.text }, false);
        archive.answers.push(answer);
        archive.add(exact, &url.host);
    }
    for (rule, host) in loose {
        archive.add(rule, &host);
    }
    let mut last = BTreeMap::new();
    for (index, rule) in archive.rules.iter().enumerate() {
        last.insert((rule.loose, rule.method.clone(), rule.url.clone()), index);
    }
    for index in last.into_values() {
        archive.rules[index].times = None;
    }
    archive
}

/// The hosts, or the hosts with ports, all of whose requests failed so.
fn always(exchanges: &[Exchange], error: &str, of: impl Fn(&Url) -> String) -> BTreeSet<String> {
    let (failed, others): (Vec<_>, Vec<_>) = exchanges.iter().partition(|exchange| {
        let said = exchange.error.as_deref().unwrap_or_default();
        exchange.answer.fail.is_some() && said.contains(error)
    });
    let others: BTreeSet<_> = others.iter().map(|exchange| of(&exchange.url)).collect();
    let failed = failed.iter().map(|exchange| of(&exchange.url));
    failed.filter(|one| !others.contains(one)).collect()
}

#[cfg(test)]
mod tests {
    use super::decoded;

    #[test]
    fn published_values_of_base64_are_read() {
        let pairs = [
            ("", ""),
            ("Zg==", "f"),
            ("Zm8=", "fo"),
            ("Zm9v", "foo"),
            ("Zm9vYg", "foob"),
            ("Zm9v\nYmFy\n", "foobar"),
        ];
        for (text, bytes) in pairs {
            assert_eq!(decoded(text).as_deref(), Some(bytes.as_bytes()), "{text}");
        }
        assert_eq!(decoded("Z"), None);
        assert_eq!(decoded("Zm9v!"), None);
    }
}
