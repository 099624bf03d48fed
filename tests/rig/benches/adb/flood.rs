//! A log of ten megabytes a second with crashes inside.

use crate::device::Devices;
use droidtest::device::adb::handle::Handle;
use droidtest::device::adb::server::Server;
use droidtest::device::adb::watch_log::LogWatch;
use droidtest_rig::Phone;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// One in the middle of the flood, one at its end.
pub const CRASHES: usize = 2;
/// What a chatty app writes in a second.
const RATE: f64 = 10e6;
/// The app's process.
const PID: u32 = 4242;
/// Bytes of a line's message; time, process and tag come to some 50 more.
const MESSAGE: usize = 200;

/// The result of a flood.
pub struct Told {
    /// Bytes written, as logcat prints them.
    pub bytes: u64,
    /// In this time.
    pub time: Duration,
    /// How long after it was written each crash was reported.
    pub late: Vec<Duration>,
}

/// The device's side: writes for so long, says `crash` at each crash and the bytes at the end.
pub fn write(phone: &Phone, time: Duration) {
    let noise = "x".repeat(MESSAGE);
    let (started, mut bytes, mut crashes) = (Instant::now(), 0_u64, 0);
    let crash = || {
        let text = "FATAL EXCEPTION: main\nProcess: org.droidtest.notes, PID: 4242\njava.lang.Error: e\n\tat org.droidtest.notes.A.b(A.java:1)";
        phone.log.write(PID, 'E', "AndroidRuntime", text);
        println!("crash");
    };
    while started.elapsed() < time {
        // As many lines as are due by now.
        while (bytes as f64) < started.elapsed().as_secs_f64() * RATE {
            phone.log.write(PID, 'I', "flood", &noise);
            bytes += MESSAGE as u64 + 42;
        }
        if crashes == 0 && started.elapsed() > time / 2 {
            crashes += 1;
            crash();
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    crash();
    println!("{bytes} {}", started.elapsed().as_micros());
}

/// Floods for so long, and listens.
pub fn measure(time: Duration) -> Told {
    let mut devices = Devices::start(1, Duration::ZERO);
    let server = Server::new(devices.server.port, None, Arc::default());
    let handle = Arc::new(Handle::new(server, devices.serials[0].clone()));
    let watch =
        LogWatch::start(handle, "org.droidtest.notes", &Default::default()).expect("the log");
    watch.processes([PID]);
    devices.order(&format!("flood {}", time.as_secs_f64()));
    // Deaths are reported on a separate thread while the devices' lines are read here.
    let (reported, written, last) = std::thread::scope(|scope| {
        let listener = scope.spawn(|| {
            let mut reported = Vec::new();
            let until = Instant::now() + time + Duration::from_secs(20);
            while reported.len() < CRASHES && Instant::now() < until {
                let seen = watch.wait_for_death(Duration::from_secs(1));
                reported.extend(seen.crashes.iter().map(|_| Instant::now()));
            }
            reported
        });
        let mut written = Vec::new();
        let last = loop {
            match devices.answer() {
                line if line == "crash" => written.push(Instant::now()),
                line => break line,
            }
        };
        (listener.join().expect("the log is read"), written, last)
    });
    let mut numbers = last.split(' ').filter_map(|n| n.parse::<u64>().ok());
    Told {
        bytes: numbers.next().unwrap_or(0),
        time: Duration::from_micros(numbers.next().unwrap_or(0)),
        late: reported
            .iter()
            .zip(&written)
            .map(|(reported, written)| reported.saturating_duration_since(*written))
            .collect(),
    }
}
