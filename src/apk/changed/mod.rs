//! Which methods of an app differ from those of an earlier build, by their code.
//!
//! Methods are the same if class, name and signature are the same in the source; compilers' numbers (`Main$1`,
//! `access$000`, `lambda$save$0`) do not count, and methods that differ in these only are paired by their code. Two
//! codes are equal if their normal forms are ([`digest`]).

mod digest;
mod earlier;
mod mark;
mod near;
mod spelling;

use self::digest::Reader;
use self::earlier::Earlier;
pub use self::mark::{MappingMark, mapping_mark};
use self::near::References;
pub use self::spelling::Names;
use self::spelling::{Spelling, Supertypes, numberless};
use super::archive::{Archive, TABLE_LIMIT};
use super::dex::{Budget, Dex};
use super::dex_sites::{self, dotted};
use super::error::{ApkError, Problem};
use super::resources::Resources;
use super::{Apk, Counted, code};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// A method whose code differs, or that the earlier build does not have.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct ChangedMethod {
    /// Its class as the APK has it, `a/b/C$D`.
    pub class: String,
    /// Its name as the APK has it.
    pub name: String,
    /// Its descriptor as the APK has it, `(I)V`.
    pub descriptor: String,
    /// Its name in the source: `a.b.C$D.save(int)`.
    pub title: String,
    /// Whether the earlier build lacks it.
    pub added: bool,
    /// Source file and first line, where the APK or the mapping knows them: `Main.java:12`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// The activity from whose code the fewest steps lead to its class, by the classes that code names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub activity: Option<String>,
}

/// How an app differs from an earlier build.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Changed {
    /// Methods of the app that are changed or added, by title.
    pub methods: Vec<ChangedMethod>,
    /// Titles of the earlier build's methods that the app lacks.
    pub removed: Vec<String>,
    /// Methods of the app in all.
    pub total: u64,
    /// By activity: those that the code near it names.
    #[serde(default)]
    pub starts: BTreeMap<String, BTreeSet<String>>,
}

impl Changed {
    /// Did most of the app change? Then there is nothing to prefer.
    pub fn is_most(&self) -> bool {
        2 * self.methods.len() as u64 > self.total
    }
}

/// One of the two builds to compare.
#[derive(Clone, Copy)]
pub struct Build<'b> {
    /// The APK.
    pub apk: &'b Apk,
    /// The original names, if it is obfuscated.
    pub names: Option<&'b dyn Names>,
}

/// One method with code.
struct Method {
    shown: ChangedMethod,
    identity: String,
    digest: u64,
}

/// Compares a build of an app with an earlier one. Methods of classes that do not count, and those without code, are left
/// out.
///
/// # Errors
/// One of the APKs cannot be read.
pub fn compare(base: Build<'_>, head: Build<'_>, counted: &Counted) -> Result<Changed, ApkError> {
    let mut earlier = Earlier::default();
    read(base, counted, &mut |method| earlier.add(method))?;
    let references = read(head, counted, &mut |method| earlier.compare(method))?;
    let nearest = references.nearest(&head.apk.manifest);
    let mut methods = std::mem::take(&mut earlier.changed);
    for method in &mut methods {
        method.activity = nearest.get(&method.class.replace('/', ".")).cloned();
    }
    methods.sort_by(|a, b| {
        let key = |m: &ChangedMethod| (m.title.clone(), m.class.clone(), m.descriptor.clone());
        key(a).cmp(&key(b))
    });
    Ok(Changed {
        methods,
        total: earlier.total,
        starts: references.starts(&head.apk.manifest, &nearest),
        removed: earlier.removed(),
    })
}

/// Hands over each method with code.
fn read(
    build: Build<'_>,
    counted: &Counted,
    each: &mut dyn FnMut(Method),
) -> Result<References, ApkError> {
    read_all(build, counted, each).map_err(|problem| ApkError::new(&build.apk.file, problem))
}

