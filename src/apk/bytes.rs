//! Little-endian reads over untrusted bytes: every read may fail, none panics.

/// A slice read at any offset.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bytes<'a>(pub &'a [u8]);

impl<'a> Bytes<'a> {
    pub fn len(self) -> usize {
        self.0.len()
    }

    pub fn u8(self, at: usize) -> Option<u8> {
        self.0.get(at).copied()
    }

    pub fn u16(self, at: usize) -> Option<u16> {
        let bytes = self.0.get(at..at.checked_add(2)?)?;
        Some(u16::from_le_bytes(bytes.try_into().ok()?))
    }

    pub fn u32(self, at: usize) -> Option<u32> {
        let bytes = self.0.get(at..at.checked_add(4)?)?;
        Some(u32::from_le_bytes(bytes.try_into().ok()?))
    }

    /// A 32-bit number used as an offset or a count.
    pub fn size(self, at: usize) -> Option<usize> {
        usize::try_from(self.u32(at)?).ok()
    }

    /// `length` bytes from `at` on.
    pub fn part(self, at: usize, length: usize) -> Option<Bytes<'a>> {
        self.0.get(at..at.checked_add(length)?).map(Bytes)
    }

    /// Everything from `at` on.
    pub fn from(self, at: usize) -> Option<Bytes<'a>> {
        self.0.get(at..).map(Bytes)
    }
}

/// One chunk of Android's binary resource formats: type, header size, total size, then the rest.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chunk<'a> {
    /// `RES_*_TYPE`.
    pub kind: u16,
    /// Where its body starts.
    pub header: usize,
    /// All of it, header included.
    pub bytes: Bytes<'a>,
}

impl<'a> Chunk<'a> {
    /// The chunk at `at`, cut to what is there when it claims more.
    pub fn read(bytes: Bytes<'a>, at: usize) -> Option<Self> {
        let rest = bytes.from(at)?;
        let (kind, header, size) = (rest.u16(0)?, usize::from(rest.u16(2)?), rest.size(4)?);
        if header < 8 || size < header {
            return None;
        }
        Some(Self {
            kind,
            header,
            bytes: rest.part(0, size.min(rest.len()))?,
        })
    }

    /// The chunks inside, from the end of the header on. Stops at the first that makes no sense.
    pub fn children(self) -> impl Iterator<Item = Chunk<'a>> {
        let mut at = self.header;
        std::iter::from_fn(move || {
            let chunk = Chunk::read(self.bytes, at)?;
            at += chunk.bytes.len();
            Some(chunk)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_past_the_end_are_none() {
        let bytes = Bytes(&[1, 2, 3, 4]);
        assert_eq!(bytes.u32(0), Some(0x0403_0201));
        assert_eq!(bytes.u32(1), None);
        assert_eq!(bytes.u16(usize::MAX), None);
        assert!(bytes.part(2, usize::MAX).is_none());
    }

    #[test]
    fn a_chunk_smaller_than_its_header_ends_the_walk() {
        let mut data = vec![3, 0, 8, 0, 24, 0, 0, 0];
        data.extend([1, 0, 8, 0, 8, 0, 0, 0]);
        data.extend([1, 0, 8, 0, 7, 0, 0, 0]);
        let outer = Chunk::read(Bytes(&data), 0).unwrap();
        assert_eq!(outer.children().count(), 1);
    }
}
