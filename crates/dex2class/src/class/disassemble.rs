//! Bytes of a class file's `Code` to instructions with labels.

use super::Method;
use super::code::{Code, Insn, Label, LocalVariable, Try};
use super::decode::decode;
use super::pool::{Idx, Pool};
use super::read::{Bytes, ReadError, read_attribute};
use super::read_frames::FrameReader;
use rustc_hash::FxHashMap;
use std::iter::Peekable;

const NO_INSTRUCTION: ReadError = ReadError::Malformed("an offset is not one of an instruction");

/// Reads the bodies of a class's methods. Keeps its tables from one method to the next.
pub(super) struct Disassembler {
    frames: FrameReader,
    places: Places,
    /// Instructions with the offsets where they begin; their labels are offsets.
    raw: Vec<(u32, Insn)>,
    lines: Vec<(u16, u16)>,
}

/// By offset, the code's end included.
#[derive(Default)]
pub(super) struct Places(Vec<u32>);

/// No instruction begins here.
const INSIDE: u32 = u32::MAX;
/// An instruction begins here.
const START: u32 = u32::MAX - 1;
/// So does one that something names; the label has no number yet.
const NAMED: u32 = u32::MAX - 2;

impl Places {
    /// A place that has to be one; [`Label`] is the offset until the labels are numbered.
    pub(super) fn name(&mut self, offset: u32) -> Result<Label, ReadError> {
        match self.0.get_mut(offset as usize) {
            Some(place) if *place != INSIDE => *place = NAMED,
            _ => return Err(NO_INSTRUCTION),
        }
        Ok(Label(offset))
    }

    fn number(&self, label: &mut Label) {
        *label = Label(self.0.get(label.0 as usize).copied().unwrap_or(0));
    }
}

impl Disassembler {
    /// For the methods of one class.
    pub(super) fn new(this: Idx, is_object: bool) -> Self {
        Self {
            frames: FrameReader::new(this, is_object),
            places: Places::default(),
            raw: Vec::new(),
            lines: Vec::new(),
        }
    }

    /// Reads the content of a `Code` attribute.
    pub(super) fn read(
        &mut self,
        method: &Method,
        pool: &mut Pool,
        data: &[u8],
    ) -> Result<Code, ReadError> {
        let mut from = Bytes(data);
        let _max_stack = from.u2()?;
        let mut code = Code {
            max_locals: from.u2()?,
            ..Code::default()
        };
        let size = from.u4()?;
        if size == 0 || size > 0xffff {
            return Err(ReadError::Malformed("code of no bytes or more than 65535"));
        }
        self.decode(from.take(size as usize)?)?;
        self.read_handlers(&mut from, &mut code)?;
        self.lines.clear();
        let mut generic = Vec::new();
        for _ in 0..from.u2()? {
            let (name, data) = read_attribute(&mut from)?;
            let mut from = Bytes(data);
            match pool.text(name) {
                b"LineNumberTable" => self.read_lines(&mut from)?,
                b"LocalVariableTable" => self.read_variables(&mut from, &mut code.locals)?,
                b"LocalVariableTypeTable" => self.read_variables(&mut from, &mut generic)?,
                b"StackMapTable" if code.frames.is_empty() => {
                    let (frames, places) = (&mut self.frames, &mut self.places);
                    code.frames = frames.read(&mut from, method, &code, pool, places)?;
                }
                b"StackMapTable" => {
                    return Err(ReadError::Malformed("a method has two tables of frames"));
                }
                _ => {}
            }
        }
        set_signatures(&mut code.locals, &generic);
        self.number_labels(&mut code);
        Ok(code)
    }

