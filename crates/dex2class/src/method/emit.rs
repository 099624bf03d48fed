//! Writes a method's instructions.
//!
//! Values that are used once stay on the operand stack: [`Emitter::pending`] lists them, the top last, with the
//! place in the code where each began to be computed. When an instruction wants a local variable below a pending
//! value, its load is inserted at that place, if the variable was not stored to since. Where the order does not fit,
//! pending values are stored to their local variables from the top down.

use super::kinds::{Kind, Want};
use super::plan::Plan;
use super::slots::Slots;
use super::types::{Type, TypeTable, Types};
use super::values::{UNDEFINED, ValueId, Values};
use super::{Added, Reason, Scope};
use crate::class::{Code, Idx, Insn, Label, Pool, VType, op};
use rustc_hash::FxHashMap;

/// Instructions after a pending value's beginning beyond which a load is not inserted there: what keeps the work linear.
const FARTHEST_INSERTION: usize = 256;

/// A value on the operand stack.
pub(super) struct Pending {
    pub value: ValueId,
    /// Where in the code it began to be computed, and when.
    pub start: usize,
    pub time: u32,
}

/// Nothing can be inserted below it.
pub(super) const FIXED: u32 = 0;

/// Where an operand is.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Place {
    Constant(i64),
    Stack(usize),
    Local(u16),
}

/// A frame before slots have their final numbers.
pub(super) struct LooseFrame {
    pub label: Label,
    pub locals: Vec<(u16, VType)>,
    pub stack: Vec<VType>,
}

/// What a method is written with.
pub(super) struct Emitter<'e, 's, 'a> {
    pub scope: &'e Scope<'s, 'a>,
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
    /// Uses of each value that are still to come; 255 for many.
    left: Vec<u8>,
    /// Counts instructions that were written in order; loads that are inserted do not count.
    pub time: u32,
    /// Counts stores to local variables.
    pub stores: u32,
}

