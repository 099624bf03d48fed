//! Puts probes into the body of a method.
//!
//! JaCoCo gives a conditional jump a probe by inverting it: it jumps over a probe and a `goto`. The place after them needs
//! a frame of what holds there, for which JaCoCo follows the types through all instructions. Here the jump leads to a
//! *landing*: the probe, right before the target, with the target's frame. Ranges of handlers include it where they
//! include the target, so that what holds at the target is enough for their handlers too, and no probe is outside the
//! range that releases a monitor: HotSpot would not compile such a method.

use super::flow::{self, Flow, Passed};
use crate::class::code::op;
use crate::class::{Code, Frame, Idx, Insn, Label, VType};

/// Where the probe array is among a method's local variables.
#[derive(Clone, Copy)]
struct Slots {
    /// Slots of the parameters, `this` included.
    parameters: u16,
    /// How far the variables after the parameters move.
    shift: u16,
}

impl Slots {
    /// The array follows the parameters. One slot is left free before it if code stores a `long` or `double` in the last
    /// parameter's slot and the one after it.
    fn new(code: &Code, parameters: u16) -> Self {
        let straddles = |insn: &Insn| matches!(insn, Insn::Var(op::LSTORE | op::DSTORE, slot) if slot.checked_add(1) == Some(parameters));
        let shift = 1 + u16::from(code.insns.iter().any(straddles));
        Self { parameters, shift }
    }

    fn array(self) -> u16 {
        self.parameters + self.shift - 1
    }

    fn moved(self, slot: u16) -> u16 {
        match slot < self.parameters {
            true => slot,
            false => slot.saturating_add(self.shift),
        }
    }

    /// The variables of a frame, with the array's type among them.
    fn frame(self, locals: &mut Vec<VType>, array: VType) {
        let old = std::mem::take(locals);
        locals.reserve_exact(old.len() + 3);
        let (parameters, variable) = (usize::from(self.parameters), usize::from(self.array()));
        let mut old = old.into_iter().peekable();
        let mut slot = 0;
        while slot < parameters
            && let Some(next) = old.next()
        {
            locals.push(next);
            slot += usize::from((next).slots());
        }
        let straddles = slot > parameters;
        if slot > variable {
            // No code stores it: such a frame is wrong, and the class fails to verify as it would without probes.
            locals.pop();
            locals.push(VType::Top);
            slot = variable;
        }
        locals.extend((slot..variable).map(|_| VType::Top));
        locals.push(array);
        if straddles && old.peek().is_some() {
            locals.push(VType::Top);
        }
        locals.extend(old);
    }
}

/// Inserts the probes that `flow` numbered. `load` pushes the array, whose `Class` entry is `array`.
/// Returns false and leaves the body as it is if there is no slot for the array.
pub(super) fn insert(
    code: &mut Code,
    flow: &Flow,
    parameters: u16,
    load: &[Insn],
    array: Idx,
) -> bool {
    let slots = Slots::new(code, parameters);
    let Some(max_locals) = code.max_locals.max(parameters).checked_add(slots.shift) else {
        return false;
    };
    code.max_locals = max_locals;
    for (_, frame) in &mut code.frames {
        slots.frame(&mut frame.locals, VType::Object(array));
    }
    let start = code.label();
    for variable in &mut code.locals {
        if variable.slot < parameters && flow.index(variable.start) == Some(0) {
            variable.start = start;
        }
        variable.slot = slots.moved(variable.slot);
    }
    let insns = std::mem::take(&mut code.insns);
    let probes = (flow.end - flow.start) as usize;
    let mut body = Body {
        flow,
        slots,
        insns: Vec::with_capacity(insns.len() + load.len() + 2 + probes * 4 + flow.edges.len() * 2),
        landings: flow.edges.iter().map(|_| code.label()).collect(),
        range_limits: vec![None; flow.places.len()],
        frames: frames_of_places(code, flow),
        probe: flow.start,
        edge: 0,
        branch: 0,
        taken: vec![
            (0, start);
            if flow.edges.is_empty() {
                0
            } else {
                flow.places.len()
            }
        ],
        continues: true,
    };
    body.insns.push(Insn::Label(start));
    body.insns.extend_from_slice(load);
    body.insns.push(Insn::Var(op::ASTORE, slots.array()));
    let mut passed = Passed::default();
    for insn in insns {
        if let Some(place) = passed.enter(&insn) {
            body.enter(code, place as usize);
        }
        body.add(insn);
    }
    let limits = body.range_limits;
    code.insns = body.insns;
    for each in &mut code.tries {
        for limit in [&mut each.start, &mut each.end] {
            if let Some(new) = flow.index(*limit).and_then(|ix| limits[ix]) {
                *limit = new;
            }
        }
    }
    true
}

