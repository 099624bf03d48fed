//! Files to and from the device, by adb's sync service.

use super::connection::{Connection, Limit};
use super::error::AdbError;
use super::handle::Handle;
use std::io::{Read, Write};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The largest piece the service takes.
const CHUNK: usize = 64 << 10;

impl Handle {
    /// Writes a file on the device. `mode` is Unix's; its time is the present.
    ///
    /// # Errors
    /// The device's reason, such as a full storage.
    pub fn push(
        &self,
        mut from: impl Read,
        to: &str,
        mode: u32,
        limit: Duration,
    ) -> Result<u64, AdbError> {
        let limit = self
            .server
            .limit(limit, format!("{to} to be written on {}", self.serial));
        let mut connection = self.open("sync:")?;
        ask(
            &mut connection,
            b"SEND",
            format!("{to},{mode}").as_bytes(),
            &limit,
        )?;
        let mut piece = vec![0; CHUNK];
        let mut sent = 0;
        loop {
            let n = from
                .read(&mut piece)
                .map_err(|e| AdbError::Refused(format!("the data to push cannot be read: {e}")))?;
            if n == 0 {
                break;
            }
            limit.check()?;
            // The device says why it stopped taking bytes; that tells more than the broken pipe.
            if let Err(broken) = ask(&mut connection, b"DATA", &piece[..n], &limit) {
                return match broken {
                    AdbError::Timeout { .. } | AdbError::Interrupted => Err(broken),
                    broken => Err(answer(&mut connection, &limit).err().unwrap_or(broken)),
                };
            }
            sent += n as u64;
        }
        head(&mut connection, b"DONE", now(), &limit)?;
        answer(&mut connection, &limit)?;
        Ok(sent)
    }

    /// Reads a file of the device.
    ///
    /// # Errors
    /// There is none, or it may not be read.
    pub fn pull(&self, from: &str, to: &mut impl Write, limit: Duration) -> Result<u64, AdbError> {
        let limit = self
            .server
            .limit(limit, format!("{from} to be read from {}", self.serial));
        let mut connection = self.open("sync:")?;
        ask(&mut connection, b"RECV", from.as_bytes(), &limit)?;
        let mut got = 0;
        loop {
            let (id, len) = reply(&mut connection, &limit)?;
            match &id {
                b"DATA" if len <= CHUNK => {
                    let mut piece = vec![0; len];
                    connection.read_exact(&mut piece, &limit)?;
                    to.write_all(&piece).map_err(|e| {
                        AdbError::Refused(format!("the pulled data cannot be saved: {e}"))
                    })?;
                    got += len as u64;
                }
                b"DONE" => return Ok(got),
                b"FAIL" => return Err(failure(&mut connection, len, &limit)),
                other => return Err(strange(other)),
            }
        }
    }
}

/// Seconds since 1970, as the service counts them.
fn now() -> u32 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |d| u32::try_from(d.as_secs()).unwrap_or(u32::MAX))
}

fn head(
    connection: &mut Connection,
    id: &[u8; 4],
    number: u32,
    limit: &Limit,
) -> Result<(), AdbError> {
    let mut head = id.to_vec();
    head.extend_from_slice(&number.to_le_bytes());
    connection.write(&head, limit)
}

fn ask(
    connection: &mut Connection,
    id: &[u8; 4],
    body: &[u8],
    limit: &Limit,
) -> Result<(), AdbError> {
    let mut message = id.to_vec();
    message.extend_from_slice(&u32::try_from(body.len()).unwrap_or(u32::MAX).to_le_bytes());
    message.extend_from_slice(body);
    connection.write(&message, limit)
}

fn reply(connection: &mut Connection, limit: &Limit) -> Result<([u8; 4], usize), AdbError> {
    let mut head = [0; 8];
    connection.read_exact(&mut head, limit)?;
    let [a, b, c, d, w, x, y, z] = head;
    Ok(([a, b, c, d], u32::from_le_bytes([w, x, y, z]) as usize))
}

fn answer(connection: &mut Connection, limit: &Limit) -> Result<(), AdbError> {
    match reply(connection, limit)? {
        (id, _) if &id == b"OKAY" => Ok(()),
        (id, len) if &id == b"FAIL" => Err(failure(connection, len, limit)),
        (id, _) => Err(strange(&id)),
    }
}

fn failure(connection: &mut Connection, len: usize, limit: &Limit) -> AdbError {
    let mut words = vec![0; len.min(CHUNK)];
    match connection.read_exact(&mut words, limit) {
        Ok(()) => AdbError::Refused(String::from_utf8_lossy(&words).trim().to_owned()),
        Err(error) => error,
    }
}

fn strange(id: &[u8]) -> AdbError {
    AdbError::Protocol(format!(
        "unexpected answer to a sync request: {:?}",
        String::from_utf8_lossy(id)
    ))
}
