//! Jumps lead where they should, however far that is; that a JVM takes them is in `jvm_tests`.

use super::code::{Code, Insn, Label, op};
use super::testing::{WrittenCode, add_method, class, code, frame};
use super::{read, write};

const NOP: Insn = Insn::Op(op::NOP);
const RETURN: Insn = Insn::Op(op::RETURN);

fn label(number: u32) -> Insn {
    Insn::Label(Label(number))
}

/// Code that is 32,767 bytes away is reached by a short jump of three bytes, code that is one further is not.
#[test]
fn jumps_become_long_only_when_they_have_to() {
    for (distance, first, size) in [(32_767, op::GOTO, 3), (32_768, 200, 5)] {
        let mut insns = vec![Insn::Jump(op::GOTO, Label(0))];
        insns.extend(std::iter::repeat_n(NOP, distance - 3));
        insns.extend([label(0), RETURN]);
        let mut class = class("Test");
        add_method(&mut class, "test", "()V", code(1, insns));
        let written = WrittenCode::parse(&write(&mut class).unwrap());
        assert_eq!(written.code[0], first);
        assert_eq!(written.code.len(), distance - 3 + size + 1);
    }
}

/// Each label of the test has an `iinc` of its own behind it, so that a jump's target can be found in what was written.
fn leads_to(code: &Code, mut target: Label) -> u16 {
    loop {
        let at = code
            .insns
            .iter()
            .position(|insn| *insn == Insn::Label(target))
            .unwrap();
        let next = code.insns[at..]
            .iter()
            .find(|insn| !matches!(insn, Insn::Label(_)));
        match next.unwrap() {
            Insn::Iinc(slot, _) => return *slot,
            Insn::Jump(op::GOTO, next) => target = *next,
            other => panic!("a jump leads to {other:?}"),
        }
    }
}

#[test]
fn jumps_in_code_of_nearly_the_greatest_size_lead_where_they_should() {
    let (labels, jumps) = (250, 600);
    let mut random = 1_u32;
    let mut next = |limit: u32| {
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (random >> 8) % limit
    };
    let mut insns = Vec::new();
    for number in 0..labels {
        insns.extend([label(number), Insn::Iinc(number as u16, 1)]);
        for _ in 0..jumps / labels + u32::from(number < jumps % labels) {
            let op = if next(4) == 0 { op::GOTO } else { op::IFEQ };
            insns.extend([Insn::Push(0), Insn::Jump(op, Label(next(labels)))]);
        }
        insns.extend(std::iter::repeat_n(NOP, 239));
    }
    insns.push(RETURN);
    let mut test = code(labels, insns);
    test.frames = (0..labels).map(|number| frame(number, &[])).collect();
    let targets = |code: &Code| {
        let jumps = code.insns.windows(2);
        let jumps = jumps.filter_map(|pair| match pair {
            [Insn::Push(0), Insn::Jump(_, target)] => Some(leads_to(code, *target)),
            _ => None,
        });
        jumps.collect::<Vec<_>>()
    };
    let expected = targets(&test);
    let mut class = class("Test");
    add_method(&mut class, "test", "()V", test);
    let bytes = write(&mut class).unwrap();
    let written = WrittenCode::parse(&bytes);
    assert!(written.code.len() > 63_000, "{}", written.code.len());
    let again = read(&bytes).unwrap();
    let again = again.methods[0].code.as_ref().unwrap();
    assert_eq!(expected.len(), 600);
    assert_eq!(targets(again), expected);
    assert!(again.frames.len() > labels as usize);
}
