//! How instructions change the height of the stack.

use super::code::{Code, Insn, Label, VType, op};
use super::pool::{Entry, Idx, Pool};

/// No method has a higher stack; heights of invalid code stop here.
const TOO_HIGH: u32 = 0x1_0000;
/// No height is known for this label yet.
const UNKNOWN: u32 = u32::MAX;
/// The walk passed this label without knowing its height.
const SKIPPED: u32 = u32::MAX - 1;

/// Slots that an instruction takes from the stack, and those that it puts there. `dup` and its relatives take what they
/// read.
pub fn stack_effect(insn: &Insn, pool: &Pool) -> (u32, u32) {
    effect(insn, pool, |ix| operand_slots(pool, ix))
}

/// Slots of the arguments, without `this`, and of the result of a method's descriptor.
pub fn descriptor_slots(descriptor: &[u8]) -> (u32, u32) {
    let mut arguments = 0;
    let mut rest = match descriptor {
        [b'(', rest @ ..] => rest,
        _ => return (0, 0),
    };
    loop {
        match rest {
            [] => return (arguments, 0),
            [b')', result @ ..] => return (arguments, type_slots(result)),
            _ => {
                arguments += type_slots(rest);
                rest = &rest[type_length(rest)..];
            }
        }
    }
}

/// Slots of a value of the type with which this begins: 0 for `void`, 2 for `long` and `double`.
pub fn type_slots(descriptor: &[u8]) -> u32 {
    match descriptor.first() {
        None | Some(b'V') => 0,
        Some(b'J' | b'D') => 2,
        Some(_) => 1,
    }
}

/// Bytes of the type with which this begins; at most as many as there are.
pub fn type_length(descriptor: &[u8]) -> usize {
    let dimensions = descriptor.iter().take_while(|b| **b == b'[').count();
    let element = match descriptor.get(dimensions) {
        None => 0,
        Some(b'L') => {
            let name = descriptor[dimensions..].iter().take_while(|b| **b != b';');
            name.count() + 1
        }
        Some(_) => 1,
    };
    (dimensions + element).min(descriptor.len())
}

/// Whether the next instruction can run after this one.
pub fn falls_through(insn: &Insn) -> bool {
    !matches!(
        insn,
        Insn::Jump(op::GOTO, _)
            | Insn::Table(_)
            | Insn::Lookup(_)
            | Insn::Op(op::IRETURN..=op::RETURN | op::ATHROW)
    )
}

/// Slots of what a member's descriptor names: arguments and result of a method, nothing and the value of a field.
fn operand_slots(pool: &Pool, ix: Idx) -> (u32, u32) {
    match pool.get(ix) {
        Entry::Field(_, pair) | Entry::DynamicConst(_, pair) => {
            (0, type_slots(pool.name_and_type(pair).1))
        }
        Entry::Method(_, pair, _) | Entry::Dynamic(_, pair) => {
            descriptor_slots(pool.name_and_type(pair).1)
        }
        _ => (0, 0),
    }
}

/// Whether `ldc2_w` pushes this entry.
pub(super) fn is_wide_constant(pool: &Pool, ix: Idx) -> bool {
    match pool.get(ix) {
        Entry::Long(_) | Entry::Double(_) => true,
        Entry::DynamicConst(..) => operand_slots(pool, ix).1 == 2,
        _ => false,
    }
}

fn effect(insn: &Insn, pool: &Pool, mut slots: impl FnMut(Idx) -> (u32, u32)) -> (u32, u32) {
    match *insn {
        Insn::Op(op) | Insn::Var(op, _) | Insn::Jump(op, _) | Insn::Type(op, _) => simple(op),
        Insn::Push(_) => (0, 1),
        Insn::Const(ix) => (0, 1 + u32::from(is_wide_constant(pool, ix))),
        Insn::NewArray(_) => (1, 1),
        Insn::MultiArray(_, dimensions) => (u32::from(dimensions), 1),
        Insn::Field(op, ix) => {
            let (_, value) = slots(ix);
            match op {
                op::GETSTATIC => (0, value),
                op::PUTSTATIC => (value, 0),
                op::GETFIELD => (1, value),
                _ => (1 + value, 0),
            }
        }
        Insn::Invoke(op, ix) => {
            let (arguments, result) = slots(ix);
            (arguments + u32::from(op != op::INVOKESTATIC), result)
        }
        Insn::Dynamic(ix) => slots(ix),
        Insn::Table(_) | Insn::Lookup(_) => (1, 0),
        Insn::Iinc(..) | Insn::Label(_) | Insn::Line(_) | Insn::DexPc(_) => (0, 0),
    }
}

