//! Code that is not in the file: ranges with handlers, and methods with far more of something than others have.

use super::{HEAD, any, instructions, word, write, write_unit};
use droidtest::util::seed::Rng;
use rand::RngExt as _;

/// Ranges that go over all of a method, with handlers at its places.
pub fn handlers(input: &mut [u8], code: &[usize], rng: &mut Rng) {
    let Some(at) = any(code, rng) else { return };
    let Some(units) = word(input, at + 12) else {
        return;
    };
    let units = usize::try_from(units).unwrap_or(0);
    // The end of the code makes room: ranges take four units, a list of handlers two.
    let ranges = rng.random_range(1..6);
    let room = 4 * ranges + 4;
    if units < room + 2 || units > 0xffff || at + HEAD + 2 * units > input.len() {
        return;
    }
    let left = (units - room) & !1;
    let each = left / ranges;
    write_unit(input, at + 6, u16::try_from(ranges).unwrap_or(0));
    write(input, at + 12, u32::try_from(left).unwrap_or(0));
    let mut to = at + HEAD + 2 * left;
    for ix in 0..ranges {
        write(input, to, u32::try_from(ix * each).unwrap_or(0));
        write_unit(input, to + 4, u16::try_from(each).unwrap_or(0));
        write_unit(input, to + 6, 1);
        to += 8;
    }
    // One list with a handler for all: its size, and where it begins.
    let target = rng.random_range(0..left.clamp(1, 128));
    let target = u8::try_from(target).unwrap_or(0);
    for (ix, byte) in [1, 0, target, 0, 0, 0, 0, 0].into_iter().enumerate() {
        if let Some(place) = input.get_mut(to + ix) {
            *place = byte;
        }
    }
}

/// A method moves to the end of the file, and has far more of something there: instructions, cases, elements.
pub fn large(input: &mut Vec<u8>, code: &[usize], rng: &mut Rng) {
    let Some(at) = any(code, rng) else { return };
    let most = if rng.random_ratio(1, 8) { 12_000 } else { 600 };
    let many = rng.random_range(1..most);
    let mut units: Vec<u16> = Vec::new();
    // A piece of the file's own instructions, or one that shares what is large.
    match rng.random_range(0..4) {
        0 => {
            let Some((from, count)) = instructions(input, code, rng) else {
                return;
            };
            let from = from + 2 * rng.random_range(0..count);
            let length = rng.random_range(1..12).min(count);
            for ix in 0..many {
                let unit = from + 2 * (ix % length);
                units.push(
                    input
                        .get(unit..unit + 2)
                        .map_or(0, |u| u16::from_le_bytes([u[0], u[1]])),
                );
            }
        }
        1 => {
            // Switches that share their cases.
            let switches = rng.random_range(1..2 + many / 4);
            let payload = (3 * switches + 1).next_multiple_of(2);
            for ix in 0..switches {
                let distance = u32::try_from(payload - 3 * ix).unwrap_or(0).to_le_bytes();
                units.push(0x002b);
                units.push(u16::from_le_bytes([distance[0], distance[1]]));
                units.push(u16::from_le_bytes([distance[2], distance[3]]));
            }
            units.push(0x000e);
            units.resize(payload, 0);
            units.extend([0x0100, u16::try_from(many).unwrap_or(0), 0, 0]);
            for ix in 0..many {
                units.extend([u16::try_from(3 * (ix % switches)).unwrap_or(0), 0]);
            }
        }
        2 => {
            // Arrays that share their elements.
            let arrays = rng.random_range(1..2 + many / 4);
            let payload = (5 * arrays + 1).next_multiple_of(2);
            for ix in 0..arrays {
                let distance = u16::try_from(payload - 5 * ix - 2).unwrap_or(0);
                units.extend([0x0023, rng.random_range(0..40), 0x0026, distance, 0]);
            }
            units.push(0x000e);
            units.resize(payload, 0);
            units.extend([0x0300, 1, u16::try_from(2 * many).unwrap_or(0), 0]);
            units.resize(units.len() + many, rng.random());
        }
        _ => {
            // Jumps over registers that are defined.
            for ix in 0..many / 3 {
                let register = u16::try_from(ix % 16).unwrap_or(0);
                units.extend([
                    0x0012 | register << 8,
                    0x0038 | register << 8,
                    0u16.wrapping_sub(rng.random_range(0..60)),
                ]);
            }
            units.push(0x000e);
        }
    }
    let Some(head) = input.get(at..at + HEAD).map(<[u8]>::to_vec) else {
        return;
    };
    let new = input.len().next_multiple_of(4);
    // The method's offset has as many bytes as before only if it is found in the file as such.
    let mut old = Vec::new();
    let mut now = Vec::new();
    uleb(u32::try_from(at).unwrap_or(0), &mut old);
    uleb(u32::try_from(new).unwrap_or(0), &mut now);
    now.resize(now.len().max(old.len()), 0);
    if now.len() != old.len() {
        return;
    }
    let places: Vec<usize> = (0..input.len() - old.len())
        .filter(|&ix| input[ix..].starts_with(&old))
        .collect();
    for place in places {
        input[place..place + now.len()].copy_from_slice(&now);
    }
    input.resize(new, 0);
    input.extend_from_slice(&head);
    write_unit(input, new + 6, 0);
    if rng.random() {
        // Rather many registers, of which the arguments are the last.
        write_unit(input, new, rng.random_range(16..400));
    }
    write(input, new + 12, u32::try_from(units.len()).unwrap_or(0));
    input.extend(units.into_iter().flat_map(u16::to_le_bytes));
}

fn uleb(mut value: u32, out: &mut Vec<u8>) {
    while value >= 0x80 {
        out.push(value.to_le_bytes()[0] | 0x80);
        value >>= 7;
    }
    out.push(value.to_le_bytes()[0]);
}
