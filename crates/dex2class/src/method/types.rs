//! Types of values, found by following them through the method as Android's verifier does.

use super::Scope;
use super::decode::{Call, Op};
use super::kinds::{self, Kind};
use super::uninit::{Site, THIS};
use super::values::{Origin, UNDEFINED, ValueId, Values};
use crate::hierarchy::Hierarchy;
use rustc_hash::FxHashMap;

/// Number of a type in a [`TypeTable`].
pub type TypeId = u32;

/// The type of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Type {
    /// Not reached yet.
    Unknown,
    /// 32 bits of zero: `int`, `float` or null.
    Zero,
    /// 32 constant bits: `int` or `float`.
    Bits32,
    /// 64 constant bits: `long` or `double`.
    Bits64,
    /// `int` and shorter.
    Int,
    /// `float`.
    Float,
    /// `long`.
    Long,
    /// `double`.
    Double,
    /// A reference.
    Ref(TypeId),
    /// An object before its constructor was called.
    Uninitialized(Site),
    /// Different things on different ways; cannot be used.
    Conflict,
}

impl Type {
    /// The one kind that a value of this type has; none if it depends on the use.
    pub fn kind(self) -> Option<Kind> {
        match self {
            Self::Int => Some(Kind::Int),
            Self::Float => Some(Kind::Float),
            Self::Long => Some(Kind::Long),
            Self::Double => Some(Kind::Double),
            Self::Ref(_) | Self::Uninitialized(_) => Some(Kind::Ref),
            _ => None,
        }
    }

    /// Kinds that a value of this type can be used as.
    pub fn possible(self) -> u8 {
        match self {
            Self::Zero => Kind::Int.bit() | Kind::Float.bit() | Kind::Ref.bit(),
            Self::Bits32 => Kind::Int.bit() | Kind::Float.bit(),
            Self::Bits64 => Kind::Long.bit() | Kind::Double.bit(),
            Self::Unknown | Self::Conflict => 0,
            other => other.kind().map_or(0, Kind::bit),
        }
    }
}

/// Descriptors by number.
#[derive(Default)]
pub struct TypeTable {
    names: Vec<Box<[u8]>>,
    numbers: FxHashMap<Box<[u8]>, TypeId>,
    common: FxHashMap<(TypeId, TypeId), TypeId>,
    fits: FxHashMap<(TypeId, TypeId), bool>,
}

impl TypeTable {
    /// The number of a descriptor.
    pub fn id(&mut self, descriptor: &[u8]) -> TypeId {
        if let Some(&id) = self.numbers.get(descriptor) {
            return id;
        }
        let id = u32::try_from(self.names.len()).unwrap_or(u32::MAX);
        self.names.push(descriptor.into());
        self.numbers.insert(descriptor.into(), id);
        id
    }

    /// The descriptor with a number.
    pub fn name(&self, id: TypeId) -> &[u8] {
        &self.names[id as usize]
    }

    /// The type of a value with this descriptor.
    pub fn of(&mut self, descriptor: &[u8]) -> Type {
        match Kind::of(descriptor) {
            Kind::Int => Type::Int,
            Kind::Long => Type::Long,
            Kind::Float => Type::Float,
            Kind::Double => Type::Double,
            Kind::Ref => Type::Ref(self.id(descriptor)),
        }
    }

    /// The type of what is one of two references, as the JVM's verifier merges them.
    fn common(&mut self, one: TypeId, other: TypeId, hierarchy: &dyn Hierarchy) -> TypeId {
        if one == other {
            return one;
        }
        let key = (one.min(other), one.max(other));
        if let Some(&known) = self.common.get(&key) {
            return known;
        }
        let merged = merge_names(self.name(one), self.name(other), hierarchy);
        let id = self.id(&merged);
        self.common.insert(key, id);
        id
    }

    /// Whether the JVM's verifier accepts a value of one type where another is wanted.
    pub fn assignable(&mut self, from: TypeId, to: TypeId, hierarchy: &dyn Hierarchy) -> bool {
        if let Some(&known) = self.fits.get(&(from, to)) {
            return known;
        }
        let fits = assignable(self.name(from), self.name(to), hierarchy);
        self.fits.insert((from, to), fits);
        fits
    }

