//! A small writer of dex files, and tests of `dex.rs` with it.

use super::super::tests::{archive, open as open_apk};
use super::super::{CodeMap, axml, mapping_mark, needs, reachable_activities};
use super::*;
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::path::Path;

/// Size of a class definition in the file.
const CLASS_DEF: usize = 32;

/// A class to write: its name, and the code of its one method, which names classes and texts.
pub struct Source<'a> {
    /// Dotted name.
    pub name: &'a str,
    /// `X.class` of these.
    pub constants: &'a [&'a str],
    /// Calls to a method of these.
    pub calls: &'a [&'a str],
    /// These strings.
    pub strings: &'a [&'a str],
}

fn index<T: PartialEq>(list: &mut Vec<T>, item: T) -> usize {
    list.iter()
        .position(|known| *known == item)
        .unwrap_or_else(|| {
            list.push(item);
            list.len() - 1
        })
}

fn u16_of(n: usize) -> [u8; 2] {
    u16::try_from(n).unwrap().to_le_bytes()
}

fn u32_of(n: usize) -> [u8; 4] {
    u32::try_from(n).unwrap().to_le_bytes()
}

fn push_uleb(out: &mut Vec<u8>, mut n: usize) {
    while n > 0x7f {
        out.push(0x80 | (n & 0x7f) as u8);
        n >>= 7;
    }
    out.push(n as u8);
}

/// A dex file of these classes; not one that Android would load, but one to read.
pub fn write(classes: &[Source<'_>]) -> Vec<u8> {
    let (mut strings, mut types, mut methods) = (Vec::new(), Vec::new(), Vec::new());
    let descriptor = |name: &str| format!("L{};", name.replace('.', "/"));
    let mut codes = Vec::new();
    let mut defined = Vec::new();
    for class in classes {
        defined.push(index(&mut types, descriptor(class.name)));
        let mut code = Vec::new();
        for name in class.constants {
            code.extend([0x1c, 0]);
            code.extend(u16_of(index(&mut types, descriptor(name))));
        }
        for name in class.calls {
            let owner = index(&mut types, descriptor(name));
            code.extend([0x71, 0]);
            code.extend(u16_of(index(&mut methods, owner)));
            code.extend([0, 0]);
        }
        for text in class.strings {
            code.extend([0x1a, 0]);
            code.extend(u16_of(index(&mut strings, (*text).to_owned())));
        }
        code.extend([0x0e, 0]);
        codes.push(code);
    }
    let own: Vec<_> = defined.iter().map(|&d| index(&mut methods, d)).collect();
    // All methods are `void run()`.
    let void = index(&mut types, "V".to_owned());
    let run = index(&mut strings, "run".to_owned());
    let names: Vec<_> = types.into_iter().map(|t| index(&mut strings, t)).collect();
    // Header, tables, then data.
    let string_table = 112;
    let type_table = string_table + 4 * strings.len();
    let prototype_table = type_table + 4 * names.len();
    let method_table = prototype_table + 12;
    let class_table = method_table + 8 * methods.len();
    let mut data = class_table + CLASS_DEF * classes.len();
    let mut tail = Vec::new();
    let mut string_offsets = Vec::new();
    for text in &strings {
        string_offsets.push(data + tail.len());
        push_uleb(&mut tail, text.len());
        tail.extend(text.as_bytes());
        tail.push(0);
    }
    let mut class_offsets = Vec::new();
    for (code, method) in codes.iter().zip(own) {
        let at = data + tail.len();
        tail.extend([0; 12]);
        tail.extend(u32_of(code.len() / 2));
        tail.extend(code);
        class_offsets.push(data + tail.len());
        tail.extend([0, 0, 1, 0]);
        push_uleb(&mut tail, method);
        tail.push(0);
        push_uleb(&mut tail, at);
    }
    let mut out = b"dex\n035\0".to_vec();
    out.resize(112, 0);
    for (at, size, table) in [
        (56, strings.len(), string_table),
        (64, names.len(), type_table),
        (72, 1, prototype_table),
        (80, 0, 0),
        (88, methods.len(), method_table),
        (96, classes.len(), class_table),
    ] {
        out[at..at + 4].copy_from_slice(&u32_of(size));
        out[at + 4..at + 8].copy_from_slice(&u32_of(table));
    }
    string_offsets.iter().for_each(|&at| out.extend(u32_of(at)));
    names.iter().for_each(|&name| out.extend(u32_of(name)));
    for part in [names[void], void, 0] {
        out.extend(u32_of(part));
    }
    for owner in methods {
        out.extend(u16_of(owner));
        out.extend([0; 2]);
        out.extend(u32_of(run));
    }
    for (defined, at) in defined.iter().zip(class_offsets) {
        let mut definition = [0; CLASS_DEF];
        definition[..4].copy_from_slice(&u32_of(*defined));
        definition[8..12].copy_from_slice(&u32::MAX.to_le_bytes());
        definition[24..28].copy_from_slice(&u32_of(at));
        out.extend(definition);
    }
    data = out.len();
    debug_assert_eq!(data, class_table + CLASS_DEF * classes.len());
    out.extend(tail);
    let length = out.len();
    out[32..36].copy_from_slice(&u32_of(length));
    out[36..40].copy_from_slice(&112_u32.to_le_bytes());
    out[40..44].copy_from_slice(&0x1234_5678_u32.to_le_bytes());
    let sum = adler32(&out[12..]);
    out[8..12].copy_from_slice(&sum.to_le_bytes());
    out
}

fn sample() -> Vec<u8> {
    write(&[
        Source {
            name: "a.Main",
            constants: &["a.Second"],
            calls: &["a.Helper"],
            strings: &["a text"],
        },
        Source {
            name: "a.Helper",
            constants: &[],
            calls: &[],
            strings: &[],
        },
    ])
}

fn opened(bytes: &[u8]) -> Vec<Dex<'_>> {
    open("classes.dex", bytes).unwrap()
}

