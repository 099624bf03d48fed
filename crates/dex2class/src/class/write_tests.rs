//! What is written, byte by byte; that a JVM takes it is in `jvm_tests`.

use super::code::{Code, Frame, Insn, Label, LocalVariable, Try, VType, op};
use super::stack::{descriptor_slots, stack_effect};
use super::testing::{WrittenCode, add_method, class, code, frame};
use super::{Entry, Pool, WriteError, read, write};

const NOP: Insn = Insn::Op(op::NOP);
const RETURN: Insn = Insn::Op(op::RETURN);

/// Writes a static method without parameters.
fn write_code(code: Code) -> WrittenCode {
    let mut class = class("Test");
    add_method(&mut class, "test", "()V", code);
    WrittenCode::parse(&write(&mut class).unwrap())
}

fn error(code: Code) -> WriteError {
    let mut class = class("Test");
    add_method(&mut class, "test", "()V", code);
    write(&mut class).unwrap_err()
}

fn label(number: u32) -> Insn {
    Insn::Label(Label(number))
}

#[test]
fn instructions_have_their_shortest_forms() {
    let forms: [(Insn, &[u8]); 16] = [
        (Insn::Push(-1), &[2]),
        (Insn::Push(5), &[8]),
        (Insn::Push(-128), &[16, 0x80]),
        (Insn::Push(128), &[17, 0, 0x80]),
        (Insn::Push(-32_768), &[17, 0x80, 0]),
        (Insn::Var(op::ILOAD, 3), &[29]),
        (Insn::Var(op::ALOAD, 0), &[42]),
        (Insn::Var(op::LLOAD, 4), &[22, 4]),
        (Insn::Var(op::ISTORE, 0), &[59]),
        (Insn::Var(op::ASTORE, 3), &[78]),
        (Insn::Var(op::DSTORE, 255), &[57, 255]),
        (Insn::Var(op::DSTORE, 256), &[196, 57, 1, 0]),
        (Insn::Iinc(255, -128), &[132, 255, 0x80]),
        (Insn::Iinc(0, 128), &[196, 132, 0, 0, 0, 128]),
        (Insn::NewArray(10), &[188, 10]),
        (Insn::MultiArray(7, 2), &[197, 0, 7, 2]),
    ];
    for (insn, bytes) in forms {
        let written = write_code(code(0, vec![insn.clone(), RETURN]));
        assert_eq!(written.code, [bytes, &[177]].concat(), "{insn:?}");
    }
}

#[test]
fn the_slots_of_variables_and_of_the_stack_are_computed() {
    let mut test = class("Test");
    let put = test.pool.method(b"a/B", b"put", b"(JD)J", true);
    let insns = vec![
        Insn::Op(op::ACONST_NULL),
        Insn::Op(op::LCONST_0),
        Insn::Var(op::DLOAD, 7),
        Insn::Invoke(op::INVOKEINTERFACE, put),
        Insn::Op(op::LRETURN),
    ];
    add_method(&mut test, "test", "(IJ)J", code(0, insns));
    let written = WrittenCode::parse(&write(&mut test).unwrap());
    assert_eq!((written.max_stack, written.max_locals), (5, 9));
    let [high, low] = put.to_be_bytes();
    assert_eq!(written.code[4..9], [185, high, low, 5, 0]);

    assert_eq!(descriptor_slots(b"(IJ[[DLa/B;Z)D"), (6, 2));
    assert_eq!(descriptor_slots(b"([Ljava/lang/String;F)[J"), (2, 1));
    assert_eq!(descriptor_slots(b"(La"), (1, 0));
    let effect = stack_effect(&Insn::Invoke(op::INVOKEINTERFACE, put), &test.pool);
    assert_eq!(effect, (5, 2));
    let field = test.pool.field(b"a/B", b"f", b"D");
    assert_eq!(
        stack_effect(&Insn::Field(op::PUTFIELD, field), &test.pool),
        (3, 0)
    );
}

