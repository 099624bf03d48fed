//! Who gets in, what is refused, and what a slow or vanished browser and Ctrl-C do.

use super::{Run, journal, status};
use crate::common::program::Desk;
use serde_json::json;
use std::io::{Read as _, Write as _};
use std::net::{IpAddr, SocketAddr, TcpStream, UdpSocket};
use std::time::Duration;

const SUITE: &str = "[suite]\nname = \"s\"\nbudget = { events = 3000 }\nseeds = [1]\n\
    [[app]]\nname = \"shop\"\nmodel = \"builtin:shop\"\n[[strategy]]\nkind = \"random\"\n";

fn paused() -> (Desk, Run) {
    let desk = Desk::new(SUITE);
    let run = Run::start(&desk, "run --live --paused --run-id r");
    (desk, run)
}

#[test]
fn only_the_page_itself_on_this_machine_gets_in() {
    let (_desk, run) = paused();
    let (host, token) = run.parts();
    let get = |path: &str, headers: &str| {
        status(&run.raw(&format!("GET {path} HTTP/1.1\r\n{headers}\r\n")))
    };
    let ours = format!("Host: {host}\r\n");
    let page = format!("/{token}/");
    assert_eq!(get(&page, &ours), 200);
    assert_eq!(get("/", &ours), 403, "no token");
    assert_eq!(get("/fleet", &ours), 403, "no token");
    assert_eq!(
        get(&format!("/{}/", "0".repeat(32)), &ours),
        403,
        "another token"
    );
    assert_eq!(get(&page, "Host: evil.example\r\n"), 403, "DNS rebinding");
    assert_eq!(get(&page, ""), 403, "no host");
    assert_eq!(
        get(&page, &format!("{ours}Origin: http://evil.example\r\n")),
        403
    );
    assert_eq!(
        get(&page, &format!("{ours}Sec-Fetch-Site: cross-site\r\n")),
        403
    );
    let body = "{\"wish\":\"resume\"}";
    let post = |origin: &str| {
        let length = body.len();
        status(&run.raw(&format!(
            "POST /{token}/session/0 HTTP/1.1\r\n{ours}{origin}Content-Length: {length}\r\n\r\n{body}"
        )))
    };
    assert_eq!(post(""), 403, "no origin");
    assert_eq!(post("Origin: http://evil.example\r\n"), 403);
    assert_eq!(get(&format!("/{token}/{}", "a".repeat(20_000)), &ours), 431);
    assert_eq!(get(&format!("/{token}/session/7"), &ours), 404);
    let policy = run.raw(&format!("GET {page} HTTP/1.1\r\n{ours}\r\n"));
    assert!(policy.contains("default-src 'none'") && policy.contains("script-src 'nonce-"));

    // It listens on no other interface of this machine.
    let port = host.parse::<SocketAddr>().unwrap().port();
    let refused = |address: IpAddr| {
        TcpStream::connect_timeout(&(address, port).into(), Duration::from_secs(5)).is_err()
    };
    #[cfg(target_os = "linux")]
    assert!(refused("127.0.0.2".parse().unwrap()));
    let outside = UdpSocket::bind("0.0.0.0:0").and_then(|socket| {
        socket.connect("192.0.2.1:9")?;
        socket.local_addr()
    });
    match outside {
        Ok(address) if !address.ip().is_loopback() => assert!(refused(address.ip()), "{address}"),
        _ => crate::common::skip::skip("this machine has no other interface"),
    }
    run.interrupt();
    assert_eq!(run.end().0, Some(130));
}

#[test]
fn bad_wishes_are_refused_with_the_reason() {
    let (_desk, run) = paused();
    let mut stream = run.stream(0, 0);
    let now = stream.until(|now| now["control"] == "person" && now["screen"].is_object());
    let page = &now["screen"]["page"];
    let wish = |wish| run.wish(0, &wish);
    let act = |act| wish(json!({ "wish": "act", "page": page, "act": act }));
    let unknown = (400, "the live view does not know this request".to_owned());
    assert_eq!(wish(json!({ "wish": "fly" })), unknown);
    assert_eq!(act(json!({ "do": "shake" })), unknown);
    assert_eq!(act(json!({ "do": "click", "x": "left", "y": 3 })), unknown);
    let (status, why) = act(json!({ "do": "click", "x": -5, "y": 3 }));
    assert_eq!(status, 409);
    assert!(
        why.starts_with("(-5, 3) is outside the screen of "),
        "{why}"
    );
    let (status, why) =
        wish(json!({ "wish": "act", "page": "0000000000000001", "act": { "do": "back" } }));
    assert_eq!(
        (status, why.as_str()),
        (409, "the screen has changed since: look at it again")
    );
    assert_eq!(wish(json!({ "wish": "resume" })).0, 200);
    stream.until(|now| now["over"] == true);
    let (status, why) = wish(json!({ "wish": "pause" }));
    assert_eq!((status, why.as_str()), (409, "the session has ended"));
    drop(stream);
    assert!(matches!(run.end().0, Some(0 | 100)));
}

