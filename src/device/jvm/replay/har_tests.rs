//! Tests of what exporters of HAR write beside the usual.

use super::*;
use serde_json::json;

fn read_all(entries: &serde_json::Value) -> Result<Archive, ArchiveError> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("mill.har");
    std::fs::write(&file, json!({"log": {"entries": entries}}).to_string()).unwrap();
    read(&file)
}

fn entry(url: &str, status: u16, content: &serde_json::Value) -> serde_json::Value {
    json!({
        "request": {"method": "GET", "url": url},
        "response": {"status": status, "headers": [], "content": content},
    })
}

fn shown(archive: &Archive, ix: usize) -> (u16, String) {
    let answer = &archive.answers[ix];
    let Body::Bytes(bytes) = &answer.body else {
        panic!("a file")
    };
    (answer.status, String::from_utf8(bytes.clone()).unwrap())
}

#[test]
fn what_exporters_add_of_their_own_makes_no_entry_unreadable() {
    let url = "https://mill.example/sacks";
    for error in [
        json!({"message": "Max redirects exceeded", "code": "MAXREDIRECTS"}),
        json!(7),
        json!(null),
        json!("net::ERR_ABORTED"),
    ] {
        let mut loops = entry(url, 302, &json!({"size": 0}));
        loops["response"]["_error"] = error.clone();
        assert_eq!(
            read_all(&json!([loops])).unwrap().answers[0].status,
            302,
            "{error}"
        );
    }
    let mut several = entry(url, 200, &json!({"text": "x"}));
    several["response"]["headers"] = json!([{"name": "Set-Cookie", "value": ["a=1", "b=2"]}]);
    let answers = read_all(&json!([several])).unwrap().answers;
    let cookies: Vec<_> = answers[0]
        .headers
        .iter()
        .filter(|(name, _)| name == "Set-Cookie")
        .collect();
    assert_eq!(cookies.len(), 2, "{cookies:?}");
}

#[test]
fn what_was_not_modified_comes_with_its_body() {
    let url = "https://mill.example/sacks";
    let cached = entry(
        url,
        304,
        &json!({"text": "[3]", "mimeType": "application/json"}),
    );
    let archive = read_all(&json!([cached])).unwrap();
    assert_eq!(shown(&archive, 0), (200, "[3]".into()));
    assert_eq!(archive.answers[0].reason, "OK");
    let kind = ("Content-Type".to_owned(), "application/json".to_owned());
    assert_eq!(archive.answers[0].headers, [kind]);
    // Without it, an earlier answer has it.
    let first = entry(url, 200, &json!({"text": "[4]"}));
    let bare = entry(url, 304, &json!({"size": 0}));
    let archive = read_all(&json!([first, bare])).unwrap();
    assert_eq!(shown(&archive, 1), (200, "[4]".into()));
    let error = read_all(&json!([bare])).unwrap_err();
    assert!(error.to_string().contains("304"), "{error}");
}

#[test]
fn the_name_of_a_charset_is_no_encoding_of_the_body() {
    for name in [
        "UTF-8",
        "utf8",
        "ISO-8859-1",
        "windows-1252",
        "us-ascii",
        "",
        "Base64",
    ] {
        let text = if name == "Base64" { "w4Q=" } else { "Ä" };
        let content =
            json!({"text": text, "encoding": name, "mimeType": "text/plain; charset=latin1"});
        let archive = read_all(&json!([entry("https://mill.example/", 200, &content)])).unwrap();
        assert_eq!(shown(&archive, 0), (200, "Ä".into()), "{name}");
        let kind = &archive.answers[0].headers[0].1;
        let expected = if name == "Base64" { "latin1" } else { "utf-8" };
        assert!(kind.ends_with(expected), "{name}: {kind}");
    }
}

#[test]
fn answers_without_a_body_need_none() {
    let mut moved = entry("https://mill.example/old", 302, &json!({"size": 90}));
    moved["response"]["redirectURL"] = "/new".into();
    let archive = read_all(&json!([
        moved,
        entry("https://mill.example/gone", 204, &json!({"size": 3})),
        entry(
            "https://mill.example/part",
            206,
            &json!({"size": 2, "text": "ab"})
        ),
    ]))
    .unwrap();
    assert_eq!(
        archive.answers[0].headers,
        [("Location".to_owned(), "/new".to_owned())]
    );
    assert_eq!(shown(&archive, 1), (204, String::new()));
    assert_eq!(shown(&archive, 2), (206, "ab".into()));
}

#[test]
fn an_address_is_escaped_as_it_is_sent() {
    let url = "https://mill.example/Mühle 1/粉?q=\"é\"";
    let archive = read_all(&json!([entry(url, 200, &json!({"text": "x"}))])).unwrap();
    let sent = "https://mill.example/M%C3%BChle%201/%E7%B2%89?q=%22%C3%A9%22";
    assert_eq!(archive.rules[0].url, sent);
}

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
