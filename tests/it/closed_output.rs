//! Results for a reader that has gone away, as with `| true`: nobody misses them, so nothing is wrong.

use crate::common::program::{Desk, Ended};

const SUITE: &str = "[suite]\nname = \"b\"\nbudget = { events = 50 }\nseeds = [1]\n\
    [[app]]\nname = \"shop\"\nmodel = \"builtin:shop\"\n[[strategy]]\nkind = \"random\"\n\
    [[strategy]]\nkind = \"monkey\"\n";

/// Runs the program with nobody reading its output; it ends well.
fn unread(desk: &Desk, args: &str) {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let ended = Ended::of(desk.command(args).stdout(writer));
    assert_eq!(ended.code, 0, "{args}: {}", ended.err);
}

#[test]
fn no_result_needs_a_reader() {
    let desk = Desk::new(SUITE);
    for args in [
        "bench",
        "bench --no-run",
        "bench --no-run --message-format json",
        "bench fate builtin:shop --strings 3 --strategies random --steps 50 --seeds 1 --fresh",
        "bench fate builtin:shop --strings 3 --strategies random --steps 50 --seeds 1 --fresh --message-format json",
        "model check builtin:shop builtin:notes",
        "model draw builtin:shop",
        "model augment builtin:shop",
        "model generate",
    ] {
        unread(&desk, args);
    }
}
