//! Tests of `reachable.rs` on APKs made here.

use super::super::dex::tests::{Source, write};
use super::super::tests::{archive, open};
use super::super::{axml, tests};
use super::*;

fn class<'a>(
    name: &'a str,
    constants: &'a [&'a str],
    calls: &'a [&'a str],
    strings: &'a [&'a str],
) -> Source<'a> {
    Source {
        name,
        constants,
        calls,
        strings,
    }
}

fn reached(components: &str, dexes: &[Vec<u8>], resources: &[(&str, &str)]) -> Vec<String> {
    let text = format!(
        r#"<manifest package="a"><uses-sdk minSdkVersion="21" targetSdkVersion="34"/><application name=".App">
             <activity name=".Main" exported="true"><intent-filter><action name="android.intent.action.MAIN"/>
               <category name="android.intent.category.LAUNCHER"/></intent-filter></activity>
             {components}</application></manifest>"#
    );
    let mut entries = vec![(
        "AndroidManifest.xml".to_owned(),
        axml::tests::compile(&text),
    )];
    for (ix, dex) in dexes.iter().enumerate() {
        let number = if ix == 0 {
            String::new()
        } else {
            (ix + 1).to_string()
        };
        entries.push((format!("classes{number}.dex"), dex.clone()));
    }
    for (name, text) in resources {
        entries.push(((*name).to_owned(), axml::tests::compile(text)));
    }
    let entries: Vec<_> = entries
        .iter()
        .map(|(n, b)| (n.as_str(), b.as_slice()))
        .collect();
    let (_file, apk) = open(&archive(&entries));
    reachable_activities(&apk.unwrap()).unwrap()
}

#[test]
fn activities_are_reached_through_code_that_is_reached() {
    let components = r#"<activity name=".Second"/><activity name=".Third"/><activity name=".Never"/>
        <activity name=".Called"/>"#;
    let dex = write(&[
        class("a.Main", &["a.Second"], &["a.Helper"], &[]),
        // The helper is only called; what it names counts all the same.
        class("a.Helper", &["a.Third"], &[], &[]),
        class("a.Second", &[], &["a.Called"], &[]),
        class("a.Third", &[], &[], &[]),
        class("a.Called", &[], &[], &[]),
        class("a.Unused", &["a.Never"], &[], &[]),
        class("a.Never", &[], &[], &[]),
    ]);
    // To call a method of an activity is not to start it.
    assert_eq!(
        reached(components, &[dex], &[]),
        ["a.Main", "a.Second", "a.Third"]
    );
}

#[test]
fn names_in_strings_count_in_every_spelling() {
    let components = r#"<activity name=".One"/><activity name=".Two"/><activity name=".Three"/>
        <activity name=".Four"/><activity-alias name=".Icon" targetActivity=".Four"/>
        <activity name=".Five" exported="false"><intent-filter><action name="a.SHOW"/></intent-filter></activity>
        <activity name=".Six"/>"#;
    let names = ["a.One", "a/Two", ".Three", "a.Icon", "a.SHOW", "xa.Six"];
    let dex = write(&[class("a.Main", &[], &[], &names)]);
    let expected = ["a.Main", "a.One", "a.Two", "a.Three", "a.Four", "a.Five"];
    assert_eq!(reached(components, &[dex], &[]), expected);
}

#[test]
fn exported_ones_and_parents_are_reached_without_code() {
    let components = r#"<activity name=".Share" exported="true" parentActivityName=".Parent"/>
        <activity name=".Parent"><meta-data name="android.support.PARENT_ACTIVITY" value=".Older"/></activity>
        <activity name=".Older"/>
        <activity name=".Guarded" exported="true" permission="a.P"/>
        <activity name=".Off" exported="true" enabled="false"/>"#;
    let dex = write(&[class("a.Main", &[], &[], &[])]);
    let expected = ["a.Main", "a.Share", "a.Parent", "a.Older"];
    assert_eq!(reached(components, &[dex], &[]), expected);
}

#[test]
fn resources_name_activities_and_code() {
    let components = r#"<activity name=".Target"/><activity name=".FromView"/>"#;
    let dex = write(&[
        class("a.Main", &[], &[], &[]),
        class("a.BigView", &["a.FromView"], &[], &[]),
        class("a.FromView", &[], &[], &[]),
    ]);
    let resources = [
        (
            "res/xml/preferences.xml",
            r#"<intent targetClass="a.Target"/>"#,
        ),
        ("res/layout/main.xml", "<a.BigView/>"),
    ];
    let expected = ["a.Main", "a.Target", "a.FromView"];
    assert_eq!(reached(components, &[dex], &resources), expected);
}

#[test]
fn the_application_services_and_other_dex_files_are_followed() {
    let components = r#"<activity name=".FromApp"/><activity name=".FromService"/><activity name=".FromOwn"/>
        <service name=".Service" exported="true"/><service name=".OwnService"/>"#;
    let first = write(&[
        class("a.Main", &[], &[], &[]),
        class("a.App", &["a.FromApp"], &[], &[]),
        class("a.FromApp", &[], &[], &[]),
        class("a.FromOwn", &[], &[], &[]),
    ]);
    let second = write(&[
        class("a.Service", &["a.FromService"], &[], &[]),
        class("a.FromService", &[], &[], &[]),
        class("a.OwnService", &["a.FromOwn"], &[], &[]),
        // Android loads the first of two classes of one name.
        class("a.Main", &["a.FromOwn"], &[], &[]),
    ]);
    let expected = ["a.Main", "a.FromApp", "a.FromService"];
    assert_eq!(reached(components, &[first, second], &[]), expected);
}

#[test]
fn a_broken_dex_file_is_one_line() {
    let (_file, apk) = open(&tests::whole());
    let error = reachable_activities(&apk.unwrap()).unwrap_err();
    assert_eq!(error.problem.code(), "apk-bad-dex");
    let text = error.to_string();
    let (_, text) = text.split_once(".apk: ").unwrap();
    assert_eq!(
        text,
        "its classes.dex cannot be understood: its header is cut off; \
         build it again, or get it from its publisher"
    );
}
