//! All classes of an app at once, into two jars: without probes for reports, and with probes to run.

use crate::Job;
use crate::build_classes::{BuildClasses, BuildFirst};
use crate::jar::Jar;
use crate::package::{Mapped, Package};
use crate::redirect;
use crate::reuse::{self, Earlier, PARTS, Part};
use crate::worker::{Finished, Worker};
use dex2class::Translator;
use dex2class::bridges::Bridges;
use dex2class::dex::{Dex, internal_name};
use dex2class::hierarchy::{DexHierarchy, Layered, PlatformIndex};
use dex2class::method::{Options, Parts};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Write as _};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};

/// Starts the message of what is thrown where a class or method could not be translated; the oracles know it.
const LIMITATION: &str = "droidtest: not translated: ";
/// The method that makes the error for an instruction whose class is missing.
const ABSENT: (&str, &str) = ("droidtest/host/box/Absent", "of");
/// Classes that may be finished before one that has to be written first.
const AHEAD: usize = 256;
/// Classes between two lines of progress.
const STEP: usize = 500;
const MOST_THREADS: usize = 16;
/// The jar for reports.
const PLAIN: &str = "original.jar";
/// The jar to run.
const PROBED: &str = "app.jar";

/// `classes.json`.
#[derive(Default, Serialize)]
struct Summary {
    /// Classes in the jars.
    classes: usize,
    /// Methods that throw when they are called, since they could not be translated.
    methods_failed: Vec<String>,
    /// Classes whose methods all throw, or that are missing, each with the reason.
    classes_failed: Vec<String>,
    /// Methods that run without probes, for lack of room.
    methods_unprobed: Vec<String>,
    /// Whether the dex files have line numbers.
    lines_known: bool,
}

/// Translates an app.
///
/// # Errors
/// A file cannot be read or written; the message says which and why.
pub fn run(job: &Job) -> Result<(), String> {
    let mut package = Package::open(&job.apk)?;
    let dex_files = package.dex_files(&job.out)?;
    let mut dexes = Vec::new();
    for (name, mapped) in &dex_files {
        let opened = Dex::open_all(mapped.bytes());
        dexes.extend(opened.map_err(|why| format!("{name} is not a readable dex file: {why}"))?);
    }
    let unusable = |why: &dyn std::fmt::Display| format!("the list of the device's classes: {why}");
    let index = File::open(&job.platform).and_then(|file| Mapped::whole(&file));
    let index = index.map_err(|why| unusable(&why))?;
    let platform = PlatformIndex::open(index.bytes()).map_err(|why| unusable(&why))?;
    let build = BuildClasses::open(&job.builds)?;
    let app = DexHierarchy::new(dexes);
    let own = BuildFirst {
        build: &build,
        dex: &app,
    };
    let hierarchy = Layered::new(&platform, &own, platform);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = threads.min(MOST_THREADS);
    let bridges = Bridges::find(&app, &hierarchy, threads);
    let options = Options {
        missing_class: Some((ABSENT.0.to_owned(), ABSENT.1.to_owned())),
        failure: Some(LIMITATION.to_owned()),
        parts: Parts::default(),
    };
    let translator = Translator::new(&app, &hierarchy, options, bridges);
    let worker = Worker {
        translator: &translator,
        build: &build,
        hierarchy: &hierarchy,
        passes: redirect::passes(job.calls),
    };
    let parts = parts(job, &worker, threads);
    let (mut summary, parts) = write_jars(job, &worker, parts, threads, &mut package)?;
    for (name, why) in &build.failed {
        let name = String::from_utf8_lossy(name);
        summary.classes_failed.push(format!("{name}: {why}"));
    }
    write_json(job, "classes.json", &summary)?;
    write_json(job, PARTS, &parts)
}

fn write_json(job: &Job, name: &str, content: &impl Serialize) -> Result<(), String> {
    let text = serde_json::to_vec(content).map_err(|why| format!("{name}: {why}"))?;
    std::fs::write(job.out.join(name), text).map_err(|why| format!("{name}: {why}"))
}

/// The classes of one dex file, or those that only a build's folders have.
struct Planned<'n> {
    names: Vec<&'n [u8]>,
    key: String,
}

/// All classes, by dex file. Without a build's class files each part has a key.
fn parts<'n>(job: &Job, worker: &Worker<'n, '_>, threads: usize) -> Vec<Planned<'n>> {
    let app = worker.translator.app();
    let files = app.files();
    let mut parts: Vec<Planned<'n>> = Vec::new();
    parts.resize_with(files.len() + 1, || Planned {
        names: Vec::new(),
        key: String::new(),
    });
    for (_, def) in app.definitions() {
        let name = internal_name(def.kind);
        let number = app.position(name).map_or(0, |position| position.0);
        parts[number].names.push(name);
    }
    let more = worker.build.names();
    parts[files.len()].names = more.filter(|name| app.position(name).is_none()).collect();
    if job.builds.is_empty() {
        let next = AtomicUsize::new(0);
        let keys = Mutex::new(vec![String::new(); files.len()]);
        std::thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| {
                    loop {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        let Some(dex) = files.get(number) else { return };
                        let key = reuse::key(worker.translator, number, dex);
                        keys.lock().unwrap_or_else(PoisonError::into_inner)[number] = key;
                    }
                });
            }
        });
        let keys = keys.into_inner().unwrap_or_else(PoisonError::into_inner);
        for (part, key) in parts.iter_mut().zip(keys) {
            part.key = key;
        }
    }
    parts
}

