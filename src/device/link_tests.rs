//! The connection against an agent that misbehaves in every way we could think of.

use super::link::{Link, LinkError, Patience};
use super::message::{Incoming, Request};
use super::wire::{read_frame, write_frame};
use std::io::Write;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// What a wait that does not end is caught by, on a busy machine too.
const HANG: Duration = Duration::from_secs(300);

/// A link to an agent that does `behave` with its end.
fn link_to(behave: impl FnOnce(TcpStream) + Send + 'static) -> (Link, Arc<AtomicBool>) {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || behave(TcpStream::connect((Ipv4Addr::LOCALHOST, port)).unwrap()));
    let interrupt = Arc::new(AtomicBool::new(false));
    let link = Link::new(listener.accept().unwrap().0, interrupt.clone()).unwrap();
    (link, interrupt)
}

/// Reads one request, then sends these frames, then waits for the other side to go.
fn answering(frames: &'static [&'static str]) -> impl FnOnce(TcpStream) + Send {
    move |mut stream| {
        let mut body = Vec::new();
        read_frame(&mut stream, &mut body).unwrap();
        for frame in frames {
            write_frame(&mut stream, frame.as_bytes()).unwrap();
        }
        let _ = read_frame(&mut stream, &mut body);
    }
}

const PATIENCE: Patience = Patience {
    total: Duration::from_secs(20),
    blocked: Duration::from_secs(5),
};

fn ask(link: &mut Link, patience: Patience) -> Result<Incoming, LinkError> {
    let id = link.next_id();
    link.call(&Request::Observe { id, full: false }, patience)
}

fn garbage(result: Result<Incoming, LinkError>) -> String {
    match result {
        Err(LinkError::Garbage(what)) => what,
        other => panic!("{other:?}"),
    }
}

#[test]
fn notices_before_an_answer_are_passed_over() {
    let (mut link, _) = link_to(answering(&[
        r#"{"notice":"weather","text":"fine"}"#,
        r#"{"notice":"blocked","ms":5012,"stack":"main","in_app":false}"#,
        r#"{"id":1,"obs":{"alive":true,"activity":null,"page":[]}}"#,
    ]));
    let answer = ask(&mut link, PATIENCE).unwrap();
    assert!(answer.obs.unwrap().alive);
}

