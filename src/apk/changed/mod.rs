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
use super::dex::{self, Budget, dotted};
use super::error::{ApkError, Problem};
use super::resources::Resources;
use super::{Apk, Counted, code, sites};
use dex2class::dex::{ClassDef, CodeItem, DexError, EncodedMethod};
use serde::{Deserialize, Serialize};
use std::collections::hash_map::Entry;
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
        opened.extend(file.parts()?.into_iter().map(|dex| (file, dex)));
    }
    let size = files.iter().map(|file| file.bytes.len() as u64).sum();
    let budget = || Budget::for_bytes(size);
    let (mut read, mut own, mut others) = (budget(), budget(), budget());
    let mut supertypes = Supertypes::default();
    // Of two definitions, Android loads the first.
    let mut defined = Vec::new();
    for (part, (file, dex)) in opened.iter().enumerate() {
        for class in dex::classes(dex, &mut read) {
            let (number, class) = class.map_err(|why| file.bad(why))?;
            if let Entry::Vacant(place) = supertypes.entry(dotted(class)) {
                let class = place.key().clone();
                // One that cannot be read has no methods.
                let Ok(def) = dex.class_def(number) else {
                    place.insert(Vec::new());
                    continue;
                };
                own.spend(def.interfaces.len())
                    .map_err(|why| file.bad(why))?;
                place.insert(sites::supertypes(&def));
                defined.push((part, number, def, class));
            }
        }
    }
    let spellings: Vec<_> = opened
        .iter()
        .map(|(_, dex)| Spelling::new(dex, build.names, &supertypes))
        .collect();
    let mut references = References::default();
    for (part, number, def, class) in defined {
        let (file, dex) = &opened[part];
        let reader = Reader {
            dex,
            spelling: &spellings[part],
            resources: &resources,
        };
        if counted.class(&class) && counted.class(&reader.spelling.original(&class)) {
            let source = Source {
                def,
                class: &class,
                names: build.names,
            };
            let added = of_class(&reader, &source, &mut own, each);
            added.map_err(|why| file.bad(why))?;
            let added = references.add(dex, number, &class, &mut others);
            added.map_err(|why| file.bad(why))?;
        }
    }
    Ok(references)
}

/// A class whose methods are compared.
struct Source<'a, 'b> {
    def: ClassDef<'a>,
    /// Its dotted name.
    class: &'b str,
    names: Option<&'b dyn Names>,
}

/// Hands over the methods with code of a class. One whose code cannot be read is left out.
fn of_class(
    reader: &Reader<'_, '_>,
    source: &Source<'_, '_>,
    budget: &mut Budget,
    each: &mut dyn FnMut(Method),
) -> Result<(), DexError> {
    let data = reader.dex.class_data(&source.def)?;
    budget.spend(data.member_count() as usize)?;
    for method in data.methods().filter(|method| method.code_off != 0) {
        if let Ok(code) = reader.dex.code(method.code_off) {
            each(of_method(reader, source, method, &code, budget)?);
        }
    }
    Ok(())
}

fn of_method(
    reader: &Reader<'_, '_>,
    source: &Source<'_, '_>,
    method: EncodedMethod,
    code: &CodeItem<'_>,
    budget: &mut Budget,
) -> Result<Method, DexError> {
    let (dex, names) = (reader.dex, source.names);
    let id = dex.method(method.ix).ok();
    let name = String::from_utf8_lossy(id.map_or(b"", |id| id.name));
    let mut descriptor = Vec::new();
    if let Some(Ok(proto)) = id.map(|id| dex.proto(id.proto))
        && proto.descriptor(&mut descriptor).is_err()
    {
        descriptor.clear();
    }
    let spelled = reader.spelling.method(method.ix);
    let lines = sites::lines_of(dex, code, budget)?;
    let line = lines.iter().map(|(_, line)| *line).min();
    // Without lines R8's mapping has those of program counters, of which the first is 0.
    let original = names.and_then(|names| names.line(source.class, &name, line.unwrap_or(0)));
    let written = source.def.source.map(String::from_utf8_lossy);
    let file = names.and_then(|names| names.file(source.class));
    let file = file.or(written.as_deref());
    let place = file.map(|file| match original.or(line).filter(|line| *line > 0) {
        Some(line) => format!("{file}:{line}"),
        None => file.to_owned(),
    });
    let arguments = spelled
        .signature
        .rsplit_once(')')
        .map_or("", |(before, _)| before);
    Ok(Method {
        identity: numberless(&format!(
            "{}.{}{}",
            spelled.class, spelled.name, spelled.signature
        )),
        digest: reader.digest(code, budget)?,
        shown: ChangedMethod {
            class: source.class.replace('.', "/"),
            name: name.into_owned(),
            descriptor: String::from_utf8_lossy(&descriptor).into_owned(),
            title: format!("{}.{}{arguments})", spelled.class, spelled.name),
            added: false,
            place,
            activity: None,
        },
    })
}

#[cfg(test)]
mod tests;
