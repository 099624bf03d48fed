use super::*;
use serde_json::json;

fn stubs(list: &str) -> (tempfile::TempDir, Result<Archive, ArchiveError>) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("stubs.toml"), list).unwrap();
    fs::create_dir(folder.path().join("in")).unwrap();
    fs::write(folder.path().join("in/items.json"), "[1]").unwrap();
    let archive = Archive::read(folder.path());
    (folder, archive)
}

fn har(entries: &serde_json::Value) -> Result<Archive, ArchiveError> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("traffic.har");
    let whole = json!({"log": {"version": "1.2", "entries": entries}});
    fs::write(&file, whole.to_string()).unwrap();
    Archive::read(&file)
}

fn entry(url: &str, text: &str) -> serde_json::Value {
    json!({
        "request": {"method": "GET", "url": url},
        "time": 12.4,
        "response": {
            "status": 200,
            "statusText": "",
            "headers": [
                {"name": ":status", "value": "200"},
                {"name": "content-encoding", "value": "br"},
                {"name": "Content-Type", "value": "text/html; charset=iso-8859-1"},
                {"name": "Set-Cookie", "value": "a=1\nb=2"},
            ],
            "content": {"size": 4, "text": text},
        },
    })
}

#[test]
fn stubs_are_read_in_order() {
    let (_folder, archive) = stubs(
        r#"
        [[stub]]
        method = "GET"
        url = "https://api.example.org/v1/items"
        file = "in/items.json"
        delay = "300ms"
        times = 2

        [[stub]]
        url = "https://api.example.org/v1/*"
        status = 503
        headers = { Retry-After = "5" }
        body = '{"error": "later"}'

        [[stub]]
        url = "http://down.example.org/*"
        fail = "refused"

        [[stub]]
        url = "http://nowhere.example.org"
        fail = "unknown-host"
        "#,
    );
    let archive = archive.unwrap();
    assert_eq!(archive.hosts, ["api.example.org", "down.example.org"]);
    assert_eq!(archive.unknown, ["nowhere.example.org"]);
    assert_eq!(archive.rules.len(), 3);
    assert_eq!(archive.rules[0].times, Some(2));
    assert!(archive.rules[1].wild && !archive.rules[0].wild);
    assert_eq!(archive.answers[0].delay_ms, 300);
    let later = &archive.answers[1];
    assert_eq!(
        (later.status, later.reason.as_str()),
        (503, "Service Unavailable")
    );
    assert!(
        later
            .headers
            .contains(&("Content-Type".into(), "application/json".into()))
    );
    assert_eq!(archive.answers[2].fail, Some(Failure::Refused));
    let table = archive.host_table();
    assert_eq!(
        table,
        "198.18.0.1 api.example.org\n198.18.0.2 down.example.org\n"
    );
}

#[test]
fn a_wrong_stub_is_named_with_its_fix() {
    let url = "url = \"https://a.example/x\"\n";
    for (rest, what, fix) in [
        ("urll = \"x\"", "unknown field `urll`", "the keys of a stub"),
        ("status = 99", "99 is not the status", "200 to 599"),
        (
            "body = \"a\"\nfile = \"in/items.json\"",
            "both `body` and `file`",
            "keep one",
        ),
        ("file = \"../secret\"", "not below the folder", "copy it"),
        (
            "file = \"/etc/hostname\"",
            "not below the folder",
            "copy it",
        ),
        (
            "file = \"gone.json\"",
            "cannot be read",
            "starts from the folder",
        ),
        ("file = \"in\"", "not a file", "name a file"),
        (
            "fail = \"rest\"",
            "unknown variant `rest`",
            "the keys of a stub",
        ),
        (
            "fail = \"reset\"\nstatus = 500",
            "both `fail` and `status`",
            "keep one",
        ),
        (
            "fail = \"refused\"",
            "all of the host",
            "https://a.example/*",
        ),
        ("times = 0", "never applies", "1 or more"),
        ("delay = \"300\"", "not a duration", "the keys of a stub"),
        ("delay = \"25h\"", "longer than a day", "24h"),
        (
            "headers = { Content-Length = \"3\" }",
            "the server sets",
            "delete it",
        ),
        (
            "headers = { \"a b\" = \"3\" }",
            "not the name of a header",
            "letters",
        ),
        (
            "headers = { a = \"b\\r\\nc: d\" }",
            "line break",
            "one line",
        ),
    ] {
        let (folder, archive) = stubs(&format!("[[stub]]\n{url}{rest}\n"));
        let error = archive.unwrap_err();
        assert_eq!(error.file, folder.path().join("stubs.toml"));
        let entry = error.entry.clone().unwrap();
        assert_eq!(entry, "stub 1 (https://a.example/x)");
        assert!(error.to_string().contains(what), "{error}");
        assert!(error.fix.contains(fix), "{}", error.fix);
    }
    for (list, what) in [
        ("", "it has no stub"),
        ("stub = 3", "it has no stub"),
        ("[stubs]\n", "a key `stubs`"),
        ("[[stub]\n", "not TOML"),
        ("[[stub]]\nbody = \"x\"\n", "missing field `url`"),
        (
            "[[stub]]\nurl = \"https://*.example/\"\n",
            "`*` in its host",
        ),
    ] {
        let error = stubs(list).1.unwrap_err();
        assert!(error.to_string().contains(what), "{error}");
    }
    let both = "[[stub]]\nurl = \"http://a.example/*\"\nfail = \"unknown-host\"\n\
                [[stub]]\nurl = \"http://a.example/x\"\n";
    let error = stubs(both).1.unwrap_err();
    assert!(
        error.to_string().contains("a.example has a stub"),
        "{error}"
    );
}

