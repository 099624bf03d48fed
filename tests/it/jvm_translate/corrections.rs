//! What dex2jar alone translates wrongly without a word, and the device must not.

use super::{altered, printed, ready, translated};
use crate::common;
use droidtest::device::jvm::cache::Cache;
use droidtest::device::jvm::parts::Parts;
use droidtest::device::jvm::verify;
use droidtest::device::progress::Watch;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::Path;
use zip::write::{SimpleFileOptions, ZipWriter};

/// The sample app with the dex files of `tests/apps`, as `classes.dex`, `classes2.dex` and so on.
fn with_dex_files(files: &[&str], to: &Path) {
    altered(to, |name, bytes| (name != "classes.dex").then_some(bytes));
    let apk = OpenOptions::new().read(true).write(true).open(to).unwrap();
    let mut zip = ZipWriter::new_append(apk).unwrap();
    for (number, file) in (1..).zip(files) {
        let name = match number {
            1 => "classes.dex".to_owned(),
            _ => format!("classes{number}.dex"),
        };
        zip.start_file(name, SimpleFileOptions::default()).unwrap();
        zip.write_all(&fs::read(common::app(file)).unwrap())
            .unwrap();
    }
    zip.finish().unwrap();
}

/// What the class `Main` of a folder of `tests/apps` prints after D8's debug mode and after its release mode.
fn both_modes(parts: &Parts, folder: &str) -> [String; 2] {
    ["debug", "release"].map(|mode| {
        let temporary = tempfile::tempdir().unwrap();
        let cache = Cache::at(temporary.path().join("cache"));
        let apk = temporary.path().join("app.apk");
        with_dex_files(&[&format!("{folder}/{mode}.dex")], &apk);
        let found = verify::verify(&cache, parts, &apk, &Watch::silent()).unwrap();
        assert_eq!(found["failing_methods"], 0, "{folder}, {mode}: {found}");
        printed(parts, &cache, &apk, &format!("{folder}.Main"))
    })
}

#[test]
fn handlers_catch_what_each_kind_of_instruction_throws() {
    let Some(parts) = ready() else { return };
    // As the source prints on a JVM without the class `Absent`.
    let expected = [
        "load -1",
        "loadUnused -1",
        "loadObject -1",
        "loadNull -1",
        "loadSwitch -1",
        "storeLong -1",
        "store -1",
        "storeWrongKind -1",
        "progress 207",
        "progress 104",
        "progress 0",
        "finally 3000",
        "loop 4",
        "nested -1",
        "mixed -1",
        "divide -1",
        "remainder -1",
        "remainderLong -1",
        "remainderUnused -1",
        "remainderFirst -1",
        "remainderOutside -1",
        "remainderState 2/3",
        "remainderFloat 4.0",
        "cast -1",
        "castUnused -1",
        "length -1",
        "read -1",
        "write -1",
        "readStatic -1",
        "make -1",
        "newArray -1",
        "newArrays -1",
        "filled -1",
        "lock -1",
        "lockAround -1",
        "invoke x",
        "box -1",
        "raise -1",
        "constantClass -1",
        "constantState false/true",
        "instance -1",
    ];
    for said in both_modes(&parts, "handlers") {
        assert_eq!(said.lines().collect::<Vec<_>>(), expected);
    }
}

#[test]
fn arrays_have_their_initial_values_once() {
    let Some(parts) = ready() else { return };
    // As the source prints on a JVM: most numbers are hashes of an array's elements.
    let expected = [
        "once -1459718768",
        "bytes -649293557",
        "shorts 196634851",
        "chars 1470687459",
        "ints 710727843",
        "longs -539729559",
        "floats 1643056187",
        "doubles 1540617275",
        "booleans -389007135",
        "strings 536518980",
        "counted 8",
        "countedStrings 4",
        "half [1, 7, 3][1, 2, 3]",
        "refilled [6, 6]",
        "order 1",
        "stored refused",
        "outOfRange refused",
        "below refused",
        "table -1938160255",
    ];
    for said in both_modes(&parts, "arrays") {
        assert_eq!(said.lines().collect::<Vec<_>>(), expected);
    }
}

#[test]
fn of_two_definitions_of_a_class_the_first_holds_everywhere() {
    let Some(parts) = ready() else { return };
    let folder = tempfile::tempdir().unwrap();
    let cache = Cache::at(folder.path().join("cache"));
    let apk = folder.path().join("twice.apk");
    with_dex_files(&["twice/classes.dex", "twice/classes2.dex"], &apk);
    let said = printed(&parts, &cache, &apk, "twice.Main");
    let expected = ["first 4", "true", "InstantiationError", "other", "8", "1"];
    assert_eq!(said.lines().collect::<Vec<_>>(), expected);
    let made = translated(&cache, &parts, &super::app(&apk)).unwrap();
    assert_eq!(made.summary.classes, 5);
    let found = verify::verify(&cache, &parts, &apk, &Watch::silent()).unwrap();
    assert_eq!(found["failing_methods"], 0, "{found}");
}

#[test]
fn methods_that_no_class_file_has_room_for_run_and_are_one_frame_of_a_trace() {
    let Some(parts) = ready() else { return };
    let folder = tempfile::tempdir().unwrap();
    let cache = Cache::at(folder.path().join("cache"));
    let apk = folder.path().join("app.apk");
    with_dex_files(
        &["../../crates/dex2class/tests/cases/large/classes.dex"],
        &apk,
    );
    let found = verify::verify(&cache, &parts, &apk, &Watch::silent()).unwrap();
    assert_eq!(found["failing_methods"], 0, "{found}");
    let said = printed(&parts, &cache, &apk, "Large");
    let expected = [
        "Large.tThrows(Large.java:7777)",
        "Large.main(Large.java)",
        "-8916 341 328 6576533557705165600 -3.663493115656197E8 49.459305 1557281508 ",
    ];
    assert_eq!(said.lines().collect::<Vec<_>>(), expected);
}
