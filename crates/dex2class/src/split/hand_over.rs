//! How the values of local variables get from one part to another.

use super::cuts::waits;
use super::{Cast, EXCEPTION, FIRST, RESULT, Whole, type_cast};
use crate::class::{Frame, Idx, Insn, Pool, VType, op};
use crate::dex::internal_name;
use crate::method::Kind;

/// Where a part has what it hands over.
#[derive(Clone, Copy)]
pub(super) struct Slots {
    /// Slot of the first of the arrays; the place to begin follows the last one.
    pub arrays: u16,
    /// Slot of a constructor's object until the superclass's constructor is called; only the rest of a method has it.
    pub this: Option<u16>,
    /// What is added to the method's own slots.
    pub shift: u16,
    /// Slots that nothing else uses.
    pub free: u16,
}

/// What frames have before the method's own local variables.
pub(super) struct Layout {
    pub slots: Slots,
    /// The types up to the place to begin.
    pub types: Vec<VType>,
}

impl Layout {
    /// The frame of a place with nothing of the method's own. `waits` tells whether a constructor's object waits.
    pub fn place(&self, waits: bool) -> Frame {
        let mut locals = self.types.clone();
        if self.slots.this.is_some() {
            locals.push(match waits {
                true => VType::UninitializedThis,
                false => VType::Top,
            });
        }
        let stack = Vec::new();
        Frame { locals, stack }
    }

    /// A frame of the method. Parts do not have a constructor's object before it is one.
    pub fn frame(&self, frame: &Frame) -> Frame {
        let mut all = self.place(waits(frame));
        all.locals
            .extend(frame.locals.iter().map(|kind| match kind {
                VType::UninitializedThis if self.slots.this.is_none() => VType::Top,
                kind => *kind,
            }));
        all.stack.clone_from(&frame.stack);
        all
    }
}

impl Slots {
    /// The array for a kind.
    fn array(self, kind: Kind) -> u16 {
        self.arrays + kind as u16
    }

    /// The place to begin.
    pub fn next(self) -> u16 {
        self.arrays + Kind::ALL.len() as u16
    }
}

/// The kind of a frame's type; none for what holds nothing.
pub(super) fn kind_of(kind: VType) -> Option<Kind> {
    Some(match kind {
        VType::Int => Kind::Int,
        VType::Long => Kind::Long,
        VType::Float => Kind::Float,
        VType::Double => Kind::Double,
        VType::Null | VType::Object(_) => Kind::Ref,
        VType::Top | VType::UninitializedThis | VType::Uninitialized(_) => return None,
    })
}

/// The local variables of a frame: slot and type.
pub(super) fn each_slot(frame: &Frame) -> impl Iterator<Item = (u16, VType)> {
    let mut slot = 0_u16;
    frame.locals.iter().map(move |&kind| {
        let at = slot;
        slot = slot.saturating_add(kind.slots());
        (at, kind)
    })
}

/// The local variables of a frame that arrays hold.
pub(super) fn each_local(frame: &Frame) -> impl Iterator<Item = (u16, VType)> {
    each_slot(frame).filter(|local| kind_of(local.1).is_some())
}

