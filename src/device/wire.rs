//! Frames of the agent protocol (`docs/agent-protocol.md`, Transport): a length, then JSON.

use std::io::{self, Read, Write};

/// The longest frame taken.
pub const MAX_FRAME: usize = 64 << 20;

/// Writes one frame in one call.
pub fn write_frame(to: &mut impl Write, body: &[u8]) -> io::Result<()> {
    let len = u32::try_from(body.len())
        .ok()
        .filter(|&n| n as usize <= MAX_FRAME)
        .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "frame too long"))?;
    let mut frame = Vec::with_capacity(4 + body.len());
    frame.extend_from_slice(&len.to_be_bytes());
    frame.extend_from_slice(body);
    to.write_all(&frame)
}

/// Reads one frame into `body`, whose memory is used again.
pub fn read_frame(from: &mut impl Read, body: &mut Vec<u8>) -> io::Result<()> {
    let mut len = [0; 4];
    from.read_exact(&mut len)?;
    let len = u32::from_be_bytes(len) as usize;
    if len > MAX_FRAME {
        return Err(io::Error::new(
            io::ErrorKind::InvalidData,
            format!("a frame of {len} bytes is over the limit"),
        ));
    }
    body.clear();
    body.resize(len, 0);
    from.read_exact(body)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn frames_come_back_as_written(bodies in proptest::collection::vec(proptest::collection::vec(any::<u8>(), 0..300), 0..5)) {
            let mut stream = Vec::new();
            for body in &bodies {
                write_frame(&mut stream, body).unwrap();
            }
            let (mut from, mut body) = (stream.as_slice(), Vec::new());
            for expected in &bodies {
                read_frame(&mut from, &mut body).unwrap();
                prop_assert_eq!(&body, expected);
            }
            prop_assert!(read_frame(&mut from, &mut body).is_err());
        }
    }

    #[test]
    fn a_frame_that_claims_too_much_is_refused_before_memory_is_taken() {
        let mut body = Vec::new();
        let error = read_frame(&mut [0xff; 8].as_slice(), &mut body).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::InvalidData);
        assert_eq!(body.capacity(), 0);
    }
}