fn names<'a>(dex: &Dex<'a>) -> Vec<&'a [u8]> {
    let all = classes(dex, &mut Budget::for_bytes(dex.size() as u64)).collect::<Result<Vec<_>>>();
    all.unwrap().into_iter().map(|(_, name)| name).collect()
}

#[test]
fn a_class_refers_to_what_its_code_names() {
    let bytes = sample();
    let dex = &opened(&bytes)[0];
    assert_eq!(names(dex), [b"La/Main;".as_slice(), b"La/Helper;"]);
    let found = references(dex, 0, &mut Budget::for_bytes(bytes.len() as u64)).unwrap();
    let types =
        |list: &[u32]| -> Vec<_> { list.iter().map(|&ix| dex.type_name(ix).unwrap()).collect() };
    assert_eq!(types(&found.constants), [b"La/Second;"]);
    assert_eq!(types(&found.types), [b"La/Helper;"]);
    assert_eq!(dex.string(found.strings[0]), Ok(b"a text".as_slice()));
}

fn fixture(name: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = folder.join("crates/dex2class/tests/fixtures/convert");
    std::fs::read(folder.join(name)).unwrap()
}

/// The types that a class refers to, by name: each part has indices of its own.
fn refers<'a>(dex: &Dex<'a>, class: &[u8]) -> Option<Vec<&'a [u8]>> {
    let number = (0..dex.class_count()).find(|&n| dex.class_name(n) == Ok(class))?;
    let mut budget = Budget::for_bytes(dex.size() as u64);
    let found = references(dex, number, &mut budget).unwrap();
    let all = found.types.iter().chain(&found.constants);
    let mut all: Vec<_> = all.map(|&ix| dex.type_name(ix).unwrap()).collect();
    all.sort_unstable();
    Some(all)
}

/// The container has the same classes, in two parts that share their strings.
#[test]
fn all_parts_of_a_container_are_read_and_their_strings_once() {
    let (one, container) = (fixture("attributes.dex"), fixture("container.dex"));
    let (one, parts) = (opened(&one), opened(&container));
    assert_eq!((one.len(), parts.len()), (1, 2));
    let of_parts: BTreeSet<_> = parts.iter().flat_map(names).collect();
    assert_eq!(of_parts, names(&one[0]).into_iter().collect());
    let texts: Vec<_> = strings(&parts).collect::<Result<_>>().unwrap();
    assert_eq!(texts.len(), parts[0].string_count() as usize);
    for class in names(&one[0]) {
        let in_parts = parts.iter().find_map(|dex| refers(dex, class));
        assert_eq!(in_parts, refers(&one[0], class), "{}", dotted(class));
    }
}

