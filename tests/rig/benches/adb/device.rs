//! Rigs in a separate process, so that neither their memory nor their threads are counted as ours.

use crate::flood;
use droidtest_rig::{AdbServer, Config, Phone, Rig};
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitCode, Stdio};
use std::time::Duration;

/// The argument that makes this program the devices' process.
pub const FLAG: &str = "--rigs";

/// Devices on a server.
pub struct Devices {
    /// The server.
    pub server: AdbServer,
    /// Their serials.
    pub serials: Vec<String>,
    child: Child,
    orders: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

impl Devices {
    /// So many devices that take this time for an event.
    pub fn start(count: usize, delay: Duration) -> Self {
        let program = std::env::current_exe().expect("this program");
        let mut child = Command::new(program)
            .args([FLAG, &count.to_string(), &delay.as_millis().to_string()])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the devices' process");
        let orders = child.stdin.take();
        let answers = BufReader::new(child.stdout.take().expect("its output"));
        let mut devices = Self {
            server: AdbServer::start(),
            serials: Vec::new(),
            child,
            orders,
            answers,
        };
        for _ in 0..count {
            let serial = devices.answer();
            devices.server.run(&["connect", &serial]);
            devices.serials.push(serial);
        }
        devices
    }

    /// Tells the process something.
    pub fn order(&mut self, what: &str) {
        if let Some(orders) = &mut self.orders {
            writeln!(orders, "{what}").expect("the devices listen");
        }
    }

    /// Its next line.
    pub fn answer(&mut self) -> String {
        let mut line = String::new();
        self.answers.read_line(&mut line).expect("the devices talk");
        line.trim().to_owned()
    }
}

impl Drop for Devices {
    fn drop(&mut self) {
        // The end of its input is the end of the process.
        self.orders = None;
        let _ = self.child.wait();
    }
}

/// The devices' process: prints their serials, then follows orders until its input ends.
pub fn serve(args: &[String]) -> ExitCode {
    let number = |at: usize| {
        args.get(at)
            .and_then(|n| n.parse::<u64>().ok())
            .unwrap_or(0)
    };
    let rigs: Vec<Rig> = (0..number(0))
        .map(|_| {
            let config = Config {
                delay: Duration::from_millis(number(1)),
                ..Config::sim(34, "notes")
            };
            Rig::start(Phone::new(config), 0).expect("a port")
        })
        .collect();
    for rig in &rigs {
        println!("{}", rig.serial());
    }
    for line in std::io::stdin().lines().map_while(Result::ok) {
        if let Some(seconds) = line.strip_prefix("flood ").and_then(|s| s.parse().ok()) {
            flood::write(&rigs[0].phone, Duration::from_secs_f64(seconds));
        }
    }
    ExitCode::SUCCESS
}
