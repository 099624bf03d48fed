//! The stock adb against the rig, before any code of ours: if these fail, the rig is not a device.

use droidtest_rig::{AdbServer, Config, Phone, Rig};
use std::path::Path;

const APK: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../apps/notes/notes.apk");

struct Bench {
    server: AdbServer,
    rig: Rig,
}

impl Bench {
    fn new(api: u32) -> Self {
        Self::with(Config::sim(api, "notes"))
    }

    fn with(config: Config) -> Self {
        let server = AdbServer::start();
        let rig = Rig::start(Phone::new(config), 0).unwrap();
        let bench = Self { server, rig };
        let said = bench.adb(&["connect", &bench.rig.serial()]).1;
        // A device that requests the key is there all the same.
        assert!(
            said.contains("connected to") || said.contains("failed to authenticate"),
            "{said}"
        );
        bench
    }

    /// Exit code and standard output of `adb -s SERIAL ...`.
    fn adb(&self, args: &[&str]) -> (i32, String) {
        let serial = self.rig.serial();
        let mut all = vec!["-s", serial.as_str()];
        if matches!(args[0], "connect" | "devices") {
            all.clear();
        }
        all.extend(args);
        let out = self.server.run(&all);
        (
            out.status.code().unwrap_or(-1),
            String::from_utf8_lossy(&out.stdout).replace("\r\n", "\n"),
        )
    }
}

#[test]
fn shell_has_exit_codes_quotes_and_both_protocols() {
    for api in [34, 22] {
        let bench = Bench::new(api);
        assert_eq!(
            bench
                .adb(&["shell", "getprop ro.build.version.sdk"])
                .1
                .trim(),
            api.to_string()
        );
        assert_eq!(
            bench.adb(&["shell", "echo 'a  b'; echo \"it's\""]).1,
            "a  b\nit's\n"
        );
        let (code, _) = bench.adb(&["shell", "exit 3"]);
        assert_eq!(code, if api >= 24 { 3 } else { 0 });
    }
}

#[test]
fn files_go_there_and_back() {
    let bench = Bench::new(34);
    let folder = tempfile::tempdir().unwrap();
    let (from, to) = (folder.path().join("a"), folder.path().join("b"));
    let bytes: Vec<u8> = (0..300_000_u32).map(|n| (n % 251) as u8).collect();
    std::fs::write(&from, &bytes).unwrap();
    assert_eq!(
        bench
            .adb(&["push", from.to_str().unwrap(), "/sdcard/x.bin"])
            .0,
        0
    );
    assert_eq!(
        bench
            .adb(&["pull", "/storage/emulated/0/x.bin", to.to_str().unwrap()])
            .0,
        0
    );
    assert_eq!(std::fs::read(&to).unwrap(), bytes);
    let raw = bench
        .server
        .run(&["-s", &bench.rig.serial(), "exec-out", "cat /sdcard/x.bin"]);
    assert_eq!(raw.stdout, bytes);
    assert_ne!(
        bench.adb(&["pull", "/sdcard/none", to.to_str().unwrap()]).0,
        0
    );
    assert!(bench.adb(&["shell", "ls /sdcard"]).1.contains("x.bin"));
}

#[test]
fn an_app_is_installed_started_and_seen() {
    let bench = Bench::new(34);
    assert!(Path::new(APK).is_file());
    let (code, said) = bench.adb(&["install", "-r", "-g", APK]);
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("Success"), "{said}");
    assert!(
        bench
            .adb(&["shell", "pm list packages"])
            .1
            .contains("package:org.droidtest.notes")
    );
    let said = bench
        .adb(&[
            "shell",
            "monkey -p org.droidtest.notes -c android.intent.category.LAUNCHER 1",
        ])
        .1;
    assert!(said.contains("Events injected: 1"), "{said}");
    assert!(
        bench
            .adb(&["shell", "dumpsys activity activities"])
            .1
            .contains("topResumedActivity=")
    );
    let dumped = bench.adb(&["shell", "uiautomator dump"]).1;
    assert_eq!(dumped, "UI hierchary dumped to: /sdcard/window_dump.xml\n");
    assert!(
        bench
            .adb(&["shell", "cat /sdcard/window_dump.xml"])
            .1
            .contains("org.droidtest.notes")
    );
    let log = bench.adb(&["logcat", "-d", "-v", "threadtime"]).1;
    assert!(log.contains("am_proc_start"), "{log}");
}

#[test]
fn a_socket_is_forwarded_and_a_wait_ends() {
    let bench = Bench::new(34);
    bench.rig.phone.listen("echo", |_, pipe| {
        use std::io::{Read as _, Write as _};
        let mut bytes = [0; 4];
        while pipe.read_exact(&mut bytes).is_ok() && pipe.write_all(&bytes).is_ok() {}
    });
    assert_eq!(bench.adb(&["wait-for-device"]).0, 0);
    let port = bench.adb(&["forward", "tcp:0", "localabstract:echo"]).1;
    let port: u16 = port.trim().parse().unwrap();
    use std::io::{Read as _, Write as _};
    let mut stream = std::net::TcpStream::connect(("127.0.0.1", port)).unwrap();
    stream.write_all(b"ping").unwrap();
    let mut back = [0; 4];
    stream.read_exact(&mut back).unwrap();
    assert_eq!(&back, b"ping");
}

