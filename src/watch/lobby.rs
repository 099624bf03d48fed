//! Connections that have not shown the token: few at a time, so that they cannot keep the page's own out.

use std::collections::VecDeque;
use std::io;
use std::net::{Shutdown, TcpStream};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Such connections at a time; a browser opens a few ahead.
const MOST: usize = 16;

/// Those that wait, the oldest first, each with its number.
#[derive(Debug, Default)]
pub struct Lobby(Mutex<(u64, VecDeque<(u64, TcpStream)>)>);

impl Lobby {
    fn waiting(&self) -> MutexGuard<'_, (u64, VecDeque<(u64, TcpStream)>)> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// One more; its number. If there are too many then, the oldest is closed.
    ///
    /// # Errors
    /// The system has no handle left for it.
    pub fn enter(&self, stream: &TcpStream) -> io::Result<u64> {
        let stream = stream.try_clone()?;
        let mut waiting = self.waiting();
        if waiting.1.len() == MOST
            && let Some((_, oldest)) = waiting.1.pop_front()
        {
            // Whoever reads from it sees its end.
            let _ = oldest.shutdown(Shutdown::Both);
        }
        waiting.0 += 1;
        let number = waiting.0;
        waiting.1.push_back((number, stream));
        Ok(number)
    }

    /// This one has shown the token, or has ended.
    pub fn leave(&self, number: u64) {
        self.waiting().1.retain(|(other, _)| *other != number);
    }
}
