//! Tests of places, on code written down here.

use super::*;
use crate::android::stack::parse;
use std::sync::Arc;

fn site(pc: u32, line: u32, kind: SiteKind, name: &str) -> Site {
    Site {
        pc,
        line: Some(line),
        kind,
        name: name.into(),
        owner: name.strip_suffix(".<init>").unwrap_or_default().into(),
    }
}

fn method(name: &str, sites: Vec<Site>) -> MethodSites {
    MethodSites {
        name: name.into(),
        sites,
    }
}

fn class(methods: Vec<MethodSites>) -> Arc<ClassSites> {
    Arc::new(ClassSites {
        methods,
        ..ClassSites::default()
    })
}

/// The places of a stack's only exception, as `throw0`.
fn of(stack: &str, classes: &Classes) -> Vec<String> {
    let places = all(&parse(stack), classes);
    let text = |place: &Place| {
        let site = place.site.as_ref();
        site.map_or_else(String::new, |(kind, ordinal)| format!("{kind}{ordinal}"))
    };
    places[0].iter().map(text).collect()
}

const MISSING: &str = "java.lang.IllegalArgumentException";

/// Two checks in one method, and an overload; thrown at the lines given.
fn checks(lines: [u32; 2]) -> Classes {
    let made = format!("{MISSING}.<init>");
    let throws = |pc: u32, line: u32| {
        [
            site(pc, line, SiteKind::New, MISSING),
            site(pc + 2, line, SiteKind::Call, &made),
            site(pc + 5, line, SiteKind::Throw, ""),
        ]
    };
    let read = method(
        "read",
        [throws(10, lines[0]), throws(30, lines[1])].concat(),
    );
    let overload = method("read", throws(4, 90).to_vec());
    let play = method(
        "play",
        vec![
            site(1, 5, SiteKind::Call, "read"),
            site(4, 6, SiteKind::Call, "show"),
            site(7, 7, SiteKind::Call, "read"),
        ],
    );
    Classes::from_iter([("x.Game".to_owned(), class(vec![read, overload, play]))])
}

fn thrown_on(line: u32, called_on: u32) -> String {
    format!(
        "{MISSING}: 'sudoku_id' is required\n\tat x.Game.read(Game.java:{line})\n\t\
         at x.Game.play(Game.java:{called_on})\n\tat android.app.Activity.onCreate(Activity.java:1)\n"
    )
}

#[test]
fn two_throws_of_one_method_differ_wherever_its_lines_are() {
    let code = checks([20, 24]);
    assert_eq!(of(&thrown_on(20, 5), &code), ["call0", "call0", ""]);
    assert_eq!(of(&thrown_on(24, 7), &code), ["call1", "call1", ""]);
    let moved = checks([320, 340]);
    assert_eq!(of(&thrown_on(340, 7), &moved), ["call1", "call1", ""]);
}

#[test]
fn overloads_are_told_apart_by_their_lines() {
    assert_eq!(of(&thrown_on(90, 5), &checks([20, 24]))[0], "call0");
    // A line that no code stands at: another build.
    assert_eq!(of(&thrown_on(91, 5), &checks([20, 24]))[0], "");
}

#[test]
fn without_lines_the_program_counter_finds_the_instruction() {
    let stack = thrown_on(20, 5)
        .replace("Game.java:20", "Unknown Source:32")
        .replace("Game.java:5", "Unknown Source:7");
    assert_eq!(of(&stack, &checks([20, 24])), ["call1", "call1", ""]);
}

