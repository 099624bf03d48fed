//! What someone else passes on whole: a run's folder, an app's splits and sets, an agent's side of the wire.

use super::android::used;
use crate::corpus::{archive, files, member};
use crate::{Sources, Target};
use droidtest::apk::Apk;
use droidtest::apk::splits::Parts;
use droidtest::device::jvm::apk_check;
use droidtest::device::link::{Link, LinkError, Patience};
use droidtest::device::message::Request;
use droidtest::outcome::RunFolder;
use droidtest::report::console::{self, Paint};
use droidtest::report::{Options, render, step_summary};
use droidtest::trace::record;
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Starts a file of a run's folder in one text of all.
const FILE: &str = "=== ";
/// Stands in a file next to the run's folder, and must come into no report.
pub(super) const OUTSIDE: &str = "what lies outside the run";
pub(super) const RUN: &[u8] = include_bytes!("../../corpus/run.txt");
pub(super) const RUN_JVM: &[u8] = include_bytes!("../../corpus/run-jvm.txt");
const MANIFEST: &str = "AndroidManifest.xml";

pub fn targets(sources: &Sources) -> Vec<Target> {
    let apps = sources.root.join("tests/apps/splits");
    let mut all = vec![run_folder(), splits(&apps), set(&apps)];
    #[cfg(unix)]
    all.push(wire());
    all
}

fn run_folder() -> Target {
    let base = tempfile::tempdir_in(quick()).expect("a folder");
    let root = base.path().canonicalize().expect("a folder");
    let outside = root.join("outside");
    let mut count = 0_u64;
    Target {
        name: "run-folder",
        corpus: vec![RUN.into(), RUN_JVM.into()],
        words: &[
            "\n=== link sessions/shop-sim-random-1/failed.txt ../../../outside\n",
            "\n=== link coverage ..\n",
            "\n=== pipe sessions/shop-sim-random-1/timing.jsonl\n",
            "\n=== folder report.html\n",
            "\n=== sessions/shop-sim-random-1/failed.txt\n",
            "\n=== sessions/shop-sim-random-1/coverage.json\n",
            "\"session\":\"../../x\"",
            "\"t\":\"system\"",
            "null",
            "1e999",
            "-1",
            "{\"e\":\"finding\",",
            "{\"e\":\"end\",",
            "[[step]]\n",
            "\u{1b}[2J",
            "::error::x",
        ],
        run: Box::new(move |bytes| {
            let run = root.join("run");
            clear(&root);
            fs::create_dir(&run).expect("a folder");
            fs::write(&outside, OUTSIDE).expect("a file");
            lay_out(&run, bytes);
            count += 1;
            // The page costs ten times what all else does.
            let html = count.is_multiple_of(8);
            let taken = report(base.path(), html);
            let mut beside: Vec<_> = fs::read_dir(base.path())
                .expect("a folder")
                .map(|entry| entry.expect("an entry").file_name())
                .collect();
            beside.sort();
            assert_eq!(beside, ["outside", "run"], "written beside the run");
            let kept = fs::read_to_string(&outside).expect("a file");
            assert_eq!(kept, OUTSIDE, "written outside the run");
            taken
        }),
    }
}

/// Removes all in a folder.
pub(super) fn clear(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let _ = fs::remove_dir_all(&path).or_else(|_| fs::remove_file(&path));
    }
}

/// All that `report` does short of coverage, which Java reports.
fn report(base: &Path, html: bool) -> bool {
    let Ok(folder) = RunFolder::find(base, Some("run")) else {
        return false;
    };
    let known = folder.info().is_ok();
    for session in folder.info().unwrap_or_default().sessions {
        let session = folder.session(&session.session);
        if session.journal().is_file() {
            let _ = record::write_all(&session);
        }
    }
    let Ok(rendered) = render(
        &folder,
        Options {
            junit: true,
            html,
            sarif: Some(html),
        },
        None,
    ) else {
        return false;
    };
    let text = console::summary(&rendered.run, &rendered.written, Paint::default());
    let page = step_summary::markdown(&rendered.run);
    let mut reported = vec![text, page];
    let read = |path: &PathBuf| fs::read_to_string(path).expect("a report in UTF-8");
    reported.extend(rendered.written.iter().map(read));
    assert!(
        reported.iter().all(|text| !text.contains(OUTSIDE)),
        "a report tells what lies outside the run"
    );
    known
        && rendered
            .run
            .sessions
            .iter()
            .any(|session| session.header.is_some())
}

