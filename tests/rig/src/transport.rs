//! The rig's `adbd`: a port that the adb server connects to, the handshake, and the streams.

use crate::packet::{AUTH, CLSE, CNXN, MAX, OKAY, OPEN, Packet, VERSION, WRTE};
use crate::phone::Phone;
use crate::pipe::{Feed, Outbox, Pipe, lock, send};
use crate::server::{announce, free_port};
use crate::services;
use std::collections::HashMap;
use std::io;
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// AUTH's kinds of message.
const TOKEN: u32 = 1;
const PUBLIC_KEY: u32 = 3;

/// A device on a port of this machine.
#[derive(Debug)]
pub struct Rig {
    /// The device.
    pub phone: Arc<Phone>,
    /// The port that its `adbd` listens on.
    pub port: u16,
    end: Arc<AtomicBool>,
    connections: Arc<Mutex<Vec<TcpStream>>>,
    away_until: Arc<Mutex<Option<Instant>>>,
    live: Arc<AtomicUsize>,
}

impl Rig {
    /// Puts a device on a free port, or on this one.
    ///
    /// # Errors
    /// The port is taken.
    pub fn start(phone: Arc<Phone>, port: u16) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        let port = listener.local_addr()?.port();
        let rig = Self {
            phone,
            port,
            end: Arc::default(),
            connections: Arc::default(),
            away_until: Arc::default(),
            live: Arc::default(),
        };
        let (phone, end) = (rig.phone.clone(), rig.end.clone());
        let (connections, away) = (rig.connections.clone(), rig.away_until.clone());
        let live = rig.live.clone();
        thread::spawn(move || {
            for stream in listener.incoming() {
                if end.load(Ordering::Relaxed) {
                    return;
                }
                let Ok(stream) = stream else { continue };
                if lock(&away).is_some_and(|until| Instant::now() < until) {
                    continue;
                }
                let _ = stream.set_nodelay(true);
                if let Ok(copy) = stream.try_clone() {
                    lock(&connections).push(copy);
                }
                let (phone, live) = (phone.clone(), live.clone());
                thread::spawn(move || {
                    live.fetch_add(1, Ordering::Relaxed);
                    Connection::serve(stream, phone);
                    live.fetch_sub(1, Ordering::Relaxed);
                });
            }
        });
        Ok(rig)
    }

    /// Puts a device up as an emulator does, registered with the server on this port; returns its serial.
    ///
    /// # Panics
    /// The server does not run, or no odd port is free (an emulator's adb port is odd, its console the even one before).
    pub fn emulator(phone: &Arc<Phone>, server: u16) -> (Self, String) {
        let rig = (0..50)
            .find_map(|_| Self::start(phone.clone(), free_port() | 1).ok())
            .expect("an odd port");
        announce(server, rig.port);
        let serial = format!("emulator-{}", rig.port - 1);
        (rig, serial)
    }

    /// The serial it has when adb connects to its port.
    pub fn serial(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    /// Breaks every connection, and takes none for so long.
    pub fn away(&self, time: Duration) {
        *lock(&self.away_until) = Some(Instant::now() + time);
        self.cut();
    }

    /// Breaks every connection.
    pub fn cut(&self) {
        (self.cutter())();
    }

    /// Says nothing more on any connection, and continues listening: a socket closed in one direction.
    pub fn half_close(&self) {
        for stream in lock(&self.connections).iter() {
            let _ = stream.shutdown(Shutdown::Write);
        }
    }

    /// What breaks every connection, for others to call.
    pub fn cutter(&self) -> Arc<dyn Fn() + Send + Sync> {
        let connections = self.connections.clone();
        Arc::new(move || {
            for stream in lock(&connections).drain(..) {
                let _ = stream.shutdown(Shutdown::Both);
            }
        })
    }

    /// Does a server hold a connection?
    pub fn is_connected(&self) -> bool {
        self.live.load(Ordering::Relaxed) > 0
    }
}

