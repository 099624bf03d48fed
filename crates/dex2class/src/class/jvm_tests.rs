//! A JVM loads, verifies and runs what is written.

use super::code::{Code, Insn, Label, VType, op};
use super::testing::{add_main, add_method, class, code, frame, run_class};
use super::{Attribute, Class, Entry, write};

/// Bytes of straight code: more than a jump of two bytes reaches.
const FAR: usize = 42_000;

fn load(slot: u16) -> Insn {
    Insn::Var(op::ILOAD, slot)
}

fn store(slot: u16) -> Insn {
    Insn::Var(op::ISTORE, slot)
}

fn result() -> [Insn; 2] {
    [load(1), Insn::Op(op::IRETURN)]
}

/// Adds one to variable 1, as often as [`FAR`] bytes have room for: 14,000 times.
fn filler() -> impl Iterator<Item = Insn> {
    (0..FAR / 3).map(|_| Insn::Iinc(1, 1))
}

/// Counts to 14,000 times the argument: a condition that is far ahead, and one that is far back.
fn far_loop() -> Code {
    let (top, end) = (Label(0), Label(1));
    let mut insns = vec![Insn::Push(0), store(1), Insn::Label(top)];
    insns.extend([load(0), Insn::Jump(op::IFLE, end)]);
    insns.extend(filler());
    insns.extend([Insn::Iinc(0, -1), load(0), Insn::Jump(op::IFNE, top)]);
    insns.push(Insn::Label(end));
    insns.extend(result());
    let mut code = code(2, insns);
    let locals = [VType::Int, VType::Int];
    code.frames = vec![frame(1, &locals), frame(0, &locals)];
    code
}

/// Has a text in variable 2 at the jump, of which the frame at its target says no more than `Object`; jumps over
/// everything if the argument is 0, and by a long `goto` if it is 1.
fn far_goto(class: &mut Class) -> Code {
    let text = class.pool.string(b"text");
    let object = class.pool.class(b"java/lang/Object");
    let (more, end) = (Label(0), Label(1));
    let mut insns = vec![Insn::Push(5), store(1)];
    let text_class = class.pool.class(b"java/lang/String");
    insns.extend([Insn::Const(text), Insn::Var(op::ASTORE, 2)]);
    insns.extend([load(0), Insn::Jump(op::IFEQ, end)]);
    insns.extend([load(0), Insn::Push(1), Insn::Jump(op::IF_ICMPNE, more)]);
    insns.extend([
        Insn::Iinc(1, 1),
        Insn::Jump(op::GOTO, end),
        Insn::Label(more),
    ]);
    insns.extend(filler());
    insns.push(Insn::Label(end));
    insns.extend(result());
    let mut code = code(2, insns);
    code.frames = vec![
        frame(0, &[VType::Int, VType::Int, VType::Object(text_class)]),
        frame(1, &[VType::Int, VType::Int, VType::Object(object)]),
    ];
    code
}

/// Calls a method with a far condition that has a parameter of a class that its code does not name.
fn call_far_parameter(class: &mut Class) -> Code {
    let (more, end) = (Label(0), Label(1));
    let mut insns = vec![load(1), Insn::Jump(op::IFEQ, more)];
    insns.extend(filler());
    insns.extend([load(1), Insn::Jump(op::IFNE, end), Insn::Label(more)]);
    insns.extend([Insn::Push(-1), store(1), Insn::Label(end)]);
    insns.extend(result());
    let mut far = code(2, insns);
    far.frames = [0, 1]
        .map(|label| frame(label, &[VType::Top, VType::Int]))
        .to_vec();
    let descriptor = "(Ljava/lang/Thread;I)I";
    add_method(class, "farParameter", descriptor, far);
    let pool = &mut class.pool;
    let method = pool.method(b"Scenes", b"farParameter", descriptor.as_bytes(), false);
    assert_eq!(pool.find_class(b"java/lang/Thread"), None);
    let mut insns = vec![Insn::Op(op::ACONST_NULL), load(0)];
    insns.extend([
        Insn::Invoke(op::INVOKESTATIC, method),
        Insn::Op(op::IRETURN),
    ]);
    code(0, insns)
}

/// Variables beyond slot 255, and changes beyond a byte.
fn wide(class: &mut Class) -> Code {
    let half = class.pool.entry(Entry::Double(2.5_f64.to_bits()));
    let insns = vec![
        load(0),
        store(300),
        Insn::Iinc(300, 1_000),
        Insn::Iinc(300, -1),
        Insn::Iinc(0, -300),
        Insn::Const(half),
        Insn::Var(op::DSTORE, 400),
        Insn::Var(op::DLOAD, 400),
        Insn::Var(op::DLOAD, 400),
        Insn::Op(op::DADD),
        Insn::Op(op::D2I),
        load(300),
        Insn::Op(op::IADD),
        load(0),
        Insn::Op(op::IADD),
        Insn::Op(op::IRETURN),
    ];
    code(0, insns)
}

