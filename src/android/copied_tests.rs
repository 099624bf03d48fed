//! Logs as people copy them, and crashes whose message looks like another's.

use super::*;

#[test]
fn an_anr_may_have_the_logs_prefix_on_its_first_line_alone() {
    let rest = "PID: 77\nReason: executing service com.q/.Sync\nLoad: 1.0 / 2.0 / 3.0\n";
    for head in [
        "2025-02-03 10:00:00.123   600-640   ActivityManager  system_server  E  ",
        "2025-02-03 10:00:00.123  600-640/system_process E/ActivityManager: ",
        "02-03 10:00:00.123   600   640 E ActivityManager: ",
        "E/ActivityManager(  600): ",
    ] {
        let found = anr::parse(&format!("{head}ANR in com.q (com.q/.Main)\n{rest}")).unwrap();
        assert_eq!(found.len(), 1, "{head}");
        let (pid, kind) = (found[0].pid, found[0].kind);
        assert_eq!((pid, kind), (Some(77), Some("service")), "{head}");
        assert_eq!(found[0].load.as_deref(), Some("1.0 / 2.0 / 3.0"), "{head}");
    }
    let entry = "02-03 10:00:00.123   600   640 E ActivityManager: ANR in com.q\n\
        Process: com.z\nSubject: Broadcast of Intent { act=A }\n";
    let found = anr::parse(entry).unwrap();
    assert_eq!((found.len(), found[1].kind), (2, Some("broadcast")));
}

#[test]
fn names_of_components_do_not_decide_what_an_anr_waited_for() {
    for (reason, kind) in [
        (
            "executing service com.q/com.q.BroadcastInputService",
            "service",
        ),
        (
            "Broadcast of Intent { act=com.q.START_SERVICE cmp=com.q/.InputReceiver }",
            "broadcast",
        ),
        (
            "Input dispatching timed out (com.q/com.q.BroadcastActivity, Waited 5001ms)",
            "input",
        ),
        (
            "Context.startForegroundService() did not then call Service.startForeground(): \
          ServiceRecord{1 u0 com.q/.BroadcastProvider}",
            "service",
        ),
        (
            "ContentProvider com.q/.ServiceBroadcasts not responding",
            "provider",
        ),
        (
            "bg anr: process com.q:service failed to complete startup",
            "start-up",
        ),
        ("No response to onStartJob", "service"),
        ("com.q.service.Broadcasts", "other"),
    ] {
        assert_eq!(anr::kind(reason), kind, "{reason}");
    }
}

#[test]
fn lines_of_a_scripts_stack_are_no_frames() {
    let text = "E/AndroidRuntime(   31): FATAL EXCEPTION: mqt_v_native\n\
        E/AndroidRuntime(   31): Process: com.q, PID: 31\n\
        E/AndroidRuntime(   31): com.facebook.react.common.JavascriptException: TypeError: a\n\
        E/AndroidRuntime(   31): This error is located at:\n\
        E/AndroidRuntime(   31):     in Basket (created by Shop)\n\
        E/AndroidRuntime(   31):     at Shop (index.android.bundle:3:14), stack:\n\
        E/AndroidRuntime(   31):     at Cart.sum(index.android.bundle:3:15)\n\
        E/AndroidRuntime(   31):     at async load(index.android.bundle:3:16)\n\
        E/AndroidRuntime(   31): add@3:17\n\
        E/AndroidRuntime(   31): \tat com.facebook.react.bridge.Queue.run(Native Method)\n";
    let found = &java_crash::parse(text).unwrap()[0];
    assert_eq!(found.chain[0].frames, 1, "{found:?}");
    assert!(found.crash.message.as_ref().unwrap().contains("add@3:17"));
    let thrown = stack::parse(&found.crash.stack);
    assert_eq!(thrown[0].frames.len(), 1);
    assert_eq!(
        thrown[0].script,
        ["Basket", "Shop", "Cart.sum", "load", "add"]
    );
}

