//! Archives of recorded answers.

use super::suites::in_file;
use crate::{Sources, Target, corpus};
use droidtest::device::jvm::replay::Archive;
use std::fs;
use std::path::Path;

const HAR: &str = r#"{"log": {"version": "1.2", "entries": [
{"time": 12.5, "request": {"method": "GET", "url": "https://a.example:8443/x?n=1#p"},
"response": {"status": 200, "statusText": "OK", "headers": [{"name": "Content-Type", "value": "text/html; charset=latin1"}],
"content": {"size": 2, "text": "aGk=", "encoding": "base64"}}},
{"request": {"method": "POST", "url": "http://b.example/"},
"response": {"status": 0, "_error": "net::ERR_CONNECTION_REFUSED"}}]}}"#;

pub fn targets(sources: &Sources) -> Vec<Target> {
    let stubs = ["example-configs/replay/stubs.toml"];
    vec![
        Target {
            name: "har",
            corpus: corpus::texts(&[HAR]),
            words: &["base64", "-1", "1e300", "NaN", "://", "ERR_TIMED_OUT"],
            run: in_file("a.har", read),
        },
        Target {
            name: "stubs",
            corpus: corpus::files(&sources.root, &stubs),
            words: &[
                "[[stub]]",
                "../",
                "*",
                "times = 0",
                "fail",
                "9999999999h",
                "@",
            ],
            run: in_file("stubs.toml", |list| {
                let folder = list.parent().expect("a file is in a folder");
                fs::write(folder.join("items.json"), "[1]").expect("a body is written");
                read(folder)
            }),
        },
    ]
}

/// Reads an archive, and lays it out as the device does.
fn read(path: &Path) -> bool {
    match Archive::read(path) {
        Ok(archive) => {
            let out = tempfile::tempdir().expect("a folder for the plain form");
            archive.write(out.path()).expect("what was read is written");
            archive.host_table();
            true
        }
        Err(error) => {
            assert!(!error.fix.is_empty(), "{error}");
            false
        }
    }
}
