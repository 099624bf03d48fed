//! Bodies are written as text: an instruction or a mark each word or two, `try from to handler` for a handler. What comes
//! out is listed in the same form, with `probe N` for the four instructions of a probe.

use super::*;
use crate::class::{Label, Pool, Try};

mod members;
mod numbers;

const ACCESSOR: Accessor = Accessor {
    owner: b"a/Probes",
    name: b"of",
};

fn class(flags: u16) -> Class {
    let mut pool = Pool::default();
    Class {
        major: 52,
        access: flags,
        this: pool.class(b"a/A"),
        parent: pool.class(b"java/lang/Object"),
        interfaces: Vec::new(),
        fields: Vec::new(),
        methods: Vec::new(),
        attributes: Vec::new(),
        bootstraps: Vec::new(),
        pool,
    }
}

fn add(class: &mut Class, flags: u16, name: &str, descriptor: &str, code: Option<Code>) {
    class.methods.push(Method {
        access: flags,
        name: class.pool.utf8(name.as_bytes()),
        descriptor: class.pool.utf8(descriptor.as_bytes()),
        code,
        attributes: Vec::new(),
    });
}

fn label(word: &str) -> Label {
    Label(word[1..].parse().unwrap())
}

/// The body that a text describes; each label has a frame without variables.
fn body(text: &str) -> Code {
    let mut code = Code::default();
    for line in text.split(';') {
        let words: Vec<&str> = line.split_whitespace().collect();
        let insn = match words[..] {
            ["line", line] => Insn::Line(line.parse().unwrap()),
            ["call"] => Insn::Invoke(op::INVOKESTATIC, 1),
            ["if", to] => Insn::Jump(op::IFEQ, label(to)),
            ["goto", to] => Insn::Jump(op::GOTO, label(to)),
            ["switch", default, ref to @ ..] => {
                let to = to.iter().map(|to| label(to)).collect();
                Insn::Table(Box::new((0, label(default), to)))
            }
            ["lookup", default, ref to @ ..] => {
                let to = (0..).zip(to.iter().map(|to| label(to))).collect();
                Insn::Lookup(Box::new((label(default), to)))
            }
            ["return"] => Insn::Op(op::RETURN),
            ["throw"] => Insn::Op(op::ATHROW),
            ["nop"] => Insn::Op(op::NOP),
            ["iload", slot] => Insn::Var(op::ILOAD, slot.parse().unwrap()),
            ["lstore", slot] => Insn::Var(op::LSTORE, slot.parse().unwrap()),
            ["iinc", slot] => Insn::Iinc(slot.parse().unwrap(), 1),
            ["try", start, end, handler] => {
                code.tries.push(Try {
                    start: label(start),
                    end: label(end),
                    handler: label(handler),
                    catch: 0,
                });
                continue;
            }
            [mark] => {
                let label = label(mark.strip_suffix(':').unwrap());
                code.labels = code.labels.max(label.0 + 1);
                code.frames.push((label, Frame::default()));
                Insn::Label(label)
            }
            _ => panic!("{line}"),
        };
        code.insns.push(insn);
    }
    code
}

fn listing(code: &Code, pool: &Pool) -> String {
    let mut words = Vec::new();
    let mut insns = &code.insns[..];
    while let [first, rest @ ..] = insns {
        insns = rest;
        words.push(match first {
            Insn::Var(op::ALOAD, _) => {
                let [
                    Insn::Push(probe),
                    Insn::Push(1),
                    Insn::Op(op::BASTORE),
                    after @ ..,
                ] = rest
                else {
                    panic!("{rest:?}");
                };
                insns = after;
                format!("probe {probe}")
            }
            Insn::Var(op::ASTORE, slot) => format!("astore {slot}"),
            Insn::Var(op::ILOAD, slot) => format!("iload {slot}"),
            Insn::Var(op::LSTORE, slot) => format!("lstore {slot}"),
            Insn::Iinc(slot, _) => format!("iinc {slot}"),
            Insn::Label(label) => format!("L{}:", label.0),
            Insn::Line(line) => format!("line {line}"),
            Insn::Invoke(_, 1) => "call".into(),
            Insn::Invoke(_, ix) => String::from_utf8_lossy(pool.member(*ix).1).into(),
            Insn::Field(op::GETSTATIC, _) => "get".into(),
            Insn::Field(op::PUTSTATIC, _) => "put".into(),
            Insn::Const(ix) => match pool.get(*ix) {
                Entry::Long(id) => format!("id {id}"),
                Entry::String(text) => String::from_utf8_lossy(pool.text(text)).into(),
                other => panic!("{other:?}"),
            },
            Insn::Push(value) => format!("push {value}"),
            Insn::Jump(op::IFEQ, to) => format!("if L{}", to.0),
            Insn::Jump(op::IFNONNULL, to) => format!("known L{}", to.0),
            Insn::Jump(_, to) => format!("goto L{}", to.0),
            Insn::Table(table) => {
                let keys: String = table.2.iter().map(|to| format!(" L{}", to.0)).collect();
                format!("switch L{}{keys}", table.1.0)
            }
            Insn::Lookup(table) => {
                let keys: String = table.1.iter().map(|to| format!(" L{}", to.1.0)).collect();
                format!("lookup L{}{keys}", table.0.0)
            }
            Insn::Op(op::NOP) => "nop".into(),
            Insn::Op(op::DUP) => "dup".into(),
            Insn::Op(op::POP) => "pop".into(),
            Insn::Op(op::ARETURN) => "areturn".into(),
            Insn::Op(op::RETURN) => "return".into(),
            Insn::Op(op::ATHROW) => "throw".into(),
            other => panic!("{other:?}"),
        });
    }
    words.join("; ")
}

/// A static method without parameters, after probes were put into it.
fn probed(text: &str) -> Code {
    probed_class(text, "()V")
        .methods
        .swap_remove(0)
        .code
        .unwrap()
}

fn probed_class(text: &str, descriptor: &str) -> Class {
    let mut class = class(0);
    add(
        &mut class,
        access::STATIC,
        "m",
        descriptor,
        Some(body(text)),
    );
    let count = instrument(&mut class, 5, &ACCESSOR);
    assert_eq!(
        count as usize,
        listing_of(&class, 0).matches("probe ").count()
    );
    class
}

fn listing_of(class: &Class, method: usize) -> String {
    listing(class.methods[method].code.as_ref().unwrap(), &class.pool)
}

/// What follows the start of the method.
#[track_caller]
fn assert_probed(text: &str, expected: &str) {
    let code = probed(text);
    let found = listing(&code, &Pool::default());
    let (_, found) = found.split_once("astore 0; ").unwrap();
    assert_eq!(found, expected);
}
