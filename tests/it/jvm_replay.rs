//! A network of recorded answers on the jvm device: what an app gets from it, in virtual time, and how it is lost.

use crate::common::app;
use crate::common::phone::Phone;
use droidtest::device::jvm::browser::Chromium;
use droidtest::device::jvm::{Network, Web};
use droidtest::device::{Action, Reset};
use droidtest::gui::Fault;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn started() -> Option<Phone> {
    started_with(Web::HtmlUnit)
}

fn started_with(web: Web) -> Option<Phone> {
    let stubs = app("outside/stubs");
    let mut phone = Phone::with("outside", |s| {
        s.network = Network::Replay(stubs);
        s.web = web;
    })?;
    phone.reset(Reset::ClearData);
    phone.open("NetworkActivity");
    Some(phone)
}

/// Asks, and waits for what came.
fn gets(phone: &mut Phone, what: &str, said: &str) {
    phone.click(what);
    phone.expect("result", said);
}

#[test]
fn an_app_gets_what_the_archive_has() {
    let Some(mut phone) = started() else {
        return;
    };
    answers(&mut phone);
    failures(&mut phone);
    connections(&mut phone);
    pages(&mut phone);
    lost(&mut phone);
    phone.finish();
}

#[test]
fn pages_in_chromium_come_from_the_archive() {
    if let Err(error) = Chromium::locate() {
        crate::common::skip::skip(&format!("{error}"));
        return;
    }
    let Some(mut phone) = started_with(Web::Chromium) else {
        return;
    };
    pages(&mut phone);
    phone.finish();
}

fn answers(phone: &mut Phone) {
    phone.proves("a text comes by https and is shown", |p| {
        gets(p, "net_json", "Three items");
        assert!(p.now.environment.is_empty(), "{:?}", p.now.environment);
    });
    phone.proves("an error of the server is one", |p| {
        let text = "500 Internal Server Error {\"error\": \"out of order\"}";
        gets(p, "net_error", text);
    });
    phone.proves("a slow answer shows that it loads first", |p| {
        p.click("net_slow");
        assert_eq!(p.says("result").as_deref(), Some("loading"));
        let from = p.now.clock_ms;
        p.wait(2000);
        assert_eq!(p.says("result").as_deref(), Some("loading"));
        p.wait(1000);
        assert_eq!(p.says("result").as_deref(), Some("at last"));
        assert!(p.now.clock_ms - from < 4000, "{}", p.now.clock_ms - from);
    });
    phone.proves("answers follow each other", |p| {
        gets(p, "net_turns", "first");
        gets(p, "net_turns", "then");
        gets(p, "net_turns", "then");
    });
    phone.proves("another port, without TLS, and a pattern", |p| {
        gets(p, "net_plain", "plain");
    });
    phone.proves("bodies are sent in chunks and on request", |p| {
        gets(p, "net_post", "201 Created made 201 Created made");
    });
    phone.proves("a head has no body", |p| {
        gets(p, "net_head", "44 application/json list");
    });
    phone.proves("what is not in the archive is named once", |p| {
        let url = "https://api.example.org/v1/none?n=1";
        let text = format!("the archive has no answer for GET {url}");
        p.click("net_missing");
        let limits = p.now.environment.clone();
        assert_eq!(limits.len(), 1, "{limits:?}");
        assert_eq!(limits[0].rule, "network-replay");
        assert_eq!(limits[0].detail, text);
        p.expect("result", &format!("404 Not Found {text}"));
        p.click("net_missing");
        assert!(p.now.environment.is_empty(), "{:?}", p.now.environment);
    });
}

fn failures(phone: &mut Phone) {
    phone.proves("a host that is not there", |p| {
        p.click("net_unknown");
        p.expect_that("result", "not resolve", |said| {
            said.starts_with("UnknownHostException: Unable to resolve host \"nowhere.example.org\"")
        });
        assert!(p.now.environment.is_empty(), "{:?}", p.now.environment);
    });
    phone.proves("a host that refuses", |p| {
        gets(p, "net_refused", "ConnectException: Connection refused");
    });
    phone.proves("a connection that breaks", |p| {
        gets(p, "net_reset", "SocketException: Connection reset");
    });
    phone.proves("an answer that never comes", |p| {
        p.click("net_timeout");
        p.wait(7000);
        assert_eq!(p.says("result").as_deref(), Some("loading"));
        p.wait(1000);
        p.expect("result", "SocketTimeoutException: Read timed out");
    });
    phone.proves("the main thread may not", |p| {
        p.click("net_main");
        p.expect_that("result", "be refused", |said| {
            said.contains("NetworkOnMainThreadException")
        });
    });
}