    /// What a value is that has one of two types.
    pub fn merge(&mut self, one: Type, other: Type, hierarchy: &dyn Hierarchy) -> Type {
        use Type::{Bits32, Bits64, Double, Float, Int, Long, Ref, Unknown, Zero};
        match (one, other) {
            _ if one == other => one,
            (Unknown, known) | (known, Unknown) => known,
            (Zero, Bits32) | (Bits32, Zero) => Bits32,
            (Zero | Bits32, Int) | (Int, Zero | Bits32) => Int,
            (Zero | Bits32, Float) | (Float, Zero | Bits32) => Float,
            (Bits64, Long) | (Long, Bits64) => Long,
            (Bits64, Double) | (Double, Bits64) => Double,
            (Zero, Ref(id)) | (Ref(id), Zero) => Ref(id),
            (Ref(one), Ref(other)) => Ref(self.common(one, other, hierarchy)),
            _ => Type::Conflict,
        }
    }
}

const OBJECT: &[u8] = b"Ljava/lang/Object;";

fn assignable(from: &[u8], to: &[u8], hierarchy: &dyn Hierarchy) -> bool {
    if from == to {
        return true;
    }
    match (from, to) {
        (_, b"Ljava/lang/Object;") => true,
        ([b'[', first @ ..], [b'[', second @ ..]) => {
            Kind::of(first) == Kind::Ref
                && Kind::of(second) == Kind::Ref
                && assignable(first, second, hierarchy)
        }
        ([b'[', ..], _) => matches!(to, b"Ljava/lang/Cloneable;" | b"Ljava/io/Serializable;"),
        ([b'L', name @ .., b';'], [b'L', wanted @ .., b';']) => match hierarchy.class(wanted) {
            // Any object passes for an interface; whether it is one shows when it is called.
            Some(info) => info.is_interface() || hierarchy.is_subclass(name, wanted),
            None => false,
        },
        _ => false,
    }
}

fn merge_names(one: &[u8], other: &[u8], hierarchy: &dyn Hierarchy) -> Vec<u8> {
    match (one, other) {
        ([b'[', first @ ..], [b'[', second @ ..])
            if Kind::of(first) == Kind::Ref && Kind::of(second) == Kind::Ref =>
        {
            let mut merged = vec![b'['];
            merged.extend(merge_names(first, second, hierarchy));
            merged
        }
        ([b'L', first @ .., b';'], [b'L', second @ .., b';']) => {
            let mut merged = vec![b'L'];
            merged.extend_from_slice(hierarchy.common_superclass(first, second));
            merged.push(b';');
            merged
        }
        _ => OBJECT.to_vec(),
    }
}

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
    pub fn of(scope: &Scope<'_, '_>, values: &Values, parameters: &[Type], table: &mut TypeTable) -> Self {
        let count = values.all.len();
        let mut found = Self {
            types: vec![Type::Unknown; count],
            constants: vec![Constant::Unknown; count],
        };
        let mut elements: Vec<(ValueId, u32, ValueId)> = Vec::new();
        let mut open: Vec<ValueId> = Vec::new();
        for (id, value) in (0_u32..).zip(&values.all) {
            let (kind, constant) = match value.origin {
                Origin::Parameter(position) => (parameters[usize::from(position)], Constant::Varies),
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
                        Op::Const32 | Op::Const64 => {
                            (scope.defines(ix, value.register, table), Constant::Is(ins.literal))
                        }
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
                if merged != self.types[to as usize] {
                    self.types[to as usize] = merged;
                    open.push(to);
                }
            }
        }
    }

    /// The type of a value.
    pub fn kind_of(&self, id: ValueId) -> Type {
        self.types.get(id as usize).copied().unwrap_or(Type::Conflict)
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
            Op::InstanceOf | Op::ArrayLength | Op::Compare(_) | Op::Literal(_) | Op::ArrayGet(_) => {
                Type::Int
            }
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
                            self.dex.type_name(made).map_or(Type::Conflict, |name| table.of(name))
                        }
                    };
                }
                let result = self.dex.method(ins.index).and_then(|m| self.dex.proto(m.proto));
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