#[test]
fn the_place_of_a_call_is_no_cause() {
    let text = "Process: com.q\nPID: 5\n\n\
        android.app.RemoteServiceException$CannotPostForegroundServiceNotificationException: Bad notification\n\
        \tat android.app.ActivityThread.throwRemote(ActivityThread.java:9)\n\
        Caused by: android.app.StackTrace: Last startServiceCommon() call was made here\n\
        \tat android.app.ContextImpl.startServiceCommon(ContextImpl.java:8)\n\
        \tat com.q.Alarm.ring(Alarm.kt:4)\n";
    let crash = &java_crash::parse(text).unwrap()[0].crash;
    assert!(crash.class.ends_with("NotificationException"));
    assert_eq!((&crash.root_class, &crash.root_message), (&None, &None));
    assert_eq!(
        crash.app_frame.as_deref(),
        Some("com.q.Alarm.ring(Alarm.kt:4)")
    );
}

#[test]
fn the_first_line_of_a_crash_may_hold_more_than_its_thread() {
    for head in [
        "FATAL EXCEPTION: main (Ask Gemini)\nProcess: com.q, PID: 5\n",
        "FATAL EXCEPTION: main Process: com.q, PID: 5\n",
        " E FATAL EXCEPTION: main\n Process: com.q, PID: 5\n",
        "10:01:23.827  E  FATAL EXCEPTION: main (Ask Gemini)\n    Process: com.q, PID: 5\n",
    ] {
        let text = format!("{head}java.lang.Error: e\n\tat com.q.Cart.sum(Cart.kt:7)\n");
        let found = java_crash::parse(&text).unwrap();
        let crash = &found[0];
        assert_eq!((found.len(), crash.crash.thread.as_str()), (1, "main"));
        let process = (crash.process.as_deref(), crash.pid);
        assert_eq!(process, (Some("com.q"), Some(5)), "{head}");
        assert_eq!(crash.crash.class, "java.lang.Error", "{head}");
    }
}

#[test]
fn googles_consoles_write_stacks_in_words_of_their_own() {
    for first in ["Fatal Exception: ", "Exception "] {
        let text = format!(
            "{first}java.lang.IllegalStateException: cart\n\
             \x20      at com.q.Cart.sum (Cart.kt:7)\n\
             \x20      at java.lang.reflect.Method.invoke (Native Method)\n\
             Caused by java.io.IOException: gone\n\
             \x20      at com.q.Net.read(Net.java:9)\n"
        );
        let found = java_crash::parse(&text).unwrap();
        let crash = &found[0].crash;
        assert_eq!(found.len(), 1, "{first}");
        assert_eq!(crash.class, "java.lang.IllegalStateException");
        assert_eq!(crash.message.as_deref(), Some("cart"));
        assert_eq!(crash.root_class.as_deref(), Some("java.io.IOException"));
        let frames: Vec<_> = found[0].chain.iter().map(|c| c.frames).collect();
        assert_eq!(frames, [2, 1], "{first}");
        let place = stack::parse(&crash.stack)[0].frames[0].line;
        assert_eq!(place, Some(7), "{first}");
    }
    // A component of a script is apart from its place, too.
    let text = "java.lang.Error: e\n  in Shop (at App.js:3)\n  at Shop.Cart (App.js:3)\n\tat com.q.A.b(A.java:3)\n";
    assert_eq!(java_crash::parse(text).unwrap()[0].chain[0].frames, 1);
}

#[test]
fn what_the_system_only_reports_ended_nothing() {
    for class in [
        "android.util.Log$TerribleFailure: odd",
        "android.os.strictmode.DiskReadViolation",
    ] {
        let stack = format!("{class}\n\tat com.q.A.b(A.java:3)\n");
        for text in [stack.clone(), format!("Process: com.q\nPID: 5\n\n{stack}")] {
            assert!(!java_crash::parse(&text).unwrap()[0].uncaught, "{text}");
        }
    }
}

