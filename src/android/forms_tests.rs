//! Forms that Android, `logcat` and people give their texts, next to the usual ones in `tests.rs`.

use super::*;

const STARS: &str = "*** *** *** *** *** *** *** *** *** *** *** *** *** *** *** ***";

/// A tombstone of `com.x` with these frames.
fn stone(message: &str, frames: &[&str]) -> String {
    let frames = frames.iter().enumerate();
    let frames: String = frames
        .map(|(ix, frame)| format!("      #{ix:02} pc 0000000000001234  {frame}\n"))
        .collect();
    format!(
        "{STARS}\nBuild fingerprint: 'a/b/c:14/X/1:user/release-keys'\nABI: 'arm64'\n\
         pid: 9850, tid: 9893, name: worker  >>> com.x <<<\nuid: 10123\n\
         signal 6 (SIGABRT), code -1 (SI_QUEUE), fault addr --------\n{message}    x0  0000000000000000  x1  0000000000000001\n\n\
         4 total frames\nbacktrace:\n{frames}\nmemory near x0:\n"
    )
}

#[test]
fn places_hold_no_address_and_no_number_of_a_process() {
    for (frame, place, symbol) in [
        ("<anonymous:7d5a3c2000>", "<anonymous>", None),
        ("[anon:stack_and_tls:9893]", "[anon:stack_and_tls]", None),
        (
            "/dev/ashmem/dalvik-jit-code-cache_4529_4529 (deleted)",
            "dalvik-jit-code-cache",
            None,
        ),
        ("/data/app/a/lib/arm64/libx_1_2.so", "libx_1_2.so", None),
        (
            "/memfd:jit-cache (deleted) (offset 0x2000000) (com.x.Main.run+12)",
            "com.x.Main.run",
            Some("com.x.Main.run"),
        ),
        (
            "/memfd:jit-cache (deleted) (offset 0x2000000)",
            "memfd:jit-cache",
            None,
        ),
    ] {
        let found = native::parse(&stone("", &[frame])).unwrap();
        assert_eq!(found[0].places(), [place], "{frame}");
        let read = &found[0].backtrace[0];
        assert_eq!(read.symbol.as_deref(), symbol, "{frame}");
        assert!(!read.file.contains("deleted"), "{frame}: {}", read.file);
    }
}

#[test]
fn an_abort_message_goes_on_to_its_quotation_mark() {
    for (lines, message) in [
        ("Abort message: 'one'\n", "one"),
        (
            "Abort message: 'JNI DETECTED ERROR: use of 0x71\n    from void com.x.A.b()'\n",
            "JNI DETECTED ERROR: use of 0x71\n    from void com.x.A.b()",
        ),
        ("Abort message: 'cut\noff\n", "cut\noff"),
    ] {
        let found = native::parse(&stone(lines, &["/a/libz.so (z+1)"])).unwrap();
        let read = found[0].abort_message.as_deref();
        assert_eq!((read, found[0].backtrace.len()), (Some(message), 1));
    }
}

