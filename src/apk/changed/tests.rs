use super::super::axml;
use super::super::dex::tests::{Source, write};
use super::super::tests::{archive, open};
use super::*;
use crate::settings::Coverage;

const MANIFEST: &str = r#"<manifest package="a"><uses-sdk minSdkVersion="21" targetSdkVersion="34"/>
    <application><activity name=".Main" exported="true"/><activity name=".Other"/></application></manifest>"#;

fn class<'a>(name: &'a str, calls: &'a [&'a str], strings: &'a [&'a str]) -> Source<'a> {
    Source {
        name,
        constants: &[],
        calls,
        strings,
    }
}

/// How an app with these classes differs from one with those.
fn between(base: &[Source<'_>], head: &[Source<'_>]) -> Changed {
    let app = |classes: &[Source<'_>]| {
        let manifest = axml::tests::compile(MANIFEST);
        let dex = write(classes);
        open(&archive(&[
            ("AndroidManifest.xml", &manifest),
            ("classes.dex", &dex),
        ]))
    };
    let ((_base, base), (_head, head)) = (app(base), app(head));
    let (base, head) = (base.unwrap(), head.unwrap());
    let counted = Counted::new(&Coverage::default(), None, Some(&head.manifest));
    let build = |apk| Build { apk, names: None };
    compare(build(&base), build(&head), &counted).unwrap()
}

fn classes(changed: &Changed) -> Vec<&str> {
    changed.methods.iter().map(|m| m.class.as_str()).collect()
}

#[test]
fn other_tables_are_no_change_and_other_constants_and_calls_are() {
    let base = [
        class("a.Main", &["a.Near"], &["text"]),
        class("a.Near", &["a.Far"], &["one"]),
        class("a.Far", &[], &["far"]),
    ];
    // Another order of classes and strings: every index differs.
    let shuffled = [
        class("a.Far", &[], &["far"]),
        class("a.Near", &["a.Far"], &["one"]),
        class("a.Main", &["a.Near"], &["text"]),
    ];
    assert_eq!(between(&base, &shuffled).methods, []);
    let other = [
        class("a.Main", &["a.Near"], &["text"]),
        class("a.Near", &["a.Far"], &["two"]),
        class("a.Far", &["a.Main"], &["far"]),
    ];
    assert_eq!(classes(&between(&base, &other)), ["a/Far", "a/Near"]);
}

#[test]
fn numbered_classes_are_paired_by_their_code() {
    let base = [
        class("a.Main$1", &[], &["one"]),
        class("a.Main$2", &[], &["two"]),
    ];
    let head = [
        class("a.Main$1", &[], &["new"]),
        class("a.Main$2", &[], &["one"]),
        class("a.Main$3", &[], &["two"]),
    ];
    let changed = between(&base, &head);
    assert_eq!(classes(&changed), ["a/Main$1"]);
    assert!(changed.removed.is_empty());
}

#[test]
fn new_removed_and_library_methods_are_told_apart() {
    let base = [class("a.Main", &[], &[]), class("a.Gone", &[], &[])];
    let head = [
        class("a.Main", &[], &[]),
        class("a.New", &[], &[]),
        class("androidx.core.New", &[], &[]),
    ];
    let changed = between(&base, &head);
    assert_eq!(classes(&changed), ["a/New"]);
    assert!(changed.methods[0].added);
    assert_eq!((changed.removed.len(), changed.total), (1, 2));
    assert!(
        changed.removed[0].starts_with("a.Gone."),
        "{:?}",
        changed.removed
    );
}

#[test]
fn the_nearest_activity_is_the_one_with_the_fewest_steps() {
    let head = [
        class("a.Main", &["a.Helper", "a.Other"], &[]),
        class("a.Other", &["a.Deep"], &[]),
        class("a.Helper", &["a.Deeper"], &[]),
        class("a.Deeper", &["a.Deep"], &[]),
        class("a.Deep", &[], &[]),
        class("a.Alone", &[], &[]),
    ];
    let changed = between(&[class("a.Else", &[], &[])], &head);
    let near = |class: &str| {
        let found = changed.methods.iter().find(|m| m.class == class);
        found.unwrap().activity.as_deref()
    };
    assert_eq!(near("a/Deep"), Some("a.Other"));
    assert_eq!(near("a/Deeper"), Some("a.Main"));
    assert_eq!(near("a/Alone"), None);
    assert_eq!(
        changed.starts["a.Main"],
        BTreeSet::from(["a.Other".to_owned()])
    );
}
