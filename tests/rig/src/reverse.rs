//! `adb reverse`: sockets of the device that lead to the host, in the words of `adbd`'s `handle_forward_request`.

use crate::phone::Phone;
use crate::pipe::{Pipe, lock};
use std::io::Write as _;

/// Ports that are given where the host leaves the choice (`tcp:0`).
const FREE: std::ops::Range<u16> = 40_000..41_000;

/// Answers one request: `OKAY`, with a text where there is one, or `FAIL` with the reason.
pub fn serve(phone: &Phone, request: &str, pipe: &mut Pipe) {
    let answer = match request.split_once(':').unwrap_or((request, "")) {
        ("list-forward", _) => string(&list(phone)),
        ("killforward-all", _) => {
            lock(&phone.reversed).clear();
            "OKAY".to_owned()
        }
        ("killforward", local) => match lock(&phone.reversed).remove(local) {
            Some(_) => "OKAY".to_owned(),
            None => fail(&format!("listener '{local}' not found")),
        },
        ("forward", rest) => add(phone, rest),
        _ => fail("unknown reverse request"),
    };
    let _ = pipe.write_all(answer.as_bytes());
}

fn string(text: &str) -> String {
    format!("{:04x}{text}", text.len())
}

fn fail(why: &str) -> String {
    format!("FAIL{}", string(why))
}

fn list(phone: &Phone) -> String {
    let all = lock(&phone.reversed);
    let lines = all
        .iter()
        .map(|(local, remote)| format!("host-1 {local} {remote}\n"));
    lines.collect()
}

fn add(phone: &Phone, rest: &str) -> String {
    let (rebinds, pair) = match rest.strip_prefix("norebind:") {
        Some(pair) => (false, pair),
        None => (true, rest),
    };
    let Some((local, remote)) = pair.split_once(';') else {
        return fail("bad forward: missing ';'");
    };
    let mut all = lock(&phone.reversed);
    if local == "tcp:0" {
        let mut free = FREE.filter(|port| !all.contains_key(&format!("tcp:{port}")));
        let Some(port) = free.next() else {
            return fail("cannot bind listener: Address already in use");
        };
        all.insert(format!("tcp:{port}"), remote.to_owned());
        return format!("OKAY{}", string(&port.to_string()));
    }
    if !rebinds && all.contains_key(local) {
        return fail("cannot rebind existing socket");
    }
    all.insert(local.to_owned(), remote.to_owned());
    "OKAY".to_owned()
}