/// A stack alone, Google's console, GrapheneOS's log viewer: none has the usual line of the process.
#[test]
fn native_stacks_without_the_line_of_the_process_are_read() {
    let frames = "  #00  pc 0x0000000000038880  /a/libx.so (x+1)\n  #01  pc 0x000000000002e42f  /a/liby.so (y+2)\n";
    let native = "  native: pc 0000000000038880  /a/libx.so (x+1)\n  native: pc 000000000002e42f  /a/liby.so (y+2)\n";
    let viewer = "type: crash\nosVersion: a/b/c:15/X/1:user/release-keys\nuid: 10123 (u:r:untrusted_app:s0:c1)\n\
        cmdline: com.x\nprocessUptime: 4s\n\nsignal: 11 (SIGSEGV), code 9 (SEGV_MTESERR), faultAddr 300cd\n\
        threadName: worker\nMTE: enabled\n\nbacktrace:\n    /a/libx.so (x+1, pc 38880)\n    /a/liby.so (y+2, pc 2e42f)\n";
    for (text, process, signal) in [
        (format!("backtrace:\n{frames}"), None, None),
        (format!("backtrace:\n{native}"), None, None),
        (format!("{STARS}\n\nbacktrace:\n{frames}"), None, None),
        (
            format!("{STARS}\npid: 0, tid: 0 >>> com.x <<<\n\nbacktrace:\n{frames}"),
            Some("com.x"),
            None,
        ),
        (viewer.to_owned(), Some("com.x"), Some(11)),
        (
            format!(
                "signal 6 (SIGABRT), code -6 (SI_TKILL), fault addr --------\n\nbacktrace:\n{frames}"
            ),
            None,
            Some(6),
        ),
    ] {
        let found = native::parse(&text).unwrap();
        let crash = &found[0];
        assert_eq!((found.len(), crash.line, crash.pid), (1, 1, None), "{text}");
        assert_eq!(crash.process.as_deref(), process, "{text}");
        assert_eq!(crash.signal, signal, "{text}");
        assert_eq!(crash.places(), ["x", "y"], "{text}");
        assert!(crash.backtrace[0].pc.ends_with("38880"), "{text}");
    }
    let read = &native::parse(viewer).unwrap()[0];
    let (uid, thread) = (read.uid, read.thread.as_deref());
    assert_eq!((uid, thread), (Some(10123), Some("worker")));
    assert_eq!(read.fault_address.as_deref(), Some("300cd"));
    // A line of a log that says so has no stack.
    let text = "E/Net: backtrace:\nE/Net: none\n";
    assert_eq!(native::parse(text).unwrap_err().code, "cut-off");
}

#[test]
fn the_caller_that_android_2_guesses_is_a_frame() {
    let text = "pid: 896, tid: 896  >>> /a/bin/x <<<\nsignal 4 (SIGILL), code 1 (ILL_ILLOPC), fault addr 8005f6e6\n\
        \x20        #00  pc 0005f6e6  /a/libx.so\n         #01  lr b00037f5  /system/bin/linker\n\ncode around pc:\n";
    assert_eq!(
        native::parse(text).unwrap()[0].places(),
        ["libx.so", "linker"]
    );
}

#[test]
fn a_requested_tombstone_is_no_death() {
    let stone = stone("", &["/a/libx.so (x+1)"]);
    let asked = stone.replace("signal 6 (SIGABRT)", "signal 35 (<debuggerd signal>)");
    let deaths = |text: &str| {
        let mut found = native::parse(text).unwrap();
        native::keep_deaths(&mut found, &[]);
        found.len()
    };
    assert_eq!((deaths(&stone), deaths(&asked)), (1, 0));
}

#[test]
fn a_tombstone_that_is_cut_off_before_its_signal_has_that_of_the_fatal_line() {
    let log = "03-13 10:01:23.827  9850  9893 F libc    : Fatal signal 11 (SIGSEGV), code 9 (SEGV_MTESERR), fault addr 0xd0 in tid 9893 (worker), pid 9850 (com.x)\n\
        03-13 10:01:23.900  9900  9900 F DEBUG   : *** *** *** *** *** *** *** *** *** *** *** *** *** *** *** ***\n\
        03-13 10:01:23.900  9900  9900 F DEBUG   : pid: 9850, tid: 9893, name: worker  >>> com.x <<<\n";
    let found = native::parse(log).unwrap();
    let crash = &found[0];
    assert_eq!((found.len(), crash.line, crash.signal), (1, 1, Some(11)));
    assert_eq!(crash.process.as_deref(), Some("com.x"));
    assert_eq!(crash.fault_address.as_deref(), Some("0xd0"));
}

#[test]
fn a_native_crash_in_the_long_format_keeps_its_frames() {
    let stone = stone("", &["/a/libx.so (x+1)", "/a/liby.so (y+2)"]);
    let log: String = stone
        .lines()
        .map(|line| format!("[ 03-13 10:01:23.827 25670:25670 F/DEBUG    ]\n{line}\n\n"))
        .collect();
    let found = native::parse(&log).unwrap();
    assert_eq!((found.len(), found[0].places().len()), (1, 2));
}

