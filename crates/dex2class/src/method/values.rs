//! Registers split into values: each definition, and each join of several, is a value of its own.
//!
//! Where a block has one way in, the values of its registers are those at the end of the block before. Elsewhere each
//! live register gets an entry value into which the values of all ways flow (SSA form with a join for every live
//! register, without the search for the places that need one).

use super::Reason;
use super::decode::Body;
use super::flow::Flow;
use super::instruction::{NONE, Op};
use super::live::{Live, each_definition};
use super::uninit::Uninit;

/// Ways on which values flow into entry values, at most. Of handlers there is one from
/// each block of the `try`.
const MOST_FLOWS: usize = 1 << 20;

/// Number of a value.
pub type ValueId = u32;
/// No value: the register was not defined on every way.
pub const UNDEFINED: ValueId = u32::MAX;

/// Where a value comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// A parameter, by its position; `this` is the first.
    Parameter(u16),
    /// An instruction.
    Instruction(u32),
    /// The beginning of a block.
    Entry(u32),
}

/// A value.
#[derive(Clone, Copy, Debug)]
pub struct Value {
    /// Its register.
    pub register: u16,
    /// Where it comes from.
    pub origin: Origin,
    /// The block (before blocks were cut finer) of its origin.
    pub head: u32,
    /// How often instructions use it, at most 255.
    pub uses: u8,
    /// Whether an instruction of another block uses it.
    pub crosses: bool,
}

/// Pairs of values grouped by the first.
pub struct Edges {
    starts: Vec<u32>,
    to: Vec<ValueId>,
}

impl Edges {
    /// `by` gives the two of a pair, the one it is grouped by first.
    fn new(
        count: usize,
        pairs: &[(ValueId, ValueId)],
        by: impl Fn(&(ValueId, ValueId)) -> (ValueId, ValueId),
    ) -> Self {
        let mut ends = vec![0_u32; count + 1];
        for pair in pairs {
            ends[by(pair).0 as usize] += 1;
        }
        let mut sum = 0;
        for end in &mut ends {
            sum += *end;
            *end = sum;
        }
        // From the last one down, so that each group keeps the order and its end becomes its start.
        let mut to = vec![0; pairs.len()];
        for pair in pairs.iter().rev() {
            let (from, other) = by(pair);
            let end = &mut ends[from as usize];
            *end -= 1;
            to[*end as usize] = other;
        }
        Self { starts: ends, to }
    }

    /// Values paired with this one.
    pub fn of(&self, value: ValueId) -> &[ValueId] {
        let from = self.starts[value as usize] as usize;
        let to = self.starts[value as usize + 1] as usize;
        &self.to[from..to]
    }
}

/// All values of a method.
pub struct Values {
    /// Values by number.
    pub all: Vec<Value>,
    /// The value of each use, in parallel with [`Body::regs`].
    pub of_use: Vec<ValueId>,
    /// Values that instructions define, by instruction and register; most define one.
    definitions: Vec<(u32, u16, ValueId)>,
    /// Values of live registers where each block begins.
    entries: Lists,
    /// What flows into entry values and copies.
    pub flows: Edges,
    /// The same, the other way round.
    pub sources: Edges,
    /// Entry values into which an undefined register flows.
    pub undefined: Vec<ValueId>,
}

impl Values {
    /// Splits the registers. `parameters` are the registers of `this` and the parameters.
    ///
    /// # Errors
    /// [`Reason::TooLarge`] beyond [`MOST_FLOWS`].
    pub fn of(
        body: &Body<'_>,
        flow: &Flow,
        live: &Live,
        uninit: &Uninit,
        parameters: &[u16],
    ) -> Result<Self, Reason> {
        Builder {
            body,
            flow,
            uninit,
            current: vec![UNDEFINED; usize::from(body.registers)],
            stamps: vec![u32::MAX; usize::from(body.registers)],
            all: Vec::with_capacity(body.ins.len()),
            of_use: vec![UNDEFINED; body.regs.len()],
            definitions: Vec::with_capacity(body.ins.len()),
            entries: Lists::default(),
            ends: Lists::default(),
            pairs: Vec::with_capacity(body.ins.len()),
            undefined: Vec::new(),
            defined: Vec::new(),
        }
        .build(live, parameters)
    }

