//! What an app must not do to its host, and what becomes of an app that hangs, dies or takes all memory.

use crate::common::phone::Phone;
#[cfg(target_os = "linux")]
use crate::common::phone::running;
use droidtest::device::jvm::settings::Confine;
use droidtest::device::{Action, DeviceError, Reset};
use std::io::ErrorKind;
use std::net::{Ipv4Addr, TcpListener, TcpStream, UdpSocket};
use std::path::Path;
use std::time::{Duration, Instant};

/// Longer than any answer takes on a busy machine, and shorter than the limit of a step.
const HANG: Duration = Duration::from_secs(60);

/// The file that the probe tries to leave behind.
const MARK: &str = "droidtest-probe";

#[test]
fn the_app_is_held_and_its_end_is_told() {
    // Little memory, so that it is soon used up; the processor time of an endless loop, so that it soon counts as one.
    let Some(mut phone) = Phone::with("probe", |s| {
        s.memory_mb = 512;
        s.anr = Duration::from_secs(5);
    }) else {
        return;
    };
    phone.reset(Reset::ClearData);
    network(&mut phone);
    processes_and_code(&mut phone);
    files(&mut phone);
    failures(&mut phone);
    deaths(&mut phone);
    phone.finish();
}

/// Where there are no namespaces.
#[test]
fn the_app_is_held_and_lives_at_reduced() {
    let Some(mut phone) = Phone::with("probe", |s| s.confine = Confine::Reduced) else {
        return;
    };
    phone.reset(Reset::ClearData);
    network(&mut phone);
    files(&mut phone);
    phone.finish();
}

/// What the app wrote is more than its device may hold, whoever wrote it.
#[test]
#[cfg(unix)]
fn an_app_that_fills_its_folder_is_ended() {
    let Some(mut phone) = Phone::with("probe", |s| s.disk_mb = 64) else {
        return;
    };
    phone.reset(Reset::ClearData);
    let large = phone.work.join("files/large");
    std::fs::write(&large, vec![1; 80 << 20]).unwrap();
    // The files are counted every few seconds, and more rarely on a slow machine.
    let limit = Instant::now() + HANG;
    let error = loop {
        assert!(Instant::now() < limit, "the app goes on");
        if let Err(error) = phone.attempt(&Action::Wait { ms: 500 }) {
            break error;
        }
    };
    let said = error.to_string();
    assert!(
        said.ends_with("the app's files take more than 64 MB (device.disk)"),
        "{said}"
    );
    std::fs::remove_file(large).unwrap();
    phone.reset(Reset::ClearData);
    assert_eq!(phone.activity(), "MainActivity");
}

fn network(phone: &mut Phone) {
    phone.proves(
        "names, sockets, channels and HTTP are refused at once",
        |phone| {
            let tcp = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
            tcp.set_nonblocking(true).unwrap();
            let udp = UdpSocket::bind(tcp.local_addr().unwrap()).unwrap();
            udp.set_nonblocking(true).unwrap();
            let port = tcp.local_addr().unwrap().port().to_string();
            for (id, exception) in [
                ("resolve", "java.net.UnknownHostException"),
                ("http", "java.net.UnknownHostException"),
                ("socket_remote", "java.net."),
                ("socket_local", "java.net."),
                ("channel_local", "java."),
                ("udp_local", "java."),
                ("http_local", "java.net."),
            ] {
                phone.open("ConfineActivity");
                phone.text("port", &port, false);
                let start = Instant::now();
                phone.click(id);
                phone.expect_that("result", &format!("tell of {id}"), |said| !said.is_empty());
                // It is refused, and not waited for.
                assert!(start.elapsed() < HANG, "{id}: {:?}", start.elapsed());
                let said = phone.says("result").unwrap();
                assert!(
                    said.starts_with(&format!("refused: {exception}")),
                    "{id}: {said}"
                );
                phone.back();
            }
            // A server socket waits forever, and no port of the machine is taken.
            phone.open("ConfineActivity");
            phone.click("listen");
            phone.expect_that("result", "name a port", |said| said.starts_with("ALLOWED "));
            let said = phone.says("result").unwrap();
            let port: u16 = said["ALLOWED ".len()..].parse().unwrap();
            TcpStream::connect((Ipv4Addr::LOCALHOST, port)).unwrap_err();
            assert_eq!(tcp.accept().unwrap_err().kind(), ErrorKind::WouldBlock);
            assert_eq!(
                udp.recv(&mut [0; 8]).unwrap_err().kind(),
                ErrorKind::WouldBlock
            );
        },
    );
}

