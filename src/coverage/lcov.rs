//! LCOV's tracefile (`lcov.info`), for editors and coverage services.
//!
//! JaCoCo knows whether a line was run, not how often: counts are 0 or 1. Code without line numbers has its functions
//! here, but no lines and branches to name; so the branches of such apps add up to fewer than JaCoCo's counter.

use super::jacoco::{Class, Line, Report};
use super::sources::Sources;
use crate::util::text::for_terminal;
use std::io::{self, Write};

/// Writes a report as a tracefile.
pub fn write(report: &Report, sources: &Sources, out: &mut dyn Write) -> io::Result<()> {
    for package in &report.packages {
        let mut of_source = package.by_source();
        for source in &package.sources {
            let classes = of_source.remove(source.name.as_str()).unwrap_or_default();
            let classes = classes.iter().map(|&ix| &package.classes[ix]);
            let file = sources.path(&package.name.replace('/', "."), &source.name);
            record(out, &file, classes, &source.lines)?;
        }
        // Those whose source file the package does not have, in the order of the report.
        let mut others: Vec<usize> = of_source.into_values().flatten().collect();
        let nameless = |&ix: &usize| package.classes[ix].source.is_none();
        others.extend((0..package.classes.len()).filter(nameless));
        others.sort_unstable();
        for class in others.into_iter().map(|ix| &package.classes[ix]) {
            let file = format!("{}.class", class.name);
            record(out, &file, std::iter::once(class), &[])?;
        }
    }
    Ok(())
}

fn record<'a>(
    out: &mut dyn Write,
    file: &str,
    classes: impl Iterator<Item = &'a Class>,
    lines: &[Line],
) -> io::Result<()> {
    writeln!(out, "TN:\nSF:{}", for_terminal(file))?;
    let mut functions = Vec::new();
    for class in classes {
        for method in &class.methods {
            let name = format!("{}.{}{}", class.name, method.name, method.descriptor);
            let hit = u8::from(method.counters.code.method.covered > 0);
            functions.push((
                method.line.unwrap_or(1),
                for_terminal(&name).into_owned(),
                hit,
            ));
        }
    }
    for (line, name, _) in &functions {
        writeln!(out, "FN:{line},{name}")?;
    }
    for (_, name, hit) in &functions {
        writeln!(out, "FNDA:{hit},{name}")?;
    }
    let hit = functions.iter().filter(|f| f.2 > 0).count();
    writeln!(out, "FNF:{}\nFNH:{hit}", functions.len())?;
    let (mut found, mut taken) = (0, 0);
    for line in lines {
        for branch in 0..line.branches.total {
            let hit = match (line.is_covered(), branch < line.branches.covered) {
                (false, _) => "-",
                (true, true) => "1",
                (true, false) => "0",
            };
            writeln!(out, "BRDA:{},0,{branch},{hit}", line.number)?;
        }
        found += line.branches.total;
        taken += line.branches.covered;
    }
    writeln!(out, "BRF:{found}\nBRH:{taken}")?;
    for line in lines {
        writeln!(out, "DA:{},{}", line.number, u8::from(line.is_covered()))?;
    }
    let hit = lines.iter().filter(|l| l.is_covered()).count();
    writeln!(out, "LF:{}\nLH:{hit}\nend_of_record", lines.len())
}

#[cfg(test)]
mod tests {
    use super::super::jacoco::tests::{fixture, fixture_without_lines};
    use super::*;
    use crate::outcome::summary::Ratio;

    /// What a reader of tracefiles makes of one: lines, branches, functions, from the records themselves.
    fn read(text: &str) -> [Ratio; 3] {
        let mut totals = [Ratio::default(); 3];
        let (mut open, mut declared) = (false, [0_u64; 6]);
        let mut summed = [Ratio::default(); 3];
        for line in text.lines() {
            let (key, rest) = line.split_once(':').unwrap_or((line, ""));
            let mut count = |ix: usize, hit: bool| {
                assert!(open);
                summed[ix].total += 1;
                summed[ix].covered += u64::from(hit);
            };
            let last = rest.rsplit(',').next().unwrap();
            match key {
                "TN" => {}
                "SF" => open = true,
                "DA" => count(0, last != "0"),
                "BRDA" => count(1, last == "1"),
                "FNDA" => count(2, !rest.starts_with("0,")),
                "FN" => assert!(rest.split_once(',').unwrap().0.parse::<u32>().unwrap() > 0),
                "LF" => declared[0] = rest.parse().unwrap(),
                "LH" => declared[1] = rest.parse().unwrap(),
                "BRF" => declared[2] = rest.parse().unwrap(),
                "BRH" => declared[3] = rest.parse().unwrap(),
                "FNF" => declared[4] = rest.parse().unwrap(),
                "FNH" => declared[5] = rest.parse().unwrap(),
                "end_of_record" => {
                    for (ix, sum) in summed.iter_mut().enumerate() {
                        assert_eq!([sum.total, sum.covered], declared[2 * ix..2 * ix + 2]);
                        totals[ix].total += sum.total;
                        totals[ix].covered += sum.covered;
                        *sum = Ratio::default();
                    }
                    open = false;
                }
                _ => panic!("unknown key {key}"),
            }
        }
        assert!(!open);
        totals
    }

    fn written(report: &Report) -> String {
        let mut out = Vec::new();
        write(report, &Sources::default(), &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn totals_are_jacocos() {
        let report = fixture();
        let text = written(&report);
        let code = report.total.code;
        assert_eq!(read(&text), [code.line, code.branch, code.method]);
        assert!(text.contains("SF:shop/till/Till.java\n"), "{text}");
        assert!(
            text.contains("\nFN:12,shop/Basket.add(Ljava/lang/String;I)V\n"),
            "{text}"
        );
    }

    #[test]
    fn an_app_without_lines_still_has_its_functions() {
        let report = fixture_without_lines();
        let text = written(&report);
        let [lines, _, functions] = read(&text);
        assert_eq!(lines.total, 0);
        assert_eq!(functions, report.total.code.method);
        assert!(text.contains("SF:shop/Basket.class\n"), "{text}");
    }
}
