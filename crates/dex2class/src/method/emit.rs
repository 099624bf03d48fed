//! Writes a method's instructions.
//!
//! Values that are used once stay on the operand stack: [`Emitter::pending`] lists them, the top last, with the
//! place in the code where each began to be computed. When an instruction wants a local variable below a pending
//! value, its load is inserted at that place, if the variable was not stored to since. Where the order does not fit,
//! pending values are stored to their local variables from the top down.

use super::kinds::Kind;
use super::operands::{Operand, Place};
use super::plan::Plan;
use super::slots::Slots;
use super::type_table::{Type, TypeTable};
use super::types::Types;
use super::values::{UNDEFINED, ValueId, Values};
use super::wants::Wants;
use super::{Added, Reason, Scope};
use crate::class::{Code, Idx, Insn, Label, Pool, VType, op};
use rustc_hash::FxHashMap;

/// A value on the operand stack.
pub(super) struct Pending {
    pub value: ValueId,
    /// Where in the code it began to be computed, and when.
    pub start: usize,
    pub time: u32,
}

/// Copies that stand for their sources at once, while looking through them has cost little, and after that: D8 copies
/// results to high registers by the thousand, but a hostile method could make each of its instructions look at them.
const MOST_ALIASES: (usize, usize) = (8_192, 64);
/// Copies and pending values that may be looked at in a method before the lists of them are kept short.
const SEARCH_WORK: usize = 1 << 27;

/// Nothing can be inserted below it.
pub(super) const FIXED: u32 = 0;

/// A frame before slots have their final numbers.
pub(super) struct LooseFrame {
    pub label: Label,
    pub locals: Vec<(u16, VType)>,
    pub stack: Vec<VType>,
}

/// What is known of a method's values.
pub(super) struct Known<'e, 'a> {
    pub wants: &'e Wants<'a>,
    pub values: &'e Values,
    pub types: &'e Types,
    pub plan: &'e Plan,
}

/// What a method is written with.
pub(super) struct Emitter<'e, 's, 'a> {
    pub scope: &'e Scope<'s, 'a>,
    pub wants: &'e Wants<'a>,
    pub values: &'e Values,
    pub types: &'e Types,
    pub plan: &'e Plan,
    pub table: &'e mut TypeTable,
    pub pool: &'e mut Pool,
    pub code: Code,
    pub pending: Vec<Pending>,
    pub slots: Slots,
    pub frames: Vec<LooseFrame>,
    pub labels: FxHashMap<u32, Label>,
    /// Ranges with a handler: start, end, block, class.
    pub handlers: Vec<(Label, Label, u32, Idx)>,
    /// Where handlers begin that take the exception off the stack and go to a block that is reached otherwise, too.
    pub stub_of: FxHashMap<u32, Label>,
    /// What the method adds to its class.
    pub added: &'e mut Added,
    /// Labels before the `new` of objects that are kept in local variables.
    pub sites: FxHashMap<u32, Label>,
    /// Copies that stand for what they were copied from, which is unchanged so far.
    aliases: Vec<(ValueId, ValueId)>,
    /// Copies and pending values that were looked at so far.
    pub(super) searched: usize,
    /// Uses of each value that are still to come; 255 for many.
    left: Vec<u8>,
    /// Lists of [`Emitter::operands`], empty but for their memory.
    pub(super) operands: Vec<Operand>,
    pub(super) places: Vec<Place>,
    /// Counts instructions that were written in order; loads that are inserted do not count.
    pub time: u32,
    /// Counts stores to local variables.
    pub stores: u32,
    /// Counts stores of references that no other block, and so no handler, looks for.
    pub unseen_stores: u32,
}

impl<'e, 's, 'a> Emitter<'e, 's, 'a> {
    pub fn new(
        scope: &'e Scope<'s, 'a>,
        known: Known<'e, 'a>,
        table: &'e mut TypeTable,
        pool: &'e mut Pool,
        slots: Slots,
        added: &'e mut Added,
    ) -> Self {
        let mut code = Code::default();
        code.insns.reserve(scope.body.ins.len() * 2);
        Self {
            scope,
            wants: known.wants,
            values: known.values,
            types: known.types,
            plan: known.plan,
            table,
            pool,
            code,
            pending: Vec::new(),
            slots,
            frames: Vec::new(),
            labels: FxHashMap::default(),
            handlers: Vec::new(),
            stub_of: FxHashMap::default(),
            added,
            sites: FxHashMap::default(),
            aliases: Vec::new(),
            searched: 0,
            left: known.values.all.iter().map(|value| value.uses).collect(),
            operands: Vec::new(),
            places: Vec::new(),
            time: FIXED + 1,
            stores: 0,
            unseen_stores: 0,
        }
    }

