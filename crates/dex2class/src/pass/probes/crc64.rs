//! The number by which JaCoCo knows a class: a CRC of 64 bits over its class file.

/// ISO 3309's polynomial, its bits reversed.
const POLYNOMIAL: u64 = 0xd800_0000_0000_0000;

/// `TABLES[k][b]` is the checksum of byte `b` followed by `k` zeros, so that eight bytes are one step.
static TABLES: [[u64; 256]; 8] = tables();

const fn tables() -> [[u64; 256]; 8] {
    let mut tables = [[0; 256]; 8];
    let mut byte = 0;
    while byte < 256 {
        let mut sum = byte as u64;
        let mut bit = 0;
        while bit < 8 {
            sum = if sum & 1 == 1 {
                (sum >> 1) ^ POLYNOMIAL
            } else {
                sum >> 1
            };
            bit += 1;
        }
        tables[0][byte] = sum;
        byte += 1;
    }
    let mut zeros = 1;
    while zeros < 8 {
        byte = 0;
        while byte < 256 {
            let sum = tables[zeros - 1][byte];
            tables[zeros][byte] = (sum >> 8) ^ tables[0][(sum & 0xff) as usize];
            byte += 1;
        }
        zeros += 1;
    }
    tables
}

/// JaCoCo's id of the class whose file this is.
///
/// Files of Java 9 (version 53.0) count as files of Java 8: JaCoCo once changed their version before it read them, and
/// has kept the ids since.
pub fn class_id(file: &[u8]) -> u64 {
    match file.split_at_checked(8) {
        Some((head, rest)) if head[6..] == [0, 53] => {
            let mut head: Vec<u8> = head.to_vec();
            head[7] = 52;
            update(update(0, &head), rest)
        }
        _ => update(0, file),
    }
}

fn update(mut sum: u64, bytes: &[u8]) -> u64 {
    let (eights, rest) = bytes.as_chunks::<8>();
    for eight in eights {
        let mixed = (sum ^ u64::from_le_bytes(*eight)).to_le_bytes();
        sum = 0;
        for (table, byte) in TABLES.iter().rev().zip(mixed) {
            sum ^= table[usize::from(byte)];
        }
    }
    for byte in rest {
        sum = (sum >> 8) ^ TABLES[0][usize::from(sum.to_le_bytes()[0] ^ byte)];
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bit_by_bit(bytes: &[u8]) -> u64 {
        let mut sum = 0_u64;
        for byte in bytes {
            sum ^= u64::from(*byte);
            for _ in 0..8 {
                let low = sum & 1;
                sum >>= 1;
                if low == 1 {
                    sum ^= POLYNOMIAL;
                }
            }
        }
        sum
    }

    #[test]
    fn eight_bytes_at_a_time_give_the_sum_of_single_bits() {
        let bytes: Vec<u8> = (0_u32..1_000)
            .map(|ix| (ix.wrapping_mul(2_654_435_761) >> 23) as u8)
            .collect();
        for length in [0, 1, 7, 8, 9, 15, 16, 63, 64, 65, 1_000] {
            assert_eq!(
                class_id(&bytes[..length]),
                bit_by_bit(&bytes[..length]),
                "{length} bytes"
            );
        }
    }

    #[test]
    fn a_file_of_java_9_has_the_id_of_the_same_file_of_java_8() {
        let file = |major| [0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, major, 1, 2, 3];
        assert_eq!(class_id(&file(53)), class_id(&file(52)));
        assert_ne!(class_id(&file(54)), class_id(&file(52)));
    }
}
