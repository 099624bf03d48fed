//! Passes that change more than the call itself.

use super::*;

const NEW_CALENDAR: &str = "special java/util/GregorianCalendar.<init>()V";

fn new_calendar(pool: &mut Pool, between: Vec<Insn>) -> Vec<Insn> {
    let class = pool.class(b"java/util/GregorianCalendar");
    let mut insns = vec![Insn::Type(op::NEW, class), Insn::Op(op::DUP)];
    insns.extend(between);
    insns.push(call(pool, NEW_CALENDAR));
    insns
}

#[test]
fn a_calendar_is_set_where_its_reference_is_on_the_stack() {
    let set = [
        NEW_CALENDAR,
        "static box/Clock.now(Ljava/util/Calendar;)Ljava/util/Calendar;",
        "cast java/util/GregorianCalendar",
    ];
    let changed = |between: Vec<Insn>| {
        let mut class = class_with(|pool| new_calendar(pool, between));
        apply(&mut class, Calls::Confined);
        listing(&class).ends_with(&set.map(str::to_owned))
    };
    assert!(changed(vec![]));
    assert!(changed(vec![
        Insn::Label(Label(0)),
        Insn::Line(7),
        Insn::Push(100)
    ]));
    assert!(!changed(vec![Insn::Push(5)]));
    assert!(!changed(vec![Insn::Op(op::ACONST_NULL)]));
    assert!(!changed(vec![Insn::Op(op::DUP)]));
}

#[test]
fn one_constructor_is_decided_apart_for_fresh_objects_and_others() {
    let mut class = class_with(|pool| {
        let mut insns = vec![call(pool, NEW_CALENDAR)];
        insns.extend(new_calendar(pool, Vec::new()));
        insns.push(call(pool, NEW_CALENDAR));
        insns
    });
    apply(&mut class, Calls::Confined);
    let all = listing(&class);
    let casts = all.iter().filter(|line| line.starts_with("cast"));
    assert_eq!((casts.count(), all.len()), (1, 7));
    assert_eq!((&*all[0], &*all[6]), (NEW_CALENDAR, NEW_CALENDAR));
}

/// `try { open(); return; } catch { return; }`, a part that only the open channel leads to, and one that a jump does.
fn opens_a_channel() -> Class {
    let mut class = class_with(|pool| {
        let open = call(
            pool,
            "static java/nio/channels/Pipe$SinkChannel.open()La/C;",
        );
        let plain = call(pool, "static app/Main.other()V");
        vec![
            Insn::Var(op::ILOAD, 0),
            Insn::Jump(op::IFEQ, Label(4)),
            Insn::Label(Label(0)),
            Insn::Line(1),
            open,
            Insn::Line(2),
            Insn::Op(op::POP),
            Insn::Label(Label(1)),
            plain.clone(),
            Insn::Label(Label(2)),
            Insn::Jump(op::GOTO, Label(3)),
            Insn::Label(Label(3)),
            plain.clone(),
            Insn::Op(op::RETURN),
            Insn::Label(Label(4)),
            Insn::Op(op::RETURN),
            Insn::Label(Label(5)),
            Insn::Op(op::ATHROW),
            Insn::Label(Label(6)),
            Insn::Op(op::ATHROW),
        ]
    });
    let cover = |start, end, handler| Try {
        start: Label(start),
        end: Label(end),
        handler: Label(handler),
        catch: 0,
    };
    let code = code(&mut class);
    code.tries = vec![cover(0, 1, 5), cover(1, 2, 6)];
    code.frames = [3, 4, 5, 6]
        .map(|at| (Label(at), Frame::default()))
        .to_vec();
    class
}

#[test]
fn what_only_an_opened_channel_would_reach_is_removed() {
    let mut class = opens_a_channel();
    apply(&mut class, Calls::Confined);
    let expected = [
        "Var(21, 0)",
        "Jump(153, Label(4))",
        "L0",
        "Line(1)",
        "static box/Process.noChannel()Ljava/io/IOException;",
        "athrow",
        "Line(2)",
        "L1",
        "L2",
        "L3",
        "L4",
        "return",
        "L5",
        "athrow",
        "L6",
    ];
    assert_eq!(listing(&class), expected);
    let code = code(&mut class);
    let handlers: Vec<_> = code.tries.iter().map(|each| each.handler).collect();
    assert_eq!(handlers, [Label(5)]);
    let frames: Vec<_> = code.frames.iter().map(|frame| frame.0).collect();
    assert_eq!(frames, [Label(4), Label(5)]);
}

