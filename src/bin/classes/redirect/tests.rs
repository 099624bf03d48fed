//! Small classes before and after the passes.

use super::{Calls, passes, set_source_file};
use dex2class::class::code::op;
use dex2class::class::{
    Attribute, Bootstrap, Class, Code, Entry, Field, Frame, Idx, Insn, Label, Method, Pool, Try,
    access,
};
use dex2class::hierarchy::{ClassInfo, Hierarchy};

mod bodies;
mod calls;
mod handles;
mod locales;

/// `app/Worker extends Thread` and `app/Failure extends Exception`, and the platform's classes above them.
struct Platform;

impl Hierarchy for Platform {
    fn class(&self, name: &[u8]) -> Option<ClassInfo<'_>> {
        let (name, parent): (&[u8], &[u8]) = match name {
            b"app/Worker" => (b"app/Worker", b"java/lang/Thread"),
            b"app/Failure" => (b"app/Failure", b"java/lang/Throwable"),
            b"java/lang/Thread" => (b"java/lang/Thread", b"java/lang/Object"),
            b"java/lang/Throwable" => (b"java/lang/Throwable", b"java/lang/Object"),
            b"java/lang/Object" => (b"java/lang/Object", b""),
            _ => return None,
        };
        Some(ClassInfo {
            name,
            access: access::PUBLIC,
            parent: Some(parent).filter(|parent| !parent.is_empty()),
            interfaces: Vec::new(),
            own: name.starts_with(b"app/"),
        })
    }

    fn method(&self, class: &[u8], name: &[u8], _: &[u8]) -> Option<u16> {
        let declared: &[&[u8]] = match class {
            b"java/lang/Thread" => &[b"sleep", b"yield", b"getStackTrace"],
            b"java/lang/Throwable" => &[b"getStackTrace", b"printStackTrace"],
            _ => &[],
        };
        declared.contains(&name).then_some(access::PUBLIC)
    }
}

/// A class `app/Main` with one static method without parameters.
fn class_with(body: impl FnOnce(&mut Pool) -> Vec<Insn>) -> Class {
    let mut pool = Pool::default();
    let this = pool.class(b"app/Main");
    let parent = pool.class(b"java/lang/Object");
    let insns = body(&mut pool);
    let is_label = |insn: &&Insn| matches!(insn, Insn::Label(_));
    let labels = insns.iter().filter(is_label).count();
    let method = Method {
        access: access::STATIC,
        name: pool.utf8(b"main"),
        descriptor: pool.utf8(b"()V"),
        code: Some(Code {
            insns,
            labels: u32::try_from(labels).unwrap(),
            ..Code::default()
        }),
        attributes: Vec::new(),
    };
    Class {
        pool,
        major: 52,
        access: access::PUBLIC,
        this,
        parent,
        interfaces: Vec::new(),
        fields: Vec::new(),
        methods: vec![method],
        attributes: Vec::new(),
        bootstraps: Vec::new(),
    }
}

fn code(class: &mut Class) -> &mut Code {
    class.methods[0].code.as_mut().unwrap()
}

fn apply(class: &mut Class, calls: Calls) {
    for pass in passes(calls) {
        pass.apply(class, &Platform);
    }
}

/// The first method's instructions as text; `box/` is the agent's package.
fn listing(class: &Class) -> Vec<String> {
    let code = class.methods[0].code.as_ref().unwrap();
    let pool = &class.pool;
    code.insns.iter().map(|insn| text(pool, insn)).collect()
}

fn text(pool: &Pool, insn: &Insn) -> String {
    let member = |at: Idx| {
        let (owner, name, descriptor, interface) = pool.member(at);
        let [owner, name, descriptor] = [owner, name, descriptor].map(String::from_utf8_lossy);
        let owner = owner.replace("droidtest/host/box/", "box/");
        let mark = if interface { "!" } else { "" };
        format!("{owner}{mark}.{name}{descriptor}")
    };
    let class = |at: Idx| String::from_utf8_lossy(pool.class_name(at)).into_owned();
    match insn {
        Insn::Op(op::POP) => "pop".into(),
        Insn::Op(op::POP2) => "pop2".into(),
        Insn::Op(op::DUP) => "dup".into(),
        Insn::Op(op::DUP_X2) => "dup_x2".into(),
        Insn::Op(op::DUP2_X1) => "dup2_x1".into(),
        Insn::Op(op::SWAP) => "swap".into(),
        Insn::Op(op::ATHROW) => "athrow".into(),
        Insn::Op(op::RETURN) => "return".into(),
        Insn::Op(other) => format!("op {other}"),
        Insn::Type(op::CHECKCAST, at) => format!("cast {}", class(*at)),
        Insn::Type(op::NEW, at) => format!("new {}", class(*at)),
        Insn::Field(_, at) => format!("field {}", member(*at)),
        Insn::Invoke(op::INVOKEVIRTUAL, at) => format!("virtual {}", member(*at)),
        Insn::Invoke(op::INVOKESPECIAL, at) => format!("special {}", member(*at)),
        Insn::Invoke(op::INVOKESTATIC, at) => format!("static {}", member(*at)),
        Insn::Invoke(op::INVOKEINTERFACE, at) => format!("interface {}", member(*at)),
        Insn::Label(label) => format!("L{}", label.0),
        other => format!("{other:?}"),
    }
}

/// A call as `static java/lang/Math.random()D` is read: the instruction, the member.
fn call(pool: &mut Pool, text: &str) -> Insn {
    let (instruction, member) = text.split_once(' ').unwrap();
    let (method, descriptor) = member.split_at(member.find('(').unwrap());
    let (owner, name) = method.rsplit_once('.').unwrap();
    let opcode = match instruction {
        "virtual" => op::INVOKEVIRTUAL,
        "special" => op::INVOKESPECIAL,
        "static" => op::INVOKESTATIC,
        "interface" => op::INVOKEINTERFACE,
        other => panic!("no instruction {other}"),
    };
    let interface = owner.ends_with('!');
    let owner = owner.trim_end_matches('!');
    let at = pool.method(
        owner.as_bytes(),
        name.as_bytes(),
        descriptor.as_bytes(),
        interface,
    );
    Insn::Invoke(opcode, at)
}
