//! Tests of `manifest.rs`.

use super::super::axml;
use super::*;

fn read(text: &str) -> Result<Manifest, Problem> {
    let bytes = axml::tests::compile(text);
    Manifest::read(&axml::read(&bytes).unwrap(), &Resources::read(&[]))
}

const MAIN: &str = r#"<intent-filter><action name="android.intent.action.MAIN"/>
  <category name="android.intent.category.LAUNCHER"/></intent-filter>"#;

#[test]
fn class_names_are_completed_as_android_does() {
    let manifest = read(
        r#"<manifest package="a.b"><application name="App">
             <activity name=".One"/><activity name="Two"/><activity name="c.Three"/>
           </application></manifest>"#,
    )
    .unwrap();
    assert_eq!(manifest.application.as_deref(), Some("a.b.App"));
    assert_eq!(manifest.activity_names(), ["a.b.One", "a.b.Two", "c.Three"]);
    assert_eq!(manifest.label, "a.b");
}

#[test]
fn what_is_exported_follows_the_filters_where_nothing_is_written() {
    let manifest = read(
        r#"<manifest package="a.b"><uses-sdk minSdkVersion="8" targetSdkVersion="28"/><application>
             <activity name=".Plain"/>
             <activity name=".Filtered"><intent-filter><action name="x"/></intent-filter></activity>
             <activity name=".Closed" exported="false"><intent-filter><action name="x"/></intent-filter></activity>
             <service name=".Open" exported="true"/>
             <provider name=".P" authorities="a.b.one;a.b.two"/>
           </application></manifest>"#,
    )
    .unwrap();
    let exported: Vec<_> = manifest
        .activities
        .iter()
        .map(|a| a.component.exported)
        .collect();
    assert_eq!(exported, [false, true, false]);
    assert!(manifest.services[0].exported);
    assert!(!manifest.providers[0].component.exported);
    assert_eq!(manifest.providers[0].authorities, ["a.b.one", "a.b.two"]);
    assert_eq!(manifest.effective_target_sdk(), 28);
}

#[test]
fn a_launcher_alias_leads_to_its_target() {
    let manifest = read(&format!(
        r#"<manifest package="a.b"><application>
             <activity name=".Off" enabled="false">{MAIN}</activity>
             <activity name=".Home"/>
             <activity-alias name=".Icon" targetActivity=".Home">{MAIN}</activity-alias>
           </application></manifest>"#
    ))
    .unwrap();
    assert_eq!(manifest.launcher.as_deref(), Some("a.b.Home"));
    assert_eq!(manifest.aliases[0].component.name, "a.b.Icon");
}

#[test]
fn of_two_launchers_the_first_is_taken() {
    let manifest = read(&format!(
        r#"<manifest package="a.b"><application>
             <activity name=".One">{MAIN}</activity><activity name=".Two">{MAIN}</activity>
           </application></manifest>"#
    ))
    .unwrap();
    assert_eq!(manifest.launcher.as_deref(), Some("a.b.One"));
}

#[test]
fn the_coverage_harness_is_left_out() {
    let manifest = read(
        r#"<manifest package="a.b"><application>
             <activity name=".Main"/>
             <receiver name="a.b.EmmaInstrument.SMSInstrumentedReceiver"><intent-filter>
               <action name="edu.gatech.m3.emma.COLLECT_COVERAGE"/></intent-filter></receiver>
             <activity name="a.b.EmmaInstrument.InstrumentedActivity"/>
           </application></manifest>"#,
    )
    .unwrap();
    assert_eq!(manifest.activity_names(), ["a.b.Main"]);
    assert!(manifest.receivers.is_empty());
}

#[test]
fn splits_and_other_documents_are_refused() {
    assert!(matches!(
        read(r#"<manifest package="a.b" split="config.en"/>"#),
        Err(Problem::Split(_))
    ));
    assert!(matches!(read("<manifest/>"), Err(Problem::BadManifest(_))));
    assert!(matches!(read("<resources/>"), Err(Problem::BadManifest(_))));
}

#[test]
fn filters_keep_actions_and_data() {
    let manifest = read(
        r#"<manifest package="a.b"><application>
             <receiver name=".R"><intent-filter priority="5">
               <action name="one"/><action name="two"/><data scheme="http" mimeType="text/plain"/>
               <data host="*.a.org" pathPrefix="/items"/><data path="/one"/>
             </intent-filter><intent-filter><action name="one"/></intent-filter></receiver>
           </application></manifest>"#,
    )
    .unwrap();
    let receiver = &manifest.receivers[0];
    assert_eq!(receiver.actions().collect::<Vec<_>>(), ["one", "two"]);
    assert_eq!(receiver.filters[0].priority, 5);
    assert_eq!(receiver.filters[0].schemes, ["http"]);
    assert_eq!(receiver.filters[0].mime_types, ["text/plain"]);
    assert_eq!(receiver.filters[0].hosts, ["*.a.org"]);
    assert_eq!(receiver.filters[0].paths, ["/items", "/one"]);
}

#[test]
fn a_preview_is_known_by_its_code_name() {
    let sdk = |min: &str, target: &str| {
        let text = format!(
            r#"<manifest package="org.mill"><uses-sdk minSdkVersion="{min}" targetSdkVersion="{target}"/><application/></manifest>"#
        );
        read(&text).unwrap()
    };
    let known = sdk("Baklava", "CinnamonBun.0f1e2d");
    assert_eq!((known.min_sdk, known.target_sdk), (Some(36), Some(37)));
    assert_eq!(known.preview, None);
    let unknown = sdk("24", "DroneDessert");
    assert_eq!((unknown.min_sdk, unknown.target_sdk), (Some(24), None));
    assert_eq!(unknown.preview.as_deref(), Some("DroneDessert"));
    assert_eq!(unknown.effective_target_sdk(), 10_000);
    let numbers = sdk("24", "34");
    assert_eq!(
        (numbers.effective_target_sdk(), numbers.preview),
        (34, None)
    );
}