#[test]
fn a_stream_goes_on_behind_the_last_step_that_was_seen() {
    let (_desk, run) = paused();
    let mut stream = run.stream(0, 0);
    for steps in 1..=4 {
        stream.until(|now| now["control"] == "person");
        assert_eq!(run.wish(0, &json!({ "wish": "step" })).0, 200);
        stream.until(|now| now["steps"] == steps);
    }
    let numbers = |after| {
        let now = run.stream(0, after).until(|now| now["steps"] == 4);
        let lines = now["lines"].as_array().unwrap().iter();
        lines
            .map(|line| line["n"].as_u64().unwrap())
            .collect::<Vec<_>>()
    };
    assert_eq!(numbers(0), [1, 2, 3, 4]);
    assert_eq!(numbers(3), [4]);
    run.interrupt();
    assert_eq!(run.end().0, Some(130));
}

#[test]
fn browsers_that_read_nothing_or_say_nothing_hold_up_no_run() {
    let (desk, run) = paused();
    // A stream that is never read, one that is gone, and a request without an end.
    let deaf = run.stream(0, 0);
    drop(run.stream(0, 0));
    let mut mute = TcpStream::connect(run.parts().0).unwrap();
    mute.write_all(b"GET /").unwrap();
    run.stream(0, 0).until(|now| now["control"] == "person");
    let mut answer = String::new();
    mute.set_read_timeout(Some(Duration::from_secs(60)))
        .unwrap();
    mute.read_to_string(&mut answer).unwrap();
    assert_eq!(status(&answer), 408);
    assert_eq!(run.wish(0, &json!({ "wish": "resume" })).0, 200);
    assert!(matches!(run.end().0, Some(0 | 100)));
    assert_eq!(
        journal(&desk, "shop-sim-random-1", "end")[0]["events"],
        3000
    );
    drop(deaf);
}

#[test]
fn silent_connections_do_not_lock_the_page() {
    let (_desk, run) = paused();
    let silent: Vec<_> = (0..200)
        .map(|_| TcpStream::connect(run.parts().0).unwrap())
        .collect();
    let (host, token) = run.parts();
    let page = run.raw(&format!("GET /{token}/ HTTP/1.1\r\nHost: {host}\r\n\r\n"));
    assert_eq!(status(&page), 200);
    run.stream(0, 0).until(|now| now["control"] == "person");
    assert_eq!(run.wish(0, &json!({ "wish": "step" })).0, 200);
    // The oldest were closed for those that came later; all are closed in the end.
    let answers = silent.into_iter().map(|mut stream| {
        let mut answer = String::new();
        let _ = stream.read_to_string(&mut answer);
        answer
    });
    let answers: Vec<_> = answers.collect();
    assert!(answers.iter().filter(|answer| answer.is_empty()).count() > 100);
    run.interrupt();
    assert_eq!(run.end().0, Some(130));
}

#[test]
fn ctrl_c_ends_a_paused_session_in_good_order() {
    let (desk, run) = paused();
    run.stream(0, 0).until(|now| now["control"] == "person");
    run.interrupt();
    let (code, said) = run.end();
    assert_eq!(code, Some(130), "{said}");
    let end = &journal(&desk, "shop-sim-random-1", "end")[0];
    assert_eq!(
        (&end["reason"], &end["events"]),
        (&json!("interrupted"), &json!(0))
    );
}

#[test]
fn a_port_in_use_is_an_error_that_names_the_fix() {
    let (desk, run) = paused();
    let port = run.parts().0.rsplit_once(':').unwrap().1;
    let second = desk.tool(&format!("run --live={port} --run-id second"));
    assert!(
        second.err.contains(&format!("--live={port}: cannot serve")),
        "{}",
        second.err
    );
    assert!(second.err.contains("choose another port"), "{}", second.err);
    assert_eq!(second.code, 2);
    run.interrupt();
    assert_eq!(run.end().0, Some(130));
}
