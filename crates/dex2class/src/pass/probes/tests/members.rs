//! Frames, variables and members.

use super::*;

#[test]
fn the_landing_has_the_frame_of_its_target() {
    let mut input = body("if L0; nop; L0:; return");
    input.frames[0].1 = Frame {
        locals: vec![VType::Long, VType::Int],
        stack: vec![VType::Float],
    };
    let mut class = class(0);
    add(&mut class, access::STATIC, "m", "(J)V", Some(input));
    instrument(&mut class, 0, &ACCESSOR);
    let array = VType::Object(class.pool.class(b"[Z"));
    let frame = Frame {
        locals: vec![VType::Long, array, VType::Int],
        stack: vec![VType::Float],
    };
    let code = class.methods[0].code.as_ref().unwrap();
    assert_eq!(code.frames, [(Label(0), frame.clone()), (Label(2), frame)]);
}

#[test]
fn variables_after_the_parameters_move_by_one() {
    let class = probed_class("iload 2; iload 3; iinc 4; return", "(JI)V");
    assert_eq!(
        listing_of(&class, 0),
        "L0:; $jacocoInit; astore 3; iload 2; iload 4; iinc 5; probe 0; return"
    );
    assert_eq!(class.methods[0].code.as_ref().unwrap().max_locals, 4);
}

#[test]
fn the_array_is_not_where_the_last_parameter_becomes_a_long() {
    let mut input = body("lstore 0; iload 2; L0:; return");
    // The last: a long in the slots 0 and 1, the array, the slot that the long's second half had, an int.
    let frames = [
        (vec![], "..A"),
        (vec![VType::Int, VType::Top, VType::Int], "I.A.I"),
        (vec![VType::Long], "JA"),
        (vec![VType::Long, VType::Int], "JA.I"),
    ];
    for (locals, expected) in frames {
        input.frames[0].1.locals = locals;
        let mut class = class(0);
        add(&mut class, access::STATIC, "m", "(I)V", Some(input.clone()));
        instrument(&mut class, 0, &ACCESSOR);
        assert_eq!(
            listing_of(&class, 0),
            "L1:; $jacocoInit; astore 2; lstore 0; iload 4; L0:; probe 0; return"
        );
        let code = class.methods[0].code.as_ref().unwrap();
        let found: String = code.frames[0].1.locals.iter().map(letter).collect();
        assert_eq!(found, expected);
    }
}

fn letter(of: &VType) -> char {
    match of {
        VType::Long => 'J',
        VType::Int => 'I',
        VType::Top => '.',
        VType::Object(_) => 'A',
        _ => '?',
    }
}

#[test]
fn a_frame_without_all_parameters_is_filled() {
    let mut input = body("nop; L0:; return");
    input.frames[0].1.locals = vec![VType::Int];
    let mut class = class(0);
    add(&mut class, 0, "m", "(I[JLa/B;)V", Some(input));
    instrument(&mut class, 0, &ACCESSOR);
    let code = class.methods[0].code.as_ref().unwrap();
    let found: String = code.frames[0].1.locals.iter().map(letter).collect();
    assert_eq!(found, "I...A");
}

#[test]
fn the_array_is_kept_in_a_field() {
    let class = probed_class("return", "()V");
    assert_eq!(
        listing_of(&class, 1),
        "get; dup; known L0; pop; id 5; a/A; push 1; of; dup; put; L0:; areturn"
    );
    assert_eq!(
        (class.fields[0].access, class.methods[1].access),
        (0x108a, 0x100a)
    );
}

