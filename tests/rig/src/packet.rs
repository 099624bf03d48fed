//! Messages of adb's transport: a head of 24 bytes, then the payload (AOSP, `adb/protocol.txt`).

use std::io::{self, Read, Write};

/// `CNXN`.
pub const CNXN: u32 = u32::from_le_bytes(*b"CNXN");
/// `AUTH`.
pub const AUTH: u32 = u32::from_le_bytes(*b"AUTH");
/// `OPEN`.
pub const OPEN: u32 = u32::from_le_bytes(*b"OPEN");
/// `OKAY`.
pub const OKAY: u32 = u32::from_le_bytes(*b"OKAY");
/// `WRTE`.
pub const WRTE: u32 = u32::from_le_bytes(*b"WRTE");
/// `CLSE`.
pub const CLSE: u32 = u32::from_le_bytes(*b"CLSE");
/// The version that leaves checksums out.
pub const VERSION: u32 = 0x0100_0001;
/// The largest payload.
pub const MAX: usize = 1 << 20;

/// One message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packet {
    /// Command.
    pub command: u32,
    /// First argument: version, or the sender's stream.
    pub arg0: u32,
    /// Second argument: largest payload, or the receiver's stream.
    pub arg1: u32,
    /// Payload.
    pub data: Vec<u8>,
}

impl Packet {
    /// A message.
    pub fn new(command: u32, arg0: u32, arg1: u32, data: impl Into<Vec<u8>>) -> Self {
        Self {
            command,
            arg0,
            arg1,
            data: data.into(),
        }
    }

    /// Reads one message.
    ///
    /// # Errors
    /// The end, or a head that is none.
    pub fn read(from: &mut impl Read) -> io::Result<Self> {
        let mut head = [0; 24];
        from.read_exact(&mut head)?;
        let word = |n: usize| {
            u32::from_le_bytes([
                head[4 * n],
                head[4 * n + 1],
                head[4 * n + 2],
                head[4 * n + 3],
            ])
        };
        let len = word(3) as usize;
        if word(5) != !word(0) || len > MAX {
            return Err(io::Error::new(
                io::ErrorKind::InvalidData,
                "no head of a message",
            ));
        }
        let mut data = vec![0; len];
        from.read_exact(&mut data)?;
        Ok(Self {
            command: word(0),
            arg0: word(1),
            arg1: word(2),
            data,
        })
    }

    /// Writes it in one call.
    ///
    /// # Errors
    /// The other side has gone.
    pub fn write(&self, to: &mut impl Write) -> io::Result<()> {
        let sum = self
            .data
            .iter()
            .fold(0_u32, |sum, b| sum.wrapping_add(u32::from(*b)));
        let len = u32::try_from(self.data.len()).unwrap_or(u32::MAX);
        let mut bytes = Vec::with_capacity(24 + self.data.len());
        for word in [self.command, self.arg0, self.arg1, len, sum, !self.command] {
            bytes.extend_from_slice(&word.to_le_bytes());
        }
        bytes.extend_from_slice(&self.data);
        to.write_all(&bytes)
    }
}
