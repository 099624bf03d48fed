//! Tests of [`recording`](super).

use super::super::confine::Rules;
use super::super::places::Places;
use super::*;

/// How many classes Java takes from a recording before our agent refuses to go on without arguments, and how it ends.
fn shared(parts: &Parts, file: &Path) -> (usize, Option<i32>) {
    // Java compares paths: it has to find all where it found it when it recorded.
    let work = tempfile::tempdir().unwrap();
    let settings = as_far_as_possible(JvmSettings::new(work.path(), work.path()));
    let places = Places::new(&settings, parts);
    let mut rules = Rules::for_program(&parts.jdk.java(), &parts.jdk.home);
    let jars = parts.jars.clone().unwrap();
    let read = [&parts.scheduler, &parts.libraries, &parts.framework, &jars];
    rules.read.extend(read.map(PathBuf::clone));
    rules.read.push(file.to_owned());
    rules.write.push(work.path().to_owned());
    places.apply(&mut rules);
    let java = places.path(&parts.jdk.java());
    let mut command = sandbox::command(&java, &rules, settings.confine.into()).unwrap();
    let mut arguments: Vec<OsString> = ["-XX:+UseSerialGC", "-Xlog:class+load"]
        .map(OsString::from)
        .into();
    let opened = ["java.lang", "java.lang.ref"];
    arguments.extend(opened.map(|p| format!("--add-opens=java.base/{p}=ALL-UNNAMED").into()));
    arguments.extend(Recording::Read(file).flags(&parts.scheduler));
    arguments.extend(["-cp".into(), parts.device_path().unwrap()]);
    arguments.push("droidtest.host.Main".into());
    command.args(arguments.iter().map(|argument| places.argument(argument)));
    let output = command.current_dir(work.path()).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    (
        text.matches("shared objects file (top)").count(),
        output.status.code(),
    )
}

#[test]
fn java_reads_the_recording_and_passes_over_a_damaged_one() {
    let cache = Cache::locate().unwrap();
    let watch = Watch::silent();
    let parts = match Parts::ensure(&cache, crate::device::jvm::parts::DEFAULT_SDK, true, &watch) {
        Ok(parts) => parts.recorded(&cache, &watch).unwrap(),
        Err(why) => {
            crate::skip::skip(&format!("{why}"));
            return;
        }
    };
    let file = parts.recording.clone().expect("this Java made a recording");
    let (classes, whole) = shared(&parts, &file);
    assert!(classes > 20, "{classes} classes");

    let folder = tempfile::tempdir().unwrap();
    let damaged = folder.path().join(FILE);
    let mut bytes = fs::read(&file).unwrap();
    bytes[100..200].fill(0);
    fs::write(&damaged, bytes).unwrap();
    assert_eq!(shared(&parts, &damaged), (0, whole));
}

#[test]
fn every_android_version_that_is_set_up_has_a_recording() {
    let cache = Cache::locate().unwrap();
    let watch = Watch::silent();
    for sdk in crate::device::jvm::parts::SDKS {
        match Parts::ensure(&cache, sdk, true, &watch) {
            Ok(parts) => {
                let parts = parts.recorded(&cache, &watch).unwrap();
                assert_eq!(parts.tried(&cache), Some(Ok(())), "API level {sdk}");
                assert!(parts.recording.is_some(), "API level {sdk}");
            }
            Err(why) => println!("API level {sdk} skipped: {why}"),
        }
    }
}

#[test]
fn a_recording_that_failed_is_named_and_tried_again_by_set_up() {
    let folder = tempfile::tempdir().unwrap();
    let cache = Cache::at(folder.path());
    let watch = Watch::silent();
    let Ok(jdk) = crate::device::jvm::jdk::Jdk::at_least(17) else {
        crate::skip::skip("no JDK");
        return;
    };
    let missing = folder.path().join("missing");
    let parts = Parts {
        sdk: crate::device::jvm::parts::DEFAULT_SDK,
        scheduler: missing.clone(),
        platform_index: missing.clone(),
        framework_jar: missing.clone(),
        jdk,
        libraries: folder.path().to_owned(),
        web: missing.clone(),
        framework: folder.path().to_owned(),
        agent: folder.path().to_owned(),
        jars: None,
        recording: None,
    };
    let jars = parts.root_of_jars(&cache);
    fs::create_dir_all(&jars).unwrap();
    let entry = recording_entry(&parts, &jars);
    let fail = |why: &'static str| {
        cache.ensure(&entry, &watch, |to| Ok(fs::write(to.join(WHY_NOT), why)?))
    };
    fail("too slow").unwrap();
    let too_slow = Some(Err("too slow".to_owned()));
    assert_eq!(parts.tried(&cache), too_slow);
    // Set-up tries again, and fails by the missing parts.
    let _ = parts.clone().recorded_again(&cache, &watch);
    assert_ne!(parts.tried(&cache), too_slow);
}

#[test]
fn a_signed_jar_loses_its_signatures_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let made = |name: &str, files: &[&str]| {
        let path = folder.path().join(name);
        let mut jar = zip::ZipWriter::new(File::create(&path).unwrap());
        for file in files {
            let options = zip::write::SimpleFileOptions::default();
            jar.start_file(*file, options).unwrap();
            jar.write_all(file.as_bytes()).unwrap();
        }
        jar.finish().unwrap();
        path
    };
    let to = folder.path().join("to.jar");
    unsign(&made("plain.jar", &["a.class"]), &to).unwrap();
    assert!(!to.exists());
    let kept = ["META-INF/MANIFEST.MF", "a.class", "b/X.RSA"];
    let signed = [&kept[..], &["META-INF/X.SF", "META-INF/x.rsa"]].concat();
    unsign(&made("signed.jar", &signed), &to).unwrap();
    let mut jar = zip::ZipArchive::new(File::open(&to).unwrap()).unwrap();
    let mut names: Vec<_> = jar.file_names().map(str::to_owned).collect();
    names.sort_unstable();
    assert_eq!(names, kept);
    let text = io::read_to_string(jar.by_name("a.class").unwrap()).unwrap();
    assert_eq!(text, "a.class");
}
