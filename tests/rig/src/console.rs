//! The emulator's console: a greeting, a token, commands that end in `OK` or `KO: reason`.

use crate::phone::Phone;
use crate::pipe::lock;
use crate::transport::Rig;
use droidtest::device::{Action, SnapshotId};
use std::collections::BTreeMap;
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// A console that listens.
#[derive(Debug)]
pub struct Console {
    ended: Arc<AtomicBool>,
}

impl Console {
    /// Was the emulator asked to stop?
    pub fn is_ended(&self) -> bool {
        self.ended.load(Ordering::Relaxed)
    }
}

/// What a snapshot remembers.
#[derive(Clone, Debug)]
struct Saved {
    settings: BTreeMap<(String, String), String>,
    /// The app's state; `None`: no app was there.
    app: Option<SnapshotId>,
}

type Snapshots = Arc<Mutex<BTreeMap<String, Saved>>>;

/// Listens on the console's port.
///
/// # Errors
/// The port is taken.
pub fn serve(port: u16, rig: &Rig) -> io::Result<Console> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
    let console = Console {
        ended: Arc::default(),
    };
    let (ended, phone, cutter) = (console.ended.clone(), rig.phone.clone(), rig.cutter());
    let snapshots = Snapshots::default();
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let (ended, phone, cutter, snapshots) = (
                ended.clone(),
                phone.clone(),
                cutter.clone(),
                snapshots.clone(),
            );
            thread::spawn(move || {
                let session = Session {
                    phone,
                    cutter,
                    snapshots,
                    ended,
                };
                let _ = session.talk(&stream);
            });
        }
    });
    Ok(console)
}

struct Session {
    phone: Arc<Phone>,
    cutter: Arc<dyn Fn() + Send + Sync>,
    snapshots: Snapshots,
    ended: Arc<AtomicBool>,
}

/// Takes very long where `RIG_FAIL` reports it, and leaves a mark in the SDK's folder that it has started.
pub fn dawdle(what: &str) {
    if std::env::var("RIG_FAIL").is_ok_and(|all| all.split(',').any(|f| f == what)) {
        let root = PathBuf::from(std::env::var_os("ANDROID_HOME").unwrap_or_default());
        let _ = std::fs::write(root.join("rig-state").join(what), "");
        thread::sleep(Duration::from_secs(60));
    }
}

fn token_file() -> PathBuf {
    std::env::home_dir()
        .unwrap_or_default()
        .join(".emulator_console_auth_token")
}

impl Session {
    fn talk(&self, stream: &TcpStream) -> io::Result<()> {
        let mut out = stream.try_clone()?;
        let file = token_file();
        // A new one is made where there is none; an empty one requests nothing.
        let token = match std::fs::read_to_string(&file) {
            Ok(token) => token.trim().to_owned(),
            Err(_) => {
                std::fs::write(&file, "r1gT0ken")?;
                "r1gT0ken".to_owned()
            }
        };
        write!(
            out,
            "Android Console: Authentication required\r\nAndroid Console: type 'auth <auth_token>' to authenticate\r\nAndroid Console: you can find your <auth_token> in \r\n'{}'\r\nOK\r\n",
            file.display()
        )?;
        let mut known = token.is_empty();
        for line in BufReader::new(stream).lines() {
            let line = line?;
            let words: Vec<&str> = line.split_whitespace().collect();
            let answer = match words.as_slice() {
                ["auth", given] => {
                    known = *given == token;
                    if known {
                        Ok("Android Console: type 'help' for a list of commands".to_owned())
                    } else {
                        Err(
                            "authentication token does not match ~/.emulator_console_auth_token"
                                .to_owned(),
                        )
                    }
                }
                ["quit" | "exit"] => return Ok(()),
                _ if !known => Err("unknown command, try 'help'".to_owned()),
                ["ping"] => Ok("I am alive!".to_owned()),
                ["avd", "name"] => Ok(self.phone.config.model.clone()),
                ["avd", "snapshot", what, name] => {
                    self.snapshot(what, name).map(|()| String::new())
                }
                ["geo", "fix", longitude, latitude, rest @ ..] => {
                    let parts = [*latitude, *longitude]
                        .into_iter()
                        .chain(rest.iter().copied());
                    self.sense(&line, parts, |values| Action::Location { values })
                }
                ["sensor", "set", "temperature", _] => {
                    Err("'temperature' sensor is not available".to_owned())
                }
                ["sensor", "set", "acceleration", values] => {
                    let parts = std::iter::once("1").chain(values.split(':'));
                    self.sense(&line, parts, |values| Action::Sensor { values })
                }
                ["kill"] => {
                    write!(out, "OK: killing emulator, bye bye\r\n")?;
                    self.ended.store(true, Ordering::Relaxed);
                    return Ok(());
                }
                [] => continue,
                _ => Err("unknown command, try 'help'".to_owned()),
            };
            match answer {
                Ok(text) if text.is_empty() => write!(out, "OK\r\n")?,
                Ok(text) => write!(out, "{text}\r\nOK\r\n")?,
                Err(why) => write!(out, "KO: {why}\r\n")?,
            }
        }
        Ok(())
    }

