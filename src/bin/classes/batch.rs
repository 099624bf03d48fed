//! All classes of an app at once, into two jars: without probes for reports, and with probes to run.

use crate::Job;
use crate::build_classes::{BuildClasses, BuildFirst};
use crate::package::{Mapped, Package};
use crate::redirect::{self, set_source_file};
use dex2class::bridges::Bridges;
use dex2class::class::Class;
use dex2class::dex::{Dex, internal_name};
use dex2class::hierarchy::{DexHierarchy, Hierarchy, Layered, PlatformIndex};
use dex2class::method::Options;
use dex2class::pass::Pass;
use dex2class::pass::probes::{Accessor, ProbeError, write_probed};
use dex2class::{Failure, Translator};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufWriter, Write as _};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Condvar, Mutex, PoisonError};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

/// Starts the message of what is thrown where a class or method could not be translated; the oracles know it.
const LIMITATION: &str = "droidtest: not translated: ";
const PROBES: Accessor<'static> = Accessor {
    owner: b"droidtest/host/Probes",
    name: b"of",
};
/// The method that makes the error for an instruction whose class is missing.
const ABSENT: (&str, &str) = ("droidtest/host/box/Absent", "of");
/// Classes that may be finished before one that has to be written first.
const AHEAD: usize = 256;
/// Classes between two lines of progress.
const STEP: usize = 500;
const MOST_THREADS: usize = 16;

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

/// A finished class.
#[derive(Default)]
struct Finished {
    files: Option<(Vec<u8>, Vec<u8>)>,
    methods_failed: Vec<String>,
    class_failed: Option<String>,
    methods_unprobed: Vec<String>,
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
    };
    let translator = Translator::new(&app, &hierarchy, options, bridges);
    let worker = Worker {
        translator: &translator,
        build: &build,
        hierarchy: &hierarchy,
        passes: redirect::passes(job.calls),
    };
    let mut names: Vec<&[u8]> = Vec::with_capacity(app.len());
    names.extend(app.definitions().map(|(_, def)| internal_name(def.kind)));
    let more = build.names().filter(|name| app.position(name).is_none());
    names.extend(more);
    let mut summary = write_jars(job, &worker, &names, threads, &mut package)?;
    for (name, why) in &build.failed {
        let name = String::from_utf8_lossy(name);
        summary.classes_failed.push(format!("{name}: {why}"));
    }
    let text = serde_json::to_vec(&summary).map_err(|why| why.to_string())?;
    std::fs::write(job.out.join("classes.json"), text).map_err(|why| format!("classes.json: {why}"))
}

/// What all threads share.
struct Worker<'w, 'a> {
    translator: &'w Translator<'w, 'a>,
    build: &'w BuildClasses,
    hierarchy: &'w dyn Hierarchy,
    passes: Vec<Box<dyn Pass>>,
}

impl Worker<'_, '_> {
    fn class(&self, name: &[u8]) -> Finished {
        let mut finished = Finished::default();
        let shown = String::from_utf8_lossy(name).into_owned();
        if let Some(built) = self.build.class(name) {
            let source = self.translator.app().definition(name);
            let source = source.and_then(|(_, def)| def.source);
            let written = built.and_then(|mut class| {
                set_source_file(&mut class, source);
                self.finish(class, &shown, &mut finished)
                    .map_err(|why| why.to_string())
            });
            finished.class_failed = written.err().map(|why| format!("{shown}: {why}"));
            return finished;
        }
        let mut translated = match self.translator.class(name) {
            Some(Ok(translated)) => translated,
            Some(Err(why)) => {
                finished.class_failed = Some(format!("{shown}: {why}"));
                return finished;
            }
            None => return finished,
        };
        // A method that is too large is replaced when the class is written first.
        let fits = self.translator.write(&mut translated);
        let failures = std::mem::take(&mut translated.failures);
        let written = match fits {
            Ok(_) => self.finish(translated.class, &shown, &mut finished),
            Err(why) => Err(why.into()),
        };
        if let Err(why) = written {
            finished.class_failed = Some(format!("{shown}: {why}"));
            let stand_in = self.translator.stand_in(name, &why.to_string());
            if let Some(stand_in) = stand_in {
                let again = self.finish(stand_in.class, &shown, &mut finished);
                debug_assert!(again.is_ok(), "{again:?}");
            }
            return finished;
        }
        let full = |failure: &Failure| format!("L{shown};.{}: {}", failure.method, failure.reason);
        finished.methods_failed = failures.iter().map(full).collect();
        finished
    }