#[test]
fn an_app_in_a_container_has_the_classes_of_all_parts() {
    let manifest = axml::tests::compile(
        r#"<manifest package="a"><uses-sdk minSdkVersion="36" targetSdkVersion="36"/><application>
           <activity name="fixture.Attributes" exported="true"/></application></manifest>"#,
    );
    let container = fixture("container.dex");
    let entries = [
        ("AndroidManifest.xml", manifest.as_slice()),
        ("classes.dex", &container),
    ];
    let (file, apk) = open_apk(&archive(&entries));
    let apk = apk.unwrap();
    assert_eq!(mapping_mark(&apk).unwrap().classes.len(), 13);
    assert_eq!(needs(&apk).unwrap().dex_versions, [41]);
    // One class of each part.
    let names = ["fixture.Kind", "fixture.Attributes"];
    let classes = CodeMap::new(file.path()).classes(names).unwrap();
    assert!(names.iter().all(|name| classes.contains_key(*name)));
    assert_eq!(reachable_activities(&apk).unwrap(), ["fixture.Attributes"]);
}

#[test]
fn annotations_and_first_values_refer_to_texts_and_classes() {
    let bytes = fixture("attributes.dex");
    let dex = &opened(&bytes)[0];
    let mut budget = Budget::for_bytes(bytes.len() as u64);
    let (mut texts, mut types) = (Vec::new(), Vec::new());
    for number in 0..dex.class_count() {
        let found = references(dex, number, &mut budget).unwrap();
        texts.extend(found.strings.iter().map(|&ix| dex.string(ix).unwrap()));
        types.extend(found.constants.iter().map(|&ix| dex.type_name(ix).unwrap()));
    }
    // A default within a default, and the first value of a field, in modified UTF-8.
    for text in [b"default".as_slice(), b"\xc3\xa4\xe2\x82\xac\xc0\x80"] {
        assert!(texts.contains(&text), "{}", String::from_utf8_lossy(text));
    }
    assert!(types.contains(&b"Ljava/lang/String;".as_slice()));
    // Which class is declared in which starts nothing.
    assert!(!texts.contains(&b"Inner".as_slice()));
}

#[test]
fn each_damage_is_named() {
    let whole = sample();
    let complaint =
        |bytes: &[u8]| open("classes.dex", bytes).map_or_else(|p| p.to_string(), |_| String::new());
    let changed = |at: usize, to: u8| {
        let mut bytes = whole.clone();
        bytes[at] = to;
        complaint(&bytes)
    };
    let mut longer = whole.clone();
    longer.push(0);
    assert_eq!(complaint(&longer), "");
    let cut = "its classes.dex cannot be understood: it is cut off";
    assert_eq!(complaint(&whole[..whole.len() - 1]), cut);
    assert_eq!(complaint(&whole[..50]), cut);
    assert!(complaint(b"PK").contains("it is not a dex file"));
    assert!(changed(whole.len() - 2, b'!').contains("checksum is wrong"));
    assert!(changed(40, 0).contains("not little-endian"));
    assert!(changed(0, b'P').contains("not a dex file"));
    assert!(changed(6, b'x').contains("not a dex file"));
    let future = changed(5, b'4');
    assert!(
        future.contains("version 45, but the newest supported version is 41"),
        "{future}"
    );
}

#[test]
fn adler_is_that_of_zlib() {
    assert_eq!(adler32(b"Wikipedia"), 0x11e6_0398);
    assert_eq!(adler32(&[0xff; 6000]), {
        let (mut a, mut b) = (1_u64, 0_u64);
        for _ in 0..6000 {
            a += 255;
            b += a;
        }
        u32::try_from(((b % 65_521) << 16) | (a % 65_521)).unwrap()
    });
}

#[test]
fn parts_that_overlap_run_the_budget_dry() {
    let bytes = sample();
    let dex = &opened(&bytes)[0];
    let mut budget = Budget(20);
    let mut last = Ok(References::default());
    for _ in 0..20 {
        last = references(dex, 0, &mut budget);
    }
    assert_eq!(last.err(), Some(DexError("its parts overlap")));
    let overlapping = classes(dex, &mut Budget(10)).collect::<Result<Vec<_>>>();
    assert_eq!(overlapping.err(), Some(DexError("its parts overlap")));
}

proptest! {
    #[test]
    fn damaged_files_never_panic(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..6),
        keep in any::<prop::sample::Index>(),
    ) {
        let mut bytes = sample();
        for (at, to) in changes {
            let at = at.index(bytes.len());
            bytes[at] = to;
        }
        bytes.truncate(bytes.len() - keep.index(bytes.len()) / 4);
        // Without the checksum.
        for dex in Dex::open_all(&bytes).unwrap_or_default() {
            let mut budget = Budget::for_bytes(bytes.len() as u64);
            for number in 0..dex.class_count() {
                let _ = references(&dex, number, &mut budget);
                let _ = super::super::sites::of_class(&dex, number, &mut budget);
            }
        }
    }
}
