//! A small writer of dex files, and tests of `dex.rs` with it.

use super::*;
use proptest::prelude::*;

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
    out[40..44].copy_from_slice(&0x1234_5678_u32.to_le_bytes());
    let sum = super::super::dex_check::adler32(&out[12..]);
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

#[test]
fn a_class_refers_to_what_its_code_names() {
    let bytes = sample();
    let dex = Dex::open(&bytes).unwrap();
    let names: Vec<_> = dex
        .definitions()
        .map(|(_, ix)| dex.type_name(ix).unwrap())
        .collect();
    assert_eq!(names, [b"La/Main;".as_slice(), b"La/Helper;"]);
    let found = dex
        .references(0, &mut Budget::for_bytes(bytes.len() as u64))
        .unwrap();
    let types =
        |list: &[u32]| -> Vec<_> { list.iter().map(|&ix| dex.type_name(ix).unwrap()).collect() };
    assert_eq!(types(&found.constants), [b"La/Second;"]);
    assert_eq!(types(&found.types), [b"La/Helper;"]);
    assert_eq!(dex.string(found.strings[0]), Some(b"a text".as_slice()));
}

#[test]
fn other_files_are_told_apart() {
    assert_eq!(Dex::open(b"PK").err(), Some("it is not a dex file"));
    let mut bytes = sample();
    bytes[56..60].copy_from_slice(&u32::MAX.to_le_bytes());
    assert_eq!(
        Dex::open(&bytes).err(),
        Some("its header points outside the file")
    );
}

#[test]
fn parts_that_overlap_run_the_budget_dry() {
    let bytes = sample();
    let dex = Dex::open(&bytes).unwrap();
    let mut budget = Budget(20);
    let mut last = Ok(References::default());
    for _ in 0..20 {
        last = dex.references(0, &mut budget);
    }
    assert_eq!(last.err(), Some("its parts overlap"));
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
        if let Ok(dex) = Dex::open(&bytes) {
            let mut budget = Budget::for_bytes(bytes.len() as u64);
            for (definition, ix) in dex.definitions() {
                let _ = (dex.type_name(ix), dex.references(definition, &mut budget));
            }
        }
    }
}
