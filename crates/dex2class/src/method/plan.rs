//! Which values live in local variables, and which stay on the operand stack.

use super::Scope;
use super::instruction::{Ins, Op};
use super::kinds::{Kind, Want};
use super::type_table::{Type, TypeTable};
use super::types::Types;
use super::values::{Origin, UNDEFINED, ValueId, Values};
use super::wants::Wants;

/// The place of each value.
pub struct Plan {
    /// Kinds of local variables that a value is stored to, as bits; a constant of several kinds is stored to several.
    pub stored: Vec<u8>,
    /// Whether a value stays on the stack until its one use.
    pub on_stack: Vec<bool>,
    /// Whether a copy may be replaced by what it was copied from.
    pub aliased: Vec<bool>,
    /// Objects that stay on the stack from `new` to their constructor: instruction of `new` to that of the call.
    pub built_on_stack: Vec<(u32, u32)>,
    /// Whether a value belongs to a variable of the source, where a debugger looks for it.
    named: Vec<bool>,
}

impl Plan {
    /// Decides for all values. `named` gives the kind of the source's variable that a definition belongs to.
    pub fn of(
        scope: &Scope<'_, '_>,
        values: &Values,
        types: &Types,
        table: &TypeTable,
        wants: &Wants<'_>,
        named: &dyn Fn(u32, u16) -> Option<Kind>,
    ) -> Self {
        let count = values.all.len();
        let mut stored = vec![0_u8; count];
        let mut named_values = vec![false; count];
        for (id, value) in (0_u32..).zip(&values.all) {
            if types.constant(id).is_none() {
                stored[id as usize] = types.kind_of(id).kind().map_or(0, Kind::bit);
            }
            if let Origin::Instruction(ix) = value.origin
                && let Some(kind) = named(ix, value.register)
                && types.kind_of(id).possible() & kind.bit() != 0
            {
                named_values[id as usize] = true;
                stored[id as usize] |= kind.bit();
            }
        }
        for block in &scope.flow.blocks {
            for ix in block.first..block.last {
                let ins = &scope.body.ins[ix as usize];
                for (offset, &want) in wants.wanted_by(ins).iter().enumerate() {
                    let value = values.of_use[ins.uses.0 as usize + offset];
                    if value != UNDEFINED
                        && types.constant(value).is_none()
                        && types.kind_of(value).kind().is_none()
                        && want != Want::Same
                    {
                        let kind = scope.kind_wanted(ins, want, offset, values, types, table);
                        stored[value as usize] |= kind.bit();
                    }
                }
            }
        }
        spread(values, types, &mut stored);
        let mut plan = Self {
            stored,
            on_stack: vec![false; count],
            aliased: vec![false; count],
            built_on_stack: Vec::new(),
            named: named_values,
        };
        for (id, value) in (0_u32..).zip(&values.all) {
            let Origin::Instruction(ix) = value.origin else {
                continue;
            };
            let local = !value.crosses
                && !plan.named[id as usize]
                && !flows_on(values, id)
                && types.constant(id).is_none()
                && !matches!(types.kind_of(id), Type::Uninitialized(_) | Type::Conflict);
            let ins = &scope.body.ins[ix as usize];
            let initialized = scope.uninit.calls.contains_key(&ix);
            plan.on_stack[id as usize] = local && value.uses == 1 && !initialized;
            plan.aliased[id as usize] = local && matches!(ins.op, Op::Move(_));
        }
        plan.objects(scope, values);
        plan
    }

