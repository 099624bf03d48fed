//! `dex2class`: translates dex files, or the dex files of APKs, to a jar of class files.

use dex2class::bridges::Bridges;
use dex2class::dex::Dex;
use dex2class::hierarchy::{DexHierarchy, Jars, Layered, ParentFirst};
use dex2class::method::{Options, Parts};
use dex2class::{Failure, Translator};
use std::fs::File;
use std::io::{Cursor, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

const USAGE: &str = "\
dex2class: translates Android's dex files to Java class files

Usage: dex2class [--libs JAR[:JAR]..] [--threads N] --out OUT.jar FILE..

FILE     a dex file, or a zip or APK with classes.dex, classes2.dex and so on; of two classes with one name the first counts
--libs   jars with the classes that the code refers to, such as android.jar; without them types of the platform are not
         known, and code that needs them is less exact
--out    the jar to write
--threads  how many threads to use; as many as there are processors unless given
--part   cut methods of more than this many bytes of code, into parts of at most that, about; without it only methods that
         could be too large for a class file

Ends with 1 if a method or class could not be translated (each is named), with 2 if a file cannot be used.";

struct Arguments {
    libraries: Vec<PathBuf>,
    out: PathBuf,
    threads: usize,
    parts: Parts,
    files: Vec<PathBuf>,
}

fn main() -> ExitCode {
    let arguments = match arguments(std::env::args().skip(1)) {
        Ok(Some(arguments)) => arguments,
        Ok(None) => {
            println!("{USAGE}");
            return ExitCode::SUCCESS;
        }
        Err(why) => {
            eprintln!("dex2class: {why}\n\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    match run(&arguments) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::from(1),
        Err(why) => {
            eprintln!("dex2class: {why}");
            ExitCode::from(2)
        }
    }
}

fn arguments(given: impl Iterator<Item = String>) -> Result<Option<Arguments>, String> {
    let mut found = Arguments {
        libraries: Vec::new(),
        out: PathBuf::new(),
        threads: std::thread::available_parallelism().map_or(1, Into::into),
        parts: Parts::default(),
        files: Vec::new(),
    };
    let mut given = given;
    while let Some(argument) = given.next() {
        let mut value = || given.next().ok_or(format!("{argument} needs a value"));
        match argument.as_str() {
            "--help" | "-h" => return Ok(None),
            "--libs" => found.libraries = std::env::split_paths(&value()?).collect(),
            "--out" => found.out = value()?.into(),
            "--threads" => {
                let count = value()?;
                let count = count.parse().ok().filter(|&count| count > 0);
                found.threads = count.ok_or("--threads needs a number of at least 1")?;
            }
            "--part" => {
                let size = value()?.parse().ok().filter(|&size| size > 0);
                let size = size.ok_or("--part needs a number of at least 1")?;
                found.parts = Parts { from: size, size };
            }
            option if option.starts_with('-') => return Err(format!("{option} is unknown")),
            file => found.files.push(file.into()),
        }
    }
    if found.out.as_os_str().is_empty() {
        return Err("--out is needed".to_owned());
    }
    if found.files.is_empty() {
        return Err("no file is given".to_owned());
    }
    Ok(Some(found))
}

fn run(arguments: &Arguments) -> Result<usize, String> {
    let mut contents = Vec::new();
    for file in &arguments.files {
        read(file, &mut contents).map_err(|why| format!("{}: {why}", file.display()))?;
    }
    let mut dexes = Vec::new();
    for (name, content) in &contents {
        let opened = Dex::open_all(content).map_err(|why| format!("{name}: {why}"))?;
        dexes.extend(opened);
    }
    let jars = Jars::open(&arguments.libraries).map_err(|why| why.to_string())?;
    let app = DexHierarchy::new(dexes);
    let hierarchy = Layered::new(&jars, &app, ParentFirst);
    let bridges = Bridges::find(&app, &hierarchy, arguments.threads);
    let options = Options {
        parts: arguments.parts,
        ..Options::default()
    };
    let translator = Translator::new(&app, &hierarchy, options, bridges);
    let out = File::create(&arguments.out)
        .map_err(|why| format!("{}: {why}", arguments.out.display()))?;
    let jar = Mutex::new(ZipWriter::new(std::io::BufWriter::new(out)));
    let failed = AtomicUsize::new(0);
    let names: Vec<Vec<u8>> = app
        .definitions()
        .map(|(_, def)| dex2class::dex::internal_name(def.kind).to_vec())
        .collect();
    let next = AtomicUsize::new(0);
    let error = Mutex::new(None);
    std::thread::scope(|scope| {
        for _ in 0..arguments.threads {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(name) = names.get(at) else { break };
                    let (bytes, failures) = class(&translator, name);
                    failed.fetch_add(failures.len(), Ordering::Relaxed);
                    for failure in failures {
                        let name = String::from_utf8_lossy(name);
                        eprintln!("{name}.{}: {}", failure.method, failure.reason);
                    }
                    let Some(bytes) = bytes else { continue };
                    if let Err(why) = put(&jar, name, &bytes)
                        && let Ok(mut error) = error.lock()
                    {
                        *error = Some(why);
                        next.store(names.len(), Ordering::Relaxed);
                    }
                }
            });
        }
    });
    if let Ok(Some(why)) = error.into_inner() {
        return Err(format!("{}: {why}", arguments.out.display()));
    }
    let jar = jar.into_inner().map_err(|why| why.to_string())?;
    jar.finish()
        .and_then(|mut out| Ok(out.flush()?))
        .map_err(|why| format!("{}: {why}", arguments.out.display()))?;
    Ok(failed.into_inner())
}

