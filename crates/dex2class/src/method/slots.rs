//! Slots of local variables: one for each register and kind, numbered in the end by how often they are used.

use super::kinds::Kind;
use rustc_hash::FxHashMap;

struct Slot {
    register: u16,
    kind: Kind,
    /// Loads and stores.
    count: u32,
    /// When it was stored to last.
    stored: u32,
}

/// The local variables of a method. While it is written they have provisional numbers in the order of first use.
#[derive(Default)]
pub struct Slots {
    by_register: FxHashMap<(u16, Kind), u16>,
    all: Vec<Slot>,
    parameters: usize,
    /// Slots that parameters take.
    parameter_slots: u16,
}

impl Slots {
    /// With the registers and kinds of parameters, in order.
    pub fn new(parameters: &[(u16, Kind)]) -> Self {
        let mut slots = Self::default();
        for &(register, kind) in parameters {
            slots.of(register, kind);
            slots.parameter_slots += kind.slots();
        }
        slots.parameters = slots.all.len();
        slots
    }

    /// The slot of a register for values of a kind.
    pub fn of(&mut self, register: u16, kind: Kind) -> u16 {
        let next = u16::try_from(self.all.len()).unwrap_or(u16::MAX);
        let all = &mut self.all;
        *self.by_register.entry((register, kind)).or_insert_with(|| {
            all.push(Slot {
                register,
                kind,
                count: 0,
                stored: 0,
            });
            next
        })
    }

    /// The slot, if there is one already.
    pub fn known(&self, register: u16, kind: Kind) -> Option<u16> {
        self.by_register.get(&(register, kind)).copied()
    }

    /// Counts a load or store.
    pub fn count(&mut self, slot: u16) {
        self.all[usize::from(slot)].count += 1;
    }

    /// Notes when a slot was stored to.
    pub fn note_store(&mut self, slot: u16, time: u32) {
        self.all[usize::from(slot)].stored = time;
    }

    /// When a slot was stored to last.
    pub fn last_store(&self, slot: u16) -> u32 {
        self.all[usize::from(slot)].stored
    }

    /// Whether more slots were asked for than there are numbers.
    pub fn too_many(&self) -> bool {
        self.all.len() >= usize::from(u16::MAX) / 2
    }

    /// How many slots there are.
    pub fn len(&self) -> u16 {
        u16::try_from(self.all.len()).unwrap_or(u16::MAX)
    }

    /// Slots in use of registers that have several of one size, for each such register; parameters come first.
    pub fn alternatives(&self) -> Vec<Vec<u16>> {
        let used = |&slot: &u16| {
            let ix = usize::from(slot);
            ix < self.parameters || self.all[ix].count > 0
        };
        let mut order: Vec<u16> = (0..self.len()).filter(used).collect();
        let place = |slot: u16| {
            let found = &self.all[usize::from(slot)];
            (found.register, found.kind.slots())
        };
        order.sort_by_key(|&slot| place(slot));
        let groups = order.chunk_by(|&one, &other| place(one) == place(other));
        groups
            .filter(|g| g.len() > 1)
            .map(<[u16]>::to_vec)
            .collect()
    }

    /// Final numbers by provisional ones, and how many slots there are. Parameters stay where callers put them; of the
    /// others those used most come first, where loads and stores are shorter. A slot has the number of its owner, which
    /// comes before it.
    pub fn numbered(&self, owners: &[u16]) -> (Vec<u16>, u16) {
        let mut counts = vec![0_u32; self.all.len()];
        for (slot, &owner) in self.all.iter().zip(owners) {
            counts[usize::from(owner)] += slot.count;
        }
        let owns = |&ix: &usize| usize::from(owners[ix]) == ix;
        let mut order: Vec<usize> = (self.parameters..self.all.len()).filter(owns).collect();
        order.sort_by_key(|&ix| (std::cmp::Reverse(counts[ix]), ix));
        let mut numbers = vec![0; self.all.len()];
        let mut next = 0_u16;
        for (ix, number) in numbers.iter_mut().enumerate().take(self.parameters) {
            *number = next;
            next += self.all[ix].kind.slots();
        }
        for ix in order {
            if counts[ix] == 0 {
                // Named somewhere but never used: no room is made.
                numbers[ix] = u16::MAX;
                continue;
            }
            numbers[ix] = next;
            next += self.all[ix].kind.slots();
        }
        for ix in 0..numbers.len() {
            numbers[ix] = numbers[usize::from(owners[ix])];
        }
        (numbers, next)
    }
}
