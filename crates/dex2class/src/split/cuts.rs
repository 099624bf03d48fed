//! Finds the places where a method can be cut.

use super::monitors::{MOST_MONITORS, Monitors};
use super::{Access, Cast, type_cast};
use crate::class::stack::falls_through;
use crate::class::{Code, Frame, Insn, Label, Pool, Try, VType};
use std::ops::Range;

/// Instructions in all ranges of handlers, at most; a hostile method has 65,535 ranges of all its code.
const MOST_HANDLED: usize = 1 << 22;
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
    /// Whether arrays can hold what a label's frame has, by label.
    fits: Vec<bool>,
    pub monitors: Monitors,
}

/// What the rest of the method has while instructions run, since parts cannot have it: from 1 on a constructor's object
/// before the call of the superclass's constructor, from 2 on the outermost monitor, from 3 on the next one, and so on.
pub(super) type Level = u8;
/// All monitors, also where they cannot be counted.
pub(super) const ALL: Level = MOST_MONITORS + 1;

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
            fits: vec![false; labels],
            monitors: Monitors::default(),
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
        found.monitors = Monitors::count(&found);
        for (ix, (label, frame)) in (0_u32..).zip(&code.frames) {
            let label = label.0 as usize;
            found.frames[label] = Some(ix);
            found.fits[label] = found.at[label] != NOWHERE && fits(frame, pool, access);
        }
        found.open_labels(&[]);
        Some(found)
    }

    /// The instructions of a range of handlers.
    pub fn range(&self, handled: &Try) -> Range<usize> {
        self.at[handled.start.0 as usize]..self.at[handled.end.0 as usize]
    }

    /// Decides where control can be handed over, by the levels of instructions; those without one have none.
    pub fn open_labels(&mut self, levels: &[Level]) {
        for (label, &ix) in self.at.iter().enumerate() {
            let level = levels.get(ix).copied().unwrap_or(0);
            let frame = self.frames[label].map(|frame| &self.code.frames[frame as usize].1);
            self.open[label] = self.fits[label]
                && (level > 0 || !frame.is_some_and(waits))
                && (level == ALL || self.monitors.before(ix) < level.max(1));
        }
    }

    /// Whether arrays can hold what a label's frame has.
    pub fn fits(&self, label: Label) -> bool {
        self.fits[label.0 as usize]
    }

    /// Bytes of instructions, at most.
    pub fn size(&self, of: Range<usize>) -> usize {
        self.sizes[of.end] - self.sizes[of.start]
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

    /// The frame of the place that begins at an instruction.
    pub fn frame_at(&self, ix: usize) -> Option<&'c Frame> {
        let marks = self.code.insns[ix..].iter();
        let mut marks = marks.take_while(|insn| insn.is_mark());
        marks.find_map(|insn| match insn {
            Insn::Label(label) => self.frame(*label),
            _ => None,
        })
    }

    /// The instructions at which units begin: runs of instructions that control enters from the unit before only where it
    /// can be handed over.
    pub fn units(&self) -> Vec<usize> {
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
    pub fn groups(&self, starts: &[usize]) -> Vec<usize> {
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

/// The first of those that were joined.
fn find(first: &mut [usize], mut unit: usize) -> usize {
    while first[unit] != unit {
        first[unit] = first[first[unit]];
        unit = first[unit];
    }
    unit
}

/// Whether a constructor's object waits for the superclass's constructor. Each frame has it then.
pub(super) fn waits(frame: &Frame) -> bool {
    frame.locals.contains(&VType::UninitializedThis)
}

/// Whether arrays can hold all that a frame has, but for the constructor's own object. They hold no other object before
/// its constructor.
fn fits(frame: &Frame, pool: &Pool, access: Access<'_>) -> bool {
    let fits = |kind: &VType| match kind {
        VType::Uninitialized(_) => false,
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