#[test]
fn the_kind_of_the_exception_and_its_message_find_the_instruction() {
    let go = method(
        "go",
        vec![
            site(0, 8, SiteKind::Call, "third"),
            site(1, 9, SiteKind::Call, "first"),
            site(3, 9, SiteKind::Cast, ""),
            site(5, 9, SiteKind::Call, "second"),
            site(8, 9, SiteKind::Field, "size"),
            site(9, 9, SiteKind::Divide, ""),
            site(11, 9, SiteKind::Call, "third"),
        ],
    );
    let code = Classes::from_iter([("x.A".to_owned(), class(vec![go]))]);
    let found = |exception: &str| {
        let stack = format!("java.lang.{exception}\n\tat x.A.go(A.java:9)\n");
        of(&stack, &code).remove(0)
    };
    assert_eq!(found("ClassCastException: x"), "cast0");
    assert_eq!(found("ArithmeticException: divide by zero"), "divide0");
    let art = "NullPointerException: Attempt to read from field 'int x.B.size' on a null object";
    assert_eq!(found(art), "field0");
    let jvm = "NullPointerException: Cannot read field \"size\" because \"<local1>.b\" is null";
    assert_eq!(found(jvm), "field0");
    // The message names another call than the line's first one.
    let art = "NullPointerException: Attempt to invoke virtual method 'void x.B.third(int)' on a null object";
    assert_eq!(found(art), "call1");
    let jvm = "NullPointerException: Cannot invoke \"x.B.third(int)\" because \"<local1>\" is null";
    assert_eq!(found(jvm), "call1");
    // Memory ends anywhere.
    assert_eq!(found("OutOfMemoryError"), "");
}

#[test]
fn anonymous_classes_are_named_by_their_method_and_lambdas_numbered_in_it() {
    let within = |method: &str, supertype: &str| {
        Arc::new(ClassSites {
            enclosing: Some(method.into()),
            supertypes: vec![supertype.into()],
            ..ClassSites::default()
        })
    };
    let lambdas = ["lambda$onCreate$0", "lambda$save$1", "lambda$save$4$x-Main"];
    let main = class(lambdas.map(|name| method(name, vec![])).to_vec());
    let code = Classes::from_iter([
        ("x.Main".to_owned(), main),
        ("x.Main$1".to_owned(), within("onCreate", "Click")),
        ("x.Main$2".to_owned(), within("onCreate", "Touch")),
        ("x.Main$3".to_owned(), within("onCreate", "Click")),
        ("x.Main$3$1".to_owned(), within("onClick", "Runnable")),
        ("x.Main$show$1".to_owned(), within("show", "Function0")),
    ]);
    let name = |class: &str| class_name(class, &code);
    assert_eq!(name("x.Main$1").unwrap(), "x.Main$onCreate~0");
    assert_eq!(name("x.Main$2").unwrap(), "x.Main$onCreate~0");
    assert_eq!(name("x.Main$3").unwrap(), "x.Main$onCreate~1");
    assert_eq!(name("x.Main$3$1").unwrap(), "x.Main$onCreate~1$onClick~0");
    // Kotlin's names have the method already.
    assert_eq!(name("x.Main$show$1"), None);
    assert_eq!(name("x.Main"), None);
    // A package is left out only if the name says it all.
    let written = |class, alone| written(class, alone, &code);
    assert_eq!(written("x.Main$3", true).unwrap(), "Main$onCreate~1");
    assert_eq!(written("x.Main$3", false).unwrap(), "x.Main$onCreate~1");
    assert_eq!(written("x.Main", true).unwrap(), "Main");
    assert_eq!(written("x.Main", false), None);
    let lambda = |method| lambda_name(method, &code["x.Main"]);
    assert_eq!(lambda("lambda$save$4$x-Main").unwrap(), "save~lambda1");
    assert_eq!(lambda("lambda$onCreate$0").unwrap(), "onCreate~lambda0");
    assert_eq!(lambda("onCreate"), None);
    let wanted = classes_of(&parse("a.E\n\tat x.Main$3$1.run(Main.java:1)\n"));
    let expected = ["x.Main$1", "x.Main$2", "x.Main$3", "x.Main$3$1"];
    assert!(wanted.iter().eq(&expected), "{wanted:?}");
}
