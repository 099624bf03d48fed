//! Tests of reading mappings.

use super::super::fingerprint::parse;
use super::*;

const TEXT: &str = "# compiler: R8\ncom.x.Main -> a.b:\n    int count -> a\n    1:3:void save(int):20:22 -> a\n    \
    4:9:void load() -> a\n    10:10:int com.x.Util.first(int):7:7 -> a\n    10:10:void load():31:31 -> a\n    1:1:void com.x.Util.check():5:5 -> c\n";

fn retrace(class: &str, method: &str, line: u32) -> (String, String) {
    let mapping = Mapping::parse(TEXT, Path::new("mapping.txt")).unwrap();
    mapping.retrace_v1(&Frame {
        class,
        method,
        place: "",
        line: Some(line),
    })
}

#[test]
fn overloads_are_told_by_their_lines() {
    assert_eq!(retrace("a.b", "a", 2), ("com.x.Main".into(), "save".into()));
    assert_eq!(retrace("a.b", "a", 5), ("com.x.Main".into(), "load".into()));
}

#[test]
fn an_inlined_method_keeps_its_class() {
    assert_eq!(
        retrace("a.b", "c", 1),
        ("com.x.Util".into(), "check".into())
    );
}

#[test]
fn inlined_methods_are_given_from_the_inside_out() {
    let mapping = Mapping::parse(TEXT, Path::new("mapping.txt")).unwrap();
    let chain = parse("java.lang.Error\n\tat a.b.a(SourceFile:10)\n");
    let frames = mapping.retrace(&chain[0]).remove(0);
    let names: Vec<_> = frames
        .iter()
        .map(|frame| format!("{}.{}", frame.class, frame.method))
        .collect();
    assert_eq!(names, ["com.x.Util.first", "com.x.Main.load"]);
    assert_eq!(mapping.class("a.b"), "com.x.Main");
    assert_eq!(mapping.class("z"), "z");
}

#[test]
fn unknown_names_stay() {
    assert_eq!(retrace("z.z", "q", 1), ("z.z".into(), "q".into()));
}

#[test]
fn a_bad_line_is_named() {
    let error = Mapping::parse("com.x.Main -> a:\nnonsense\n", Path::new("m.txt")).unwrap_err();
    assert_eq!(
        error.to_string(),
        "m.txt:2: not a mapping line: \"nonsense\""
    );
}

#[test]
fn only_the_members_of_classes_that_frames_name_are_read() {
    let class = |n: usize| {
        format!(
            "com.x.C{n} -> a.c{n}:\n# {{\"id\":\"sourceFile\",\"fileName\":\"C{n}.kt\"}}\n    1:3:void run():{n}:{n} -> a\r\n"
        )
    };
    let text: String = (0..10_000).map(class).collect();
    let mapping = Mapping::parse(text, Path::new("m.txt")).unwrap();
    assert_eq!((mapping.classes.len(), mapping.opened()), (10_000, 0));
    let frame = Frame {
        class: "a.c77",
        method: "a",
        place: "",
        line: Some(2),
    };
    assert_eq!(
        mapping.retrace_v1(&frame),
        ("com.x.C77".into(), "run".into())
    );
    assert_eq!(
        crate::apk::Names::file(&mapping, "a.c9999"),
        Some("C9999.kt")
    );
    assert_eq!((mapping.class("a.c5"), mapping.opened()), ("com.x.C5", 2));
}
