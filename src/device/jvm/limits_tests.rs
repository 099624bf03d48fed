use super::*;
use crate::util::process::Owned;
use std::process::{Command, Stdio};

const MB: u64 = 1 << 20;

/// What ends a shell with this script in a folder of at most a megabyte, if anything does.
fn ended(script: &str) -> Option<String> {
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new("sh");
    command
        .args(["-c", script])
        .current_dir(folder.path())
        .stdin(Stdio::null());
    let mut shell = Owned::spawn(&mut command).unwrap();
    let limits = Limits::of_device(vec!["/nonexistent".into(), folder.path().to_owned()], MB);
    let pid = shell.child().id();
    let mut watched = Watched::start(limits, pid, move || Some(pid));
    let status = shell.wait_until(Instant::now() + Duration::from_secs(60));
    let why = watched.finish();
    assert_eq!(why.is_none(), status.unwrap().unwrap().success(), "{why:?}");
    why
}

/// Set in the process of many threads that the test below kills.
const DYING: &str = "DROIDTEST_LIMITS_DYING";

#[test]
fn a_process_that_dies_is_not_one_that_hides() {
    const THREADS: u64 = 200;
    if std::env::var_os(DYING).is_some() {
        for _ in 0..THREADS {
            thread::spawn(|| thread::sleep(Duration::from_secs(60)));
        }
        thread::sleep(Duration::from_secs(60));
        return;
    }
    for _ in 0..10 {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command
            .args([
                "device::jvm::limits::tests::a_process_that_dies_is_not_one_that_hides",
                "--exact",
            ])
            .env(DYING, "1")
            .stdin(Stdio::null())
            .stdout(Stdio::null());
        let mut process = Owned::spawn(&mut command).unwrap();
        let pid = process.child().id();
        let limit = Instant::now() + Duration::from_secs(30);
        while threads(pid).unwrap() < THREADS {
            assert!(Instant::now() < limit, "no threads");
        }
        kill_group(pid);
        while threads(pid).is_some_and(|count| count > 1) {
            removed_files::of_process(pid).unwrap();
            assert!(Instant::now() < limit, "it does not die");
        }
        process.wait_until(limit).unwrap();
    }
}

#[test]
fn who_fills_the_folder_is_ended() {
    let fill =
        "i=0; while [ $i -lt 40 ]; do i=$((i+1)); head -c 65536 /dev/zero > f$i; done; sleep 60";
    let why = ended(fill).unwrap();
    assert_eq!(why, "the app's files take more than 1 MB (device.disk)");
    for other in [
        // Many files of nothing.
        "i=0; while [ $i -lt 300 ]; do i=$((i+1)); : > f$i; done; sleep 60",
        // One that has no name any more.
        "exec 3> f; rm f; head -c 2000000 /dev/zero >&3; sleep 60",
        // Far down.
        "i=0; while [ $i -lt 200 ]; do i=$((i+1)); mkdir d; cd d; done; sleep 60",
        "mkdir d; head -c 2000000 /dev/zero > d/f; sleep 60",
    ] {
        assert!(ended(other).is_some(), "{other}");
    }
}

/// What ends a program in Python, if anything does; nothing to say where there is no Python.
fn python_ended(script: &str) -> Option<Option<String>> {
    let found = which::which("python3").is_ok();
    if !found {
        crate::skip::skip("no python3");
    }
    found.then(|| ended(&format!("exec python3 -c '{script}'")))
}

#[test]
fn a_page_of_a_removed_file_counts_as_the_file() {
    let script = r#"
import mmap, os, time, ctypes
f = open("f", "w+b")
f.write(b"x" * 4_000_000); f.flush()
libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
assert libc.mmap(None, 4096, 1, 1, f.fileno(), 0) > 0
os.remove("f"); f.close()
time.sleep(8)
"#;
    let Some(why) = python_ended(script) else {
        return;
    };
    assert!(why.unwrap().contains("more than 1 MB"));
}

#[test]
fn a_folder_that_is_always_elsewhere_counts() {
    let script = r#"
import os, time
os.mkdir("0")
f = open("0/f", "wb")
f.write(b"x" * 4_000_000); f.flush()
at, end = 0, time.time() + 8
while time.time() < end:
    next = (at + 1) % 1000
    os.rename(str(at), str(next))
    at = next
"#;
    let Some(why) = python_ended(script) else {
        return;
    };
    assert!(why.unwrap().contains("more than 1 MB"));
}

#[test]
fn records_of_the_kernel_end_the_process() {
    for (script, what) in [
        (
            r#"
import fcntl, time
f = open("f", "w+b")
for at in range(20_000, 0, -1): fcntl.lockf(f, fcntl.LOCK_EX, 1, 2 * at)
time.sleep(8)
"#,
            "locks of files",
        ),
        (
            r#"
import select, time
all = [select.epoll() for _ in range(400)]
time.sleep(8)
"#,
            "epoll instances",
        ),
        (
            r#"
import ctypes, mmap, resource, time
resource.setrlimit(resource.RLIMIT_DATA, (80 << 20, 80 << 20))
libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
for _ in range(4):
    at = libc.mmap(None, 32 << 20, 3, 0x22, -1, 0)
    ctypes.memset(at, 1, 32 << 20)
    assert libc.mprotect(ctypes.c_void_p(at), ctypes.c_size_t(32 << 20), 1) == 0
time.sleep(8)
"#,
            "MB of memory, more than 80",
        ),
    ] {
        let Some(why) = python_ended(script) else {
            return;
        };
        assert!(
            why.as_ref().is_some_and(|why| why.contains(what)),
            "{why:?}"
        );
    }
}

#[test]
fn full_sockets_end_the_process() {
    let script = r#"
import socket, time
all = [socket.socketpair() for _ in range(400)]
time.sleep(8)
"#;
    let Some(why) = python_ended(script) else {
        return;
    };
    assert!(why.unwrap().contains("sockets"));
}

#[test]
fn who_takes_little_lives_and_links_do_not_count() {
    assert_eq!(
        ended("ln -s / l; head -c 1000 /dev/zero > f; sleep 1"),
        None
    );
}

#[test]
fn threads_are_counted() {
    let limits = Limits {
        threads: 1,
        ..Limits::of_device(vec![], MB)
    };
    let (stop, stopped) = mpsc::channel::<()>();
    let more = thread::spawn(move || stopped.recv());
    let why = limits.too_many_threads(std::process::id()).unwrap();
    assert!(why.ends_with("threads, more than 1"), "{why}");
    drop(stop);
    let _ = more.join().unwrap();
}