fn processes_and_code(phone: &mut Phone) {
    phone.proves("no child process is started", |phone| {
        phone.open("ConfineActivity");
        phone.click("exec");
        phone.expect_that("result", "refuse", |said| {
            said.starts_with("refused: java.io.IOException: ")
        });
        assert_eq!(
            limits(phone),
            [("child-process".to_owned(), "id".to_owned())]
        );
        phone.back();
        phone.open("ConfineActivity");
        phone.click("process_builder");
        phone.expect_that("result", "refuse", |said| {
            said.starts_with("refused: java.io.IOException: ")
        });
    });
    phone.proves("a native library is missing, which is said once", |phone| {
        phone.open("ConfineActivity");
        for times in 0..2 {
            phone.click("load_library");
            let limits = limits(phone);
            phone.expect_that("result", "refuse", |said| {
                said.starts_with("refused: java.lang.UnsatisfiedLinkError: ")
            });
            let expected = [("native-library".to_owned(), "libnothere.so".to_owned())];
            assert_eq!(limits, expected[times..]);
        }
    });
    for (id, how) in [
        ("exit", "System.exit(3)"),
        ("halt", "System.exit(4)"),
        ("kill", "Process.killProcess"),
    ] {
        phone.proves(&format!("{id} ends the app, not its host"), |phone| {
            phone.open("ConfineActivity");
            phone.click(id);
            assert_eq!(phone.now.exit.as_deref(), Some(how));
            assert!(!phone.now.alive && phone.now.crash.is_none());
            phone.reset(Reset::Relaunch);
            assert_eq!(phone.activity(), "MainActivity");
        });
    }
    phone.proves("all of this in one process", |phone| {
        assert_eq!(processes(phone), 1)
    });
}

fn limits(phone: &Phone) -> Vec<(String, String)> {
    let limits = phone.now.environment.iter();
    limits
        .map(|limit| (limit.rule.clone(), limit.detail.clone()))
        .collect()
}

/// How many processes there have been, by their logs.
fn processes(phone: &Phone) -> usize {
    let logs = std::fs::read_dir(&phone.logs).unwrap().flatten();
    logs.filter(|f| f.file_name().to_string_lossy().starts_with("jvm-"))
        .count()
}

fn files(phone: &mut Phone) {
    phone.proves(
        "files outside the device are neither read nor written",
        |phone| {
            for (id, exception) in [
                ("read_passwd", "java.io.FileNotFoundException"),
                ("nio_passwd", "java.nio.file.NoSuchFileException"),
                ("read_process", "java.io.FileNotFoundException"),
                ("write_tmp", "java.io.FileNotFoundException"),
                ("write_home", "java.io.FileNotFoundException"),
                ("nio_home", "java.nio.file.NoSuchFileException"),
                ("write_parent", "java.io.FileNotFoundException"),
                ("link_passwd", "java.io.FileNotFoundException"),
            ] {
                phone.open("ConfineActivity");
                phone.click(id);
                let kind = format!("refuse {id}");
                phone.expect_that("result", &kind, |said| {
                    said.starts_with(&format!("refused: {exception}"))
                });
                phone.back();
            }
            assert!(!Path::new("/tmp").join(MARK).exists());
            assert!(!phone.work.join(MARK).exists());
            assert!(!phone.work.join("tmp").join(MARK).exists());
            phone.open("ConfineActivity");
            phone.click("write_own");
            phone.expect_that("result", "allow", |said| said.starts_with("ALLOWED "));
            phone.click("shared_database");
            phone.expect("result", "ALLOWED /sdcard/probe.db true");
            phone.click("temporary");
            phone.expect("result", "ALLOWED 4 in the cache");
            phone.click("temporary_above");
            phone.expect_that("result", "refuse", |said| {
                said.starts_with("refused: java.lang.IllegalArgumentException: Invalid prefix")
            });
        },
    );
}

fn failures(phone: &mut Phone) {
    phone.proves("copies of a theme take little memory", |phone| {
        phone.open("ConfineActivity");
        phone.click("themes");
        phone.expect("result", "ALLOWED false true false");
    });
    phone.proves(
        "a sleep on the main thread is an ANR in virtual time",
        |phone| {
            phone.open("ConfineActivity");
            phone.click("sleep_main");
            let anr = phone.now.anr.clone().expect("an ANR");
            assert!(anr.virtual_time && anr.ms == 8000, "{anr:?}");
            assert!(
                anr.stack
                    .contains("org.droidtest.probe.ConfineActivity.sleep("),
                "{}",
                anr.stack
            );
            assert!(!anr.stack.contains("droidtest.host"), "{}", anr.stack);
            phone.expect("result", "slept");
            phone.wait(20);
            assert!(phone.now.anr.is_none());
        },
    );
    phone.proves("a crash on a background thread ends the app", |phone| {
        phone.open("ConfineActivity");
        phone.click("background_throw");
        for _ in 0..20 {
            if phone.now.crash.is_some() {
                break;
            }
            phone.wait(50);
        }
        let crash = phone.now.crash.clone().expect("a crash");
        assert!(!phone.now.alive);
        assert_eq!(crash.thread, "probe-background");
        assert!(crash.stack.starts_with("FATAL EXCEPTION: probe-background\nProcess: org.droidtest.probe, PID: "));
        let expected = "\njava.lang.IllegalStateException: thrown on a background thread\n\tat org.droidtest.probe.ConfineActivity.fail(";
        assert!(crash.stack.contains(expected), "{}", crash.stack);
        assert!(crash.stack.contains("at java.lang.Thread.run("), "{}", crash.stack);
    });
    phone.proves("a stack overflow is the app's crash", |phone| {
        phone.reset(Reset::Relaunch);
        phone.open("ConfineActivity");
        phone.click("stack_overflow");
        let crash = phone.now.crash.clone().expect("a crash");
        assert_eq!(
            crash.root_class.as_deref(),
            Some("java.lang.StackOverflowError")
        );
        let frame = crash.app_frame.as_deref().unwrap();
        let descends = "org.droidtest.probe.ConfineActivity.descend(";
        assert!(frame.starts_with(descends), "{frame}\n{}", crash.stack);
        assert_eq!(crash.environment, None);
    });
    phone.proves("a thread that never ends holds nothing up", |phone| {
        phone.reset(Reset::Relaunch);
        phone.open("ConfineActivity");
        phone.click("background_loop");
        assert!(!phone.now.settled);
        phone.wait(20);
        phone.wait(20);
        let start = Instant::now();
        phone.click("write_own");
        phone.expect_that("result", "allow", |said| said.starts_with("ALLOWED "));
        assert!(start.elapsed() < HANG, "{:?}", start.elapsed());
    });
}

