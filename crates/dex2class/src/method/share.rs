//! Which slots share a number: those of one register that are never needed at the same time.
//!
//! A register that first holds an object and then an int has a slot for each. With numbers of their own the object would
//! stay reachable for the JVM's interpreter, which Android forgets once the register is overwritten; and the method would
//! need longer forms of loads and stores.

use super::emit::LooseFrame;
use super::slots::Slots;
use crate::class::{Code, Insn, Label, op};
use rustc_hash::{FxHashMap, FxHashSet};

/// Slots that are looked at in a method: as many as a word has bits.
const MOST: usize = 64;
/// How often all instructions are looked at. Loops within loops take the most; beyond it nothing is shared.
const MOST_PASSES: usize = 12;

/// For each slot the one whose number it takes; mostly itself. The code has its handlers, and slots before they have their
/// final numbers.
pub(super) fn owners(code: &Code, frames: &[LooseFrame], slots: &Slots) -> Vec<u16> {
    let mut owners: Vec<u16> = (0..slots.len()).collect();
    let mut groups = slots.alternatives();
    let mut bits = vec![0_u64; owners.len()];
    let mut count = 0;
    groups.retain(|group| {
        let fits = count + group.len() <= MOST;
        if fits {
            for &slot in group {
                bits[usize::from(slot)] = 1 << count;
                count += 1;
            }
        }
        fits
    });
    if groups.is_empty() {
        return owners;
    }
    let mut liveness = Liveness::new(code, frames, &bits);
    if !(0..MOST_PASSES).any(|_| !liveness.pass()) {
        return owners;
    }
    let bit = |slot: u16| bits[usize::from(slot)];
    for group in &groups {
        // Slots that have a number, with all that share it.
        let mut numbers: Vec<(u16, u64)> = Vec::new();
        for &slot in group {
            let rivals = liveness.rivals[bit(slot).trailing_zeros() as usize];
            match numbers
                .iter_mut()
                .find(|(_, members)| members & rivals == 0)
            {
                Some((owner, members)) => {
                    owners[usize::from(slot)] = *owner;
                    *members |= bit(slot);
                }
                None => numbers.push((slot, bit(slot))),
            }
        }
    }
    owners
}

/// Which of the slots are needed, from the last instruction to the first.
struct Liveness<'c> {
    code: &'c Code,
    bits: &'c [u64],
    /// Slots needed at each label. Those of its frame are, since the verifier looks for them.
    at: Vec<u64>,
    /// Handlers by the labels where their ranges end, and the labels where ranges begin.
    ends: FxHashMap<Label, Vec<usize>>,
    starts: FxHashSet<Label>,
    /// By the position of a slot's bit: slots that are needed where it is written, and the reverse.
    rivals: [u64; MOST],
}

impl<'c> Liveness<'c> {
    fn new(code: &'c Code, frames: &[LooseFrame], bits: &'c [u64]) -> Self {
        let mut ends: FxHashMap<Label, Vec<usize>> = FxHashMap::default();
        let mut starts = FxHashSet::default();
        for (ix, handler) in code.tries.iter().enumerate() {
            if handler.start != handler.end {
                ends.entry(handler.end).or_default().push(ix);
                starts.insert(handler.start);
            }
        }
        let mut new = Self {
            code,
            bits,
            at: vec![0; code.labels as usize],
            ends,
            starts,
            rivals: [0; MOST],
        };
        for frame in frames {
            let mut all = 0;
            for &(slot, _) in &frame.locals {
                let bit = bits[usize::from(slot)];
                new.write(bit, all);
                all |= bit;
            }
            new.at[frame.label.0 as usize] |= all;
        }
        new
    }

    /// A slot is written where others are needed.
    fn write(&mut self, bit: u64, needed: u64) {
        if bit == 0 {
            return;
        }
        let mut others = needed & !bit;
        self.rivals[bit.trailing_zeros() as usize] |= others;
        while others != 0 {
            self.rivals[others.trailing_zeros() as usize] |= bit;
            others &= others - 1;
        }
    }

