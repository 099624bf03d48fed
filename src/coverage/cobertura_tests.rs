//! Tests of `cobertura.rs`: the structure that the DTD requires, and JaCoCo's totals.

use super::super::jacoco::tests::{fixture, fixture_without_lines};
use super::*;
use roxmltree::{Document, Node, ParsingOptions};

/// `coverage-04.dtd`: children (`?` at most one, `*` any number, else exactly one) and required attributes.
const ELEMENTS: &[(&str, &[&str], &[&str])] = &[
    (
        "coverage",
        &["sources?", "packages"],
        &[
            "line-rate",
            "branch-rate",
            "lines-covered",
            "lines-valid",
            "branches-covered",
            "branches-valid",
            "complexity",
            "version",
            "timestamp",
        ],
    ),
    ("sources", &["source*"], &[]),
    ("source", &[], &[]),
    ("packages", &["package*"], &[]),
    (
        "package",
        &["classes"],
        &["name", "line-rate", "branch-rate", "complexity"],
    ),
    ("classes", &["class*"], &[]),
    (
        "class",
        &["methods", "lines"],
        &["name", "filename", "line-rate", "branch-rate", "complexity"],
    ),
    ("methods", &["method*"], &[]),
    (
        "method",
        &["lines"],
        &[
            "name",
            "signature",
            "line-rate",
            "branch-rate",
            "complexity",
        ],
    ),
    ("lines", &["line*"], &[]),
    ("line", &["conditions*"], &["number", "hits"]),
];
/// Attributes that may be missing.
const OPTIONAL: &[&str] = &["branch", "condition-coverage"];

fn validate(node: Node<'_, '_>) {
    let name = node.tag_name().name();
    let (_, children, attributes) = ELEMENTS.iter().find(|e| e.0 == name).expect(name);
    for attribute in *attributes {
        assert!(node.has_attribute(*attribute), "<{name}> lacks {attribute}");
    }
    for attribute in node.attributes() {
        let known = attributes.contains(&attribute.name()) || OPTIONAL.contains(&attribute.name());
        assert!(known, "<{name}> has {}", attribute.name());
    }
    let mut rest = node.children().filter(Node::is_element).peekable();
    for child in *children {
        let (tag, (least, most)) = match child.strip_suffix(['?', '*']) {
            Some(tag) if child.ends_with('?') => (tag, (0, 1)),
            Some(tag) => (tag, (0, usize::MAX)),
            None => (*child, (1, 1)),
        };
        let mut count = 0;
        while rest.peek().is_some_and(|n| n.tag_name().name() == tag) {
            validate(rest.next().unwrap());
            count += 1;
        }
        assert!(
            (least..=most).contains(&count),
            "<{name}> has {count} <{tag}>"
        );
    }
    assert!(rest.next().is_none(), "<{name}> holds more than it may");
}

fn written(report: &Report) -> String {
    let mut out = Vec::new();
    write(report, &Sources::default(), &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

fn parse(text: &str) -> Document<'_> {
    let options = ParsingOptions {
        allow_dtd: true,
        ..ParsingOptions::default()
    };
    Document::parse_with_options(text, options).unwrap()
}

/// Lines and branches summed over the classes.
fn summed(document: &Document<'_>) -> (Ratio, Ratio) {
    let (mut lines, mut branches) = (Ratio::default(), Ratio::default());
    let classes = document.descendants().filter(|n| n.has_tag_name("class"));
    let of_class = classes.flat_map(|c| c.children().filter(|n| n.has_tag_name("lines")));
    for line in of_class.flat_map(|lines| lines.children().filter(Node::is_element)) {
        lines.total += 1;
        lines.covered += u64::from(line.attribute("hits") != Some("0"));
        if let Some(text) = line.attribute("condition-coverage") {
            let (_, ratio) = text.split_once('(').unwrap();
            let (covered, total) = ratio.trim_end_matches(')').split_once('/').unwrap();
            branches.covered += covered.parse::<u64>().unwrap();
            branches.total += total.parse::<u64>().unwrap();
        }
    }
    (lines, branches)
}

#[test]
fn the_file_is_what_the_dtd_asks_for() {
    for report in [fixture(), fixture_without_lines(), Report::default()] {
        let text = written(&report);
        validate(parse(&text).root_element());
    }
}

#[test]
fn totals_are_jacocos() {
    let report = fixture();
    let text = written(&report);
    let document = parse(&text);
    let code = report.total.code;
    assert_eq!(summed(&document), (code.line, code.branch));
    let root = document.root_element();
    assert_eq!(
        root.attribute("lines-valid"),
        Some(code.line.total.to_string().as_str())
    );
    assert_eq!(root.attribute("timestamp"), Some("4500"));
}

#[test]
fn lines_go_to_their_methods() {
    let text = written(&fixture());
    let document = parse(&text);
    let lines_of = |method: &str| -> Vec<u32> {
        let node = document.descendants().find(|n| {
            n.has_tag_name("method")
                && n.attribute("name") == Some(method)
                && n.ancestors()
                    .any(|a| a.attribute("name") == Some("shop.Basket"))
        });
        let lines = node
            .unwrap()
            .descendants()
            .filter(|n| n.has_tag_name("line"));
        lines
            .map(|n| n.attribute("number").unwrap().parse().unwrap())
            .collect()
    };
    assert_eq!(lines_of("add"), [12, 13, 15, 16]);
    assert_eq!(lines_of("clear"), [32, 33]);
}

#[test]
fn names_from_the_app_cannot_break_the_file() {
    let mut report = fixture();
    report.packages[0].classes[0].name = "a<b>\"&\u{1}\u{fffe}]]>".to_owned();
    let text = written(&report);
    let document = parse(&text);
    assert!(
        document
            .descendants()
            .any(|n| { n.attribute("name") == Some("a<b>\"&\u{fffd}\u{fffd}]]>") })
    );
}
