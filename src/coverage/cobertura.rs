//! Cobertura's XML (`coverage-04.dtd`), for CI systems.
//!
//! JaCoCo knows lines by source file, Cobertura wants them by class and method: a line goes to the method of its
//! file that starts last before it. Sums over lines, and the totals, are JaCoCo's; branches of code without line numbers
//! are in the totals only.

use super::jacoco::{Class, Counters, Line, Package, Report};
use super::sources::Sources;
use crate::outcome::summary::Ratio;
use crate::util::text::for_xml;
use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesStart, BytesText, Event};
use std::io::{self, Write};

const DTD: &str = r#"coverage SYSTEM "http://cobertura.sourceforge.net/xml/coverage-04.dtd""#;

/// Writes a report.
pub fn write(report: &Report, sources: &Sources, out: &mut dyn Write) -> io::Result<()> {
    let mut xml = Xml(Writer::new_with_indent(out, b' ', 1));
    xml.0
        .write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    xml.0
        .write_event(Event::DocType(BytesText::from_escaped(DTD)))?;
    let code = report.total.code;
    let mut start = rates("coverage", &[], &report.total);
    for (name, number) in [
        ("lines-covered", code.line.covered),
        ("lines-valid", code.line.total),
        ("branches-covered", code.branch.covered),
        ("branches-valid", code.branch.total),
        ("timestamp", report.written),
    ] {
        start.push_attribute((name, number.to_string().as_str()));
    }
    start.push_attribute(("version", concat!("droidtest ", env!("CARGO_PKG_VERSION"))));
    xml.within(start, |xml| {
        xml.within(BytesStart::new("sources"), |xml| {
            xml.within(BytesStart::new("source"), |xml| {
                xml.0.write_event(Event::Text(BytesText::new(".")))
            })
        })?;
        xml.within(BytesStart::new("packages"), |xml| {
            report
                .packages
                .iter()
                .try_for_each(|package| write_package(xml, package, sources))
        })
    })?;
    xml.0.get_mut().write_all(b"\n")
}

fn write_package(xml: &mut Xml<'_>, package: &Package, sources: &Sources) -> io::Result<()> {
    let name = package.name.replace('/', ".");
    xml.within(
        rates("package", &[("name", &name)], &package.counters),
        |xml| {
            xml.within(BytesStart::new("classes"), |xml| {
                let owned = owned_lines(package);
                let classes = package.classes.iter().zip(owned);
                classes.into_iter().try_for_each(|(class, lines)| {
                    write_class(xml, (package, sources), class, lines)
                })
            })
        },
    )
}

fn write_class(
    xml: &mut Xml<'_>,
    (package, sources): (&Package, &Sources),
    class: &Class,
    lines: Vec<Vec<Line>>,
) -> io::Result<()> {
    let file = match &class.source {
        Some(source) => sources.path(&package.name.replace('/', "."), source),
        None => format!("{}.class", class.name),
    };
    let name = class.name.replace('/', ".");
    let names = [("name", name.as_str()), ("filename", file.as_str())];
    xml.within(rates("class", &names, &class.counters), |xml| {
        xml.within(BytesStart::new("methods"), |xml| {
            class
                .methods
                .iter()
                .zip(&lines)
                .try_for_each(|(method, lines)| {
                    let names = [
                        ("name", method.name.as_str()),
                        ("signature", &method.descriptor),
                    ];
                    xml.within(rates("method", &names, &method.counters), |xml| {
                        write_lines(xml, lines)
                    })
                })
        })?;
        let mut all = lines.concat();
        all.sort_by_key(|line| line.number);
        write_lines(xml, &all)
    })
}

fn write_lines(xml: &mut Xml<'_>, lines: &[Line]) -> io::Result<()> {
    xml.within(BytesStart::new("lines"), |xml| {
        for line in lines {
            let mut start = BytesStart::new("line");
            start.push_attribute(("number", line.number.to_string().as_str()));
            start.push_attribute(("hits", if line.is_covered() { "1" } else { "0" }));
            if line.branches.total > 0 {
                let Ratio { covered, total } = line.branches;
                let percent = covered.saturating_mul(100) / total;
                let text = format!("{percent}% ({covered}/{total})");
                start.push_attribute(("branch", "true"));
                start.push_attribute(("condition-coverage", text.as_str()));
            }
            xml.0.write_event(Event::Empty(start))?;
        }
        Ok(())
    })
}

/// The lines of each method of each class, every line of a source file given to one method.
fn owned_lines(package: &Package) -> Vec<Vec<Vec<Line>>> {
    let mut owned: Vec<Vec<Vec<Line>>> = Vec::new();
    owned.extend(
        package
            .classes
            .iter()
            .map(|class| vec![Vec::new(); class.methods.len()]),
    );
    let of_source = package.by_source();
    for source in &package.sources {
        let classes = of_source.get(source.name.as_str());
        let methods = methods_by_line(package, classes.map_or(&[], Vec::as_slice));
        for line in &source.lines {
            // Lines before the first method (none that javac writes) go to it.
            let after = methods.partition_point(|&(first, ..)| first <= line.number);
            if let Some(&(_, class, method)) = methods.get(after.saturating_sub(1)) {
                owned[class][method].push(*line);
            }
        }
    }
    owned
}

/// First lines of the methods of these classes, in order, with the numbers of their class and method.
fn methods_by_line(package: &Package, classes: &[usize]) -> Vec<(u32, usize, usize)> {
    let mut methods = Vec::new();
    for &class_ix in classes {
        let lines = package.classes[class_ix].methods.iter().enumerate();
        methods.extend(lines.filter_map(|(ix, m)| Some((m.line?, class_ix, ix))));
    }
    methods.sort_unstable();
    methods
}

/// A start tag with the rates all levels have.
fn rates<'a>(tag: &'a str, names: &[(&str, &str)], counters: &Counters) -> BytesStart<'a> {
    let mut start = BytesStart::new(tag);
    for &(name, value) in names {
        start.push_attribute((name, for_xml(value).as_ref()));
    }
    let rate = |ratio: Ratio| format!("{:.4}", ratio.percent() / 100.0);
    let code = &counters.code;
    // Where there are no lines to count, instructions stand for them, so that a report does not show 0 %.
    let lines = if code.line.total > 0 {
        code.line
    } else {
        code.instruction
    };
    let methods = code.method.total.max(1);
    for (name, value) in [
        ("line-rate", rate(lines)),
        ("branch-rate", rate(code.branch)),
        (
            "complexity",
            format!("{:.2}", counters.complexity as f64 / methods as f64),
        ),
    ] {
        start.push_attribute((name, value.as_str()));
    }
    start
}

struct Xml<'a>(Writer<&'a mut dyn Write>);

impl Xml<'_> {
    fn within(
        &mut self,
        start: BytesStart<'_>,
        body: impl FnOnce(&mut Self) -> io::Result<()>,
    ) -> io::Result<()> {
        let end = start.to_end().into_owned();
        self.0.write_event(Event::Start(start))?;
        body(self)?;
        self.0.write_event(Event::End(end))
    }
}

#[cfg(test)]
#[path = "cobertura_tests.rs"]
mod tests;