/// Classes that wait for those before them, so that the jars are the same on any number of threads.
struct Queue {
    next: usize,
    written: usize,
    finished: BTreeMap<usize, Finished>,
    stopped: bool,
}

fn write_jars(
    job: &Job,
    worker: &Worker<'_, '_>,
    planned: Vec<Planned<'_>>,
    threads: usize,
    package: &mut Package,
) -> Result<(Summary, reuse::Parts), String> {
    let mut plain = Jar::create(&job.out, PLAIN)?;
    let mut probed = Jar::create(&job.out, PROBED)?;
    let folders = job.earlier.iter();
    let mut earlier: Vec<Earlier> = folders
        .filter_map(|folder| Earlier::open(folder, [PLAIN, PROBED]))
        .collect();
    let find = |part: &Planned<'_>| {
        let mut all = earlier.iter().enumerate();
        let found = all.find_map(|(ix, old)| Some((ix, old.part(&part.key)?.clone())));
        found.filter(|_| !part.key.is_empty())
    };
    let known: Vec<Option<(usize, Part)>> = planned.iter().map(find).collect();
    let new = planned.iter().zip(&known).filter(|(_, old)| old.is_none());
    let names: Vec<&[u8]> = new.flat_map(|(part, _)| part.names.clone()).collect();
    let queue = Mutex::new(Queue {
        next: 0,
        written: 0,
        finished: BTreeMap::new(),
        stopped: false,
    });
    let changed = Condvar::new();
    let result: Result<Vec<Part>, String> = std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| work(worker, &names, &queue, &changed));
        }
        let mut at = 0;
        let mut written = |part: &Planned<'_>, old: Option<(usize, Part)>| {
            if let Some((ix, old)) = old {
                let [old_plain, old_probed] = earlier[ix].jars();
                let begin = [plain.mark(), probed.mark()];
                plain.copy(old_plain, old.places[0])?;
                probed.copy(old_probed, old.places[1])?;
                let places = [[begin[0], plain.mark()], [begin[1], probed.mark()]];
                return Ok(Part { places, ..old });
            }
            let begin = [plain.mark(), probed.mark()];
            let mut made = Part {
                key: part.key.clone(),
                ..Part::default()
            };
            for name in &part.names {
                if at % STEP == 0 {
                    progress(at, names.len());
                }
                let finished = take(&queue, &changed, at);
                at += 1;
                if let Some((original, with_probes)) = &finished.files {
                    let name = format!("{}.class", String::from_utf8_lossy(name));
                    plain.put(&name, original)?;
                    probed.put(&name, with_probes)?;
                    made.classes += 1;
                }
                made.lines_known |= finished.lines_known;
                made.methods_failed.extend(finished.methods_failed);
                made.classes_failed.extend(finished.class_failed);
                made.methods_unprobed.extend(finished.methods_unprobed);
            }
            made.places = [[begin[0], plain.mark()], [begin[1], probed.mark()]];
            Ok(made)
        };
        let pairs = planned.iter().zip(known);
        let result = pairs.map(|(part, old)| written(part, old)).collect();
        queue.lock().unwrap_or_else(PoisonError::into_inner).stopped = true;
        changed.notify_all();
        result
    });
    let parts = result?;
    for name in package.java_resources() {
        let bytes = package.read(&name)?;
        probed.put(&name, &bytes)?;
    }
    let jars = [plain.finish()?, probed.finish()?];
    progress(names.len(), names.len());
    let mut summary = Summary::default();
    for part in &parts {
        summary.classes += part.classes;
        summary.lines_known |= part.lines_known;
        summary
            .methods_failed
            .extend_from_slice(&part.methods_failed);
        summary
            .classes_failed
            .extend_from_slice(&part.classes_failed);
        summary
            .methods_unprobed
            .extend_from_slice(&part.methods_unprobed);
    }
    Ok((summary, reuse::Parts { jars, parts }))
}

fn work(worker: &Worker<'_, '_>, names: &[&[u8]], queue: &Mutex<Queue>, changed: &Condvar) {
    loop {
        let mut held = queue.lock().unwrap_or_else(PoisonError::into_inner);
        while held.next > held.written + AHEAD && !held.stopped {
            held = changed.wait(held).unwrap_or_else(PoisonError::into_inner);
        }
        if held.stopped || held.next >= names.len() {
            return;
        }
        let at = held.next;
        held.next += 1;
        drop(held);
        // A fault of ours in one class must not keep the others waiting.
        let attempt = catch_unwind(AssertUnwindSafe(|| worker.class(names[at])));
        let finished = attempt.unwrap_or_else(|_| Finished {
            class_failed: Some(format!(
                "{}: a fault of the translator",
                String::from_utf8_lossy(names[at])
            )),
            ..Finished::default()
        });
        let mut held = queue.lock().unwrap_or_else(PoisonError::into_inner);
        held.finished.insert(at, finished);
        changed.notify_all();
    }
}

fn take(queue: &Mutex<Queue>, changed: &Condvar, at: usize) -> Finished {
    let mut held = queue.lock().unwrap_or_else(PoisonError::into_inner);
    loop {
        if let Some(finished) = held.finished.remove(&at) {
            held.written = at + 1;
            changed.notify_all();
            return finished;
        }
        held = changed.wait(held).unwrap_or_else(PoisonError::into_inner);
    }
}

fn progress(done: usize, total: usize) {
    // Nobody may be listening any more; the jars are written all the same.
    let _ = writeln!(io::stdout(), "progress {done} {total}");
}
