//! Attempts to leave the sandbox by plain Java, each a test of its own: held inside, and seen to succeed outside.

use crate::common::app;
use crate::common::input::output_with_input_open;
use crate::common::prey::Host;
use droidtest::device::jvm::confine::Rules;
use droidtest::device::jvm::jdk::Jdk;
use serde_json::json;
use std::process::Command;
use std::sync::OnceLock;

/// The compiled attempts, once for all tests.
fn classes() -> Option<&'static (Jdk, tempfile::TempDir)> {
    static MADE: OnceLock<Option<(Jdk, tempfile::TempDir)>> = OnceLock::new();
    MADE.get_or_init(|| {
        let jdk = Jdk::locate().ok()?;
        let folder = tempfile::tempdir().unwrap();
        let sources = app("hostile/src/org/droidtest/hostile");
        let made = Command::new(jdk.javac())
            .arg("-d")
            .arg(folder.path())
            .args(["Escape.java", "Aims.java"].map(|name| sources.join(name)))
            .status()
            .unwrap();
        assert!(made.success());
        Some((jdk, folder))
    })
    .as_ref()
}

/// Makes one attempt, in a process of its own.
fn run(host: &Host, attempt: &str, sandboxed: bool) -> String {
    let (jdk, classes) = classes().unwrap();
    let java = jdk.java();
    let mut command = if sandboxed {
        let mut rules = Rules::for_program(&java, &jdk.home);
        rules.read.extend([
            classes.path().to_owned(),
            host.at("readable"),
            "/bin".into(),
            "/usr/bin".into(),
        ]);
        let plan = json!({
            "read": rules.read,
            "write": [host.at("own")],
            "execute": rules.execute,
            "network": false,
        });
        let mut command = Command::new(env!("CARGO_BIN_EXE_droidtest-sandbox"));
        command.arg(plan.to_string()).arg(&java);
        command
    } else {
        Command::new(&java)
    };
    command
        .args([
            "-Xshare:auto",
            "-XX:TieredStopAtLevel=1",
            "-XX:-UsePerfData",
        ])
        .arg("-cp")
        .arg(classes.path())
        .args(["org.droidtest.hostile.Escape", attempt])
        .envs(host.aims())
        .current_dir(host.at("own"));
    // Its end would end the program.
    output_with_input_open(&mut command).trim().to_owned()
}

/// Held inside, and not by an error of the attempt itself: the same succeeds outside.
fn holds(attempt: &str) {
    if classes().is_none() || droidtest::device::jvm::sandbox::possible().is_err() {
        crate::common::skip::skip("no JDK, or no sandbox here");
        return;
    }
    let inside = run(&Host::new(), attempt, true);
    assert!(inside.starts_with("held"), "{attempt}: {inside:?}");
    let outside = run(&Host::new(), attempt, false);
    assert_eq!(outside, "escaped", "{attempt} has to succeed outside");
}

macro_rules! attempts {
    ($($name:ident)*) => {$(
        #[test]
        fn $name() {
            holds(stringify!($name));
        }
    )*};
}

attempts! {
    file file_channel file_random file_exists file_listed file_overwritten file_created_beside file_deleted
    link link_chain hard_link dots
    proc_root proc_cwd proc_parent_root proc_environment proc_command_line proc_memory proc_descriptors
    read_only_created read_only_overwritten read_only_appended read_only_moved read_only_mode read_only_link
    tcp tcp_channel tcp_six udp udp_channel unix_socket interfaces port_taken
    exec exec_shell exec_loader exec_own process_seen processes_seen process_killed
    large_file device_files system_files mounts_of_the_host host_name watchers
}