    /// Looks at all instructions once; whether more is needed than before.
    fn pass(&mut self) -> bool {
        let code = self.code;
        let mut changed = false;
        let mut needed = 0;
        // Handlers of the ranges around, with what they need.
        let mut open: Vec<(usize, u64)> = Vec::new();
        let mut by_handlers = 0;
        for insn in code.insns.iter().rev() {
            match insn {
                Insn::Label(label) => {
                    if self.starts.contains(label) {
                        open.retain(|&(ix, _)| code.tries[ix].start != *label);
                        by_handlers = open.iter().fold(0, |all, one| all | one.1);
                    }
                    for &ix in self.ends.get(label).into_iter().flatten() {
                        let needs = self.at[code.tries[ix].handler.0 as usize];
                        open.push((ix, needs));
                        by_handlers |= needs;
                    }
                    let known = &mut self.at[label.0 as usize];
                    needed |= *known | by_handlers;
                    changed |= *known != needed;
                    *known = needed;
                }
                Insn::Jump(op::GOTO, label) => needed = self.at[label.0 as usize],
                Insn::Jump(_, label) => needed |= self.at[label.0 as usize],
                Insn::Table(table) => needed = self.targets(table.1, table.2.iter()),
                Insn::Lookup(table) => {
                    needed = self.targets(table.0, table.1.iter().map(|key| &key.1));
                }
                Insn::Op(op::IRETURN..=op::RETURN | op::ATHROW) => needed = 0,
                Insn::Var(op::ISTORE..=op::ASTORE, slot) => {
                    let bit = self.bits[usize::from(*slot)];
                    self.write(bit, needed);
                    needed &= !bit;
                }
                Insn::Var(_, slot) => needed |= self.bits[usize::from(*slot)],
                Insn::Iinc(slot, _) => {
                    let bit = self.bits[usize::from(*slot)];
                    self.write(bit, needed);
                    needed |= bit;
                }
                _ => {}
            }
            needed |= by_handlers;
        }
        changed
    }

    fn targets<'l>(&self, default: Label, others: impl Iterator<Item = &'l Label>) -> u64 {
        let first = self.at[default.0 as usize];
        others.fold(first, |all, label| all | self.at[label.0 as usize])
    }
}

#[cfg(test)]
mod tests {
    use super::super::kinds::Kind;
    use super::*;
    use crate::class::{Try, VType};

    /// Slots of register 5: 0 for references, 1 for ints; of register 6: 2 for ints.
    fn slots() -> Slots {
        let mut slots = Slots::new(&[]);
        for (register, kind) in [(5, Kind::Ref), (5, Kind::Int), (6, Kind::Int)] {
            let slot = slots.of(register, kind);
            slots.count(slot);
        }
        slots
    }

    fn store(kind: Kind, slot: u16) -> Insn {
        Insn::Var(kind.store(), slot)
    }

    fn load(kind: Kind, slot: u16) -> Insn {
        Insn::Var(kind.load(), slot)
    }

    fn code(insns: Vec<Insn>) -> Code {
        Code {
            insns,
            labels: 4,
            ..Code::default()
        }
    }

    #[test]
    fn an_int_overwrites_the_object_before_it_in_the_same_register() {
        let code = code(vec![
            store(Kind::Ref, 0),
            load(Kind::Ref, 0),
            store(Kind::Int, 1),
            store(Kind::Int, 2),
            load(Kind::Int, 1),
            Insn::Op(op::RETURN),
        ]);
        assert_eq!(owners(&code, &[], &slots()), [0, 0, 2]);
        let (numbers, count) = slots().numbered(&[0, 0, 2]);
        assert_eq!((numbers, count), (vec![0, 0, 1], 2));
    }

    #[test]
    fn a_loop_needs_both_kinds_of_a_constant() {
        let top = Label(0);
        let code = code(vec![
            store(Kind::Ref, 0),
            store(Kind::Int, 1),
            Insn::Label(top),
            load(Kind::Int, 1),
            Insn::Jump(op::IFEQ, top),
            load(Kind::Ref, 0),
            Insn::Jump(op::GOTO, top),
        ]);
        assert_eq!(owners(&code, &[], &slots()), [0, 1, 2]);
    }

    #[test]
    fn what_a_handler_needs_is_not_overwritten_within_its_range() {
        let [start, end, handler] = [Label(0), Label(1), Label(2)];
        let mut code = code(vec![
            store(Kind::Ref, 0),
            Insn::Label(start),
            store(Kind::Int, 1),
            load(Kind::Int, 1),
            Insn::Label(end),
            Insn::Op(op::RETURN),
            Insn::Label(handler),
            load(Kind::Ref, 0),
            Insn::Op(op::ATHROW),
        ]);
        assert_eq!(owners(&code, &[], &slots()), [0, 0, 2]);
        code.tries.push(Try {
            start,
            end,
            handler,
            catch: 0,
        });
        assert_eq!(owners(&code, &[], &slots()), [0, 1, 2]);
    }

    #[test]
    fn what_a_frame_names_stays() {
        let code = code(vec![
            store(Kind::Ref, 0),
            store(Kind::Int, 1),
            Insn::Label(Label(3)),
            load(Kind::Int, 1),
            Insn::Op(op::RETURN),
        ]);
        let frame = LooseFrame {
            label: Label(3),
            locals: vec![(0, VType::Null), (1, VType::Int)],
            stack: Vec::new(),
        };
        assert_eq!(owners(&code, &[frame], &slots()), [0, 1, 2]);
    }
}
