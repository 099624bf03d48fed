//! Tests of retracing stacks of shrunk code.

use super::super::fingerprint::parse;
use super::*;
use std::path::Path;

/// The source's frames of a stack, as text.
fn retrace(mapping: &str, stack: &str) -> Vec<String> {
    let mapping = Mapping::parse(mapping, Path::new("mapping.txt")).unwrap();
    let chain = parse(stack);
    let frames = chain.iter().flat_map(|thrown| mapping.retrace(thrown));
    frames.flatten().map(|frame| frame.to_string()).collect()
}

const INLINED: &str = r#"org.mill.Wheel -> b.a:
# {"id":"sourceFile","fileName":"Wheel.kt"}
    int spokes -> a
org.mill.Broken -> b.x:
org.mill.Mill -> b.b:
# {"id":"sourceFile","fileName":"Mill.kt"}
    4:4:int org.mill.Wheel.turn():11:11 -> a
    4:4:void grind(org.mill.Wheel):30 -> a
      # {"id":"com.android.tools.r8.rewriteFrame","conditions":["throws(Ljava/lang/NullPointerException;)"],"actions":["removeInnerFrames(1)"]}
    5:9:int org.mill.Wheel.turn():12:16 -> a
      # {"id":"com.android.tools.r8.rewriteFrame","conditions":["throws(Lb/x;)"],"actions":["removeInnerFrames(1)"]}
    5:9:void grind(org.mill.Wheel):31 -> a
    10:10:int org.mill.Wheel.stop():20:20 -> a
      # {"id":"com.android.tools.r8.rewriteFrame","conditions":["throws(Lb/x;)","since(31)"],"actions":["removeInnerFrames(1)"]}
    10:10:void grind(org.mill.Wheel):32:32 -> a
"#;

#[test]
fn the_exception_decides_whether_inlined_frames_count() {
    let at = |exception: &str, line: u32| {
        retrace(INLINED, &format!("{exception}: x\n\tat b.b.a(S:{line})\n"))
    };
    let null = "java.lang.NullPointerException";
    assert_eq!(at(null, 4), ["org.mill.Mill.grind(Mill.kt:30)"]);
    let both = [
        "org.mill.Wheel.turn(Wheel.kt:11)",
        "org.mill.Mill.grind(Mill.kt:30)",
    ];
    assert_eq!(at("java.lang.IllegalStateException", 4), both);
    // The app's own class, under either name.
    assert_eq!(at("b.x", 7), ["org.mill.Mill.grind(Mill.kt:31)"]);
    assert_eq!(at("org.mill.Broken", 7), at("b.x", 7));
    let at_14 = [
        "org.mill.Wheel.turn(Wheel.kt:14)",
        "org.mill.Mill.grind(Mill.kt:31)",
    ];
    assert_eq!(at(null, 7), at_14);
    // A condition that is not known does not hold.
    assert_eq!(at("b.x", 10).len(), 2);
}

#[test]
fn each_exception_of_a_chain_counts_for_its_first_frame_alone() {
    let stack = "java.lang.RuntimeException\n\tat b.b.a(S:4)\n\
        Caused by: java.lang.NullPointerException\n\tat b.b.a(S:4)\n\tat b.b.a(S:4)\n";
    let inner = "org.mill.Wheel.turn(Wheel.kt:11)";
    let outer = "org.mill.Mill.grind(Mill.kt:30)";
    let expected = [inner, outer, outer, inner, outer];
    assert_eq!(retrace(INLINED, stack), expected);
}

