//! The list of the platform's classes, against the class files it was made from.

use crate::common::phone::Phone;
use dex2class::class::{Class, access, read};
use dex2class::hierarchy::{Hierarchy, PlatformIndex};
use droidtest::device::Reset;
use droidtest::device::jvm::cache::Cache;
use droidtest::device::jvm::jdk::Jdk;
use droidtest::device::jvm::parts::{self, Parts};
use droidtest::device::progress::Watch;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::Read;
use std::path::Path;
use zip::ZipArchive;

/// Around the table in the page.
const BEGIN: &str = "<!-- generated -->\n";
const END: &str = "<!-- /generated -->";
/// Of the framework's classes, every so many is compared.
const EVERY: usize = 20;

/// The list, where the parts are set up.
fn index_file() -> Option<(Parts, Vec<u8>)> {
    let cache = Cache::locate().unwrap();
    let fetched = parts::fetched(parts::DEFAULT_SDK);
    let fetched = fetched.iter().all(|entry| cache.find(entry).is_some());
    if !fetched || Jdk::locate().is_err() {
        crate::common::skip::skip("the parts are not set up; `cargo droidtest setup` fetches them");
        return None;
    }
    let parts = Parts::ensure(&cache, parts::DEFAULT_SDK, true, &Watch::silent()).unwrap();
    let bytes = fs::read(&parts.platform_index).unwrap();
    Some((parts, bytes))
}

/// What the instrumentation adds beside each method.
fn is_added(method: &[u8]) -> bool {
    method.starts_with(b"$$robo$") || method == b"__constructor__"
}

fn assert_listed(index: &PlatformIndex<'_>, class: &Class) {
    let name = String::from_utf8_lossy(class.name());
    let listed = index
        .find(class.name())
        .unwrap_or_else(|| panic!("no {name}"));
    assert_eq!(listed.parent(), class.parent_name(), "{name}");
    assert_eq!(listed.access(), class.access, "{name}");
    let interfaces = class.interfaces.iter();
    let interfaces: Vec<_> = interfaces.map(|at| class.pool.class_name(*at)).collect();
    assert_eq!(listed.info().interfaces, interfaces, "{name}");
    let methods: BTreeSet<_> = class
        .methods
        .iter()
        .map(|m| {
            (
                class.pool.text(m.name),
                class.pool.text(m.descriptor),
                m.access,
            )
        })
        .filter(|method| !is_added(method.0))
        .collect();
    assert_eq!(listed.methods().collect::<BTreeSet<_>>(), methods, "{name}");
    for (method, descriptor, flags) in methods {
        let found = index.method(class.name(), method, descriptor);
        assert_eq!(found, Some(flags), "{name}");
    }
}

#[test]
fn the_list_holds_what_the_frameworks_class_files_say() {
    let Some((parts, bytes)) = index_file() else {
        return;
    };
    let index = PlatformIndex::open(&bytes).unwrap();
    let mut jar = ZipArchive::new(File::open(&parts.framework_jar).unwrap()).unwrap();
    let names: Vec<_> = jar.file_names().map(str::to_owned).collect();
    let classes = names.iter().filter(|name| {
        let path = ["android/", "com/android/internal/", "dalvik/"];
        name.ends_with(".class") && path.iter().any(|path| name.starts_with(path))
    });
    let mut compared = 0;
    for name in classes.step_by(EVERY) {
        // Libraries come first on the class path, with newer ones of their own.
        if name.starts_with("android/support/") {
            continue;
        }
        let mut file = Vec::new();
        jar.by_name(name).unwrap().read_to_end(&mut file).unwrap();
        assert_listed(&index, &read(&file).unwrap());
        compared += 1;
    }
    assert!(compared > 1_000, "{compared}");
}

