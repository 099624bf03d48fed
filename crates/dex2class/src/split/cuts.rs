//! Finds the places where a method can be cut.

use super::{Access, Cast, type_cast};
use crate::class::stack::falls_through;
use crate::class::{Code, Frame, Insn, Label, Pool, Try, VType, op};
use std::ops::Range;

/// Monitors held at one place that are counted, at most, and how often all instructions are looked at to count them.
const MOST_MONITORS: u8 = 8;
const MOST_WALKS: usize = 32;
/// Instructions in all ranges of handlers, at most; a hostile method has 65,535 ranges of all its code.
const MOST_HANDLED: usize = 1 << 22;
/// Parts of a method, at most, about.
const MOST_PARTS: usize = 1_000;
/// No place.
const NOWHERE: usize = usize::MAX;

/// What is known of the places of a method.
pub(super) struct Places<'c> {
    pub code: &'c Code,
    /// The instruction at which a label stands, by label.
    pub at: Vec<usize>,
    /// The mark of the line that holds before each instruction; [`NOWHERE`] for none.
    lines: Vec<usize>,
    /// The frame of a label, by label.
    frames: Vec<Option<u32>>,
    /// Bytes of the instructions before each one, at most.
    sizes: Vec<usize>,
    /// Whether control can be handed over at a label, by label.
    open: Vec<bool>,
}

impl<'c> Places<'c> {
    /// None where the handlers of a method cover too much.
    pub fn new(code: &'c Code, pool: &Pool, access: Access<'_>) -> Option<Self> {
        let labels = code.labels as usize;
        let mut found = Self {
            code,
            at: vec![NOWHERE; labels],
            lines: Vec::with_capacity(code.insns.len() + 1),
            frames: vec![None; labels],
            sizes: Vec::with_capacity(code.insns.len() + 1),
            open: vec![false; labels],
        };
        let (mut size, mut line) = (0, NOWHERE);
        for (ix, insn) in code.insns.iter().enumerate() {
            found.sizes.push(size);
            found.lines.push(line);
            size += insn.most_bytes();
            match insn {
                Insn::Label(label) => found.at[label.0 as usize] = ix,
                Insn::Line(_) | Insn::DexPc(_) => line = ix,
                _ => {}
            }
        }
        found.sizes.push(size);
        let ranges = code.tries.iter().map(|each| found.range(each));
        let handled: usize = ranges.map(|range| range.len()).sum();
        (handled <= MOST_HANDLED).then_some(())?;
        let monitors = monitors(&found);
        for (ix, (label, frame)) in (0_u32..).zip(&code.frames) {
            let label = label.0 as usize;
            found.frames[label] = Some(ix);
            found.open[label] = found.at[label] != NOWHERE
                && monitors
                    .get(found.at[label])
                    .is_none_or(|depth| *depth == 0)
                && can_be_kept(frame, pool, access);
        }
        Some(found)
    }

    /// The instructions of a range of handlers.
    pub fn range(&self, handled: &Try) -> Range<usize> {
        self.at[handled.start.0 as usize]..self.at[handled.end.0 as usize]
    }

