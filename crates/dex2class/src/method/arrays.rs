//! Arrays: their elements, and arrays filled with constants.

use super::Reason;
use super::emit::{Emitter, internal};
use super::kinds::{Kind, Want};
use super::type_table::Type;
use super::values::UNDEFINED;
use crate::class::{Insn, op};

/// Elements beyond which constants come from a text instead of single stores.
const FEW: usize = 8;
/// Longest text of the class file format, in bytes.
const LONGEST_TEXT: usize = 0xffff;

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

fn store_of(element: &[u8]) -> u8 {
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
    fn element_of(&self, ix: u32) -> Option<u8> {
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
                let class = self.pool.class(internal(element));
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

    /// `fill-array-data`. Many bytes are kept as a text, whose chars hold a byte each; wider elements are read from it
    /// through a buffer.
    pub(super) fn array_data(&mut self, ix: u32, wants: &[Want<'a>]) -> Result<(), Reason> {
        let at = self.scope.body.ins[ix as usize].at;
        let body = self.scope.body;
        let (width, bytes) = body.data.get(&at).ok_or(Reason::CutOff)?;
        let array = self.values.of_use[body.ins[ix as usize].uses.0 as usize];
        if array == UNDEFINED {
            return Err(Reason::BadType);
        }
        let element = match (self.element_of(ix), width) {
            (Some(element), _) => element,
            (None, 1) => b'B',
            (None, 2) => b'C',
            (None, 4) => b'I',
            (None, _) => b'J',
        };
        let wide = match element {
            b'Z' | b'B' => 1,
            b'C' | b'S' => 2,
            b'I' | b'F' => 4,
            b'J' | b'D' => 8,
            _ => return Err(Reason::BadType),
        };
        if wide != usize::from(*width) {
            return Err(Reason::BadType);
        }
        self.operands(ix, wants)?;
        if bytes.len() / wide <= FEW || element == b'Z' {
            self.single_stores(element, bytes, wide);
        } else {
            self.elements_from_text(element, bytes);
        }
        Ok(())
    }

    /// Stores each element; the array is on the stack.
    fn single_stores(&mut self, element: u8, bytes: &[u8], wide: usize) {
        if bytes.is_empty() {
            // Only to throw if the array is null.
            self.put(Insn::Op(op::ARRAYLENGTH));
        }
        for (at, chunk) in bytes.chunks_exact(wide).enumerate() {
            let (bits, kind) = number(element, chunk);
            self.put(Insn::Op(op::DUP));
            self.put(Insn::Push(i32::try_from(at).unwrap_or(i32::MAX)));
            let insn = self.constant(bits, kind);
            self.put(insn);
            if kind == Kind::Long && matches!(bits, -1 | 2..=5) {
                self.put(Insn::Op(op::I2L));
            }
            self.put(Insn::Op(store_of(&[element])));
        }
        self.put(Insn::Op(op::POP));
    }

    /// Fills the array on the stack from texts of as many chars as there are bytes.
    fn elements_from_text(&mut self, element: u8, bytes: &[u8]) {
        let (view, shape, width): (&[u8], &[u8], i32) = match element {
            b'C' => (b"asCharBuffer", b"java/nio/CharBuffer", 2),
            b'S' => (b"asShortBuffer", b"java/nio/ShortBuffer", 2),
            b'I' => (b"asIntBuffer", b"java/nio/IntBuffer", 4),
            b'F' => (b"asFloatBuffer", b"java/nio/FloatBuffer", 4),
            b'J' => (b"asLongBuffer", b"java/nio/LongBuffer", 8),
            b'D' => (b"asDoubleBuffer", b"java/nio/DoubleBuffer", 8),
            _ => {
                self.bytes_from_text(bytes);
                return;
            }
        };
        let total = i32::try_from(bytes.len()).unwrap_or(i32::MAX);
        // array
        self.put(Insn::Push(total));
        self.put(Insn::NewArray(8));
        self.put(Insn::Op(op::DUP));
        self.bytes_from_text(bytes);
        // array, bytes
        self.call_jdk(
            op::INVOKESTATIC,
            b"java/nio/ByteBuffer",
            b"wrap",
            b"([B)Ljava/nio/ByteBuffer;",
        );
        let order = self.pool.field(
            b"java/nio/ByteOrder",
            b"LITTLE_ENDIAN",
            b"Ljava/nio/ByteOrder;",
        );
        self.put(Insn::Field(op::GETSTATIC, order));
        self.call_jdk(
            op::INVOKEVIRTUAL,
            b"java/nio/ByteBuffer",
            b"order",
            b"(Ljava/nio/ByteOrder;)Ljava/nio/ByteBuffer;",
        );
        let mut descriptor = b"()L".to_vec();
        descriptor.extend_from_slice(shape);
        descriptor.push(b';');
        self.call_jdk(op::INVOKEVIRTUAL, b"java/nio/ByteBuffer", view, &descriptor);
        self.put(Insn::Op(op::SWAP));
        // The array may be longer.
        self.put(Insn::Push(0));
        self.put(Insn::Push(total / width));
        let mut descriptor = vec![b'(', b'[', element, b'I', b'I', b')', b'L'];
        descriptor.extend_from_slice(shape);
        descriptor.push(b';');
        self.call_jdk(op::INVOKEVIRTUAL, shape, b"get", &descriptor);
        self.put(Insn::Op(op::POP));
    }

    /// Fills the byte array on the stack: `text.getBytes(0, length, array, from)` takes the low byte of each char.
    fn bytes_from_text(&mut self, bytes: &[u8]) {
        let mut from = 0;
        while from < bytes.len() {
            let mut text = Vec::new();
            let mut count = 0;
            for &byte in &bytes[from..] {
                let length = if (1..0x80).contains(&byte) { 1 } else { 2 };
                if text.len() + length > LONGEST_TEXT {
                    break;
                }
                match byte {
                    1..0x80 => text.push(byte),
                    _ => text.extend_from_slice(&[0xc0 | byte >> 6, 0x80 | byte & 0x3f]),
                }
                count += 1;
            }
            if from + count < bytes.len() {
                self.put(Insn::Op(op::DUP));
            }
            let text = self.pool.string(&text);
            self.put(Insn::Const(text));
            self.put(Insn::Op(op::SWAP));
            // text, array
            self.put(Insn::Push(0));
            self.put(Insn::Op(op::SWAP));
            self.put(Insn::Push(i32::try_from(count).unwrap_or(i32::MAX)));
            self.put(Insn::Op(op::SWAP));
            // text, 0, count, array
            self.put(Insn::Push(i32::try_from(from).unwrap_or(i32::MAX)));
            self.call_jdk(
                op::INVOKEVIRTUAL,
                b"java/lang/String",
                b"getBytes",
                b"(II[BI)V",
            );
            from += count;
        }
    }

    pub(super) fn call_jdk(&mut self, opcode: u8, owner: &[u8], name: &[u8], descriptor: &[u8]) {
        let method = self.pool.method(owner, name, descriptor, false);
        self.put(Insn::Invoke(opcode, method));
    }
}

/// An element of a payload, as the bits of a constant.
fn number(element: u8, bytes: &[u8]) -> (i64, Kind) {
    let mut wide = [0; 8];
    wide[..bytes.len()].copy_from_slice(bytes);
    let bits = i64::from_le_bytes(wide);
    #[allow(clippy::cast_possible_truncation)]
    match element {
        b'Z' => (bits & 1, Kind::Int),
        b'B' => (i64::from(bits as i8), Kind::Int),
        b'S' => (i64::from(bits as i16), Kind::Int),
        b'C' => (bits, Kind::Int),
        b'F' => (i64::from(bits as i32), Kind::Float),
        b'J' => (bits, Kind::Long),
        b'D' => (bits, Kind::Double),
        _ => (i64::from(bits as i32), Kind::Int),
    }
}