#[test]
fn the_list_holds_java_and_the_agent_as_the_app_sees_them() {
    let Some((parts, bytes)) = index_file() else {
        return;
    };
    let index = PlatformIndex::open(&bytes).unwrap();
    let clock = parts.agent.join("droidtest/host/box/Clock.class");
    assert_listed(&index, &read(&fs::read(clock).unwrap()).unwrap());
    let string = index.class(b"java/lang/String").unwrap();
    assert_eq!(string.parent, Some(&b"java/lang/Object"[..]));
    assert!(string.interfaces.contains(&&b"java/lang/CharSequence"[..]));
    assert!(index.is_subclass(b"android/app/Activity", b"android/content/Context"));
    let declaring = index.declaring(b"java/util/TreeMap", b"wait", b"(J)V");
    assert_eq!(declaring.unwrap().name, b"java/lang/Object");
    let sleep = index
        .method(b"java/lang/Thread", b"sleep", b"(J)V")
        .unwrap();
    assert_ne!(sleep & access::STATIC, 0);
    for first in [
        &b"java/lang/String"[..],
        b"android/view/View",
        b"droidtest/host/box/Clock",
    ] {
        assert!(index.precedes_app(first));
    }
    // An app's copy of JUnit precedes ours.
    assert!(index.find(b"junit/framework/TestCase").is_some());
    assert!(!index.precedes_app(b"junit/framework/TestCase"));
    for hidden in [
        &b"droidtest/host/Main"[..],
        b"org/robolectric/Robolectric",
        b"com/google/common/collect/Lists",
        b"org/objectweb/asm/ClassReader",
    ] {
        assert!(index.find(hidden).is_none());
    }
}

/// The page's table is what the device has.
#[test]
fn services_are_listed_as_they_are() {
    let Some(mut phone) = Phone::with("notes", |_| {}) else {
        return;
    };
    phone.reset(Reset::ClearData);
    let services = phone.device.services().unwrap();
    assert!(services.len() > 150, "{}", services.len());
    let mut table = String::from("\n| service | manager | answered by |\n|---|---|---|\n");
    for (name, manager, answers) in &services {
        table.push_str(&format!("| `{name}` | {manager} | {answers} |\n"));
    }
    phone.finish();
    assert_page("docs/platform.md", &table);
}

/// The same for native methods: Robolectric keeps each under a name of its own.
#[test]
fn native_methods_are_listed_as_they_are() {
    let Some((parts, _)) = index_file() else {
        return;
    };
    let Some(mut phone) = Phone::with("notes", |_| {}) else {
        return;
    };
    let classes = classes_with_natives(&parts.framework_jar);
    assert!(classes.len() > 300, "{}", classes.len());
    phone.reset(Reset::ClearData);
    let natives = phone.device.natives(&classes).unwrap();
    phone.finish();
    assert!(natives.len() > 3_000, "{}", natives.len());
    let mut of_class: BTreeMap<&str, Vec<(&str, &str)>> = BTreeMap::new();
    for (class, method, by) in &natives {
        of_class.entry(class).or_default().push((method, by));
    }
    let mut table =
        String::from("\n| class | methods | implemented by | missing |\n|---|--:|---|---|\n");
    for (class, methods) in of_class {
        let by: BTreeSet<_> = methods.iter().map(|(_, by)| *by).collect();
        let by: Vec<_> = by.into_iter().filter(|by| *by != "missing").collect();
        let is_missing = |(_, by): &&(&str, &str)| *by == "missing";
        let missing: Vec<_> = methods.iter().filter(is_missing).map(|m| m.0).collect();
        let missing = match missing.len() {
            all if all == methods.len() => "all".to_owned(),
            _ => missing.join(", "),
        };
        let (count, by) = (methods.len(), by.join(", "));
        table.push_str(&format!("| `{class}` | {count} | {by} | {missing} |\n"));
    }
    assert_page("docs/natives.md", &table);
}

/// The framework's classes that declare native methods.
fn classes_with_natives(framework: &Path) -> Vec<String> {
    let mut jar = ZipArchive::new(File::open(framework).unwrap()).unwrap();
    let mut found = BTreeSet::new();
    for at in 0..jar.len() {
        let mut entry = jar.by_index(at).unwrap();
        let mut file = Vec::new();
        if !entry.name().ends_with(".class") {
            continue;
        }
        entry.read_to_end(&mut file).unwrap();
        let class = read(&file).unwrap();
        let mut names = class.methods.iter().map(|m| class.pool.text(m.name));
        if names.any(|name| name.ends_with(b"$nativeBinding")) {
            found.insert(String::from_utf8_lossy(class.name()).replace('/', "."));
        }
    }
    found.into_iter().collect()
}

/// The generated table of this page is this one; with `DROIDTEST_WRITE`, it becomes this one.
fn assert_page(page: &str, table: &str) {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join(page);
    let text = fs::read_to_string(&page).unwrap();
    let (before, rest) = text.split_once(BEGIN).unwrap();
    let (listed, after) = rest.split_once(END).unwrap();
    if std::env::var_os("DROIDTEST_WRITE").is_some() {
        fs::write(&page, format!("{before}{BEGIN}{table}{END}{after}")).unwrap();
    } else {
        assert_eq!(listed, table, "DROIDTEST_WRITE=1 writes the table anew");
    }
}
