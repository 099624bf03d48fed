//! Types of values, found by following them through the method as Android's verifier does.

use super::Scope;
use super::instruction::{Call, Op};
use super::kinds::{self, Kind};
use super::type_table::{OBJECT, Type, TypeTable};
use super::uninit::THIS;
use super::values::{Origin, UNDEFINED, ValueId, Values};

/// A constant that a value always is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Constant {
    Unknown,
    Is(i64),
    Varies,
}

/// Types and constants of all values of a method.
pub struct Types {
    types: Vec<Type>,
    constants: Vec<Constant>,
}

impl Types {
    /// Follows the values to a fixed point. `parameters` are the types of parameters.
    pub fn of(
        scope: &Scope<'_, '_>,
        values: &Values,
        parameters: &[Type],
        table: &mut TypeTable,
    ) -> Self {
        let count = values.all.len();
        let mut found = Self {
            types: vec![Type::Unknown; count],
            constants: vec![Constant::Unknown; count],
        };
        let mut elements: Vec<(ValueId, u32, ValueId)> = Vec::new();
        let mut open: Vec<ValueId> = Vec::new();
        for (id, value) in (0_u32..).zip(&values.all) {
            let (kind, constant) = match value.origin {
                Origin::Parameter(position) => {
                    (parameters[usize::from(position)], Constant::Varies)
                }
                Origin::Entry(_) => (Type::Unknown, Constant::Unknown),
                Origin::Instruction(ix) => {
                    let ins = &scope.body.ins[ix as usize];
                    if let (Some(array), Op::ArrayGet(0..=2)) =
                        (kinds::array_of(scope.body, ins), ins.op)
                    {
                        let array = values.of_use[array as usize];
                        if array == UNDEFINED {
                            found.types[id as usize] = Type::Conflict;
                        } else {
                            elements.push((array, ix, id));
                        }
                    }
                    match ins.op {
                        Op::Move(_) => (Type::Unknown, Constant::Unknown),
                        Op::Const32 | Op::Const64 => (
                            scope.defines(ix, value.register, table),
                            Constant::Is(ins.literal),
                        ),
                        Op::ArrayGet(0..=2) => (found.types[id as usize], Constant::Varies),
                        _ => (scope.defines(ix, value.register, table), Constant::Varies),
                    }
                }
            };
            found.types[id as usize] = kind;
            found.constants[id as usize] = constant;
            if kind != Type::Unknown {
                open.push(id);
            }
        }
        for &id in &values.undefined {
            found.types[id as usize] = Type::Conflict;
            found.constants[id as usize] = Constant::Varies;
            open.push(id);
        }
        elements.sort_unstable();
        found.follow(scope, values, table, &elements, open);
        found
    }

    fn follow(
        &mut self,
        scope: &Scope<'_, '_>,
        values: &Values,
        table: &mut TypeTable,
        elements: &[(ValueId, u32, ValueId)],
        mut open: Vec<ValueId>,
    ) {
        while let Some(id) = open.pop() {
            let (kind, constant) = (self.types[id as usize], self.constants[id as usize]);
            for &to in values.flows.of(id) {
                let at = to as usize;
                let merged = table.merge(self.types[at], kind, scope.hierarchy);
                let value = match (self.constants[at], constant) {
                    (Constant::Unknown, new) => new,
                    (old, Constant::Unknown) => old,
                    (Constant::Is(old), Constant::Is(new)) if old == new => Constant::Is(old),
                    _ => Constant::Varies,
                };
                if merged != self.types[at] || value != self.constants[at] {
                    self.types[at] = merged;
                    self.constants[at] = value;
                    open.push(to);
                }
            }
            let from = elements.partition_point(|element| element.0 < id);
            for &(_, ix, to) in elements[from..].iter().take_while(|e| e.0 == id) {
                let element = scope.element(ix, kind, table);
                let merged = table.merge(self.types[to as usize], element, scope.hierarchy);
                // An element of null is any constant, of either kind.
                let value = match merged {
                    Type::Bits64 => Constant::Is(0),
                    _ => Constant::Varies,
                };
                if merged != self.types[to as usize] || value != self.constants[to as usize] {
                    self.types[to as usize] = merged;
                    self.constants[to as usize] = value;
                    open.push(to);
                }
            }
        }
    }

    /// The type of a value.
    pub fn kind_of(&self, id: ValueId) -> Type {
        self.types
            .get(id as usize)
            .copied()
            .unwrap_or(Type::Conflict)
    }

    /// The constant that a value is.
    pub fn constant(&self, id: ValueId) -> Option<i64> {
        match (self.kind_of(id), self.constants.get(id as usize)) {
            (Type::Zero, _) => Some(0),
            (_, Some(&Constant::Is(value))) => Some(value),
            _ => None,
        }
    }
}