#[test]
fn a_cause_that_was_cut_out_is_not_the_root() {
    let text = "java.lang.Error: e\n\tat com.q.A.b(A.java:3)\nCaused by: java.io.IOException: gone\n\
        \tat com.q.C.d(C.java:4)\nCaused by: ...\n";
    let crash = &java_crash::parse(text).unwrap()[0].crash;
    assert_eq!(crash.root_class.as_deref(), Some("java.io.IOException"));
}

#[test]
fn a_tombstone_in_an_exceptions_message_is_no_second_death() {
    let text = "E/AndroidRuntime(   31): FATAL EXCEPTION: Render\n\
        E/AndroidRuntime(   31): Process: com.q, PID: 31\n\
        E/AndroidRuntime(   31): java.lang.Error: *** *** *** *** *** *** *** ***\n\
        E/AndroidRuntime(   31): pid: 31, tid: 40, name: Render  >>> com.q <<<\n\
        E/AndroidRuntime(   31): signal 11 (SIGSEGV), code 1 (SEGV_MAPERR), fault addr 0x8\n\
        E/AndroidRuntime(   31): \tat libq.draw(draw:8)\n";
    let java = java_crash::parse(text).unwrap();
    let mut native = native::parse(text).unwrap();
    assert_eq!((java.len(), native.len()), (1, 1));
    native::keep_deaths(&mut native, &java);
    assert_eq!(native, []);
}

#[test]
fn frames_of_check_jni_do_not_hide_the_apps() {
    let stone = |call: &str, own: &str| {
        let frames = [
            "libc.so (abort+164)",
            "libart.so (art::Runtime::Abort(char const*)+1)",
            "libbase.so (android::base::SetAborter(std::function)::$_3::__invoke(char const*)+8)",
            "libart.so (art::JavaVMExt::JniAbort(char const*, char const*)+2)",
            "libart.so (art::(anonymous namespace)::ScopedCheck::AbortF(char const*, ...)+3)",
            call,
            own,
        ];
        let lines = frames.iter().enumerate();
        let lines: String = lines
            .map(|(ix, f)| format!("  #{ix:02} pc 0001  /a/{f}\n"))
            .collect();
        let head =
            "pid: 1, tid: 1, name: q  >>> com.q <<<\nsignal 6 (SIGABRT), code -1 (SI_QUEUE)\n";
        native::parse(&format!("{head}backtrace:\n{lines}")).unwrap()[0].places()
    };
    let call = "libart.so (art::(anonymous namespace)::CheckJNI::FindClass(_JNIEnv*)+4)";
    let named = stone(call, "libq.so (q_find+1)");
    assert_eq!(named.last().unwrap(), "q_find");
    assert_eq!(named.len(), 2);
    assert_eq!(stone("libart.so", "libq.so (q_find+1)"), ["q_find"]);
}

#[test]
fn only_the_display_in_use_is_a_page() {
    let display = |id: u8, active: bool, text: &str| {
        format!(
            "<display id=\"{id}\"><window active=\"{active}\"><hierarchy rotation=\"{id}\">\
             <node class=\"a.B\" bounds=\"[0,0][9,9]\"><node text=\"{text}\" class=\"a.B\" bounds=\"[0,0][9,9]\" />\
             </node></hierarchy></window></display>"
        )
    };
    let page = |first: bool, second: bool| {
        let both = display(0, first, "Front") + &display(3, second, "Back");
        let dump = uiautomator::parse(&format!("<displays>{both}</displays>")).unwrap();
        let of = &dump.nodes[1].node;
        (dump.nodes.len(), of.parent, of.text.clone(), dump.rotation)
    };
    assert_eq!(page(true, false), (2, 0, "Front".into(), 0));
    assert_eq!(page(false, false), (2, 0, "Front".into(), 0));
    assert_eq!(page(false, true), (2, 0, "Back".into(), 3));
}