fn read_all(
    build: Build<'_>,
    counted: &Counted,
    each: &mut dyn FnMut(Method),
) -> Result<References, Problem> {
    let mut archive = Archive::open(&build.apk.file)?;
    let table = archive.read("resources.arsc", TABLE_LIMIT)?;
    let table = table.unwrap_or_default();
    let resources = Resources::read(&table);
    let files = code::read(build.apk, &mut archive).collect::<Result<Vec<_>, _>>()?;
    let mut opened = Vec::with_capacity(files.len());
    for file in &files {
        let bad = |why| Problem::BadDex {
            entry: file.name.to_owned(),
            why,
        };
        opened.push((Dex::open(&file.bytes).map_err(bad)?, bad));
    }
    let mut supertypes = Supertypes::default();
    // Of two definitions, Android loads the first.
    let mut defined = Vec::new();
    for (file, (dex, bad)) in opened.iter().enumerate() {
        let mut budget = Budget::for_bytes(files[file].bytes.len() as u64);
        for (definition, ix) in dex.definitions() {
            let Some(class) = dex.type_name(ix).map(dotted) else {
                continue;
            };
            if supertypes.contains_key(&class) {
                continue;
            }
            let above = dex.supertypes(definition, &mut budget).map_err(bad)?;
            supertypes.insert(class.clone(), above.into_iter().map(dotted).collect());
            defined.push((file, definition, class));
        }
    }
    let spellings: Vec<_> = opened
        .iter()
        .map(|(dex, _)| Spelling::new(dex, build.names, &supertypes))
        .collect();
    let mut references = References::default();
    let size = files.iter().map(|file| file.bytes.len() as u64).sum();
    let (mut own, mut others) = (Budget::for_bytes(size), Budget::for_bytes(size));
    for (file, definition, class) in defined {
        let (dex, bad) = &opened[file];
        let reader = Reader {
            dex,
            spelling: &spellings[file],
            resources: &resources,
        };
        if counted.class(&class) && counted.class(&reader.spelling.original(&class)) {
            let added = of_class(&reader, definition, build.names, &mut own, each);
            added.map_err(bad)?;
            let added = references.add(dex, definition, &class, &mut others);
            added.map_err(bad)?;
        }
    }
    Ok(references)
}

/// Hands over the methods with code of the class of this definition.
fn of_class(
    reader: &Reader<'_, '_>,
    definition: usize,
    names: Option<&dyn Names>,
    budget: &mut Budget,
    each: &mut dyn FnMut(Method),
) -> Result<(), &'static str> {
    let dex = reader.dex;
    let source = dex.source_file(definition).map(String::from_utf8_lossy);
    for (method, item) in dex.methods_of(definition, budget)? {
        if item == 0 {
            continue;
        }
        let name = dex.member(dex.methods, method).unwrap_or_default();
        let class = dex
            .owner(dex.methods, method)
            .and_then(|ix| dex.type_name(ix));
        let spelled = reader.spelling.method(method);
        let dotted_class = dotted(class.unwrap_or_default());
        let lines = dex_sites::lines_of(dex, item, budget)?;
        let line = lines.iter().map(|(_, line)| *line).min();
        // Without lines R8's mapping has those of program counters, of which the first is 0.
        let original = names.and_then(|names| {
            let name = String::from_utf8_lossy(name);
            names.line(&dotted_class, &name, line.unwrap_or(0))
        });
        let file = names.and_then(|names| names.file(&dotted_class));
        let file = file.or(source.as_deref());
        let place = file.map(|file| match original.or(line).filter(|line| *line > 0) {
            Some(line) => format!("{file}:{line}"),
            None => file.to_owned(),
        });
        let arguments = spelled
            .signature
            .rsplit_once(')')
            .map_or("", |(before, _)| before);
        each(Method {
            identity: numberless(&format!(
                "{}.{}{}",
                spelled.class, spelled.name, spelled.signature
            )),
            digest: reader.digest(item, budget)?,
            shown: ChangedMethod {
                class: dotted_class.replace('.', "/"),
                name: String::from_utf8_lossy(name).into_owned(),
                descriptor: dex.descriptor(method).unwrap_or_default(),
                title: format!("{}.{}{arguments})", spelled.class, spelled.name),
                added: false,
                place,
                activity: None,
            },
        });
    }
    Ok(())
}

#[cfg(test)]
mod tests;
