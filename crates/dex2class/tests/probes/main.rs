//! Probes compared with those of JaCoCo: ids, numbers, and what is hit when the tests of a library run.
//!
//! JaCoCo and the libraries come from Maven's own cache; `mvn dependency:go-offline -f tests/probes/pom.xml` fetches them.
//! More jars are compared by `PROBES_JARS=A.jar:B.jar cargo test --release --test probes named_jars -- --ignored
//! --nocapture`, and the tests of a library by `PROBES_LIBRARY=A.jar PROBES_TESTS=A-tests.jar:MORE.jar cargo test
//! --release --test probes named_library -- --ignored --nocapture`.

mod bench;
#[path = "../../../../tests/it/common/skip.rs"]
mod skip;

use bench::{Bench, Work};
use dex2class::class::code::op;
use dex2class::class::{Class, Code, Frame, Insn, Label, Method, Pool, VType, access};
use std::path::PathBuf;

#[test]
fn classes_have_the_ids_and_numbers_that_jacoco_gives_them() {
    let Some(bench) = Bench::new("numbers") else {
        return;
    };
    let jar = bench.jar("commons-lang3-3.17.0.jar");
    let work = bench.compare(jar);
    assert!(
        work.classes > 300 && work.probes > 10_000,
        "{}",
        work.classes
    );
    bench.link(&[]);
}

#[test]
fn the_tests_of_a_library_hit_the_probes_that_they_hit_with_jacoco() {
    let Some(bench) = Bench::new("tests") else {
        return;
    };
    let library = bench.jar("commons-csv-1.12.0.jar");
    bench.compare_tests(library, bench.jar("commons-csv-1.12.0-tests.jar"));
}

#[test]
fn methods_with_far_jumps_or_without_room_are_numbered() {
    let Some(bench) = Bench::new("large") else {
        return;
    };
    bench.clear();
    let (mut work, mut numbers) = (Work::default(), String::new());
    for (name, far, full) in [
        ("Both", true, true),
        ("Far", true, false),
        ("Full", false, true),
    ] {
        let class = large_class(name, far, full);
        let file = PathBuf::from(name).with_extension("class");
        bench.probe(&file, class, &mut work, &mut numbers);
    }
    assert_eq!(work.without, 2);
    bench.check_numbers(&numbers);
    bench.link(&[]);
}

/// A class of static methods: one with jumps over 36,000 bytes, one that leaves no room for probes, a small one.
fn large_class(name: &str, with_far: bool, with_full: bool) -> Class {
    let mut pool = Pool::default();
    let call = Insn::Invoke(
        op::INVOKESTATIC,
        pool.method(name.as_bytes(), b"small", b"()V", false),
    );
    let far = [
        vec![
            Insn::Line(1),
            Insn::Var(op::ILOAD, 0),
            Insn::Jump(op::IFEQ, Label(1)),
            Insn::Line(2),
            call.clone(),
            Insn::Label(Label(0)),
            Insn::Var(op::ILOAD, 0),
            Insn::Jump(op::IFEQ, Label(1)),
        ],
        vec![Insn::Iinc(0, 1); 12_000],
        vec![
            Insn::Var(op::ILOAD, 0),
            Insn::Jump(op::IFLT, Label(0)),
            Insn::Line(3),
            call,
            Insn::Var(op::ILOAD, 0),
            Insn::Jump(op::IFLE, Label(0)),
            Insn::Label(Label(1)),
            Insn::Op(op::RETURN),
        ],
    ];
    let mut full = Vec::new();
    for label in 0..14_000 {
        full.extend([
            Insn::Var(op::ILOAD, 0),
            Insn::Jump(op::IFEQ, Label(label)),
            Insn::Label(Label(label)),
        ]);
    }
    full.push(Insn::Op(op::RETURN));
    let mut bodies = vec![
        ("far", "(I)V", far.concat(), 2),
        ("full", "(I)V", full, 14_000),
        ("small", "()V", vec![Insn::Op(op::RETURN)], 0),
    ];
    bodies.retain(|(name, ..)| match *name {
        "far" => with_far,
        "full" => with_full,
        _ => true,
    });
    let methods = bodies.into_iter().map(|(name, descriptor, insns, labels)| {
        let frame = Frame {
            locals: vec![VType::Int],
            stack: Vec::new(),
        };
        let code = Code {
            insns,
            labels,
            frames: (0..labels).map(|ix| (Label(ix), frame.clone())).collect(),
            ..Code::default()
        };
        Method {
            access: access::STATIC,
            name: pool.utf8(name.as_bytes()),
            descriptor: pool.utf8(descriptor.as_bytes()),
            code: Some(code),
            attributes: Vec::new(),
        }
    });
    let methods = methods.collect();
    Class {
        major: 52,
        access: access::PUBLIC | access::SUPER,
        this: pool.class(name.as_bytes()),
        parent: pool.class(b"java/lang/Object"),
        interfaces: Vec::new(),
        fields: Vec::new(),
        methods,
        attributes: Vec::new(),
        bootstraps: Vec::new(),
        pool,
    }
}

#[test]
#[ignore = "compares the jars that PROBES_JARS names, and takes minutes"]
fn named_jars_are_numbered_and_link() {
    let jars = std::env::var_os("PROBES_JARS").expect("PROBES_JARS names jars");
    let bench = Bench::new("named").expect("Maven's jars");
    for jar in std::env::split_paths(&jars) {
        let work = bench.compare(&jar);
        println!(
            "{}: {} classes, {} not read, {} probes, {} methods without; {:.0} MB/s",
            jar.file_name().unwrap().display(),
            work.classes,
            work.unread,
            work.probes,
            work.without,
            work.bytes as f64 / 1e6 / work.time.as_secs_f64()
        );
        bench.link(&[&jar]);
    }
}

#[test]
#[ignore = "runs the tests PROBES_TESTS=TESTS.jar of PROBES_LIBRARY=LIBRARY.jar"]
fn the_tests_of_a_named_library_hit_the_same_probes() {
    let library = PathBuf::from(std::env::var_os("PROBES_LIBRARY").expect("a jar"));
    let jars = std::env::var_os("PROBES_TESTS").expect("jars, the first with tests");
    let jars: Vec<PathBuf> = std::env::split_paths(&jars).collect();
    let mut bench = Bench::new("library").expect("Maven's jars");
    bench.jars.push(library.clone());
    bench.jars.extend(jars.clone());
    bench.compare_tests(&library, &jars[0]);
}
