//! A folder of stubs: `stubs.toml`, and the files that it names.

use super::url::Url;
use super::{
    Answer, Archive, ArchiveError, Body, Failure, LONGEST, MOST, MOST_OF_BODY, Rule, Wrong,
    is_header, is_method, of_the_connection, reason, text,
};
use crate::settings::HumanDuration;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Component, Path, PathBuf};

/// The file that lists the stubs of a folder.
const LIST: &str = "stubs.toml";
const KEYS: &str =
    "the keys of a stub are method, url, status, headers, body, file, delay, fail and times";

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Stub {
    #[serde(default)]
    method: Option<String>,
    url: String,
    #[serde(default)]
    status: Option<u16>,
    #[serde(default)]
    headers: BTreeMap<String, String>,
    #[serde(default)]
    body: Option<String>,
    #[serde(default)]
    file: Option<String>,
    #[serde(default)]
    delay: Option<HumanDuration>,
    #[serde(default)]
    fail: Option<Failure>,
    #[serde(default)]
    times: Option<u32>,
}

pub fn read(folder: &Path) -> Result<Archive, ArchiveError> {
    let list = folder.join(LIST);
    let whole: toml::Table = text(&list, MOST_OF_BODY)?
        .parse()
        .map_err(|e: toml::de::Error| {
            Wrong::new(
                format!("it is not TOML: {}", one_line(&e)),
                "correct that line",
            )
            .at(&list, None)
        })?;
    if let Some(key) = whole.keys().find(|key| *key != "stub") {
        let wrong = Wrong::new(
            format!("it has a key `{key}`"),
            "write `[[stub]]` before each stub",
        );
        return Err(wrong.at(&list, None));
    }
    let stubs = match whole.get("stub") {
        Some(toml::Value::Array(stubs)) if !stubs.is_empty() => stubs,
        _ => {
            let wrong = Wrong::new(
                "it has no stub",
                "add `[[stub]]` with a `url`, and `body` or `file`",
            );
            return Err(wrong.at(&list, None));
        }
    };
    let mut archive = Archive::default();
    let mut total = 0;
    for (index, value) in stubs.iter().enumerate() {
        let name = name(index, value);
        let read = Stub::deserialize(value.clone())
            .map_err(|e| Wrong::new(one_line(&e), KEYS))
            .and_then(|stub| add(&mut archive, folder, stub, &mut total));
        read.map_err(|wrong| wrong.at(&list, Some(name)))?;
    }
    let both = archive
        .unknown
        .iter()
        .find(|one| archive.hosts.contains(one));
    if let Some(host) = both {
        let wrong = Wrong::new(
            format!("{host} has a stub with `fail = \"unknown-host\"` and others"),
            "an unknown host gets no requests: keep only that stub, or use `fail = \"refused\"`",
        );
        return Err(wrong.at(&list, None));
    }
    Ok(archive)
}

fn one_line(error: &toml::de::Error) -> String {
    let text = error.to_string();
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join(" ")
}

/// `stub 2 (GET https://..)`.
fn name(index: usize, value: &toml::Value) -> String {
    let part = |key: &str| value.get(key).and_then(toml::Value::as_str);
    match (part("method"), part("url")) {
        (Some(method), Some(url)) => format!("stub {} ({method} {url})", index + 1),
        (None, Some(url)) => format!("stub {} ({url})", index + 1),
        _ => format!("stub {}", index + 1),
    }
}

fn add(archive: &mut Archive, folder: &Path, stub: Stub, total: &mut u64) -> Result<(), Wrong> {
    let url = Url::parse(&stub.url)?;
    if let Some(method) = stub.method.as_deref().filter(|method| !is_method(method)) {
        return Err(Wrong::new(
            format!("{method:?} is not a method"),
            "write a method such as \"GET\", or delete the key for any",
        ));
    }
    if stub.times == Some(0) {
        return Err(Wrong::new(
            "`times = 0` never applies",
            "write 1 or more, or delete the key for all requests",
        ));
    }
    let delay = stub.delay.map_or(0, |delay| delay.0.as_millis());
    let delay_ms = u64::try_from(delay).ok().filter(|ms| *ms <= LONGEST);
    let delay_ms = delay_ms
        .ok_or_else(|| Wrong::new("its delay is longer than a day", "write at most \"24h\""))?;
    let answer = match stub.fail {
        Some(fail) => {
            fits(&stub, &url, fail)?;
            Answer::failure(fail, delay_ms)
        }
        None => answer(folder, &stub, delay_ms, total)?,
    };
    if stub.fail == Some(Failure::UnknownHost) {
        archive.unknown.push(url.host);
        return Ok(());
    }
    let rule = Rule {
        // Standard methods are upper case; others are kept as written.
        method: stub.method,
        wild: url.text.contains('*'),
        loose: false,
        times: stub.times,
        answer: archive.answers.len(),
        url: url.text,
    };
    archive.answers.push(answer);
    archive.add(rule, &url.host);
    Ok(())
}

