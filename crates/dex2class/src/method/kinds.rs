//! Kinds of values, and what instructions take and give.

use super::decode::Body;
use super::instruction::{Ins, Op};
use crate::class::op;

/// A kind of local variable of the JVM.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Kind {
    /// `int` and shorter.
    Int,
    /// `long`.
    Long,
    /// `float`.
    Float,
    /// `double`.
    Double,
    /// A reference.
    Ref,
}

impl Kind {
    /// All, in the order of the JVM's opcodes.
    pub const ALL: [Self; 5] = [Self::Int, Self::Long, Self::Float, Self::Double, Self::Ref];

    /// The kind of a type, by its descriptor.
    pub fn of(descriptor: &[u8]) -> Self {
        match descriptor.first() {
            Some(b'L' | b'[') => Self::Ref,
            Some(b'J') => Self::Long,
            Some(b'F') => Self::Float,
            Some(b'D') => Self::Double,
            _ => Self::Int,
        }
    }

    /// Its bit in a set of kinds.
    pub fn bit(self) -> u8 {
        1 << self as u8
    }

    /// Slots that a value takes.
    pub fn slots(self) -> u16 {
        match self {
            Self::Long | Self::Double => 2,
            _ => 1,
        }
    }

    /// The load of this kind.
    pub fn load(self) -> u8 {
        op::ILOAD + self as u8
    }

    /// The store of this kind.
    pub fn store(self) -> u8 {
        op::ISTORE + self as u8
    }

    /// The return of this kind.
    pub fn ret(self) -> u8 {
        op::IRETURN + self as u8
    }
}

/// What an instruction wants of an operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Want<'a> {
    /// A value of this kind; of references, any.
    Kind(Kind),
    /// A reference of the type with this descriptor.
    Type(&'a [u8]),
    /// An array for the opcode's variant (0 to 6).
    Array(u8),
    /// A copy takes what there is.
    Same,
    /// An int or a reference.
    IntOrRef,
    /// The element that `aput` stores.
    Element,
    /// The element that `aput-wide` stores.
    WideElement,
    /// An object before its constructor was called.
    Uninitialized,
}

/// The opcode of a unary instruction, and the kinds that it takes and gives.
pub fn unary(opcode: u8) -> (&'static [u8], Kind, Kind) {
    use Kind::{Double, Float, Int, Long};
    match opcode {
        0x7b => (&[op::INEG], Int, Int),
        0x7c => (&[], Int, Int),
        0x7d => (&[op::LNEG], Long, Long),
        0x7e => (&[], Long, Long),
        0x7f => (&[op::FNEG], Float, Float),
        0x80 => (&[op::DNEG], Double, Double),
        0x81 => (&[op::I2L], Int, Long),
        0x82 => (&[op::I2F], Int, Float),
        0x83 => (&[op::I2D], Int, Double),
        0x84 => (&[op::L2I], Long, Int),
        0x85 => (&[op::L2F], Long, Float),
        0x86 => (&[op::L2D], Long, Double),
        0x87 => (&[op::F2I], Float, Int),
        0x88 => (&[op::F2L], Float, Long),
        0x89 => (&[op::F2D], Float, Double),
        0x8a => (&[op::D2I], Double, Int),
        0x8b => (&[op::D2L], Double, Long),
        0x8c => (&[op::D2F], Double, Float),
        0x8d => (&[op::I2B], Int, Int),
        0x8e => (&[op::I2C], Int, Int),
        _ => (&[op::I2S], Int, Int),
    }
}

/// The opcode of a binary instruction (0x90 to 0xaf), its kind, and the kind of its second operand.
pub fn binary(opcode: u8) -> (u8, Kind, Kind) {
    const INT: [u8; 11] = [
        op::IADD,
        op::ISUB,
        op::IMUL,
        op::IDIV,
        op::IREM,
        op::IAND,
        op::IOR,
        op::IXOR,
        op::ISHL,
        op::ISHR,
        op::IUSHR,
    ];
    // In the JVM's numbering the forms for int, long, float and double of one operation follow each other.
    match opcode {
        0x90..=0x9a => (INT[usize::from(opcode - 0x90)], Kind::Int, Kind::Int),
        0x9b..=0xa5 => {
            let at = opcode - 0x9b;
            let second = if at >= 8 { Kind::Int } else { Kind::Long };
            (INT[usize::from(at)] + 1, Kind::Long, second)
        }
        0xa6..=0xaa => {
            let code = INT[usize::from(opcode - 0xa6)] + 2;
            (code, Kind::Float, Kind::Float)
        }
        _ => {
            let code = INT[usize::from(opcode.clamp(0xab, 0xaf) - 0xab)] + 3;
            (code, Kind::Double, Kind::Double)
        }
    }
}

/// The opcode of an instruction with a literal (0xd0 to 0xda); of a reversed subtraction that of a subtraction.
pub fn literal(opcode: u8) -> u8 {
    match opcode {
        0xd0 => op::IADD,
        0xd1 => op::ISUB,
        0xd2 => op::IMUL,
        0xd3 => op::IDIV,
        0xd4 => op::IREM,
        0xd5 => op::IAND,
        0xd6 => op::IOR,
        0xd7 => op::IXOR,
        0xd8 => op::ISHL,
        0xd9 => op::ISHR,
        _ => op::IUSHR,
    }
}

/// The opcode of a comparison, and the kind that it compares.
pub fn compare(opcode: u8) -> (u8, Kind) {
    match opcode {
        0x2d => (op::FCMPL, Kind::Float),
        0x2e => (op::FCMPG, Kind::Float),
        0x2f => (op::DCMPL, Kind::Double),
        0x30 => (op::DCMPG, Kind::Double),
        _ => (op::LCMP, Kind::Long),
    }
}

/// Whether two registers of an instruction are an array and an index, for the types of what it takes and gives.
pub fn array_of(body: &Body<'_>, ins: &Ins) -> Option<u32> {
    match ins.op {
        Op::ArrayGet(_) | Op::ArrayPut(_) => {
            debug_assert!(!body.uses(ins).is_empty());
            Some(ins.uses.0)
        }
        _ => None,
    }
}
