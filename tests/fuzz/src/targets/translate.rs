//! Dex files that become class files, and class files that are read and written.

use crate::corpus::{files, folder, member};
use crate::{Sources, Target};
use dex2class::bridges::Bridges;
use dex2class::class::{access, read, write};
use dex2class::dex::{Dex, internal_name};
use dex2class::hierarchy::{ClassInfo, DexHierarchy, Hierarchy, Layered, ParentFirst};
use dex2class::method::{Options, Parts};
use dex2class::pass::probes::{Accessor, write_probed};
use dex2class::{Translated, Translator};
use std::collections::BTreeMap;

const ACCESSOR: Accessor<'static> = Accessor {
    owner: b"droidtest/Probes",
    name: b"of",
};
/// Dex files in the repository, alone and in APKs: small ones.
const DEX: [&str; 9] = [
    "tests/apps/compared/classes.dex",
    "tests/apps/shrunk/classes.dex",
    "tests/apps/twice/classes.dex",
    "tests/apps/twice/classes2.dex",
    "tests/apps/handlers/debug.dex",
    "tests/apps/handlers/release.dex",
    "tests/apps/arrays/debug.dex",
    "tests/apps/arrays/release.dex",
    "tests/apps/toolbox/classes.dex",
];
const APPS: [&str; 6] = [
    "tests/apps/splits/base.apk",
    "tests/apps/splits/feature.apk",
    "tests/apps/nodes/nodes.apk",
    "tests/apps/service/service.apk",
    "tests/apps/notes/notes.apk",
    "tests/apps/web/web.apk",
];
/// Longer dex files and class files are left to other tests.
const LONGEST: usize = 64 << 10;

pub fn targets(sources: &Sources) -> Vec<Target> {
    let mut corpus = files(&sources.root, &DEX);
    corpus.extend(folder(
        &sources.root.join("crates/dex2class/tests/fixtures/convert"),
        "dex",
    ));
    let apps = files(&sources.root, &APPS);
    corpus.extend(apps.iter().filter_map(|app| member(app, "classes.dex")));
    corpus.retain(|file| file.len() < LONGEST);
    let platform = Platform::of(&corpus);
    let mut classes: Vec<Vec<u8>> = Vec::new();
    for file in &corpus {
        each_class(
            &platform,
            file,
            Parts::default(),
            |mut translated, translator| {
                classes.extend(
                    translator
                        .write(&mut translated)
                        .ok()
                        .filter(|file| file.len() < LONGEST),
                );
            },
        );
    }
    vec![
        Target {
            name: "translate",
            corpus,
            words: &["dex\n035\0", "dex\n041\0", "xV4\u{12}"],
            run: Box::new(move |bytes| {
                // Half of them with all but the smallest methods cut into parts.
                let whole = bytes.iter().fold(0_u8, |sum, byte| sum ^ byte) % 2 == 0;
                let parts = match whole {
                    true => Parts::default(),
                    false => Parts { from: 60, size: 60 },
                };
                each_class(&platform, bytes, parts, |mut translated, translator| {
                    let _ = translator.write(&mut translated);
                    let _ = write_probed(translated.class, &ACCESSOR);
                })
            }),
        },
        Target {
            name: "class",
            corpus: classes,
            words: &[
                "Code",
                "StackMapTable",
                "BootstrapMethods",
                "LocalVariableTable",
            ],
            run: Box::new(|bytes| match read(bytes) {
                Ok(mut class) => {
                    let _ = write(&mut class);
                    let _ = write_probed(class, &ACCESSOR);
                    true
                }
                Err(_) => false,
            }),
        },
    ]
}

/// Translates all classes of a dex file. False if it is none, or none of its classes can be translated.
fn each_class(
    platform: &Platform,
    bytes: &[u8],
    parts: Parts,
    mut visit: impl FnMut(Translated, &Translator<'_, '_>),
) -> bool {
    let Ok(files) = Dex::open_all(bytes) else {
        return false;
    };
    let app = DexHierarchy::new(files);
    let hierarchy = Layered::new(platform, &app, ParentFirst);
    let bridges = Bridges::find(&app, &hierarchy, 1);
    let options = Options {
        parts,
        ..Options::default()
    };
    let translator = Translator::new(&app, &hierarchy, options, bridges);
    let mut any = false;
    for (_, def) in app.definitions() {
        let name = internal_name(def.kind);
        match translator.class(name) {
            None => {}
            Some(Ok(translated)) => {
                visit(translated, &translator);
                any = true;
            }
            Some(Err(why)) => {
                if let Some(translated) = translator.stand_in(name, &why.to_string()) {
                    visit(translated, &translator);
                }
            }
        }
    }
    any
}

/// Stands in for the platform: the classes that good inputs name and do not define. Without it the code around each use
/// of them would be left out.
struct Platform {
    classes: BTreeMap<Vec<u8>, Vec<u8>>,
}

impl Platform {
    fn of(corpus: &[Vec<u8>]) -> Self {
        let mut classes = BTreeMap::new();
        for dex in corpus
            .iter()
            .filter_map(|file| Dex::open_all(file).ok())
            .flatten()
        {
            for name in (0..dex.type_count()).filter_map(|ix| dex.type_name(ix).ok()) {
                let name = internal_name(name);
                let parent: &[u8] = match name {
                    b"java/lang/Object" => b"",
                    b"java/lang/Throwable" => b"java/lang/Object",
                    _ if name.ends_with(b"Exception") || name.ends_with(b"Error") => {
                        b"java/lang/Throwable"
                    }
                    _ => b"java/lang/Object",
                };
                if name.starts_with(b"java") || name.starts_with(b"android") {
                    classes.insert(name.to_vec(), parent.to_vec());
                }
            }
        }
        for always in [&b"java/lang/Object"[..], b"java/lang/Throwable"] {
            classes
                .entry(always.to_vec())
                .or_insert_with(|| b"java/lang/Object".to_vec());
        }
        classes.insert(b"java/lang/Object".to_vec(), Vec::new());
        Self { classes }
    }
}

impl Hierarchy for Platform {
    fn class(&self, name: &[u8]) -> Option<ClassInfo<'_>> {
        let (name, parent) = self.classes.get_key_value(name)?;
        let interface = name.ends_with(b"able") || name.ends_with(b"Listener");
        Some(ClassInfo {
            name,
            access: access::PUBLIC | if interface { access::INTERFACE } else { 0 },
            parent: Some(&parent[..]).filter(|name| !name.is_empty()),
            interfaces: Vec::new(),
            own: false,
        })
    }

    fn method(&self, class: &[u8], name: &[u8], _: &[u8]) -> Option<u16> {
        let has = name == b"<init>" && self.classes.contains_key(class);
        has.then_some(access::PUBLIC)
    }
}
