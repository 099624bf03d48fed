//! Small APKs made here, and what is read in them.

use super::super::axml::tests::compile;
use super::super::dex::tests::{Source, write};
use super::super::tests::{archive, open};
use super::*;

const ACTIVITY: &str = r#"<activity name=".Main" exported="true"><intent-filter>
    <action name="android.intent.action.MAIN"/><category name="android.intent.category.LAUNCHER"/>
  </intent-filter></activity>"#;

/// The needs of an app with these parts of its manifest, these strings and calls in its code, and these files.
fn needs_of(head: &str, body: &str, strings: &[&str], files: &[&str]) -> Needs {
    let manifest = compile(&format!(
        r#"<manifest package="a.b"><uses-sdk minSdkVersion="21" targetSdkVersion="34"/>{head}
           <application>{ACTIVITY}{body}</application></manifest>"#
    ));
    let code = write(&[Source {
        name: "a.b.Main",
        constants: &[],
        calls: &[],
        strings,
    }]);
    let mut entries = vec![
        ("AndroidManifest.xml", manifest.as_slice()),
        ("classes.dex", code.as_slice()),
    ];
    entries.extend(files.iter().map(|name| (*name, &b"x"[..])));
    let bytes = archive(&entries);
    let (_file, apk) = open(&bytes);
    needs(&apk.unwrap()).unwrap()
}

fn verdict(needs: &Needs) -> String {
    needs.on_jvm().to_string()
}

#[test]
fn a_plain_app_is_supported() {
    let needs = needs_of("", "", &["a text"], &[]);
    assert_eq!(verdict(&needs), "supported");
    assert_eq!((needs.min_sdk, needs.target_sdk), (Some(21), Some(34)));
    assert_eq!(needs.dex_versions, [35]);
    assert!(!needs.compose && needs.launcher);
}

#[test]
fn compose_is_known_by_a_text_that_shrinkers_keep() {
    let needs = needs_of("", "", &["androidx.compose.ui.semantics.testTag"], &[]);
    assert!(needs.compose);
    assert_eq!(verdict(&needs), "supported");
}

#[test]
fn engines_need_an_emulator() {
    let needs = needs_of("", "", &[], &["lib/x86/libflutter.so"]);
    assert_eq!(needs.engines, [Engine::Flutter]);
    assert_eq!(
        verdict(&needs),
        "use an emulator: drawn by Flutter, in native code"
    );
}

#[test]
fn a_native_library_counts_where_code_names_it() {
    let files = ["lib/x86/libfoo.so", "lib/x86/libandroidx.graphics.path.so"];
    let silent = needs_of("", "", &[], &files);
    assert_eq!(verdict(&silent), "supported");
    let loaded = needs_of("", "", &["foo", "androidx.graphics.path"], &files);
    assert_eq!(verdict(&loaded), "limited: the native library libfoo.so");
    let store = needs_of("", "", &["mmkv"], &["lib/x86/libmmkv.so"]);
    assert_eq!(
        verdict(&store),
        "use an emulator: its data are kept by the native libmmkv.so"
    );
}

#[test]
fn the_manifest_tells_of_hardware_libraries_and_splits() {
    let head = r#"<uses-feature name="android.hardware.nfc"/>
      <uses-feature name="android.hardware.camera" required="false"/>"#;
    let body = r#"<uses-library name="com.vendor.sdk"/>
      <uses-library name="org.apache.http.legacy"/><uses-library name="x.y" required="false"/>
      <meta-data name="com.android.vending.splits.required" value="true"/>"#;
    let needs = needs_of(head, body, &[], &[]);
    assert_eq!(needs.features, ["android.hardware.nfc"]);
    assert_eq!(
        needs.libraries,
        ["com.vendor.sdk", "org.apache.http.legacy"]
    );
    assert!(needs.splits_required);
    assert_eq!(
        verdict(&needs),
        "limited: the shared library com.vendor.sdk is missing; \
         it is a base APK whose splits are missing; NFC is missing"
    );
}

#[test]
fn play_services_are_known_by_their_interfaces() {
    let text = "com.google.android.gms.maps.internal.ICreator";
    let needs = needs_of("", "", &[text], &[]);
    assert_eq!(verdict(&needs), "limited: Play services are missing (maps)");
}

#[test]
fn what_is_not_started_or_too_new_needs_an_emulator() {
    let mut needs = needs_of("", "", &[], &[]);
    needs.min_sdk = Some(36);
    assert!(verdict(&needs).starts_with("use an emulator: it is for API level 36"));
    needs.min_sdk = None;
    needs.launcher = false;
    assert!(verdict(&needs).starts_with("use an emulator: it has no activity"));
}

#[test]
fn what_is_accepted_and_does_nothing_is_a_limit() {
    let needs = Needs {
        launcher: true,
        activities: 2,
        web_view: true,
        open_gl: true,
        render_script: true,
        camera: true,
        loads_libraries: true,
        ..Needs::default()
    };
    assert_eq!(
        verdict(&needs),
        "limited: it loads a native library that is not in the APK; web pages run without layout and without modern JavaScript (web = \"chromium\" has both); OpenGL draws nothing; 2 more"
    );
    let game = Needs {
        launcher: true,
        activities: 1,
        open_gl: true,
        ..Needs::default()
    };
    assert_eq!(verdict(&game), "use an emulator: OpenGL draws nothing");
}
