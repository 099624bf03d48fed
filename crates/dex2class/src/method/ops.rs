//! Single instructions, but for calls and arrays.

use super::emit::{Emitter, Pending};
use super::instruction::{NONE, Op};
use super::kinds::{self, Kind, Want};
use super::{Reason, targets_of};
use crate::class::{Insn, op};
use crate::dex::internal_name;

/// Longest text of the class file format, in bytes.
const LONGEST_TEXT: usize = 0xffff;

impl<'a> Emitter<'_, '_, 'a> {
    /// Writes one instruction. `next` is the block that is written after this one.
    pub(super) fn instruction(
        &mut self,
        ix: u32,
        wants: &[Want<'a>],
        next: u32,
    ) -> Result<(), Reason> {
        let ins = &self.scope.body.ins[ix as usize];
        match ins.op {
            Op::Nop => {}
            Op::MoveException => return Err(Reason::BadResult),
            Op::Move(_) => self.copy(ix)?,
            Op::ReturnVoid => self.put(Insn::Op(op::RETURN)),
            Op::Return(_) => {
                self.operands(ix, wants)?;
                let kind = Kind::of(self.scope.result);
                self.put(Insn::Op(kind.ret()));
            }
            Op::Const32 | Op::Const64 => {
                let value = self.values.defined(ix, ins.dst).ok_or(Reason::BadType)?;
                self.define_constant(value, ins.literal);
            }
            Op::ConstString => {
                let begin = self.here();
                self.text(self.scope.dex.string(ins.index)?);
                self.define(ix, Kind::Ref, begin)?;
            }
            Op::ConstClass => {
                let begin = self.here();
                self.class_constant(self.scope.dex.type_name(ins.index)?);
                self.define(ix, Kind::Ref, begin)?;
            }
            Op::ConstMethodHandle => {
                let begin = self.here();
                let handle = self.handle(ins.index)?;
                self.put(Insn::Const(handle));
                self.define(ix, Kind::Ref, begin)?;
            }
            Op::ConstMethodType => {
                let begin = self.here();
                let kind = self.method_type(ins.index)?;
                self.put(Insn::Const(kind));
                self.define(ix, Kind::Ref, begin)?;
            }
            Op::MonitorEnter | Op::MonitorExit | Op::Throw => {
                self.operands(ix, wants)?;
                self.put(Insn::Op(match ins.op {
                    Op::MonitorEnter => op::MONITORENTER,
                    Op::MonitorExit => op::MONITOREXIT,
                    _ => op::ATHROW,
                }));
            }
            Op::CheckCast | Op::InstanceOf => {
                let begin = self.operands(ix, wants)?;
                let name = internal_name(self.scope.dex.type_name(ins.index)?);
                let class = self.pool.class(name);
                let (opcode, kind) = match ins.op {
                    Op::CheckCast => (op::CHECKCAST, Kind::Ref),
                    _ => (op::INSTANCEOF, Kind::Int),
                };
                self.put(Insn::Type(opcode, class));
                self.define(ix, kind, begin)?;
            }
            Op::ArrayLength => self.simple(ix, wants, &[op::ARRAYLENGTH], Kind::Int)?,
            Op::NewInstance => self.new_object(ix)?,
            Op::NewArray => self.array_new(ix, wants)?,
            Op::FilledNewArray => self.array_of(ix, wants)?,
            Op::FillArrayData => self.array_data(ix, wants)?,
            Op::Goto | Op::If(_) | Op::IfZero(_) | Op::Switch => self.jump(ix, wants, next)?,
            Op::Compare(opcode) => {
                let (opcode, _) = kinds::compare(opcode);
                self.simple(ix, wants, &[opcode], Kind::Int)?;
            }
            Op::ArrayGet(variant) => self.array_get(ix, variant, wants)?,
            Op::ArrayPut(variant) => self.array_put(ix, variant, wants)?,
            Op::InstanceGet | Op::StaticGet | Op::InstancePut | Op::StaticPut => {
                self.field(ix, wants)?;
            }
            Op::Invoke(call) => self.call(ix, call, wants)?,
            Op::InvokePolymorphic => self.call_polymorphic(ix, wants)?,
            Op::InvokeCustom => self.call_custom(ix, wants)?,
            Op::Unary(0x7c) => {
                let begin = self.operands(ix, wants)?;
                self.put(Insn::Push(-1));
                self.put(Insn::Op(op::IXOR));
                self.define(ix, Kind::Int, begin)?;
            }
            Op::Unary(0x7e) => {
                let begin = self.operands(ix, wants)?;
                self.put(Insn::Push(-1));
                self.put(Insn::Op(op::I2L));
                self.put(Insn::Op(op::LXOR));
                self.define(ix, Kind::Long, begin)?;
            }
            Op::Unary(opcode) => {
                let (code, _, kind) = kinds::unary(opcode);
                self.simple(ix, wants, code, kind)?;
            }
            Op::Binary(opcode) => {
                let (code, kind, _) = kinds::binary(opcode);
                self.simple(ix, wants, &[code], kind)?;
            }
            Op::Literal(opcode) => self.literal(ix, opcode, wants)?,
            Op::Missing => self.missing(ix)?,
            Op::Unknown => return Err(Reason::UnknownOpcode),
        }
        Ok(())
    }

    /// Where what is written next begins.
    pub(super) fn here(&self) -> (usize, u32) {
        (self.code.insns.len(), self.time)
    }

    fn simple(
        &mut self,
        ix: u32,
        wants: &[Want<'a>],
        code: &[u8],
        result: Kind,
    ) -> Result<(), Reason> {
        let begin = self.operands(ix, wants)?;
        for &opcode in code {
            self.put(Insn::Op(opcode));
        }
        self.define(ix, result, begin)
    }

    /// A text; one that is too long for a constant is put together, and is then the same object as everywhere else.
    fn text(&mut self, text: &[u8]) {
        let mut rest = text;
        let mut first = true;
        while first || !rest.is_empty() {
            let part = &rest[..character_boundary(rest, LONGEST_TEXT)];
            rest = &rest[part.len()..];
            let constant = self.pool.string(part);
            self.put(Insn::Const(constant));
            if !first {
                self.call_jdk(
                    op::INVOKEVIRTUAL,
                    b"java/lang/String",
                    b"concat",
                    b"(Ljava/lang/String;)Ljava/lang/String;",
                );
            }
            first = false;
        }
        if text.len() > LONGEST_TEXT {
            self.call_jdk(
                op::INVOKEVIRTUAL,
                b"java/lang/String",
                b"intern",
                b"()Ljava/lang/String;",
            );
        }
    }

    pub(super) fn class_constant(&mut self, descriptor: &[u8]) {
        let boxed: &[u8] = match descriptor {
            b"Z" => b"java/lang/Boolean",
            b"B" => b"java/lang/Byte",
            b"C" => b"java/lang/Character",
            b"S" => b"java/lang/Short",
            b"I" => b"java/lang/Integer",
            b"J" => b"java/lang/Long",
            b"F" => b"java/lang/Float",
            b"D" => b"java/lang/Double",
            b"V" => b"java/lang/Void",
            _ => {
                let class = self.pool.class(internal_name(descriptor));
                self.put(Insn::Const(class));
                return;
            }
        };
        let field = self.pool.field(boxed, b"TYPE", b"Ljava/lang/Class;");
        self.put(Insn::Field(op::GETSTATIC, field));
    }

    fn new_object(&mut self, ix: u32) -> Result<(), Reason> {
        let ins = &self.scope.body.ins[ix as usize];
        let name = self.scope.dex.type_name(ins.index)?;
        if !name.starts_with(b"L") {
            return Err(Reason::BadType);
        }
        let class = self.pool.class(internal_name(name));
        let raw = self.values.defined(ix, ins.dst).ok_or(Reason::BadType)?;
        if let Some(call) = self.plan.constructor_of(ix) {
            let built = self.values.defined(call, ins.dst).ok_or(Reason::BadType)?;
            let begin = self.here();
            self.put(Insn::Type(op::NEW, class));
            if self.needed(built) {
                self.pending.push(Pending {
                    value: built,
                    start: begin.0,
                    time: begin.1,
                });
                let begin = self.here();
                self.put(Insn::Op(op::DUP));
                self.pending.push(Pending {
                    value: raw,
                    start: begin.0,
                    time: begin.1,
                });
            } else {
                self.pending.push(Pending {
                    value: raw,
                    start: begin.0,
                    time: begin.1,
                });
            }
            return Ok(());
        }
        let label = self.site_label(ix);
        self.code.insns.push(Insn::Label(label));
        self.put(Insn::Type(op::NEW, class));
        if self.needed(raw) {
            self.store(raw, Kind::Ref);
        } else {
            self.drop_top(Kind::Ref);
        }
        Ok(())
    }

    fn field(&mut self, ix: u32, wants: &[Want<'a>]) -> Result<(), Reason> {
        let ins = &self.scope.body.ins[ix as usize];
        let field = self.scope.dex.field(ins.index)?;
        let begin = self.operands(ix, wants)?;
        let entry = self
            .pool
            .field(internal_name(field.owner), field.name, field.kind);
        let opcode = match ins.op {
            Op::InstanceGet => op::GETFIELD,
            Op::StaticGet => op::GETSTATIC,
            Op::InstancePut => op::PUTFIELD,
            _ => op::PUTSTATIC,
        };
        self.put(Insn::Field(opcode, entry));
        match ins.dst {
            NONE => Ok(()),
            _ => self.define(ix, Kind::of(field.kind), begin),
        }
    }

    fn literal(&mut self, ix: u32, opcode: u8, wants: &[Want<'a>]) -> Result<(), Reason> {
        if opcode == 0xd0 && self.increment(ix)? {
            return Ok(());
        }
        let begin = self.operands(ix, wants)?;
        #[allow(clippy::cast_possible_truncation)]
        let literal = self.scope.body.ins[ix as usize].literal as i32;
        match (opcode, literal) {
            (0xd1, 0) => self.put(Insn::Op(op::INEG)),
            _ => {
                self.put(Insn::Push(literal));
                if opcode == 0xd1 {
                    self.put(Insn::Op(op::SWAP));
                }
                self.put(Insn::Op(kinds::literal(opcode)));
            }
        }
        self.define(ix, Kind::Int, begin)
    }

    fn jump(&mut self, ix: u32, wants: &[Want<'a>], next: u32) -> Result<(), Reason> {
        let ins = &self.scope.body.ins[ix as usize];
        let to = targets_of(self.scope, ix)?;
        if ins.op == Op::Goto {
            self.end_block()?;
            if to[0] != next {
                let label = self.label_of(to[0]);
                self.put(Insn::Jump(op::GOTO, label));
            }
            return Ok(());
        }
        let kind = wants
            .first()
            .map(|&want| {
                self.scope
                    .kind_wanted(ins, want, 0, self.values, self.types, self.table)
            })
            .unwrap_or(Kind::Int);
        self.operands(ix, wants)?;
        if to.is_empty() {
            // A switch without cases does not end its block.
            self.drop_top(Kind::Int);
            return Ok(());
        }
        if !self.pending.is_empty() {
            // Only what a later instruction of this block uses is pending, and this is the last.
            return Err(Reason::BadType);
        }
        match ins.op {
            Op::If(test) | Op::IfZero(test) => {
                let zero = matches!(ins.op, Op::IfZero(_));
                let opcode = match (zero, kind) {
                    (true, Kind::Ref) => op::IFNULL + test,
                    (true, _) => op::IFEQ + test,
                    (false, Kind::Ref) => op::IF_ACMPEQ + test,
                    (false, _) => op::IF_ICMPEQ + test,
                };
                let label = self.label_of(to[0]);
                self.put(Insn::Jump(opcode, label));
            }
            _ => self.switch(ins.index as usize, &to, next),
        }
        Ok(())
    }

    fn switch(&mut self, number: usize, to: &[u32], next: u32) {
        let switch = &self.scope.body.switches[number];
        let default = self.label_of(next);
        let labels: Vec<_> = to.iter().map(|&block| self.label_of(block)).collect();
        let keys = switch.cases.iter().map(|case| case.0);
        self.put(match switch.packed && !labels.is_empty() {
            true => Insn::Table(Box::new((switch.cases[0].0, default, labels))),
            false => Insn::Lookup(Box::new((default, keys.zip(labels).collect()))),
        });
    }
}

/// The longest beginning of a text in modified UTF-8 of at most so many bytes that ends where a character ends.
fn character_boundary(text: &[u8], most: usize) -> usize {
    if text.len() <= most {
        return text.len();
    }
    let continues = |at: usize| text[at] & 0xc0 == 0x80;
    (1..=most).rev().find(|&at| !continues(at)).unwrap_or(most)
}