    pub fn put(&mut self, insn: Insn) {
        self.time += 1;
        self.code.insns.push(insn);
    }

    /// Places a new label here.
    pub fn mark(&mut self) -> Label {
        let label = self.code.label();
        self.code.insns.push(Insn::Label(label));
        label
    }

    /// The label at the beginning of a block.
    pub fn label_of(&mut self, block: u32) -> Label {
        if let Some(&label) = self.labels.get(&block) {
            return label;
        }
        let label = self.code.label();
        self.labels.insert(block, label);
        label
    }

    /// The label before the `new` of an object that is kept in a local variable. A block that is written before the `new`
    /// may need it, too.
    pub fn site_label(&mut self, site: u32) -> Label {
        let code = &mut self.code;
        *self.sites.entry(site).or_insert_with(|| code.label())
    }

    pub(super) fn slot(&mut self, value: ValueId, kind: Kind) -> u16 {
        let register = self.values.all[value as usize].register;
        self.slots.of(register, kind)
    }

    /// What a copy stands for.
    pub(super) fn root(&self, value: ValueId) -> ValueId {
        let found = self.aliases.iter().find(|alias| alias.0 == value);
        found.map_or(value, |alias| alias.1)
    }

    /// Notes that one use of a value is over.
    pub(super) fn consume(&mut self, value: ValueId) {
        let left = &mut self.left[value as usize];
        if *left != u8::MAX {
            *left = left.saturating_sub(1);
        }
        if *left == 0 {
            self.aliases.retain(|alias| alias.0 != value);
        }
    }

    /// Stores the top of the stack to its local variable.
    pub(super) fn spill(&mut self) -> Result<(), Reason> {
        let top = self.pending.pop().ok_or(Reason::BadType)?;
        let kind = self.types.kind_of(top.value);
        let Some(kind) = kind.kind() else {
            return Err(Reason::BadType);
        };
        let unbuilt = matches!(self.types.kind_of(top.value), Type::Uninitialized(_));
        self.store(top.value, kind);
        if unbuilt && top.time != FIXED {
            self.drop_twin(top.value);
        }
        Ok(())
    }

    /// The second copy of an object before its constructor, right below one that was stored.
    fn drop_twin(&mut self, raw: ValueId) {
        let Type::Uninitialized(site) = self.types.kind_of(raw) else {
            return;
        };
        let Some(call) = self.plan.constructor_of(site) else {
            return;
        };
        let register = self.values.all[raw as usize].register;
        let built = self.values.defined(call, register);
        if self.pending.last().map(|p| p.value) == built && built.is_some() {
            self.pending.pop();
            self.put(Insn::Op(op::POP));
        }
    }

    /// Stores the top of the stack to a value's local variable of a kind.
    pub fn store(&mut self, value: ValueId, kind: Kind) {
        let slot = self.slot(value, kind);
        self.forget_copies(value);
        self.before_store(slot);
        self.slots.count(slot);
        self.put(Insn::Var(kind.store(), slot));
        self.slots.note_store(slot, self.time);
        self.stores += 1;
        if kind == Kind::Ref && !super::plan::flows_on(self.values, value) {
            self.unseen_stores += 1;
        }
    }

    /// A register gets a new value: a copy that it held is no longer needed. The count of uses does not tell, if they were
    /// many.
    fn forget_copies(&mut self, value: ValueId) {
        self.searched += self.aliases.len();
        let all = &self.values.all;
        let register = all[value as usize].register;
        self.aliases
            .retain(|alias| all[alias.0 as usize].register != register);
    }

    /// The first of two limits as long as looking through lists has cost little, then the second.
    pub fn most_of(&self, limits: (usize, usize)) -> usize {
        match self.searched < SEARCH_WORK {
            true => limits.0,
            false => limits.1,
        }
    }

    /// Copies that stand for a variable get their own before it changes.
    pub fn before_store(&mut self, slot: u16) {
        self.searched += self.aliases.len();
        let mut at = 0;
        while at < self.aliases.len() {
            let (copy, root) = self.aliases[at];
            let register = self.values.all[root as usize].register;
            let stored = self.plan.stored[copy as usize];
            let kinds = Kind::ALL
                .into_iter()
                .filter(|kind| stored & kind.bit() != 0);
            if !kinds
                .clone()
                .any(|kind| self.slots.known(register, kind) == Some(slot))
            {
                at += 1;
                continue;
            }
            self.aliases.swap_remove(at);
            // A constant of several kinds has a variable for each.
            for kind in kinds {
                let from = self.slot(root, kind);
                self.slots.count(from);
                self.put(Insn::Var(kind.load(), from));
                self.store(copy, kind);
            }
            at = 0;
        }
    }