impl Scope<'_, '_> {
    /// The type of what an instruction defines in a register, where it does not depend on its operands.
    fn defines(&self, ix: u32, register: u16, table: &mut TypeTable) -> Type {
        let ins = &self.body.ins[ix as usize];
        let named = |table: &mut TypeTable| match self.dex.type_name(ins.index) {
            Ok(name) => table.of(name),
            Err(_) => Type::Conflict,
        };
        match ins.op {
            Op::Const32 if ins.literal == 0 => Type::Zero,
            Op::Const32 => Type::Bits32,
            Op::Const64 => Type::Bits64,
            Op::ConstString => table.of(b"Ljava/lang/String;"),
            Op::ConstClass => table.of(b"Ljava/lang/Class;"),
            Op::ConstMethodHandle => table.of(b"Ljava/lang/invoke/MethodHandle;"),
            Op::ConstMethodType => table.of(b"Ljava/lang/invoke/MethodType;"),
            Op::CheckCast | Op::NewArray | Op::FilledNewArray => named(table),
            Op::NewInstance => Type::Uninitialized(ix),
            Op::InstanceOf
            | Op::ArrayLength
            | Op::Compare(_)
            | Op::Literal(_)
            | Op::ArrayGet(_) => Type::Int,
            Op::Unary(opcode) => plain(kinds::unary(opcode).2),
            Op::Binary(opcode) => plain(kinds::binary(opcode).1),
            Op::InstanceGet | Op::StaticGet => match self.dex.field(ins.index) {
                Ok(field) => table.of(field.kind),
                Err(_) => Type::Conflict,
            },
            Op::Invoke(call) => {
                // Only a constructor's call defines a register that is not its result.
                if call == Call::Direct
                    && let Some(call) = self.uninit.calls.get(&ix)
                    && call.registers.contains(&register)
                {
                    return match call.site {
                        THIS => table.of(self.owner),
                        site => {
                            let made = self.body.ins[site as usize].index;
                            self.dex
                                .type_name(made)
                                .map_or(Type::Conflict, |name| table.of(name))
                        }
                    };
                }
                let proto = self.dex.method_proto(ins.index);
                let result = proto.and_then(|proto| self.dex.proto(proto));
                result.map_or(Type::Conflict, |proto| table.of(proto.result))
            }
            Op::InvokePolymorphic => {
                let proto = u32::try_from(ins.literal).unwrap_or(u32::MAX);
                let proto = self.dex.proto(proto);
                proto.map_or(Type::Conflict, |proto| table.of(proto.result))
            }
            Op::InvokeCustom => self
                .call_site_proto(ins.index)
                .map_or(Type::Conflict, |proto| table.of(proto.result)),
            Op::MoveException => self.caught(ix, table),
            _ => Type::Conflict,
        }
    }

    /// The type of an exception where a handler begins.
    fn caught(&self, ix: u32, table: &mut TypeTable) -> Type {
        let at = self.flow.blocks.partition_point(|block| block.first <= ix);
        let Some(block) = at.checked_sub(1) else {
            return Type::Conflict;
        };
        self.exception(u32::try_from(block).unwrap_or(u32::MAX), table)
    }

    /// The type of the exceptions that reach a block.
    pub(super) fn exception(&self, block: u32, table: &mut TypeTable) -> Type {
        let mut found = Type::Unknown;
        for &region in &self.flow.blocks[block as usize].handles {
            for &(kind, handler) in &self.flow.regions[region as usize].handlers {
                if handler == block {
                    let name = kind.and_then(|kind| self.dex.type_name(kind).ok());
                    let kind = table.of(name.unwrap_or(b"Ljava/lang/Throwable;"));
                    found = table.merge(found, kind, self.hierarchy);
                }
            }
        }
        found
    }

    /// The type of what `aget`, `aget-wide` or `aget-object` takes out of an array.
    fn element(&self, ix: u32, array: Type, table: &mut TypeTable) -> Type {
        let Op::ArrayGet(variant) = self.body.ins[ix as usize].op else {
            return Type::Conflict;
        };
        let element = match array {
            Type::Unknown => return Type::Unknown,
            Type::Zero => None,
            Type::Ref(id) => match table.name(id) {
                [b'[', element @ ..] => Some(element.to_vec()),
                _ => Some(Vec::new()),
            },
            _ => Some(Vec::new()),
        };
        match (variant, element.as_deref()) {
            // Of null: what follows is never reached.
            (1, None) => Type::Bits64,
            (_, None) => Type::Zero,
            (0, Some(b"F")) => Type::Float,
            (0, Some(_)) => Type::Int,
            (1, Some(b"D")) => Type::Double,
            (1, Some(_)) => Type::Long,
            (_, Some(name)) if Kind::of(name) == Kind::Ref => table.of(name),
            _ => table.of(OBJECT),
        }
    }
}

fn plain(kind: Kind) -> Type {
    match kind {
        Kind::Int => Type::Int,
        Kind::Long => Type::Long,
        Kind::Float => Type::Float,
        Kind::Double => Type::Double,
        Kind::Ref => Type::Conflict,
    }
}
