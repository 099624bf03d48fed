//! Our share of an event: what is left of it without the device's work and without a bare exchange of as many bytes.

use droidtest::device::adb::handle::Handle;
use droidtest::device::adb::server::Server;
use droidtest::device::{Device as _, Reset};
use droidtest_rig::Config;
use droidtest_rig::bench::{Bench, Walk};
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

/// Bytes of a request: an action is hardly longer.
const REQUEST: usize = 80;
/// The socket that echoes.
const ECHO: &str = "droidtest-bench-echo";

/// Medians of a walk, times in milliseconds.
pub struct Shares {
    /// Performing and observing.
    pub whole: f64,
    /// The device's part of that.
    pub device: f64,
    /// A request and an answer of as many bytes, over the same server, transport and socket.
    pub bare: f64,
    /// What is left.
    pub ours: f64,
    /// Bytes of the page.
    pub bytes: f64,
}

/// A walk of so many events.
pub fn measure(events: usize) -> Shares {
    let bench = Bench::new(Config::sim(34, "notes"));
    // Four bytes say how long the answer is to be; that many zeros come back.
    bench.rig.phone.listen(ECHO, |_, pipe| {
        let mut request = [0; REQUEST];
        while pipe.read_exact(&mut request).is_ok() {
            let wanted = u32::from_be_bytes([request[0], request[1], request[2], request[3]]);
            let mut answer = vec![0; wanted as usize];
            answer[0] = 1;
            if pipe.write_all(&answer).is_err() {
                return;
            }
        }
    });
    let server = Server::new(bench.server.port, None, Arc::default());
    let mut echo = Handle::new(server, bench.rig.serial())
        .socket(ECHO)
        .expect("the echo");
    echo.set_nodelay(true).expect("a socket");
    let mut device = bench.device(true);
    let mut walk = Walk::default();
    device.reset(Reset::ClearData).expect("a start");
    let mut seen = device.observe(&mut walk.interner).expect("a page");
    let (mut whole, mut own, mut bare, mut ours, mut bytes) =
        (Vec::new(), Vec::new(), Vec::new(), Vec::new(), Vec::new());
    while whole.len() < events {
        if !seen.alive {
            device.reset(Reset::Relaunch).expect("a start");
            seen = device.observe(&mut walk.interner).expect("a page");
        }
        let action = walk.next(&seen);
        let before = bench.rig.phone.agent_nanos.load(Ordering::Relaxed);
        let started = Instant::now();
        device.perform(&action).expect("performed");
        let after = device.observe(&mut walk.interner).expect("observed");
        let took = crate::ms(started.elapsed());
        let spent = (bench.rig.phone.agent_nanos.load(Ordering::Relaxed) - before) as f64 / 1e6;
        let changed = !same(&seen, &after);
        let answer = if changed {
            page_bytes(&after, &walk)
        } else {
            200
        };
        let trip = exchange(&mut echo, answer);
        // A death is waited for on purpose, so that its complete text is there.
        if after.alive {
            whole.push(took);
            own.push(spent);
            bare.push(trip);
            ours.push(took - spent - trip);
            bytes.push(answer as f64);
        }
        seen = after;
    }
    Shares {
        whole: crate::median(whole),
        device: crate::median(own),
        bare: crate::median(bare),
        ours: crate::median(ours),
        bytes: crate::median(bytes),
    }
}

fn same(a: &droidtest::device::Observation, b: &droidtest::device::Observation) -> bool {
    matches!((&a.page, &b.page), (Some(a), Some(b)) if Arc::ptr_eq(a, b))
}

fn page_bytes(of: &droidtest::device::Observation, walk: &Walk) -> usize {
    let nodes = of.page().to_raw(&walk.interner);
    serde_json::to_vec(&nodes).map_or(0, |v| v.len()) + 200
}

fn exchange(echo: &mut TcpStream, answer: usize) -> f64 {
    let mut request = [0; REQUEST];
    request[..4].copy_from_slice(&u32::try_from(answer).unwrap_or(1).to_be_bytes());
    let mut back = vec![0; answer];
    let started = Instant::now();
    echo.write_all(&request).expect("sent");
    echo.read_exact(&mut back).expect("answered");
    crate::ms(started.elapsed())
}
