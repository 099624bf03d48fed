//! What users write and what runs leave behind: suites, traces, journals, mappings, coverage.

use super::text;
use crate::corpus::{files, folder, texts};
use crate::{Run, Sources, Target};
use camino::Utf8PathBuf;
use droidtest::android::stack;
use droidtest::config::{Request, load};
use droidtest::coverage::ExecData;
use droidtest::coverage::jacoco::Report;
use droidtest::oracle::mapping::Mapping;
use droidtest::outcome::journal::JournalReader;
use droidtest::run::Plan;
use droidtest::trace;
use std::fs;
use std::path::Path;

const MAPPING: &str = "\
# compiler: R8
org.example.app.Main -> a.a:
    int count -> a
    1:3:void run(int,java.lang.String):12:14 -> a
    4:4:void org.example.app.Other.inlined():7:7 -> a
    4:4:void run(int,java.lang.String):15 -> a
org.example.app.Other -> a.b:
";
const TRACED: &str =
    "java.lang.IllegalStateException: x\n\tat a.a.a(SourceFile:2)\n\tat a.b.c(Unknown Source:1)\n";
const JOURNAL: &str = include_str!("../../corpus/journal.jsonl");

pub fn targets(sources: &Sources) -> Vec<Target> {
    let mut traces = folder(&sources.root.join("tests/known-crashes"), "toml");
    traces.extend(files(&sources.root, &["tests/apps/notes/planted.toml"]));
    vec![
        Target {
            name: "suite",
            corpus: folder(&sources.root.join("example-configs"), "toml"),
            words: &[
                "[[app]]",
                "[profile.ci]",
                "[device.screen]",
                "kind = ",
                "\"\"\"",
                "{ env = \"X\" }",
                "inherits = ",
                "= [",
                "0x",
                "nan",
                "2024-01-01",
            ],
            run: suite(),
        },
        Target {
            name: "trace",
            corpus: traces,
            words: &[
                "[[step]]",
                "click = ",
                "id = \"",
                "{ text = ",
                "key = ",
                "[finding]",
                "at = [0.5, 0.5]",
            ],
            run: Box::new(|bytes| {
                let Ok(read) = trace::read(&text(bytes), Path::new("trace.toml")) else {
                    return false;
                };
                let _ = trace::words::sequence(&read);
                let again = trace::write(&read);
                let again = trace::read(&again, Path::new("again.toml"));
                assert!(
                    again.is_ok_and(|again| again.steps == read.steps),
                    "written and read again"
                );
                true
            }),
        },
        Target {
            name: "journal",
            corpus: vec![JOURNAL.as_bytes().to_vec()],
            words: &[
                "{\"e\":\"step\",",
                "\"probes\":[[",
                "null",
                "\"t\":\"system\"",
                "1e999",
                "\n{",
            ],
            run: in_file("journal.jsonl", |file| {
                let Ok(reader) = JournalReader::open(file) else {
                    return false;
                };
                reader.take_while(Result::is_ok).count() > 0
            }),
        },
        Target {
            name: "mapping",
            corpus: texts(&[MAPPING]),
            words: &[
                " -> ",
                ":",
                "1:2:",
                "    ",
                "(",
                ")",
                "{\"id\":\"sourceFile\"}",
            ],
            run: Box::new(|bytes| {
                let Ok(mapping) = Mapping::parse(text(bytes), Path::new("mapping.txt")) else {
                    return false;
                };
                for thrown in stack::parse(TRACED) {
                    let _ = mapping.retrace(&thrown);
                }
                true
            }),
        },
        Target {
            name: "jacoco-exec",
            corpus: files(
                &sources.root,
                &[
                    "tests/fixtures/coverage/one.exec",
                    "tests/fixtures/coverage/two.exec",
                ],
            ),
            words: &["\u{1}\u{0}", "\u{10}", "\u{11}"],
            run: Box::new(|bytes| {
                let Ok(data) = ExecData::read(bytes) else {
                    return false;
                };
                let mut again = Vec::new();
                data.write(&mut again).expect("memory takes it");
                assert!(ExecData::read(&again).is_ok(), "written and read again");
                true
            }),
        },
        Target {
            name: "jacoco-xml",
            corpus: folder(&sources.root.join("tests/fixtures/coverage"), "xml"),
            words: &[
                "<class ",
                "<counter type=\"LINE\" missed=\"",
                "</package>",
                "<sourcefile ",
                "<line nr=\"",
                "&lt;",
            ],
            run: Box::new(|bytes| {
                Report::read(bytes).is_ok_and(|report| report.headline().0.total > 0)
            }),
        },
    ]
}

/// Loads and plans, as `list` does.
fn suite() -> Run {
    let folder = tempfile::tempdir().expect("a folder");
    fs::create_dir(folder.path().join(".git")).expect("a mark that ends the search");
    let base = Utf8PathBuf::from_path_buf(folder.path().to_owned()).expect("a name in UTF-8");
    Box::new(move |bytes| {
        let _keep = &folder;
        fs::write(base.join("droidtest.toml"), bytes).expect("a file");
        let request = Request {
            base: base.clone(),
            ..Request::default()
        };
        match load(&request) {
            Ok(suite) => {
                let _ = Plan::new(&suite);
                true
            }
            Err(problems) => {
                assert!(problems.iter().count() > 0, "refused without a reason");
                false
            }
        }
    })
}

/// Reads from a file of this name.
pub fn in_file(name: &'static str, read: fn(&Path) -> bool) -> Run {
    let folder = tempfile::tempdir().expect("a folder");
    Box::new(move |bytes| {
        let file = folder.path().join(name);
        fs::write(&file, bytes).expect("a file");
        read(&file)
    })
}