/// Compilers before Java 6 wrote loops whose body only a jump from below reaches, and no frames.
#[test]
fn the_height_of_the_stack_is_known_in_loops_without_frames() {
    let (body, condition) = (Label(0), Label(1));
    let mut insns = vec![Insn::Jump(op::GOTO, condition), Insn::Label(body)];
    insns.extend([
        Insn::Op(op::LCONST_0),
        Insn::Op(op::LCONST_0),
        Insn::Op(op::LADD),
    ]);
    insns.extend([
        Insn::Var(op::LSTORE, 0),
        Insn::Label(condition),
        Insn::Push(1),
    ]);
    insns.extend([Insn::Jump(op::IFNE, body), RETURN]);
    assert_eq!(write_code(code(2, insns)).max_stack, 4);
}

#[test]
fn frames_are_written_as_differences() {
    let text = VType::Object(2);
    let locals: [&[VType]; 6] = [
        &[],
        &[VType::Int, VType::Long],
        &[VType::Int, VType::Long, VType::Top],
        &[VType::Int],
        &[VType::Float],
        &[VType::Float],
    ];
    let mut insns = Vec::new();
    for number in 0..6 {
        insns.extend([label(number), NOP]);
    }
    insns.extend(std::iter::repeat_n(NOP, 64));
    // Two labels at one place.
    insns.extend([label(6), label(7), Insn::Op(op::ATHROW)]);
    let mut test = code(8, insns);
    test.frames = (0..6)
        .map(|number| frame(number, locals[number as usize]))
        .collect();
    test.frames.rotate_left(2);
    for number in [6, 7] {
        let stack = vec![text];
        let locals = vec![VType::Float];
        test.frames.push((Label(number), Frame { locals, stack }));
    }
    let written = write_code(test);
    let expected = [
        &[0, 7, 0][..],
        &[253, 0, 0, 1, 4],
        &[0],
        &[250, 0, 0],
        &[255, 0, 0, 0, 1, 2, 0, 0],
        &[0],
        &[247, 0, 64, 7, 0, 2],
    ];
    let table = written.attribute("StackMapTable").unwrap();
    assert_eq!(table, expected.concat());
}

#[test]
fn a_label_that_is_used_has_to_be_inside_the_code() {
    let missing = |method| {
        Err(WriteError::BadLabel {
            method,
            label: Label(0),
        })
    };
    let jump = vec![Insn::Jump(op::GOTO, Label(0)), label(0)];
    assert_eq!(Err::<(), _>(error(code(1, jump))), missing(0));
    for insns in [vec![RETURN], vec![RETURN, label(0)]] {
        let mut test = code(1, insns);
        test.frames = vec![frame(0, &[])];
        assert_eq!(Err::<(), _>(error(test)), missing(0));
    }
    let twice = vec![label(0), NOP, label(0), RETURN];
    assert_eq!(Err::<(), _>(error(code(1, twice))), missing(0));
    let beyond = vec![Insn::Jump(op::GOTO, Label(1_000)), RETURN];
    assert!(matches!(
        error(code(1, beyond)),
        WriteError::BadLabel { .. }
    ));
}

#[test]
fn handlers_and_variables_without_a_range_are_left_out() {
    let insns = vec![
        label(0),
        label(1),
        NOP,
        RETURN,
        label(2),
        Insn::Op(op::ATHROW),
        label(3),
    ];
    let mut test = code(4, insns);
    let mut pool_names = [0; 3];
    let mut class = class("Test");
    for (ix, text) in ["name", "I", "TT;"].iter().enumerate() {
        pool_names[ix] = class.pool.utf8(text.as_bytes());
    }
    let [name, descriptor, signature] = pool_names;
    for (start, end) in [(0, 1), (1, 2), (2, 1)] {
        let (start, end, handler) = (Label(start), Label(end), Label(2));
        test.tries.push(Try {
            start,
            end,
            handler,
            catch: 0,
        });
    }
    let one = |start, end, signature, slot| LocalVariable {
        start: Label(start),
        end: Label(end),
        name,
        descriptor,
        signature,
        slot,
    };
    test.locals = vec![
        one(0, 1, 0, 0),
        one(0, 3, 0, 0),
        one(1, 3, 0, 0),
        one(1, 2, signature, 1),
        one(0, 3, 0, 9),
    ];
    test.max_locals = 2;
    add_method(&mut class, "test", "()V", test);
    let written = WrittenCode::parse(&write(&mut class).unwrap());
    assert_eq!(written.handlers, [[0, 2, 2, 0]]);
    let cells = |name: &str| {
        let (cells, _) = written.attribute(name).unwrap().as_chunks();
        let cells = cells.iter().map(|cell| u16::from_be_bytes(*cell));
        cells.collect::<Vec<_>>()
    };
    let all = [2, 0, 3, name, descriptor, 0, 0, 2, name, descriptor, 1];
    assert_eq!(cells("LocalVariableTable"), all);
    assert_eq!(
        cells("LocalVariableTypeTable"),
        [1, 0, 2, name, signature, 1]
    );
}

