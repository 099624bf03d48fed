//! Writes a method block by block: labels, frames, handlers, lines, local variables of the source.

use super::emit::{Emitter, FIXED, LooseFrame};
use super::flow::NO_REGION;
use super::instruction::{NONE, Op};
use super::kinds::Kind;
use super::source::SourceLines;
use super::type_table::Type;
use super::uninit::THIS;
use super::values::{UNDEFINED, ValueId};
use super::{Reason, share, targets_of};
use crate::class::{Code, Frame, Insn, Label, Try, VType, op};
use crate::dex::internal_name;

/// Handlers that a class file has room for in a method.
const MOST_HANDLERS: usize = 0xffff;
/// Types in all frames of a method, at most. A frame has one for each slot up to the last one in use.
const MOST_TYPES: usize = 1 << 20;
/// Values on the stack between instructions, at most, as each is looked at whenever an operand is wanted. A call
/// has at most 255 arguments.
const MOST_PENDING: (usize, usize) = (8_192, 300);

/// A range of handlers that is being written.
struct Range {
    region: u32,
    start: Label,
    end: Label,
    /// Stores that were written when it ended last, and blocks that were begun.
    stores: u32,
    begun: u32,
    /// Stores of references that no handler looks for: they may have another type than the handler's frame allows.
    unseen_stores: u32,
}