    /// The mark of the line that holds before an instruction.
    pub fn line_before(&self, ix: usize) -> Option<&'c Insn> {
        self.code.insns.get(self.lines[ix])
    }

    /// The frame at a label.
    pub fn frame(&self, label: Label) -> Option<&'c Frame> {
        let ix = self.frames[label.0 as usize]?;
        Some(&self.code.frames[ix as usize].1)
    }

    /// Parts of `size` bytes, about; the first has the beginning. None if a part would be larger than `most` bytes.
    pub fn parts(&self, size: usize, most: usize) -> Option<Parts> {
        let starts = self.units();
        let end = self.code.insns.len();
        // What calls the parts must fit, too.
        let size = size.max(self.sizes[end] / MOST_PARTS);
        let groups = self.groups(&starts);
        let unit_end = |unit: usize| starts.get(unit + 1).copied().unwrap_or(end);
        let mut bytes = vec![0; starts.len()];
        for unit in 0..starts.len() {
            bytes[groups[unit]] += self.sizes[unit_end(unit)] - self.sizes[starts[unit]];
        }
        // A group has the number of its first unit.
        let mut part_of_group = vec![0; starts.len()];
        let mut parts: Vec<Vec<Range<usize>>> = vec![Vec::new()];
        let mut filled = 0;
        let mut part_of = Vec::with_capacity(starts.len());
        for unit in 0..starts.len() {
            let group = groups[unit];
            if group == unit {
                if filled > 0 && filled + bytes[unit] > size {
                    parts.push(Vec::new());
                    filled = 0;
                }
                filled += bytes[unit];
                part_of_group[unit] = parts.len() - 1;
                if filled > most {
                    return None;
                }
            }
            let part = part_of_group[group];
            part_of.push(part);
            let range = starts[unit]..unit_end(unit);
            match parts[part].last_mut() {
                Some(last) if last.end == range.start => last.end = range.end,
                _ => parts[part].push(range),
            }
        }
        Some(Parts {
            ranges: parts,
            starts,
            part_of,
        })
    }

    /// The instructions at which units begin: runs of instructions that control enters from the unit before only where it
    /// can be handed over.
    fn units(&self) -> Vec<usize> {
        let mut starts = vec![0];
        // The first of the marks at a place: labels there are in one unit.
        let mut marks = 0;
        let mut continues = true;
        for (ix, insn) in self.code.insns.iter().enumerate() {
            if !insn.is_mark() {
                marks = ix + 1;
                continues = falls_through(insn);
            }
            let Insn::Label(label) = insn else { continue };
            let frame = self.frame(*label);
            let open = self.open[label.0 as usize];
            let open = open && frame.is_some_and(|frame| frame.stack.is_empty());
            if marks > 0 && (open || !continues && frame.is_some()) && starts.last() != Some(&marks)
            {
                starts.push(marks);
            }
        }
        starts
    }

    /// By unit: the first one of those that must stay in one part, since control gets from one to the other at a place
    /// where it cannot be handed over.
    fn groups(&self, starts: &[usize]) -> Vec<usize> {
        let unit_of = |ix: usize| starts.partition_point(|start| *start <= ix) - 1;
        let mut first: Vec<usize> = (0..starts.len()).collect();
        let mut join = |one: usize, other: usize| {
            let (one, other) = (find(&mut first, one), find(&mut first, other));
            first[one.max(other)] = one.min(other);
        };
        for (ix, insn) in self.code.insns.iter().enumerate() {
            insn.each_target(|label| {
                if !self.open[label.0 as usize] {
                    join(unit_of(ix), unit_of(self.at[label.0 as usize]));
                }
            });
        }
        for each in &self.code.tries {
            if !self.open[each.handler.0 as usize] {
                let handler = unit_of(self.at[each.handler.0 as usize]);
                let range = self.range(each);
                let last = range.end.saturating_sub(1).max(range.start);
                for unit in unit_of(range.start)..=unit_of(last) {
                    join(unit, handler);
                }
            }
        }
        (0..starts.len())
            .map(|unit| find(&mut first, unit))
            .collect()
    }

    /// The label after this range of instructions, if control gets there from its end.
    pub fn continues(&self, range: &Range<usize>) -> Option<Label> {
        let mut before = self.code.insns[range.clone()].iter().rev();
        before
            .find(|insn| !insn.is_mark())
            .filter(|insn| falls_through(insn))?;
        let after = self.code.insns[range.end..].iter();
        let marks = after.take_while(|insn| insn.is_mark());
        let mut labels = marks.filter_map(|insn| match insn {
            Insn::Label(label) => Some(*label),
            _ => None,
        });
        labels.find(|label| {
            self.frame(*label)
                .is_some_and(|frame| frame.stack.is_empty())
        })
    }
}

/// Which instructions each part has.
pub(super) struct Parts {
    /// By part: its ranges of instructions, in order.
    pub ranges: Vec<Vec<Range<usize>>>,
    /// Where units begin, and their parts.
    starts: Vec<usize>,
    part_of: Vec<usize>,
}

impl Parts {
    /// The part of an instruction.
    pub fn part_at(&self, ix: usize) -> usize {
        self.part_of[self.starts.partition_point(|start| *start <= ix) - 1]
    }
}

/// The first of those that were joined.
fn find(first: &mut [usize], mut unit: usize) -> usize {
    while first[unit] != unit {
        first[unit] = first[first[unit]];
        unit = first[unit];
    }
    unit
}

/// Whether all that a frame has can be kept in arrays. An object before its constructor cannot.
fn can_be_kept(frame: &Frame, pool: &Pool, access: Access<'_>) -> bool {
    let fits = |kind: &VType| match kind {
        VType::UninitializedThis | VType::Uninitialized(_) => false,
        VType::Object(class) => type_cast(pool.class_name(*class), access) != Cast::Impossible,
        _ => true,
    };
    frame.stack.len() <= 1
        && frame
            .stack
            .iter()
            .all(|kind| matches!(kind, VType::Object(_)))
        && frame.locals.iter().chain(&frame.stack).all(fits)
}

/// How many monitors are held before each instruction; empty if the method has none. A method that returns with one is
/// rejected by the JVM, so that one that holds it cannot be left.
fn monitors(places: &Places<'_>) -> Vec<u8> {
    let code = places.code;
    let enter = Insn::Op(op::MONITORENTER);
    if !code.insns.contains(&enter) {
        return Vec::new();
    }
    let mut depths = vec![0_u8; code.insns.len() + 1];
    let raise = |depths: &mut Vec<u8>, at: usize, depth: u8| {
        let known = &mut depths[at];
        let higher = depth > *known;
        *known = (*known).max(depth);
        higher
    };
    for _ in 0..MOST_WALKS {
        let mut changed = false;
        for (ix, insn) in code.insns.iter().enumerate() {
            let after = match *insn {
                Insn::Op(op::MONITORENTER) => (depths[ix] + 1).min(MOST_MONITORS),
                Insn::Op(op::MONITOREXIT) => depths[ix].saturating_sub(1),
                _ => depths[ix],
            };
            insn.each_target(|label| {
                changed |= raise(&mut depths, places.at[label.0 as usize], after);
            });
            if falls_through(insn) {
                changed |= raise(&mut depths, ix + 1, after);
            }
        }
        for each in &code.tries {
            let most = depths[places.range(each)].iter().copied().max();
            let handler = places.at[each.handler.0 as usize];
            changed |= raise(&mut depths, handler, most.unwrap_or(0));
        }
        if !changed {
            break;
        }
    }
    depths
}
