//! The stock adb against the rig, before any code of ours: if these fail, the rig is no device.

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
        // A device that asks for the key is there all the same.
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
    // An emulator's port is odd; its console is the even one before.
    let rig = (0..50).find_map(|_| {
        let port = droidtest_rig::server::free_port() | 1;
        Rig::start(Phone::new(Config::sim(34, "notes")), port).ok()
    });
    let rig = rig.expect("an odd port");
    droidtest_rig::server::announce(server.port, rig.port);
    let serial = format!("emulator-{}", rig.port - 1);
    let out = server.run(&[
        "-s",
        &serial,
        "wait-for-device",
        "shell",
        "getprop ro.product.model",
    ]);
    assert_eq!(String::from_utf8_lossy(&out.stdout).trim(), "rig");
}