fn simple(op: u8) -> (u32, u32) {
    let (pops, pushes) = SIMPLE[usize::from(op)];
    (u32::from(pops), u32::from(pushes))
}

/// Of the opcodes without a descriptor.
static SIMPLE: [(u8, u8); 256] = {
    let mut all = [(0, 0); 256];
    let mut at = 0;
    while at < 256 {
        all[at] = fixed_effect(at);
        at += 1;
    }
    all
};

const fn fixed_effect(op: usize) -> (u8, u8) {
    let odd = op % 2 == 1;
    match op {
        1..=8 | 11..=13 | 16..=19 | 21 | 23 | 25 => (0, 1),
        9 | 10 | 14 | 15 | 20 | 22 | 24 => (0, 2),
        // Loads and stores of arrays and variables.
        47 | 49 => (2, 2),
        46..=53 => (2, 1),
        55 | 57 => (2, 0),
        54..=58 => (1, 0),
        80 | 82 => (4, 0),
        79..=86 => (3, 0),
        // pop, pop2, dup, dup_x1, dup_x2, dup2, dup2_x1, dup2_x2, swap.
        87 => (1, 0),
        88 => (2, 0),
        89 => (1, 2),
        90 => (2, 3),
        91 => (3, 4),
        92 => (2, 4),
        93 => (3, 5),
        94 => (4, 6),
        95 => (2, 2),
        // Arithmetic: even numbers for int and float, odd ones for long and double.
        96..=115 | 126..=131 if odd => (4, 2),
        96..=115 | 126..=131 => (2, 1),
        116..=119 if odd => (2, 2),
        116..=119 => (1, 1),
        120..=125 if odd => (3, 2),
        120..=125 => (2, 1),
        // Conversions.
        133 | 135 | 140 | 141 => (1, 2),
        136 | 137 | 142 | 144 => (2, 1),
        138 | 143 => (2, 2),
        134 | 139 | 145..=147 => (1, 1),
        148 | 151 | 152 => (4, 1),
        149 | 150 => (2, 1),
        // Jumps, switches, returns.
        153..=158 | 170 | 171 | 198 | 199 => (1, 0),
        159..=166 => (2, 0),
        172 | 174 | 176 => (1, 0),
        173 | 175 => (2, 0),
        // new, newarray, anewarray, arraylength, athrow, checkcast, instanceof, monitors.
        187 => (0, 1),
        188..=190 | 192 | 193 => (1, 1),
        191 | 194 | 195 => (1, 0),
        _ => (0, 0),
    }
}

/// Finds how high the stack of a method becomes. Keeps its tables from one method of a class to the next.
#[derive(Default)]
pub(super) struct StackSizer {
    /// Slots of a pool entry's arguments and result; [`u16::MAX`] where they were not computed.
    slots: Vec<(u16, u16)>,
    /// By label.
    heights: Vec<u32>,
    /// Labels with a height whose code has not been walked.
    open: Vec<Label>,
    highest: u32,
}