impl Whole<'_> {
    /// Puts what a frame has into the arrays. The stack has the frame's exception, or nothing.
    pub(super) fn save(&self, frame: &Frame, slots: Slots, to: &mut Vec<Insn>) {
        if !frame.stack.is_empty() {
            to.push(Insn::Var(op::ASTORE, slots.free));
        }
        for (slot, kind) in each_local(frame) {
            if let Some(of) = kind_of(kind).filter(|_| kind != VType::Null) {
                put(of, FIRST + slot, slots, slot + slots.shift, to);
            }
        }
        if !frame.stack.is_empty() {
            put(Kind::Ref, EXCEPTION, slots, slots.free, to);
        }
    }

    /// Takes what a frame has out of the arrays, which keep no object alive after that.
    pub(super) fn restore(&self, frame: &Frame, slots: Slots, pool: &mut Pool, to: &mut Vec<Insn>) {
        for (slot, kind) in each_local(frame) {
            let Some(of) = kind_of(kind) else { continue };
            match kind {
                VType::Null => to.push(Insn::Op(op::ACONST_NULL)),
                VType::Object(class) => self.take_ref(FIRST + slot, class, slots, pool, to),
                _ => take(of, FIRST + slot, slots, to),
            }
            to.push(Insn::Var(of.store(), slot + slots.shift));
        }
        if let Some(this) = slots.this {
            for (slot, _) in each_slot(frame).filter(|local| local.1 == VType::UninitializedThis) {
                to.push(Insn::Var(op::ALOAD, this));
                to.push(Insn::Var(op::ASTORE, slot + slots.shift));
            }
        }
        if let [VType::Object(class)] = frame.stack[..] {
            self.take_ref(EXCEPTION, class, slots, pool, to);
        }
        if self.kinds & Kind::Ref.bit() != 0 {
            to.push(Insn::Var(op::ALOAD, slots.array(Kind::Ref)));
            to.push(Insn::Op(op::ACONST_NULL));
            let (owner, name) = (b"java/util/Arrays", b"fill");
            let descriptor = b"([Ljava/lang/Object;Ljava/lang/Object;)V";
            let fill = pool.method(owner, name, descriptor, false);
            to.push(Insn::Invoke(op::INVOKESTATIC, fill));
        }
    }

    fn take_ref(&self, index: u16, class: Idx, slots: Slots, pool: &Pool, to: &mut Vec<Insn>) {
        take(Kind::Ref, index, slots, to);
        if type_cast(pool.class_name(class), self.access) == Cast::Needed {
            to.push(Insn::Type(op::CHECKCAST, class));
        }
    }

    /// Stores the method's result, which is on the stack.
    pub(super) fn save_result(&self, kind: Kind, slots: Slots, to: &mut Vec<Insn>) {
        to.push(Insn::Var(kind.store(), slots.free));
        put(kind, RESULT, slots, slots.free, to);
    }

    /// Returns the method's result.
    pub(super) fn return_result(&self, slots: Slots, pool: &mut Pool, to: &mut Vec<Insn>) {
        if self.result == b"V" {
            to.push(Insn::Op(op::RETURN));
            return;
        }
        let kind = Kind::of(&self.result);
        if kind == Kind::Ref {
            let class = pool.class(internal_name(&self.result));
            self.take_ref(RESULT, class, slots, pool, to);
        } else {
            take(kind, RESULT, slots, to);
        }
        to.push(Insn::Op(kind.ret()));
    }

    /// Makes the arrays that are needed.
    pub(super) fn make_arrays(&self, slots: Slots, pool: &mut Pool, to: &mut Vec<Insn>) {
        let length = i32::from(self.free) + i32::from(FIRST);
        for kind in Kind::ALL {
            if self.kinds & kind.bit() == 0 {
                to.push(Insn::Op(op::ACONST_NULL));
            } else {
                to.push(Insn::Push(length));
                to.push(match kind {
                    Kind::Int => Insn::NewArray(10),
                    Kind::Long => Insn::NewArray(11),
                    Kind::Float => Insn::NewArray(6),
                    Kind::Double => Insn::NewArray(7),
                    Kind::Ref => Insn::Type(op::ANEWARRAY, pool.class(b"java/lang/Object")),
                });
            }
            to.push(Insn::Var(op::ASTORE, slots.array(kind)));
        }
    }

    /// The types of the arrays and of the place to begin.
    pub(super) fn array_types(pool: &mut Pool) -> Vec<VType> {
        let arrays: [&[u8]; 5] = [b"[I", b"[J", b"[F", b"[D", b"[Ljava/lang/Object;"];
        let mut types: Vec<VType> = arrays
            .iter()
            .map(|name| VType::Object(pool.class(name)))
            .collect();
        types.push(VType::Int);
        types
    }
}

/// Puts a local variable into an array.
fn put(kind: Kind, index: u16, slots: Slots, from: u16, to: &mut Vec<Insn>) {
    to.push(Insn::Var(op::ALOAD, slots.array(kind)));
    to.push(Insn::Push(i32::from(index)));
    to.push(Insn::Var(kind.load(), from));
    to.push(Insn::Op(op::IASTORE + kind as u8));
}

/// Takes a value out of an array.
fn take(kind: Kind, index: u16, slots: Slots, to: &mut Vec<Insn>) {
    to.push(Insn::Var(op::ALOAD, slots.array(kind)));
    to.push(Insn::Push(i32::from(index)));
    to.push(Insn::Op(op::IALOAD + kind as u8));
}