/// The files of one text: `=== path`, `=== folder path`, `=== pipe path` or `=== link path target`, then what is in it.
pub(super) fn lay_out(run: &Path, bytes: &[u8]) {
    let mut now: Option<(PathBuf, Vec<u8>)> = None;
    let write = |file: Option<(PathBuf, Vec<u8>)>| {
        let odd = |path: &Path| fs::symlink_metadata(path).is_ok_and(|found| !found.is_file());
        if let Some((path, content)) = file.filter(|(path, _)| !odd(path)) {
            let _ = fs::write(path, content);
        }
    };
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        let named = std::str::from_utf8(line).ok();
        let Some(named) = named.and_then(|line| line.strip_prefix(FILE)) else {
            if let Some((_, content)) = &mut now {
                content.extend_from_slice(line);
            }
            continue;
        };
        write(now.take());
        let mut words = named.split_whitespace();
        let first = words.next().unwrap_or_default();
        let kind = ["link", "pipe", "folder"]
            .into_iter()
            .find(|kind| *kind == first);
        let name = kind.map_or(first, |_| words.next().unwrap_or_default());
        // What unpacks an archive goes no further either.
        let mut parts = Path::new(name).components();
        if name.is_empty() || !parts.all(|part| matches!(part, Component::Normal(_))) {
            continue;
        }
        let path = run.join(name);
        // Nor does it go through a link that it has just made.
        let above = path.ancestors().take_while(|above| above.starts_with(run));
        if above.into_iter().any(Path::is_symlink) {
            continue;
        }
        let _ = path.parent().map(fs::create_dir_all);
        match kind {
            None => now = Some((path, Vec::new())),
            Some("folder") => drop(fs::create_dir_all(path)),
            Some("link") => link(words.next().unwrap_or("."), &path),
            Some(_) => pipe(&path),
        }
    }
    write(now);
}

#[cfg(unix)]
fn link(target: &str, path: &Path) {
    let _ = std::os::unix::fs::symlink(target, path);
}

#[cfg(not(unix))]
fn link(_: &str, _: &Path) {}

#[cfg(target_os = "linux")]
fn pipe(path: &Path) {
    use rustix::fs::{CWD, FileType, Mode, mknodat};
    let _ = mknodat(CWD, path, FileType::Fifo, Mode::RWXU, 0);
}

#[cfg(not(target_os = "linux"))]
fn pipe(_: &Path) {}

/// Files in memory where there are such: what lasts is of no use here.
pub(super) fn quick() -> PathBuf {
    let memory = PathBuf::from("/dev/shm");
    if memory.is_dir() {
        memory
    } else {
        std::env::temp_dir()
    }
}

/// The manifest of a split next to a good base.
fn splits(apps: &Path) -> Target {
    let folder = tempfile::tempdir_in(quick()).expect("a folder");
    let app = folder.path().join("app");
    fs::create_dir(&app).expect("a folder");
    let all = files(apps, &["base.apk", "config.de.apk", "feature.apk"]);
    fs::write(app.join("base.apk"), small(&all[0])).expect("a file");
    let table = member(&all[1], "resources.arsc").unwrap_or_default();
    let corpus = all[1..]
        .iter()
        .filter_map(|apk| member(apk, MANIFEST))
        .collect();
    Target {
        name: "splits",
        corpus,
        words: &[
            "\u{3}\0\u{8}\0",
            "\u{1}\0\u{1c}\0",
            "\u{2}\u{1}\u{10}\0",
            "split",
            "configForSplit",
        ],
        run: Box::new(move |bytes| {
            let split = archive(&[(MANIFEST, bytes), ("resources.arsc", &table)]);
            fs::write(app.join("split.apk"), split).expect("a file");
            merged(&app, &folder.path().join("whole.apk"))
        }),
    }
}

/// A set of APKs in one file.
fn set(apps: &Path) -> Target {
    let folder = tempfile::tempdir_in(quick()).expect("a folder");
    let all = files(apps, &["base.apk", "config.de.apk"]);
    let (base, split) = (small(&all[0]), small(&all[1]));
    let of = |base_name, split_name| archive(&[(base_name, &base), (split_name, &split)]);
    Target {
        name: "set",
        corpus: vec![
            of("splits/base-master.apk", "splits/base-de.apk"),
            of("base.apk", "config.de.apk"),
        ],
        words: &[
            "PK\u{3}\u{4}",
            "PK\u{1}\u{2}",
            "PK\u{5}\u{6}",
            "PK\u{6}\u{6}",
            "../",
            "universal.apk",
            "splits/",
        ],
        run: Box::new(move |bytes| {
            let file = folder.path().join("app.apks");
            fs::write(&file, bytes).expect("a file");
            merged(&file, &folder.path().join("whole.apk"))
        }),
    }
}