fn as_log(tag: &str, text: &str) -> String {
    let line = |line| format!("03-13 10:01:23.827  7711  7767 E {tag}: {line}\n");
    text.lines().map(line).collect()
}

const FATAL: &str = "FATAL EXCEPTION: main\nProcess: com.x, PID: 7711\n\
    java.lang.RuntimeException: boom\n\tat com.x.Main.c(Main.java:12)\n\
    Caused by: java.io.IOException: gone\n\t... 2 more\n";

#[test]
fn a_crash_ends_where_its_tag_goes_on_to_something_else() {
    let reporting = "Error reporting crash\nandroid.os.DeadObjectException\n\
        \tat android.os.BinderProxy.transact(Native Method)\n";
    let next = "Sending signal. PID: 7711 SIG: 9\njava.io.IOException: net\n\
        \tat com.other.Net.go(Net.java:2)\nCaused by: java.net.SocketException: other\n\
        \tat com.other.Net.x(Net.java:1)\n";
    for (form, text) in [
        ("alone", as_log("AndroidRuntime", FATAL)),
        (
            "reported",
            as_log("AndroidRuntime", &(FATAL.to_owned() + reporting)),
        ),
        ("raw", FATAL.to_owned() + next),
    ] {
        let found = java_crash::parse(&text).unwrap();
        assert_eq!(found.len(), 1, "{form}");
        let crash = &found[0];
        let root = (
            crash.crash.root_class.as_deref(),
            crash.crash.root_message.as_deref(),
        );
        assert_eq!(root, (Some("java.io.IOException"), Some("gone")), "{form}");
        assert_eq!(crash.chain.len(), 2, "{form}");
        assert!(
            crash.uncaught && !crash.crash.stack.contains("other"),
            "{form}"
        );
    }
}

#[test]
fn stacks_alone_are_read_with_messages_of_several_lines() {
    let two_lines = "java.lang.IllegalStateException: Room cannot verify.\nHint: raise the version!\n\
        \tat com.x.Main.c(Main.java:12)\nCaused by: java.io.IOException: gone\n\
        \tat com.x.Main.d(Main.java:13)\n";
    let message = "Room cannot verify.\nHint: raise the version!";
    let header = "Process: com.x\nPID: 77\nFlags: 0x2\nLoading-Progress: 1.0\n\n";
    let in_thread = format!("Exception in thread \"worker 1\" {two_lines}");
    for (text, thread, line, process) in [
        (two_lines.to_owned(), "", 1, None),
        (in_thread, "worker 1", 1, None),
        (format!("{header}{two_lines}"), "", 1, Some("com.x")),
        (format!("it died:\n{two_lines}"), "", 2, None),
    ] {
        let found = java_crash::parse(&text).unwrap();
        assert_eq!(found.len(), 1, "{text}");
        let crash = &found[0].crash;
        assert_eq!(crash.class, "java.lang.IllegalStateException", "{text}");
        assert_eq!(crash.message.as_deref(), Some(message), "{text}");
        assert_eq!(crash.root_message.as_deref(), Some("gone"), "{text}");
        assert_eq!(
            (crash.thread.as_str(), found[0].line),
            (thread, line),
            "{text}"
        );
        assert_eq!(found[0].process.as_deref(), process, "{text}");
        assert!(found[0].uncaught, "{text}");
    }
    let both = format!("{two_lines}\nand then\nbCE: short\n\tat com.x.A.b(A.java:3)\n");
    let found = java_crash::parse(&both).unwrap();
    let classes: Vec<_> = found.iter().map(|c| c.crash.class.as_str()).collect();
    assert_eq!(classes, ["java.lang.IllegalStateException", "bCE"]);
}

#[test]
fn what_an_app_caught_and_logged_is_told_from_what_ended_it() {
    let handled = "java.io.IOException: handled\n\tat com.x.A.b(A.java:3)\n";
    let logged = as_log("System.err", handled) + &as_log("Net", handled);
    let found = java_crash::parse(&logged).unwrap();
    assert_eq!(found.len(), 2);
    assert!(found.iter().all(|crash| !crash.uncaught));
    // Its first line was cut off.
    assert!(java_crash::parse(&as_log("AndroidRuntime", handled)).unwrap()[0].uncaught);
    let crashed = logged + &as_log("AndroidRuntime", FATAL);
    let found = java_crash::parse(&crashed).unwrap();
    assert!(found.len() == 1 && found[0].uncaught);
}

