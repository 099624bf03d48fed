//! Is a dex file whole? What Android checks before it loads one, so that a damaged file is named as such and not
//! found out by the translator.

use super::bytes::Bytes;
use super::error::Problem;

/// The newest version read: that of Android 16.
const NEWEST: u32 = 41;
/// Of this version on, several dex files share one container, and the checksum's extent is another.
const CONTAINER: u32 = 41;
/// Size of the header of all versions before [`CONTAINER`].
const HEADER: usize = 112;
const LITTLE_ENDIAN: u32 = 0x1234_5678;

/// The file's version, where it is complete.
pub(super) fn check(entry: &str, bytes: &[u8]) -> Result<u32, Problem> {
    let bad = |why| Problem::BadDex {
        entry: entry.to_owned(),
        why,
    };
    let version = version(bytes).ok_or_else(|| bad("it is not a dex file"))?;
    if version > NEWEST {
        return Err(Problem::FutureDex {
            entry: entry.to_owned(),
            version,
            newest: NEWEST,
        });
    }
    let header = Bytes(bytes);
    let cut = || bad("it is cut off");
    if bytes.len() < HEADER {
        return Err(cut());
    }
    if header.u32(40) != Some(LITTLE_ENDIAN) {
        return Err(bad("its byte order is unknown"));
    }
    let length = header.size(32).ok_or_else(cut)?;
    if length < HEADER {
        return Err(bad(
            "its header gives a length that is shorter than the header itself",
        ));
    }
    // Bytes behind the end are harmless.
    let rest = bytes.get(12..length).ok_or_else(cut)?;
    if version < CONTAINER && header.u32(8) != Some(adler32(rest)) {
        return Err(bad(
            "its checksum is wrong: the file was damaged or changed",
        ));
    }
    Ok(version)
}

/// The version that a dex file starts with.
fn version(bytes: &[u8]) -> Option<u32> {
    let digits = bytes.strip_prefix(b"dex\n")?.get(..3)?;
    let whole = bytes.get(7) == Some(&0) && digits.iter().all(u8::is_ascii_digit);
    whole.then(|| digits.iter().fold(0, |n, d| n * 10 + u32::from(d - b'0')))
}

/// Adler-32, as zlib has it.
pub(super) fn adler32(bytes: &[u8]) -> u32 {
    const MODULUS: u32 = 65_521;
    // As many bytes as 32 bits hold the sums of.
    const BLOCK: usize = 5552;
    let (mut a, mut b) = (1_u32, 0_u32);
    for block in bytes.chunks(BLOCK) {
        for byte in block {
            a += u32::from(*byte);
            b += a;
        }
        a %= MODULUS;
        b %= MODULUS;
    }
    b << 16 | a
}

#[cfg(test)]
mod tests {
    use super::super::dex::tests::{Source, write};
    use super::*;

    fn sample() -> Vec<u8> {
        write(&[Source {
            name: "a.Main",
            constants: &[],
            calls: &[],
            strings: &["a text"],
        }])
    }

    fn complaint(bytes: &[u8]) -> String {
        check("classes.dex", bytes).map_or_else(|p| p.to_string(), |v| v.to_string())
    }

    #[test]
    fn a_whole_file_passes_with_its_version() {
        assert_eq!(complaint(&sample()), "35");
        let mut longer = sample();
        longer.push(0);
        assert_eq!(complaint(&longer), "35");
    }

    #[test]
    fn each_damage_is_named() {
        let whole = sample();
        let changed = |at: usize, to: u8| {
            let mut bytes = whole.clone();
            bytes[at] = to;
            complaint(&bytes)
        };
        let cut = "its classes.dex cannot be understood: it is cut off";
        assert_eq!(complaint(&whole[..whole.len() - 1]), cut);
        assert_eq!(complaint(&whole[..50]), cut);
        assert!(changed(whole.len() - 2, b'!').contains("checksum is wrong"));
        assert!(changed(40, 0).contains("byte order"));
        assert!(changed(0, b'P').contains("not a dex file"));
        assert!(changed(6, b'x').contains("not a dex file"));
        let future = changed(5, b'4').replace("045", "");
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
}
