//! Little-endian reads over untrusted bytes: every read may fail, none panics.

use super::{DexError, Result};

const CUT_OFF: DexError = DexError("a part is cut off");

/// The bytes from an offset on, read one after another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Cursor<'a> {
    /// Begins at an offset, which may lie outside: then the first read fails.
    pub fn new(bytes: &'a [u8], at: u32) -> Self {
        let at = usize::try_from(at).unwrap_or(usize::MAX);
        Self { bytes, at }
    }

    /// The same with at most so many bytes left.
    pub fn within(self, most: usize) -> Self {
        let end = self.bytes.len().min(self.at.saturating_add(most));
        Self {
            bytes: &self.bytes[..end],
            at: self.at,
        }
    }

    /// How many bytes are left.
    pub fn left(&self) -> usize {
        self.bytes.len().saturating_sub(self.at)
    }

    /// The rest.
    pub fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    pub fn take(&mut self, length: usize) -> Result<&'a [u8]> {
        let end = self.at.checked_add(length).ok_or(CUT_OFF)?;
        let part = self.bytes.get(self.at..end).ok_or(CUT_OFF)?;
        self.at = end;
        Ok(part)
    }

    pub fn u8(&mut self) -> Result<u8> {
        let byte = *self.bytes.get(self.at).ok_or(CUT_OFF)?;
        self.at += 1;
        Ok(byte)
    }

    pub fn u16(&mut self) -> Result<u16> {
        let bytes = self.take(2)?;
        Ok(u16::from_le_bytes([bytes[0], bytes[1]]))
    }

    pub fn u32(&mut self) -> Result<u32> {
        let bytes = self.take(4)?;
        Ok(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
    }

    /// An unsigned number of one to five bytes; bits beyond the 32nd are dropped, as Android does.
    pub fn uleb(&mut self) -> Result<u32> {
        let first = self.u8()?;
        if first < 0x80 {
            return Ok(u32::from(first));
        }
        let mut value = u32::from(first & 0x7f);
        for shift in [7, 14, 21, 28] {
            let byte = self.u8()?;
            value |= u32::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                break;
            }
        }
        Ok(value)
    }

    /// An index that may be missing, kept as one more than it is.
    pub fn uleb_index(&mut self) -> Result<Option<u32>> {
        Ok(self.uleb()?.checked_sub(1))
    }

    /// A signed number of one to five bytes.
    pub fn sleb(&mut self) -> Result<i32> {
        let mut value = 0_u32;
        let mut shift = 0;
        loop {
            let byte = self.u8()?;
            value |= u32::from(byte & 0x7f) << shift;
            shift += 7;
            if byte < 0x80 {
                if shift < 32 && byte & 0x40 != 0 {
                    value |= u32::MAX << shift;
                }
                return Ok(value.cast_signed());
            }
            if shift > 28 {
                return Ok(value.cast_signed());
            }
        }
    }
}

/// A number in the middle of bytes; none where they end before it does.
pub(crate) fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    let part = bytes.get(at..at.checked_add(2)?)?;
    Some(u16::from_le_bytes([part[0], part[1]]))
}

/// A number in the middle of bytes; none where they end before it does.
pub(crate) fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    let part = bytes.get(at..at.checked_add(4)?)?;
    Some(u32::from_le_bytes([part[0], part[1], part[2], part[3]]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cursor(bytes: &[u8]) -> Cursor<'_> {
        Cursor::new(bytes, 0)
    }

    #[test]
    fn variable_numbers_of_the_format_description_are_read() {
        let table: [(&[u8], i32, u32); 4] = [
            (&[0], 0, 0),
            (&[1], 1, 1),
            (&[0x7f], -1, 127),
            (&[0x80, 0x7f], -128, 16256),
        ];
        for (bytes, signed, unsigned) in table {
            assert_eq!(cursor(bytes).sleb(), Ok(signed));
            assert_eq!(cursor(bytes).uleb(), Ok(unsigned));
            assert_eq!(cursor(bytes).uleb_index(), Ok(unsigned.checked_sub(1)));
        }
        let most = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff];
        assert_eq!(cursor(&most).uleb(), Ok(u32::MAX));
        assert_eq!(cursor(&most).sleb(), Ok(-1));
    }

    #[test]
    fn reads_beyond_the_end_fail() {
        assert!(cursor(&[0x80]).uleb().is_err());
        assert!(cursor(&[0xff, 0xff]).sleb().is_err());
        assert!(cursor(&[1, 2, 3]).u32().is_err());
        assert!(Cursor::new(&[1], u32::MAX).u8().is_err());
        assert_eq!(u16_at(&[1, 2], 1), None);
        assert_eq!(u32_at(&[1, 2, 3, 4], usize::MAX), None);
    }
}
