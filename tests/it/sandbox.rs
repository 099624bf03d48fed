//! What `droidtest-sandbox` leaves to a program: each test is an attempt to get out, made by a shell without other programs,
//! and each is seen to succeed outside.

use crate::common::app;
use crate::common::cage::Cage;
use serde_json::json;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

macro_rules! attempts {
    ($walls:literal $($name:ident: $script:expr => $inside:expr;)*) => {$(
        #[test]
        fn $name() {
            if let Some(cage) = Cage::new() {
                cage.holds($walls, $script, $inside);
            }
        }
    )*};
}

attempts! { "full"
    a_file_of_the_host_does_not_exist: "read x < $SECRET && echo $x; echo end" => "end\n";
    home_folders_do_not_exist: "for f in /root /home /etc/shadow /var /run /opt /srv /boot; do [ -e $f ] && echo $f; done; echo end" => "end\n";
    the_host_is_not_left_in_a_corner: "[ -e /.host ] || [ -e /old ] || [ -e /tmp/.X11-unix ] || [ -e /run/dbus ] || [ -e /etc ] && echo there; echo end" => "end\n";
    other_processes_are_not_seen: "n=0; for p in /proc/[0-9]*; do n=$((n+1)); done; echo $n" => "1\n";
    it_is_process_one_of_its_world: "echo $$" => "1\n";
    no_process_can_be_started: "(echo started); echo end" => "";
    no_program_of_the_host_can_be_started: "/bin/ls /bin/sh; echo end" => "";
    no_process_of_the_host_gets_a_signal: "kill -0 $HOST && echo sent; echo end" => "end\n";
    system_folders_cannot_be_written: "echo x > /dev/shm/droidtest && echo written; echo end" => "end\n";
    the_root_cannot_be_written: "echo x > /tmp/droidtest-sandbox-test && echo written; echo end" => "end\n";
    there_is_no_network: "n=0; while read -r line; do n=$((n+1)); done < /proc/net/dev; echo $n" => "3\n";
    devices_are_not_there: "[ -e /dev/tty ] || [ -e /dev/kmsg ] || [ -e /dev/mem ] || [ -e /dev/fuse ] && echo there; echo end" => "end\n";
    its_list_of_processes_is_to_read: "echo x > /proc/self/comm && echo written; echo end" => "end\n";
    its_list_of_mounts_is_a_phones: "n=0; while read -r line; do n=$((n+1)); done < /proc/self/mountinfo; while read -r line; do n=$((n+1)); done < /proc/mounts; echo $n" => "4\n";
    its_list_of_mounts_is_the_same_by_its_thread: "n=0; while read -r line; do n=$((n+1)); done < /proc/thread-self/mountinfo; echo $n" => "2\n";
    a_stack_has_an_end: "ulimit -Hs" => "65536\n";
    no_core_is_written: "ulimit -n; ulimit -c" => "4096\n0\n";
}

attempts! { "reduced"
    reduced_a_file_of_the_host_is_closed: "read x < $SECRET && echo $x; echo end" => "end\n";
    reduced_a_file_of_the_host_cannot_be_written: "echo x >> $SECRET && echo written; echo end" => "end\n";
    reduced_folders_of_the_host_are_not_listed: "for f in /root/* /home/* /etc/*; do [ -e $f ] && echo $f; done; echo end" => "end\n";
    reduced_other_processes_are_not_seen: "n=0; for p in /proc/[0-9]*; do n=$((n+1)); done; echo $n" => "1\n";
    reduced_no_command_line_of_the_host_is_read: "x=; read x < /proc/$HOST/cmdline; [ -n \"$x\" ] && echo seen; read x < /proc/$$/stat && echo own" => "own\n";
    reduced_no_process_can_be_started: "(echo started); echo end" => "";
    reduced_no_program_of_the_host_can_be_started: "/bin/ls /bin/sh; echo end" => "";
    reduced_no_process_of_the_host_gets_a_signal: "kill -0 $HOST && echo sent; echo end" => "end\n";
    reduced_its_own_group_gets_no_signal: "kill -0 0 && echo sent; echo end" => "end\n";
    reduced_system_folders_cannot_be_written: "echo x > /dev/shm/droidtest && echo written; echo end" => "end\n";
    reduced_a_stack_has_an_end: "ulimit -Hs" => "65536\n";
    reduced_no_core_is_written: "ulimit -n; ulimit -c" => "4096\n0\n";
}

/// A quarter of a gigabyte in one string.
const SWELL: &str =
    "x=0123456789abcdef; i=0; while [ $i -lt 24 ]; do x=$x$x; i=$((i+1)); done; echo end";