/// The class file of a class; none if it cannot be made, and what failed.
fn class(translator: &Translator<'_, '_>, name: &[u8]) -> (Option<Vec<u8>>, Vec<Failure>) {
    let whole = |why: String| Failure {
        method: "*".to_owned(),
        reason: why,
    };
    let mut translated = match translator.class(name) {
        Some(Ok(translated)) => translated,
        Some(Err(why)) => return (None, vec![whole(why.to_string())]),
        None => return (None, Vec::new()),
    };
    match translator.write(&mut translated) {
        Ok(bytes) => (Some(bytes), translated.failures),
        Err(why) => {
            let stand_in = translator.stand_in(name, &why.to_string());
            let bytes = stand_in.and_then(|mut class| translator.write(&mut class).ok());
            (bytes, vec![whole(why.to_string())])
        }
    }
}

fn put(
    jar: &Mutex<ZipWriter<impl Write + std::io::Seek>>,
    name: &[u8],
    bytes: &[u8],
) -> Result<(), String> {
    let mut jar = jar.lock().map_err(|why| why.to_string())?;
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    let name = format!("{}.class", String::from_utf8_lossy(name));
    jar.start_file(name, options)
        .map_err(|why| why.to_string())?;
    jar.write_all(bytes).map_err(|why| why.to_string())
}

fn read(file: &Path, contents: &mut Vec<(String, Vec<u8>)>) -> Result<(), String> {
    let bytes = std::fs::read(file).map_err(|why| why.to_string())?;
    let name = file.display().to_string();
    if bytes.starts_with(b"dex\n") {
        contents.push((name, bytes));
        return Ok(());
    }
    let mut archive = ZipArchive::new(Cursor::new(&bytes)).map_err(|why| why.to_string())?;
    for number in 1.. {
        let entry = match number {
            1 => "classes.dex".to_owned(),
            _ => format!("classes{number}.dex"),
        };
        let Ok(mut found) = archive.by_name(&entry) else {
            break;
        };
        let mut bytes = Vec::new();
        found
            .read_to_end(&mut bytes)
            .map_err(|why| format!("{entry}: {why}"))?;
        contents.push((format!("{name}: {entry}"), bytes));
    }
    Ok(())
}