#[test]
fn an_anr_file_of_new_androids_is_one_report() {
    let dump = |pid: u32, name: &str| {
        format!(
            "----- pid {pid} at 2023-05-05 10:00:00.123456789+0200 -----\nCmd line: {name}\n\n\
             \"main\" prio=5 tid=1 Blocked\n  at {name}.Main.onClick(Main.java:8)\n\n----- end {pid} -----\n\n"
        )
    };
    let text = format!(
        "Subject: Input dispatching timed out (a1 com.x/com.x.Main (server) is not responding. Waited 5001ms for MotionEvent).\n\
         RssHwmKb: 214212\nRssKb: 200320\n\n--- CriticalEventLog ---\ncapacity: 20\n\n----- dumping pid: 1234 at 1000\n\n{}{}",
        dump(1234, "com.x"),
        dump(900, "system_server"),
    );
    let found = anr::parse(&text).unwrap();
    assert_eq!(found.len(), 2, "{found:#?}");
    let reported = (
        found[0].process.as_deref(),
        found[0].pid,
        found[0].waited_ms,
    );
    assert_eq!(reported, (Some("com.x"), Some(1234), Some(5001)));
    assert_eq!(found[0].main_stack.len(), 1);
    assert_eq!((found[0].line, found[1].reason.as_deref()), (1, None));
}

/// A dump of all threads has lines of native code above those of Java: no exception is thrown there.
#[test]
fn native_frames_of_a_dump_of_threads_are_no_exception() {
    let dump = "----- pid 4242 at 2024-01-02 03:04:05 -----\nCmd line: org.mill\n\n\"main\" prio=5 tid=1 Native\n  | group=\"main\" sCount=1\n  native: #00 pc 00000000000ce5d7  /apex/com.android.runtime/lib64/bionic/libc.so (__epoll_pwait+23)\n  at android.os.MessageQueue.nativePollOnce(Native method)\n  at org.mill.Wheel.turn(Wheel.java:7)\n\n----- end 4242 -----\n";
    assert!(super::java_crash::parse(dump).is_err());
    let reports = super::anr::parse(dump).unwrap();
    assert_eq!(reports[0].main_stack.len(), 3);
}

/// The header that crash reporters inside an app write above the runtime's text.
#[test]
fn threads_under_a_header_of_a_crash_reporter_are_those_of_an_anr() {
    let dump = "pid: 4242  >>> org.mill <<<\n\n--- --- ---\nCmd line: org.mill\nMode: ART DumpForSigQuit\n\n\"main\" prio=5 tid=1 Sleeping\n  | group=\"main\" sCount=1\n  at java.lang.Thread.sleep(Native method)\n  at org.mill.Wheel.turn(Wheel.java:7)\n\n";
    let reports = super::anr::parse(dump).unwrap();
    let report = &reports[0];
    assert_eq!(
        (report.process.as_deref(), report.pid),
        (Some("org.mill"), Some(4242))
    );
    assert_eq!(report.main_stack.len(), 2);
}

/// `RuntimeInit.wtf` writes the exception that its report failed with: nothing has ended.
#[test]
fn what_the_runtime_cannot_report_is_no_crash() {
    let line = |rest: &str| format!("09-26 18:18:30.823  2817  2835 E AndroidRuntime: {rest}\n");
    let all = |first: &str| {
        line(first)
            + &line("java.lang.NullPointerException: x")
            + &line("\tat com.android.internal.os.RuntimeInit.wtf(RuntimeInit.java:334)")
            + &line("\tat android.util.Log.wtf(Log.java:304)")
    };
    let uncaught = |first: &str| super::java_crash::parse(&all(first)).unwrap()[0].uncaught;
    assert!(!uncaught("Error reporting WTF"));
    assert!(uncaught("Shutting down VM"));
}
