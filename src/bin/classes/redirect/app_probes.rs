//! Puts the probes that a debug build brings along to rest, so that ours can be added.
//!
//! Sees members named as JaCoCo names its own, which it renames with their uses, and calls of JaCoCo's offline agent, which
//! would open files and connections: they get an array from the agent's `Probes` that nobody reads.

use dex2class::class::{Class, Entry, Idx, Insn, Pool};
use dex2class::hierarchy::Hierarchy;
use dex2class::pass::Pass;
use rustc_hash::FxHashMap;

/// Names of JaCoCo's members, and the new ones.
const RENAMED: &[(&[u8], &[u8])] = &[
    (b"$jacocoInit", b"$oldjacocoInit"),
    (b"$jacocoData", b"$oldjacocoData"),
];
/// JaCoCo's offline agent: its class begins and ends like this.
const AGENT: (&[u8], &[u8]) = (b"org/jacoco/agent/rt/", b"/Offline");
const GET_PROBES: &[u8] = b"getProbes";

/// Puts an app's own probes to rest; see the module.
#[derive(Debug)]
pub struct AppProbes;

impl Pass for AppProbes {
    fn apply(&self, class: &mut Class, _: &dyn Hierarchy) {
        if !has_probes(&class.pool) {
            return;
        }
        for field in &mut class.fields {
            rename(&mut class.pool, &mut field.name);
        }
        for method in &mut class.methods {
            rename(&mut class.pool, &mut method.name);
        }
        let members = replaced_members(&mut class.pool);
        for code in class
            .methods
            .iter_mut()
            .filter_map(|method| method.code.as_mut())
        {
            for insn in &mut code.insns {
                if let Insn::Field(_, at) | Insn::Invoke(_, at) = insn {
                    *at = members.get(at).copied().unwrap_or(*at);
                }
            }
        }
    }
}

/// Whether anything in the class has one of the names.
fn has_probes(pool: &Pool) -> bool {
    numbers(pool).any(|at| {
        let text = pool.text(at);
        text == GET_PROBES || new_name(text).is_some()
    })
}

fn numbers(pool: &Pool) -> impl Iterator<Item = Idx> + use<> {
    1..u16::try_from(pool.count()).unwrap_or(u16::MAX)
}

fn new_name(name: &[u8]) -> Option<&'static [u8]> {
    let found = RENAMED.iter().find(|renamed| renamed.0 == name);
    found.map(|renamed| renamed.1)
}

fn rename(pool: &mut Pool, name: &mut Idx) {
    if let Some(new) = new_name(pool.text(*name)) {
        *name = pool.utf8(new);
    }
}

/// Numbers of members in instructions, and those of what takes their place.
fn replaced_members(pool: &mut Pool) -> FxHashMap<Idx, Idx> {
    let mut all = FxHashMap::default();
    for at in numbers(pool) {
        let (owner, name, descriptor, interface) = pool.member(at);
        let is_method = matches!(pool.get(at), Entry::Method(..));
        let is_agent = is_method
            && name == GET_PROBES
            && owner.starts_with(AGENT.0)
            && owner.ends_with(AGENT.1);
        let (owner, name) = match new_name(name) {
            _ if is_agent => (b"droidtest/host/Probes".to_vec(), &b"ignored"[..]),
            Some(name) => (owner.to_vec(), name),
            None => continue,
        };
        let descriptor = descriptor.to_vec();
        let new = match is_method {
            true => pool.method(&owner, name, &descriptor, interface),
            false => pool.field(&owner, name, &descriptor),
        };
        all.insert(at, new);
    }
    all
}
