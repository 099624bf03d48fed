//! Lines and variables of the source, from a method's debug information.

use super::Reason;
use super::decode::Body;
use super::emit::Emitter;
use super::instruction::NONE;
use super::kinds::Kind;
use super::slots::Slots;
use crate::class::{Code, Idx, Insn, Label, LocalVariable};
use crate::dex::{CodeItem, DebugEvent};
use rustc_hash::FxHashMap;

/// Units of code beyond which variables are left out: each has its own local variable, which takes code, and a method near
/// the limit of 64 KB has none to spare.
const LARGEST_WITH_VARIABLES: usize = 10_000;
/// Events for each code unit, and for any method, at most. A byte of the file can be an event, and the information may
/// go on to the end of the file.
const MOST_EVENTS: (usize, usize) = (4, 4096);
/// Bytes of an event with what stands before it, at most: opcodes that move on, and numbers of five bytes.
const MOST_BYTES: usize = 32;

#[derive(Clone, Copy)]
struct Variable<'a> {
    register: u16,
    name: &'a [u8],
    kind: &'a [u8],
    signature: Option<&'a [u8]>,
}

struct Closed {
    register: u16,
    kind: Kind,
    start: Label,
    end: Label,
    name: Idx,
    descriptor: Idx,
    signature: Idx,
}

/// Debug information, followed while the method is written.
#[derive(Default)]
pub struct SourceLines<'a> {
    events: Vec<DebugEvent<'a>>,
    next: usize,
    /// Variables that registers hold from the beginning.
    parameters: Vec<Variable<'a>>,
    open: Vec<(Variable<'a>, Label)>,
    last: FxHashMap<u16, Variable<'a>>,
    closed: Vec<Closed>,
}