fn connections(phone: &mut Phone) {
    phone.proves("names of the archive resolve, others do not", |p| {
        let failed = "UnknownHostException: Unable to resolve host \"nobody.example.org\": \
                      No address associated with hostname";
        gets(p, "net_names", &format!("198.18.0.1 {failed}"));
    });
    phone.proves("a socket with TLS carries two requests", |p| {
        let text = "1 TLSv1.2 [[2, api.example.org]] HTTP/1.1 200 OK HTTP/1.1 200 OK quiet closed";
        p.click("net_tls");
        p.wait(2000);
        p.expect("result", text);
    });
    phone.proves("HTTP/1.1 is agreed on, never HTTP/2", |p| {
        gets(p, "net_alpn", "\"http/1.1\" \"\"");
    });
    let limits = |p: &Phone| -> Vec<_> {
        let all = p.now.environment.iter();
        all.map(|e| (e.rule.clone(), e.detail.clone())).collect()
    };
    phone.proves("a web socket without a record fails, and is named", |p| {
        p.click("net_silent");
        let detail = "the archive has no answer for WEBSOCKET https://api.example.org/v1/none";
        assert_eq!(limits(p), [("network-replay".into(), detail.into())]);
        p.expect("result", "no socket: HTTP/1.1 404 Not Found");
    });
    phone.proves("channels of java.nio are a limit that is named", |p| {
        p.click("net_channel");
        let found = limits(p);
        p.expect(
            "result",
            "true false 0 UnresolvedAddressException: null true",
        );
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0].0, "network-channels");
        assert!(found[0].1.contains("Ktor"), "{found:?}");
        p.click("net_channel_address");
        p.expect("result", "ConnectException: Network is unreachable false");
    });
}

fn pages(phone: &mut Phone) {
    phone.proves("a web view loads its pages from the archive", |p| {
        p.click("net_page");
        p.expect("out", "home");
        p.click("count");
        p.expect("out", "count 7");
        p.click("send");
        p.expect("out", "sent");
    });
    phone.proves("a page of an unknown host does not come", |p| {
        p.click("net_page");
        p.expect("out", "home");
        p.click("lost");
        p.wait(500);
        assert!(p.shows("net::ERR_NAME_NOT_RESOLVED"), "{}", p.shown());
    });
}

fn lost(phone: &mut Phone) {
    let offline = |phone: &mut Phone| {
        let name = Fault::Offline.name().to_owned();
        phone.act(&Action::Fault { name });
    };
    phone.proves("the network is lost, and comes back", |p| {
        gets(p, "net_state", "connected true");
        p.click("net_held");
        assert_eq!(p.says("result").as_deref(), Some("loading"));
        offline(p);
        p.expect(
            "result",
            "SocketException: Software caused connection abort",
        );
        gets(p, "net_state", "cut off false");
        p.click("net_heard");
        p.expect("result", "heard available lost");
        p.click("net_json");
        p.expect_that("result", "not resolve", |said| {
            said.starts_with("UnknownHostException")
        });
        offline(p);
        gets(p, "net_state", "connected true");
        p.click("net_heard");
        p.expect("result", "heard available lost available");
        gets(p, "net_json", "Three items");
    });
    phone.proves("a process life sees the answers anew", |p| {
        p.reset(Reset::Relaunch);
        p.open("NetworkActivity");
        gets(p, "net_turns", "first");
    });
}

#[test]
fn a_har_is_an_archive_too() {
    let entry = |url: &str, text: &str| {
        serde_json::json!({
            "time": 100,
            "request": {"method": "GET", "url": url},
            "response": {
                "status": 200,
                "headers": [{"name": "Content-Encoding", "value": "gzip"}],
                "content": {"size": 5, "text": text, "encoding": "base64"},
            },
        })
    };
    let failed = |url: &str, error: &str| {
        serde_json::json!({
            "request": {"method": "GET", "url": url},
            "response": {"status": 0, "_error": error},
        })
    };
    // As Chrome writes it.
    let message = |side: &str, time: f64, opcode: u8, data: &str| {
        let data = data.to_owned();
        serde_json::json!({"type": side, "time": time, "opcode": opcode, "data": data})
    };
    let long = "long ".repeat(100);
    let socket = serde_json::json!({
        "_resourceType": "websocket",
        "time": 30,
        "request": {"method": "GET", "url": "wss://api.example.org/v1/talk"},
        "response": {
            "status": 101,
            "statusText": "Switching Protocols",
            "headers": [
                {"name": "Sec-WebSocket-Accept", "value": "another"},
                {"name": "Sec-WebSocket-Extensions", "value": "permessage-deflate"},
            ],
            "content": {"size": 0},
        },
        "_webSocketMessages": [
            message("receive", 1.0, 1, "welcome"),
            message("send", 2.0, 1, "eins"),
            message("receive", 2.5, 1, "first"),
            message("receive", 2.6, 2, "AAEC"),
            message("send", 3.0, 1, "zwei"),
            message("receive", 4.5, 1, &long),
        ],
    });
    let whole = serde_json::json!({"log": {"version": "1.2", "entries": [
        entry("https://api.example.org/v1/turns", "b25l"),
        entry("https://api.example.org/v1/turns", "dHdv"),
        entry("https://api.example.org/v1/none?n=2", "bG9vc2U="),
        socket,
        failed("https://nowhere.example.org/", "net::ERR_NAME_NOT_RESOLVED"),
        failed("http://down.example.org/", "net::ERR_CONNECTION_REFUSED"),
        failed("https://api.example.org/v1/broken", "net::ERR_FAILED"),
    ]}});
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("traffic.har");
    fs::write(&file, whole.to_string()).unwrap();
    let Some(mut phone) = Phone::with("outside", |s| s.network = Network::Replay(file)) else {
        return;
    };
    phone.reset(Reset::ClearData);
    phone.open("NetworkActivity");
    phone.proves("entries of one request follow each other", |p| {
        gets(p, "net_turns", "one");
        gets(p, "net_turns", "two");
        gets(p, "net_turns", "two");
    });
    phone.proves("an answer for another query is better than none", |p| {
        gets(p, "net_missing", "loose");
    });
    phone.proves("a web socket says what was recorded", |p| {
        let from = p.now.clock_ms;
        p.click("net_socket");
        let said = "accepted 1:welcome 1:first 2:3 10:6 1:500 8:2 -1";
        p.expect("result", said);
        let passed = p.now.clock_ms - from;
        assert!((2100..5000).contains(&passed), "{passed} ms");
        assert!(p.now.environment.is_empty(), "{:?}", p.now.environment);
    });
    phone.proves("failures are failures again", |p| {
        p.click("net_unknown");
        p.expect_that("result", "not resolve", |said| {
            said.starts_with("UnknownHostException")
        });
        gets(p, "net_refused", "ConnectException: Connection refused");
        gets(p, "net_error", "SocketException: Connection reset");
        assert!(p.now.environment.is_empty(), "{:?}", p.now.environment);
    });
    phone.finish();
}