#[test]
fn outlines_within_outlines_lead_to_the_line_of_the_caller() {
    let mapping = r#"org.mill.Cut1 -> o.a:
    4:4:int cut():0:0 -> a
      # {"id":"com.android.tools.r8.outline"}
org.mill.Cut2 -> o.b:
    6:6:int cut():0:0 -> a
      # {"id":"com.android.tools.r8.outlineCallsite","positions":{"4":43}}
    42:43:int cut():0:0 -> a
      # {"id":"com.android.tools.r8.outline"}
org.mill.Mill -> o.c:
# {"id":"sourceFile","fileName":"Mill.kt"}
    1:1:void org.mill.Sack.fill():42:42 -> a
    1:1:void grind():90 -> a
    10:11:void grind():98:99 -> a
    28:28:void grind():0:0 -> a
      # {"id":"com.android.tools.r8.outlineCallsite","positions":{"9":10},"outline":"Lo/z;q()V"}
      # {"id":"com.android.tools.r8.outlineCallsite","positions":{"42":1,"43":11},"outline":"Lo/b;a()I"}
"#;
    let stack = "java.io.IOException: x\n\tat o.a.a(:4)\n\tat o.b.a(:6)\n\tat o.c.a(:28)\n";
    assert_eq!(retrace(mapping, stack), ["org.mill.Mill.grind(Mill.kt:99)"]);
    let inlined = "java.io.IOException: x\n\tat o.b.a(:42)\n\tat o.c.a(:28)\n";
    let expected = [
        "org.mill.Sack.fill(Sack.kt:42)",
        "org.mill.Mill.grind(Mill.kt:90)",
    ];
    assert_eq!(retrace(mapping, inlined), expected);
    // Without the outline's frame nothing says which of the lines it was.
    let bare = retrace(mapping, "java.io.IOException: x\n\tat o.c.a(:28)\n");
    assert_eq!(bare, ["org.mill.Mill.grind(Mill.kt)"]);
}

#[test]
fn of_overloads_the_range_with_the_line_counts() {
    let mapping = "org.mill.Sack -> s.s:\n# {\"id\":\"sourceFile\",\"fileName\":\"Sack.kt\"}\n    \
        void tie(int) -> a\n    void open() -> a\n    7:8:void fill(java.lang.String):50:51 -> a\n    \
        9:9:void fill(byte[]):60:60 -> a\n    1:5:void weigh():70:70 -> b\n    6:6:void lift() -> b\n";
    let at = |method: &str, place: &str| {
        let stack = format!("java.lang.Error\n\tat s.s.{method}({place})\n");
        retrace(mapping, &stack).join(" ")
    };
    assert_eq!(at("a", "S:8"), "org.mill.Sack.fill(Sack.kt:51)");
    assert_eq!(at("a", "S:9"), "org.mill.Sack.fill(Sack.kt:60)");
    assert_eq!(at("a", "S:3"), "org.mill.Sack.tie(Sack.kt:3)");
    assert_eq!(at("a", "Unknown Source"), "org.mill.Sack.tie(Sack.kt)");
    // Five lines of the shrunk code came from one.
    assert_eq!(at("b", "S:4"), "org.mill.Sack.weigh(Sack.kt:70)");
    assert_eq!(at("b", "S:6"), "org.mill.Sack.lift(Sack.kt:6)");
    assert_eq!(at("c", "S:6"), "org.mill.Sack.c(Sack.kt:6)");
}

#[test]
fn methods_that_the_compiler_made_up_are_left_out_where_another_frame_stays() {
    let mapping = r#"org.mill.Mill -> m.m:
    1:1:void lambda$grind$0():8:8 -> a
org.mill.Mill$$ExternalSyntheticLambda0 -> m.l:
# {"id":"com.android.tools.r8.synthesized"}
    1:1:void org.mill.Mill.lambda$stop$1():9:9 -> onClick
    1:1:void onClick(android.view.View):0 -> onClick
      # {"id":"com.android.tools.r8.synthesized"}
    void run() -> run
      # {"id":"com.android.tools.r8.synthesized"}
"#;
    let names = |stack: &str| {
        let frames = retrace(mapping, &format!("java.lang.Error\n{stack}"));
        let name = |frame: &String| frame.split('(').next().unwrap().to_owned();
        frames.iter().map(name).collect::<Vec<_>>()
    };
    let inner = names("\tat m.m.a(S:1)\n\tat m.l.run(S:5)\n\tat x.Y.z(Z.java:1)\n");
    assert_eq!(inner, ["org.mill.Mill.lambda$grind$0", "x.Y.z"]);
    let inlined = names("\tat m.l.onClick(S:1)\n");
    assert_eq!(inlined, ["org.mill.Mill.lambda$stop$1"]);
    let alone = names("\tat m.l.run(S:5)\n");
    assert_eq!(alone, ["org.mill.Mill$$ExternalSyntheticLambda0.run"]);
}