#[test]
fn it_gets_no_more_memory_than_it_may() {
    let Some(cage) = Cage::new() else { return };
    for walls in ["full", "reduced"] {
        let with = |bytes: u64| cage.with(&json!({ "walls": walls, "memory": bytes }));
        assert_eq!(cage.run(with(64 << 20), SWELL), "", "{walls}");
        assert_eq!(cage.run(with(4 << 30), SWELL), "end\n", "{walls}");
    }
}

#[test]
fn no_file_of_its_own_is_larger_than_it_may() {
    let Some(cage) = Cage::new() else { return };
    let plan = json!({ "largest": 512 * 100 });
    assert_eq!(cage.run(cage.with(&plan), "ulimit -f"), "100\n");
}

#[test]
fn a_moved_folder_is_nowhere_else() {
    let Some(cage) = Cage::new() else { return };
    let plan = json!({
        "read": ["/bin", "/lib", "/lib64", "/usr/bin", "/usr/lib", "/proc", "/etc/passwd"],
        "moved": [{ "from": cage.outside.path(), "to": "/mnt/there", "write": false }],
        "links": [["/data", "/mnt/there"]],
        "folder": "/mnt/there",
    });
    let script = "pwd; read x < secret && echo $x; read x < /data/secret && echo $x; [ -e $SECRET ] && echo host;
        echo x > /mnt/there/new && echo written; read x < /etc/passwd; echo ${x%%:*}";
    assert_eq!(
        cage.run(cage.with(&plan), script),
        "/mnt/there\nsecret\nsecret\nuser\n"
    );
}

#[test]
fn a_pipe_is_found_only_by_its_name() {
    use std::os::unix::fs::PermissionsExt as _;
    let Some(cage) = Cage::new() else { return };
    let folder = cage.outside.path().join("pipes");
    fs::create_dir(&folder).unwrap();
    let made = Command::new("mkfifo").arg(folder.join("key")).status();
    assert!(made.unwrap().success());
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o300)).unwrap();
    for walls in ["full", "reduced"] {
        let plan = json!({ "walls": walls, "pipes": [folder] });
        let at = folder.display();
        let script = format!(
            "for f in {at}/*; do [ -e $f ] && echo listed; done; echo hello 1<> {at}/key && echo opened; echo x > {at}/new && echo made; echo end"
        );
        assert_eq!(
            cage.run(cage.with(&plan), &script),
            "opened\nend\n",
            "{walls}"
        );
    }
}

#[test]
fn its_own_folder_is_its_to_write() {
    let Some(cage) = Cage::new() else { return };
    assert_eq!(cage.inside("echo kept > f; read x < f; echo $x"), "kept\n");
    let kept = fs::read_to_string(cage.folder.path().join("f")).unwrap();
    assert_eq!(kept, "kept\n");
}

#[test]
fn a_link_it_makes_points_into_its_own_world() {
    let Some(cage) = Cage::new() else { return };
    let link = cage.folder.path().join("link");
    std::os::unix::fs::symlink(cage.outside.path().join("secret"), &link).unwrap();
    cage.holds("full", "read x < link && echo $x; echo end", "end\n");
}

/// By another process: a program that is open for writing here cannot be started, and a child of another test may hold it
/// open a moment longer.
fn copy(program: &str, to: &Path) {
    let copied = Command::new("cp").arg(program).arg(to).status();
    assert!(copied.unwrap().success());
}

/// Root keeps capabilities where others lose them; only root can become another user to see it.
#[test]
fn it_works_for_an_ordinary_user_too() {
    use std::os::unix::fs::{PermissionsExt as _, chown};
    use std::os::unix::process::CommandExt as _;
    const NOBODY: u32 = 65_534;
    let Some(cage) = Cage::new() else { return };
    let own = cage.folder.path();
    let helper = own.join("droidtest-sandbox");
    copy(env!("CARGO_BIN_EXE_droidtest-sandbox"), &helper);
    fs::set_permissions(own, fs::Permissions::from_mode(0o755)).unwrap();
    if chown(own, Some(NOBODY), Some(NOBODY)).is_err() {
        crate::common::skip::skip("this is an ordinary user");
        return;
    }
    let mut command = Command::new(&helper);
    command.args(cage.command().get_args());
    command.uid(NOBODY).gid(NOBODY);
    assert_eq!(
        cage.run(command, "echo kept > f; read x < f; echo $x; echo $$"),
        "kept\n1\n"
    );
}

