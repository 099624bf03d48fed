//! Arrays and their elements.

use super::Reason;
use super::emit::Emitter;
use super::kinds::{Kind, Want};
use super::type_table::Type;
use crate::class::{Insn, op};
use crate::dex::internal_name;

const LOADS: [u8; 7] = [
    op::IALOAD,
    op::LALOAD,
    op::AALOAD,
    op::BALOAD,
    op::BALOAD,
    op::CALOAD,
    op::SALOAD,
];
const STORES: [u8; 7] = [
    op::IASTORE,
    op::LASTORE,
    op::AASTORE,
    op::BASTORE,
    op::BASTORE,
    op::CASTORE,
    op::SASTORE,
];

/// The array type that a value must be cast to so that an `aget` or `aput` of this variant can use it; none if the
/// verifier knows it to be such an array. Variant 7 takes any array.
pub(super) fn cast(name: &[u8], variant: u8) -> Option<Vec<u8>> {
    let element = match name {
        [b'[', element @ ..] => element.first().copied(),
        _ => None,
    };
    let (fits, default): (&[u8], &[u8]) = match variant {
        0 => (b"IF", b"[I"),
        1 => (b"JD", b"[J"),
        2 => (b"L[", b"[Ljava/lang/Object;"),
        3 | 4 => (b"ZB", if variant == 3 { b"[Z" } else { b"[B" }),
        5 => (b"C", b"[C"),
        6 => (b"S", b"[S"),
        _ => (b"IFJDL[ZBCS", b"[Ljava/lang/Object;"),
    };
    match element {
        Some(element) if fits.contains(&element) => None,
        _ => Some(default.to_vec()),
    }
}

/// The code of `newarray` for an element.
fn primitive(element: &[u8]) -> Option<u8> {
    Some(match element {
        b"Z" => 4,
        b"C" => 5,
        b"F" => 6,
        b"D" => 7,
        b"B" => 8,
        b"S" => 9,
        b"I" => 10,
        b"J" => 11,
        _ => return None,
    })
}

pub(super) fn store_of(element: &[u8]) -> u8 {
    match element {
        b"Z" | b"B" => op::BASTORE,
        b"C" => op::CASTORE,
        b"S" => op::SASTORE,
        b"F" => op::FASTORE,
        b"D" => op::DASTORE,
        b"J" => op::LASTORE,
        b"I" => op::IASTORE,
        _ => op::AASTORE,
    }
}

impl<'a> Emitter<'_, '_, 'a> {
    pub(super) fn element_of(&self, ix: u32) -> Option<u8> {
        let ins = &self.scope.body.ins[ix as usize];
        let array = self.values.of_use[ins.uses.0 as usize];
        match self.types.kind_of(array) {
            Type::Ref(id) => self.table.name(id).get(1).copied(),
            _ => None,
        }
    }

    pub(super) fn array_get(
        &mut self,
        ix: u32,
        variant: u8,
        wants: &[Want<'a>],
    ) -> Result<(), Reason> {
        let element = self.element_of(ix);
        let begin = self.operands(ix, wants)?;
        let (opcode, kind) = match (variant, element) {
            (0, Some(b'F')) => (op::FALOAD, Kind::Float),
            (1, Some(b'D')) => (op::DALOAD, Kind::Double),
            (1, _) => (op::LALOAD, Kind::Long),
            (2, _) => (op::AALOAD, Kind::Ref),
            (variant, _) => (LOADS[usize::from(variant)], Kind::Int),
        };
        self.put(Insn::Op(opcode));
        self.define(ix, kind, begin)
    }

    pub(super) fn array_put(
        &mut self,
        ix: u32,
        variant: u8,
        wants: &[Want<'a>],
    ) -> Result<(), Reason> {
        let ins = &self.scope.body.ins[ix as usize];
        let kind = self
            .scope
            .kind_wanted(ins, wants[2], 2, self.values, self.types, self.table);
        self.operands(ix, wants)?;
        let opcode = match (variant, kind) {
            (0, Kind::Float) => op::FASTORE,
            (1, Kind::Double) => op::DASTORE,
            _ => STORES[usize::from(variant)],
        };
        self.put(Insn::Op(opcode));
        Ok(())
    }

    fn new_array(&mut self, array: &[u8]) {
        let element = &array[1..];
        match primitive(element) {
            Some(code) => self.put(Insn::NewArray(code)),
            None => {
                let class = self.pool.class(internal_name(element));
                self.put(Insn::Type(op::ANEWARRAY, class));
            }
        }
    }

    pub(super) fn array_new(&mut self, ix: u32, wants: &[Want<'a>]) -> Result<(), Reason> {
        let array = self.array_type(ix)?;
        let begin = self.operands(ix, wants)?;
        self.new_array(array);
        self.define(ix, Kind::Ref, begin)
    }

    fn array_type(&self, ix: u32) -> Result<&'a [u8], Reason> {
        let index = self.scope.body.ins[ix as usize].index;
        let name = self.scope.dex.type_name(index)?;
        match name {
            [b'[', _, ..] => Ok(name),
            _ => Err(Reason::BadType),
        }
    }

    /// `filled-new-array`: all elements are in registers.
    pub(super) fn array_of(&mut self, ix: u32, wants: &[Want<'a>]) -> Result<(), Reason> {
        let array = self.array_type(ix)?;
        // Elements on the stack would be below the array.
        while !self.pending.is_empty() {
            self.spill()?;
        }
        let begin = (self.code.insns.len(), self.time);
        self.put(Insn::Push(
            i32::try_from(wants.len()).map_err(|_| Reason::TooLarge)?,
        ));
        self.new_array(array);
        for (at, &want) in wants.iter().enumerate() {
            self.put(Insn::Op(op::DUP));
            self.put(Insn::Push(i32::try_from(at).map_err(|_| Reason::TooLarge)?));
            self.one_operand(ix, at, want)?;
            self.put(Insn::Op(store_of(&array[1..])));
        }
        if self.scope.body.ins[ix as usize].dst == super::instruction::NONE {
            self.put(Insn::Op(op::POP));
            return Ok(());
        }
        self.define(ix, Kind::Ref, begin)
    }

    pub(super) fn call_jdk(&mut self, opcode: u8, owner: &[u8], name: &[u8], descriptor: &[u8]) {
        let method = self.pool.method(owner, name, descriptor, false);
        self.put(Insn::Invoke(opcode, method));
    }
}
