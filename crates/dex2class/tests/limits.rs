//! Methods whose translation would take far more time or memory than the dex file has bytes: each fails alone.

use dex2class::bridges::Bridges;
use dex2class::dex::Dex;
use dex2class::hierarchy::DexHierarchy;
use dex2class::method::Options;
use dex2class::{Failure, Translator};

const TOO_LARGE: &str = "it exceeds what a class file can hold";

/// A good dex file in which the first method that has room has other code: registers, instructions, and ranges with
/// their handlers.
fn with_code(registers: u16, insns: &[u16], ranges: &[[u16; 4]], handlers: &[u8]) -> Vec<u8> {
    let file = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../tests/apps/shrunk/classes.dex"
    );
    let mut file = std::fs::read(file).expect("a sample");
    let (old, arguments) = {
        let dex = Dex::open_all(&file).expect("a dex file")[0];
        let mut defs = (0..dex.class_count()).map(|n| dex.class_def(n).expect("a class"));
        let method = defs.find_map(|def| {
            let data = dex.class_data(&def).expect("members");
            let mut all = data.direct_methods().chain(data.virtual_methods());
            all.find(|method| {
                method.code_off != 0
                    && dex.code(method.code_off).is_ok()
                    && dex.method(method.ix).is_ok_and(|id| id.name != b"<init>")
            })
        });
        let old = method.expect("a method").code_off;
        (old, dex.code(old).expect("code").ins)
    };
    file.resize(file.len().next_multiple_of(4), 0);
    let new = u32::try_from(file.len()).expect("small");
    let (from, to) = (uleb(old), uleb(new));
    let places: Vec<usize> = (0..file.len())
        .filter(|&at| file[at..].starts_with(&from))
        .collect();
    assert_eq!(
        from.len(),
        to.len(),
        "the offset has as much room as it needs"
    );
    for at in places {
        file[at..at + to.len()].copy_from_slice(&to);
    }
    let count = u16::try_from(ranges.len()).expect("few");
    for number in [registers, arguments, 0, count, 0, 0] {
        file.extend(number.to_le_bytes());
    }
    file.extend(u32::try_from(insns.len()).expect("few").to_le_bytes());
    file.extend(insns.iter().flat_map(|unit| unit.to_le_bytes()));
    if count > 0 && insns.len() % 2 == 1 {
        file.extend([0, 0]);
    }
    file.extend(ranges.iter().flatten().flat_map(|unit| unit.to_le_bytes()));
    file.extend_from_slice(handlers);
    let size = u32::try_from(file.len()).expect("small").to_le_bytes();
    file[32..36].copy_from_slice(&size);
    file
}

fn uleb(mut value: u32) -> Vec<u8> {
    let mut bytes = Vec::new();
    while value >= 0x80 {
        bytes.push(value.to_le_bytes()[0] | 0x80);
        value >>= 7;
    }
    bytes.push(value.to_le_bytes()[0]);
    bytes
}

/// What fails when all classes are translated and written.
fn failures(file: &[u8]) -> Vec<Failure> {
    let app = DexHierarchy::new(Dex::open_all(file).expect("a dex file"));
    let bridges = Bridges::find(&app, &app, 1);
    let translator = Translator::new(&app, &app, Options::default(), bridges);
    let mut all = Vec::new();
    for (_, def) in app.definitions() {
        let name = dex2class::dex::internal_name(def.kind);
        let mut translated = translator.class(name).expect("a class").expect("a class");
        translator.write(&mut translated).expect("a class file");
        all.extend(translated.failures);
    }
    all
}

fn too_large(file: &[u8]) -> usize {
    let all = failures(file);
    all.iter()
        .filter(|failure| failure.reason == TOO_LARGE)
        .count()
}

/// `move/16` of a register to each of these.
fn moves(to: std::ops::Range<u16>) -> Vec<u16> {
    to.flat_map(|register| [0x0003, register, 0]).collect()
}

#[test]
fn switches_that_share_their_cases() {
    let code = |switches: u16, cases: u16| {
        let payload = (3 * switches + 3) & !1;
        let mut units = vec![0x0012];
        for number in 0..switches {
            units.extend([0x002b, payload - 3 * number - 1, 0]);
        }
        units.push(0x000e);
        units.resize(usize::from(payload), 0);
        units.extend([0x0100, cases, 0, 0]);
        units.extend((0..cases).flat_map(|_| [3, 0]));
        with_code(40, &units, &[], &[])
    };
    assert_eq!(too_large(&code(3, 50)), 0);
    assert_eq!(too_large(&code(4_000, 4_000)), 1);
}

#[test]
fn many_registers_that_are_live_in_many_blocks() {
    let code = |registers: u16, blocks: usize| {
        let mut units = vec![0x0012];
        units.extend([0x001a, 0]);
        units.extend(moves(20..registers));
        units.extend([0x0038, 2].repeat(blocks));
        units.extend((20..registers).flat_map(|register| [0x0003, 1, register]));
        units.push(0x000e);
        with_code(registers + 10, &units, &[], &[])
    };
    assert_eq!(too_large(&code(40, 50)), 0);
    assert_eq!(too_large(&code(2_000, 4_000)), 1);
}

#[test]
fn ranges_that_share_many_handlers() {
    let code = |ranges: u16, handlers: u8| {
        // Each range covers a constant of text, which may throw.
        let mut units: Vec<u16> = (0..ranges).flat_map(|_| [0x001a, 0]).collect();
        units.push(0x000e);
        let table: Vec<[u16; 4]> = (0..ranges).map(|number| [2 * number, 0, 2, 1]).collect();
        // One list of handlers for `Object`, the first class that the sample has.
        let mut list = vec![1, handlers & 0x3f];
        list.extend((0..handlers).flat_map(|number| [0, 2 * number]));
        with_code(40, &units, &table, &list)
    };
    assert_eq!(too_large(&code(20, 4)), 0);
    assert_eq!(too_large(&code(4_000, 60)), 1);
}

#[test]
fn all_registers_that_there_are() {
    assert_eq!(
        failures(&with_code(65_535, &[0x0012, 0x000e], &[], &[])),
        []
    );
}

#[test]
fn a_range_that_is_not_reached_has_its_handler_in_the_middle_of_a_block() {
    // const-string, const/4, return-void; the unreached const-string after them has its handler at const/4.
    let units = [0x001a, 0, 0x0012, 0x000e, 0x001a, 0, 0x000e];
    let file = with_code(40, &units, &[[4, 0, 2, 1]], &[1, 0, 2]);
    assert_eq!(failures(&file), []);
}