/// The same APK with what is read of it, as a small one.
fn small(apk: &[u8]) -> Vec<u8> {
    let names = [MANIFEST, "resources.arsc", "classes.dex"];
    let parts = names.map(|name| (name, member(apk, name)));
    let parts: Vec<_> = parts
        .iter()
        .filter_map(|(name, part)| Some((*name, part.as_deref()?)))
        .collect();
    archive(&parts)
}

fn merged(app: &Path, whole: &Path) -> bool {
    let Ok(Some(parts)) = Parts::of(app, &[]) else {
        return false;
    };
    let done = parts.merge(whole).is_ok();
    done && Apk::open(whole).is_ok() && apk_check::check(whole).is_ok()
}

#[cfg(unix)]
fn wire() -> Target {
    use std::io::Write as _;
    use std::net::Shutdown;
    use std::os::unix::net::UnixStream;
    let framed = |bodies: &[&str]| {
        let mut bytes = Vec::new();
        for body in bodies {
            let length = u32::try_from(body.len()).unwrap_or(0);
            bytes.extend(length.to_be_bytes());
            bytes.extend(body.bytes());
        }
        bytes
    };
    let answer = |id: u32| super::android::ANSWER.replace("\"id\":3", &format!("\"id\":{id}"));
    let (first, third) = (answer(1), answer(3));
    let talk = [BLOCKED, &first, REFUSED, &third];
    let greeted = [&[HELLO], &talk[..]].concat();
    Target {
        name: "wire",
        corpus: vec![talk.join("\n").into_bytes(), framed(&greeted)],
        words: &[
            "\0\0\0\u{2}{}",
            "\u{7f}",
            "{\"id\":1}",
            "{\"id\":2,\"obs\":{}}",
            "\"notice\":",
            "null",
            "-1",
            "\n{",
        ],
        run: Box::new(move |bytes| {
            let (ours, mut theirs) = UnixStream::pair().expect("a pair");
            theirs.set_nonblocking(true).expect("a socket");
            // Lines go out as frames of the right length, behind a greeting; what does not start like one, as it is.
            let bytes = if bytes.starts_with(b"{") {
                let bodies = bytes.split(|byte| *byte == b'\n');
                let bodies = [HELLO.as_bytes()].into_iter().chain(bodies);
                let lines = bodies.flat_map(|body| {
                    let length = u32::try_from(body.len()).unwrap_or(0).to_be_bytes();
                    [&length[..], body].concat()
                });
                lines.collect::<Vec<u8>>()
            } else {
                bytes.to_vec()
            };
            // As much as the socket holds.
            let _ = theirs.write_all(&bytes);
            let _ = theirs.shutdown(Shutdown::Write);
            talked(ours)
        }),
    }
}

const HELLO: &str = r#"{"notice":"hello","token":"t","protocol":1,"pid":77}"#;
const BLOCKED: &str =
    r#"{"notice":"blocked","ms":5100,"stack":"main\n\tat a.B.c(B.java:1)","in_app":false}"#;
const REFUSED: &str = r#"{"id":2,"error":{"kind":"launch","message":"no activity"}}"#;

/// A greeting and a few requests, as a device has them; was one answered?
#[cfg(unix)]
fn talked(ours: std::os::unix::net::UnixStream) -> bool {
    let patience = Patience {
        total: Duration::from_secs(5),
        blocked: Duration::from_secs(5),
    };
    let mut link = Link::new(ours, Arc::default()).expect("a link");
    let greeted = link.greet("t", Instant::now() + patience.total).is_ok();
    let mut answered = false;
    for _ in 0..4 {
        let id = link.next_id();
        match link.call(&Request::Observe { id, full: true }, patience) {
            Ok(answer) => {
                answered |= greeted;
                used(answer);
            }
            Err(LinkError::Deadline) => panic!("waited for what cannot come"),
            Err(LinkError::Closed) => break,
            Err(_) => {}
        }
    }
    answered
}
