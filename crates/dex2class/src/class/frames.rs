//! The `StackMapTable` (JVM specification, 4.7.4).

use super::Method;
use super::access;
use super::assemble::Assembler;
use super::code::{Code, Frame, Label, VType};
use super::pool::{Idx, Pool};
use super::stack::type_length;
use super::write::{WriteError, put_count, put2};

const SAME_LOCALS_1: u8 = 64;
const SAME_LOCALS_1_EXTENDED: u8 = 247;
const SAME_EXTENDED: u8 = 251;
const FULL: u8 = 255;

/// A place with a frame.
#[derive(Clone, Copy)]
struct Place {
    offset: u32,
    /// The number of the frame in the code; [`INITIAL`] for the one with which the method begins.
    frame: u32,
}

const INITIAL: u32 = u32::MAX;

/// Writes the frames of a class's methods. Keeps its tables from one method to the next.
#[derive(Default)]
pub(super) struct FrameWriter {
    places: Vec<Place>,
    initial: Frame,
    /// Of the method that is written.
    descriptor: Vec<u8>,
}

impl FrameWriter {
    /// Appends the content of the attribute: the number of frames, and the frames by offset.
    pub(super) fn write(
        &mut self,
        method: &FramedMethod<'_>,
        pool: &mut Pool,
        out: &mut Vec<u8>,
    ) -> Result<(), WriteError> {
        self.order(method)?;
        if method.assembler.detours.body.is_some() {
            // The initial frame follows others, so that it may be written in full.
            add_parameter_classes(method.method, pool, &mut self.descriptor);
        }
        self.initial.locals.clear();
        let class = (method.this, method.is_object);
        initial_locals(class, method.method, pool, &mut self.initial.locals);
        let what = "stack map frames";
        put_count(out, self.places.len(), what, Some(method.number))?;
        let mut before = trim(&self.initial.locals);
        // The first frame's distance counts from the start, the others' from the next byte after the one before.
        let mut from = 0;
        for place in &self.places {
            let frame = method.code.frames.get(place.frame as usize);
            let frame = frame.map_or(&self.initial, |(_, frame)| frame);
            let distance = (place.offset - from) as u16;
            from = place.offset + 1;
            let locals = trim(&frame.locals);
            method.frame(distance, before, locals, &frame.stack, out)?;
            before = locals;
        }
        Ok(())
    }

    /// Finds the offset of each frame; where several labels have one offset, the first frame counts.
    fn order(&mut self, method: &FramedMethod<'_>) -> Result<(), WriteError> {
        self.places.clear();
        for (ix, (label, _)) in method.code.frames.iter().enumerate() {
            let frame = ix as u32;
            let offset = method.offset(*label)?;
            self.places.push(Place { offset, frame });
        }
        let detours = &method.assembler.detours;
        if !detours.is_empty() {
            let mut frames = vec![INITIAL; method.code.labels as usize];
            for (ix, (label, _)) in method.code.frames.iter().enumerate() {
                if let Some(frame) = frames.get_mut(label.0 as usize) {
                    *frame = ix as u32;
                }
            }
            for (target, at) in detours.start.iter().chain(&detours.end) {
                let frame = frames.get(target.0 as usize).copied();
                let frame = frame.filter(|ix| *ix != INITIAL);
                let frame = frame.ok_or_else(|| method.bad(*target))?;
                let offset = method.offset(*at)?;
                self.places.push(Place { offset, frame });
            }
        }
        // The last one, so that a frame of the code at the same place counts.
        if let Some(body) = detours.body {
            let offset = method.offset(body)?;
            let frame = INITIAL;
            self.places.push(Place { offset, frame });
        }
        if !self.places.is_sorted_by_key(|place| place.offset) {
            self.places.sort_by_key(|place| place.offset);
        }
        self.places.dedup_by_key(|place| place.offset);
        Ok(())
    }
}

/// A method whose frames are written.
pub(super) struct FramedMethod<'a> {
    /// The number of the method.
    pub(super) number: usize,
    pub(super) method: &'a Method,
    /// The class.
    pub(super) this: Idx,
    /// Whether the class is `java/lang/Object`.
    pub(super) is_object: bool,
    pub(super) code: &'a Code,
    /// Bytes of code.
    pub(super) size: usize,
    pub(super) assembler: &'a Assembler,
}