/// The sum of ints of all sizes, of which some have numbers beyond 255.
fn constants() -> Code {
    let few = [
        -1,
        0,
        5,
        6,
        -128,
        127,
        128,
        -129,
        32_767,
        -32_768,
        32_768,
        -32_769,
        i32::MIN,
    ];
    let many = (0..300).map(|each| each * 10_000);
    let mut insns = vec![load(0)];
    for each in few.into_iter().chain(many) {
        insns.extend([Insn::Push(each), Insn::Op(op::IADD)]);
    }
    insns.push(Insn::Op(op::IRETURN));
    code(0, insns)
}

/// A `lookupswitch` with the outermost keys, whose default is a far `tableswitch` up to the last key.
fn switches() -> Code {
    let [lowest, highest, default, first, other] = [0, 1, 2, 3, 4].map(Label);
    let cases = vec![(i32::MIN, lowest), (i32::MAX, highest)];
    let mut insns = vec![Insn::Push(0), store(1), load(0)];
    insns.push(Insn::Lookup(Box::new((default, cases))));
    for (label, value) in [(lowest, 1), (highest, 2), (first, 3), (other, 4)] {
        insns.extend([Insn::Label(label), Insn::Push(value), Insn::Op(op::IRETURN)]);
    }
    insns.push(Insn::Label(default));
    insns.extend(filler());
    insns.push(load(0));
    let targets = vec![first, other, first];
    insns.push(Insn::Table(Box::new((i32::MAX - 2, other, targets))));
    let mut code = code(5, insns);
    let locals = [VType::Int, VType::Int];
    code.frames = (0..5).map(|label| frame(label, &locals)).collect();
    code
}

/// Divides by the argument; of two lines for one instruction the second counts.
fn lines() -> Code {
    let insns = vec![
        Insn::Line(76),
        Insn::Push(1),
        load(0),
        Insn::Line(77),
        Insn::Line(78),
        Insn::Op(op::IDIV),
        Insn::Line(79),
        Insn::Op(op::IRETURN),
    ];
    code(0, insns)
}

#[test]
fn the_jvm_runs_far_jumps_wide_variables_switches_and_large_pools() {
    let mut class = class("Scenes");
    let code = far_goto(&mut class);
    add_method(&mut class, "farGoto", "(I)I", code);
    let code = call_far_parameter(&mut class);
    add_method(&mut class, "farParameter", "(I)I", code);
    let code = wide(&mut class);
    add_method(&mut class, "wide", "(I)I", code);
    add_method(&mut class, "farLoop", "(I)I", far_loop());
    add_method(&mut class, "constants", "(I)I", constants());
    add_method(&mut class, "switches", "(I)I", switches());
    add_method(&mut class, "lines", "(I)I", lines());
    let calls = [
        ("farLoop", 0, 0),
        ("farLoop", 1, 14_000),
        ("farLoop", 3, 42_000),
        ("farGoto", 0, 5),
        ("farGoto", 1, 6),
        ("farGoto", 2, 14_005),
        ("farParameter", 0, -1),
        ("farParameter", 1, 14_001),
        ("wide", 7, 7 + 999 + 5 + 7 - 300),
        ("constants", 1, 1 + 6 + i32::MIN + 299 * 150 * 10_000),
        ("switches", i32::MIN, 1),
        ("switches", i32::MAX, 2),
        ("switches", i32::MAX - 1, 4),
        ("switches", i32::MAX - 2, 3),
        ("switches", 0, 4),
        ("lines", 1, 1),
    ];
    let mut with_last = calls.map(|call| (call.0, call.1)).to_vec();
    with_last.push(("lines", 0));
    add_main(&mut class, &with_last);
    let (name, file) = (
        class.pool.utf8(b"SourceFile"),
        class.pool.utf8(b"Scenes.dex"),
    );
    let data = file.to_be_bytes().to_vec();
    class.attributes.push(Attribute { name, data });

    let (output, errors) = run_class(&write(&mut class).unwrap(), "Scenes");

    let results: Vec<i32> = output.lines().map(|line| line.parse().unwrap()).collect();
    let expected = calls.map(|call| call.2);
    assert_eq!(results, expected, "{errors}");
    assert!(errors.contains("ArithmeticException"), "{errors}");
    assert!(errors.contains("Scenes.lines(Scenes.dex:78)"), "{errors}");
}

/// Without this, the test above might not verify anything.
#[test]
fn the_jvm_refuses_a_wrong_frame() {
    let mut class = class("Wrong");
    let mut code = far_loop();
    for (_, frame) in &mut code.frames {
        frame.locals = vec![VType::Int, VType::Float];
    }
    add_method(&mut class, "farLoop", "(I)I", code);
    add_main(&mut class, &[("farLoop", 1)]);
    let (output, errors) = run_class(&write(&mut class).unwrap(), "Wrong");
    assert!(
        output.is_empty() && errors.contains("VerifyError"),
        "{errors}"
    );
}
