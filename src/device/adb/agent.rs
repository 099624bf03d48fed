//! Our agent on the device: pushed as a jar of dex, started as the shell user, reached through the server.

use super::agent_jar;
use super::error::AdbError;
use super::handle::Handle;
use super::package::Package;
use super::quote::command;
use super::screen::Look;
use crate::device::link::{Link, LinkError, Patience};
use crate::device::message::{Incoming, Obs, Request};
use crate::device::progress::Watch;
use crate::device::{Action, DeviceError};
use crate::gui::RawNode;
use rand::Rng as _;
use std::net::{Shutdown, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long pushing takes.
const PUSH: Duration = Duration::from_secs(60);
/// How long the agent may take to listen: a first start compiles.
const START: Duration = Duration::from_secs(30);
/// Whether the device is there at all.
const ANSWER: Duration = Duration::from_secs(10);
/// A block of the app's main thread is the log's to tell.
const NEVER: Duration = Duration::from_secs(1 << 30);
/// The agent's class.
const MAIN: &str = "droidtest.device.Main";

/// Attempts to start it on a device that answers otherwise.
const TRIES: u32 = 3;

/// Why there is no agent.
#[derive(Debug)]
pub enum NoAgent {
    /// It cannot be set up here or on this device, however often it is tried.
    Never(DeviceError),
    /// The device was lost, or the user interrupted: another start may do.
    Now(DeviceError),
}

impl NoAgent {
    /// What went wrong between here and the device, sorted.
    fn on_the_way(error: AdbError) -> Self {
        match error {
            AdbError::Timeout { .. } | AdbError::Interrupted => Self::Now(error.into()),
            error if error.is_passing() => Self::Now(error.into()),
            error => Self::Never(error.into()),
        }
    }
}

/// A running agent.
#[derive(Debug)]
pub struct Agent {
    link: Link,
    /// Its shell; the agent ends with it.
    shell: TcpStream,
    nodes: Arc<Vec<RawNode>>,
}

impl Agent {
    /// Builds it where that is not done, pushes it, starts it, connects; again where a connection broke off
    /// meanwhile and the device is there.
    ///
    /// # Errors
    /// What is missing here, what it said on the device, or that the device is gone.
    pub fn start(
        handle: &Arc<Handle>,
        package: &Package,
        watch: &Watch,
        offline: bool,
    ) -> Result<Self, NoAgent> {
        let jar = agent_jar::ensure(offline, watch).map_err(|error| match error {
            DeviceError::Interrupted => NoAgent::Now(error),
            error => NoAgent::Never(error),
        })?;
        let mut tries = 1;
        loop {
            let error = match Self::start_once(handle, package, watch, &jar, tries > 1) {
                Err(NoAgent::Now(error)) if !watch.interrupted() => error,
                done => return done,
            };
            if handle.shell("true", ANSWER).is_err() {
                return Err(NoAgent::Now(error));
            }
            if tries == TRIES {
                return Err(NoAgent::Never(error));
            }
            tries += 1;
        }
    }

    fn start_once(
        handle: &Arc<Handle>,
        package: &Package,
        watch: &Watch,
        jar: &Path,
        anew: bool,
    ) -> Result<Self, NoAgent> {
        let to = push(handle, jar, anew)?;
        let mut rng = rand::rng();
        let token = format!("{:016x}{:016x}", rng.next_u64(), rng.next_u64());
        let socket = format!("droidtest-{:016x}", rng.next_u64());
        watch.report("starting", "the agent", 0, 0);
        let line = format!(
            "CLASSPATH={} exec app_process / {}",
            super::quote::quote(&to),
            command(
                [
                    MAIN,
                    "--socket",
                    &socket,
                    "--token",
                    &token,
                    "--package",
                    &package.name
                ]
                .into_iter()
                .chain(package.user.words())
            )
        );
        let limit = handle.server.limit(START, "the agent to listen");
        let mut shell = handle
            .open(&format!("exec:{line} 2>&1"))
            .map_err(NoAgent::on_the_way)?;
        let mut said = Vec::new();
        let mut piece = [0; 1024];
        while !String::from_utf8_lossy(&said).contains("listening") {
            match shell
                .read(&mut piece, &limit)
                .map_err(NoAgent::on_the_way)?
            {
                // One that fails says why; a connection that breaks says nothing.
                0 if said.is_empty() => {
                    let why = "it ended while starting, without a message";
                    return Err(NoAgent::Now(died(why)));
                }
                0 => {
                    let words = String::from_utf8_lossy(&said).trim().to_owned();
                    let error = DeviceError::Setup(format!("it ended while starting: {words}"));
                    // A jar that was there may be a broken one: it is pushed again for the next attempt.
                    return Err(if anew {
                        NoAgent::Never(error)
                    } else {
                        NoAgent::Now(error)
                    });
                }
                n => said.extend_from_slice(&piece[..n]),
            }
        }
        let socket = handle.socket(&socket).map_err(NoAgent::on_the_way)?;
        let mut link =
            Link::new(socket, watch.interrupt()).map_err(|e| NoAgent::Now(DeviceError::Io(e)))?;
        match link.greet(&token, Instant::now() + START) {
            Ok(_) => {}
            Err(LinkError::Fatal(text)) => return Err(NoAgent::Never(DeviceError::Setup(text))),
            Err(error) => return Err(NoAgent::Now(failure(error))),
        }
        Ok(Self {
            link,
            shell: shell.into_stream(),
            nodes: Arc::default(),
        })
    }

    /// Performs an input and waits until the screen rests.
    ///
    /// # Errors
    /// A widget that is gone; an agent that is.
    pub fn step(
        &mut self,
        action: &Action,
        settle_ms: u32,
        limit: Duration,
    ) -> Result<Look, DeviceError> {
        let id = self.link.next_id();
        let request = Request::Step {
            id,
            action,
            settle_ms,
        };
        self.call(&request, limit)
    }

    /// Looks at the screen.
    ///
    /// # Errors
    /// An agent that is gone.
    pub fn observe(&mut self, limit: Duration) -> Result<Look, DeviceError> {
        let id = self.link.next_id();
        let full = self.nodes.is_empty();
        self.call(&Request::Observe { id, full }, limit)
    }

    fn call(&mut self, request: &Request<'_>, limit: Duration) -> Result<Look, DeviceError> {
        let answer: Incoming = self
            .link
            .call(
                request,
                Patience {
                    total: limit,
                    blocked: NEVER,
                },
            )
            .map_err(failure)?;
        let obs = answer
            .obs
            .ok_or_else(|| DeviceError::Protocol("a response without an observation".to_owned()))?;
        Ok(self.look(obs))
    }

    fn look(&mut self, obs: Obs) -> Look {
        if let Some(nodes) = obs.page {
            self.nodes = Arc::new(nodes);
        }
        Look {
            alive: obs.alive,
            nodes: Some(self.nodes.clone()),
            package: obs.front,
            activity: obs.activity,
            rotation: obs.rotation,
            screen: obs.screen,
            pids: obs.pids,
            visited: obs.visited,
            toasts: obs.toasts,
            settled: obs.settled,
        }
    }
}

impl Drop for Agent {
    fn drop(&mut self) {
        // The agent ends when its connection does; its shell is closed too, in case it hangs.
        let _ = self.shell.shutdown(Shutdown::Both);
    }
}

/// Puts the jar on the device where it is not there, or `anew`.
fn push(handle: &Handle, jar: &Path, anew: bool) -> Result<String, NoAgent> {
    let name = jar
        .parent()
        .and_then(Path::file_name)
        .map(|n| n.to_string_lossy().into_owned());
    let to = format!(
        "/data/local/tmp/droidtest-agent-{}.jar",
        name.unwrap_or_default()
    );
    let there = handle
        .shell(&command(["ls", &to]), PUSH)
        .map_err(NoAgent::on_the_way)?;
    if there.code == 0 && !anew {
        return Ok(to);
    }
    let file = std::fs::File::open(jar).map_err(|e| NoAgent::Never(DeviceError::Io(e)))?;
    // Under its name it is complete: a push can be cut off anywhere.
    let new = format!("{to}.new");
    let pushed = handle.push(file, &new, 0o644, PUSH);
    let done = pushed.and_then(|_| handle.run(&command(["mv", &new, &to]), PUSH));
    if let Err(error) = done {
        let _ = handle.closing().shell(&command(["rm", "-f", &new]), ANSWER);
        return Err(NoAgent::on_the_way(error));
    }
    Ok(to)
}

fn died(message: &str) -> DeviceError {
    DeviceError::Died {
        message: message.to_owned(),
        out_of_memory: false,
        in_app: false,
    }
}

fn failure(error: LinkError) -> DeviceError {
    match error {
        LinkError::Refused(failure) => match failure.code.as_str() {
            "stale-widget" => DeviceError::StaleWidget,
            code => DeviceError::Protocol(format!("{code}: {}", failure.message)),
        },
        LinkError::Deadline => DeviceError::Timeout {
            what: "the agent to answer".to_owned(),
            seconds: START.as_secs(),
        },
        LinkError::Interrupted => DeviceError::Interrupted,
        LinkError::Garbage(what) => DeviceError::Protocol(what),
        LinkError::Fatal(text) => died(&text),
        LinkError::Closed => died("the agent is gone"),
        LinkError::Blocked { .. } => died("the agent says that it is blocked"),
    }
}
