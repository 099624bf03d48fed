//! Small pictures for tests, made without a library: PNG with one byte a pixel, not compressed.

const WIDTH: usize = 180;
const HEIGHT: usize = 320;

/// Something like a screen of an app; `rows` says how many lines of a list it shows.
pub fn screen(rows: usize) -> Vec<u8> {
    let shade = |x: usize, y: usize| -> u8 {
        match (x, y) {
            (_, 0..=11) => 0x30,
            (_, 12..=43) => 0x55,
            _ if y >= 300 => 0xe8,
            _ => {
                let (row, within) = ((y - 44) / 32, (y - 44) % 32);
                let text = within > 10 && within < 18 && x > 14 && x < 60 + (row * 37) % 90;
                if row < rows && text {
                    0x80
                } else if row < rows && within == 31 {
                    0xd8
                } else {
                    0xfa
                }
            }
        }
    };
    let mut raw = Vec::with_capacity(HEIGHT * (WIDTH + 1));
    for y in 0..HEIGHT {
        raw.push(0);
        raw.extend((0..WIDTH).map(|x| shade(x, y)));
    }
    let mut png = b"\x89PNG\r\n\x1a\n".to_vec();
    let mut header = Vec::new();
    header.extend((WIDTH as u32).to_be_bytes());
    header.extend((HEIGHT as u32).to_be_bytes());
    header.extend([8, 0, 0, 0, 0]);
    chunk(&mut png, b"IHDR", &header);
    chunk(&mut png, b"IDAT", &stored(&raw));
    chunk(&mut png, b"IEND", &[]);
    png
}

/// A zlib stream of stored blocks.
fn stored(raw: &[u8]) -> Vec<u8> {
    let mut out = vec![0x78, 0x01];
    let mut blocks = raw.chunks(0xffff).peekable();
    while let Some(block) = blocks.next() {
        out.push(u8::from(blocks.peek().is_none()));
        let length = block.len() as u16;
        out.extend(length.to_le_bytes());
        out.extend((!length).to_le_bytes());
        out.extend(block);
    }
    let (mut a, mut b) = (1_u32, 0_u32);
    for &byte in raw {
        a = (a + u32::from(byte)) % 65521;
        b = (b + a) % 65521;
    }
    out.extend((b << 16 | a).to_be_bytes());
    out
}

fn chunk(png: &mut Vec<u8>, kind: &[u8; 4], data: &[u8]) {
    png.extend((data.len() as u32).to_be_bytes());
    let start = png.len();
    png.extend(kind);
    png.extend(data);
    let mut crc = u32::MAX;
    for &byte in &png[start..] {
        crc ^= u32::from(byte);
        for _ in 0..8 {
            crc = crc >> 1 ^ 0xedb8_8320 & (crc & 1).wrapping_neg();
        }
    }
    png.extend((!crc).to_be_bytes());
}