    /// Finds objects that can stay on the stack from `new` to the call of their constructor.
    fn objects(&mut self, scope: &Scope<'_, '_>, values: &Values) {
        let calls = &scope.uninit.calls;
        let mut sites: Vec<(u32, u32)> = calls.iter().map(|(&ix, call)| (call.site, ix)).collect();
        sites.sort_unstable();
        for pair in sites.chunk_by(|one, other| one.0 == other.0) {
            let [(site, call)] = *pair else { continue };
            let Some(made) = scope.body.ins.get(site as usize) else {
                continue;
            };
            let (Some(raw), Some(built)) = (
                values.defined(site, made.dst),
                values.defined(call, made.dst),
            ) else {
                continue;
            };
            let value = &values.all[raw as usize];
            let simple = value.uses == 1
                && !value.crosses
                && !flows_on(values, raw)
                && calls[&call].registers.len() == 1
                && values.all[built as usize].head == value.head
                && site < call;
            if simple {
                self.built_on_stack.push((site, call));
                let value = &values.all[built as usize];
                self.on_stack[built as usize] = value.uses == 1
                    && !value.crosses
                    && !self.named[built as usize]
                    && !flows_on(values, built);
            }
        }
        self.built_on_stack.sort_unstable();
    }

    /// Whether a value belongs to a variable of the source.
    pub fn is_named(&self, value: ValueId) -> bool {
        self.named[value as usize]
    }

    /// The call of the constructor of an object that stays on the stack, by its `new`.
    pub fn constructor_of(&self, site: u32) -> Option<u32> {
        let at = self
            .built_on_stack
            .binary_search_by_key(&site, |pair| pair.0);
        at.ok().map(|at| self.built_on_stack[at].1)
    }
}

/// Whether a value flows into an entry value: handlers and other blocks look for it in a local variable.
pub fn flows_on(values: &Values, id: ValueId) -> bool {
    let into = values.flows.of(id).iter();
    into.copied()
        .any(|to| matches!(values.all[to as usize].origin, Origin::Entry(_)))
}

/// Where a value that may have several kinds flows into a stored one, it is stored to the same kinds.
fn spread(values: &Values, types: &Types, stored: &mut [u8]) {
    let mut open: Vec<ValueId> = (0_u32..)
        .zip(&*stored)
        .filter(|(_, kinds)| **kinds != 0)
        .map(|(id, _)| id)
        .collect();
    while let Some(id) = open.pop() {
        let kinds = stored[id as usize];
        for &from in values.sources.of(id) {
            // A copy of a constant is made from the constant itself.
            let copy = matches!(values.all[id as usize].origin, Origin::Instruction(_));
            if copy && types.constant(from).is_some() {
                continue;
            }
            let wanted = kinds & types.kind_of(from).possible();
            if wanted & !stored[from as usize] != 0 {
                stored[from as usize] |= wanted;
                open.push(from);
            }
        }
    }
}

impl Scope<'_, '_> {
    /// The kind as which an instruction uses an operand.
    pub(super) fn kind_wanted(
        &self,
        ins: &Ins,
        want: Want<'_>,
        offset: usize,
        values: &Values,
        types: &Types,
        table: &TypeTable,
    ) -> Kind {
        let operand = |at: usize| types.kind_of(values.of_use[ins.uses.0 as usize + at]);
        let element = || match operand(0) {
            Type::Ref(id) => table.name(id).get(1).copied(),
            _ => None,
        };
        let own = operand(offset).kind();
        match want {
            Want::Kind(kind) => kind,
            Want::Type(_) | Want::Array(_) | Want::Uninitialized => Kind::Ref,
            Want::Same => own.unwrap_or(Kind::Int),
            Want::IntOrRef => {
                let all = usize::from(ins.uses.1);
                let reference = (0..all).any(|at| operand(at).kind() == Some(Kind::Ref));
                if reference { Kind::Ref } else { Kind::Int }
            }
            Want::Element => match element() {
                Some(b'F') => Kind::Float,
                Some(b'I') => Kind::Int,
                _ => own.filter(|kind| *kind == Kind::Float).unwrap_or(Kind::Int),
            },
            Want::WideElement => match element() {
                Some(b'D') => Kind::Double,
                Some(b'J') => Kind::Long,
                _ => own
                    .filter(|kind| *kind == Kind::Double)
                    .unwrap_or(Kind::Long),
            },
        }
    }
}
