//! How dex files are spoilt: their parts are found, so that what is wrong lies in an index, an offset, a length or an
//! instruction, and the rest can still be read. Class files are spoilt where they are.

mod added;

use crate::mutate;
use dex2class::dex::Dex;
use droidtest::util::seed::Rng;
use rand::RngExt as _;

/// The size of the file, and the tables: where their header entry is, and bytes of an entry.
const SIZE: usize = 32;
const CONTAINER_SIZE: usize = 112;
const TABLES: [(usize, usize); 6] = [(56, 4), (64, 4), (72, 12), (80, 8), (88, 8), (96, 32)];
/// Where the instructions of a method begin, after its head.
const HEAD: usize = 16;
/// Most files stay below this: a thousand small ones find more than a large one.
const USUAL: usize = 64 << 10;

/// Whether this is a dex file.
pub fn is_dex(bytes: &[u8]) -> bool {
    bytes.starts_with(b"dex\n")
}

/// Whether this is a class file.
pub fn is_class(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\xca\xfe\xba\xbe")
}

/// A good dex file with a few things wrong; one in twenty is spoilt as the bytes that it is.
pub fn spoil(corpus: &[Vec<u8>], words: &[&str], rng: &mut Rng) -> Vec<u8> {
    if rng.random_ratio(1, 20) {
        let mut input = mutate::spoil(corpus, words, rng);
        if rng.random() {
            fit(&mut input);
        }
        return input;
    }
    // The smaller of three: large ones take their time and find no more.
    let chosen = (0..3).map(|_| &corpus[rng.random_range(0..corpus.len())]);
    let mut input = chosen
        .min_by_key(|file| file.len())
        .cloned()
        .unwrap_or_default();
    let code = code(&input);
    let mut faults = 1;
    while faults < 16 && rng.random_ratio(3, 4) {
        faults += 1;
    }
    for _ in 0..faults {
        match rng.random_range(0..20) {
            0..8 => instruction(&mut input, &code, rng),
            8..10 => head(&mut input, &code, rng),
            10 => rows(&mut input, &code, rng),
            11..14 => table(&mut input, rng),
            14 => class(&mut input, rng),
            15 => appended(&mut input, &code, rng),
            16 => added::handlers(&mut input, &code, rng),
            17 => added::large(&mut input, &code, rng),
            _ => in_place(&mut input, 0, rng),
        }
    }
    if rng.random_ratio(49, 50) {
        fit(&mut input);
    }
    input
}

/// Numbers of a file with one structure after another change where they are: what is inserted would move all the rest.
pub fn spoil_in_place(corpus: &[Vec<u8>], words: &[&str], rng: &mut Rng) -> Vec<u8> {
    if rng.random_ratio(1, 5) {
        return mutate::spoil(corpus, words, rng);
    }
    let mut input = corpus[rng.random_range(0..corpus.len())].clone();
    let mut faults = 1;
    while faults < 16 && rng.random_ratio(2, 3) {
        faults += 1;
    }
    for _ in 0..faults {
        in_place(&mut input, 8, rng);
    }
    input
}

/// The header says how long the file is; that of a container's last part, how long the part is.
fn fit(input: &mut [u8]) {
    let Ok(size) = u32::try_from(input.len()) else {
        return;
    };
    let mut at = 0;
    if is_container(input) {
        write(input, CONTAINER_SIZE, size);
        while let Some(next) = word(input, at + SIZE).and_then(|length| {
            let next = at.checked_add(usize::try_from(length).ok()?)?;
            (next > at && input.get(next..).is_some_and(is_dex)).then_some(next)
        }) {
            at = next;
        }
    }
    let begin = u32::try_from(at).unwrap_or(size);
    write(input, at + SIZE, size - begin);
}

/// Whether this is a file whose header is followed by those of other parts.
pub fn is_container(bytes: &[u8]) -> bool {
    bytes.starts_with(b"dex\n041\0")
}

/// Where methods have their code.
fn code(input: &[u8]) -> Vec<usize> {
    let mut found = Vec::new();
    for dex in Dex::open_all(input).unwrap_or_default() {
        for number in 0..dex.class_count() {
            let Ok(data) = dex.class_def(number).and_then(|def| dex.class_data(&def)) else {
                continue;
            };
            for method in data.direct_methods().chain(data.virtual_methods()) {
                found.extend(usize::try_from(method.code_off).ok().filter(|at| *at != 0));
            }
        }
    }
    found
}

fn word(input: &[u8], at: usize) -> Option<u32> {
    let bytes = input.get(at..)?.first_chunk()?;
    Some(u32::from_le_bytes(*bytes))
}