#[test]
fn an_interface_fills_its_field_in_its_initializer() {
    let flags = access::INTERFACE | access::ABSTRACT;
    let init = "get; dup; known L0; pop; id 5; a/A; push 2; of; L0:; areturn";
    let mut with = class(flags);
    add(&mut with, access::PUBLIC, "m", "()V", Some(body("return")));
    add(
        &mut with,
        access::STATIC,
        "<clinit>",
        "()V",
        Some(body("return")),
    );
    let mut without = with.clone();
    without.methods.truncate(1);

    instrument(&mut with, 5, &ACCESSOR);
    assert_eq!(
        listing_of(&with, 0),
        "L0:; $jacocoInit; astore 1; probe 0; return"
    );
    assert_eq!(
        listing_of(&with, 1),
        "L0:; id 5; a/A; push 2; of; dup; put; astore 0; probe 1; return"
    );
    assert_eq!(listing_of(&with, 2), init);
    assert_eq!((with.methods.len(), with.fields[0].access), (3, 0x1019));

    instrument(&mut without, 5, &ACCESSOR);
    assert_eq!(listing_of(&without, 1), init.replace("push 2", "push 1"));
    assert_eq!(
        listing_of(&without, 2),
        "id 5; a/A; push 1; of; put; return"
    );
    assert_eq!(without.methods[2].access, 0x1008);
}

#[test]
fn an_interface_with_only_an_initializer_gets_no_members() {
    let mut class = class(access::INTERFACE | access::ABSTRACT);
    add(
        &mut class,
        access::STATIC,
        "<clinit>",
        "()V",
        Some(body("return")),
    );
    add(&mut class, access::ABSTRACT, "m", "()V", None);
    assert_eq!(instrument(&mut class, 5, &ACCESSOR), 1);
    assert_eq!(
        listing_of(&class, 0),
        "L0:; id 5; a/A; push 1; of; astore 0; probe 0; return"
    );
    assert!(class.methods.len() == 2 && class.fields.is_empty());
}

#[test]
fn a_class_without_code_and_one_with_probes_stay_as_they_are() {
    let mut empty = class(0);
    add(&mut empty, access::ABSTRACT, "m", "()V", None);
    assert_eq!(instrument(&mut empty, 5, &ACCESSOR), 0);
    assert!(empty.fields.is_empty());

    let mut class = probed_class("return", "()V");
    let before = listing_of(&class, 0);
    assert_eq!(instrument(&mut class, 5, &ACCESSOR), 0);
    assert_eq!(listing_of(&class, 0), before);
}

#[test]
fn methods_are_numbered_in_order_and_those_left_out_are_not() {
    let mut class = class(0);
    for text in ["return", "if L0; nop; L0:; return", "return"] {
        add(&mut class, access::STATIC, "m", "()V", Some(body(text)));
    }
    assert_eq!(ranges(&class), [0..1, 1..4, 4..5]);
    assert_eq!(instrument_except(&mut class, 5, &ACCESSOR, &[1]), 2);
    assert_eq!(listing_of(&class, 1), "if L0; nop; L0:; return");
    assert_eq!(
        listing_of(&class, 2),
        "L0:; $jacocoInit; astore 0; probe 1; return"
    );
}

#[test]
fn addresses_are_lines_of_the_probed_class_alone_and_never_lines_of_the_source() {
    let mut class = class(access::PUBLIC);
    let mut insns = Vec::new();
    for mark in [
        Insn::DexPc(0),
        Insn::DexPc(12),
        Insn::DexPc(0x7ffe),
        Insn::DexPc(0x7fff),
        Insn::Line(5),
        Insn::Line(40_000),
    ] {
        insns.extend([mark, Insn::Op(op::NOP)]);
    }
    insns.push(Insn::Op(op::RETURN));
    let code = Code {
        insns,
        ..Code::default()
    };
    add(&mut class, access::STATIC, "m", "()V", Some(code));
    let files = write_probed(class, &ACCESSOR).unwrap();
    let lines = |file: &[u8]| {
        let class = crate::class::read(file).unwrap();
        let code = class.methods[0].code.as_ref().unwrap();
        let lines = code.insns.iter().filter_map(|insn| match insn {
            Insn::Line(line) => Some(*line),
            _ => None,
        });
        lines.collect::<Vec<u16>>()
    };
    assert_eq!(lines(&files.plain), [5, 40_000]);
    assert_eq!(
        lines(&files.probed),
        [0x8000, 0x800c, 0xfffe, 0, 5, 0],
        "what has no room, and what would look like an address, is unknown"
    );
}
