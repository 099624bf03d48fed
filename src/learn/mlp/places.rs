//! Which places of a network's first layer have a row of weights, and what the rows of the others are.
//!
//! A model of a hundred thousand screens has places for all of them, of which a run meets some hundreds. With a row for
//! each in every network, its optimiser and its target one run took 1.3 GB. A place gets its row when it is first on;
//! until then its weights are what was drawn for it, which is known by where in the generator's stream that was. So the
//! numbers are those of networks that have all rows.

use crate::util::seed::Rng;
use rand::RngExt as _;
use std::borrow::Cow;

/// No row.
const NONE: u32 = u32::MAX;

/// Places of a network. Rows are counted in the order in which they were given out.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Places {
    /// By place: its row.
    rows: Vec<u32>,
    /// By row: its place.
    order: Vec<u32>,
    /// Of places without a row: what was drawn for them, in the order of places.
    draws: Vec<Draw>,
}

/// What was drawn for some places at once.
#[derive(Clone, Debug, PartialEq)]
struct Draw {
    first: usize,
    end: usize,
    /// How many of them have no row.
    missing: usize,
    /// As it was before.
    rng: Rng,
}

/// How rows are drawn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Width {
    /// Weights of a row.
    pub len: usize,
    /// They are drawn evenly between this and its negative.
    pub limit: f32,
}

impl Places {
    /// So many places, each with the row of its number.
    pub fn all(count: usize) -> Self {
        let rows: Vec<u32> = (0..u32::try_from(count).unwrap_or(NONE)).collect();
        Self {
            order: rows.clone(),
            rows,
            draws: Vec::new(),
        }
    }

    /// All places, with a row or without.
    pub const fn len(&self) -> usize {
        self.rows.len()
    }

    /// The places that have a row, by row.
    pub fn order(&self) -> &[u32] {
        &self.order
    }

    /// A place's row.
    pub fn row(&self, place: u32) -> Option<usize> {
        let row = self.rows.get(place as usize).copied();
        row.filter(|row| *row != NONE).map(|row| row as usize)
    }

    /// Makes room for so many places. What is drawn for new ones is passed over in the stream, and known from now on.
    pub fn extend(&mut self, count: usize, width: Width, rng: &mut Rng) {
        let first = self.len();
        let missing = count.saturating_sub(first);
        if missing == 0 {
            return;
        }
        self.draws.push(Draw {
            first,
            end: count,
            missing,
            rng: rng.clone(),
        });
        self.rows.resize(count, NONE);
        rng.set_word_pos(rng.get_word_pos() + words(missing, width));
    }

    /// Takes over the places that another network has more.
    pub fn extend_as(&mut self, other: &Self) {
        let known = self.len();
        let new = other.draws.iter().filter(|draw| draw.first >= known);
        let new = new.map(|draw| Draw {
            // None of them has a row here yet.
            missing: draw.end - draw.first,
            ..draw.clone()
        });
        self.draws.extend(new);
        self.rows.resize(other.len().max(known), NONE);
    }

    /// What was drawn for a place that has no row; `None`: it is not known.
    pub fn drawn(&self, place: u32, width: Width) -> Option<Vec<f32>> {
        let place = place as usize;
        let at = self.draws.partition_point(|draw| draw.end <= place);
        let draw = self.draws.get(at).filter(|draw| draw.first <= place)?;
        let mut rng = draw.rng.clone();
        rng.set_word_pos(rng.get_word_pos() + words(place - draw.first, width));
        let weight = || (rng.random::<f32>() * 2.0 - 1.0) * width.limit;
        Some(std::iter::repeat_with(weight).take(width.len).collect())
    }

    /// Gives a place the next row.
    pub fn give(&mut self, place: u32) {
        let Some(row) = self.rows.get_mut(place as usize) else {
            return;
        };
        *row = u32::try_from(self.order.len()).unwrap_or(NONE);
        self.order.push(place);
        let at = self
            .draws
            .partition_point(|draw| draw.end <= place as usize);
        if let Some(draw) = self.draws.get_mut(at)
            && draw.first <= place as usize
        {
            draw.missing -= 1;
            if draw.missing == 0 {
                self.draws.remove(at);
            }
        }
    }

    /// A place's weights among those of all rows; `None`: there is no such place.
    pub fn weights<'w>(&self, place: u32, width: Width, rows: &'w [f32]) -> Option<Cow<'w, [f32]>> {
        match self.row(place) {
            Some(row) => rows
                .get(row * width.len..(row + 1) * width.len)
                .map(Cow::Borrowed),
            None => self.drawn(place, width).map(Cow::Owned),
        }
    }
}

/// A number takes a word of the stream.
const fn words(places: usize, width: Width) -> u128 {
    places as u128 * width.len as u128
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::util::seed::generator;

    const WIDTH: Width = Width { len: 3, limit: 0.5 };

    #[test]
    fn what_is_drawn_later_is_what_would_have_been_drawn_at_once() {
        // Wherever in its stream the generator stands.
        for skipped in 0..70 {
            let mut rng = generator(1, "places", "", 0);
            for _ in 0..skipped {
                let _: f32 = rng.random();
            }
            let mut eager = rng.clone();
            let wanted: Vec<f32> =
                std::iter::repeat_with(|| (eager.random::<f32>() * 2.0 - 1.0) * 0.5)
                    .take(90)
                    .collect();
            let mut places = Places::default();
            places.extend(20, WIDTH, &mut rng);
            places.extend(30, WIDTH, &mut rng);
            assert_eq!(rng.random::<u64>(), eager.random::<u64>(), "{skipped}");
            for place in [29_u32, 0, 7, 20, 19] {
                let at = place as usize * 3;
                assert_eq!(places.drawn(place, WIDTH).unwrap(), wanted[at..at + 3]);
                places.give(place);
            }
            assert_eq!(places.order(), [29, 0, 7, 20, 19]);
            assert!(places.drawn(30, WIDTH).is_none());
        }
    }

    #[test]
    fn draws_of_which_nothing_is_left_are_forgotten() {
        let mut rng = generator(1, "places", "", 0);
        let mut places = Places::default();
        for count in 1..200 {
            places.extend(count, WIDTH, &mut rng);
            places.give(u32::try_from(count - 1).unwrap());
        }
        assert!(places.draws.is_empty());
        assert_eq!(places, Places::all(199));
    }
}
