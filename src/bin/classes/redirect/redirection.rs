//! Replaces calls by what the first rule that knows them writes.
//!
//! Sees every call of every body, and adds what the rules write in its place; all else stays as it is. Most classes
//! have nothing to replace: what the rules say about a call is kept by its number in the pool.

use super::call::{Call, Steps};
use super::{Rule, twins, unreachable};
use dex2class::class::code::op;
use dex2class::class::{Class, Code, Idx, Insn, Pool};
use dex2class::hierarchy::Hierarchy;
use dex2class::pass::Pass;

/// Replaces calls; see the module.
#[derive(Debug)]
pub struct CallRedirection {
    rules: &'static [Rule],
    /// Whether methods are looked for in superclasses of the class that a call names.
    inherited: bool,
}

impl CallRedirection {
    /// Replaces what these rules know.
    ///
    /// # Arguments
    /// With `inherited`, calls are also known by the platform's class from which an app's class inherits the method.
    pub fn new(rules: &'static [Rule], inherited: bool) -> Self {
        Self { rules, inherited }
    }
}

impl Pass for CallRedirection {
    fn apply(&self, class: &mut Class, hierarchy: &dyn Hierarchy) {
        let mut decisions = Decisions {
            redirection: self,
            hierarchy,
            known: vec![[UNKNOWN; WAYS]; class.pool.count()],
            templates: Vec::new(),
            names: Vec::new(),
        };
        for method in &mut class.methods {
            if let Some(code) = &mut method.code {
                replace_calls(code, &mut class.pool, &mut decisions);
            }
        }
    }
}

fn replace_calls(code: &mut Code, pool: &mut Pool, decisions: &mut Decisions<'_>) {
    let mut edits = Vec::new();
    for (ix, insn) in code.insns.iter().enumerate() {
        if let Insn::Invoke(opcode, at) = *insn {
            let fresh = opcode == op::INVOKESPECIAL && is_fresh(&code.insns[..ix], at, pool);
            if let Some(template) = decisions.decide(pool, opcode, at, fresh) {
                edits.push((ix, template));
            }
        }
    }
    if edits.is_empty() {
        return;
    }
    let before = std::mem::take(&mut code.insns);
    code.insns.reserve(before.len() + 8 * edits.len());
    let mut ends = false;
    let mut edits = edits.into_iter().peekable();
    for (ix, insn) in before.into_iter().enumerate() {
        match edits.next_if(|edit| edit.0 == ix) {
            None => code.insns.push(insn),
            Some((_, template)) => {
                let template = &decisions.templates[template];
                code.insns.extend_from_slice(template);
                ends |= template.last() == Some(&Insn::Op(op::ATHROW));
            }
        }
    }
    if ends {
        unreachable::remove(code);
    }
}

/// Whether the two instructions before a constructor's call make its object and copy the reference. Constants that are
/// not in the code itself, jumps and marks may stand in between.
fn is_fresh(before: &[Insn], at: Idx, pool: &Pool) -> bool {
    let counts = |insn: &&Insn| match insn {
        Insn::Op(_) | Insn::Type(..) | Insn::Var(..) | Insn::Field(..) | Insn::Invoke(..) => true,
        Insn::Push(value) => (-1..=5).contains(value),
        _ => false,
    };
    let mut before = before.iter().rev().filter(counts);
    if before.next() != Some(&Insn::Op(op::DUP)) {
        return false;
    }
    match before.next() {
        Some(Insn::Type(op::NEW, made)) => pool.class_name(*made) == pool.member(at).0,
        _ => false,
    }
}

/// Not decided yet.
const UNKNOWN: u16 = 0;
/// The call stays. Higher numbers are those of templates, beginning at the next.
const KEPT: u16 = 1;
/// The ways to call a method: four instructions, and the constructor of a fresh object.
const WAYS: usize = 5;

/// What the rules have said about the calls of a class.
struct Decisions<'a> {
    redirection: &'a CallRedirection,
    hierarchy: &'a dyn Hierarchy,
    /// By number in the pool and way of the call.
    known: Vec<[u16; WAYS]>,
    templates: Vec<Vec<Insn>>,
    /// Owner, name and descriptor of a call, while the rules change the pool.
    names: Vec<u8>,
}

impl Decisions<'_> {
    /// The template that takes the place of a call; none if it stays.
    fn decide(&mut self, pool: &mut Pool, opcode: u8, at: Idx, fresh: bool) -> Option<usize> {
        let way = match opcode {
            op::INVOKESPECIAL if fresh => 4,
            op::INVOKEVIRTUAL..=op::INVOKEINTERFACE => usize::from(opcode - op::INVOKEVIRTUAL),
            _ => return None,
        };
        let known = self.known.get(usize::from(at))?[way];
        let decided = match known {
            UNKNOWN => {
                let decided = match self.ask(pool, opcode, at, fresh) {
                    Some(template) => {
                        self.templates.push(template);
                        u16::try_from(self.templates.len()).map_or(KEPT, |count| KEPT + count)
                    }
                    None => KEPT,
                };
                self.known[usize::from(at)][way] = decided;
                decided
            }
            known => known,
        };
        (decided != KEPT).then(|| usize::from(decided - KEPT) - 1)
    }

    fn ask(&mut self, pool: &mut Pool, opcode: u8, at: Idx, fresh: bool) -> Option<Vec<Insn>> {
        let (named, name, descriptor, interface) = pool.member(at);
        let owner = match self.redirection.inherited {
            true => holder(named, name, descriptor, self.hierarchy),
            false => named,
        };
        let (first, second) = (owner.len(), owner.len() + name.len());
        self.names.clear();
        for part in [owner, name, descriptor] {
            self.names.extend_from_slice(part);
        }
        let call = Call {
            opcode,
            owner: &self.names[..first],
            name: &self.names[first..second],
            descriptor: &self.names[second..],
            interface,
            fresh,
        };
        let mut steps = Steps::new(pool, opcode, at);
        let mut rules = self.redirection.rules.iter();
        rules
            .any(|rule| rule(&call, &mut steps))
            .then(|| steps.into_insns())
    }
}

/// The platform's class whose method a call names. Where a call has no object before it, Java's compiler names the class
/// around it, which may inherit the method: `sleep(100)` in a thread's class.
fn holder<'a>(
    named: &'a [u8],
    name: &[u8],
    descriptor: &[u8],
    hierarchy: &'a dyn Hierarchy,
) -> &'a [u8] {
    if named.starts_with(b"java/") || named.starts_with(b"[") || !twins::may_be_inherited(name) {
        return named;
    }
    match hierarchy.declaring(named, name, descriptor) {
        Some(declaring) if !declaring.own => declaring.name,
        _ => named,
    }
}
