//! Which field is typed into, and what.

use super::super::format::{Deed, Step, Target, Typed};
use super::tests::{flow, on, steps, typed};
use super::*;

/// The error of these commands, at this line of the file; the commands begin at line 5.
fn refused(commands: &str, line: usize, why: &str) {
    let error = flow(commands).expect_err(commands);
    let text = error.to_string();
    assert!(
        text.starts_with(&format!("flow.yaml:{line}: ")) && text.contains(why),
        "{commands}: {text}"
    );
    assert!(error.help.is_some(), "{commands}");
}

#[test]
fn a_text_goes_into_the_field_that_was_tapped_last_or_nowhere() {
    let field = "- tapOn: user\n- inputText: a\n";
    for (between, line) in [
        // Left out, it may have moved the focus.
        ("- tapOn: {id: word, optional: true}\n", 8),
        ("- pressKey: {key: Tab, optional: true}\n", 8),
        // No field: a row, a place, a long press.
        ("- tapOn: {containsDescendants: [{text: Row}]}\n", 8),
        (
            "- tapOn: {id: row, containsDescendants: [{text: Row}]}\n",
            8,
        ),
        ("- tapOn: {point: '50%,50%'}\n", 8),
        ("- tapOn: {id: board, point: '50%,50%'}\n", 8),
        ("- longPressOn: word\n", 8),
        ("- back\n", 8),
        ("- setOrientation: LANDSCAPE_LEFT\n", 8),
        ("- pressKey: Enter\n", 8),
    ] {
        for next in ["- inputText: b\n", "- eraseText\n"] {
            let commands = format!("{field}{between}{next}");
            refused(&commands, line, "nothing says into which field");
        }
    }
    // What only looks leaves the focus where it is.
    let looks =
        "- assertVisible: x\n- hideKeyboard\n- assertTrue: {condition: y, optional: true}\n";
    let both = steps(&format!("{field}{looks}- inputText: b\n"));
    assert_eq!(both, [on("user", typed("ab", false))]);
    let twice = steps("- tapOn: {text: user, repeat: 2}\n- inputText: a\n");
    assert_eq!(
        twice,
        [on("user", Deed::Click), on("user", typed("a", false))]
    );
    // The editor's action is that of the field with the focus only.
    let entered = steps(
        "- tapOn: user\n- inputText: a\n- tapOn: {id: b, optional: true}\n- pressKey: Enter\n",
    );
    assert_eq!(entered, [on("user", typed("a", false)), Step::Key(66)]);
}

#[test]
fn a_command_that_types_nothing_is_an_error() {
    for nothing in [
        "- inputText\n",
        "- inputText: ''\n",
        "- inputText: {}\n",
        "- inputText: {label: x}\n",
        "- inputText: []\n",
        "- inputText: ~\n",
    ] {
        refused(&format!("- tapOn: a\n{nothing}"), 6, "no text to type");
    }
    let text = "appId: org.x\nenv:\n  NONE:\n---\n- tapOn: a\n- inputText: ${NONE}\n";
    let error = read(text, Path::new("flow.yaml")).unwrap_err().to_string();
    assert!(error.contains("flow.yaml:6: no text to type"), "{error}");
}

#[test]
fn erasing_deletes_what_was_typed_from_its_end() {
    let after = |commands: &str| match steps(&format!("- tapOn: a\n{commands}")).pop() {
        Some(Step::On(_, Deed::Type(typed))) => typed,
        other => panic!("{commands}: {other:?}"),
    };
    let long = "ä".repeat(60);
    let text = |text: &str| Typed {
        text: text.to_owned(),
        secret: None,
        enter: false,
    };
    let pin = "- inputText: ${TEXT_PIN}\n";
    for (commands, left) in [
        ("- eraseText\n".to_owned(), ""),
        ("- inputText: abcäef\n- eraseText: 3\n".to_owned(), "abc"),
        (
            "- inputText: abc\n- eraseText: {charactersToErase: 2}\n".to_owned(),
            "a",
        ),
        ("- inputText: abc\n- eraseText: 4\n".to_owned(), ""),
        (
            "- inputText: abc\n- eraseText\n- eraseText\n".to_owned(),
            "",
        ),
        (
            format!("- inputText: {long}\n- eraseText\n"),
            &long[..2 * 10],
        ),
        (format!("{pin}- eraseText\n"), ""),
        (format!("{pin}- eraseText: 200\n- inputText: b\n"), "b"),
        (
            "- inputText: a\n- eraseText: 18446744073709551615\n".to_owned(),
            "",
        ),
    ] {
        assert_eq!(after(&commands), text(left), "{commands}");
    }
    refused("- eraseText\n", 5, "nothing says into which field");
    refused("- tapOn: a\n- eraseText: 0\n", 6, "nothing to erase");
    refused("- tapOn: a\n- eraseText: all\n", 6, "a whole number");
    let part = format!("- tapOn: a\n{pin}- eraseText: 3\n");
    refused(&part, 7, "a part of a secret");
}

