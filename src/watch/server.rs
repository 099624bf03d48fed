//! The server of the live view: the page, streams of server-sent events, pictures, and what a person asks for.

use super::Sessions;
use super::http::{self, Door, Rejected, Request};
use super::lobby::Lobby;
use super::save::save;
use crate::explore::hand::{Act, Refused};
use crate::gui::ExactId;
use crate::run::demonstration::{Form, NotKept};
use data_encoding::HEXLOWER;
use rand::RngExt as _;
use serde::Deserialize;
use std::io::{self, Write as _};
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// The page; `{{ nonce }}` is where its content security policy wants the nonce.
const PAGE: &str = include_str!("../../templates/live.html");
/// Connections that have shown the token, at a time.
const CONNECTIONS: usize = 64;
/// How often streams look for something new, and how long they are silent at most.
const TICK: Duration = Duration::from_millis(100);
const SILENCE: Duration = Duration::from_secs(1);
/// How long the end of a run waits for browsers to take the last message.
const FAREWELL: Duration = Duration::from_secs(2);
/// What the browser may do with everything but the page.
const NOTHING: &str = "default-src 'none'; frame-ancestors 'none'";

/// What a person asks a session for.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", tag = "wish", deny_unknown_fields)]
enum Wish {
    Pause,
    Resume,
    /// One event of the strategy.
    Step,
    Act {
        /// The page that the person saw.
        page: ExactId,
        act: Act,
    },
    /// Saves what a person has done.
    Save {
        to: Form,
    },
    /// Answers a script's question; `None`: there is no answer.
    Answer {
        question: u64,
        answer: Option<String>,
    },
}

/// What all connections share.
struct Shared {
    sessions: Arc<Sessions>,
    door: Door,
    over: AtomicBool,
    lobby: Lobby,
    /// Connections that have shown the token.
    open: AtomicUsize,
}

/// The place of such a connection.
struct Place<'a>(&'a AtomicUsize);

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Ends when dropped.
pub struct Server {
    shared: Arc<Shared>,
}

impl Server {
    pub(super) fn start(sessions: Arc<Sessions>, port: u16) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        let token: [u8; 16] = rand::rng().random();
        let shared = Arc::new(Shared {
            sessions,
            door: Door {
                host: listener.local_addr()?.to_string(),
                token: HEXLOWER.encode(&token),
            },
            over: AtomicBool::new(false),
            lobby: Lobby::default(),
            open: AtomicUsize::new(0),
        });
        let serving = Arc::clone(&shared);
        thread::Builder::new()
            .name("live-view".into())
            .spawn(move || serve(&listener, &serving))?;
        Ok(Self { shared })
    }

    pub(super) fn url(&self) -> String {
        let Door { host, token } = &self.shared.door;
        format!("http://{host}/{token}/")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.shared.over.store(true, Ordering::Relaxed);
        let until = Instant::now() + FAREWELL;
        while self.shared.open.load(Ordering::Relaxed) > 0 && Instant::now() < until {
            thread::sleep(TICK / 10);
        }
        // Wakes the listener, which then sees that it is over.
        let _ = TcpStream::connect(&self.shared.door.host);
    }
}

fn serve(listener: &TcpListener, shared: &Arc<Shared>) {
    for stream in listener.incoming() {
        if shared.over.load(Ordering::Relaxed) {
            break;
        }
        let Ok(mut stream) = stream else { continue };
        let Ok(number) = shared.lobby.enter(&stream) else {
            continue;
        };
        let own = Arc::clone(shared);
        let started = thread::Builder::new()
            .name("live-browser".into())
            .spawn(move || {
                // A browser that is gone or too slow loses its connection, nothing else.
                let _ = own.talk(&mut stream, number);
                own.lobby.leave(number);
                let _ = stream.shutdown(Shutdown::Both);
            });
        if started.is_err() {
            shared.lobby.leave(number);
        }
    }
}

fn refuse(stream: &mut TcpStream, Rejected(status, why): Rejected) -> io::Result<()> {
    http::answer(
        stream,
        status,
        ("text/plain; charset=utf-8", NOTHING),
        why.as_bytes(),
    )
}

