//! Class files of compilers, read and written again.

use super::code::{Insn, Label, VType, op};
use super::testing::{TestFolder, add_method, class, code, frame, run};
use super::{ReadError, read, write};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The class files below a folder.
fn class_files(folder: &Path) -> Vec<PathBuf> {
    let mut all = Vec::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|end| end == "class") {
                all.push(path);
            }
        }
    }
    all
}

/// A JVM whose own classes were read and written again starts, and finds no fault in those that it loads.
#[test]
fn a_jvm_starts_with_its_own_classes_written_again() {
    let folder = TestFolder::new("patched");
    let settings = run("java", &["-XshowSettings:properties", "-version"], &folder);
    let settings = String::from_utf8_lossy(&settings.stderr).into_owned();
    let home = settings
        .lines()
        .find_map(|line| line.trim().strip_prefix("java.home = "));
    let image = format!("{}/lib/modules", home.expect("java names its home"));
    let pattern = "regex:/java.base/java/lang/[^/]*[.]class";
    let extracted = run(
        "jimage",
        &["extract", "--include", pattern, &image],
        &folder,
    );
    assert!(extracted.status.success(), "{extracted:?}");
    let (mut classes, mut with_code) = (0, 0);
    for path in class_files(&folder.0) {
        let mut class = read(&fs::read(&path).unwrap()).unwrap();
        let bytes = write(&mut class).unwrap();
        classes += 1;
        with_code += class
            .methods
            .iter()
            .filter(|each| each.code.is_some())
            .count();
        fs::write(path, bytes).unwrap();
    }
    assert!(
        classes > 200 && with_code > 2_000,
        "{classes} classes, {with_code} methods"
    );

    let patch = [
        "--patch-module",
        "java.base=java.base",
        "-Xverify:all",
        "-version",
    ];
    let output = run("java", &patch, &folder);
    assert!(output.status.success(), "{output:?}");
}

/// A class with most kinds of instructions and tables, compiled once.
fn sample() -> &'static [u8] {
    static SAMPLE: OnceLock<Vec<u8>> = OnceLock::new();
    SAMPLE.get_or_init(compile_sample)
}

fn compile_sample() -> Vec<u8> {
    let folder = TestFolder::new("sample");
    fs::write(folder.0.join("Sample.java"), include_str!("Sample.java")).unwrap();
    let output = run("javac", &["-g", "Sample.java"], &folder);
    assert!(output.status.success(), "{output:?}");
    fs::read(folder.0.join("Sample.class")).unwrap()
}

#[test]
fn what_a_compiler_wrote_stays_the_same_but_for_the_pool() {
    let bytes = sample();
    let mut first = read(bytes).unwrap();
    let numbers: Vec<_> = first.pool.entries().to_vec();
    let again = write(&mut first).unwrap();
    let second = read(&again).unwrap();
    assert_eq!(second.pool.entries()[..numbers.len()], numbers);
    assert_eq!(first.bootstraps, second.bootstraps);
    assert!(!first.bootstraps.is_empty());
    for (one, other) in first.methods.iter().zip(&second.methods) {
        let (Some(one), Some(other)) = (&one.code, &other.code) else {
            continue;
        };
        assert_eq!(one.insns, other.insns);
        assert_eq!(one.tries, other.tries);
        assert_eq!(one.frames, other.frames);
        assert_eq!(one.locals, other.locals);
    }
    let all = || first.methods.iter().filter_map(|each| each.code.as_ref());
    assert!(all().any(|code| code.locals.iter().any(|each| each.signature != 0)));
    assert!(all().any(|code| code.frames.len() > 3 && code.tries.len() > 1));
}

/// Bytes come from outside: no change to them may end the process, and what can be read can be written or is refused.
#[test]
fn damaged_files_are_refused_or_read() {
    let bytes = sample();
    let mut random = 7_u32;
    let mut next = |limit: usize| {
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (random >> 8) as usize % limit
    };
    let (mut refused, mut accepted) = (0, 0);
    for _ in 0..2_000 {
        let mut damaged = bytes.to_vec();
        for _ in 0..=next(3) {
            let at = next(damaged.len());
            damaged[at] = [0, 1, 0x7f, 0xff, next(256) as u8][next(5)];
        }
        if next(10) == 0 {
            damaged.truncate(next(bytes.len()));
        }
        match read(&damaged) {
            Ok(mut class) => {
                accepted += 1;
                let _ = write(&mut class);
            }
            Err(_) => refused += 1,
        }
    }
    assert!(
        refused > 250 && accepted > 250,
        "{refused} refused, {accepted} accepted"
    );
}

#[test]
fn subroutines_are_named_as_unsupported() {
    let mut class = class("Old");
    let insns = vec![
        Insn::Op(168),
        Insn::Op(op::NOP),
        Insn::Op(op::NOP),
        Insn::Op(op::RETURN),
    ];
    add_method(&mut class, "test", "()V", code(0, insns));
    let bytes = write(&mut class).unwrap();
    assert!(matches!(read(&bytes), Err(ReadError::Unsupported(_))));
}

/// Each frame but the first is a byte that stands for 65,535 types.
#[test]
fn frames_that_grow_without_bytes_are_refused() {
    let frames = 70;
    let mut insns = Vec::new();
    for number in 0..frames {
        insns.extend([Insn::Label(Label(number)), Insn::Op(op::NOP)]);
    }
    insns.push(Insn::Op(op::RETURN));
    let mut test = code(frames, insns);
    let locals = [VType::Int; 0xffff];
    test.frames = (0..frames).map(|number| frame(number, &locals)).collect();
    let mut class = class("Large");
    test.max_locals = 0xffff;
    add_method(&mut class, "test", "()V", test);
    let bytes = write(&mut class).unwrap();
    assert!(bytes.len() < 70_000);
    assert!(matches!(read(&bytes), Err(ReadError::TooLarge)));
}
