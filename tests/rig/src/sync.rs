//! adb's sync service on the device's side (AOSP, `adb/SYNC.TXT`): stat, list, send, receive.

use crate::files::File;
use crate::phone::Phone;
use crate::pipe::{Pipe, lock};
use std::io::{self, Read, Write};
use std::sync::Arc;

/// Serves one connection until `QUIT`.
pub fn serve(phone: &Arc<Phone>, pipe: &mut Pipe) {
    while let Ok((id, len)) = head(pipe) {
        let done = match &id {
            b"STAT" | b"LST2" | b"STA2" => {
                body(pipe, len).and_then(|name| stat(phone, pipe, &id, &name))
            }
            b"LIST" => body(pipe, len).and_then(|name| list(phone, pipe, &name)),
            b"SEND" => body(pipe, len).and_then(|to| receive(phone, pipe, &to)),
            b"RECV" => body(pipe, len).and_then(|name| transmit(phone, pipe, &name)),
            _ => return,
        };
        if done.is_err() {
            return;
        }
    }
}

fn head(pipe: &mut Pipe) -> io::Result<([u8; 4], usize)> {
    let mut head = [0; 8];
    pipe.read_exact(&mut head)?;
    let [a, b, c, d, w, x, y, z] = head;
    Ok(([a, b, c, d], u32::from_le_bytes([w, x, y, z]) as usize))
}

fn body(pipe: &mut Pipe, len: usize) -> io::Result<String> {
    let mut bytes = vec![0; len.min(1 << 16)];
    pipe.read_exact(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn words(parts: &[u32]) -> Vec<u8> {
    parts.iter().flat_map(|p| p.to_le_bytes()).collect()
}

fn number(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

fn kind(phone: &Phone, name: &str) -> Option<(u32, u32, u32)> {
    let files = lock(&phone.files);
    match files.get(name) {
        Some(file) => Some((file.mode, number(file.data.len()), file.time)),
        None => files.is_folder(name).then_some((0o40_771, 4096, 0)),
    }
}

fn stat(phone: &Phone, pipe: &mut Pipe, id: &[u8; 4], name: &str) -> io::Result<()> {
    let found = kind(phone, name);
    let mut answer = id.to_vec();
    if id == b"STAT" {
        let (mode, size, time) = found.unwrap_or_default();
        answer.extend(words(&[mode, size, time]));
    } else {
        // error, dev, ino, mode, nlink, uid, gid, size, atime, mtime, ctime
        let (mode, size, time) = found.unwrap_or_default();
        answer.extend(words(&[if found.is_some() { 0 } else { 2 }]));
        answer.extend([0_u64, 1].iter().flat_map(|n| n.to_le_bytes()));
        answer.extend(words(&[mode, 1, 2000, 2000]));
        answer.extend(
            [
                u64::from(size),
                u64::from(time),
                u64::from(time),
                u64::from(time),
            ]
            .iter()
            .flat_map(|n| n.to_le_bytes()),
        );
    }
    pipe.write_all(&answer)
}

fn list(phone: &Phone, pipe: &mut Pipe, name: &str) -> io::Result<()> {
    let entries = lock(&phone.files).list(name);
    for (name, file) in entries {
        let mut entry = b"DENT".to_vec();
        entry.extend(words(&[
            file.mode,
            number(file.data.len()),
            file.time,
            number(name.len()),
        ]));
        entry.extend_from_slice(name.as_bytes());
        pipe.write_all(&entry)?;
    }
    let mut end = b"DONE".to_vec();
    end.extend(words(&[0, 0, 0, 0]));
    pipe.write_all(&end)
}

fn receive(phone: &Phone, pipe: &mut Pipe, to: &str) -> io::Result<()> {
    let (name, mode) = to.rsplit_once(',').unwrap_or((to, "33206"));
    let mut file = File {
        mode: 0o100_000 | (mode.parse::<u32>().unwrap_or(0o644) & 0o777),
        ..File::default()
    };
    loop {
        let (id, len) = head(pipe)?;
        match &id {
            b"DATA" => {
                let mut piece = vec![0; len.min(64 << 10)];
                pipe.read_exact(&mut piece)?;
                file.data.extend_from_slice(&piece);
            }
            b"DONE" => {
                file.time = number(len);
                break;
            }
            _ => return Err(io::ErrorKind::InvalidData.into()),
        }
    }
    let done = lock(&phone.files).write(name, file);
    match done {
        Ok(()) => pipe.write_all(&[b"OKAY".as_slice(), &[0; 4]].concat()),
        Err(why) => fail(pipe, &format!("couldn't write '{name}': {why}")),
    }
}

fn transmit(phone: &Phone, pipe: &mut Pipe, name: &str) -> io::Result<()> {
    let found = lock(&phone.files).get(name).cloned();
    let Some(file) = found else {
        return fail(
            pipe,
            &format!("open failed: No such file or directory: {name}"),
        );
    };
    for piece in file.data.chunks(64 << 10) {
        let mut message = b"DATA".to_vec();
        message.extend(words(&[number(piece.len())]));
        message.extend_from_slice(piece);
        pipe.write_all(&message)?;
    }
    pipe.write_all(&[b"DONE".as_slice(), &[0; 4]].concat())
}

fn fail(pipe: &mut Pipe, why: &str) -> io::Result<()> {
    let mut message = b"FAIL".to_vec();
    message.extend(words(&[number(why.len())]));
    message.extend_from_slice(why.as_bytes());
    pipe.write_all(&message)
}