    /// Applies the passes and writes both forms.
    fn finish(
        &self,
        mut class: Class,
        name: &str,
        finished: &mut Finished,
    ) -> Result<(), ProbeError> {
        finished.lines_known = class.methods.iter().any(|method| {
            let code = method.code.as_ref();
            code.is_some_and(|code| {
                let mut insns = code.insns.iter();
                insns.any(|insn| matches!(insn, dex2class::class::Insn::Line(_)))
            })
        });
        for pass in &self.passes {
            pass.apply(&mut class, self.hierarchy);
        }
        let names: Vec<String> = class
            .methods
            .iter()
            .map(|method| {
                let text = |ix| String::from_utf8_lossy(class.pool.text(ix)).into_owned();
                format!("{name}.{}{}", text(method.name), text(method.descriptor))
            })
            .collect();
        let files = write_probed(class, &PROBES)?;
        let without = files.without.iter();
        finished.methods_unprobed = without.map(|&ix| names[ix].clone()).collect();
        finished.files = Some((files.plain, files.probed));
        Ok(())
    }
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
    names: &[&[u8]],
    threads: usize,
    package: &mut Package,
) -> Result<Summary, String> {
    let mut plain = Jar::create(job, "original.jar")?;
    let mut probed = Jar::create(job, "app.jar")?;
    let queue = Mutex::new(Queue {
        next: 0,
        written: 0,
        finished: BTreeMap::new(),
        stopped: false,
    });
    let changed = Condvar::new();
    let mut summary = Summary::default();
    let result = std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| work(worker, names, &queue, &changed));
        }
        let result: Result<(), String> = (0..names.len()).try_for_each(|at| {
            if at % STEP == 0 {
                progress(at, names.len());
            }
            let finished = take(&queue, &changed, at);
            if let Some((original, with_probes)) = &finished.files {
                let name = format!("{}.class", String::from_utf8_lossy(names[at]));
                plain.put(&name, original)?;
                probed.put(&name, with_probes)?;
                summary.classes += 1;
            }
            summary.lines_known |= finished.lines_known;
            summary.methods_failed.extend(finished.methods_failed);
            summary.classes_failed.extend(finished.class_failed);
            summary.methods_unprobed.extend(finished.methods_unprobed);
            Ok(())
        });
        queue.lock().unwrap_or_else(PoisonError::into_inner).stopped = true;
        changed.notify_all();
        result
    });
    result?;
    for name in package.java_resources() {
        let bytes = package.read(&name)?;
        probed.put(&name, &bytes)?;
    }
    plain.finish()?;
    probed.finish()?;
    progress(names.len(), names.len());
    Ok(summary)
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

/// A jar that is being written. Entries are not compressed: that would take longer than the translation.
struct Jar {
    zip: ZipWriter<BufWriter<File>>,
    name: &'static str,
}

impl Jar {
    fn create(job: &Job, name: &'static str) -> Result<Self, String> {
        let file = File::create(job.out.join(name)).map_err(|why| format!("{name}: {why}"))?;
        let zip = ZipWriter::new(BufWriter::with_capacity(1 << 18, file));
        Ok(Self { zip, name })
    }

    fn put(&mut self, name: &str, bytes: &[u8]) -> Result<(), String> {
        let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
        self.zip
            .start_file(name, options)
            .map_err(io::Error::from)
            .and_then(|()| self.zip.write_all(bytes))
            .map_err(|why| format!("{}: {name}: {why}", self.name))
    }

    fn finish(self) -> Result<(), String> {
        let name = self.name;
        let flushed = self.zip.finish().map_err(io::Error::from);
        let flushed = flushed.and_then(|mut out| out.flush());
        flushed.map_err(|why| format!("{name}: {why}"))
    }
}