fn write(input: &mut [u8], at: usize, value: u32) {
    if let Some(place) = input.get_mut(at..at.saturating_add(4)) {
        place.copy_from_slice(&value.to_le_bytes());
    }
}

fn write_unit(input: &mut [u8], at: usize, value: u16) {
    if let Some(place) = input.get_mut(at..at.saturating_add(2)) {
        place.copy_from_slice(&value.to_le_bytes());
    }
}

/// One of some places.
fn any(places: &[usize], rng: &mut Rng) -> Option<usize> {
    (!places.is_empty()).then(|| places[rng.random_range(0..places.len())])
}

/// The instructions of a method as bytes: where they begin, and how many units there are.
fn instructions(input: &[u8], code: &[usize], rng: &mut Rng) -> Option<(usize, usize)> {
    let at = any(code, rng)?;
    let count = usize::try_from(word(input, at + 12)?).ok()?;
    let count = count.min(input.len().saturating_sub(at + HEAD) / 2);
    (count > 0).then_some((at + HEAD, count))
}

/// A number that is at a limit, near `now`, or small.
fn number(now: u32, rng: &mut Rng) -> u32 {
    match rng.random_range(0..9) {
        0 => 0,
        1 => u32::MAX,
        2 => 0xffff,
        3 => now.wrapping_add(1),
        4 => now.wrapping_sub(1),
        5 => now ^ 1 << rng.random_range(0..32),
        6 => rng.random(),
        _ => rng.random_range(0..300),
    }
}

fn instruction(input: &mut [u8], code: &[usize], rng: &mut Rng) {
    let Some((from, count)) = instructions(input, code, rng) else {
        return;
    };
    let at = from + 2 * rng.random_range(0..count);
    match rng.random_range(0..8) {
        // Another opcode with the same operands.
        0..2 => input[at] = rng.random(),
        2 => input[at + 1] = rng.random(),
        3 => {
            let small = rng.random_range(0..40);
            write_unit(input, at, small);
        }
        4 => write_unit(input, at, rng.random()),
        5 => {
            // A near jump.
            let opcode = [0x28, 0x32, 0x38, 0x39, 0x29][rng.random_range(0..5)];
            input[at] = opcode;
            let [low, high] = i16::from(rng.random::<i8>() / 8).to_le_bytes();
            match opcode {
                0x28 => input[at + 1] = low,
                _ => write_unit(input, at + 2, u16::from_le_bytes([low, high])),
            }
        }
        _ => {
            // Instructions of another method.
            let Some((other, most)) = instructions(input, code, rng) else {
                return;
            };
            let source = rng.random_range(0..most);
            let length = (most - source)
                .min(count - (at - from) / 2)
                .min(rng.random_range(1..24));
            let source = other + 2 * source;
            input.copy_within(source..source + 2 * length, at);
        }
    }
}

/// Registers, arguments, handlers and length of a method.
fn head(input: &mut [u8], code: &[usize], rng: &mut Rng) {
    let Some(at) = any(code, rng) else { return };
    match rng.random_range(0..6) {
        field @ 0..4 => {
            let now = word(input, at + 2 * field).unwrap_or(0) & 0xffff;
            let [low, high, ..] = number(now, rng).to_le_bytes();
            write_unit(input, at + 2 * field, u16::from_le_bytes([low, high]));
        }
        field => {
            let at = at + 8 + 4 * (field - 4);
            let now = word(input, at).unwrap_or(0);
            let size = u32::try_from(input.len()).unwrap_or(u32::MAX);
            let value = match rng.random() {
                true => number(now, rng),
                false => rng.random_range(0..=size),
            };
            write(input, at, value);
        }
    }
}

/// What follows the instructions: ranges and handlers; or the lines of the source.
fn rows(input: &mut [u8], code: &[usize], rng: &mut Rng) {
    let Some(at) = any(code, rng) else { return };
    let Some(units) = word(input, at + 12) else {
        return;
    };
    let after = at + HEAD + 2 * usize::try_from(units).unwrap_or(0);
    let lines = word(input, at + 8).unwrap_or(0);
    let place = match rng.random() {
        true => after,
        false => usize::try_from(lines).unwrap_or(0),
    };
    if let Some(byte) = input.get_mut(place.saturating_add(rng.random_range(0..48))) {
        *byte = rng.random();
    }
}