    /// The value that an instruction defines in a register.
    pub fn defined(&self, ix: u32, register: u16) -> Option<ValueId> {
        let from = self.definitions.partition_point(|d| d.0 < ix);
        self.definitions[from..]
            .iter()
            .take_while(|d| d.0 == ix)
            .find(|d| d.1 == register)
            .map(|d| d.2)
    }

    /// Values of live registers where a block begins, by register.
    pub fn entries(&self, block: u32) -> &[(u16, ValueId)] {
        self.entries.in_block(block)
    }
}

/// Values by register, for each block.
#[derive(Default)]
struct Lists {
    all: Vec<(u16, ValueId)>,
    ends: Vec<u32>,
}

impl Lists {
    /// Ends the list of a block; what was added to `all` since the last one is its content.
    fn end(&mut self) {
        self.ends
            .push(u32::try_from(self.all.len()).unwrap_or(u32::MAX));
    }

    fn start(&self, block: u32) -> usize {
        let before = (block as usize).checked_sub(1);
        before.map_or(0, |before| self.ends[before] as usize)
    }

    fn in_block(&self, block: u32) -> &[(u16, ValueId)] {
        &self.all[self.start(block)..self.ends[block as usize] as usize]
    }
}

struct Builder<'b, 'a> {
    body: &'b Body<'a>,
    flow: &'b Flow,
    uninit: &'b Uninit,
    /// The value of a register where the walk is; valid if the stamp is that of the block.
    current: Vec<ValueId>,
    stamps: Vec<u32>,
    all: Vec<Value>,
    of_use: Vec<ValueId>,
    definitions: Vec<(u32, u16, ValueId)>,
    entries: Lists,
    /// Values at the end of each block, of registers that are live in a successor.
    ends: Lists,
    pairs: Vec<(ValueId, ValueId)>,
    undefined: Vec<ValueId>,
    /// Registers that an instruction defines; empty but for its memory.
    defined: Vec<u16>,
}

impl Builder<'_, '_> {
    fn build(mut self, live: &Live, parameters: &[u16]) -> Result<Values, Reason> {
        let mut at_start = Vec::new();
        for (position, &register) in (0..=u16::MAX).zip(parameters) {
            let value = self.add(register, Origin::Parameter(position), 0);
            at_start.push((register, value));
        }
        for id in 0..self.flow.blocks.len() {
            #[allow(clippy::cast_possible_truncation)]
            self.block(id as u32, live, &at_start);
        }
        self.link(&at_start)?;
        let count = self.all.len();
        Ok(Values {
            flows: Edges::new(count, &self.pairs, |&pair| pair),
            sources: Edges::new(count, &self.pairs, |&(from, to)| (to, from)),
            all: self.all,
            of_use: self.of_use,
            definitions: self.definitions,
            entries: self.entries,
            undefined: self.undefined,
        })
    }

    fn add(&mut self, register: u16, origin: Origin, head: u32) -> ValueId {
        self.all.push(Value {
            register,
            origin,
            head,
            uses: 0,
            crosses: false,
        });
        u32::try_from(self.all.len() - 1).unwrap_or(UNDEFINED)
    }

    fn set(&mut self, block: u32, register: u16, value: ValueId) {
        self.current[usize::from(register)] = value;
        self.stamps[usize::from(register)] = block;
    }

    fn get(&self, block: u32, register: u16) -> ValueId {
        match self.stamps[usize::from(register)] == block {
            true => self.current[usize::from(register)],
            false => UNDEFINED,
        }
    }

    /// The block whose end is this block's beginning, if there is but one and it was walked already.
    fn single(&self, id: u32) -> Option<u32> {
        let block = &self.flow.blocks[id as usize];
        match block.predecessors[..] {
            [before] if before < id && block.handles.is_empty() && id != 0 => Some(before),
            _ => None,
        }
    }

