//! Where monitors are held.

use super::cuts::Places;
use crate::class::stack::falls_through;
use crate::class::{Insn, Try, op};

/// Monitors held at one place that are counted, at most, and how often all instructions are looked at to count them.
pub(super) const MOST_MONITORS: u8 = 8;
const MOST_WALKS: usize = 32;
/// Control does not get there, as far as is known.
const UNREACHED: u8 = u8::MAX;

/// How many monitors are held before each instruction.
#[derive(Default)]
pub(super) struct Monitors {
    /// At most so many; empty if the method has none.
    depths: Vec<u8>,
    /// Whether the number may be another one.
    vague: Vec<bool>,
}

impl Monitors {
    /// Counts them.
    pub fn count(places: &Places<'_>) -> Self {
        let code = places.code;
        if !code.insns.contains(&Insn::Op(op::MONITORENTER)) {
            return Self::default();
        }
        let throwers = Throwers::find(places);
        let mut depths = vec![UNREACHED; code.insns.len() + 1];
        depths[0] = 0;
        let mut changed = true;
        for _ in 0..MOST_WALKS {
            changed = false;
            throwers.each_edge(places, &mut depths, |depths, to, depth| {
                let known = &mut depths[to];
                if *known == UNREACHED || depth > *known {
                    *known = depth;
                    changed = true;
                }
            });
            if !changed {
                break;
            }
        }
        let mut vague: Vec<bool> = depths
            .iter()
            .map(|d| changed || *d == MOST_MONITORS)
            .collect();
        throwers.each_edge(places, &mut depths, |depths, to, depth| {
            vague[to] |= depth != depths[to];
        });
        Self { depths, vague }
    }

    /// How many are held before an instruction, at most.
    pub fn before(&self, ix: usize) -> u8 {
        let known = self.depths.get(ix).copied();
        known.filter(|depth| *depth != UNREACHED).unwrap_or(0)
    }

    /// Whether the number before an instruction may be another one.
    pub fn is_vague(&self, ix: usize) -> bool {
        self.vague.get(ix) == Some(&true)
    }
}

/// Which instructions lead to handlers. The release of a monitor throws only where the method has not taken it: it counts
/// for handlers that nothing else leads to, and then the first of several.
struct Throwers {
    /// By label: whether other instructions lead to this handler.
    others: Vec<bool>,
}

impl Throwers {
    fn find(places: &Places<'_>) -> Self {
        let code = places.code;
        let mut others = vec![false; code.labels as usize];
        for each in &code.tries {
            let known = &mut others[each.handler.0 as usize];
            *known = *known || code.insns[places.range(each)].iter().any(may_throw);
        }
        Self { others }
    }

    /// The fewest and the most monitors held where a range leads to its handler.
    fn thrown_at(&self, places: &Places<'_>, handled: &Try, depths: &[u8]) -> Option<[u8; 2]> {
        let range = places.range(handled);
        let others = self.others[handled.handler.0 as usize];
        let insns = places.code.insns[range.clone()].iter();
        let throws = |insn: &Insn| match others {
            true => may_throw(insn),
            false => *insn == Insn::Op(op::MONITOREXIT),
        };
        let thrown = insns.zip(&depths[range]).filter(|each| throws(each.0));
        let thrown = thrown
            .map(|each| *each.1)
            .filter(|depth| *depth != UNREACHED);
        thrown.fold(None, |all, depth| {
            let [least, most] = all.unwrap_or([depth; 2]);
            let least = if others {
                least.min(depth)
            } else {
                most.max(depth)
            };
            Some([least, most.max(depth)])
        })
    }

    /// Visits all places to which control gets, with the monitors held there.
    fn each_edge(
        &self,
        places: &Places<'_>,
        depths: &mut Vec<u8>,
        mut visit: impl FnMut(&mut Vec<u8>, usize, u8),
    ) {
        for (ix, insn) in places.code.insns.iter().enumerate() {
            if depths[ix] == UNREACHED {
                continue;
            }
            let after = match *insn {
                Insn::Op(op::MONITORENTER) => (depths[ix] + 1).min(MOST_MONITORS),
                Insn::Op(op::MONITOREXIT) => depths[ix].saturating_sub(1),
                _ => depths[ix],
            };
            insn.each_target(|label| visit(depths, places.at[label.0 as usize], after));
            if falls_through(insn) {
                visit(depths, ix + 1, after);
            }
        }
        for each in &places.code.tries {
            let handler = places.at[each.handler.0 as usize];
            for depth in self.thrown_at(places, each, depths).into_iter().flatten() {
                visit(depths, handler, depth);
            }
        }
    }
}

/// Whether an instruction may throw, other than for a monitor that the method has not taken.
fn may_throw(insn: &Insn) -> bool {
    match *insn {
        Insn::Op(
            op::IALOAD..=op::SALOAD
            | op::IASTORE..=op::SASTORE
            | op::IDIV
            | op::LDIV
            | op::IREM
            | op::LREM
            | op::ARRAYLENGTH
            | op::ATHROW
            | op::MONITORENTER,
        ) => true,
        Insn::Op(_)
        | Insn::Push(_)
        | Insn::Var(..)
        | Insn::Iinc(..)
        | Insn::Jump(..)
        | Insn::Table(_)
        | Insn::Lookup(_)
        | Insn::Label(_)
        | Insn::Line(_)
        | Insn::DexPc(_) => false,
        _ => true,
    }
}
