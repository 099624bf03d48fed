//! What remains of a method that was cut: it calls the parts.

use super::hand_over::Slots;
use super::part::END;
use super::{DESCRIPTOR, PART_NAME, SHIFT, Whole};
use crate::class::{Class, Code, Frame, Insn, Label, VType, op};

impl Whole<'_> {
    /// The method's new code. `names` are those of the parts; a constructor keeps its first part itself.
    ///
    /// What calls the parts has no line: stack traces show the part's, under the method's name.
    pub(super) fn rest(
        &self,
        class: &mut Class,
        names: &[Vec<u8>],
        is_constructor: bool,
        start: Label,
    ) -> Code {
        // Without code of its own the method needs its parameters only until they are saved.
        let used = if is_constructor {
            self.free
        } else {
            self.parameters
        };
        let slots = Slots {
            arrays: used,
            shift: 0,
            free: used + SHIFT,
        };
        let mut making = self.begin(0);
        if is_constructor {
            making.code.insns.push(Insn::Jump(op::GOTO, start));
        } else {
            self.make_arrays(slots, &mut class.pool, &mut making.code.insns);
            if let Some(frame) = self.places.frame(start) {
                self.save(frame, slots, &mut making.code.insns);
            }
            self.go_on(start, slots, &mut making.code.insns);
        }
        let mut arrays = vec![VType::Top; usize::from(used)];
        arrays.extend(Self::array_types(&mut class.pool));
        let place = |code: &mut Code, label: Label| {
            code.insns.push(Insn::Label(label));
            let locals = arrays.clone();
            let stack = Vec::new();
            code.frames.push((label, Frame { locals, stack }));
        };
        let code = &mut making.code;
        let looped = code.label();
        place(code, looped);
        code.insns.push(Insn::Var(op::ILOAD, slots.next()));
        let end = code.label();
        let kept = usize::from(is_constructor);
        let calls: Vec<Label> = names.iter().map(|_| code.label()).collect();
        let mut own = Vec::new();
        let mut table = Vec::new();
        for entry in &self.entries {
            match entry.part.checked_sub(kept) {
                Some(part) => table.push(calls[part]),
                None => {
                    let label = code.label();
                    own.push((label, entry.label));
                    table.push(label);
                }
            }
        }
        code.insns
            .push(Insn::Table(Box::new((END + 1, end, table))));
        let interface = class.is_interface();
        for (label, name) in calls.iter().zip(names) {
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
            code.insns.push(Insn::Jump(op::GOTO, looped));
        }
        for (label, target) in own {
            place(code, label);
            if let Some(frame) = self.places.frame(target) {
                self.restore(frame, slots, &mut class.pool, &mut code.insns);
            }
            code.insns.push(Insn::Jump(op::GOTO, target));
        }
        place(code, end);
        self.return_result(slots, &mut class.pool, &mut code.insns);
        if is_constructor {
            self.body(&mut making, &[], slots, |_, _, to| {
                to.push(Insn::Op(op::RETURN));
            });
            let pool = &mut class.pool;
            self.exits(&mut making, &[], |frame, target, to| {
                self.make_arrays(slots, pool, to);
                self.save(frame, slots, to);
                self.go_on(target, slots, to);
                to.push(Insn::Jump(op::GOTO, looped));
            });
        }
        making.code.max_locals = slots.free + 2;
        making.code
    }

    fn go_on(&self, target: Label, slots: Slots, to: &mut Vec<Insn>) {
        to.push(Insn::Push(self.number(target)));
        to.push(Insn::Var(op::ISTORE, slots.next()));
    }
}