/// A shell opens a file for reading and hands it on; the program inside must not have it.
#[test]
fn no_open_file_of_the_tool_is_handed_on() {
    let Some(cage) = Cage::new() else { return };
    let script = "read x <&7 && echo $x; echo end";
    let open = |inner: &Command| {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", "exec 7< $SECRET; exec \"$@\"", "sh"]);
        command.arg(inner.get_program()).args(inner.get_args());
        command
    };
    for walls in ["full", "reduced"] {
        let inner = cage.with(&json!({ "walls": walls }));
        assert_eq!(cage.run(open(&inner), script), "end\n", "{walls}");
    }
    let outside = cage.run(open(&Command::new("/bin/sh")), script);
    assert_eq!(outside, "secret\nend\n");
}

/// A mount below a folder of the plan comes along, and is no more than the folder is.
#[test]
fn a_mount_in_a_folder_to_read_is_to_read_as_well() {
    let Some(cage) = Cage::new() else { return };
    let folder = cage.outside.path();
    let place = folder.join("a b");
    fs::create_dir(&place).unwrap();
    let mounts = "mount -t tmpfs inner \"$PLACE\" && exec \"$@\"";
    let seen = "echo x > \"$PLACE/f\" && echo written; [ -d \"$PLACE\" ] && echo there";
    let run = |inner: &Command| {
        let mut command = Command::new("unshare");
        command
            .args(["-Urm", "sh", "-c", mounts, "sh"])
            .env("PLACE", &place);
        command.arg(inner.get_program()).args(inner.get_args());
        cage.run(command, seen)
    };
    if run(&Command::new("/bin/sh")) != "written\nthere\n" {
        crate::common::skip::skip("no mounts here");
        return;
    }
    let read = ["/bin", "/lib", "/lib64", "/usr/bin", "/usr/lib", "/proc"];
    let mut read: Vec<_> = read.map(PathBuf::from).into();
    read.push(folder.to_owned());
    let inner = cage.with(&json!({ "read": read }));
    assert_eq!(run(&inner), "there\n");
}

/// A command that runs what it is given where namespaces are switched off, as in many containers.
fn without_namespaces() -> Option<Command> {
    let closed = "echo 0 > /proc/sys/user/max_user_namespaces && exec \"$@\"";
    let command = || {
        let mut command = Command::new("unshare");
        command.args(["-Ur", "sh", "-c", closed, "sh"]);
        command
    };
    let works = command().arg("true").status();
    works.is_ok_and(|s| s.success()).then(command)
}

#[test]
fn without_namespaces_full_is_refused_and_reduced_holds() {
    let (Some(cage), Some(_)) = (Cage::new(), without_namespaces()) else {
        return;
    };
    let run = |walls: &str, script: &str| {
        let inner = cage.with(&json!({ "walls": walls }));
        let mut command = without_namespaces().unwrap();
        command.arg(inner.get_program()).args(inner.get_args());
        cage.run(command, script)
    };
    let script = "read x < $SECRET && echo $x; echo end";
    assert_eq!(run("full", script), "");
    assert_eq!(run("reduced", script), "end\n");
}

#[test]
fn without_namespaces_a_run_ends_and_says_what_to_do() {
    match without_namespaces() {
        Some(mut command) => {
            command.arg(env!("CARGO_BIN_EXE_cargo-droidtest"));
            is_refused(command);
        }
        None => crate::common::skip::skip("no namespaces to switch off"),
    }
}

/// A tool that has lost its `droidtest-sandbox`.
#[test]
fn a_run_that_cannot_be_confined_ends_and_says_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let tool = folder.path().join("bin/deep/cargo-droidtest");
    fs::create_dir_all(tool.parent().unwrap()).unwrap();
    copy(env!("CARGO_BIN_EXE_cargo-droidtest"), &tool);
    is_refused(Command::new(tool));
}

/// Whether a run with this tool ends for want of a sandbox.
fn is_refused(mut tool: Command) {
    let folder = tempfile::tempdir().unwrap();
    let apk = app("notes/notes.apk");
    let suite = format!(
        "suite = {{ name = 's', budget = {{ events = 1 }} }}\n[[app]]\nname = 'notes'\napk = '{}'\n[[device]]\nname = 'd'\nkind = 'jvm'\n[[strategy]]\nname = 'r'\nkind = 'random'\n",
        apk.display()
    );
    let file = folder.path().join("droidtest.toml");
    fs::write(&file, suite).unwrap();
    let run = tool
        .args(["run", "--suite"])
        .arg(&file)
        .arg("--out")
        .arg(folder.path().join("out"))
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&run.stderr);
    assert_eq!(run.status.code(), Some(107), "{text}");
    assert!(
        text.contains("does not support confine") && text.contains("confine = \"reduced\""),
        "{text}"
    );
}