#[test]
fn where_nobody_answers_the_app_waits_and_lives() {
    let Some(mut phone) = Phone::with("outside", |_| {}) else {
        return;
    };
    for (how, said) in [
        (Reset::ClearData, "UnknownHostException"),
        (Reset::Unanswered, "loading"),
        // A new process has the same network, new data have the device's own.
        (Reset::Relaunch, "loading"),
        (Reset::ClearData, "UnknownHostException"),
    ] {
        phone.reset(how);
        let rules: Vec<_> = phone.now.environment.iter().map(|e| &e.rule).collect();
        let silent = rules.iter().any(|rule| *rule == "network-unanswered");
        assert_eq!(silent, said == "loading", "{how:?} {rules:?}");
        phone.open("NetworkActivity");
        phone.click("net_json");
        phone.click("net_state");
        phone.click("net_json");
        phone.expect_that("result", said, |result| result.starts_with(said));
    }
    phone.finish();
}

/// Explores the app with a replay and faults, and gives the journal.
fn journal(folder: &Path, run: &str) -> String {
    let out = folder.join(run);
    let done = Command::new(env!("CARGO_BIN_EXE_cargo-droidtest"))
        .args(["run", "--offline", "--out"])
        .arg(&out)
        .current_dir(folder)
        .output()
        .unwrap();
    let sessions = fs::read_dir(out.join("latest/sessions"));
    let sessions = sessions.unwrap_or_else(|error| {
        panic!("{error}: {}", String::from_utf8_lossy(&done.stderr));
    });
    let session: PathBuf = sessions.map(|entry| entry.unwrap().path()).next().unwrap();
    fs::read_to_string(session.join("journal.jsonl")).unwrap()
}

#[test]
fn the_same_seed_gives_the_same_journal() {
    if Phone::with("outside", |_| {}).is_none() {
        return;
    }
    let path = |name: &str| toml::Value::from(app("outside").join(name).to_str().unwrap());
    let suite = format!(
        "[suite]\nname = \"replay\"\nseeds = [3]\nbudget = {{ events = 60 }}\n\
         [minimize]\nenabled = false\n[faults]\nrate = 0.05\n\
         [[app]]\nname = \"outside\"\napk = {}\n\
         [[app.script]]\nname = \"in\"\nactivity = \"MainActivity\"\ntimes = 20\n\
         step = [{{ do = \"click\", id = \"network\" }}]\n\
         [[device]]\nname = \"jvm\"\nkind = \"jvm\"\nnetwork = {{ replay = {} }}\n\
         [[strategy]]\nkind = \"random\"\nsystem-rate = 0.4\n",
        path("outside.apk"),
        path("stubs")
    );
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("droidtest.toml"), suite).unwrap();
    let first = journal(folder.path(), "first");
    assert!(first.contains("NetworkActivity"), "{first}");
    // The strategy's own choice, since the app may use the network.
    let offline = r#""event":{"do":"fault","fault":"offline"}"#;
    let mut lost = first.lines().filter(|line| line.contains(offline));
    assert!(lost.any(|line| !line.contains("led")), "{first}");
    assert_eq!(first, journal(folder.path(), "again"));
}