/// Numbers of the frames of all places to which an edge with a probe leads.
fn frames_of_places(code: &Code, flow: &Flow) -> Vec<usize> {
    if flow.edges.is_empty() {
        return Vec::new();
    }
    let mut of_place = vec![usize::MAX; flow.places.len()];
    for (ix, (label, _)) in code.frames.iter().enumerate() {
        if let Some(place) = flow.index(*label) {
            of_place[place] = ix;
        }
    }
    of_place
}

/// The body of a method while it is made.
struct Body<'a> {
    flow: &'a Flow,
    slots: Slots,
    insns: Vec<Insn>,
    /// Labels of the landings, by edge.
    landings: Vec<Label>,
    /// Labels that take the place of those that limit ranges, by place.
    range_limits: Vec<Option<Label>>,
    /// Numbers of frames by place.
    frames: Vec<usize>,
    /// Number of the next probe.
    probe: u32,
    /// Number of the next edge.
    edge: usize,
    /// Number of the present instruction.
    branch: u32,
    /// By place: the last branch to it, and the landing.
    taken: Vec<(u32, Label)>,
    /// Whether the last instruction continues.
    continues: bool,
}

impl Body<'_> {
    /// Adds a probe.
    fn hit(&mut self, probe: u32) {
        self.insns.extend([
            Insn::Var(op::ALOAD, self.slots.array()),
            Insn::Push(i32::try_from(probe).unwrap_or(i32::MAX)),
            Insn::Push(1),
            Insn::Op(op::BASTORE),
        ]);
    }

    fn hit_next(&mut self) {
        self.hit(self.probe);
        self.probe += 1;
    }

    /// Adds what stands before the marks of a place: its probe and its landings.
    fn enter(&mut self, code: &mut Code, ix: usize) {
        let place = self.flow.places[ix];
        if !place.has_probe() && place.edges == flow::NONE {
            return;
        }
        if place.limits_range {
            let label = code.label();
            self.insns.push(Insn::Label(label));
            self.range_limits[ix] = Some(label);
        }
        if place.has_probe() {
            self.hit_next();
        }
        if place.edges == flow::NONE {
            return;
        }
        let target = Label(place.label);
        if self.continues {
            self.insns.push(Insn::Jump(op::GOTO, target));
        }
        let frame: Option<Frame> = code.frames.get(self.frames[ix]).map(|(_, f)| f.clone());
        let mut at = place.edges;
        while let Some(edge) = self.flow.edges.get(at as usize) {
            let landing = self.landings[at as usize];
            self.insns.push(Insn::Label(landing));
            code.frames
                .extend(frame.clone().map(|frame| (landing, frame)));
            self.hit(edge.probe);
            at = edge.next;
            if at != flow::NONE {
                self.insns.push(Insn::Jump(op::GOTO, target));
            }
        }
    }

    /// Adds a mark, or an instruction with its probes.
    fn add(&mut self, mut insn: Insn) {
        let mut continues = true;
        self.branch += 1;
        match &mut insn {
            insn if insn.is_mark() => continues = self.continues,
            Insn::Var(_, slot) | Insn::Iinc(slot, _) => *slot = self.slots.moved(*slot),
            Insn::Op(opcode) if flow::leaves(*opcode) => {
                self.hit_next();
                continues = false;
            }
            Insn::Jump(op::GOTO, label) => {
                if self.flow.is_join(*label) {
                    self.hit_next();
                }
                continues = false;
            }
            Insn::Jump(_, label) => self.redirect(label),
            Insn::Table(table) => {
                self.redirect(&mut table.1);
                table.2.iter_mut().for_each(|label| self.redirect(label));
                continues = false;
            }
            Insn::Lookup(lookup) => {
                self.redirect(&mut lookup.0);
                let keys = lookup.1.iter_mut();
                keys.for_each(|(_, label)| self.redirect(label));
                continues = false;
            }
            _ => {}
        }
        self.continues = continues;
        self.insns.push(insn);
    }

    /// Leads a branch to a landing if the label is a join. What one switch leads to the same place has one landing.
    fn redirect(&mut self, label: &mut Label) {
        let Some(ix) = self.flow.index(*label) else {
            return;
        };
        if !self.flow.places[ix].is_join() {
            return;
        }
        let (branch, landing) = &mut self.taken[ix];
        if *branch != self.branch {
            *branch = self.branch;
            *landing = self.landings[self.edge];
            self.edge += 1;
            self.probe += 1;
        }
        *label = *landing;
    }
}
