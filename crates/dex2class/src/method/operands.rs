//! Operands of instructions: constants, local variables, and what is on the stack already.

use super::Reason;
use super::emit::{Emitter, FIXED};
use super::kinds::{Kind, Want};
use super::type_table::Type;
use super::values::{UNDEFINED, ValueId};
use crate::class::{Entry, Insn, op};
use crate::dex::internal_name;

/// Instructions after a pending value's beginning beyond which a load is not inserted there: what keeps the work linear.
const FARTHEST_INSERTION: usize = 256;

/// Where an operand is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Place {
    Constant(i64),
    Stack(usize),
    Local(u16),
}

/// An operand: its value, the kind as which it is used, and the class to which it must be cast.
pub(super) type Operand = (ValueId, Kind, Option<Vec<u8>>);

impl<'a> Emitter<'_, '_, 'a> {
    pub(super) fn place(&mut self, value: ValueId, kind: Kind) -> Result<Place, Reason> {
        let found = self.types.kind_of(value);
        if found.possible() & kind.bit() == 0 {
            return Err(Reason::BadType);
        }
        if let Some(constant) = self.types.constant(value) {
            return Ok(Place::Constant(constant));
        }
        self.searched += self.pending.len();
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
        // The lists are kept from one instruction to the next.
        let mut operands = std::mem::take(&mut self.operands);
        let mut places = std::mem::take(&mut self.places);
        operands.clear();
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
        let begin = loop {
            places.clear();
            for &(value, kind, _) in &operands {
                places.push(self.place(value, kind)?);
            }
            if self.fits(&places, &operands) {
                break self.load_all(&places, &operands);
            }
            self.spill()?;
        };
        self.operands = operands;
        self.places = places;
        Ok(begin)
    }

    /// Whether the pending operands are the top of the stack, in order, and the others can be loaded between them.
    fn fits(&self, places: &[Place], operands: &[Operand]) -> bool {
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

    fn load_all(&mut self, places: &[Place], operands: &[Operand]) -> (usize, u32) {
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

    /// The instruction that pushes a constant; a small long needs another after it ([`Self::wide_constant`]).
    pub fn constant(&mut self, bits: i64, kind: Kind) -> Insn {
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

    pub(super) fn push_constant(&mut self, bits: i64, kind: Kind) {
        let insn = self.constant(bits, kind);
        self.put(insn);
        if let Some(more) = self.wide_constant(Place::Constant(bits), kind) {
            self.put(more);
        }
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
                (!fits).then(|| internal_name(wanted).to_vec())
            }
            Want::Array(variant) => super::arrays::cast(self.table.name(id), variant),
            _ => None,
        }
    }
}
