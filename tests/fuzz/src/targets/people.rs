//! What a team brings along: flows of Maestro, the coverage of its tests.

use super::suites::in_file;
use super::text;
use crate::corpus::{folder, texts};
use crate::{Sources, Target};
use droidtest::coverage::theirs::Theirs;
use droidtest::trace::{self, maestro};
use std::path::Path;

const TRACEFILE: &str = "TN:\nSF:app/src/main/java/a/B.java\nFN:3,a/B.go()V\nFNDA:1,a/B.go()V\nFNF:1\nFNH:1\n\
    BRDA:4,0,0,1\nBRDA:4,0,1,-\nBRF:2\nBRH:1\nDA:3,1\nDA:4,0\nLF:2\nLH:1\nend_of_record\n";

pub fn targets(sources: &Sources) -> Vec<Target> {
    vec![
        Target {
            name: "maestro",
            corpus: folder(&sources.root.join("example-configs/demonstrations"), "yaml"),
            words: &[
                "- tapOn: ",
                "    id: ",
                "- repeat: {times: 3, commands: [",
                "- launchApp\n",
                "&a ",
                "*a",
                "---\n",
                "${TEXT_A}",
                "\\${",
                "point: \"50%,50%\"",
                "!!str ",
            ],
            run: Box::new(|bytes| {
                let Ok(flow) = maestro::read(&text(bytes), Path::new("flow.yaml")) else {
                    return false;
                };
                let written = trace::write(&flow.trace);
                let again = trace::read(&written, Path::new("trace.toml"));
                let again = again.unwrap_or_else(|e| panic!("written, but refused: {e}"));
                assert_eq!(again.steps, flow.trace.steps);
                true
            }),
        },
        Target {
            name: "lcov",
            corpus: texts(&[TRACEFILE]),
            words: &["SF:", "DA:", "end_of_record\n", "-1", "99999999999", "\\"],
            run: in_file("lcov.info", |file| Theirs::load(&[file.to_owned()]).is_ok()),
        },
    ]
}
