//! Tests of what is read no further than wanted.

use super::*;

/// A file with more bytes at its end, and where they begin.
fn with(bytes: &[u8]) -> (Vec<u8>, u32) {
    let mut file = notes();
    file.resize(file.len().next_multiple_of(4), 0);
    let at = u32::try_from(file.len()).expect("small");
    file.extend_from_slice(bytes);
    let size = u32::try_from(file.len()).expect("small").to_le_bytes();
    file[32..36].copy_from_slice(&size);
    (file, at)
}

#[test]
fn lines_are_looked_for_in_no_more_bytes_than_allowed() {
    // A hundred times the end of the prologue, which is no event, before the first line.
    let program = [&[12, 0][..], &[7; 100], &[0x0e, 0]].concat();
    let (file, at) = with(&program);
    let dex = Dex::open_all(&file).expect("a dex file")[0];
    let events = dex.debug(at).expect("lines").events;
    assert_eq!(events.within(100).count(), 0);
    let line = DebugEvent::Line { addr: 0, line: 12 };
    assert_eq!(events.within(101).collect::<Vec<_>>(), [line]);
    let mut lines = events.lines();
    let before = lines.left();
    assert_eq!(lines.next(), Some((0, 12)));
    assert_eq!(before - lines.left(), 101);
    assert_eq!(lines.next(), None);
    // 256 parameters.
    let (file, at) = with(&[&[12, 0x80, 2][..], &[0; 300]].concat());
    let dex = Dex::open_all(&file).expect("a dex file")[0];
    assert!(dex.debug(at).is_err());
}

#[test]
fn strings_longer_than_wanted_are_refused() {
    let file = notes();
    let dex = Dex::open_all(&file).expect("a dex file")[0];
    for ix in 0..dex.string_count() {
        let text = dex.string(ix).expect("a string");
        assert_eq!(dex.string_up_to(ix, text.len()), Ok(text));
        assert!(text.is_empty() || dex.string_up_to(ix, text.len() - 1).is_err());
    }
}

#[test]
fn annotations_are_selected_without_the_values_of_others() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/convert");
    let mut file = std::fs::read(folder.join("attributes.dex")).expect("a fixture");
    let select = |file: &[u8]| {
        let dex = Dex::open_all(file).expect("a dex file")[0];
        let def = find(&dex, "Lfixture/Attributes;");
        let directory = dex.annotations(&def).expect("annotations");
        let set = dex.annotation_set(directory.class_off).expect("a set");
        let offset = set.into_iter().position(|item| item.is_err());
        let found = set.select(|visibility, kind| {
            visibility == Visibility::Runtime && dex.type_is(kind, b"Lfixture/Mark;")
        });
        let found = found.map(|item| item.map(|item| item.annotation.type_ix));
        let found: Vec<_> = found.collect();
        let wanted = (0..dex.type_count()).find(|&ix| dex.type_is(ix, b"Lfixture/Mark;"));
        assert_eq!(found, [Ok(wanted.expect("a type"))]);
        offset
    };
    assert_eq!(select(&file), None);
    // The kind of the generic signature's value is unknown.
    let dex = Dex::open_all(&file).expect("a dex file")[0];
    let kind = (0..dex.type_count()).find(|&ix| dex.type_is(ix, b"Ldalvik/annotation/Signature;"));
    let kind = u8::try_from(kind.expect("a type")).expect("small");
    let head = [2, kind, 1];
    let places: Vec<_> = (0..file.len() - 5)
        .filter(|&at| file[at..].starts_with(&head))
        .collect();
    for at in places {
        file[at + 4] = 0x01;
    }
    assert!(select(&file).is_some(), "nothing is damaged");
}

#[test]
fn payloads_between_instructions_are_one_step() {
    let walked = |code: &[u16]| -> Vec<(usize, u8)> {
        let units = u32::try_from(code.len()).expect("small");
        let mut item = vec![0; 12];
        item.extend(units.to_le_bytes());
        item.extend(code.iter().flat_map(|unit| unit.to_le_bytes()));
        let (file, at) = with(&item);
        let dex = Dex::open_all(&file).expect("a dex file")[0];
        let units = dex.code(at).expect("code").insns;
        let all = crate::method::instructions(units);
        all.map(|(at, opcode, _)| (at, opcode)).collect()
    };
    let tables = [
        0x0100, 1, 0, 0, 0x001c, 0x001c, // packed-switch of one target
        0x0200, 1, 0x001c, 0x001c, 0x001c, 0x001c, // sparse-switch of one
        0x0300, 1, 3, 0, 0x001c, 0x001c, // three bytes of an array
        0x001c, 5,
    ];
    assert_eq!(walked(&tables), [(0, 0), (6, 0), (12, 0), (18, 0x1c)]);
    // A table that claims more than there is, and an unknown opcode, end the walk.
    assert_eq!(
        walked(&[0x0300, 0xffff, 0xffff, 0xffff, 0x001c, 5]),
        [(0, 0)]
    );
    assert_eq!(walked(&[0x000e, 0x0040, 0x000e]), [(0, 0x0e), (1, 0x40)]);
}
