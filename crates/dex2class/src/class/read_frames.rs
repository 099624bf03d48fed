//! The `StackMapTable` (JVM specification, 4.7.4) to frames.

use super::Method;
use super::code::{Code, Frame, Label, VType};
use super::disassemble::Places;
use super::frames::{add_parameter_classes, initial_locals};
use super::pool::{Idx, Pool};
use super::read::{Bytes, ReadError};

/// Types in all frames of a class. A frame of one byte can stand for one with 65,535 types; the largest methods of real
/// classes have some 100,000 in all.
const MOST_TYPES: usize = 4_000_000;

/// Reads the frames of a class's methods.
pub(super) struct FrameReader {
    this: Idx,
    is_object: bool,
    types: usize,
    /// Of the method that is read.
    descriptor: Vec<u8>,
}

impl FrameReader {
    pub(super) fn new(this: Idx, is_object: bool) -> Self {
        Self {
            this,
            is_object,
            types: 0,
            descriptor: Vec::new(),
        }
    }

    /// Reads the content of the attribute. Labels are offsets, as [`Places::name`] gives them.
    pub(super) fn read(
        &mut self,
        from: &mut Bytes<'_>,
        method: &Method,
        code: &Code,
        pool: &mut Pool,
        places: &mut Places,
    ) -> Result<Vec<(Label, Frame)>, ReadError> {
        let count = from.u2()?;
        let mut frames = Vec::with_capacity(count.into());
        let mut frame = Frame::default();
        // Adding what is not needed must not make the class impossible to write.
        if pool.count() + pool.text(method.descriptor).len() < 0xffff {
            add_parameter_classes(method, pool, &mut self.descriptor);
        }
        initial_locals((self.this, self.is_object), method, pool, &mut frame.locals);
        let mut offset = 0;
        for number in 0..count {
            let distance = read_frame(from, places, &mut frame)?;
            self.types += frame.locals.len() + frame.stack.len();
            if self.types > MOST_TYPES {
                return Err(ReadError::TooLarge);
            }
            if frame.locals.len() > usize::from(code.max_locals) {
                return Err(ReadError::Malformed(
                    "a frame with too many local variables",
                ));
            }
            offset += u32::from(distance) + u32::from(number > 0);
            frames.push((places.name(offset)?, frame.clone()));
        }
        Ok(frames)
    }

    /// Gives all labels their numbers.
    pub(super) fn number(frames: &mut [(Label, Frame)], number: impl Fn(&mut Label)) {
        for (label, frame) in frames {
            number(label);
            for each in frame.locals.iter_mut().chain(&mut frame.stack) {
                if let VType::Uninitialized(label) = each {
                    number(label);
                }
            }
        }
    }
}

/// Changes a frame to the next one; returns how far from the one before it is.
fn read_frame(
    from: &mut Bytes<'_>,
    places: &mut Places,
    frame: &mut Frame,
) -> Result<u16, ReadError> {
    let tag = from.u1()?;
    frame.stack.clear();
    match tag {
        0..64 => Ok(tag.into()),
        64..128 => {
            frame.stack.push(read_type(from, places)?);
            Ok(u16::from(tag) - 64)
        }
        247 => {
            let distance = from.u2()?;
            frame.stack.push(read_type(from, places)?);
            Ok(distance)
        }
        248..=251 => {
            let left = frame.locals.len().checked_sub(251 - usize::from(tag));
            let left = left.ok_or(ReadError::Malformed(
                "a frame removes variables that are none",
            ))?;
            frame.locals.truncate(left);
            from.u2()
        }
        252..=254 => {
            let distance = from.u2()?;
            for _ in 251..tag {
                frame.locals.push(read_type(from, places)?);
            }
            Ok(distance)
        }
        255 => {
            let distance = from.u2()?;
            for types in [&mut frame.locals, &mut frame.stack] {
                types.clear();
                for _ in 0..from.u2()? {
                    types.push(read_type(from, places)?);
                }
            }
            Ok(distance)
        }
        _ => Err(ReadError::Malformed("an unknown kind of stack map frame")),
    }
}

fn read_type(from: &mut Bytes<'_>, places: &mut Places) -> Result<VType, ReadError> {
    Ok(match from.u1()? {
        0 => VType::Top,
        1 => VType::Int,
        2 => VType::Float,
        3 => VType::Double,
        4 => VType::Long,
        5 => VType::Null,
        6 => VType::UninitializedThis,
        7 => VType::Object(from.u2()?),
        8 => VType::Uninitialized(places.name(from.u2()?.into())?),
        _ => return Err(ReadError::Malformed("an unknown type in a stack map frame")),
    })
}
