//! What remains of a method that was cut: it calls the parts.

use super::cuts::waits;
use super::hand_over::{Layout, Slots};
use super::part::END;
use super::parts::REST;
use super::{DESCRIPTOR, PART_NAME, SHIFT, Whole};
use crate::class::{Class, Code, Insn, Label, VType, op};
use crate::method::Kind;

/// The loop that calls parts. A constructor has one until the superclass's constructor was called, and one after that: the
/// verifier takes a frame with the object before its constructor for no other.
struct Loop {
    begin: Label,
    waits: bool,
}

impl Whole<'_> {
    /// The method's new code. `names` are those of the parts.
    ///
    /// What calls the parts has no line: stack traces show the part's, under the method's name.
    pub(super) fn rest(&self, class: &mut Class, names: &[Vec<u8>], start: Label) -> Code {
        // The method's parameters are needed until they are saved.
        let used = self.parameters;
        let frames = &self.places.code.frames;
        let this = frames.iter().any(|(_, frame)| waits(frame));
        let own = used + SHIFT + u16::from(this);
        let has_kept = self.parts.has_kept();
        let slots = Slots {
            arrays: used,
            this: this.then_some(used + SHIFT),
            shift: own,
            free: own + if has_kept { self.free } else { 0 },
        };
        let mut types = vec![VType::Top; usize::from(used)];
        types.extend(Self::array_types(&mut class.pool));
        let layout = Layout { slots, types };
        let mut making = self.begin(REST);
        let code = &mut making.code;
        let [before, after] = [true, false].map(|waits| Loop {
            begin: code.label(),
            waits,
        });
        if let Some(this) = slots.this {
            code.insns.push(Insn::Var(op::ALOAD, 0));
            code.insns.push(Insn::Var(op::ASTORE, this));
        }
        self.make_arrays(slots, &mut class.pool, &mut code.insns);
        if let Some(frame) = self.places.frame(start) {
            self.save(frame, Slots { shift: 0, ..slots }, &mut code.insns);
        }
        self.go_on(start, slots, &mut code.insns);
        if this {
            let first = if self.waits(start) { &before } else { &after };
            code.insns.push(Insn::Jump(op::GOTO, first.begin));
            self.dispatch(&before, code, &layout, class, names);
        }
        self.dispatch(&after, code, &layout, class, names);
        if has_kept {
            self.body(&mut making, &layout, |_, kind, to| {
                to.push(Insn::Op(kind.map_or(op::RETURN, Kind::ret)));
            });
            self.exits(&mut making, &layout, |frame, target, to| {
                self.save(frame, slots, to);
                self.go_on(target, slots, to);
                let next = if waits(frame) { &before } else { &after };
                to.push(Insn::Jump(op::GOTO, next.begin));
            });
        }
        making.code.max_locals = slots.free + 2;
        making.code
    }

    /// Writes a loop: a switch, the calls of its parts, and the ways to what the rest keeps.
    fn dispatch(
        &self,
        which: &Loop,
        code: &mut Code,
        layout: &Layout,
        class: &mut Class,
        names: &[Vec<u8>],
    ) {
        let slots = layout.slots;
        let place = |code: &mut Code, label: Label| {
            code.insns.push(Insn::Label(label));
            code.frames.push((label, layout.place(which.waits)));
        };
        place(code, which.begin);
        code.insns.push(Insn::Var(op::ILOAD, slots.next()));
        let end = code.label();
        let calls: Vec<Label> = names.iter().map(|_| code.label()).collect();
        let mut kept = Vec::new();
        let mut table = Vec::new();
        for entry in &self.entries {
            let part = &self.parts.all[entry.part];
            table.push(if self.waits(entry.label) != which.waits {
                end
            } else if entry.part == REST {
                let label = code.label();
                kept.push((label, entry.label));
                label
            } else if part.waits == which.waits {
                calls[entry.part - 1]
            } else {
                end
            });
        }
        code.insns
            .push(Insn::Table(Box::new((END + 1, end, table))));
        let interface = class.is_interface();
        let parts = self.parts.all.iter().skip(REST + 1);
        for ((label, name), part) in calls.iter().zip(names).zip(parts) {
            if part.waits != which.waits {
                continue;
            }
            debug_assert!(name.starts_with(PART_NAME.as_bytes()));
            place(code, *label);
            for array in slots.arrays..slots.next() {
                code.insns.push(Insn::Var(op::ALOAD, array));
            }
            code.insns.push(Insn::Var(op::ILOAD, slots.next()));
            let called = class
                .pool
                .method(self.access.own, name, DESCRIPTOR, interface);
            code.insns.push(Insn::Invoke(op::INVOKESTATIC, called));
            code.insns.push(Insn::Var(op::ISTORE, slots.next()));
            code.insns.push(Insn::Jump(op::GOTO, which.begin));
        }
        for (label, target) in kept {
            place(code, label);
            if let Some(frame) = self.places.frame(target) {
                self.restore(frame, slots, &mut class.pool, &mut code.insns);
            }
            code.insns.push(Insn::Jump(op::GOTO, target));
        }
        place(code, end);
        if which.waits {
            // A method that gets here is rejected by Android.
            code.insns.push(Insn::Op(op::ACONST_NULL));
            code.insns.push(Insn::Op(op::ATHROW));
        } else {
            self.return_result(slots, &mut class.pool, &mut code.insns);
        }
    }

    /// Whether a constructor's object waits for the superclass's constructor at a label.
    fn waits(&self, label: Label) -> bool {
        self.places.frame(label).is_some_and(waits)
    }

    fn go_on(&self, target: Label, slots: Slots, to: &mut Vec<Insn>) {
        to.push(Insn::Push(self.number(target)));
        to.push(Insn::Var(op::ISTORE, slots.next()));
    }
}
