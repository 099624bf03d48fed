//! Tests of `jacoco.rs` against reports that JaCoCo wrote (`tests/fixtures/coverage`).

use super::*;

const XML: &str = include_str!("../../tests/fixtures/coverage/jacoco.xml");
const NO_LINES: &str = include_str!("../../tests/fixtures/coverage/nolines.xml");

pub fn fixture() -> Report {
    Report::read(XML.as_bytes()).unwrap()
}

pub fn fixture_without_lines() -> Report {
    Report::read(NO_LINES.as_bytes()).unwrap()
}

/// The counters of some level as JaCoCo wrote them, found by other means.
fn written(xml: &str, path: &[&str], kind: &str) -> Ratio {
    let options = roxmltree::ParsingOptions {
        allow_dtd: true,
        ..Default::default()
    };
    let document = roxmltree::Document::parse_with_options(xml, options).unwrap();
    let mut node = document.root_element();
    for name in path {
        node = node
            .children()
            .find(|n| n.attribute("name") == Some(name))
            .unwrap();
    }
    let counter = node
        .children()
        .find(|n| n.attribute("type") == Some(kind))
        .unwrap();
    let number = |name| counter.attribute(name).unwrap().parse::<u64>().unwrap();
    Ratio {
        covered: number("covered"),
        total: number("covered") + number("missed"),
    }
}

#[test]
fn counters_of_every_level_are_jacocos() {
    let report = fixture();
    assert_eq!(report.name, "shop");
    assert_eq!(report.written, 4500);
    assert_eq!(report.total.code.line, written(XML, &[], "LINE"));
    assert_eq!(report.total.code.branch, written(XML, &[], "BRANCH"));
    assert_eq!(report.total.code.class, written(XML, &[], "CLASS"));
    assert_eq!(
        report.total.complexity,
        written(XML, &[], "COMPLEXITY").total
    );
    let package = report.packages.iter().find(|p| p.name == "shop").unwrap();
    assert_eq!(
        package.counters.code.method,
        written(XML, &["shop"], "METHOD")
    );
    let class = package
        .classes
        .iter()
        .find(|c| c.name == "shop/Basket")
        .unwrap();
    let path = ["shop", "shop/Basket"];
    assert_eq!(
        class.counters.code.instruction,
        written(XML, &path, "INSTRUCTION")
    );
    assert_eq!(class.source.as_deref(), Some("Basket.java"));
    let add = class.methods.iter().find(|m| m.name == "add").unwrap();
    assert_eq!(add.line, Some(12));
    let path = ["shop", "shop/Basket", "add"];
    assert_eq!(add.counters.code.branch, written(XML, &path, "BRANCH"));
}

#[test]
fn lines_add_up_to_their_counters() {
    let report = fixture();
    assert!(has_lines(&report.total.code));
    assert_eq!(report.headline(), (report.total.code.line, "lines"));
    for source in report.packages.iter().flat_map(|p| &p.sources) {
        let covered = source.lines.iter().filter(|l| l.is_covered()).count() as u64;
        assert_eq!(source.counters.code.line.covered, covered);
        assert_eq!(source.counters.code.line.total, source.lines.len() as u64);
        let branches: u64 = source.lines.iter().map(|l| l.branches.total).sum();
        assert_eq!(source.counters.code.branch.total, branches);
    }
}

#[test]
fn without_line_numbers_instructions_are_counted_and_it_is_said() {
    let report = fixture_without_lines();
    assert!(!has_lines(&report.total.code));
    let (ratio, what) = report.headline();
    assert_eq!(ratio, report.total.code.instruction);
    assert!(ratio.covered > 0);
    assert_eq!(what, "instructions (line numbers are missing)");
    assert_eq!(report.packages[0].classes[0].source, None);
}

#[test]
fn damaged_reports_are_errors() {
    let read = |xml: &str| Report::read(xml.as_bytes()).unwrap_err().to_string();
    assert_eq!(
        read(XML.strip_suffix("</report>").unwrap()),
        "the report is cut off"
    );
    assert_eq!(read("<html></html>"), "it is not a JaCoCo report");
    assert_eq!(read(""), "it is not a JaCoCo report");
    assert!(
        Report::load(Path::new("no/such.xml"))
            .unwrap_err()
            .to_string()
            .starts_with("no/such.xml: ")
    );
}

#[test]
fn a_few_lines_of_a_library_are_not_the_apps() {
    let mut code = fixture().total.code;
    assert!(has_lines(&code));
    code.method.total = 4 * code.line.total + 1;
    assert_eq!(headline(&code).0, code.instruction);
}

/// With a search for each source file this would compare a billion and a half names.
#[test]
fn a_package_of_sixty_thousand_classes_is_divided_once() {
    let class = |n: usize| Class {
        name: format!("p/C{n}"),
        source: (!n.is_multiple_of(5)).then(|| format!("C{}.kt", n - n % 5)),
        methods: Vec::new(),
        counters: Counters::default(),
    };
    let source = |n: usize| SourceFile {
        name: format!("C{n}.kt"),
        lines: Vec::new(),
        counters: Counters::default(),
    };
    let package = Package {
        name: "p".to_owned(),
        classes: (0..60_000).map(class).collect(),
        sources: (0..60_000).step_by(5).map(source).collect(),
        counters: Counters::default(),
    };
    let found = package.by_source();
    assert_eq!(
        (found.len(), found["C5.kt"].as_slice()),
        (12_000, &[6, 7, 8, 9][..])
    );
    let report = Report {
        packages: vec![package],
        ..Report::default()
    };
    let (mut tracefile, mut cobertura) = (Vec::new(), Vec::new());
    let sources = super::super::Sources::default();
    super::super::lcov::write(&report, &sources, &mut tracefile).unwrap();
    super::super::cobertura::write(&report, &sources, &mut cobertura).unwrap();
    // A record for each source file, and one for each class without.
    let records = String::from_utf8(tracefile).unwrap();
    assert_eq!(records.matches("end_of_record").count(), 24_000);
    assert!(records.find("SF:p/C5.kt").unwrap() < records.find("SF:p/C0.class").unwrap());
}