#[cfg(unix)]
#[test]
fn a_link_does_not_lead_out_of_the_folder() {
    let outside = tempfile::NamedTempFile::new().unwrap();
    let folder = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink(outside.path(), folder.path().join("a.json")).unwrap();
    let list = "[[stub]]\nurl = \"http://a.example/\"\nfile = \"a.json\"\n";
    fs::write(folder.path().join("stubs.toml"), list).unwrap();
    let error = Archive::read(folder.path()).unwrap_err();
    assert!(error.to_string().contains("not below"), "{error}");
}

#[test]
fn entries_of_a_har_are_answers_in_order() {
    let mut coded = entry("https://a.example/pic", "aGk=");
    coded["response"]["content"]["encoding"] = "base64".into();
    let archive = har(&json!([
        entry("https://a.example/x?n=1", "one"),
        entry("https://a.example/x?n=1", "two"),
        entry("https://A.example:443/x?n=2#part", "three"),
        coded,
        entry("data:text/plain,x", ""),
    ]))
    .unwrap();
    assert_eq!(archive.hosts, ["a.example"]);
    let rules: Vec<_> = archive
        .rules
        .iter()
        .map(|r| (r.url.as_str(), r.loose, r.times))
        .collect();
    assert_eq!(
        rules,
        [
            ("https://a.example/x?n=1", false, Some(1)),
            ("https://a.example/x?n=1", false, None),
            ("https://a.example/x?n=2", false, None),
            ("https://a.example/pic", false, None),
            ("https://a.example/x", true, Some(1)),
            ("https://a.example/x", true, Some(1)),
            ("https://a.example/x", true, None),
            ("https://a.example/pic", true, None),
        ]
    );
    let first = &archive.answers[0];
    assert_eq!((first.delay_ms, first.reason.as_str()), (12, "OK"));
    let headers: Vec<_> = first
        .headers
        .iter()
        .map(|(n, v)| format!("{n}: {v}"))
        .collect();
    let expected = [
        "Content-Type: text/html; charset=utf-8",
        "Set-Cookie: a=1",
        "Set-Cookie: b=2",
    ];
    assert_eq!(headers, expected);
    assert_eq!(archive.answers[3].body, Body::Bytes(b"hi".to_vec()));
    // Bytes are in the encoding that the header names.
    assert!(archive.answers[3].headers[0].1.contains("iso-8859-1"));
}

#[test]
fn failures_of_a_har_are_failures() {
    let failed = |url: &str, error: &str| {
        json!({
            "request": {"method": "GET", "url": url},
            "response": {"status": 0, "_error": error},
        })
    };
    let archive = har(&json!([
        entry("https://a.example/ok", "x"),
        failed("https://a.example/broken", "net::ERR_NAME_NOT_RESOLVED"),
        failed("https://a.example/late", "net::ERR_TIMED_OUT"),
        failed("https://none.example/", "net::ERR_NAME_NOT_RESOLVED"),
        failed("http://down.example:81/x", "net::ERR_CONNECTION_REFUSED"),
    ]))
    .unwrap();
    assert_eq!(archive.unknown, ["none.example"]);
    let fails: Vec<_> = archive.answers.iter().map(|answer| answer.fail).collect();
    assert_eq!(
        fails,
        [
            None,
            Some(Failure::Reset),
            Some(Failure::Timeout),
            Some(Failure::Refused)
        ]
    );
    let refused = archive
        .rules
        .iter()
        .find(|r| r.url == "http://down.example:81/");
    assert_eq!(refused.unwrap().method, None);
}

