//! Where probes are, and their numbers.

use super::*;

#[test]
fn a_jump_to_a_join_leads_to_a_landing() {
    assert_probed(
        "if L0; nop; L0:; return",
        "if L2; nop; probe 1; goto L0; L2:; probe 0; L0:; probe 2; return",
    );
}

#[test]
fn two_branches_that_join_have_a_probe_each() {
    assert_probed(
        "if L0; nop; goto L1; L0:; nop; L1:; return",
        "if L0; nop; probe 0; goto L1; L0:; nop; probe 1; L1:; probe 2; return",
    );
}

#[test]
fn a_loop_to_the_first_instruction_enters_it_past_the_landing() {
    assert_probed(
        "L0:; nop; if L0; return",
        "goto L0; L2:; probe 0; L0:; nop; if L2; probe 1; return",
    );
}

#[test]
fn nothing_continues_to_a_landing_after_a_return() {
    assert_probed(
        "if L0; if L0; return; L0:; throw",
        "if L2; if L3; probe 2; return; L3:; probe 1; goto L0; L2:; probe 0; L0:; probe 3; throw",
    );
}

#[test]
fn labels_of_a_switch_have_one_probe_for_each_place_and_the_default_the_first() {
    assert_probed(
        "switch L1 L0 L2 L1 L0; L0:; nop; L1:; nop; L2:; return",
        "switch L4 L0 L5 L4 L0; L0:; nop; probe 2; goto L1; L4:; probe 0; L1:; nop; \
         probe 3; goto L2; L5:; probe 1; L2:; probe 4; return",
    );
    assert_probed(
        "lookup L0 L0 L1; L0:; nop; L1:; return",
        "lookup L0 L0 L3; L0:; nop; probe 1; goto L1; L3:; probe 0; L1:; probe 2; return",
    );
}

#[test]
fn two_switches_to_one_place_have_a_landing_each() {
    assert_probed(
        "if L0; switch L1 L1; L0:; switch L1 L1; L1:; return",
        "if L0; switch L3 L3; L0:; switch L4 L4; L4:; probe 1; goto L1; L3:; probe 0; \
         L1:; probe 2; return",
    );
}

#[test]
fn a_line_with_a_call_begins_with_a_probe() {
    assert_probed(
        "line 1; call; line 2; nop; line 3; nop; call; line 4; return",
        "line 1; call; line 2; nop; probe 0; line 3; nop; call; line 4; probe 1; return",
    );
}

#[test]
fn a_line_that_the_class_file_does_not_have_begins_nothing() {
    // The same line again, and line 0: the call belongs to the line before, where the method begins.
    assert_probed(
        "line 1; nop; line 1; call; return",
        "line 1; nop; line 1; call; probe 0; return",
    );
    assert_probed(
        "line 1; nop; line 0; call; return",
        "line 1; nop; line 0; call; probe 0; return",
    );
    // Of two lines at one place the last is written.
    assert_probed(
        "line 1; nop; line 2; line 1; call; return",
        "line 1; nop; line 2; line 1; call; probe 0; return",
    );
    // After line 0, line 1 is new.
    assert_probed(
        "line 1; nop; line 0; nop; line 1; call; return",
        "line 1; nop; line 0; nop; probe 0; line 1; call; probe 1; return",
    );
}

#[test]
fn labels_of_one_place_count_as_one() {
    assert_probed(
        "if L0; if L1; nop; L0:; L1:; line 7; return",
        "if L3; if L4; nop; probe 2; goto L1; L4:; probe 1; goto L1; L3:; probe 0; L0:; L1:; line 7; \
         probe 3; return",
    );
}

#[test]
fn a_range_that_begins_or_ends_at_a_place_includes_or_excludes_its_probes() {
    let code = probed("try L0 L1 L2; if L0; nop; L0:; call; L1:; return; L2:; throw");
    // The start of the range is a target; its end is none.
    assert_eq!(
        listing(&code, &Pool::default())
            .split_once("astore 0; ")
            .unwrap()
            .1,
        "if L4; nop; L5:; probe 1; goto L0; L4:; probe 0; L0:; call; L1:; probe 2; return; \
         L2:; probe 3; throw"
    );
    let limits = code.tries[0];
    assert_eq!(
        (limits.start, limits.end, limits.handler),
        (Label(5), Label(1), Label(2))
    );
    // Here the end is a join.
    let code = probed("try L0 L1 L2; nop; L0:; if L1; call; L1:; return; L2:; throw");
    assert_eq!(
        listing(&code, &Pool::default())
            .split_once("astore 0; ")
            .unwrap()
            .1,
        "nop; L5:; probe 0; L0:; if L4; call; L6:; probe 2; goto L1; L4:; probe 1; L1:; probe 3; \
         return; L2:; probe 4; throw"
    );
    assert_eq!(
        (code.tries[0].start, code.tries[0].end),
        (Label(5), Label(6))
    );
}

#[test]
fn two_handlers_of_one_range_make_its_start_a_join() {
    assert_probed(
        "nop; try L0 L1 L2; L0:; nop; L1:; return; L2:; throw",
        "nop; L4:; probe 0; L0:; nop; L1:; probe 1; return; L2:; probe 2; throw",
    );
    assert_probed(
        "try L0 L1 L2; try L0 L1 L2; L0:; nop; L1:; return; L2:; throw",
        "L0:; nop; L1:; probe 0; return; L2:; probe 1; throw",
    );
}

#[test]
fn an_empty_range_is_none() {
    assert_probed(
        "nop; try L0 L0 L1; try L1 L0 L1; L0:; nop; L1:; return",
        "nop; L0:; nop; L1:; probe 0; return",
    );
}