fn deaths(phone: &mut Phone) {
    // First of all: it ends the threads that `failures` left running.
    #[cfg(target_os = "linux")]
    phone.proves("a killed process is reported and replaced", |phone| {
        let before = processes(phone);
        let mut running = running(&phone.work).into_iter();
        let (_, pid) = running
            .find(|(name, _)| name == "java")
            .expect("a Java process");
        let pid = rustix::process::Pid::from_raw(pid).unwrap();
        rustix::process::kill_process(pid, rustix::process::Signal::KILL).unwrap();
        match phone.attempt(&Action::Wait { ms: 1 }) {
            Err(DeviceError::Died {
                message,
                out_of_memory,
                ..
            }) => {
                assert!(message.contains("signal 9"), "{message}");
                assert!(!out_of_memory, "{message}");
            }
            other => panic!("{other:?}"),
        }
        phone.reset(Reset::ClearData);
        assert_eq!(phone.activity(), "MainActivity");
        assert_eq!(processes(phone), before + 1);
    });
    phone.proves(
        "an endless loop on the main thread is an ANR in real time",
        |phone| {
            let before = processes(phone);
            phone.reset(Reset::ClearData);
            phone.open("ConfineActivity");
            let n = phone.by_id("loop_main");
            match phone.attempt(&Action::Click { n }) {
                Err(DeviceError::Blocked(anr)) => {
                    assert!(!anr.virtual_time && anr.ms >= 5000, "{anr:?}");
                    assert!(
                        anr.stack
                            .contains("org.droidtest.probe.ConfineActivity.spin("),
                        "{}",
                        anr.stack
                    );
                }
                other => panic!("{other:?}"),
            }
            phone.reset(Reset::Relaunch);
            assert_eq!(phone.activity(), "MainActivity");
            assert_eq!(processes(phone), before + 1);
        },
    );
    phone.proves(
        "an endless loop is reported at the loop, not at what it happens to call",
        |phone| {
            phone.reset(Reset::ClearData);
            phone.open("ConfineActivity");
            let n = phone.by_id("loop_calls");
            match phone.attempt(&Action::Click { n }) {
                Err(DeviceError::Blocked(anr)) => {
                    let place = anr.stack.lines().find(|line| line.starts_with("  at org."));
                    let loops =
                        "  at org.droidtest.probe.ConfineActivity.takeTurns(ConfineActivity.java:";
                    assert!(
                        place.is_some_and(|place| place.starts_with(loops)),
                        "{}",
                        anr.stack
                    );
                    let called = "  now in org.droidtest.probe.ConfineActivity.burn(";
                    assert!(anr.stack.contains(called), "{}", anr.stack);
                }
                other => panic!("{other:?}"),
            }
            phone.reset(Reset::Relaunch);
        },
    );
    phone.proves("memory used up ends in an error that says so", |phone| {
        let before = processes(phone);
        phone.open("ConfineActivity");
        let n = phone.by_id("out_of_memory");
        match phone.attempt(&Action::Click { n }) {
            Err(DeviceError::Died {
                message,
                out_of_memory,
                ..
            }) => {
                assert!(out_of_memory, "{message}");
                assert!(message.contains("memory at the end: "), "{message}");
                assert!(message.contains(" of this device, "), "{message}");
                assert!(message.contains("memory ran out"), "{message}");
            }
            other => panic!("{other:?}"),
        }
        phone.reset(Reset::ClearData);
        assert_eq!(phone.activity(), "MainActivity");
        assert_eq!(processes(phone), before + 1);
    });
}