#[test]
fn a_wrong_har_is_named_with_its_fix() {
    let spoilt = |change: fn(&mut serde_json::Value)| {
        let mut one = entry("https://a.example/x", "one");
        change(&mut one);
        har(&json!([one])).unwrap_err()
    };
    for (error, what) in [
        (
            spoilt(|e| e["response"]["content"] = json!({"size": 9})),
            "not in the file",
        ),
        (
            spoilt(|e| e["response"]["content"] = json!({"text": "!", "encoding": "base64"})),
            "base64",
        ),
        (
            spoilt(|e| e["response"]["content"]["encoding"] = "zip".into()),
            "\"zip\"",
        ),
        (spoilt(|e| e["response"]["status"] = 20.into()), "status"),
        (
            spoilt(|e| e["request"] = json!({"method": "GET"})),
            "missing field `url`",
        ),
        (
            spoilt(|e| e["request"]["url"] = "https://a b/".into()),
            "no valid host",
        ),
        (
            spoilt(|e| e["response"]["headers"] = json!([{"name": "a b", "value": ""}])),
            "\"a b\"",
        ),
    ] {
        assert!(error.to_string().contains(what), "{error}");
        assert!(
            error.entry.as_ref().unwrap().starts_with("entry 1"),
            "{error}"
        );
        assert!(!error.fix.is_empty());
    }
    assert!(
        har(&json!([]))
            .unwrap_err()
            .to_string()
            .contains("no HTTP or HTTPS request")
    );
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.har");
    assert!(
        Archive::read(&file)
            .unwrap_err()
            .to_string()
            .contains("cannot be read")
    );
    for text in ["", "[]", "{\"log\": {}}", "\u{feff}{\"log\": 3}"] {
        fs::write(&file, text).unwrap();
        let error = Archive::read(&file).unwrap_err();
        assert!(error.to_string().contains("not a HAR"), "{error}");
    }
    fs::write(&file, b"\xff\xfe").unwrap();
    assert!(
        Archive::read(&file)
            .unwrap_err()
            .to_string()
            .contains("UTF-8")
    );
}

#[test]
fn what_is_too_large_is_refused_before_it_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.har");
    fs::File::create(&file).unwrap().set_len(MOST + 1).unwrap();
    assert!(
        Archive::read(&file)
            .unwrap_err()
            .to_string()
            .contains("256 MB")
    );
    fs::File::create(&file)
        .unwrap()
        .set_len(MOST_OF_BODY + 1)
        .unwrap();
    let list = "[[stub]]\nurl = \"http://a.example/\"\nfile = \"a.har\"\n";
    fs::write(folder.path().join("stubs.toml"), list).unwrap();
    assert!(
        Archive::read(folder.path())
            .unwrap_err()
            .to_string()
            .contains("32 MB")
    );
}

#[test]
fn the_plain_form_has_bodies_as_files() {
    let (_folder, archive) = stubs(
        "[[stub]]\nurl = \"http://10.0.2.2:8080/a\"\nfile = \"in/items.json\"\n\
         [[stub]]\nurl = \"http://b.example/\"\nfail = \"reset\"\n",
    );
    let to = tempfile::tempdir().unwrap();
    let archive = archive.unwrap();
    archive.write(to.path()).unwrap();
    assert_eq!(fs::read(to.path().join("body-0")).unwrap(), b"[1]");
    let text = fs::read_to_string(to.path().join("replay.json")).unwrap();
    let plain: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(plain["hosts"]["10.0.2.2"], "10.0.2.2");
    assert_eq!(plain["answers"][0]["body"], "body-0");
    assert_eq!(plain["answers"][1]["fail"], "reset");
    assert_eq!(plain["rules"][1]["answer"], 1);
    assert_eq!(archive.host_table(), "198.18.0.2 b.example\n");
}