    /// Fills `raw` and `places`.
    fn decode(&mut self, bytes: &[u8]) -> Result<(), ReadError> {
        self.places.0.clear();
        self.places.0.resize(bytes.len() + 1, INSIDE);
        self.places.0[bytes.len()] = START;
        self.raw.clear();
        let mut rest = Bytes(bytes);
        while !rest.0.is_empty() {
            let at = bytes.len() - rest.0.len();
            self.places.0[at] = START;
            self.raw.push((at as u32, decode(at as u32, &mut rest)?));
        }
        for (_, insn) in &self.raw {
            match insn {
                Insn::Jump(_, target) => {
                    self.places.name(target.0)?;
                }
                Insn::Table(switch) => {
                    self.places.name(switch.1.0)?;
                    for target in &switch.2 {
                        self.places.name(target.0)?;
                    }
                }
                Insn::Lookup(switch) => {
                    self.places.name(switch.0.0)?;
                    for (_, target) in &switch.1 {
                        self.places.name(target.0)?;
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn read_handlers(&mut self, from: &mut Bytes<'_>, code: &mut Code) -> Result<(), ReadError> {
        for _ in 0..from.u2()? {
            code.tries.push(Try {
                start: self.places.name(from.u2()?.into())?,
                end: self.places.name(from.u2()?.into())?,
                handler: self.places.name(from.u2()?.into())?,
                catch: from.u2()?,
            });
        }
        Ok(())
    }

    /// Lines and variables are only for people: what is wrong with them is left out.
    fn read_lines(&mut self, from: &mut Bytes<'_>) -> Result<(), ReadError> {
        for _ in 0..from.u2()? {
            let (at, line) = (from.u2()?, from.u2()?);
            if self
                .places
                .0
                .get(usize::from(at))
                .is_some_and(|place| *place != INSIDE)
            {
                self.lines.push((at, line));
            }
        }
        Ok(())
    }

    fn read_variables(
        &mut self,
        from: &mut Bytes<'_>,
        to: &mut Vec<LocalVariable>,
    ) -> Result<(), ReadError> {
        for _ in 0..from.u2()? {
            let (start, length) = (u32::from(from.u2()?), u32::from(from.u2()?));
            let (name, descriptor, slot) = (from.u2()?, from.u2()?, from.u2()?);
            let range = (self.places.name(start), self.places.name(start + length));
            if let (Ok(start), Ok(end)) = range {
                to.push(LocalVariable {
                    start,
                    end,
                    name,
                    descriptor,
                    signature: 0,
                    slot,
                });
            }
        }
        Ok(())
    }

    /// Puts labels and lines between the instructions.
    fn number_labels(&mut self, code: &mut Code) {
        let mut labels = 0;
        for place in self.places.0.iter_mut().filter(|place| **place == NAMED) {
            *place = labels;
            labels += 1;
        }
        code.labels = labels;
        if !self.lines.is_sorted_by_key(|line| line.0) {
            self.lines.sort_by_key(|line| line.0);
        }
        let places = &self.places;
        let mut lines = self.lines.iter().peekable();
        let size = places.0.len() as u32 - 1;
        code.insns
            .reserve(self.raw.len() + labels as usize + self.lines.len());
        for (at, mut insn) in self.raw.drain(..) {
            mark(at, places, &mut lines, &mut code.insns);
            match &mut insn {
                Insn::Jump(_, target) => places.number(target),
                Insn::Table(switch) => {
                    places.number(&mut switch.1);
                    switch.2.iter_mut().for_each(|each| places.number(each));
                }
                Insn::Lookup(switch) => {
                    places.number(&mut switch.0);
                    switch
                        .1
                        .iter_mut()
                        .for_each(|each| places.number(&mut each.1));
                }
                _ => {}
            }
            code.insns.push(insn);
        }
        mark(size, places, &mut lines, &mut code.insns);
        for each in &mut code.tries {
            for label in [&mut each.start, &mut each.end, &mut each.handler] {
                places.number(label);
            }
        }
        for each in &mut code.locals {
            places.number(&mut each.start);
            places.number(&mut each.end);
        }
        FrameReader::number(&mut code.frames, |label| places.number(label));
    }
}

/// Adds the label and the lines of an offset.
fn mark<'a>(
    at: u32,
    places: &Places,
    lines: &mut Peekable<impl Iterator<Item = &'a (u16, u16)>>,
    insns: &mut Vec<Insn>,
) {
    let place = places.0.get(at as usize).copied();
    if let Some(label) = place.filter(|place| *place < NAMED) {
        insns.push(Insn::Label(Label(label)));
    }
    while let Some((_, line)) = lines.next_if(|line| u32::from(line.0) <= at) {
        insns.push(Insn::Line(*line));
    }
}

/// Takes the signatures from the entries of `LocalVariableTypeTable`, which have them in place of descriptors.
fn set_signatures(variables: &mut [LocalVariable], generic: &[LocalVariable]) {
    if generic.is_empty() {
        return;
    }
    let key = |each: &LocalVariable| (each.start, each.end, each.name, each.slot);
    let signatures = generic.iter().map(|each| (key(each), each.descriptor));
    let signatures: FxHashMap<_, _> = signatures.collect();
    for each in variables {
        each.signature = signatures.get(&key(each)).copied().unwrap_or(0);
    }
}