#[test]
fn a_thread_waits_for_its_turn_before_its_code_runs() {
    let run = |parent: &[u8], flags| {
        let mut class = class_with(|_| vec![Insn::Op(op::RETURN)]);
        class.parent = class.pool.class(parent);
        class.methods[0].name = class.pool.utf8(b"run");
        class.methods[0].access = flags;
        apply(&mut class, Calls::Open);
        listing(&class)
    };
    let gate = "static droidtest/sched/Hooks.gate()V";
    assert_eq!(run(b"java/lang/Thread", access::PUBLIC), [gate, "return"]);
    assert_eq!(run(b"java/lang/Thread", access::STATIC), ["return"]);
    assert_eq!(run(b"java/lang/Object", access::PUBLIC), ["return"]);
}

#[test]
fn a_known_native_method_gets_a_body() {
    let body = |flags, name: &[u8]| {
        let mut class = class_with(|_| Vec::new());
        let method = &mut class.methods[0];
        method.code = None;
        method.access = flags | access::NATIVE;
        method.name = class.pool.utf8(name);
        method.descriptor = class.pool.utf8(b"(J)I");
        apply(&mut class, Calls::Open);
        let found = class.methods[0].code.as_ref().map(|code| code.max_locals);
        found.map(|locals| (class.methods[0].access, locals, listing(&class)))
    };
    let expected = |slot: u16| {
        let load = format!("Var(22, {slot})");
        let call = "static box/Natives.nativeGetCounterValue(J)I".to_owned();
        vec![load, call, "op 172".to_owned()]
    };
    let known = b"nativeGetCounterValue";
    assert_eq!(
        body(access::STATIC, known),
        Some((access::STATIC, 2, expected(0)))
    );
    assert_eq!(
        body(access::PUBLIC, known),
        Some((access::PUBLIC, 3, expected(1)))
    );
    assert_eq!(body(access::PUBLIC, b"nativeOther"), None);
}

#[test]
fn probes_of_the_app_are_put_to_rest() {
    let mut class = class_with(|pool| {
        let data = pool.field(b"app/Main", b"$jacocoData", b"[Z");
        vec![
            Insn::Field(op::GETSTATIC, data),
            call(pool, "static app/Main.$jacocoInit()[Z"),
            call(
                pool,
                "static org/jacoco/agent/rt/internal_1/Offline.getProbes(JLjava/lang/String;I)[Z",
            ),
            call(pool, "static app/Main.getProbes(JLjava/lang/String;I)[Z"),
        ]
    });
    let pool = &mut class.pool;
    // A text of that name stays.
    let constant = pool.string(b"$jacocoInit");
    class.methods[0].name = pool.utf8(b"$jacocoInit");
    class.fields.push(Field {
        access: access::STATIC,
        name: pool.utf8(b"$jacocoData"),
        descriptor: pool.utf8(b"[Z"),
        attributes: Vec::new(),
    });
    code(&mut class).insns.push(Insn::Const(constant));
    apply(&mut class, Calls::Open);
    let expected = [
        "field app/Main.$oldjacocoData[Z",
        "static app/Main.$oldjacocoInit()[Z",
        "static droidtest/host/Probes.ignored(JLjava/lang/String;I)[Z",
        "static app/Main.getProbes(JLjava/lang/String;I)[Z",
        &format!("Const({constant})"),
    ];
    assert_eq!(listing(&class), expected);
    let pool = &class.pool;
    assert_eq!(pool.text(class.methods[0].name), b"$oldjacocoInit");
    assert_eq!(pool.text(class.fields[0].name), b"$oldjacocoData");
}

#[test]
fn a_class_of_a_build_gets_the_source_file_of_the_dex_file() {
    let given = |own: &[u8]| {
        let mut class = class_with(|_| Vec::new());
        class.major = 50;
        for (name, data) in [(&b"SourceFile"[..], own), (b"SourceDebugExtension", b"x")] {
            let data = class.pool.utf8(data).to_be_bytes().to_vec();
            let name = class.pool.utf8(name);
            class.attributes.push(Attribute { name, data });
        }
        class
    };
    let found = |class: &Class| {
        let [only] = &class.attributes[..] else {
            panic!("{:?}", class.attributes);
        };
        assert_eq!(class.pool.text(only.name), b"SourceFile");
        let at = Idx::from_be_bytes([only.data[0], only.data[1]]);
        String::from_utf8_lossy(class.pool.text(at)).into_owned()
    };
    for (source, expected) in [
        (Some(&b"A.kt"[..]), "A.kt"),
        (Some(b""), "B.java"),
        (None, "B.java"),
    ] {
        let mut class = given(b"B.java");
        set_source_file(&mut class, source);
        assert_eq!((found(&class), class.major), (expected.to_owned(), 52));
    }
    let mut without_frames = given(b"B.java");
    without_frames.major = 49;
    set_source_file(&mut without_frames, None);
    assert_eq!(without_frames.major, 49);
}
