//! Decides which instructions each part has, and which the rest of the method keeps.
//!
//! Units between which control cannot be handed over are a group, which stays in one part. As long as a monitor is held
//! control cannot be handed over, and a group with an object before its constructor stays in the rest. A group that is
//! too large for that is *opened*: the rest keeps the units that need the object before its constructor; where that is
//! not enough also the instructions that take and release the outermost monitors, so that its own frame holds them while
//! parts run; then those of the next ones. All else of the group goes to parts.

use super::cuts::{ALL, Level, Places, waits};
use super::hand_over::each_slot;
use super::{LARGEST_PART, Sizes};
use crate::class::{Frame, Insn, VType, op};
use std::ops::Range;

/// Parts of a method, at most, about.
const MOST_PARTS: usize = 1_000;
/// The number of what the rest of the method keeps.
pub(super) const REST: usize = 0;

/// Which instructions each part has.
pub(super) struct Parts {
    /// By number; the first is [`REST`], which may have nothing.
    pub all: Vec<Part>,
    /// Where units begin, and their parts.
    starts: Vec<usize>,
    part_of: Vec<usize>,
}

/// The instructions of one part.
#[derive(Default)]
pub(super) struct Part {
    /// Its ranges, in order.
    pub ranges: Vec<Range<usize>>,
    /// Whether a constructor's object waits for the superclass's constructor while the part runs.
    pub waits: bool,
}

/// Runs of instructions that stay together, in order.
struct Units {
    /// The instructions at which they begin, and the end of the last one.
    starts: Vec<usize>,
    /// By unit: the first unit of its group.
    groups: Vec<usize>,
    /// By group, which has the number of its first unit.
    bytes: Vec<usize>,
}

impl Units {
    fn count(&self) -> usize {
        self.groups.len()
    }

    fn range(&self, unit: usize) -> Range<usize> {
        self.starts[unit]..self.starts[unit + 1]
    }
}

/// What is known of groups, by group.
struct Groups {
    /// Whether the rest keeps it.
    kept: Vec<bool>,
    /// Whether a constructor's object waits in it.
    waits: Vec<Option<bool>>,
}

impl Parts {
    /// The part of an instruction.
    pub fn part_at(&self, ix: usize) -> usize {
        self.part_of[self.starts.partition_point(|start| *start <= ix) - 1]
    }

    /// Whether the rest keeps anything.
    pub fn has_kept(&self) -> bool {
        !self.all[REST].ranges.is_empty()
    }
}

