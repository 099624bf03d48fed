//! Arrays filled with constants: `fill-array-data`.

use super::Reason;
use super::arrays::store_of;
use super::emit::Emitter;
use super::kinds::{Kind, Want};
use super::values::UNDEFINED;
use crate::class::{Class, Code, Frame, Insn, Label, Method, VType, access, op};
use crate::dex::internal_name;

/// Elements beyond which constants come from a text instead of single stores.
const FEW: usize = 8;
/// Longest text of the class file format, in bytes.
const LONGEST_TEXT: usize = 0xffff;
/// The method that fills a `boolean[]`: nothing in Java copies bytes to one. Reflection leaves it out, as it does parts.
const FILL: (&[u8], &[u8]) = (b"$$part$$0$$fill", b"([ZLjava/lang/String;I)V");

impl<'a> Emitter<'_, '_, 'a> {
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
        if bytes.len() / wide <= FEW {
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
        if element == b'Z' {
            self.booleans_from_text(bytes);
            return;
        }
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
        for (text, count) in texts(bytes) {
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

    /// Fills the boolean array on the stack.
    fn booleans_from_text(&mut self, bytes: &[u8]) {
        self.added.fills_booleans = true;
        let mut from = 0;
        for (text, count) in texts(bytes) {
            if from + count < bytes.len() {
                self.put(Insn::Op(op::DUP));
            }
            let text = self.pool.string(&text);
            self.put(Insn::Const(text));
            self.put(Insn::Push(i32::try_from(from).unwrap_or(i32::MAX)));
            let own = internal_name(self.scope.owner);
            let own_info = self.scope.hierarchy.class(own);
            let interface = own_info.is_some_and(|info| info.is_interface());
            let fill = self.pool.method(own, FILL.0, FILL.1, interface);
            self.put(Insn::Invoke(op::INVOKESTATIC, fill));
            from += count;
        }
    }
}

/// Texts whose chars hold a byte each, and how many they hold.
fn texts(bytes: &[u8]) -> Vec<(Vec<u8>, usize)> {
    let mut all = vec![(Vec::new(), 0)];
    for &byte in bytes {
        let length = if (1..0x80).contains(&byte) { 1 } else { 2 };
        if all
            .last()
            .is_some_and(|(text, _)| text.len() + length > LONGEST_TEXT)
        {
            all.push((Vec::new(), 0));
        }
        if let Some((text, count)) = all.last_mut() {
            match byte {
                1..0x80 => text.push(byte),
                _ => text.extend_from_slice(&[0xc0 | byte >> 6, 0x80 | byte & 0x3f]),
            }
            *count += 1;
        }
    }
    all
}

/// Adds the method that fills a `boolean[]` from an element on with the lowest bits of a text's chars.
pub fn add_fill(class: &mut Class) {
    let pool = &mut class.pool;
    let [length, char_at] =
        [(&b"length"[..], &b"()I"[..]), (b"charAt", b"(I)C")].map(|(name, shape)| {
            let method = pool.method(b"java/lang/String", name, shape, false);
            Insn::Invoke(op::INVOKEVIRTUAL, method)
        });
    let types = [b"[Z", &b"java/lang/String"[..]].map(|name| VType::Object(pool.class(name)));
    let locals = vec![types[0], types[1], VType::Int, VType::Int];
    let frame = |label| {
        let stack = Vec::new();
        (
            label,
            Frame {
                locals: locals.clone(),
                stack,
            },
        )
    };
    let (next, end) = (Label(0), Label(1));
    let load = |slot| Insn::Var(op::ILOAD, slot);
    let [array, text] = [0, 1].map(|slot| Insn::Var(op::ALOAD, slot));
    let insns = vec![
        Insn::Push(0),
        Insn::Var(op::ISTORE, 3),
        Insn::Label(next),
        load(3),
        text.clone(),
        length,
        Insn::Jump(op::IF_ICMPGE, end),
        array,
        load(2),
        load(3),
        Insn::Op(op::IADD),
        text,
        load(3),
        char_at,
        Insn::Push(1),
        Insn::Op(op::IAND),
        Insn::Op(op::BASTORE),
        Insn::Iinc(3, 1),
        Insn::Jump(op::GOTO, next),
        Insn::Label(end),
        Insn::Op(op::RETURN),
    ];
    let frames = vec![frame(next), frame(end)];
    let method = Method {
        access: access::PRIVATE | access::STATIC | access::SYNTHETIC,
        name: class.pool.utf8(FILL.0),
        descriptor: class.pool.utf8(FILL.1),
        code: Some(Code {
            insns,
            labels: 2,
            frames,
            max_locals: 4,
            ..Code::default()
        }),
        attributes: Vec::new(),
    };
    class.methods.push(method);
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
