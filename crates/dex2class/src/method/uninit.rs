//! Objects whose constructor has not been called yet: which registers hold them, and which call ends that.
//!
//! A `new-instance` makes such an object, and so does the entry of a constructor (`this`). Copies are followed
//! through moves and jumps. Where two paths disagree nothing is known, as in Android's verifier.

use super::Reason;
use super::decode::Body;
use super::flow::Flow;
use super::instruction::{Call, Op};
use rustc_hash::FxHashMap;

/// Where an object was made: the instruction, or [`THIS`].
pub type Site = u32;
/// The object of the constructor itself.
pub const THIS: Site = u32::MAX;

/// A call of a constructor on an object that needs it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Initialization {
    /// Where the object was made.
    pub site: Site,
    /// Registers that hold it, the call's receiver among them.
    pub registers: Vec<u16>,
}

type State = Vec<(u16, Site)>;

/// Steps of the walk, at most. The work grows with the square of the objects that wait at the same time.
const MOST_WORK: usize = 1 << 26;
/// Entries of the states of all blocks, at most.
const MOST_ENTRIES: usize = 1 << 20;

/// What is known of a method.
#[derive(Default)]
pub struct Uninit {
    /// Calls of constructors, by instruction.
    pub calls: FxHashMap<u32, Initialization>,
    /// Of each block whether `this` waits for its constructor where the block begins, whether or not a register still
    /// holds it; empty outside constructors.
    pub this_waits: Vec<bool>,
    /// Whether the register of a constructor's object is used for something else, too.
    pub this_is_overwritten: bool,
}

/// Holds `this` as long as its constructor was not called: a register that no instruction names.
const ALWAYS: u16 = super::instruction::NONE;

impl Uninit {
    /// `this` is the register of a constructor's object. `is_constructor` tells of a method index whether it names
    /// `<init>`.
    ///
    /// # Errors
    /// [`Reason::TooLarge`] where too many objects wait for their constructors at once.
    pub fn of(
        body: &Body<'_>,
        flow: &Flow,
        this: Option<u16>,
        is_constructor: impl Fn(u32) -> bool,
    ) -> Result<Self, Reason> {
        let mut found = Self::default();
        let makes = body.ins.iter().any(|ins| ins.op == Op::NewInstance);
        if this.is_none() && !makes {
            return Ok(found);
        }
        let mut states: Vec<Option<State>> = vec![None; flow.blocks.len()];
        let held = this.map(|reg| [(reg, THIS), (ALWAYS, THIS)]);
        states[0] = Some(held.into_iter().flatten().collect());
        found.this_is_overwritten =
            this.is_some_and(|reg| body.ins.iter().any(|ins| ins.dst == reg));
        let mut open = vec![0_u32];
        let mut walk = Walk {
            body,
            is_constructor: &is_constructor,
            calls: None,
        };
        let (mut left, mut room) = (MOST_WORK, MOST_ENTRIES);
        while let Some(id) = open.pop() {
            let block = &flow.blocks[id as usize];
            let state = states[id as usize].clone().unwrap_or_default();
            let edges = 1 + block.successors.len() + flow.handlers(block).len();
            let cost = |state: &State| (1 + state.len()).saturating_mul(1 + state.len());
            left = left
                .checked_sub(edges * cost(&state))
                .ok_or(Reason::TooLarge)?;
            for &(_, handler) in flow.handlers(block) {
                join(&mut states, &mut open, handler, &state, &mut room)?;
            }
            let after = walk.block(block.first, block.last, state);
            let length = (block.last - block.first) as usize;
            let steps = edges * cost(&after) + length * (1 + after.len());
            left = left.checked_sub(steps).ok_or(Reason::TooLarge)?;
            for &next in &block.successors {
                join(&mut states, &mut open, next, &after, &mut room)?;
            }
        }
        walk.calls = Some(FxHashMap::default());
        for (block, state) in flow.blocks.iter().zip(&states) {
            let state = state.clone().unwrap_or_default();
            if this.is_some() {
                found
                    .this_waits
                    .push(state.iter().any(|&(_, site)| site == THIS));
            }
            walk.block(block.first, block.last, state);
        }
        found.calls = walk.calls.unwrap_or_default();
        Ok(found)
    }
}

/// Brings a state to a block: what differs on two ways is not known.
fn join(
    states: &mut [Option<State>],
    open: &mut Vec<u32>,
    to: u32,
    state: &State,
    room: &mut usize,
) -> Result<(), Reason> {
    match &mut states[to as usize] {
        Some(known) => {
            let before = known.len();
            known.retain(|entry| state.contains(entry));
            if known.len() != before {
                open.push(to);
            }
        }
        unknown => {
            *room = room.checked_sub(state.len()).ok_or(Reason::TooLarge)?;
            *unknown = Some(state.clone());
            open.push(to);
        }
    }
    Ok(())
}

struct Walk<'b, 'a, F> {
    body: &'b Body<'a>,
    is_constructor: &'b F,
    calls: Option<FxHashMap<u32, Initialization>>,
}

impl<F: Fn(u32) -> bool> Walk<'_, '_, F> {
    fn block(&mut self, first: u32, last: u32, mut state: State) -> State {
        for ix in first..last {
            let ins = &self.body.ins[ix as usize];
            match ins.op {
                Op::NewInstance => {
                    state.retain(|&(reg, site)| reg != ins.dst && site != ix);
                    state.push((ins.dst, ix));
                }
                _ if state.is_empty() => {}
                Op::Move(_) => {
                    let from = self.body.uses(ins)[0];
                    let site = state.iter().find(|(reg, _)| *reg == from).map(|e| e.1);
                    state.retain(|&(reg, _)| reg != ins.dst || reg == ALWAYS);
                    if let Some(site) = site {
                        state.push((ins.dst, site));
                    }
                }
                Op::Invoke(Call::Direct) if (self.is_constructor)(ins.index) => {
                    let receiver = self.body.uses(ins).first().copied();
                    let site = state
                        .iter()
                        .find(|(reg, _)| Some(*reg) == receiver)
                        .map(|e| e.1);
                    if let Some(site) = site {
                        if let Some(calls) = &mut self.calls {
                            let held = state.iter().filter(|e| e.1 == site);
                            let registers =
                                held.map(|e| e.0).filter(|reg| *reg != ALWAYS).collect();
                            calls.insert(ix, Initialization { site, registers });
                        }
                        state.retain(|e| e.1 != site);
                    }
                }
                _ => state.retain(|&(reg, _)| reg != ins.dst || reg == ALWAYS),
            }
        }
        state
    }
}
