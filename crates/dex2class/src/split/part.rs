//! One part of a method.

use super::hand_over::{Layout, Slots, each_local, kind_of};
use super::{Entry, MOST_KEPT, SHIFT, Whole};
use crate::class::{Code, Frame, Insn, Label, LocalVariable, Pool, Try, op};
use crate::method::Kind;
use rustc_hash::FxHashMap;
use std::ops::Range;

/// What a part returns at the end of the method.
pub(super) const END: i32 = -1;

/// A part's code while it is made.
pub(super) struct Making {
    pub code: Code,
    /// The part's number.
    number: usize,
    /// Places outside: the label of what leads there, by target; and the targets in order.
    exits: FxHashMap<Label, Label>,
    targets: Vec<Label>,
}

impl Whole<'_> {
    /// Finds all places where control enters a part, and numbers them. Finds the frames of parts, too.
    pub(super) fn find_entries(&mut self, start: Label) -> Option<()> {
        self.frames.resize(self.parts.all.len(), Vec::new());
        for (ix, (label, _)) in self.places.code.frames.iter().enumerate() {
            let part = self.part_of(*label);
            self.frames[part].push(ix);
        }
        let mut labels = vec![start];
        let code = self.places.code;
        let mut kept = 0;
        for (number, part) in self.parts.all.iter().enumerate() {
            let mut reach = |label: Label| {
                if self.part_of(label) != number {
                    labels.push(label);
                    kept += 1 + self
                        .places
                        .frame(label)
                        .map_or(0, |frame| frame.locals.len());
                }
            };
            for range in &part.ranges {
                for insn in &code.insns[range.clone()] {
                    insn.each_target(&mut reach);
                }
                self.places.continues(range).map(&mut reach);
                for each in &code.tries {
                    let handled = self.places.range(each);
                    if handled.start < range.end && range.start < handled.end {
                        reach(each.handler);
                    }
                }
            }
        }
        (kept <= MOST_KEPT).then_some(())?;
        labels.sort_unstable_by_key(|label| (self.part_of(*label), *label));
        labels.dedup();
        for label in labels {
            let part = self.part_of(label);
            self.numbers.insert(label, self.entries.len());
            self.entries.push(Entry { label, part });
            let frame = self.places.frame(label)?;
            let held = each_local(frame).filter_map(|local| kind_of(local.1));
            self.kinds |= held.fold(0, |all, kind| all | kind.bit());
            if !frame.stack.is_empty() {
                self.kinds |= Kind::Ref.bit();
            }
        }
        if self.result != b"V" {
            self.kinds |= Kind::of(&self.result).bit();
        }
        Some(())
    }

    fn part_of(&self, label: Label) -> usize {
        self.parts.part_at(self.places.at[label.0 as usize])
    }

    /// The number of a place where control enters a part.
    pub(super) fn number(&self, label: Label) -> i32 {
        let number = self.numbers.get(&label).copied();
        i32::try_from(number.unwrap_or_default()).unwrap_or(END)
    }

    /// The code of a part.
    pub(super) fn part(&self, number: usize, pool: &mut Pool) -> Code {
        let slots = Slots {
            arrays: 0,
            this: None,
            shift: SHIFT,
            free: self.free + SHIFT,
        };
        let types = Self::array_types(pool);
        let layout = Layout { slots, types };
        let mut making = self.begin(number);
        let first = |number| self.entries.partition_point(|entry| entry.part < number);
        let entries = &self.entries[first(number)..first(number + 1)];
        let mut stubs = Vec::new();
        if entries.len() > 1 {
            let labels: Vec<Label> = entries.iter().map(|_| making.code.label()).collect();
            let first = self.number(entries[0].label);
            making.code.insns.push(Insn::Var(op::ILOAD, slots.next()));
            let table = (first, labels[0], labels.clone());
            making.code.insns.push(Insn::Table(Box::new(table)));
            stubs = labels;
        }
        for (ix, entry) in entries.iter().enumerate() {
            if let Some(&stub) = stubs.get(ix) {
                making.code.insns.push(Insn::Label(stub));
                making.code.frames.push((stub, layout.place(false)));
            }
            if let Some(frame) = self.places.frame(entry.label) {
                self.restore(frame, slots, pool, &mut making.code.insns);
            }
            making.code.insns.push(Insn::Jump(op::GOTO, entry.label));
        }
        self.body(&mut making, &layout, |whole, kind, to| {
            if let Some(kind) = kind {
                whole.save_result(kind, slots, to);
            }
            to.push(Insn::Push(END));
            to.push(Insn::Op(op::IRETURN));
        });
        self.exits(&mut making, &layout, |frame, target, to| {
            self.save(frame, slots, to);
            to.push(Insn::Push(self.number(target)));
            to.push(Insn::Op(op::IRETURN));
        });
        making.code.max_locals = slots.free + 2;
        making.code
    }

    pub(super) fn begin(&self, number: usize) -> Making {
        Making {
            code: Code {
                labels: self.places.code.labels,
                ..Code::default()
            },
            number,
            exits: FxHashMap::default(),
            targets: Vec::new(),
        }
    }

    /// Writes the part's own instructions. `leave` writes a return of a value of a kind.
    pub(super) fn body(
        &self,
        making: &mut Making,
        layout: &Layout,
        leave: impl Fn(&Self, Option<Kind>, &mut Vec<Insn>),
    ) {
        let whole = self.places.code;
        let slots = layout.slots;
        for range in &self.parts.all[making.number].ranges {
            let (begin, end) = (making.code.label(), making.code.label());
            let line = self.places.line_before(range.start);
            making.code.insns.extend(line.cloned());
            making.code.insns.push(Insn::Label(begin));
            for insn in &whole.insns[range.clone()] {
                let insn = match insn {
                    Insn::Var(op, slot) => Insn::Var(*op, slot + slots.shift),
                    Insn::Iinc(slot, by) => Insn::Iinc(slot + slots.shift, *by),
                    Insn::Op(opcode @ op::IRETURN..=op::RETURN) => {
                        let kind = Kind::ALL.get(usize::from(opcode - op::IRETURN)).copied();
                        leave(self, kind, &mut making.code.insns);
                        continue;
                    }
                    other => self.redirected(other, making),
                };
                making.code.insns.push(insn);
            }
            making.code.insns.push(Insn::Label(end));
            if let Some(label) = self.places.continues(range) {
                let exit = self.target(label, making);
                making.code.insns.push(Insn::Jump(op::GOTO, exit));
            }
            self.tables(range, [begin, end], slots, making);
        }
        for ix in &self.frames[making.number] {
            let (label, frame) = &whole.frames[*ix];
            making.code.frames.push((*label, layout.frame(frame)));
        }
    }

    /// Handlers and variables of a range of instructions, which begins and ends at these labels.
    fn tables(
        &self,
        range: &Range<usize>,
        [begin, end]: [Label; 2],
        slots: Slots,
        making: &mut Making,
    ) {
        let clip = |from: Label, to: Label| {
            let [first, last] = [from, to].map(|label| self.places.at[label.0 as usize]);
            (first < range.end && last > range.start).then(|| {
                let from = if first < range.start { begin } else { from };
                (from, if last >= range.end { end } else { to })
            })
        };
        for each in &self.places.code.tries {
            if let Some((start, end)) = clip(each.start, each.end) {
                let handler = self.target(each.handler, making);
                let catch = each.catch;
                making.code.tries.push(Try {
                    start,
                    end,
                    handler,
                    catch,
                });
            }
        }
        for each in &self.places.code.locals {
            if let Some((start, end)) = clip(each.start, each.end) {
                let slot = each.slot + slots.shift;
                making.code.locals.push(LocalVariable {
                    start,
                    end,
                    slot,
                    ..*each
                });
            }
        }
    }

    /// Writes what leads to other parts. `leave` saves a frame and goes to a label.
    pub(super) fn exits(
        &self,
        making: &mut Making,
        layout: &Layout,
        mut leave: impl FnMut(&Frame, Label, &mut Vec<Insn>),
    ) {
        for target in std::mem::take(&mut making.targets) {
            let Some(frame) = self.places.frame(target) else {
                continue;
            };
            let stub = making.exits[&target];
            making.code.insns.push(Insn::Label(stub));
            making.code.frames.push((stub, layout.frame(frame)));
            leave(frame, target, &mut making.code.insns);
        }
    }

    /// The label that leads to a place, in this part or another.
    fn target(&self, label: Label, making: &mut Making) -> Label {
        if self.part_of(label) == making.number {
            return label;
        }
        if let Some(&known) = making.exits.get(&label) {
            return known;
        }
        let exit = making.code.label();
        making.exits.insert(label, exit);
        making.targets.push(label);
        exit
    }

    /// An instruction whose jumps lead to other parts where they must.
    fn redirected(&self, insn: &Insn, making: &mut Making) -> Insn {
        match insn {
            Insn::Jump(opcode, label) => Insn::Jump(*opcode, self.target(*label, making)),
            Insn::Table(switch) => {
                let (low, default, labels) = &**switch;
                let default = self.target(*default, making);
                let labels = labels.iter().map(|label| self.target(*label, making));
                let labels = labels.collect();
                Insn::Table(Box::new((*low, default, labels)))
            }
            Insn::Lookup(switch) => {
                let (default, cases) = &**switch;
                let default = self.target(*default, making);
                let cases = cases
                    .iter()
                    .map(|&(key, label)| (key, self.target(label, making)));
                let cases = cases.collect();
                Insn::Lookup(Box::new((default, cases)))
            }
            other => other.clone(),
        }
    }
}
