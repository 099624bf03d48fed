//! Removes instructions that no path reaches.
//!
//! What follows an unconditional throw in place of a call needs a frame that nobody has computed. So all that cannot be
//! reached any more goes: instructions, their frames, and the handlers and variables of ranges that become empty.

use dex2class::class::stack::falls_through;
use dex2class::class::{Code, Insn, Label};

/// After as many rounds all handlers count as reached: chains of handlers that only cover each other are shorter.
const ROUNDS: usize = 64;

/// Removes instructions that no path from the beginning reaches.
pub fn remove(code: &mut Code) {
    let places = places(code);
    let reached = reached(code, &places);
    if reached.iter().all(|reached| *reached) {
        return;
    }
    // How many instructions, marks left out, remain before each place.
    let mut remaining = Vec::with_capacity(code.insns.len() + 1);
    let mut count = 0_usize;
    for (insn, reached) in code.insns.iter().zip(&reached) {
        remaining.push(count);
        count += usize::from(*reached && !insn.is_mark());
    }
    remaining.push(count);
    let place = |label: Label| places.get(label.0 as usize).copied().flatten();
    let is_empty = |start: Label, end: Label| match (place(start), place(end)) {
        (Some(start), Some(end)) => remaining[start] >= remaining[end],
        _ => true,
    };
    code.tries.retain(|each| !is_empty(each.start, each.end));
    code.locals.retain(|each| !is_empty(each.start, each.end));
    code.frames
        .retain(|(label, _)| place(*label).is_some_and(|at| reached[at]));
    let kept_lines = kept_lines(code, &reached);
    let mut at = 0..;
    code.insns.retain(|insn| {
        let at = at.next().unwrap_or_default();
        match insn {
            Insn::Label(_) => true,
            Insn::Line(_) | Insn::DexPc(_) => kept_lines[at],
            _ => reached[at],
        }
    });
}

/// Where each label stands, by its number.
fn places(code: &Code) -> Vec<Option<usize>> {
    let mut places = vec![None; code.labels as usize];
    for (at, insn) in code.insns.iter().enumerate() {
        if let Insn::Label(label) = insn
            && let Some(place) = places.get_mut(label.0 as usize)
        {
            *place = Some(at);
        }
    }
    places
}

/// Whether each instruction can be reached, in their order.
fn reached(code: &Code, places: &[Option<usize>]) -> Vec<bool> {
    let place = |label: Label| places.get(label.0 as usize).copied().flatten();
    let mut reached = vec![false; code.insns.len()];
    let mut open = vec![0];
    let mut handlers: Vec<_> = code.tries.iter().collect();
    for round in 0.. {
        while let Some(mut at) = open.pop() {
            while at < code.insns.len() && !std::mem::replace(&mut reached[at], true) {
                let insn = &code.insns[at];
                insn.each_target(|label| open.extend(place(label)));
                if !falls_through(insn) {
                    break;
                }
                at += 1;
            }
        }
        // How many instructions before each place are reached.
        let mut count = 0_usize;
        let mut before = vec![0];
        for (insn, reached) in code.insns.iter().zip(&reached) {
            count += usize::from(*reached && !insn.is_mark());
            before.push(count);
        }
        handlers.retain(|each| {
            let covers = match (place(each.start), place(each.end)) {
                (Some(start), Some(end)) => before[start] < before[end],
                _ => false,
            };
            if covers || round == ROUNDS {
                open.extend(place(each.handler));
            }
            !covers && round < ROUNDS
        });
        if open.is_empty() {
            break;
        }
    }
    reached
}

/// Whether each mark of a line is needed: it says the line of an instruction that is reached.
fn kept_lines(code: &Code, reached: &[bool]) -> Vec<bool> {
    let mut kept = vec![false; code.insns.len()];
    let mut current = None;
    for (at, insn) in code.insns.iter().enumerate() {
        match insn {
            Insn::Line(_) | Insn::DexPc(_) => current = Some(at),
            Insn::Label(_) => {}
            _ if reached[at] => {
                if let Some(line) = current.take() {
                    kept[line] = true;
                }
            }
            _ => {}
        }
    }
    kept
}