#[test]
fn only_lines_that_differ_are_written() {
    let mut insns = Vec::new();
    for line in [10, 10, 11, 12, 12] {
        insns.extend([Insn::Line(line), NOP]);
    }
    insns.extend([Insn::Line(13), Insn::Line(12), RETURN, Insn::Line(99)]);
    let written = write_code(code(0, insns));
    let expected = [0, 3, 0, 0, 0, 10, 0, 2, 0, 11, 0, 3, 0, 12];
    assert_eq!(written.attribute("LineNumberTable").unwrap(), expected);
}

#[test]
fn a_method_that_is_too_large_is_named_and_can_be_replaced() {
    let mut class = class("Test");
    add_method(&mut class, "small", "()V", code(0, vec![RETURN]));
    let mut insns = vec![NOP; 65_535];
    insns.push(RETURN);
    add_method(&mut class, "large", "()V", code(0, insns));
    let (method, size) = (1, 65_536);
    let expected = WriteError::MethodTooLarge { method, size };
    assert_eq!(write(&mut class), Err(expected));

    class.methods[1].code.as_mut().unwrap().insns.remove(0);
    let bytes = write(&mut class).unwrap();
    assert_eq!(write(&mut class).unwrap(), bytes);
    assert_eq!(read(&bytes).unwrap().methods.len(), 2);
}

#[test]
fn other_limits_are_errors() {
    assert_eq!(
        error(code(0, vec![Insn::Line(1)])),
        WriteError::EmptyCode { method: 0 }
    );
    let switch = |low, count| {
        let targets = vec![Label(0); count];
        let switch = Insn::Table(Box::new((low, Label(0), targets)));
        code(1, vec![label(0), Insn::Push(0), switch])
    };
    assert_eq!(
        error(switch(i32::MAX, 2)),
        WriteError::BadSwitch { method: 0 }
    );
    assert_eq!(error(switch(0, 0)), WriteError::BadSwitch { method: 0 });

    let mut test = class("Test");
    let many = format!("({})V", "J".repeat(128));
    let call = test.pool.method(b"a/B", b"m", many.as_bytes(), false);
    add_method(
        &mut test,
        "test",
        "()V",
        code(0, vec![Insn::Invoke(op::INVOKESTATIC, call)]),
    );
    assert!(matches!(
        write(&mut test),
        Err(WriteError::TooMany {
            method: Some(0),
            ..
        })
    ));

    let mut test = class("Test");
    for value in 0..65_600 {
        test.pool.entry(Entry::Int(value));
    }
    assert_eq!(write(&mut test), Err(WriteError::PoolFull));
}

#[test]
fn constants_of_two_slots_have_their_own_instruction() {
    let mut test = class("Test");
    let pool: &mut Pool = &mut test.pool;
    let wide = [
        pool.entry(Entry::Long(1 << 40)),
        pool.entry(Entry::Double(1)),
    ];
    let narrow = pool.string(b"text");
    let pops = [Insn::Op(op::POP2), Insn::Op(op::POP2), Insn::Op(op::POP)];
    let mut insns = Vec::new();
    for (constant, pop) in [wide[0], wide[1], narrow].into_iter().zip(pops) {
        insns.extend([Insn::Const(constant), pop]);
    }
    insns.push(RETURN);
    add_method(&mut test, "test", "()V", code(0, insns));
    let written = WrittenCode::parse(&write(&mut test).unwrap());
    let [first, second] = wide.map(|ix| ix as u8);
    let expected = [
        20,
        0,
        first,
        88,
        20,
        0,
        second,
        88,
        18,
        narrow as u8,
        87,
        177,
    ];
    assert_eq!(written.code, expected);
    assert_eq!(written.max_stack, 2);
}