impl FramedMethod<'_> {
    fn bad(&self, label: Label) -> WriteError {
        let method = self.number;
        WriteError::BadLabel { method, label }
    }

    fn offset(&self, label: Label) -> Result<u32, WriteError> {
        let offset = self.assembler.offset(label);
        let inside = offset.filter(|offset| (*offset as usize) < self.size);
        inside.ok_or_else(|| self.bad(label))
    }

    fn frame(
        &self,
        distance: u16,
        before: &[VType],
        locals: &[VType],
        stack: &[VType],
        out: &mut Vec<u8>,
    ) -> Result<(), WriteError> {
        let shared = before.len().min(locals.len());
        let growth = locals.len() as isize - before.len() as isize;
        match stack {
            _ if before[..shared] != locals[..shared] => {}
            [] if growth == 0 => {
                match u8::try_from(distance) {
                    Ok(short @ 0..SAME_LOCALS_1) => out.push(short),
                    _ => extended(SAME_EXTENDED, distance, out),
                }
                return Ok(());
            }
            [one] if growth == 0 => {
                match u8::try_from(distance) {
                    Ok(short @ 0..SAME_LOCALS_1) => out.push(SAME_LOCALS_1 + short),
                    _ => extended(SAME_LOCALS_1_EXTENDED, distance, out),
                }
                return self.value(*one, out);
            }
            // Chop and append, of at most three.
            [] if (-3..=3).contains(&growth) => {
                extended((SAME_EXTENDED as isize + growth) as u8, distance, out);
                return self.values(&locals[shared..], out);
            }
            _ => {}
        }
        extended(FULL, distance, out);
        for types in [locals, stack] {
            let what = "types in a stack map frame";
            put_count(out, types.len(), what, Some(self.number))?;
            self.values(types, out)?;
        }
        Ok(())
    }

    fn values(&self, types: &[VType], out: &mut Vec<u8>) -> Result<(), WriteError> {
        types.iter().try_for_each(|each| self.value(*each, out))
    }

    fn value(&self, value: VType, out: &mut Vec<u8>) -> Result<(), WriteError> {
        let (tag, operand) = match value {
            VType::Top => (0, None),
            VType::Int => (1, None),
            VType::Float => (2, None),
            VType::Double => (3, None),
            VType::Long => (4, None),
            VType::Null => (5, None),
            VType::UninitializedThis => (6, None),
            VType::Object(class) => (7, Some(class)),
            VType::Uninitialized(label) => {
                let at = self.offset(label)?;
                (8, Some(at as u16))
            }
        };
        out.push(tag);
        if let Some(operand) = operand {
            put2(out, operand);
        }
        Ok(())
    }
}

fn extended(tag: u8, distance: u16, out: &mut Vec<u8>) {
    out.push(tag);
    put2(out, distance);
}

/// Without unusable variables at the end.
fn trim(locals: &[VType]) -> &[VType] {
    let unused = locals.iter().rev().take_while(|t| **t == VType::Top);
    &locals[..locals.len() - unused.count()]
}

/// Appends what the variables hold when a method begins. `class` is its own entry, and whether it is `Object`. A
/// parameter's class without an entry in the pool becomes one that equals no other, and the first frame a longer one.
pub(crate) fn initial_locals(
    (this, is_object): (Idx, bool),
    method: &Method,
    pool: &Pool,
    locals: &mut Vec<VType>,
) {
    if method.access & access::STATIC == 0 {
        locals.push(match pool.text(method.name) {
            b"<init>" if !is_object => VType::UninitializedThis,
            _ => VType::Object(this),
        });
    }
    parameter_types(pool.text(method.descriptor), locals, |name| {
        VType::Object(pool.find_class(name).unwrap_or(0))
    });
}

/// Adds the classes of a method's parameters to the pool, which has them only where code or a frame names them.
/// `descriptor` is room for a copy.
pub(crate) fn add_parameter_classes(method: &Method, pool: &mut Pool, descriptor: &mut Vec<u8>) {
    descriptor.clear();
    descriptor.extend_from_slice(pool.text(method.descriptor));
    let mut types = Vec::new();
    parameter_types(descriptor, &mut types, |name| {
        VType::Object(pool.class(name))
    });
}

/// Appends the types of a descriptor's parameters.
pub(super) fn parameter_types(
    descriptor: &[u8],
    types: &mut Vec<VType>,
    mut object: impl FnMut(&[u8]) -> VType,
) {
    let mut rest = descriptor.strip_prefix(b"(").unwrap_or_default();
    loop {
        let (each, after) = rest.split_at(type_length(rest));
        types.push(match each {
            [] | [b')', ..] => return,
            [b'J'] => VType::Long,
            [b'D'] => VType::Double,
            [b'F'] => VType::Float,
            [b'L', name @ .., b';'] => object(name),
            [b'[', ..] => object(each),
            _ => VType::Int,
        });
        rest = after;
    }
}
