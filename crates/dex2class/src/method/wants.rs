//! What each instruction wants of its operands.

use super::instruction::{Call, Ins, Op, Width};
use super::kinds::{self, Kind, Want};
use super::{Reason, Scope};

const THROWABLE: &[u8] = b"Ljava/lang/Throwable;";

fn by_type(descriptor: &[u8]) -> Want<'_> {
    match Kind::of(descriptor) {
        Kind::Ref => Want::Type(descriptor),
        kind => Want::Kind(kind),
    }
}

/// What all instructions want of their operands.
pub struct Wants<'a> {
    /// In parallel with [`Body::regs`](super::decode::Body::regs); of instructions that are not reached anything.
    all: Vec<Want<'a>>,
}

impl<'a> Wants<'a> {
    /// Finds what the instructions that control reaches want.
    pub(super) fn for_method(scope: &Scope<'_, 'a>) -> Result<Self, Reason> {
        let mut all = vec![Want::Same; scope.body.regs.len()];
        let mut wants = Vec::new();
        for block in &scope.flow.blocks {
            for ix in block.first..block.last {
                scope.wants(ix, &mut wants)?;
                let from = scope.body.ins[ix as usize].uses.0 as usize;
                all[from..from + wants.len()].copy_from_slice(&wants);
            }
        }
        Ok(Self { all })
    }

    /// What an instruction wants, in the order of its operands.
    pub fn wanted_by(&self, ins: &Ins) -> &[Want<'a>] {
        let (from, count) = (ins.uses.0 as usize, usize::from(ins.uses.1));
        &self.all[from..from + count]
    }
}

impl<'a> Scope<'_, 'a> {
    /// Lists what an instruction wants, in the order of its operands.
    fn wants(&self, ix: u32, wants: &mut Vec<Want<'a>>) -> Result<(), Reason> {
        let ins = &self.body.ins[ix as usize];
        wants.clear();
        let int = Want::Kind(Kind::Int);
        let object = Want::Kind(Kind::Ref);
        match ins.op {
            Op::Nop
            | Op::MoveException
            | Op::ReturnVoid
            | Op::Const32
            | Op::Const64
            | Op::ConstString
            | Op::ConstClass
            | Op::NewInstance
            | Op::Goto
            | Op::StaticGet
            | Op::ConstMethodHandle
            | Op::ConstMethodType
            | Op::Missing
            | Op::Unknown => {}
            Op::Move(_) => wants.push(Want::Same),
            Op::Return(width) => wants.push(match width {
                Width::Object => by_type(self.result),
                _ => Want::Kind(Kind::of(self.result)),
            }),
            Op::MonitorEnter | Op::MonitorExit | Op::CheckCast | Op::InstanceOf => {
                wants.push(object);
            }
            Op::Throw => wants.push(Want::Type(THROWABLE)),
            Op::ArrayLength | Op::FillArrayData => wants.push(Want::Array(7)),
            Op::NewArray | Op::Switch => wants.push(int),
            Op::FilledNewArray => {
                let array = self.dex.type_name(ins.index)?;
                let element = array.get(1..).ok_or(Reason::BadType)?;
                wants.resize(usize::from(ins.uses.1), by_type(element));
            }
            Op::Compare(opcode) => {
                let kind = Want::Kind(kinds::compare(opcode).1);
                wants.extend([kind, kind]);
            }
            Op::If(0 | 1) => wants.extend([Want::IntOrRef, Want::IntOrRef]),
            Op::If(_) => wants.extend([int, int]),
            Op::IfZero(0 | 1) => wants.push(Want::IntOrRef),
            Op::IfZero(_) => wants.push(int),
            Op::ArrayGet(variant) => wants.extend([Want::Array(variant), int]),
            Op::ArrayPut(variant) => {
                let element = match variant {
                    0 => Want::Element,
                    1 => Want::WideElement,
                    2 => object,
                    _ => int,
                };
                wants.extend([Want::Array(variant), int, element]);
            }
            Op::InstanceGet => wants.push(Want::Type(self.dex.field(ins.index)?.owner)),
            Op::InstancePut => {
                let field = self.dex.field(ins.index)?;
                // A constructor may set fields of its class before it calls that of the superclass.
                wants.extend([Want::Type(field.owner), by_type(field.kind)]);
            }
            Op::StaticPut => wants.push(by_type(self.dex.field(ins.index)?.kind)),
            Op::Invoke(call) => {
                match call {
                    Call::Static => {}
                    Call::Super => wants.push(Want::Type(self.owner)),
                    Call::Direct if self.dex.method(ins.index)?.name == b"<init>" => {
                        wants.push(Want::Uninitialized);
                    }
                    _ => {
                        let owner = self.dex.method_owner(ins.index)?;
                        wants.push(Want::Type(self.dex.type_name(owner)?));
                    }
                }
                self.arguments(self.dex.method_proto(ins.index)?, wants)?;
            }
            Op::InvokePolymorphic => {
                wants.push(Want::Type(self.dex.method(ins.index)?.owner));
                let proto = u32::try_from(ins.literal).map_err(|_| Reason::BadType)?;
                self.arguments(proto, wants)?;
            }
            Op::InvokeCustom => {
                let proto = self.call_site_proto(ins.index)?;
                for ix in 0..proto.parameters.len() {
                    wants.push(by_type(proto.parameters.get(ix)?));
                }
            }
            Op::Unary(opcode) => wants.push(Want::Kind(kinds::unary(opcode).1)),
            Op::Binary(opcode) => {
                let (_, kind, second) = kinds::binary(opcode);
                wants.extend([Want::Kind(kind), Want::Kind(second)]);
            }
            Op::Literal(_) => wants.push(int),
        }
        match wants.len() == usize::from(ins.uses.1) {
            true => Ok(()),
            false => Err(Reason::BadArguments),
        }
    }

    fn arguments(&self, proto: u32, wants: &mut Vec<Want<'a>>) -> Result<(), Reason> {
        let parameters = self.dex.proto(proto)?.parameters;
        for ix in 0..parameters.len() {
            wants.push(by_type(parameters.get(ix)?));
        }
        Ok(())
    }
}
