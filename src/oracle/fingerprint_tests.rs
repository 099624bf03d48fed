//! Tests of the rules of fingerprints, on stacks without code.

use super::*;

const STACK: &str = "FATAL EXCEPTION: main\nProcess: com.x, PID: 4711\n\
    java.lang.RuntimeException: Unable to start activity: com.x.Other\n\
    \tat android.app.ActivityThread.performLaunchActivity(ActivityThread.java:3449)\n\
    Caused by: java.lang.NullPointerException: null object\n\
    \tat com.x.Main$1.lambda$run$3(Main.java:17)\n\
    \tat com.x.Main$$Lambda$12/0x0000000800c8.run(Unknown Source:4)\n\
    \tat android.os.Handler.dispatchMessage(Handler.java:106)\n\
    \t... 11 more\n";

fn of(stack: &str) -> u64 {
    of_stack("crash", "", stack, &Program::default()).hash
}

fn frames(stack: &str) -> Vec<String> {
    let chain = parse(stack);
    words("crash", "", &chain, &Places::default(), &Program::default()).split_off(2)
}

#[test]
fn lines_messages_and_processes_do_not_change_it() {
    let other = STACK
        .replace("4711", "99")
        .replace(":17)", ":23)")
        .replace("Lambda$12/0x0000000800c8", "Lambda$7/0x00000000aaaa")
        .replace("null object", "another message");
    assert_eq!(of(STACK), of(&other));
}

#[test]
fn another_place_or_exception_changes_it() {
    let moved = STACK.replace("com.x.Main$1", "com.x.Detail$1");
    assert_ne!(of(STACK), of(&moved));
    assert_ne!(of(STACK), of(&STACK.replace("NullPointer", "IllegalState")));
    let blocked = of_stack("anr", "", STACK, &Program::default());
    assert_ne!(blocked.hash, of(STACK));
}

#[test]
fn a_stack_without_app_frames_goes_by_the_platforms() {
    let a = "java.lang.IllegalStateException: x\n\tat android.view.View.a(View.java:1)\n";
    assert_ne!(of(a), of(&a.replace("View.a", "View.b")));
}

#[test]
fn the_first_version_is_kept_for_old_traces() {
    let found = of_stack("crash", "", STACK, &Program::default());
    // As version 0.1 wrote it.
    assert_eq!(format!("{:016x}", found.v1), "68c1d35b9c05dd9a");
    assert_eq!(found.text(), format!("v2:{:016x}", found.hash));
}

#[test]
fn where_a_recursion_ends_is_chance() {
    let at = |name: &str| format!("\tat com.x.Tree.{name}(Tree.java:{})\n", name.len());
    let circle = [at("walk"), at("visit"), at("next")].concat().repeat(9);
    let head = "java.lang.StackOverflowError\n";
    let from_walk = format!("{head}{circle}");
    let from_next = format!("{head}{}{circle}", at("next"));
    let in_leaf = format!("{head}{}{circle}", at("leaf"));
    let expected = ["com.x.Tree.next", "com.x.Tree.visit", "com.x.Tree.walk"];
    for stack in [&from_walk, &from_next, &in_leaf] {
        assert_eq!(frames(stack), expected);
    }
    let itself = format!("{head}{}{}", at("walk").repeat(40), at("onClick"));
    assert_eq!(frames(&itself), ["com.x.Tree.walk"]);
}

#[test]
fn frames_that_compilers_made_up_do_not_count() {
    let stack = "java.lang.IllegalStateException: x\n\
        \tat kotlin.Preconditions.check(Preconditions.kt:9)\n\
        \tat com.x.Repo.load(Repo.kt:12)\n\
        \tat com.x.Repo.load$default(Repo.kt:10)\n\
        \tat com.x.Repo$load$1.invokeSuspend(Unknown Source:15)\n\
        \tat kotlin.coroutines.jvm.internal.BaseContinuationImpl.resumeWith(ContinuationImpl.kt:33)\n\
        \tat com.x.Main.access$show(Main.kt:7)\n\
        \tat com.x.Main$onCreate$2.invoke(Main.kt:30)\n";
    assert_eq!(frames(stack), ["com.x.Repo.load"]);
    // Thrown by the app itself: the caller counts.
    let own = stack.replace("\tat kotlin.Preconditions.check(Preconditions.kt:9)\n", "");
    let both = ["com.x.Repo.load", "com.x.Main$onCreate$2.invoke"];
    assert_eq!(frames(&own), both);
    // Raised by the runtime: the mistake is here.
    let raised = own.replace("IllegalState", "NullPointer");
    assert_eq!(frames(&raised), ["com.x.Repo.load"]);
}

#[test]
fn a_service_that_refuses_a_call_is_no_cause() {
    let refused = "java.lang.SecurityException: no\n\tat com.x.Main.onResume(Main.java:1)\n";
    let remote = format!(
        "{refused}Caused by: android.os.RemoteException: Remote stack trace:\n\
         \tat com.android.server.am.ActivityManagerService.register(ActivityManagerService.java:2)\n"
    );
    assert_eq!(of(refused), of(&remote));
}

#[test]
fn a_stack_that_was_cut_goes_by_the_frame_that_the_device_named() {
    let crash = |frame: &str| Crash {
        stack: "java.lang.Error\n\tat android.view.View.a(View.java:1)".into(),
        app_frame: Some(frame.into()),
        ..Crash::default()
    };
    let of = |frame| of_crash(&crash(frame), "java.lang.Error", &Program::default());
    let (a, b) = (
        of("com.x.Main.show(Main.java:7)"),
        of("com.x.Main.hide(Main.java:9)"),
    );
    assert_ne!(a.hash, b.hash);
    assert_eq!(a.hash, of("com.x.Main.show(Main.java:8)").hash);
    assert_eq!(a.v1, b.v1);
}