    /// Hands on to the app what it is to sense, and leaves what was reported in the SDK's folder.
    fn sense<'a>(
        &self,
        line: &str,
        parts: impl Iterator<Item = &'a str>,
        action: fn(Vec<f64>) -> Action,
    ) -> Result<String, String> {
        let values: Result<Vec<f64>, _> = parts.map(str::parse).collect();
        let values = values.map_err(|_| "argument is not a number".to_owned())?;
        let root = PathBuf::from(std::env::var_os("ANDROID_HOME").unwrap_or_default());
        let _ = std::fs::write(root.join("rig-state/sensed"), line);
        let mut state = lock(&self.phone.state);
        self.phone
            .act(&mut state, &action(values))
            .map(|()| String::new())
    }

    /// A snapshot lies with its AVD, and outlives the emulator.
    fn file_of(&self, name: &str) -> PathBuf {
        let root = PathBuf::from(std::env::var_os("ANDROID_HOME").unwrap_or_default());
        let folder = root.join("rig-state/snapshots");
        let folder = folder.join(&self.phone.config.model);
        let _ = std::fs::create_dir_all(&folder);
        folder.join(name)
    }

    fn snapshot(&self, what: &str, name: &str) -> Result<(), String> {
        if std::env::var("RIG_FAIL").is_ok_and(|all| all.split(',').any(|f| f == "no-snapshots")) {
            return Err("Device does not support snapshots".to_owned());
        }
        dawdle(&format!("slow-{what}"));
        let mut state = lock(&self.phone.state);
        let mut all = lock(&self.snapshots);
        match what {
            "save" => {
                let app = match &mut state.app {
                    None => None,
                    Some(app) => match app.device.snapshots().map(|s| s.save()) {
                        Some(Ok(id)) => Some(id),
                        _ => {
                            return Err("Snapshot save failed: the device behind the rig has none"
                                .to_owned());
                        }
                    },
                };
                all.insert(
                    name.to_owned(),
                    Saved {
                        settings: state.settings.clone(),
                        app,
                    },
                );
                let _ = std::fs::write(self.file_of(name), "");
                Ok(())
            }
            "load" => {
                let saved = all
                    .get(name)
                    .cloned()
                    .ok_or_else(|| format!("Snapshot load failed: no snapshot named {name}"))?;
                state.loads += 1;
                state.settings = saved.settings;
                match (&mut state.app, saved.app) {
                    (app, None) => *app = None,
                    (Some(app), Some(id)) => {
                        let done = app.device.snapshots().map(|s| s.restore(id));
                        if !matches!(done, Some(Ok(()))) {
                            return Err("Snapshot load failed".to_owned());
                        }
                        if let Ok(seen) = app.device.observe(&mut app.interner) {
                            app.alive = seen.alive;
                            app.page = seen.page;
                        }
                    }
                    (None, Some(_)) => return Err("Snapshot load failed".to_owned()),
                }
                drop((state, all));
                // The guest's network is another one now.
                (self.cutter)();
                Ok(())
            }
            "delete" => {
                let _ = std::fs::remove_file(self.file_of(name));
                let gone = all.remove(name);
                gone.map(|_| ())
                    .ok_or_else(|| format!("no snapshot named {name}"))
            }
            _ => Err("bad sub-command".to_owned()),
        }
    }
}