#[test]
fn a_block_by_the_app_ends_the_wait_once_it_is_long_enough() {
    let (mut link, _) = link_to(answering(&[
        r#"{"notice":"blocked","ms":5012,"stack":"early","in_app":true}"#,
        r#"{"notice":"blocked","ms":10020,"stack":"late\n  at com.x.B.b(B.java)\n  at com.x.A.a(A.java)","stays":1,"in_app":true}"#,
    ]));
    let patience = Patience {
        blocked: Duration::from_secs(8),
        ..PATIENCE
    };
    match ask(&mut link, patience) {
        Err(LinkError::Blocked { ms: 10020, stack }) => {
            assert_eq!(
                stack,
                "late\n  now in com.x.B.b(B.java)\n  at com.x.A.a(A.java)"
            );
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_refusal_carries_its_code() {
    let (mut link, _) = link_to(answering(&[
        r#"{"id":1,"error":{"code":"stale-widget","message":null}}"#,
    ]));
    match ask(&mut link, PATIENCE) {
        Err(LinkError::Refused(failure)) => assert_eq!(failure.code, "stale-widget"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn garbage_is_told_from_answers() {
    let cases: [(&'static [&'static str], &str); 5] = [
        (&["not json"], "cannot be read"),
        (&["[1,2]"], "cannot be read"),
        (&[r#"{"id":77,"ok":true}"#], "answer 77"),
        (&[r#"{"what":1}"#], "neither an answer nor a notice"),
        (&[r#"{"id":1,"obs":{"alive":"perhaps"}}"#], "cannot be read"),
    ];
    for (frames, expected) in cases {
        let (mut link, _) = link_to(answering(frames));
        let said = garbage(ask(&mut link, PATIENCE));
        assert!(said.contains(expected), "{said}");
    }
}

#[test]
fn a_length_beyond_all_measure_takes_no_memory() {
    let (mut link, _) = link_to(|mut stream| {
        stream.write_all(&[0xff; 16]).unwrap();
        thread::sleep(Duration::from_secs(1));
    });
    assert!(garbage(ask(&mut link, PATIENCE)).contains("4294967295 bytes"));
}

#[test]
fn a_frame_may_come_in_crumbs_and_be_large() {
    let (mut link, _) = link_to(|mut stream| {
        let text = "é".repeat(400_000);
        let mut bytes = Vec::new();
        let frame = format!(r#"{{"id":1,"obs":{{"alive":true,"toasts":["{text}"]}}}}"#);
        write_frame(&mut bytes, frame.as_bytes()).unwrap();
        for crumb in bytes.chunks(30_001) {
            stream.write_all(crumb).unwrap();
            thread::sleep(Duration::from_millis(1));
        }
        thread::sleep(Duration::from_secs(2));
    });
    let answer = ask(&mut link, PATIENCE).unwrap();
    assert_eq!(answer.obs.unwrap().toasts[0].chars().count(), 400_000);
}

#[test]
fn a_close_in_the_middle_of_a_frame_is_a_close() {
    let (mut link, _) = link_to(|mut stream| {
        stream.write_all(&[0, 0, 1, 0, b'{']).unwrap();
    });
    assert!(matches!(ask(&mut link, PATIENCE), Err(LinkError::Closed)));
    assert!(matches!(ask(&mut link, PATIENCE), Err(LinkError::Closed)));
}

#[test]
fn silence_and_endless_notices_end_at_the_deadline() {
    let brief = Patience {
        total: Duration::from_millis(400),
        ..PATIENCE
    };
    let start = Instant::now();
    let (mut link, _) = link_to(|_stream| thread::sleep(Duration::from_secs(5)));
    assert!(matches!(ask(&mut link, brief), Err(LinkError::Deadline)));
    let (mut link, _) =
        link_to(
            |mut stream| {
                while write_frame(&mut stream, br#"{"notice":"weather"}"#).is_ok() {}
            },
        );
    assert!(matches!(ask(&mut link, brief), Err(LinkError::Deadline)));
    // A frame that never ends, a byte at a time.
    let (mut link, _) = link_to(|mut stream| {
        stream.write_all(&[0, 0xff, 0, 0]).unwrap();
        while stream.write_all(b" ").is_ok() {
            thread::sleep(Duration::from_millis(5));
        }
    });
    assert!(matches!(ask(&mut link, brief), Err(LinkError::Deadline)));
    assert!(start.elapsed() < HANG);
}

#[test]
fn an_interrupt_ends_a_wait_at_once() {
    let (mut link, interrupt) = link_to(|_stream| thread::sleep(Duration::from_secs(600)));
    let start = Instant::now();
    thread::spawn(move || {
        thread::sleep(Duration::from_millis(100));
        interrupt.store(true, Ordering::Relaxed);
    });
    assert!(matches!(
        ask(&mut link, PATIENCE),
        Err(LinkError::Interrupted)
    ));
    assert!(start.elapsed() < HANG);
}

#[test]
fn only_the_right_token_and_protocol_are_greeted() {
    let greeted = |hello: &'static str| {
        let (mut link, _) = link_to(move |mut stream| {
            write_frame(&mut stream, hello.as_bytes()).unwrap();
            thread::sleep(Duration::from_secs(1));
        });
        link.greet("secret", Instant::now() + Duration::from_secs(10))
    };
    let right = r#"{"notice":"hello","protocol":1,"token":"secret","sdk":34,"pid":7}"#;
    assert_eq!(greeted(right).unwrap(), 7);
    for wrong in [
        r#"{"notice":"hello","protocol":1,"token":"guess","sdk":34,"pid":7}"#,
        r#"{"notice":"hello","protocol":2,"token":"secret","sdk":34,"pid":7}"#,
        r#"{"notice":"blocked","ms":1}"#,
        r#"{"id":1,"ok":true}"#,
        "{",
    ] {
        assert!(
            matches!(greeted(wrong), Err(LinkError::Garbage(_))),
            "{wrong}"
        );
    }
}