impl StackSizer {
    /// Slots of a member's arguments and result, as in [`operand_slots`].
    pub(super) fn operand_slots(&mut self, pool: &Pool, ix: Idx) -> (u32, u32) {
        let at = usize::from(ix);
        if at >= self.slots.len() {
            let count = pool.count().max(at + 1);
            self.slots.resize(count, (u16::MAX, u16::MAX));
        }
        let (arguments, result) = self.slots[at];
        if arguments != u16::MAX {
            return (u32::from(arguments), u32::from(result));
        }
        let (arguments, result) = operand_slots(pool, ix);
        // Text is shorter than 65,536 bytes, so that only a descriptor of nothing else than `J` has more slots.
        let short = |slots: u32| u16::try_from(slots).unwrap_or(u16::MAX);
        self.slots[at] = (short(arguments), short(result));
        (arguments, result)
    }

    /// The greatest height of the stack. What runs follows from jumps and frames; each instruction is looked at once.
    pub(super) fn max_stack(&mut self, code: &Code, pool: &Pool) -> u32 {
        self.heights.clear();
        self.heights.resize(code.labels as usize, UNKNOWN);
        self.open.clear();
        self.highest = 0;
        for each in &code.tries {
            self.note(each.handler, 1);
        }
        for (label, frame) in &code.frames {
            self.note(*label, slots_of(&frame.stack));
        }
        self.walk(&code.insns, Some(0), true, pool);
        if self.open.is_empty() {
            return self.highest;
        }
        // Code without frames (before Java 6), in which a loop's body is reached by a jump from below only.
        let mut places = vec![usize::MAX; self.heights.len()];
        for (ix, insn) in code.insns.iter().enumerate() {
            if let Insn::Label(label) = insn
                && let Some(place) = places.get_mut(label.0 as usize)
            {
                *place = ix;
            }
        }
        while let Some(label) = self.open.pop() {
            let place = places.get(label.0 as usize).copied();
            let rest = place.and_then(|ix| code.insns.get(ix.saturating_add(1)..));
            let height = self.heights.get(label.0 as usize).copied();
            self.walk(rest.unwrap_or_default(), height, false, pool);
        }
        self.highest
    }

    /// The first walk goes to the end, the others to what was walked before.
    fn walk(&mut self, insns: &[Insn], mut height: Option<u32>, first: bool, pool: &Pool) {
        for insn in insns {
            match insn {
                Insn::Line(_) | Insn::DexPc(_) => continue,
                Insn::Label(label) => {
                    let Some(known) = self.heights.get_mut(label.0 as usize) else {
                        continue;
                    };
                    match (*known, height) {
                        (UNKNOWN, None) => *known = SKIPPED,
                        (UNKNOWN | SKIPPED, Some(now)) => *known = now,
                        (SKIPPED, None) => {}
                        (_, Some(_)) if !first => return,
                        (before, now) => height = Some(now.unwrap_or(0).max(before)),
                    }
                    continue;
                }
                _ => {}
            }
            let Some(before) = height else {
                if first {
                    continue;
                }
                return;
            };
            let (pops, pushes) = effect(insn, pool, |ix| self.operand_slots(pool, ix));
            let after = (before.saturating_sub(pops) + pushes).min(TOO_HIGH);
            self.highest = self.highest.max(before).max(after);
            self.note_targets(insn, after);
            height = falls_through(insn).then_some(after);
        }
    }

    fn note_targets(&mut self, insn: &Insn, height: u32) {
        match insn {
            Insn::Jump(_, target) => self.note(*target, height),
            Insn::Table(switch) => {
                self.note(switch.1, height);
                for target in &switch.2 {
                    self.note(*target, height);
                }
            }
            Insn::Lookup(switch) => {
                self.note(switch.0, height);
                for (_, target) in &switch.1 {
                    self.note(*target, height);
                }
            }
            _ => {}
        }
    }

    fn note(&mut self, label: Label, height: u32) {
        if let Some(known) = self.heights.get_mut(label.0 as usize) {
            match *known {
                SKIPPED => {
                    *known = height;
                    self.open.push(label);
                }
                UNKNOWN => *known = height,
                _ => {}
            }
            self.highest = self.highest.max(height);
        }
    }
}

fn slots_of(types: &[VType]) -> u32 {
    let slots = types.iter().map(|each| u32::from(each.slots()));
    slots.sum::<u32>().min(TOO_HIGH)
}
