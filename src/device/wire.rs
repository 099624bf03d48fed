//! Frames of the agent protocol (`docs/agent-protocol.md`, Transport): a length, then JSON.

use std::io::{self, Read, Write};

/// The longest frame taken.
pub const MAX_FRAME: usize = 64 << 20;

/// Puts one frame into `out`, whose memory is used again; `write` writes its body.
///
/// # Errors
/// The body cannot be written, or is longer than [`MAX_FRAME`].
pub fn encode(
    out: &mut Vec<u8>,
    write: impl FnOnce(&mut Vec<u8>) -> io::Result<()>,
) -> io::Result<()> {
    out.clear();
    out.extend_from_slice(&[0; 4]);
    write(out)?;
    let len = out.len() - 4;
    let fits = u32::try_from(len).ok().filter(|_| len <= MAX_FRAME);
    let len = fits.ok_or_else(|| {
        io::Error::new(
            io::ErrorKind::InvalidInput,
            format!("a frame of {len} bytes"),
        )
    })?;
    out[..4].copy_from_slice(&len.to_be_bytes());
    Ok(())
}

/// Bytes of the body of a frame that starts so.
///
/// # Errors
/// They are more than [`MAX_FRAME`].
pub fn length(start: [u8; 4]) -> io::Result<usize> {
    let len = u32::from_be_bytes(start) as usize;
    if len > MAX_FRAME {
        return Err(io::Error::new(
            io::ErrorKind::InvalidData,
            format!("a frame of {len} bytes exceeds the limit"),
        ));
    }
    Ok(len)
}

/// Writes one frame in one call.
///
/// # Errors
/// It cannot be written, or is longer than [`MAX_FRAME`].
pub fn write_frame(to: &mut impl Write, body: &[u8]) -> io::Result<()> {
    let mut frame = Vec::with_capacity(4 + body.len());
    encode(&mut frame, |out| out.write_all(body))?;
    to.write_all(&frame)
}

/// Reads one frame into `body`, whose memory is used again.
///
/// # Errors
/// It cannot be read, or is longer than [`MAX_FRAME`].
pub fn read_frame(from: &mut impl Read, body: &mut Vec<u8>) -> io::Result<()> {
    let mut start = [0; 4];
    from.read_exact(&mut start)?;
    let len = length(start)?;
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