    /// Takes the result on the top of the stack, computed since `begin`, as the value that an instruction defines.
    pub fn define(&mut self, ix: u32, kind: Kind, begin: (usize, u32)) -> Result<(), Reason> {
        let register = self.scope.body.ins[ix as usize].dst;
        let value = self.values.defined(ix, register).ok_or(Reason::BadType)?;
        self.define_value(value, kind, begin)
    }

    pub fn define_value(
        &mut self,
        value: ValueId,
        kind: Kind,
        begin: (usize, u32),
    ) -> Result<(), Reason> {
        if let Some(constant) = self.types.constant(value) {
            self.drop_top(kind);
            self.define_constant(value, constant);
        } else if self.plan.on_stack[value as usize] {
            self.pending.push(Pending {
                value,
                start: begin.0,
                time: begin.1,
            });
        } else if self.needed(value) {
            self.store(value, kind);
        } else {
            self.drop_top(kind);
        }
        Ok(())
    }

    pub fn drop_top(&mut self, kind: Kind) {
        let pop = if kind.slots() == 2 { op::POP2 } else { op::POP };
        self.put(Insn::Op(pop));
    }

    /// Whether anything looks for a value in its local variable.
    pub fn needed(&self, value: ValueId) -> bool {
        let found = &self.values.all[value as usize];
        found.uses > 0 || super::plan::flows_on(self.values, value) || self.plan.is_named(value)
    }

    /// Stores a constant to the variables in which other blocks look for it.
    pub fn define_constant(&mut self, value: ValueId, constant: i64) {
        for kind in Kind::ALL {
            if self.plan.stored[value as usize] & kind.bit() != 0 {
                self.push_constant(constant, kind);
                self.store(value, kind);
            }
        }
    }

    /// Copies a register.
    pub fn copy(&mut self, ix: u32) -> Result<(), Reason> {
        let ins = &self.scope.body.ins[ix as usize];
        let source = self.values.of_use[ins.uses.0 as usize];
        let value = self.values.defined(ix, ins.dst).ok_or(Reason::BadType)?;
        if source == UNDEFINED {
            return Err(Reason::BadType);
        }
        if let Some(constant) = self.types.constant(value) {
            self.consume(source);
            self.define_constant(value, constant);
            return Ok(());
        }
        if let Some(at) = self.pending.iter().rposition(|p| p.value == source) {
            self.consume(source);
            if self.plan.on_stack[value as usize] {
                self.pending[at].value = value;
                return Ok(());
            }
            while self.pending.len() > at + 1 {
                self.spill()?;
            }
            self.pending.pop();
            let kind = self.types.kind_of(source).kind().ok_or(Reason::BadType)?;
            let begin = (self.code.insns.len(), self.time);
            return self.define_value(value, kind, begin);
        }
        let root = self.root(source);
        self.consume(source);
        if !self.needed(value) {
            return Ok(());
        }
        if self.plan.aliased[value as usize] && self.aliases.len() < self.most_of(MOST_ALIASES) {
            self.forget_copies(value);
            self.aliases.push((value, root));
            return Ok(());
        }
        for kind in Kind::ALL {
            if self.plan.stored[value as usize] & kind.bit() == 0 {
                continue;
            }
            match self.place(root, kind)? {
                Place::Constant(constant) => self.push_constant(constant, kind),
                Place::Local(slot) => {
                    if slot == self.slot(value, kind) {
                        continue;
                    }
                    self.slots.count(slot);
                    self.put(Insn::Var(kind.load(), slot));
                }
                Place::Stack(_) => return Err(Reason::BadType),
            }
            self.store(value, kind);
        }
        Ok(())
    }

    /// Stores all pending values to their local variables.
    pub fn spill_all(&mut self) -> Result<(), Reason> {
        while !self.pending.is_empty() {
            self.spill()?;
        }
        Ok(())
    }

    /// Ends a block: nothing may be left on the stack.
    pub fn end_block(&mut self) -> Result<(), Reason> {
        self.spill_all()?;
        self.aliases.clear();
        Ok(())
    }
}