impl<'e, 's, 'a> Emitter<'e, 's, 'a> {
    pub fn new(
        scope: &'e Scope<'s, 'a>,
        values: &'e Values,
        types: &'e Types,
        plan: &'e Plan,
        table: &'e mut TypeTable,
        pool: &'e mut Pool,
        slots: Slots,
        added: &'e mut Added,
    ) -> Self {
        Self {
            scope,
            values,
            types,
            plan,
            table,
            pool,
            code: Code::default(),
            pending: Vec::new(),
            slots,
            frames: Vec::new(),
            labels: FxHashMap::default(),
            handlers: Vec::new(),
            stub_of: FxHashMap::default(),
            added,
            sites: FxHashMap::default(),
            aliases: Vec::new(),
            left: values.all.iter().map(|value| value.uses).collect(),
            time: FIXED + 1,
            stores: 0,
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

    fn slot(&mut self, value: ValueId, kind: Kind) -> u16 {
        let register = self.values.all[value as usize].register;
        self.slots.of(register, kind)
    }

    /// What a copy stands for.
    fn root(&self, value: ValueId) -> ValueId {
        let found = self.aliases.iter().find(|alias| alias.0 == value);
        found.map_or(value, |alias| alias.1)
    }

    fn place(&mut self, value: ValueId, kind: Kind) -> Result<Place, Reason> {
        let found = self.types.kind_of(value);
        if found.possible() & kind.bit() == 0 {
            return Err(Reason::BadType);
        }
        if let Some(constant) = self.types.constant(value) {
            return Ok(Place::Constant(constant));
        }
        if let Some(at) = self.pending.iter().rposition(|p| p.value == value) {
            return Ok(Place::Stack(at));
        }
        let root = self.root(value);
        if self.plan.stored[root as usize] & kind.bit() == 0 {
            // An element of an array that is null: it is never there.
            return Ok(Place::Constant(0));
        }
        Ok(Place::Local(self.slot(root, kind)))
    }

    /// Brings an instruction's operands to the top of the stack, in order. Returns where in the code their computation
    /// begins, and when.
    pub fn operands(&mut self, ix: u32, wants: &[Want<'a>]) -> Result<(usize, u32), Reason> {
        let ins = &self.scope.body.ins[ix as usize];
        let from = ins.uses.0 as usize;
        let mut operands = Vec::with_capacity(wants.len());
        for (offset, &want) in wants.iter().enumerate() {
            let value = self.values.of_use[from + offset];
            if value == UNDEFINED {
                return Err(Reason::BadType);
            }
            let kind =
                self.scope
                    .kind_wanted(ins, want, offset, self.values, self.types, self.table);
            operands.push((value, kind, self.cast_for(value, want)));
        }
        loop {
            let mut places = Vec::with_capacity(operands.len());
            for &(value, kind, _) in &operands {
                places.push(self.place(value, kind)?);
            }
            if self.fits(&places, &operands) {
                return Ok(self.load_all(&places, &operands));
            }
            self.spill()?;
        }
    }

    /// Whether the pending operands are the top of the stack, in order, and the others can be loaded between them.
    fn fits(&self, places: &[Place], operands: &[(ValueId, Kind, Option<Vec<u8>>)]) -> bool {
        let wanted = places
            .iter()
            .filter(|place| matches!(place, Place::Stack(_)))
            .count();
        let mut next = self.pending.len() - wanted;
        let first = next;
        for (at, place) in places.iter().enumerate() {
            if let Place::Stack(ix) = place {
                if *ix != next || operands[at].2.is_some() && at + 1 != places.len() {
                    return false;
                }
                next += 1;
                continue;
            }
            let Some(above) = self.pending.get(next) else {
                continue;
            };
            debug_assert!(next >= first);
            // To be inserted below a pending value.
            let old = match place {
                Place::Local(slot) => self.slots.last_store(*slot) > above.time,
                _ => false,
            };
            let far = self.code.insns.len() - above.start > FARTHEST_INSERTION;
            if above.time == FIXED || old || far {
                return false;
            }
        }
        true
    }

    fn load_all(
        &mut self,
        places: &[Place],
        operands: &[(ValueId, Kind, Option<Vec<u8>>)],
    ) -> (usize, u32) {
        let wanted = places
            .iter()
            .filter(|place| matches!(place, Place::Stack(_)))
            .count();
        let first = self.pending.len() - wanted;
        let mut next = first;
        let mut begin = None;
        for (place, (value, kind, cast)) in places.iter().zip(operands) {
            self.consume(*value);
            let insn = match *place {
                Place::Stack(_) => {
                    let found = &self.pending[next];
                    begin = begin.or(Some((found.start, found.time)));
                    next += 1;
                    if let Some(name) = cast {
                        self.cast(name);
                    }
                    continue;
                }
                Place::Constant(constant) => self.constant(constant, *kind),
                Place::Local(slot) => {
                    self.slots.count(slot);
                    Insn::Var(kind.load(), slot)
                }
            };
            if let Some(above) = self.pending.get(next) {
                let at = above.start;
                let time = above.time;
                begin = begin.or(Some((at, time)));
                let mut added = vec![insn];
                added.extend(self.wide_constant(*place, *kind));
                if let Some(name) = cast {
                    let class = self.pool.class(name);
                    added.push(Insn::Type(op::CHECKCAST, class));
                }
                let count = added.len();
                self.code.insns.splice(at..at, added);
                for above in &mut self.pending[next..] {
                    above.start += count;
                }
            } else {
                begin = begin.or(Some((self.code.insns.len(), self.time)));
                self.put(insn);
                if let Some(more) = self.wide_constant(*place, *kind) {
                    self.put(more);
                }
                if let Some(name) = cast {
                    self.cast(name);
                }
            }
        }
        self.pending.truncate(first);
        begin.unwrap_or((self.code.insns.len(), self.time))
    }

    fn cast(&mut self, name: &[u8]) {
        let class = self.pool.class(name);
        self.put(Insn::Type(op::CHECKCAST, class));
    }

    /// Notes that one use of a value is over.
    fn consume(&mut self, value: ValueId) {
        let left = &mut self.left[value as usize];
        if *left != u8::MAX {
            *left = left.saturating_sub(1);
        }
        if *left == 0 {
            self.aliases.retain(|alias| alias.0 != value);
        }
    }

    /// The instruction that pushes a constant; a small long needs another after it ([`Self::wide_constant`]).
    pub fn constant(&mut self, bits: i64, kind: Kind) -> Insn {
        use crate::class::Entry;
        #[allow(clippy::cast_possible_truncation)]
        let low = bits as i32;
        match kind {
            Kind::Int => Insn::Push(low),
            Kind::Ref => Insn::Op(op::ACONST_NULL),
            Kind::Long => match bits {
                0 => Insn::Op(op::LCONST_0),
                1 => Insn::Op(op::LCONST_1),
                -1..=5 => Insn::Push(low),
                _ => Insn::Const(self.pool.entry(Entry::Long(bits))),
            },
            Kind::Float => match low.cast_unsigned() {
                0 => Insn::Op(op::FCONST_0),
                0x3f80_0000 => Insn::Op(op::FCONST_1),
                0x4000_0000 => Insn::Op(op::FCONST_2),
                bits => Insn::Const(self.pool.entry(Entry::Float(bits))),
            },
            Kind::Double => match bits.cast_unsigned() {
                0 => Insn::Op(op::DCONST_0),
                0x3ff0_0000_0000_0000 => Insn::Op(op::DCONST_1),
                bits => Insn::Const(self.pool.entry(Entry::Double(bits))),
            },
        }
    }

    /// `i2l` after the push of a small long: one byte less than a constant of the pool, and no entry there.
    fn wide_constant(&self, place: Place, kind: Kind) -> Option<Insn> {
        match (place, kind) {
            (Place::Constant(-1 | 2..=5), Kind::Long) => Some(Insn::Op(op::I2L)),
            _ => None,
        }
    }

    fn push_constant(&mut self, bits: i64, kind: Kind) {
        let insn = self.constant(bits, kind);
        self.put(insn);
        if let Some(more) = self.wide_constant(Place::Constant(bits), kind) {
            self.put(more);
        }
    }

    /// Stores the top of the stack to its local variable.
    fn spill(&mut self) -> Result<(), Reason> {
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
        self.before_store(slot);
        self.slots.count(slot);
        self.put(Insn::Var(kind.store(), slot));
        self.slots.note_store(slot, self.time);
        self.stores += 1;
    }

    /// Copies that stand for a variable get their own before it changes.
    pub fn before_store(&mut self, slot: u16) {
        let mut at = 0;
        while at < self.aliases.len() {
            let (copy, root) = self.aliases[at];
            let register = self.values.all[root as usize].register;
            let kind = Kind::ALL
                .into_iter()
                .find(|&kind| self.slots.known(register, kind) == Some(slot));
            let Some(kind) = kind.filter(|k| self.plan.stored[copy as usize] & k.bit() != 0) else {
                at += 1;
                continue;
            };
            self.aliases.swap_remove(at);
            self.slots.count(slot);
            self.put(Insn::Var(kind.load(), slot));
            self.store(copy, kind);
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
        if self.plan.aliased[value as usize] {
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

    /// Stores the top pending value to its local variable.
    pub fn spill_top(&mut self) -> Result<(), Reason> {
        self.spill()
    }

    /// Loads one operand of an instruction; it is not pending.
    pub fn one_operand(&mut self, ix: u32, at: usize, want: Want<'a>) -> Result<(), Reason> {
        let ins = &self.scope.body.ins[ix as usize];
        let value = self.values.of_use[ins.uses.0 as usize + at];
        if value == UNDEFINED {
            return Err(Reason::BadType);
        }
        let kind = self
            .scope
            .kind_wanted(ins, want, at, self.values, self.types, self.table);
        let operand = (value, kind, self.cast_for(value, want));
        let place = self.place(value, kind)?;
        self.load_all(&[place], &[operand]);
        Ok(())
    }

    /// Adds a constant to an int variable where source and result share it; false if they do not.
    pub fn increment(&mut self, ix: u32) -> Result<bool, Reason> {
        let ins = &self.scope.body.ins[ix as usize];
        let source = self.values.of_use[ins.uses.0 as usize];
        let value = self.values.defined(ix, ins.dst).ok_or(Reason::BadType)?;
        let Ok(by) = i16::try_from(ins.literal) else {
            return Ok(false);
        };
        if source == UNDEFINED || self.plan.on_stack[value as usize] || !self.needed(value) {
            return Ok(false);
        }
        let Place::Local(slot) = self.place(source, Kind::Int)? else {
            return Ok(false);
        };
        if self.slot(value, Kind::Int) != slot {
            return Ok(false);
        }
        self.consume(source);
        self.before_store(slot);
        self.slots.count(slot);
        self.put(Insn::Iinc(slot, by));
        self.slots.note_store(slot, self.time);
        self.stores += 1;
        Ok(true)
    }

    /// Ends a block: nothing may be left on the stack.
    pub fn end_block(&mut self) -> Result<(), Reason> {
        while !self.pending.is_empty() {
            self.spill()?;
        }
        self.aliases.clear();
        Ok(())
    }

    /// The type to which a value must be cast for an instruction, since the verifier cannot know that it fits.
    fn cast_for(&mut self, value: ValueId, want: Want<'a>) -> Option<Vec<u8>> {
        let Type::Ref(id) = self.types.kind_of(value) else {
            return None;
        };
        match want {
            Want::Type(wanted) => {
                if self.table.name(id) == wanted || wanted == b"Ljava/lang/Object;" {
                    return None;
                }
                let wanted_id = self.table.id(wanted);
                let fits = self.table.assignable(id, wanted_id, self.scope.hierarchy);
                (!fits).then(|| internal(wanted).to_vec())
            }
            Want::Array(variant) => super::arrays::cast(self.table.name(id), variant),
            _ => None,
        }
    }
}

/// The name of a class in a class file: `Lfoo/Bar;` becomes `foo/Bar`, arrays stay.
pub fn internal(descriptor: &[u8]) -> &[u8] {
    match descriptor {
        [b'L', name @ .., b';'] => name,
        array => array,
    }
}