    fn block(&mut self, id: u32, live: &Live, at_start: &[(u16, ValueId)]) {
        let block = &self.flow.blocks[id as usize];
        let alone = id == 0 && block.predecessors.is_empty() && block.handles.is_empty();
        let before = self.single(id);
        for register in live.at(id) {
            let value = match before {
                Some(before) => find(self.ends.in_block(before), register),
                None if alone => at_start
                    .iter()
                    .find(|known| known.0 == register)
                    .map_or(UNDEFINED, |known| known.1),
                None => self.add(register, Origin::Entry(id), block.head),
            };
            self.set(id, register, value);
            self.entries.all.push((register, value));
        }
        self.entries.end();
        for ix in block.first..block.last {
            let ins = &self.body.ins[ix as usize];
            let from = ins.uses.0 as usize;
            for (offset, &register) in self.body.uses(ins).iter().enumerate() {
                let value = self.get(id, register);
                self.of_use[from + offset] = value;
                if let Some(value) = self.all.get_mut(value as usize) {
                    value.uses = value.uses.saturating_add(1);
                    value.crosses |= value.head != block.head;
                }
            }
            let copied = match ins.op {
                Op::Move(_) => self.of_use[from],
                _ => UNDEFINED,
            };
            if let Some(call) = self.uninit.calls.get(&ix) {
                // Copies of the object, which the call changes, too.
                let receiver = self.body.uses(ins).first().copied();
                for &register in call.registers.iter().filter(|r| Some(**r) != receiver) {
                    let value = self.get(id, register) as usize;
                    if let Some(value) = self.all.get_mut(value) {
                        value.uses = value.uses.saturating_add(1);
                        value.crosses |= value.head != block.head;
                    }
                }
            }
            let mut defined = std::mem::take(&mut self.defined);
            defined.clear();
            each_definition(self.body, self.uninit, ix, |register| {
                defined.push(register)
            });
            for &register in &defined {
                let value = self.add(register, Origin::Instruction(ix), block.head);
                self.definitions.push((ix, register, value));
                self.set(id, register, value);
                if copied != UNDEFINED && ins.dst != NONE {
                    self.pairs.push((copied, value));
                }
            }
            self.defined = defined;
        }
        let from = self.ends.all.len();
        for &next in &block.successors {
            for register in live.at(next) {
                let value = self.get(id, register);
                self.ends.all.push((register, value));
            }
        }
        // Of one successor the registers ascend.
        if block.successors.len() > 1 {
            self.ends.all[from..].sort_unstable();
            let mut kept = from;
            for at in from..self.ends.all.len() {
                if at == from || self.ends.all[at] != self.ends.all[kept - 1] {
                    self.ends.all[kept] = self.ends.all[at];
                    kept += 1;
                }
            }
            self.ends.all.truncate(kept);
        }
        self.ends.end();
    }

    /// Notes what flows into entry values.
    fn link(&mut self, at_start: &[(u16, ValueId)]) -> Result<(), Reason> {
        let mut left = MOST_FLOWS;
        for (id, block) in (0_u32..).zip(&self.flow.blocks) {
            for at in self.entries.start(id)..self.entries.ends[id as usize] as usize {
                let (register, value) = self.entries.all[at];
                if self.all.get(value as usize).map(|v| v.origin) != Some(Origin::Entry(id)) {
                    continue;
                }
                let from_handlers = block
                    .handles
                    .iter()
                    .map(|&region| self.flow.regions[region as usize].members.len());
                let ways = from_handlers.sum::<usize>() + block.predecessors.len();
                left = left.checked_sub(ways).ok_or(Reason::TooLarge)?;
                let mut came = |from: ValueId| {
                    if from == UNDEFINED {
                        self.undefined.push(value);
                    } else if from != value {
                        self.pairs.push((from, value));
                    }
                };
                for &before in &block.predecessors {
                    came(find(self.ends.in_block(before), register));
                }
                for &region in &block.handles {
                    for &member in &self.flow.regions[region as usize].members {
                        came(find(self.entries.in_block(member), register));
                    }
                }
                if id == 0 {
                    came(find(at_start, register));
                }
            }
        }
        Ok(())
    }
}

fn find(sorted: &[(u16, ValueId)], register: u16) -> ValueId {
    sorted
        .binary_search_by_key(&register, |known| known.0)
        .map_or(UNDEFINED, |at| sorted[at].1)
}