/// Checks the other keys of a stub with `fail`.
fn fits(stub: &Stub, url: &Url, fail: Failure) -> Result<(), Wrong> {
    let answers = [
        ("status", stub.status.is_some()),
        ("headers", !stub.headers.is_empty()),
        ("body", stub.body.is_some()),
        ("file", stub.file.is_some()),
    ];
    if let Some((key, _)) = answers.iter().find(|(_, there)| *there) {
        return Err(Wrong::new(
            format!("it has both `fail` and `{key}`"),
            "keep one of them",
        ));
    }
    let early = matches!(fail, Failure::Refused | Failure::UnknownHost);
    if early && (!url.is_whole_host() || stub.method.is_some()) {
        return Err(Wrong::new(
            "its failure occurs before any request is sent, so it applies to all of the host",
            format!(
                "write url = \"{}*\" and no method, or use `fail = \"reset\"`",
                url.root()
            ),
        ));
    }
    if fail == Failure::UnknownHost && stub.times.is_some() {
        return Err(Wrong::new(
            "`times` cannot be combined with `fail = \"unknown-host\"`",
            "delete `times`, or use `fail = \"refused\"`",
        ));
    }
    if matches!(fail, Failure::UnknownHost | Failure::Timeout) && stub.delay.is_some() {
        return Err(Wrong::new(
            "`delay` cannot be combined with its failure",
            "leave `delay` out",
        ));
    }
    Ok(())
}

fn answer(folder: &Path, stub: &Stub, delay_ms: u64, total: &mut u64) -> Result<Answer, Wrong> {
    let status = stub.status.unwrap_or(200);
    if !(200..=599).contains(&status) {
        return Err(Wrong::new(
            format!("{status} is not the status of a response"),
            "write a status from 200 to 599",
        ));
    }
    let mut headers = Vec::new();
    for (name, value) in &stub.headers {
        header(name, value)?;
        headers.push((name.clone(), value.clone()));
    }
    let (body, kind) = match (&stub.body, &stub.file) {
        (Some(_), Some(_)) => {
            return Err(Wrong::new(
                "it has both `body` and `file`",
                "keep one of them",
            ));
        }
        (Some(body), None) => (Body::Bytes(body.clone().into_bytes()), Some(kind_of(body))),
        (None, Some(file)) => {
            let path = below(folder, file)?;
            *total += fs::metadata(&path).map_or(0, |data| data.len());
            if *total > MOST {
                return Err(Wrong::new(
                    format!("the files up to {file} have more than {} MB", MOST >> 20),
                    "delete what the app does not request",
                ));
            }
            (Body::File(path), Some(kind_of_file(file)))
        }
        (None, None) => (Body::Bytes(Vec::new()), None),
    };
    let named = headers
        .iter()
        .any(|(name, _)| name.eq_ignore_ascii_case("content-type"));
    if let Some(kind) = kind.filter(|_| !named) {
        headers.push(("Content-Type".to_owned(), kind.to_owned()));
    }
    Ok(Answer {
        status,
        reason: reason(status).to_owned(),
        headers,
        body,
        delay_ms,
        ..Answer::default()
    })
}

fn header(name: &str, value: &str) -> Result<(), Wrong> {
    if !is_header(name) {
        return Err(Wrong::new(
            format!("{name:?} is not the name of a header"),
            "write letters, digits and `-`",
        ));
    }
    if of_the_connection(name) {
        return Err(Wrong::new(
            format!("the server sets the header {name}"),
            "delete it: the device's server adds it where needed",
        ));
    }
    if value.chars().any(char::is_control) {
        return Err(Wrong::new(
            format!("the header {name} has a line break or a control character"),
            "write its value on one line",
        ));
    }
    Ok(())
}

/// A file of the folder, or of a folder in it.
fn below(folder: &Path, file: &str) -> Result<PathBuf, Wrong> {
    let outside = || {
        Wrong::new(
            format!("{file} is not below the folder of the stubs"),
            "copy it into that folder, and name it from there",
        )
    };
    let inner = Path::new(file);
    let plain = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
    if !inner.components().all(plain) {
        return Err(outside());
    }
    let missing = |e: std::io::Error| {
        Wrong::new(
            format!("{file} cannot be read: {e}"),
            "the path starts from the folder of the stubs",
        )
    };
    let path = fs::canonicalize(folder.join(inner)).map_err(missing)?;
    // A link may lead out.
    if !path.starts_with(fs::canonicalize(folder).map_err(missing)?) {
        return Err(outside());
    }
    let data = fs::metadata(&path).map_err(missing)?;
    if !data.is_file() {
        return Err(Wrong::new(
            format!("{file} is not a file"),
            "name a file with the body",
        ));
    }
    if data.len() > MOST_OF_BODY {
        return Err(Wrong::new(
            format!("{file} has {} MB", data.len() >> 20),
            format!("a body has at most {} MB", MOST_OF_BODY >> 20),
        ));
    }
    Ok(path)
}

fn kind_of(body: &str) -> &'static str {
    let start = body.trim_start();
    if start.starts_with(['{', '[']) {
        "application/json"
    } else if start.starts_with('<') && start.to_ascii_lowercase().contains("<html") {
        "text/html; charset=utf-8"
    } else {
        "text/plain; charset=utf-8"
    }
}

fn kind_of_file(file: &str) -> &'static str {
    let ending = Path::new(file).extension().unwrap_or_default();
    match ending.to_string_lossy().to_ascii_lowercase().as_str() {
        "json" => "application/json",
        "html" | "htm" => "text/html; charset=utf-8",
        "txt" => "text/plain; charset=utf-8",
        "xml" | "rss" | "atom" => "application/xml; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "csv" => "text/csv; charset=utf-8",
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "gif" => "image/gif",
        "webp" => "image/webp",
        "svg" => "image/svg+xml",
        "mp3" => "audio/mpeg",
        "mp4" => "video/mp4",
        "zip" => "application/zip",
        _ => "application/octet-stream",
    }
}
