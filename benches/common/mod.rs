//! What the benchmarks of the jvm device share.

use droidtest::apk::{Apk, Counted};
use droidtest::config::Coverage;
use droidtest::device::App;

/// The APK that the first argument names, or the sample app.
pub fn apk(args: &[String]) -> Apk {
    let named = args.first().filter(|a| !a.starts_with("--")).cloned();
    let file = named.unwrap_or_else(|| {
        concat!(env!("CARGO_MANIFEST_DIR"), "/tests/apps/notes/notes.apk").into()
    });
    Apk::open(&file).unwrap_or_else(|e| panic!("{e}"))
}

/// The app in an APK, as a device takes it.
pub fn app(apk: &Apk) -> App {
    App {
        name: "app".into(),
        package: apk.manifest.package.clone(),
        file: Some(apk.file.clone()),
        content: apk.content.clone(),
        classes: Vec::new(),
        counted: Counted::new(&Coverage::default(), None, Some(&apk.manifest)),
        grant_permissions: true,
        before: Vec::new(),
        after: Vec::new(),
    }
}