#[test]
fn a_line_is_named_only_where_it_is_known() {
    let mapping = "org.mill.Wheel -> b.a:\n    1:3:void turn():11:13 -> a\n    4:4:void turn():10:10 -> a\n    \
        1:1:void stop():20:20 -> b\n    2:2:void stop(int):21:21 -> b\n    5:5:void rest():30:30 -> c\n";
    let at = |frame: &str| retrace(mapping, &format!("java.lang.Error\n\tat b.a.{frame}\n"));
    assert_eq!(
        at("a(SourceFile:2)"),
        ["org.mill.Wheel.turn(Wheel.java:12)"]
    );
    assert_eq!(at("a(SourceFile:27)"), ["org.mill.Wheel.turn(Wheel.java)"]);
    assert_eq!(at("a(Unknown Source)"), ["org.mill.Wheel.turn(Wheel.java)"]);
    assert_eq!(at("b(SourceFile)"), ["org.mill.Wheel.stop(Wheel.java)"]);
    assert_eq!(
        at("c(Unknown Source)"),
        ["org.mill.Wheel.rest(Wheel.java:30)"]
    );
}

#[test]
fn a_range_of_0_is_that_of_a_stack_without_lines() {
    let mapping = "org.mill.Wheel -> b.a:\n    0:0:void turn():42:42 -> a\n    0:0:void grind():28 -> a\n    \
        1:1:void grind():153:153 -> a\n";
    let stack = "java.lang.Error\n\tat b.a.a(Unknown Source)\n";
    let both = [
        "org.mill.Wheel.turn(Wheel.java:42)",
        "org.mill.Wheel.grind(Wheel.java:28)",
    ];
    assert_eq!(retrace(mapping, stack), both);
}

#[test]
fn overloads_without_a_range_have_no_line_of_one_of_them() {
    let mapping = "org.mill.Wheel -> b.a:\n    void turn():7 -> a\n    void stop(int):11 -> a\n";
    let found = retrace(mapping, "java.lang.Error\n\tat b.a.a(Unknown Source)\n");
    assert_eq!(found, ["org.mill.Wheel.turn(Wheel.java)"]);
}

#[test]
fn a_range_that_ends_before_it_begins_is_none() {
    let mapping =
        "org.mill.Wheel -> b.a:\n    5:3:void turn() -> a\n    2:5:void stop():5:2 -> b\n";
    let at = |name: &str| {
        let stack = format!("java.lang.Error\n\tat b.a.{name}(S:3)\n");
        retrace(mapping, &stack)
    };
    assert_eq!(at("a"), ["org.mill.Wheel.turn(Wheel.java:3)"]);
    assert_eq!(at("b"), ["org.mill.Wheel.stop(Wheel.java:3)"]);
}

#[test]
fn the_line_is_behind_the_last_colon() {
    let mapping = "org.mill.Wheel -> b.a:\n    1:3:void turn():99:101 -> a\n";
    let found = retrace(mapping, "java.lang.Error\n\tat b.a.a(:x::y:2)\n");
    assert_eq!(found, ["org.mill.Wheel.turn(Wheel.java:100)"]);
}

#[test]
fn an_inlined_class_is_in_a_file_of_the_language_around_it() {
    let mapping = "org.mill.Wheel -> b.a:\n# {\"id\":\"sourceFile\",\"fileName\":\"Wheel.kt\"}\n    \
        2:2:void org.mill.Cog$Tooth.bite():42:42 -> a\n    2:2:void turn():102 -> a\n";
    let both = [
        "org.mill.Cog$Tooth.bite(Cog.kt:42)",
        "org.mill.Wheel.turn(Wheel.kt:102)",
    ];
    let found = retrace(mapping, "java.lang.Error\n\tat b.a.a(SourceFile:2)\n");
    assert_eq!(found, both);
}

#[test]
fn functions_of_a_file_are_in_the_file() {
    let mapping = "org.mill.WheelKt -> b.a:\n    1:1:void turn():11:11 -> a\n";
    let at = |file: &str| retrace(mapping, &format!("java.lang.Error\n\tat b.a.a({file}:1)\n"));
    assert_eq!(at("SourceFile"), ["org.mill.WheelKt.turn(Wheel.kt:11)"]);
    assert_eq!(at("Wheel.kt"), ["org.mill.WheelKt.turn(Wheel.kt:11)"]);
    assert_eq!(
        at("WheelKt.java"),
        ["org.mill.WheelKt.turn(WheelKt.java:11)"]
    );
}