#[test]
fn a_secret_stands_alone_wherever_it_stands() {
    let (pin, name) = ("- inputText: ${TEXT_PIN}\n", "- inputText: ${TEXT_NAME}\n");
    for around in [
        format!("{pin}{name}"),
        format!("{pin}- inputText: a\n"),
        format!("- inputText: a\n{pin}"),
    ] {
        refused(
            &format!("- tapOn: a\n{around}"),
            7,
            "a secret with more text around it",
        );
    }
    refused(
        "- openLink: {link: '${TEXT_PIN}', label: org.x.A}\n",
        5,
        "a secret as a link",
    );
    refused("- openLink: {link: '', label: org.x.A}\n", 5, "an address");
    refused(
        "- openLink: {link: 'x://y', label: Open it}\n",
        5,
        "which activity",
    );
    refused(
        "- openLink: {link: 'x://y', label: org.x.A, browser: true}\n",
        5,
        "`browser` of a link",
    );
}

#[test]
fn a_variable_is_a_text_and_never_a_script() {
    let read = |env: &str, text: &str| {
        let text = format!("appId: org.x\nenv:\n{env}---\n- tapOn: a\n- inputText: '{text}'\n");
        read(&text, Path::new("flow.yaml"))
    };
    let typed_of = |env: &str, text: &str| read(env, text).unwrap().trace.steps.pop();
    let expected = |text: &str| Some(on("a", typed(text, false)));
    assert_eq!(typed_of("  A: x\n", "${A}-${ A }"), expected("x-x"));
    // An escaped script stands for itself, in a variable too.
    assert_eq!(typed_of("  A: '\\${B}'\n", "${A}"), expected("${B}"));
    assert_eq!(typed_of("  A: x\n", "\\${A}${A"), expected("${A}${A"));
    for env in [
        "  A: x\n  B: ${A}y\n",
        "  A: x\n  B: ${B + \"me\"}\n",
        "  A: x\n  B: ${TEXT_PIN}\n",
    ] {
        let error = read(env, "${A}").unwrap_err().to_string();
        assert!(error.starts_with("flow.yaml:4: the script"), "{error}");
    }
    let error = read("  A: [x]\n", "b").unwrap_err().to_string();
    assert!(
        error.starts_with("flow.yaml:3: the variable `A`"),
        "{error}"
    );
    // It is no secret of the suite if the flow says what it is.
    assert_eq!(typed_of("  TEXT_A: x\n", "${TEXT_A}"), expected("x"));
}

#[test]
fn a_selector_is_the_text_that_a_reader_sees() {
    let text = |written: &str| {
        let written = written.replace('\'', "''");
        match flow(&format!("- tapOn: '{written}'\n")).map(|flow| flow.trace.steps) {
            Ok(steps) => match &steps[..] {
                [Step::On(Target { text, .. }, Deed::Click)] => Ok(text.clone()),
                other => panic!("{other:?}"),
            },
            Err(error) => Err(error.to_string()),
        }
    };
    let start = "a".repeat(198);
    for (written, read) in [
        ("Sign in?", "Sign in?"),
        ("(+49) 123", "(+49) 123"),
        ("5 \\* 3", "5 * 3"),
        ("{x}", "{x}"),
        (&format!("{start}b.*"), &format!("{start}b…")),
        // The backslash is the text's, not the pattern's.
        (&format!("{start}\\\\.*"), &format!("{start}\\…")),
    ] {
        assert_eq!(text(written).as_deref(), Ok(read), "{written}");
    }
    for written in [
        ".*",
        "a.*",
        "(?i)save",
        ".{3}",
        "\\.{3}",
        "(a)?",
        "a\\",
        &format!("{start}b\\.*"),
        &format!("{start}bc.*"),
        &format!("{start}.*.*"),
    ] {
        let error = text(written).expect_err(written);
        assert!(error.contains("a regular expression"), "{written}: {error}");
    }
    for (selector, why) in [
        ("{id: '', text: a}", "`id` of a widget is empty"),
        ("{text: ''}", "`text` of a widget is empty"),
        ("''", "the text of a widget is empty"),
        (
            "{containsDescendants: [{text: ''}]}",
            "the text of a widget",
        ),
        (
            "{containsDescendants: [{text: a, enabled: false}]}",
            "is not one text",
        ),
        ("{containsDescendants: []}", "is not one text"),
        ("{index: 2}", "`index` alone"),
        ("{index: 2, enabled: true}", "`index` alone"),
        ("{index: 2, point: '50%,50%'}", "`index` alone"),
        ("{text: a, index: -1}", "`index` is not a whole number"),
        ("{text: a, enabled: '${x}'}", "the script `${x}` is not run"),
        (
            "{text: a, enabled: '${NAME}'}",
            "neither `true` nor `false`",
        ),
    ] {
        for command in ["tapOn", "longPressOn"] {
            if selector.contains("point") && command != "tapOn" {
                continue;
            }
            refused(&format!("- {command}: {selector}\n"), 5, why);
        }
    }
    let swipe = "- swipe: {from: {index: 1}, direction: UP}\n";
    refused(swipe, 5, "`index` alone");
    let row = steps("- tapOn: {containsDescendants: [Milk], index: 1}\n");
    let expected = Target {
        caption: "Milk".to_owned(),
        nth: Some(1),
        ..Target::default()
    };
    assert_eq!(row, [Step::On(expected, Deed::Click)]);
}
