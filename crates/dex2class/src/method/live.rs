//! Which registers hold a value that is still needed where a block begins.

use super::Reason;
use super::decode::Body;
use super::flow::Flow;
use super::instruction::NONE;
use super::uninit::Uninit;

/// Words of 64 registers in the sets of all blocks, at most; they are kept twice. Ten thousand blocks with 256 registers
/// that are live somewhere have 40,000.
const MOST_WORDS: usize = 1 << 20;
/// Words that the equations look at, at most: how often a block is looked at again depends on the shape of the loops.
const MOST_WORK: usize = 1 << 26;
/// Live registers of all blocks together, at most. Each becomes a value with a type, and most go into a frame.
pub const MOST_LIVE: usize = 1 << 19;

/// Live registers at the beginning of each block. Only registers that some block uses before it defines them are kept
/// in the sets.
pub struct Live {
    /// Registers in the sets, ascending.
    registers: Vec<u16>,
    words: usize,
    sets: Vec<u64>,
}

impl Live {
    /// Solves the equations of liveness, handlers included, for all blocks.
    ///
    /// # Errors
    /// [`Reason::TooLarge`] beyond the limits above.
    pub fn of(body: &Body<'_>, flow: &Flow, uninit: &Uninit) -> Result<Self, Reason> {
        let blocks = flow.blocks.len();
        let mut defined = vec![u32::MAX; usize::from(body.registers)];
        let mut exposed: Vec<(u32, u16)> = Vec::new();
        let mut number = vec![u32::MAX; usize::from(body.registers)];
        for (id, block) in (0_u32..).zip(&flow.blocks) {
            for ix in block.first..block.last {
                let ins = &body.ins[ix as usize];
                // The call of a constructor changes all copies of its object.
                let copies = uninit.calls.get(&ix).map(|call| &call.registers[..]);
                for &reg in body.uses(ins).iter().chain(copies.unwrap_or_default()) {
                    if defined[usize::from(reg)] != id {
                        exposed.push((id, reg));
                        number[usize::from(reg)] = 0;
                    }
                }
                each_definition(body, uninit, ix, |reg| defined[usize::from(reg)] = id);
            }
        }
        let mut registers = Vec::new();
        for (reg, number) in (0..=u16::MAX).zip(&mut number) {
            if *number == 0 {
                *number = u32::try_from(registers.len()).unwrap_or(u32::MAX);
                registers.push(reg);
            }
        }
        let words = registers.len().div_ceil(64).max(1);
        if blocks.saturating_mul(words) > MOST_WORDS {
            return Err(Reason::TooLarge);
        }
        let mut sets = vec![0_u64; blocks * words];
        let mut kept = vec![u64::MAX; blocks * words];
        let bit = |id: u32, reg: u16| {
            let at = number[usize::from(reg)];
            (at != u32::MAX).then(|| (id as usize * words + at as usize / 64, 1_u64 << (at % 64)))
        };
        for &(id, reg) in &exposed {
            if let Some((word, mask)) = bit(id, reg) {
                sets[word] |= mask;
            }
        }
        for (id, block) in (0_u32..).zip(&flow.blocks) {
            for ix in block.first..block.last {
                each_definition(body, uninit, ix, |reg| {
                    if let Some((word, mask)) = bit(id, reg) {
                        kept[word] &= !mask;
                    }
                });
            }
        }
        let mut live = Self {
            registers,
            words,
            sets,
        };
        live.solve(flow, &kept)?;
        let count: usize = live
            .sets
            .iter()
            .map(|word| word.count_ones() as usize)
            .sum();
        if count > MOST_LIVE {
            return Err(Reason::TooLarge);
        }
        Ok(live)
    }

    fn solve(&mut self, flow: &Flow, kept: &[u64]) -> Result<(), Reason> {
        let words = self.words;
        let mut left = MOST_WORK;
        let mut waiting = vec![true; flow.blocks.len()];
        #[allow(clippy::cast_possible_truncation)]
        let mut open: Vec<u32> = (0..flow.blocks.len() as u32).collect();
        while let Some(id) = open.pop() {
            let at = id as usize;
            waiting[at] = false;
            let block = &flow.blocks[at];
            let mut changed = false;
            let edges = 1 + block.successors.len() + flow.handlers(block).len();
            left = left.checked_sub(words * edges).ok_or(Reason::TooLarge)?;
            for word in 0..words {
                let mut after = 0;
                for &next in &block.successors {
                    after |= self.sets[next as usize * words + word];
                }
                let mut wanted = after & kept[at * words + word];
                for &(_, handler) in flow.handlers(block) {
                    wanted |= self.sets[handler as usize * words + word];
                }
                let set = &mut self.sets[at * words + word];
                changed |= wanted & !*set != 0;
                *set |= wanted;
            }
            if changed {
                let members = block
                    .handles
                    .iter()
                    .flat_map(|&region| &flow.regions[region as usize].members);
                for &before in block.predecessors.iter().chain(members) {
                    left = left.checked_sub(1).ok_or(Reason::TooLarge)?;
                    if !std::mem::replace(&mut waiting[before as usize], true) {
                        open.push(before);
                    }
                }
            }
        }
        Ok(())
    }

    /// Registers that are live where a block begins, ascending.
    pub fn at(&self, block: u32) -> impl Iterator<Item = u16> {
        let from = block as usize * self.words;
        self.sets[from..from + self.words]
            .iter()
            .enumerate()
            .flat_map(|(word, &bits)| {
                let mut bits = bits;
                std::iter::from_fn(move || {
                    (bits != 0).then(|| {
                        let bit = bits.trailing_zeros() as usize;
                        bits &= bits - 1;
                        word * 64 + bit
                    })
                })
            })
            .map(|at| self.registers[at])
    }
}

/// Calls `f` with each register that an instruction defines.
pub fn each_definition(body: &Body<'_>, uninit: &Uninit, ix: u32, mut f: impl FnMut(u16)) {
    let ins = &body.ins[ix as usize];
    if ins.dst != NONE {
        f(ins.dst);
    }
    if let super::instruction::Op::Invoke(super::instruction::Call::Direct) = ins.op
        && let Some(call) = uninit.calls.get(&ix)
    {
        call.registers.iter().copied().for_each(f);
    }
}