impl<'a> SourceLines<'a> {
    /// Reads the debug information of a method, if it has any. `parameters` are registers and descriptors, `this` first if
    /// the method has one.
    pub fn read(
        scope: &crate::dex::Dex<'a>,
        code: &CodeItem<'a>,
        parameters: &[(u16, &'a [u8])],
        is_static: bool,
    ) -> Self {
        let mut found = Self::default();
        if code.debug_off == 0 {
            return found;
        }
        let Ok(debug) = scope.debug(code.debug_off) else {
            return found;
        };
        let most = code.insns.len() * MOST_EVENTS.0 + MOST_EVENTS.1;
        let inside = |event: &DebugEvent<'_>| address(event) as usize <= code.insns.len();
        let with_variables = code.insns.len() <= LARGEST_WITH_VARIABLES;
        found.events.reserve(code.insns.len() / 4);
        let events = debug.events.within(most * MOST_BYTES);
        let events = events.take_while(inside).take(most);
        found.events.extend(
            events.filter(|event| with_variables || matches!(event, DebugEvent::Line { .. })),
        );
        if !with_variables {
            return found;
        }
        let own = usize::from(!is_static);
        for (name, &(register, kind)) in debug.parameters.zip(&parameters[own..]) {
            if let Some(name) = name.filter(|name| is_name(name)) {
                found.parameters.push(Variable {
                    register,
                    name,
                    kind,
                    signature: None,
                });
            }
        }
        let has_variables = found
            .events
            .iter()
            .any(|event| matches!(event, DebugEvent::StartLocal { .. }));
        if (has_variables || !found.parameters.is_empty()) && !is_static {
            let (register, kind) = parameters[0];
            found.parameters.push(Variable {
                register,
                name: b"this",
                kind,
                signature: None,
            });
        }
        found
    }

    /// For each instruction whose result a variable of the source holds: the variable's kind.
    pub fn named(&self, body: &Body<'_>) -> FxHashMap<u32, Kind> {
        let mut named = FxHashMap::default();
        let mut held: FxHashMap<u32, Option<Kind>> = FxHashMap::default();
        let mut last: FxHashMap<u32, Option<Kind>> = FxHashMap::default();
        for variable in &self.parameters {
            let kind = Some(Kind::of(variable.kind));
            held.insert(variable.register.into(), kind);
            last.insert(variable.register.into(), kind);
        }
        let mut events = self.events.iter().peekable();
        for (ix, ins) in (0_u32..).zip(&body.ins) {
            while let Some(event) = events.next_if(|event| address(event) <= ins.end) {
                match *event {
                    DebugEvent::StartLocal { register, kind, .. } => {
                        let kind = kind.map(Kind::of);
                        held.insert(register, kind);
                        last.insert(register, kind);
                    }
                    DebugEvent::EndLocal { register, .. } => {
                        held.remove(&register);
                    }
                    DebugEvent::RestartLocal { register, .. } => {
                        held.insert(register, last.get(&register).copied().flatten());
                    }
                    _ => {}
                }
            }
            if ins.dst != NONE
                && let Some(&Some(kind)) = held.get(&u32::from(ins.dst))
            {
                named.insert(ix, kind);
            }
        }
        named
    }

    /// The writing has come to the instruction at this address.
    pub(super) fn reach(
        &mut self,
        at: u32,
        emitter: &mut Emitter<'_, '_, '_>,
    ) -> Result<(), Reason> {
        for variable in std::mem::take(&mut self.parameters) {
            self.start(variable, emitter);
        }
        while let Some(event) = self.events.get(self.next).filter(|e| address(e) <= at) {
            self.next += 1;
            match *event {
                DebugEvent::Line { line, .. } => {
                    if let Ok(line) = u16::try_from(line) {
                        emitter.code.insns.push(Insn::Line(line));
                    }
                }
                DebugEvent::StartLocal {
                    register,
                    name: Some(name),
                    kind: Some(kind),
                    signature,
                    ..
                } if is_name(name) => {
                    let register = u16::try_from(register).map_err(|_| Reason::BadRegister)?;
                    let variable = Variable {
                        register,
                        name,
                        kind,
                        signature,
                    };
                    self.start(variable, emitter);
                }
                DebugEvent::StartLocal { register, .. } | DebugEvent::EndLocal { register, .. } => {
                    if let Ok(register) = u16::try_from(register) {
                        self.end(register, emitter);
                    }
                }
                DebugEvent::RestartLocal { register, .. } => {
                    let register = u16::try_from(register).unwrap_or(NONE);
                    if let Some(&variable) = self.last.get(&register) {
                        self.start(variable, emitter);
                    }
                }
                DebugEvent::SetFile { .. } => {}
            }
        }
        Ok(())
    }

    fn start(&mut self, variable: Variable<'a>, emitter: &mut Emitter<'_, '_, '_>) {
        self.end(variable.register, emitter);
        self.last.insert(variable.register, variable);
        let label = emitter.mark();
        self.open.push((variable, label));
    }

    fn end(&mut self, register: u16, emitter: &mut Emitter<'_, '_, '_>) {
        let Some(at) = self.open.iter().position(|o| o.0.register == register) else {
            return;
        };
        let (variable, start) = self.open.swap_remove(at);
        let end = emitter.mark();
        let signature = variable
            .signature
            .map_or(0, |signature| emitter.pool.utf8(signature));
        self.closed.push(Closed {
            register,
            kind: Kind::of(variable.kind),
            start,
            end,
            name: emitter.pool.utf8(variable.name),
            descriptor: emitter.pool.utf8(variable.kind),
            signature,
        });
    }

    /// Whether no line of the source is known: then traces show the addresses of instructions.
    pub fn is_empty(&self) -> bool {
        let is_line = |event: &DebugEvent<'_>| matches!(event, DebugEvent::Line { .. });
        !self.events.iter().any(is_line)
    }

    /// All blocks are written.
    pub(super) fn finish(&mut self, emitter: &mut Emitter<'_, '_, '_>) {
        while let Some(&(variable, _)) = self.open.first() {
            self.end(variable.register, emitter);
        }
    }

    /// Adds the variables to the code, with the final numbers of slots.
    pub fn variables(&mut self, code: &mut Code, slots: &Slots, numbers: &[u16]) {
        for closed in self.closed.drain(..) {
            let slot = slots.known(closed.register, closed.kind);
            let slot = slot.map_or(u16::MAX, |slot| numbers[usize::from(slot)]);
            if slot != u16::MAX {
                code.locals.push(LocalVariable {
                    start: closed.start,
                    end: closed.end,
                    name: closed.name,
                    descriptor: closed.descriptor,
                    signature: closed.signature,
                    slot,
                });
            }
        }
    }
}

fn address(event: &DebugEvent<'_>) -> u32 {
    match *event {
        DebugEvent::Line { addr, .. }
        | DebugEvent::StartLocal { addr, .. }
        | DebugEvent::EndLocal { addr, .. }
        | DebugEvent::RestartLocal { addr, .. }
        | DebugEvent::SetFile { addr, .. } => addr,
    }
}

fn is_name(name: &[u8]) -> bool {
    !name.is_empty() && !name.iter().any(|byte| b".;[/".contains(byte))
}