impl Emitter<'_, '_, '_> {
    /// Writes all blocks and finishes the code.
    pub(super) fn run(mut self, source: &mut SourceLines<'_>) -> Result<Code, Reason> {
        let needs_label = self.jump_targets()?;
        let addresses = source.is_empty();
        let mut open: Option<Range> = None;
        let mut stubs = Vec::new();
        let mut begun = 0_u32;
        let wants = self.wants;
        let scope = self.scope;
        let count = scope.flow.blocks.len();
        if let Some(copy) = self.this_copy() {
            self.put(Insn::Var(op::ALOAD, 0));
            self.slots.count(copy);
            self.put(Insn::Var(op::ASTORE, copy));
        }
        for (id, block) in (0_u32..).zip(&scope.flow.blocks) {
            if id == block.head {
                begun += 1;
                self.begin_block(id, needs_label[id as usize], &mut stubs)?;
            }
            #[allow(clippy::cast_possible_truncation)]
            let next = if (id as usize) + 1 < count {
                id + 1
            } else {
                u32::MAX
            };
            for ix in block.first..block.last {
                let ins = &scope.body.ins[ix as usize];
                source.reach(ins.at, &mut self)?;
                if ins.op == Op::MoveException {
                    self.exception_value(ix)?;
                    continue;
                }
                let region = scope.flow.region_of[ix as usize];
                if region != NO_REGION {
                    self.enter_range(&mut open, region, begun);
                }
                if self.handlers.len() > MOST_HANDLERS {
                    return Err(Reason::TooLarge);
                }
                if self.pending.len() > self.most_of(MOST_PENDING) {
                    self.spill_all()?;
                }
                if addresses
                    && ins.op.throws()
                    && let Ok(pc) = u16::try_from(ins.at)
                {
                    self.code.insns.push(Insn::DexPc(pc));
                }
                // Its result is stored after what may throw.
                let (stores, unseen_stores) = (self.stores, self.unseen_stores);
                self.instruction(ix, wants.wanted_by(ins), next)?;
                if let Some(range) = open.as_mut().filter(|range| range.region == region) {
                    range.end = self.mark();
                    range.stores = stores;
                    range.begun = begun;
                    range.unseen_stores = unseen_stores;
                }
            }
            let ends = scope.flow.blocks.get(next as usize);
            if ends.is_none_or(|after| after.head != block.head) {
                self.end_block()?;
            }
        }
        self.close_range(open);
        for (handler, block) in stubs {
            self.stub(handler, block);
        }
        source.finish(&mut self);
        self.finish(source)
    }

    /// Blocks that are reached other than from the block before, or by a jump.
    fn jump_targets(&self) -> Result<Vec<bool>, Reason> {
        let flow = self.scope.flow;
        let mut found = vec![self.scope.cut; flow.blocks.len()];
        for (id, block) in flow.blocks.iter().enumerate() {
            let last = &self.scope.body.ins[block.last as usize - 1];
            if last.op == Op::Switch {
                // The default is a label, too.
                for &next in &block.successors {
                    found[next as usize] = true;
                }
            }
            for to in targets_of(self.scope, block.last - 1)? {
                found[to as usize] |= last.op != Op::Goto || to as usize != id + 1;
            }
        }
        Ok(found)
    }

    fn begin_block(
        &mut self,
        id: u32,
        jumped_to: bool,
        stubs: &mut Vec<(Label, u32)>,
    ) -> Result<(), Reason> {
        let block = &self.scope.flow.blocks[id as usize];
        let first = &self.scope.body.ins[block.first as usize];
        if block.handles.is_empty() {
            if jumped_to {
                let label = self.label_of(id);
                self.code.insns.push(Insn::Label(label));
                self.frame(id, label, Vec::new());
            }
            return Ok(());
        }
        if first.op == Op::MoveException {
            if !block.predecessors.is_empty() || id == 0 {
                return Err(Reason::BadTarget);
            }
            let label = self.label_of(id);
            self.code.insns.push(Insn::Label(label));
            let stack = self.exception_type(id);
            self.frame(id, label, vec![stack]);
        } else {
            // The handler does not look at the exception. It may be reached by jumps as well, without one.
            let label = self.label_of(id);
            self.code.insns.push(Insn::Label(label));
            self.frame(id, label, Vec::new());
            let stub = self.code.label();
            self.stub_of.insert(id, stub);
            stubs.push((stub, id));
        }
        Ok(())
    }

    fn exception_type(&mut self, id: u32) -> VType {
        let found = self.scope.exception(id, self.table);
        let name = match found {
            Type::Ref(kind) => internal_name(self.table.name(kind)).to_vec(),
            _ => b"java/lang/Throwable".to_vec(),
        };
        VType::Object(self.pool.class(&name))
    }

    /// The exception is on the stack where a handler begins.
    fn exception_value(&mut self, ix: u32) -> Result<(), Reason> {
        let register = self.scope.body.ins[ix as usize].dst;
        debug_assert_ne!(register, NONE);
        let value = self.values.defined(ix, register).ok_or(Reason::BadType)?;
        self.define_value(value, Kind::Ref, (self.code.insns.len(), FIXED))
    }

    fn stub(&mut self, handler: Label, block: u32) {
        self.code.insns.push(Insn::Label(handler));
        let stack = self.exception_type(block);
        self.frame(block, handler, vec![stack]);
        self.put(Insn::Op(op::POP));
        let label = self.label_of(block);
        self.put(Insn::Jump(op::GOTO, label));
    }

    /// Opens a range of handlers, unless the last one can go on: in the same block, where each store leaves what the
    /// handler's frame allows, or in the next one if no variable was stored to since. The verifier looks at all
    /// instructions in a range, also at those that do not throw.
    fn enter_range(&mut self, open: &mut Option<Range>, region: u32, begun: u32) {
        let goes_on = open.as_ref().is_some_and(|range| {
            range.region == region
                && range.unseen_stores == self.unseen_stores
                && (range.begun == begun || range.begun + 1 == begun && range.stores == self.stores)
        });
        if goes_on {
            return;
        }
        let old = open.take();
        self.close_range(old);
        let start = self.mark();
        *open = Some(Range {
            region,
            start,
            end: start,
            stores: self.stores,
            begun,
            unseen_stores: self.unseen_stores,
        });
    }

    fn close_range(&mut self, range: Option<Range>) {
        let Some(range) = range else { return };
        let scope = self.scope;
        for &(kind, block) in &scope.flow.regions[range.region as usize].handlers {
            let catch = match kind.and_then(|kind| scope.dex.type_name(kind).ok()) {
                Some(name) => self.pool.class(internal_name(name)),
                None => 0,
            };
            // The label of a stub is known only when its block is begun; see `finish`.
            self.handlers.push((range.start, range.end, block, catch));
        }
    }

    /// The variable that holds a constructor's object where its register is used for something else: as long as the
    /// constructor of the superclass was not called, each frame must have the object, even if nothing needs it.
    fn this_copy(&mut self) -> Option<u16> {
        let overwritten = self.scope.uninit.this_is_overwritten;
        overwritten.then(|| self.slots.of(NONE, Kind::Ref))
    }

    /// Notes what local variables hold where a block begins.
    fn frame(&mut self, id: u32, label: Label, stack: Vec<VType>) {
        let mut locals = Vec::new();
        for at in 0..self.values.entries(id).len() {
            let (register, value) = self.values.entries(id)[at];
            if value == UNDEFINED {
                continue;
            }
            for kind in Kind::ALL {
                if self.plan.stored[value as usize] & kind.bit() != 0
                    && let Some(found) = self.verifier_type(value, kind)
                {
                    locals.push((self.slots.of(register, kind), found));
                }
            }
        }
        if self.scope.uninit.this_waits.get(id as usize) == Some(&true) {
            let slot = self.this_copy().unwrap_or(0);
            if locals.iter().all(|local| local.0 != slot) {
                locals.push((slot, VType::UninitializedThis));
            }
        }
        self.frames.push(LooseFrame {
            label,
            locals,
            stack,
        });
    }

    fn verifier_type(&mut self, value: ValueId, kind: Kind) -> Option<VType> {
        Some(match (kind, self.types.kind_of(value)) {
            (_, Type::Conflict | Type::Unknown) => return None,
            (Kind::Int, _) => VType::Int,
            (Kind::Long, _) => VType::Long,
            (Kind::Float, _) => VType::Float,
            (Kind::Double, _) => VType::Double,
            (Kind::Ref, Type::Ref(id)) => {
                let name = internal_name(self.table.name(id)).to_vec();
                VType::Object(self.pool.class(&name))
            }
            (Kind::Ref, Type::Uninitialized(THIS)) => VType::UninitializedThis,
            (Kind::Ref, Type::Uninitialized(site)) => VType::Uninitialized(self.site_label(site)),
            (Kind::Ref, _) => VType::Null,
        })
    }

    /// Gives slots their final numbers.
    fn finish(mut self, source: &mut SourceLines<'_>) -> Result<Code, Reason> {
        if self.slots.too_many() {
            return Err(Reason::TooLarge);
        }
        for (start, end, block, catch) in std::mem::take(&mut self.handlers) {
            let handler = match self.stub_of.get(&block) {
                Some(&stub) => stub,
                None => self.label_of(block),
            };
            self.code.tries.push(Try {
                start,
                end,
                handler,
                catch,
            });
        }
        let owners = share::owners(&self.code, &self.frames, &self.slots);
        let (numbers, count) = self.slots.numbered(&owners);
        for insn in &mut self.code.insns {
            match insn {
                Insn::Var(_, slot) | Insn::Iinc(slot, _) => *slot = numbers[usize::from(*slot)],
                _ => {}
            }
        }
        let mut left = MOST_TYPES;
        for frame in std::mem::take(&mut self.frames) {
            let mut locals: Vec<(u16, VType)> = frame
                .locals
                .into_iter()
                .map(|(slot, kind)| (numbers[usize::from(slot)], kind))
                .filter(|local| local.0 != u16::MAX)
                .collect();
            locals.sort_unstable_by_key(|local| local.0);
            let length = locals.last().map_or(0, |local| usize::from(local.0) + 1);
            left = left.checked_sub(length).ok_or(Reason::TooLarge)?;
            let mut whole = Vec::with_capacity(locals.len());
            let mut next = 0;
            for (slot, kind) in locals {
                while next < slot {
                    whole.push(VType::Top);
                    next += 1;
                }
                whole.push(kind);
                next += kind.slots();
            }
            let frame = (
                frame.label,
                Frame {
                    locals: whole,
                    stack: frame.stack,
                },
            );
            self.code.frames.push(frame);
        }
        source.variables(&mut self.code, &self.slots, &numbers);
        self.code.max_locals = count;
        share_frames(&mut self.code);
        Ok(self.code)
    }
}

/// Gives all labels at one place the frame of the last one. Blocks that became empty lie there, which change no
/// variable: what the last one needs holds where the others begin, too, but not the reverse.
fn share_frames(code: &mut Code) {
    let mut of_label = vec![usize::MAX; code.labels as usize];
    for (ix, (label, _)) in code.frames.iter().enumerate() {
        of_label[label.0 as usize] = ix;
    }
    let mut here: Vec<usize> = Vec::new();
    let mut end = |here: &mut Vec<usize>| {
        if let Some((&last, others)) = here.split_last() {
            for &other in others {
                code.frames[other].1 = code.frames[last].1.clone();
            }
        }
        here.clear();
    };
    for insn in &code.insns {
        match insn {
            Insn::Label(label) => {
                let frame = of_label[label.0 as usize];
                if frame != usize::MAX {
                    here.push(frame);
                }
            }
            insn if insn.is_mark() => {}
            _ if here.len() > 1 => end(&mut here),
            _ => here.clear(),
        }
    }
    end(&mut here);
}