impl Places<'_> {
    /// Decides what goes where. None if a part would be too large, or if there would be one only.
    pub fn parts(&mut self, sizes: &Sizes) -> Option<Parts> {
        // What calls the parts must fit, too.
        let size = sizes
            .size
            .max(self.size(0..self.code.insns.len()) / MOST_PARTS);
        let mut units = self.grouped();
        let mut levels = Vec::new();
        if let Some(beyond) = sizes.opens {
            levels.resize(self.code.insns.len(), 0);
            let beyond = beyond.max(size);
            while self.open_groups(&units, beyond, &mut levels) {
                units = self.grouped();
            }
        }
        let groups = self.kept_groups(&units, &levels);
        let mut all = vec![Part::default()];
        // The last part in which no constructor's object waits, and the last one in which it does, and their bytes.
        let mut last = [REST; 2];
        let mut filled = [0; 2];
        let mut kept = 0;
        let mut part_of_group = vec![REST; units.count()];
        let mut part_of = Vec::with_capacity(units.count());
        for unit in 0..units.count() {
            let group = units.groups[unit];
            let bytes = units.bytes[unit];
            if group == unit && groups.kept[unit] {
                kept += bytes;
            } else if group == unit {
                let waits = groups.waits[unit] == Some(true);
                let (last, filled) = (
                    &mut last[usize::from(waits)],
                    &mut filled[usize::from(waits)],
                );
                if *last == REST || *filled > 0 && *filled + bytes > size {
                    *last = all.len();
                    *filled = 0;
                    let ranges = Vec::new();
                    all.push(Part { ranges, waits });
                }
                *filled += bytes;
                part_of_group[unit] = *last;
            }
            if kept.max(filled[0]).max(filled[1]) > LARGEST_PART {
                return None;
            }
            let part = part_of_group[group];
            part_of.push(part);
            let range = units.range(unit);
            match all[part].ranges.last_mut() {
                Some(last) if last.end == range.start => last.end = range.end,
                _ => all[part].ranges.push(range),
            }
        }
        let used = all.iter().filter(|part| !part.ranges.is_empty());
        (used.count() > 1).then_some(Parts {
            all,
            starts: units.starts,
            part_of,
        })
    }

    fn grouped(&self) -> Units {
        let mut starts = self.units();
        let groups = self.groups(&starts);
        starts.push(self.code.insns.len());
        let mut bytes = vec![0; groups.len()];
        for (unit, group) in groups.iter().enumerate() {
            bytes[*group] += self.size(starts[unit]..starts[unit + 1]);
        }
        Units {
            starts,
            groups,
            bytes,
        }
    }

    /// Opens groups beyond so many bytes, or opens them more; false if there are none. After [`ALL`] calls there are none.
    fn open_groups(&mut self, units: &Units, beyond: usize, levels: &mut [Level]) -> bool {
        let mut vague = vec![false; units.count()];
        for unit in 0..units.count() {
            vague[units.groups[unit]] |= units.range(unit).any(|ix| self.monitors.is_vague(ix));
        }
        let mut changed = false;
        for unit in 0..units.count() {
            let group = units.groups[unit];
            for level in levels.get_mut(units.range(unit)).into_iter().flatten() {
                if units.bytes[group] > beyond && *level < ALL {
                    let is_vague = *level > 0 && vague[group];
                    *level = if is_vague { ALL } else { *level + 1 };
                    changed = true;
                }
            }
        }
        if changed {
            self.open_labels(levels);
        }
        changed
    }

    /// Finds the groups that the rest keeps: those with an object before its constructor; of what was opened those that
    /// need it, and those that take or release monitors.
    fn kept_groups(&self, units: &Units, levels: &[Level]) -> Groups {
        let mut found = Groups {
            kept: vec![false; units.count()],
            waits: vec![None; units.count()],
        };
        let mut holders = Holders(vec![usize::MAX; usize::from(self.code.max_locals)]);
        for unit in 0..units.count() {
            let group = units.groups[unit];
            let range = units.range(unit);
            let insns = &self.code.insns[range.clone()];
            let frame = self.frame_at(range.start).filter(|frame| waits(frame));
            let level = levels.get(range.start).copied().unwrap_or(0);
            let mut kept = level > 0 && range.clone().any(|ix| self.is_kept_monitor(ix, level));
            match frame {
                Some(_) if level == 0 => kept = true,
                Some(frame) => {
                    holders.note(unit, frame);
                    kept |= insns.iter().any(|insn| holders.loads(unit, insn));
                }
                None => {}
            }
            // No valid method has a group of both kinds.
            let before = found.waits[group].replace(frame.is_some());
            let mixed = before.is_some_and(|before| before != frame.is_some());
            found.kept[group] |= kept || mixed;
        }
        found
    }

    /// Whether an instruction takes or releases a monitor that the rest has.
    fn is_kept_monitor(&self, ix: usize, level: Level) -> bool {
        let number = match self.code.insns[ix] {
            Insn::Op(op::MONITORENTER) => self.monitors.before(ix) + 1,
            Insn::Op(op::MONITOREXIT) => self.monitors.before(ix),
            _ => return false,
        };
        level == ALL || number < level
    }
}

/// By slot: the last unit at whose beginning it has the constructor's object.
struct Holders(Vec<usize>);

impl Holders {
    fn note(&mut self, unit: usize, frame: &Frame) {
        for (slot, kind) in each_slot(frame) {
            if kind == VType::UninitializedThis
                && let Some(holder) = self.0.get_mut(usize::from(slot))
            {
                *holder = unit;
            }
        }
    }

    fn loads(&self, unit: usize, insn: &Insn) -> bool {
        match insn {
            Insn::Var(op::ALOAD, slot) => self.0.get(usize::from(*slot)) == Some(&unit),
            _ => false,
        }
    }
}
