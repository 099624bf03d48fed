//! A stream without secrets, also those that come in two pieces.

use super::{Redactor, without};

/// Bytes that one letter of a secret takes at most, however it is spelled: four bytes, each as `%252541`.
const LONGEST_LETTER: usize = 32;

/// Bytes go in as they come; they come out when no secret can start in them any more that is not complete yet.
#[derive(Debug)]
pub struct Stream {
    redactor: Redactor,
    held: Vec<u8>,
}

impl Stream {
    /// Nothing held yet.
    pub fn new(redactor: Redactor) -> Self {
        Self {
            redactor,
            held: Vec::new(),
        }
    }

    /// What can be written now.
    pub fn pass(&mut self, bytes: &[u8]) -> Vec<u8> {
        let reach = self.redactor.reach(LONGEST_LETTER);
        if reach == 0 {
            return bytes.to_vec();
        }
        self.held.extend_from_slice(bytes);
        let free = self.held.len().saturating_sub(reach);
        self.give(free)
    }

    /// What was held at the end.
    pub fn rest(&mut self) -> Vec<u8> {
        self.give(self.held.len())
    }

    fn give(&mut self, upto: usize) -> Vec<u8> {
        if upto == 0 {
            return Vec::new();
        }
        let mut places = self.redactor.places(&self.held);
        // One that continues behind the end stays as a whole: it may be longer with what comes.
        let cut = places.iter().find(|p| p.start < upto && upto < p.end);
        let upto = cut.map_or(upto, |place| place.start);
        places.retain(|place| place.end <= upto);
        let behind = self.held.split_off(upto);
        let given = without(&self.held, &places);
        self.held = behind;
        given
    }
}