impl Shared {
    fn place(&self) -> Result<Place<'_>, Rejected> {
        let place = Place(&self.open);
        match self.open.fetch_add(1, Ordering::Relaxed) {
            0..CONNECTIONS => Ok(place),
            _ => Err(Rejected(503, "too many connections")),
        }
    }

    /// Answers the connection of this number in the lobby.
    fn talk(&self, stream: &mut TcpStream, number: u64) -> io::Result<()> {
        let mut place = None;
        let admitted = || {
            self.lobby.leave(number);
            place = Some(self.place()?);
            Ok(())
        };
        let request = match self.door.read(stream, admitted) {
            Ok(request) => request,
            Err(rejected) => return refuse(stream, rejected),
        };
        let parts: Vec<_> = request.path.split('/').collect();
        match (request.post, parts.as_slice()) {
            (false, [""]) => page(stream),
            (false, ["fleet"]) => self.fleet(stream),
            (post, [what, number]) => {
                let ix = number
                    .parse::<usize>()
                    .ok()
                    .filter(|ix| *ix < self.sessions.all.len());
                match (post, *what, ix) {
                    (false, "session", Some(ix)) => {
                        let hand = &self.sessions.all[ix].hand;
                        hand.watch(true);
                        let done = self.session(stream, ix, request.last_event);
                        hand.watch(false);
                        done
                    }
                    (true, "session", Some(ix)) => self.wish(stream, ix, &request),
                    (false, "picture", Some(ix)) => self.picture(stream, ix),
                    _ => refuse(stream, NOT_THERE),
                }
            }
            _ => refuse(stream, NOT_THERE),
        }
    }

    /// All sessions, whenever anything changes.
    fn fleet(&self, stream: &mut TcpStream) -> io::Result<()> {
        let mut last = String::new();
        self.stream(stream, |due| {
            let cards = self.sessions.fleet()?;
            let same = cards == last;
            last.clone_from(&cards);
            Ok((!same || due).then_some((None, cards)))
        })
    }

    /// One session, from behind the step that the browser has seen last.
    fn session(&self, stream: &mut TcpStream, ix: usize, after: Option<u64>) -> io::Result<()> {
        let mut seen = (after.unwrap_or_default(), 0);
        let mut last = None;
        self.stream(stream, |due| {
            let version = self.sessions.version(ix);
            if last.replace(version) == Some(version) && !due {
                return Ok(None);
            }
            let (text, now) = self.sessions.message(ix, seen)?;
            seen = now;
            Ok(Some((Some(seen.0), text)))
        })
    }

    /// Sends what `next` gives, with its id, until the run is over or the browser is gone; `due`: it has been silent for
    /// too long.
    fn stream(
        &self,
        stream: &mut TcpStream,
        mut next: impl FnMut(bool) -> io::Result<Option<(Option<u64>, String)>>,
    ) -> io::Result<()> {
        http::begin(stream, 200, ("text/event-stream", NOTHING), "")?;
        let mut sent = None;
        loop {
            let over = self.over.load(Ordering::Relaxed);
            let due = over || sent.is_none_or(|at: Instant| at.elapsed() >= SILENCE);
            if let Some((id, data)) = next(due)? {
                let id = id.map_or_else(String::new, |id| format!("id: {id}\n"));
                stream.write_all(format!("{id}data: {data}\n\n").as_bytes())?;
                sent = Some(Instant::now());
            }
            if over {
                return stream.write_all(b"event: over\ndata: {}\n\n");
            }
            thread::sleep(TICK);
        }
    }

    fn picture(&self, stream: &mut TcpStream, ix: usize) -> io::Result<()> {
        let picture = self.sessions.all[ix].sight().picture();
        match picture {
            Some(png) => http::answer(stream, 200, ("image/png", NOTHING), &png),
            None => refuse(stream, Rejected(404, "there is no picture of the screen")),
        }
    }

    /// Does what a person asks for, and answers when it is done.
    fn wish(&self, stream: &mut TcpStream, ix: usize, request: &Request) -> io::Result<()> {
        let hand = &self.sessions.all[ix].hand;
        let wish: Wish = match serde_json::from_slice(&request.body) {
            Ok(wish) => wish,
            Err(_) => {
                return refuse(
                    stream,
                    Rejected(400, "the live view does not know this request"),
                );
            }
        };
        let done = match wish {
            Wish::Pause => hand.pause().map_err(refused),
            Wish::Resume => hand.resume(false).map_err(refused),
            Wish::Step => hand.resume(true).map_err(refused),
            Wish::Act { page, act } => hand.act(act, page).map_err(refused),
            Wish::Answer { question, answer } => self.answer(ix, question, answer),
            Wish::Save { to } => match self.save(ix, to) {
                Ok(saved) => {
                    let kind = ("application/json", NOTHING);
                    return http::answer(stream, 200, kind, &saved);
                }
                Err(why) => Err(why),
            },
        };
        let (status, said) = match done {
            Ok(()) => (200, "done".to_owned()),
            Err(why) => why,
        };
        let plain = ("text/plain; charset=utf-8", NOTHING);
        http::answer(stream, status, plain, said.as_bytes())
    }

    fn answer(&self, ix: usize, question: u64, answer: Option<String>) -> Result<(), Unfulfilled> {
        let answer = answer.filter(|answer| !answer.is_empty());
        if (answer.iter()).any(|answer| answer.contains(char::is_control)) {
            return Err((409, "an answer is one line of text".to_owned()));
        }
        let asked = self.sessions.all[ix].sight().question(question);
        match asked.is_some_and(|question| question.answer(answer)) {
            true => Ok(()),
            false => Err((409, "the question is closed".to_owned())),
        }
    }

    /// Saves a person's demonstration; what was saved, in JSON.
    fn save(&self, ix: usize, to: Form) -> Result<Vec<u8>, Unfulfilled> {
        let keeper = self.sessions.all[ix].keeper.get();
        let saved = keeper
            .ok_or(NotKept::Nothing)
            .and_then(|keeper| save(keeper, to));
        match saved {
            Ok(saved) => serde_json::to_vec(&saved).map_err(|why| (500, why.to_string())),
            Err(why @ NotKept::Nothing) => Err((409, why.to_string())),
            Err(why @ NotKept::Failed(_)) => Err((500, why.to_string())),
        }
    }
}

/// The status, and why a request is not fulfilled.
type Unfulfilled = (u16, String);

fn refused(why: Refused) -> Unfulfilled {
    let status = if why == Refused::Slow { 504 } else { 409 };
    (status, why.to_string())
}

const NOT_THERE: Rejected = Rejected(404, "there is nothing at this address");

fn page(stream: &mut TcpStream) -> io::Result<()> {
    let nonce: [u8; 16] = rand::rng().random();
    let nonce = HEXLOWER.encode(&nonce);
    let policy = format!(
        "default-src 'none'; connect-src 'self'; img-src 'self'; style-src 'nonce-{nonce}'; \
         script-src 'nonce-{nonce}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    );
    let page = PAGE.replace("{{ nonce }}", &nonce);
    http::answer(
        stream,
        200,
        ("text/html; charset=utf-8", &policy),
        page.as_bytes(),
    )
}