/// An index or offset of a table.
fn table(input: &mut [u8], rng: &mut Rng) {
    let (header, entry) = TABLES[rng.random_range(0..TABLES.len())];
    if rng.random_ratio(1, 30) {
        let at = header + 4 * rng.random_range(0..2);
        let now = word(input, at).unwrap_or(0);
        write(input, at, number(now, rng));
        return;
    }
    let Some((from, count)) = place(input, header) else {
        return;
    };
    let row = |rng: &mut Rng| from + entry * rng.random_range(0..count);
    let (at, other) = (row(rng), row(rng));
    let field = 4 * rng.random_range(0..entry / 4);
    match rng.random_range(0..5) {
        0..3 => {
            let value = word(input, other + field).unwrap_or(0);
            write(input, at + field, value);
        }
        3 => {
            let half = 2 * rng.random_range(0..entry / 2);
            let [low, high, ..] = number(0, rng).to_le_bytes();
            write_unit(input, at + half, u16::from_le_bytes([low, high]));
        }
        _ => {
            let now = word(input, at + field).unwrap_or(0);
            write(input, at + field, number(now, rng));
        }
    }
}

/// Where a table is, and how many entries it has.
fn place(input: &[u8], header: usize) -> Option<(usize, usize)> {
    let count = usize::try_from(word(input, header)?).ok()?;
    let from = usize::try_from(word(input, header + 4)?).ok()?;
    (count > 0 && count < 0x1_0000).then_some((from, count))
}

/// A definition: its superclass, interfaces, members; circles among them.
fn class(input: &mut Vec<u8>, rng: &mut Rng) {
    let Some((from, count)) = place(input, 96) else {
        return;
    };
    let row = |rng: &mut Rng| from + 32 * rng.random_range(0..count);
    let (at, other) = (row(rng), row(rng));
    match rng.random_range(0..5) {
        // Its superclass is another one of the app, or itself.
        0..2 => {
            let kind = word(input, other).unwrap_or(0);
            write(input, at + 8, kind);
        }
        2 => {
            let flags = word(input, at + 4).unwrap_or(0);
            write(input, at + 4, flags ^ 1 << rng.random_range(0..18));
        }
        _ => {
            // Interfaces of the app, itself perhaps among them.
            let list = input.len().next_multiple_of(4);
            input.resize(list, 0);
            let many = match rng.random_ratio(1, 40) {
                true => rng.random_range(1..8_000),
                false => rng.random_range(1..6),
            };
            input.extend(u32::to_le_bytes(many));
            for _ in 0..many {
                let kind = word(input, row(rng)).unwrap_or(0);
                let [low, high, ..] = kind.to_le_bytes();
                input.extend([low, high]);
            }
            write(input, at + 12, u32::try_from(list).unwrap_or(0));
            let flags = word(input, at + 4).unwrap_or(0);
            write(input, at + 4, flags | 0x200);
        }
    }
}

/// An offset leads to bytes at the end of the file that came from elsewhere in it.
fn appended(input: &mut Vec<u8>, code: &[usize], rng: &mut Rng) {
    if input.len() > USUAL {
        return;
    }
    let end = input.len().next_multiple_of(4);
    input.resize(end, 0);
    let from = rng.random_range(0..end);
    let piece = input[from..end.min(from + rng.random_range(1..600))].to_vec();
    input.extend_from_slice(&piece);
    in_place(input, end, rng);
    let end = u32::try_from(end).unwrap_or(0);
    let places: Vec<usize> = match (rng.random_range(0..3), place(input, 96)) {
        (0, _) => code.iter().map(|at| at + 8).collect(),
        (1, Some((from, count))) => (0..count)
            .flat_map(|ix| [12, 20, 24, 28].map(|at| from + 32 * ix + at))
            .collect(),
        _ => place(input, 72).map_or_else(Vec::new, |(from, count)| {
            (0..count).map(|ix| from + 12 * ix + 8).collect()
        }),
    };
    if let Some(at) = any(&places, rng) {
        write(input, at, end);
    }
}

/// A number from this place on, of one to four bytes.
fn in_place(input: &mut [u8], from: usize, rng: &mut Rng) {
    let size = [1, 1, 2, 4][rng.random_range(0..4)];
    if input.len() < from + size {
        return;
    }
    let at = rng.random_range(from..=input.len() - size);
    let mut bytes = [0; 4];
    bytes[..size].copy_from_slice(&input[at..at + size]);
    let little = rng.random();
    let now = if little {
        u32::from_le_bytes(bytes)
    } else {
        u32::from_be_bytes(bytes) >> (32 - 8 * size)
    };
    let next = number(now, rng);
    let bytes = next.to_le_bytes();
    for (ix, byte) in input[at..at + size].iter_mut().enumerate() {
        *byte = bytes[if little { ix } else { size - 1 - ix }];
    }
}
