//! APKs, and what is in them.

use crate::corpus::{archive, files, member};
use crate::packed::sealed;
use crate::{Run, Sources, Target};
use droidtest::apk::{Apk, CodeMap, needs, reachable_activities, system_events};
use droidtest::device::jvm::apk_check;
use std::fs;

const MANIFEST: &str = "AndroidManifest.xml";
const TABLE: &str = "resources.arsc";
const DEX: &str = "classes.dex";
/// Annotations, values and handlers; the same classes in two parts of a container.
const DEX_FILES: [&str; 2] = [
    "crates/dex2class/tests/fixtures/convert/attributes.dex",
    "crates/dex2class/tests/fixtures/convert/container.dex",
];
/// Classes of these apps, for the map of their code.
const CLASSES: [&str; 5] = [
    "fixture.Attributes",
    "fixture.Kind",
    "org.droidtest.probe.ProbeActivity",
    "org.droidtest.notes.NotesActivity",
    "org.droidtest.notes.NotesActivity$1",
];
const APPS: [&str; 2] = ["tests/apps/probe/probe.apk", "tests/apps/notes/notes.apk"];

pub fn targets(sources: &Sources) -> Vec<Target> {
    let apps = files(&sources.root, &APPS);
    let members =
        |name: &str| -> Vec<Vec<u8>> { apps.iter().filter_map(|app| member(app, name)).collect() };
    // The rest of the app stays good, so that reading gets that far.
    let within = |name: &'static str| -> Run {
        let parts =
            [MANIFEST, TABLE, DEX].map(|part| (part, member(&apps[0], part).unwrap_or_default()));
        let mut open = opener();
        Box::new(move |bytes| {
            let sealed = if name == DEX {
                sealed(bytes)
            } else {
                bytes.to_vec()
            };
            let bytes = sealed.as_slice();
            let all: Vec<(&str, &[u8])> = parts
                .iter()
                .map(|(part, good)| (*part, if *part == name { bytes } else { good }))
                .collect();
            open(&archive(&all))
        })
    };
    vec![
        Target {
            name: "axml",
            corpus: members(MANIFEST),
            words: &[
                "\u{3}\0\u{8}\0",
                "\u{1}\0\u{1c}\0",
                "\u{2}\u{1}\u{10}\0",
                "\u{3}\u{1}\u{10}\0",
            ],
            run: within(MANIFEST),
        },
        Target {
            name: "resources",
            corpus: members(TABLE),
            words: &[
                "\u{2}\0\u{c}\0",
                "\0\u{2}\u{20}\u{1}",
                "\u{1}\u{2}T\0",
                "\u{2}\u{2}\u{10}\0",
            ],
            run: within(TABLE),
        },
        Target {
            name: "dex",
            corpus: [members(DEX), files(&sources.root, &DEX_FILES)].concat(),
            words: &["dex\n035\0", "dex\n039\0", "xV4\u{12}"],
            run: within(DEX),
        },
        Target {
            name: "apk",
            corpus: apps.clone(),
            words: &[
                "PK\u{3}\u{4}",
                "PK\u{1}\u{2}",
                "PK\u{5}\u{6}",
                "PK\u{6}\u{6}",
                "../",
                MANIFEST,
                DEX,
            ],
            run: opener(),
        },
    ]
}

/// Opens a file with these bytes as `inspect` does.
fn opener() -> Run {
    let folder = tempfile::tempdir().expect("a folder");
    Box::new(move |bytes| {
        let file = folder.path().join("app.apk");
        fs::write(&file, bytes).expect("a file");
        let whole = apk_check::check(&file).is_ok();
        let Ok(apk) = Apk::open(&file) else {
            return false;
        };
        let _ = reachable_activities(&apk);
        let _ = needs(&apk).map(|needs| needs.on_jvm());
        let _ = system_events(&apk.manifest);
        let _ = CodeMap::new(&file).classes(CLASSES);
        whole
    })
}
