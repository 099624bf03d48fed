//! The services of `adbd` that a host may open on the device.

use crate::phone::Phone;
use crate::pipe::Pipe;
use crate::{reverse, shell, sync};
use std::io::{Read as _, Write};
use std::sync::Arc;

/// Carries a service out over its stream, until its end.
pub type Service = Box<dyn FnOnce(&Arc<Phone>, &mut Pipe) + Send>;

/// The service of this name; `None`: the device knows none such, or nobody listens there.
pub fn find(phone: &Arc<Phone>, name: &str) -> Option<Service> {
    let (kind, rest) = name.split_once(':').unwrap_or((name, ""));
    let command = rest.to_owned();
    match kind {
        "sync" => Some(Box::new(sync::serve)),
        "shell" => Some(Box::new(move |phone, pipe| {
            let mut both = Raw {
                pipe,
                crlf: phone.config.api < 24,
            };
            shell::run(phone, &command, &mut both);
        })),
        "exec" => Some(Box::new(move |phone, pipe| {
            // `adb install` streams the file into `cmd package install -S SIZE`.
            let size = command
                .split_whitespace()
                .skip_while(|w| *w != "-S")
                .nth(1)
                .and_then(|n| n.parse::<usize>().ok());
            let mut input = vec![0; size.filter(|_| command.contains("install")).unwrap_or(0)];
            if pipe.read_exact(&mut input).is_err() {
                return;
            }
            let mut raw = Raw { pipe, crlf: false };
            shell::run_with(phone, &command, &input, &mut raw);
        })),
        "localabstract" => phone.connect(rest),
        "reverse" => Some(Box::new(move |phone, pipe| {
            reverse::serve(phone, &command, pipe);
        })),
        "reboot" => Some(Box::new(|phone, _| phone.power_off())),
        _ if kind.starts_with("shell,") => {
            if !kind.split(',').any(|f| f == "v2") {
                return find(phone, &format!("shell:{rest}"));
            }
            (phone.config.api >= 24).then(|| -> Service {
                Box::new(move |phone, pipe| {
                    let mut packets = Packets { pipe };
                    let code = shell::run(phone, &command, &mut packets);
                    let _ = packets.packet(3, &[u8::try_from(code & 0xff).unwrap_or(255)]);
                })
            })
        }
        _ => None,
    }
}

/// Where a command's outputs go.
pub trait Outputs {
    /// Standard output.
    ///
    /// # Errors
    /// Nobody listens any more.
    fn out(&mut self, bytes: &[u8]) -> std::io::Result<()>;
    /// Standard error.
    ///
    /// # Errors
    /// Nobody listens any more.
    fn err(&mut self, bytes: &[u8]) -> std::io::Result<()>;
    /// Has the other side gone?
    fn is_closed(&self) -> bool;
}

/// The old protocol: one stream, and before Android 7 a terminal that ends lines by CR LF.
struct Raw<'a> {
    pipe: &'a mut Pipe,
    crlf: bool,
}

impl Outputs for Raw<'_> {
    fn out(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        if self.crlf {
            let text = String::from_utf8_lossy(bytes).replace('\n', "\r\n");
            self.pipe.write_all(text.as_bytes())
        } else {
            self.pipe.write_all(bytes)
        }
    }

    fn err(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        self.out(bytes)
    }

    fn is_closed(&self) -> bool {
        self.pipe.is_closed()
    }
}

/// The new protocol: packets of a kind, a length and bytes.
struct Packets<'a> {
    pipe: &'a mut Pipe,
}

impl Packets<'_> {
    fn packet(&mut self, kind: u8, bytes: &[u8]) -> std::io::Result<()> {
        let mut packet = vec![kind];
        packet.extend_from_slice(&u32::try_from(bytes.len()).unwrap_or(u32::MAX).to_le_bytes());
        packet.extend_from_slice(bytes);
        self.pipe.write_all(&packet)
    }
}

impl Outputs for Packets<'_> {
    fn out(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        self.packet(1, bytes)
    }

    fn err(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        self.packet(2, bytes)
    }

    fn is_closed(&self) -> bool {
        self.pipe.is_closed()
    }
}
