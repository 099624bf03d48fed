//! The probe app on the jvm device: what a reset leaves behind, what an app must not do, and how
//! processes that hang or die are told and replaced.

#[cfg(unix)]
mod jvm;

#[cfg(unix)]
mod probe {
    use super::jvm::{Driver, apk};
    use droidtest::device::{Device, DeviceError, Reset};
    use std::time::{Duration, Instant};

    const COUNTS: [&str; 6] = [
        "static_count",
        "property_count",
        "file_count",
        "preference_count",
        "sqlite_count",
        "external_count",
    ];

    fn probe(memory_mb: u32) -> Driver {
        Driver::launch(apk("probe/probe.apk"), "org.droidtest.probe", |settings| {
            settings.memory_mb = memory_mb;
        })
    }

    fn counts(driver: &Driver) -> Vec<String> {
        COUNTS.iter().map(|id| driver.text(id)).collect()
    }

    /// Each count's number, whatever words stand beside it.
    fn numbers(driver: &Driver) -> Vec<u32> {
        counts(driver)
            .iter()
            .map(|text| {
                let digits: String = text.chars().filter(char::is_ascii_digit).collect();
                digits
                    .parse()
                    .unwrap_or_else(|_| panic!("no number: {text}"))
            })
            .collect()
    }

    #[test]
    fn resets_leave_what_android_leaves_and_nothing_else() {
        let mut driver = probe(640);
        assert_eq!(numbers(&driver), [0; 6]);
        driver.click("bump");
        driver.click("bump");
        assert_eq!(numbers(&driver), [2; 6]);
        driver.reset(Reset::Relaunch);
        assert_eq!(numbers(&driver), [0, 0, 2, 2, 2, 2]);
        driver.click("bump");
        // The same across a process that was killed from outside.
        let pid = driver.device.pid().unwrap();
        kill(pid);
        let error = driver
            .perform(&droidtest::device::Action::Home)
            .unwrap_err();
        assert!(
            matches!(&error, DeviceError::Died { message, .. } if message.contains("signal 9")),
            "{error}"
        );
        driver.reset(Reset::Relaunch);
        assert_ne!(driver.device.pid().unwrap(), pid);
        assert_eq!(numbers(&driver), [0, 0, 3, 3, 3, 3]);
        driver.reset(Reset::ClearData);
        assert_eq!(numbers(&driver), [0; 6]);
    }

    fn kill(pid: u32) {
        let status = std::process::Command::new("kill")
            .args(["-9", &pid.to_string()])
            .status();
        assert!(status.unwrap().success());
    }

    #[test]
    fn an_app_cannot_leave_its_world() {
        let mut driver = probe(640);
        driver.open("ConfineActivity");
        let mut allowed = Vec::new();
        for attempt in [
            "socket_remote",
            "socket_local",
            "channel_local",
            "udp_local",
            "listen",
            "resolve",
            "http",
            "http_local",
            "exec",
            "process_builder",
            "load_library",
            "read_passwd",
            "nio_passwd",
            "read_process",
            "write_tmp",
            "write_home",
            "nio_home",
            "write_parent",
        ] {
            driver.click(attempt);
            let said = driver.wait_for("result", |text| !text.is_empty());
            println!("{attempt}: {said}");
            if !said.starts_with("refused") {
                allowed.push(format!("{attempt}: {said}"));
            }
            // The next attempt's result must not be taken for this one's.
            driver.reset(Reset::ClearData);
            driver.open("ConfineActivity");
        }
        assert!(allowed.is_empty(), "{allowed:#?}");
        driver.click("write_own");
        let said = driver.wait_for("result", |text| !text.is_empty());
        assert!(said.starts_with("ALLOWED"), "{said}");
        assert!(!std::path::Path::new("/tmp/droidtest-probe").exists());
    }

    #[test]
    fn processes_that_hang_or_die_are_told_and_replaced() {
        let mut driver = probe(320);
        let mut begin = |driver: &mut Driver| {
            driver.reset(Reset::ClearData);
            driver.open("ConfineActivity");
        };
        // The main thread, for ever: real time.
        begin(&mut driver);
        let start = Instant::now();
        let error = driver.click_fatally("loop_main");
        let DeviceError::Blocked(anr) = &error else {
            panic!("{error}")
        };
        assert!(anr.stack.contains("ConfineActivity"), "{}", anr.stack);
        assert!(anr.ms >= 5000 && start.elapsed() < Duration::from_secs(30));

        // Its sleep: virtual time.
        begin(&mut driver);
        let seen = driver.click("sleep_main");
        assert!(
            seen.anr
                .is_some_and(|anr| anr.virtual_time && anr.ms >= 8000)
        );

        begin(&mut driver);
        let seen = driver.click("exit");
        assert_eq!(seen.exit.as_deref(), Some("System.exit(3)"));
        assert!(!seen.alive);

        begin(&mut driver);
        let n = driver.perform(&droidtest::device::Action::Wait { ms: 1 });
        assert!(n.unwrap().alive);

        begin(&mut driver);
        let seen = driver.click("stack_overflow");
        assert_eq!(seen.crash.unwrap().class, "java.lang.StackOverflowError");

        // Memory: a crash of the app or the end of the process, never a hang.
        begin(&mut driver);
        let n = driver.find("out_of_memory");
        match driver.perform(&droidtest::device::Action::Click { n }) {
            Ok(seen) => assert_eq!(seen.crash.unwrap().class, "java.lang.OutOfMemoryError"),
            Err(DeviceError::Died { out_of_memory, .. }) => assert!(out_of_memory),
            Err(other) => panic!("{other}"),
        }

        begin(&mut driver);
        driver.click("background_loop");
        begin(&mut driver);
        assert!(driver.page.widgets.len() > 10);
    }
}
