//! Constructor calls that a dex file may make and a class file may not.
//!
//! R8 inlines constructors: an object of class T is then made by calling the constructor of a superclass R, past the
//! constructors in between. The JVM wants a call of T's constructor, so each class from T up to below R gets a
//! bridge, a constructor with one more parameter, always null, that leads to R's. The parameter's type, an array of
//! arrays of arrays of R, makes its descriptor unique without a new class.

use crate::class::{Class, Code, Insn, Method, access, op};
use crate::hierarchy::Hierarchy;

use super::kinds::Kind;

/// The line number of bridges, which no source file reaches: stack traces leave such frames out.
pub const BRIDGE_LINE: u16 = 65_535;

/// What a constructor call must name in a class file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Target {
    /// The class.
    pub owner: Vec<u8>,
    /// The class whose constructor is called in the end, by bridges.
    pub bridge: Option<Vec<u8>>,
}

/// Where a call leads: in class `own`, of the constructor that `named` is said to have, on an object of class `made` or
/// on `this`. All are names as in class files.
pub fn target(
    hierarchy: &dyn Hierarchy,
    own: &[u8],
    made: Option<&[u8]>,
    named: &[u8],
    descriptor: &[u8],
) -> Target {
    let unchanged = Target {
        owner: named.to_vec(),
        bridge: None,
    };
    // The call is as a compiler writes it.
    if made == Some(named) && hierarchy.method(named, b"<init>", descriptor).is_some() {
        return unchanged;
    }
    let Some(declares) = hierarchy.declaring(named, b"<init>", descriptor) else {
        return unchanged;
    };
    let from = match made {
        Some(made) => made.to_vec(),
        None if declares.name == own => own.to_vec(),
        None => match hierarchy.class(own).and_then(|info| info.parent) {
            Some(parent) => parent.to_vec(),
            None => own.to_vec(),
        },
    };
    if declares.name == &from[..] {
        return Target {
            owner: from,
            bridge: None,
        };
    }
    if between(hierarchy, &from, declares.name).is_none() {
        // No bridge can be: an object of an interface, which fails as it is made. The verifier wants its own constructor.
        return Target {
            owner: from,
            bridge: None,
        };
    }
    Target {
        owner: from,
        bridge: Some(declares.name.to_vec()),
    }
}

/// The classes from `from` up to below `to`, all of them the app's; none if it is not so.
pub fn between(hierarchy: &dyn Hierarchy, from: &[u8], to: &[u8]) -> Option<Vec<Vec<u8>>> {
    let mut all = Vec::new();
    let mut at = from.to_vec();
    while at != to {
        // An interface has no constructors; to make an object of it fails when it is tried.
        let info = hierarchy
            .class(&at)
            .filter(|info| info.own && !info.is_interface())?;
        let parent = info.parent?.to_vec();
        all.push(at);
        at = parent;
        if all.len() > 1_000 {
            return None;
        }
    }
    Some(all)
}

/// The descriptor of a bridge to a constructor of class `root`.
pub fn bridged(descriptor: &[u8], root: &[u8]) -> Vec<u8> {
    let mut longer = descriptor[..descriptor.len().saturating_sub(2)].to_vec();
    longer.extend_from_slice(b"[[[L");
    longer.extend_from_slice(root);
    longer.extend_from_slice(b";)V");
    longer
}

/// Adds a bridge to a class: from the constructor with this descriptor and one more parameter to that of `root`.
pub fn add(class: &mut Class, descriptor: &[u8], root: &[u8]) {
    let Some(parent) = class.parent_name().map(<[u8]>::to_vec) else {
        return;
    };
    let longer = bridged(descriptor, root);
    let mut code = Code::default();
    code.insns.push(Insn::Line(BRIDGE_LINE));
    code.insns.push(Insn::Var(op::ALOAD, 0));
    let mut slot = 1;
    for kind in parameters(descriptor) {
        code.insns.push(Insn::Var(kind.load(), slot));
        slot += kind.slots();
    }
    let last = parent == root;
    if !last {
        code.insns.push(Insn::Op(op::ACONST_NULL));
    }
    let shape = if last { descriptor } else { &longer };
    let called = class.pool.method(&parent, b"<init>", shape, false);
    code.insns.push(Insn::Invoke(op::INVOKESPECIAL, called));
    code.insns.push(Insn::Op(op::RETURN));
    code.max_locals = slot + 1;
    let name = class.pool.utf8(b"<init>");
    let descriptor = class.pool.utf8(&longer);
    class.methods.push(Method {
        access: access::PUBLIC | access::SYNTHETIC,
        name,
        descriptor,
        code: Some(code),
        attributes: Vec::new(),
    });
}

/// Kinds of a descriptor's parameters.
pub fn parameters(descriptor: &[u8]) -> Vec<Kind> {
    let mut kinds = Vec::new();
    let mut rest = descriptor.strip_prefix(b"(").unwrap_or_default();
    while let Some(&first) = rest.first() {
        if first == b')' {
            break;
        }
        kinds.push(Kind::of(rest));
        let dimensions = rest.iter().take_while(|&&b| b == b'[').count();
        let end = match rest.get(dimensions) {
            Some(b'L') => rest
                .iter()
                .position(|&b| b == b';')
                .map_or(rest.len(), |at| at + 1),
            _ => dimensions + 1,
        };
        rest = rest.get(end..).unwrap_or_default();
    }
    kinds
}
