//! Converts every class of the sample apps, and of all APKs in the folders that `DEX2CLASS_APKS` names, separated like
//! those of `PATH`. With `--release --nocapture` it prints how fast.

use dex2class::convert;
use dex2class::dex::{Dex, internal_name};
use dex2class::hierarchy::DexHierarchy;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// All APKs in a folder and its folders.
fn apks(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() {
            apks(&path, found);
        } else if path.extension().is_some_and(|end| end == "apk") {
            found.push(path);
        }
    }
}

/// The dex files of an APK in Android's order: `classes.dex`, `classes2.dex`, ...
fn dex_files(apk: &Path) -> Vec<Vec<u8>> {
    let mut zip = zip::ZipArchive::new(File::open(apk).expect("a file")).expect("a zip");
    let mut names: Vec<String> = zip.file_names().map(String::from).collect();
    names.retain(|name| name.starts_with("classes") && name.ends_with(".dex"));
    names.sort_by_key(|name| (name.len(), name.clone()));
    let read = |name: &String| {
        let mut bytes = Vec::new();
        zip.by_name(name)
            .expect("an entry")
            .read_to_end(&mut bytes)
            .expect("readable");
        bytes
    };
    names.iter().map(read).collect()
}

#[test]
fn every_class_of_every_app_is_converted() {
    let mut all = Vec::new();
    apks(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/apps"),
        &mut all,
    );
    if let Some(folders) = std::env::var_os("DEX2CLASS_APKS") {
        std::env::split_paths(&folders).for_each(|folder| apks(&folder, &mut all));
    }
    all.sort();
    let (mut time, mut bytes, mut classes) = (Duration::ZERO, 0, 0);
    for apk in &all {
        let files = dex_files(apk);
        let start = Instant::now();
        let dexes = files
            .iter()
            .flat_map(|file| Dex::open_all(file).expect("a dex file"));
        let hierarchy = DexHierarchy::new(dexes.collect());
        let mut converted = Vec::new();
        for (dex, def) in hierarchy.definitions() {
            let name = || format!("{}: {}", apk.display(), String::from_utf8_lossy(def.kind));
            let made = convert::class(&dex, &def, &|_, _| None, &hierarchy);
            converted.push(made.unwrap_or_else(|e| panic!("{}: {e}", name())));
        }
        time += start.elapsed();
        bytes += files.iter().map(Vec::len).sum::<usize>();
        classes += converted.len();
        assert_eq!(converted.len(), hierarchy.len());
        for ((dex, def), made) in hierarchy.definitions().zip(converted) {
            let data = dex.class_data(&def).expect("members");
            let fields = data.static_fields().count() + data.instance_fields().count();
            let methods = data.direct_methods().count() + data.virtual_methods().count();
            let class = &made.class;
            assert_eq!(class.name(), internal_name(def.kind));
            assert_eq!((class.fields.len(), class.methods.len()), (fields, methods));
            assert_eq!(made.methods.len(), methods);
            assert!(!class.pool.is_full());
            for (method, encoded) in class.methods.iter().zip(&made.methods) {
                let id = dex.method(encoded.ix).expect("a method");
                assert_eq!(class.pool.text(method.name), id.name);
                let has_code = method.access & 0x500 == 0;
                assert_eq!(has_code, encoded.code_off != 0);
            }
        }
    }
    assert!(classes > 1_000, "{classes}");
    #[allow(clippy::cast_precision_loss)]
    let speed = bytes as f64 / 1e6 / time.as_secs_f64();
    println!(
        "{classes} classes of {} APKs, {speed:.0} MB of dex a second",
        all.len()
    );
}