impl Drop for Rig {
    fn drop(&mut self) {
        self.end.store(true, Ordering::Relaxed);
        // Wakes the listener.
        let _ = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port));
        self.cut();
        self.phone.power_off();
    }
}

struct Connection {
    out: Outbox,
    phone: Arc<Phone>,
    streams: Arc<Mutex<HashMap<u32, Feed>>>,
    next: Arc<AtomicU32>,
    online: bool,
}

impl Connection {
    fn serve(stream: TcpStream, phone: Arc<Phone>) {
        let Ok(out) = stream.try_clone() else { return };
        let mut connection = Self {
            out: Arc::new(Mutex::new(out)),
            phone,
            streams: Arc::default(),
            next: Arc::new(AtomicU32::new(1)),
            online: false,
        };
        let mut from = io::BufReader::with_capacity(64 << 10, stream);
        while let Ok(packet) = Packet::read(&mut from) {
            if connection.take(packet).is_err() {
                break;
            }
        }
        for feed in lock(&connection.streams).values() {
            feed.close();
        }
    }

    fn take(&mut self, packet: Packet) -> io::Result<()> {
        match packet.command {
            CNXN if self.phone.config.asks_for_key && !self.online => {
                send(&self.out, &Packet::new(AUTH, TOKEN, 0, [7_u8; 20]))
            }
            CNXN => self.connect(),
            AUTH if packet.arg0 == PUBLIC_KEY => {
                // A person looks at the dialog; the key is taken when the test reports it.
                if self.phone.accepts_key() {
                    self.connect()
                } else {
                    Ok(())
                }
            }
            // No signature is known here: the host offers its keys one after another, then the public one.
            AUTH => send(&self.out, &Packet::new(AUTH, TOKEN, 0, [7_u8; 20])),
            OPEN if self.online => self.open(&packet),
            WRTE => {
                let feed = lock(&self.streams).get(&packet.arg1).cloned();
                match feed {
                    Some(feed) => feed.data(packet.data),
                    None => send(&self.out, &Packet::new(CLSE, packet.arg1, packet.arg0, []))?,
                }
                Ok(())
            }
            OKAY => {
                if let Some(feed) = lock(&self.streams).get(&packet.arg1) {
                    feed.okay(packet.arg0);
                }
                Ok(())
            }
            CLSE => {
                if let Some(feed) = lock(&self.streams).remove(&packet.arg1) {
                    feed.close();
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn connect(&mut self) -> io::Result<()> {
        self.online = true;
        let (out, streams) = (self.out.clone(), self.streams.clone());
        let next = self.next.clone();
        self.phone.meet_host(move |service| {
            let ours = next.fetch_add(1, Ordering::Relaxed);
            let (pipe, feed) = Pipe::to_host(ours, out.clone());
            lock(&streams).insert(ours, feed);
            send(&out, &Packet::new(OPEN, ours, 0, format!("{service}\0"))).ok()?;
            pipe.is_taken().then_some(pipe)
        });
        let banner = self.phone.banner();
        send(
            &self.out,
            &Packet::new(
                CNXN,
                VERSION,
                u32::try_from(MAX).unwrap_or(u32::MAX),
                banner,
            ),
        )
    }

    fn open(&mut self, packet: &Packet) -> io::Result<()> {
        let service = String::from_utf8_lossy(&packet.data)
            .trim_end_matches('\0')
            .to_owned();
        let Some(service) = services::find(&self.phone, &service) else {
            return send(&self.out, &Packet::new(CLSE, 0, packet.arg0, []));
        };
        let ours = self.next.fetch_add(1, Ordering::Relaxed);
        let (mut pipe, feed) = Pipe::new(ours, packet.arg0, self.out.clone());
        lock(&self.streams).insert(ours, feed);
        send(&self.out, &Packet::new(OKAY, ours, packet.arg0, []))?;
        let phone = self.phone.clone();
        thread::spawn(move || {
            service(&phone, &mut pipe);
            pipe.close();
        });
        Ok(())
    }
}
