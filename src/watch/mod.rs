//! The live view of a run (`run --live`): a page on this machine that shows each session, and lets a person take over.
//!
//! It observes the run as the live lines do. What a session reports is added up under a short lock; browsers read the
//! sums at their own pace, so that a slow or vanished one never holds up a session.

mod http;
mod light;
mod lobby;
mod save;
mod server;
mod sight;

use self::server::Server;
use self::sight::Sight;
use crate::explore::asks::{Asks, Question};
use crate::explore::hand::Control;
use crate::explore::{Counts, Hand};
use crate::outcome::RunEvent;
use crate::outcome::run_event::EndReason;
use crate::report::console;
use crate::report::progress::Named;
use crate::run::demonstration::Keeper;
use crate::run::observer::{Observer, Phase};
use crate::run::screen::Screen;
use crate::util::untrusted::Folder;
use std::fmt::Write as _;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use tempfile::TempDir;

/// Largest picture of a screen, in bytes.
const PICTURE: u64 = 8 << 20;

/// The sessions, as they are seen.
#[derive(Debug)]
struct Sessions {
    all: Vec<Session>,
    /// The pictures of screens.
    folder: TempDir,
}

#[derive(Debug)]
struct Session {
    sight: Mutex<Sight>,
    hand: Arc<Hand>,
    /// Once it has started.
    keeper: OnceLock<Keeper>,
}

impl Session {
    fn sight(&self) -> MutexGuard<'_, Sight> {
        self.sight.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A run's live view. Its server ends when it is dropped.
pub struct Watch {
    sessions: Arc<Sessions>,
    server: Server,
    asks: bool,
}

impl Watch {
    /// Serves the page on 127.0.0.1 at this port; 0: any free one. With `paused`, every session waits for a person before
    /// its first event; with `asks`, the questions of scripts are answered in the page.
    ///
    /// # Errors
    /// The port cannot be used.
    pub fn start(named: Vec<Named>, port: u16, (paused, asks): (bool, bool)) -> io::Result<Self> {
        let folder = tempfile::tempdir()?;
        let session = |(ix, named): (usize, Named)| Session {
            sight: Mutex::new(Sight::new(named.name, named.budget.events)),
            hand: Arc::new(Hand::new(paused, folder.path().join(picture(ix)))),
            keeper: OnceLock::new(),
        };
        let all = named.into_iter().enumerate().map(session).collect();
        let sessions = Arc::new(Sessions { all, folder });
        Ok(Self {
            server: Server::start(Arc::clone(&sessions), port)?,
            sessions,
            asks,
        })
    }

    /// The page's address, with the token.
    pub fn url(&self) -> String {
        self.server.url()
    }

    fn sight(&self, session: usize) -> MutexGuard<'_, Sight> {
        self.sessions.all[session].sight()
    }
}

fn picture(session: usize) -> PathBuf {
    format!("{session}.png").into()
}

impl Observer for Watch {
    fn started(&self, session: usize) {
        self.sight(session).phase("starts".to_owned());
    }

    fn phase(&self, session: usize, phase: Phase<'_>) {
        self.sight(session).phase(match phase {
            Phase::Building => "builds the app".to_owned(),
            Phase::Preparing { what, .. } => what.to_owned(),
            Phase::Starting => "starts the device".to_owned(),
        });
    }

    fn counts(&self, session: usize, counts: &Counts) {
        self.sight(session).counts(*counts);
    }

    fn event(&self, session: usize, event: &RunEvent) {
        self.sight(session).take(event);
    }

    fn shown(&self, session: usize, screen: Screen) {
        let read = || Folder::open(self.sessions.folder.path())?.read(&picture(session), PICTURE);
        let picture = screen.picture.then(read).and_then(Result::ok);
        self.sight(session).shown(screen, picture.map(Arc::new));
    }

    fn hand(&self, session: usize) -> Option<Arc<Hand>> {
        Some(Arc::clone(&self.sessions.all[session].hand))
    }

    fn keeper(&self, session: usize, keeper: Keeper) {
        let _ = self.sessions.all[session].keeper.set(keeper);
    }

    fn asks(&self) -> Vec<Arc<dyn Asks>> {
        let here = || Arc::clone(&self.sessions) as Arc<dyn Asks>;
        self.asks.then(here).into_iter().collect()
    }

    fn ended(&self, session: usize, done: Result<EndReason, &str>) {
        self.sessions.all[session].hand.end();
        let phase = match done {
            Ok(reason) => {
                let (_, word, why) = console::ended(reason);
                let mut phase = word.to_lowercase();
                if !why.is_empty() {
                    let _ = write!(phase, ": {why}");
                }
                phase
            }
            Err(why) => format!("failed: {why}"),
        };
        self.sight(session).end(phase);
    }
}

impl Asks for Sessions {
    fn ask(&self, question: &Arc<Question>) {
        let asks = |session: &&Session| session.sight().name() == question.session();
        let Some(session) = self.all.iter().find(asks) else {
            return;
        };
        session.sight().asks(Some(Arc::clone(question)));
        while question.wait() {}
        session.sight().asks(None);
    }
}

impl Sessions {
    /// All sessions in one line of JSON.
    fn fleet(&self) -> serde_json::Result<String> {
        let mut cards = Vec::with_capacity(self.all.len());
        for session in &self.all {
            let control = session.hand.control();
            cards.push(serde_json::to_value(session.sight().card(control))?);
        }
        serde_json::to_string(&cards)
    }

    /// One session in one line of JSON, for a browser that has seen so many steps and screens; with the steps and screens
    /// so far.
    fn message(
        &self,
        ix: usize,
        (steps, screens): (u64, u64),
    ) -> serde_json::Result<(String, (u64, u64))> {
        let session = &self.all[ix];
        let control = session.hand.control();
        let sight = session.sight();
        let text = serde_json::to_string(&sight.message(control, steps, screens))?;
        Ok((text, sight.seen()))
    }

    /// What changes with every change of a session.
    fn version(&self, ix: usize) -> (u64, Control) {
        let session = &self.all[ix];
        let version = session.sight().version();
        (version, session.hand.control())
    }
}