#[test]
fn a_key_has_to_be_accepted_first() {
    let bench = Bench::with(Config {
        asks_for_key: true,
        ..Config::sim(34, "notes")
    });
    let states = || bench.adb(&["devices"]).1;
    let within = |word: &str| {
        (0..100).any(|_| {
            std::thread::sleep(std::time::Duration::from_millis(50));
            states().contains(word)
        })
    };
    assert!(within("unauthorized"), "{}", states());
    bench.rig.phone.accept_key();
    bench.server.run(&["disconnect"]);
    bench.adb(&["connect", &bench.rig.serial()]);
    assert!(within("\tdevice"), "{}", states());
}

#[test]
fn a_device_may_announce_itself_as_an_emulator() {
    let server = AdbServer::start();
    let phone = Phone::new(Config::sim(34, "notes"));
    let (_rig, serial) = Rig::emulator(&phone, server.port);
    let out = server.run(&[
        "-s",
        &serial,
        "wait-for-device",
        "shell",
        "getprop ro.product.model",
    ]);
    assert_eq!(String::from_utf8_lossy(&out.stdout).trim(), "rig");
}

#[test]
fn a_socket_of_the_device_leads_to_the_host() {
    use std::io::{Read as _, Write as _};
    let bench = Bench::new(34);
    let host = std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let remote = format!("tcp:{}", host.local_addr().unwrap().port());
    std::thread::spawn(move || {
        for stream in host.incoming().flatten() {
            let mut back = stream.try_clone().unwrap();
            let _ = std::io::copy(&mut (&stream).take(4), &mut back);
        }
    });
    assert_eq!(bench.adb(&["reverse", "tcp:7100", &remote]).0, 0);
    let given = bench.adb(&["reverse", "tcp:0", &remote]);
    assert_eq!(given, (0, "40000\n".to_owned()));
    let (code, list) = bench.adb(&["reverse", "--list"]);
    let lines = [format!("tcp:40000 {remote}"), format!("tcp:7100 {remote}")];
    assert!(
        code == 0 && lines.iter().all(|line| list.contains(line)),
        "{list}"
    );
    let phone = &bench.rig.phone;
    let mut pipe = phone.dial("tcp:7100").expect("the host's socket");
    pipe.write_all(b"ping").unwrap();
    let mut back = [0; 4];
    pipe.read_exact(&mut back).unwrap();
    assert_eq!(&back, b"ping");
    // What is refused, is refused in words.
    let said = |args: &[&str]| {
        let serial = bench.rig.serial();
        let all: Vec<_> = ["-s", serial.as_str(), "reverse"]
            .iter()
            .chain(args)
            .copied()
            .collect();
        let out = bench.server.run(&all);
        assert!(!out.status.success());
        String::from_utf8_lossy(&out.stderr).into_owned()
    };
    assert!(said(&["--no-rebind", "tcp:7100", "tcp:1"]).contains("cannot rebind existing socket"));
    assert!(said(&["--remove", "tcp:7"]).contains("listener 'tcp:7' not found"));
    assert_eq!(bench.adb(&["reverse", "--remove", "tcp:40000"]).0, 0);
    assert!(phone.dial("tcp:40000").is_none());
    assert_eq!(bench.adb(&["reverse", "--remove-all"]).0, 0);
    assert_eq!(bench.adb(&["reverse", "--list"]).1.trim(), "");
    // The host listens there no more.
    bench.adb(&["reverse", "tcp:7100", "tcp:1"]);
    assert!(phone.dial("tcp:7100").is_none());
}

#[test]
fn the_list_of_devices_is_followed_as_they_come_and_go() {
    use std::io::Read as _;
    let bench = Bench::new(34);
    let mut follow = bench.server.command();
    follow
        .arg("track-devices")
        .stdout(std::process::Stdio::piped());
    let mut child = follow.spawn().unwrap();
    let mut out = child.stdout.take().unwrap();
    let heard = std::sync::Arc::new(std::sync::Mutex::new(String::new()));
    let to = heard.clone();
    let reader = std::thread::spawn(move || {
        let mut piece = [0; 512];
        while let Ok(n @ 1..) = out.read(&mut piece) {
            to.lock()
                .unwrap()
                .push_str(&String::from_utf8_lossy(&piece[..n]));
        }
    });
    let within = |count: usize| {
        let line = format!("{}\tdevice", bench.rig.serial());
        (0..200).any(|_| {
            std::thread::sleep(std::time::Duration::from_millis(50));
            heard.lock().unwrap().matches(&line).count() >= count
        })
    };
    assert!(within(1), "{:?}", heard.lock());
    bench.server.run(&["disconnect", &bench.rig.serial()]);
    bench.server.connect(&bench.rig.serial());
    let came_back = within(2);
    child.kill().unwrap();
    child.wait().unwrap();
    reader.join().unwrap();
    assert!(came_back, "{:?}", heard.lock());
}
