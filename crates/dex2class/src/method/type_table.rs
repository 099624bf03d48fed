//! Types of values, and which of them the JVM's verifier accepts for others.

use super::kinds::Kind;
use super::uninit::Site;
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

pub(super) const OBJECT: &[u8] = b"Ljava/lang/Object;";

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
