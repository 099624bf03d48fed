//! Pictures from an app's process: taken apart chunk by chunk, and put together again of what draws the picture.

use std::ops::RangeInclusive;

const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";
/// No screen has longer sides.
const SIDE: RangeInclusive<u32> = 1..=16_384;
/// Nor more pixels; a viewer takes memory for all of them.
const PIXELS: u64 = 64 << 20;
/// What draws the picture. The rest is text, profiles and dates, where an app can put what it likes.
const DRAWN: [&[u8; 4]; 5] = [b"IHDR", b"PLTE", b"tRNS", b"IDAT", b"IEND"];

/// The picture without what does not draw it; else what is wrong with it.
///
/// # Errors
/// It is no PNG, or one that no screen gives.
pub fn cleaned(bytes: &[u8]) -> Result<Vec<u8>, &'static str> {
    let mut rest = bytes
        .strip_prefix(SIGNATURE)
        .ok_or("it does not start with the PNG signature")?;
    let mut clean = Vec::with_capacity(bytes.len());
    clean.extend_from_slice(SIGNATURE);
    let (mut first, mut drawn) = (true, false);
    loop {
        let Chunk { kind, data, whole } = chunk(rest)?;
        if first != (kind == b"IHDR") {
            return Err("its header is not at the start");
        }
        if first {
            header(data)?;
        }
        first = false;
        drawn |= kind == b"IDAT" && !data.is_empty();
        if DRAWN.contains(&kind) {
            clean.extend_from_slice(whole);
        } else if kind[0].is_ascii_uppercase() {
            return Err("it has a critical chunk of an unknown kind");
        }
        rest = &rest[whole.len()..];
        if kind == b"IEND" {
            break;
        }
    }
    match (drawn, rest.is_empty()) {
        (false, _) => Err("it has no pixels"),
        (_, false) => Err("it has data after its end"),
        (true, true) => Ok(clean),
    }
}

struct Chunk<'a> {
    kind: &'a [u8; 4],
    data: &'a [u8],
    whole: &'a [u8],
}

/// The chunk that stands first.
fn chunk(bytes: &[u8]) -> Result<Chunk<'_>, &'static str> {
    let cut = "it is cut off";
    let (length, rest) = bytes.split_first_chunk::<4>().ok_or(cut)?;
    let (kind, rest) = rest.split_first_chunk::<4>().ok_or(cut)?;
    if !kind.iter().all(u8::is_ascii_alphabetic) {
        return Err("a chunk of it has no type");
    }
    let length = usize::try_from(u32::from_be_bytes(*length)).map_err(|_| cut)?;
    let data = rest.get(..length).ok_or(cut)?;
    let whole = bytes.get(..length.saturating_add(12)).ok_or(cut)?;
    Ok(Chunk { kind, data, whole })
}

fn header(data: &[u8]) -> Result<(), &'static str> {
    let [a, b, c, d, e, f, g, h, depth, colour, 0, 0, interlaced] = *data else {
        return Err("its header is wrong");
    };
    let (width, height) = (
        u32::from_be_bytes([a, b, c, d]),
        u32::from_be_bytes([e, f, g, h]),
    );
    if !SIDE.contains(&width)
        || !SIDE.contains(&height)
        || u64::from(width) * u64::from(height) > PIXELS
    {
        return Err("it is larger than any screen");
    }
    let depths: &[u8] = match colour {
        0 => &[1, 2, 4, 8, 16],
        2 | 4 | 6 => &[8, 16],
        3 => &[1, 2, 4, 8],
        _ => &[],
    };
    match depths.contains(&depth) && interlaced <= 1 {
        true => Ok(()),
        false => Err("its header is wrong"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chunk(kind: &[u8; 4], data: &[u8]) -> Vec<u8> {
        let length = (data.len() as u32).to_be_bytes();
        [&length, kind.as_slice(), data, &[0; 4]].concat()
    }

    fn picture(width: u32, middle: &[u8]) -> Vec<u8> {
        let mut header = width.to_be_bytes().to_vec();
        header.extend([0, 0, 0, 9, 8, 6, 0, 0, 0]);
        let parts = [
            chunk(b"IHDR", &header),
            middle.to_vec(),
            chunk(b"IEND", b""),
        ];
        [SIGNATURE, &parts.concat()].concat()
    }

    #[test]
    fn a_picture_keeps_what_draws_it_and_nothing_else() {
        let pixels = chunk(b"IDAT", b"pixels");
        let plain = picture(9, &pixels);
        assert_eq!(cleaned(&plain).unwrap(), plain);
        let note = chunk(b"tEXt", b"Comment\0<script>");
        assert_eq!(
            cleaned(&picture(9, &[note, pixels].concat())).unwrap(),
            plain
        );
    }

    #[test]
    fn what_is_no_picture_of_a_screen_is_refused() {
        let pixels = chunk(b"IDAT", b"pixels");
        let why = |bytes: &[u8]| cleaned(bytes).unwrap_err();
        assert!(why(b"root:x:0:0:root").contains("start"));
        assert!(why(b"").contains("start"));
        assert!(why(&picture(60_000, &pixels)).contains("larger"));
        assert!(why(&picture(0, &pixels)).contains("larger"));
        assert!(why(&picture(9, b"")).contains("no pixels"));
        let whole = picture(9, &pixels);
        for end in 8..whole.len() {
            assert!(cleaned(&whole[..end]).is_err());
        }
        assert!(why(&[whole.as_slice(), b"<html>"].concat()).contains("after its end"));
        let mut long = whole.clone();
        long[33..37].copy_from_slice(&u32::MAX.to_be_bytes());
        assert!(why(&long).contains("cut off"));
        assert!(why(&picture(9, &chunk(b"IHDR", b""))).contains("header"));
    }
}
