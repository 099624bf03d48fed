//! What the reports of a large run cost: time, memory, size.
//!
//! Arguments: events and findings of the run (100000 and 200 without them), and a folder to keep it in.

use droidtest::gui::{Direction, EventKey, EventKind, ExactId, PageId, SystemEvent};
use droidtest::outcome::folder::{FindingFolder, RUN_VERSION, pretty};
use droidtest::outcome::reproduction::REPRODUCTION_VERSION;
use droidtest::outcome::run_event::{
    Did, EndReason, EventIdentity, JOURNAL_VERSION, Reset, SessionHeader, StepRecord,
};
use droidtest::outcome::{
    Finding, FindingKind, JournalWriter, Minimality, PlannedSession, Reproduction, RunEvent,
    RunFolder, RunInfo, SessionFolder, Timing, TimingWriter, Trigger,
};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

const PACKAGE: &str = "org.example.large";
const SESSION: &str = "large-jvm-random-1";
const ACTIVITIES: u64 = 60;
const CLASSES: u32 = 4000;
/// Steps of a finding's minimized trace, each with a picture.
const STEPS: usize = 12;
/// Frames of a stack; of every tenth finding a stack overflow's.
const FRAMES: [usize; 2] = [60, 1024];
/// Bytes of a screenshot of 1080 by 2340 pixels, as the jvm device makes them.
const PICTURE: usize = 60_000;

fn main() {
    let named: Vec<String> = std::env::args()
        .skip(1)
        .filter(|a| !a.starts_with("--"))
        .collect();
    let number = |at: usize, default: u64| {
        let given = named.get(at).map(|text| text.parse().expect("a number"));
        given.unwrap_or(default)
    };
    let (events, findings) = (number(0, 100_000), number(1, 200));
    let scratch = tempfile::tempdir().expect("a folder");
    let base = named.get(2).map_or(scratch.path().into(), PathBuf::from);
    let base = std::path::absolute(base).expect("a folder");
    let folder = write(&base, events, findings);
    let started = Instant::now();
    let mut report = Command::new(env!("CARGO_BIN_EXE_cargo-droidtest"))
        .args(["droidtest", "report", "--quiet"])
        .arg(folder.path())
        .current_dir(scratch.path())
        .stdout(Stdio::null())
        .spawn()
        .expect("the tool starts");
    let peak = peak(&mut report);
    let seconds = started.elapsed().as_secs_f64();
    let size = |path: PathBuf| fs::metadata(path).map_or(0, |of| of.len()) as f64 / 1e6;
    println!(
        "{events} events, {findings} findings: {seconds:.1} s, {peak} MB; journal {:.1} MB, report.html {:.1}, junit.xml {:.1}, droidtest.sarif {:.1}, summary.json {:.1} MB",
        size(folder.session(SESSION).journal()),
        size(folder.html()),
        size(folder.junit()),
        size(folder.sarif()),
        size(folder.summary()),
    );
}

/// Waits for its end; its most resident memory in MB, 0 where the system does not say it.
fn peak(child: &mut Child) -> u64 {
    let status = format!("/proc/{}/status", child.id());
    let mut most = 0;
    while child.try_wait().expect("it can be waited for").is_none() {
        let text = fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kilobytes = line.and_then(|rest| rest.trim().trim_end_matches(" kB").parse().ok());
        most = most.max(kilobytes.unwrap_or(0) / 1000);
        sleep(Duration::from_millis(20));
    }
    most
}

fn write(base: &Path, events: u64, findings: u64) -> RunFolder {
    let info = RunInfo {
        version: RUN_VERSION,
        suite: "large".into(),
        run: format!("{events}-{findings}"),
        sessions: vec![PlannedSession {
            session: SESSION.into(),
            app: "large".into(),
            package: PACKAGE.into(),
            device: "jvm".into(),
            strategy: "random".into(),
            seed: 1,
            seat: 0,
        }],
        ..RunInfo::default()
    };
    let folder = RunFolder::create(base, &info).expect("a run's folder");
    // With the file, the report writes it again.
    fs::write(folder.sarif(), "{}").expect("a file");
    let session = folder.session(SESSION);
    session.create().expect("a session's folder");
    journal(&session, events, findings).expect("a journal");
    folder
}

fn activity(number: u64) -> String {
    format!("{PACKAGE}.feature{}.Screen{number}Activity", number % 9)
}

fn journal(
    folder: &SessionFolder,
    events: u64,
    findings: u64,
) -> Result<(), Box<dyn std::error::Error>> {
    let mut journal = JournalWriter::create(&folder.journal())?;
    let mut timing = TimingWriter::create(&folder.timing())?;
    journal.write(&RunEvent::Session(SessionHeader {
        version: JOURNAL_VERSION,
        session: SESSION.into(),
        app: "large".into(),
        package: PACKAGE.into(),
        device: "jvm".into(),
        device_kind: "jvm".into(),
        strategy: "random".into(),
        seed: 1,
        activities_declared: (0..ACTIVITIES).map(activity).collect(),
        activities_reachable: (0..ACTIVITIES).map(activity).collect(),
        ..SessionHeader::default()
    }))?;
    for ix in 0..CLASSES {
        let name = format!("org/example/large/feature{}/Class{ix}", ix % 90);
        let probes = 30;
        journal.write(&RunEvent::Class { ix, name, probes })?;
    }
    let page = |number: u64| PageId(1 + number % (events / 5).max(1));
    let write_page = |journal: &mut JournalWriter, number: u64| {
        journal.write(&RunEvent::Page {
            id: page(number),
            activity: activity(number % ACTIVITIES),
            label: format!("Screen {number} · Inbox · Drafts · Sent"),
            widgets: 40,
            events: 25,
            screen: (1080, 2340),
            sketch: None,
        })
    };
    write_page(&mut journal, 0)?;
    journal.write(&RunEvent::Launch {
        how: Reset::ClearData,
        before: 1,
        page: page(0),
        exact: ExactId(1),
        probes: Vec::new(),
        activities: vec![activity(0)],
        findings: Vec::new(),
    })?;
    let mut written = 0;
    for i in 1..=events {
        // Five events on a page, new pages all the time: an app with content that changes.
        let (from, to) = (page((i - 1) / 5), page(i / 5));
        if i % 5 == 0 {
            write_page(&mut journal, i / 5)?;
        }
        let key = EventKey(i % (events / 2).max(1));
        if i == key.0 {
            journal.write(&event(key))?;
        }
        let mut observed = Vec::new();
        while written * events < i * findings {
            let finding = finding(written, i);
            observed.push(finding.fingerprint.clone());
            artifacts(&folder.finding(&finding.id), &finding)?;
            journal.write(&RunEvent::Finding(Box::new(finding)))?;
            written += 1;
        }
        let probe = (i as u32).wrapping_mul(17) % (CLASSES * 30);
        journal.write_step(&StepRecord {
            i,
            did: match i % 50 {
                0 => Did::System {
                    event: SystemEvent::Rotate,
                },
                _ => Did::Event {
                    k: key,
                    ix: 3,
                    input: None,
                },
            },
            led: None,
            from,
            to,
            exact: ExactId(i),
            changed: i % 4 != 0,
            probes: vec![(probe % CLASSES, probe / CLASSES)],
            activities: Vec::new(),
            reward: 1.0,
            left: Vec::new(),
            toasts: Vec::new(),
            findings: observed,
        })?;
        timing.write(Timing {
            i,
            us: i * 12_000,
            wait_us: 11_000,
        })?;
    }
    timing.flush()?;
    journal.write(&RunEvent::End {
        reason: EndReason::Events,
        events,
    })?;
    Ok(())
}

fn event(k: EventKey) -> RunEvent {
    RunEvent::Event {
        k,
        kind: match k.0 % 3 {
            0 => EventKind::Click,
            1 => EventKind::LongClick,
            _ => EventKind::Swipe {
                dir: Direction::Left,
            },
        },
        at: EventIdentity {
            class: "android.widget.Button".into(),
            id: format!("{PACKAGE}:id/row"),
            text: format!("Row {} of the list", k.0),
            ..EventIdentity::default()
        },
    }
}

fn finding(number: u64, event: u64) -> Finding {
    let exception = "java.lang.IllegalStateException";
    let class = format!("{PACKAGE}.feature{}.Model{number}", number % 9);
    let frames = FRAMES[usize::from(number % 10 == 9)];
    let stack: String = (0..frames)
        .map(|n| {
            format!(
                "\n\tat {class}$Inner.method{n}(Model{number}.kt:{})",
                10 + n
            )
        })
        .collect();
    let fingerprint = format!("v2:{:016x}", number + 1);
    Finding {
        id: format!("crash-{number:08x}"),
        kind: FindingKind::JavaCrash,
        fingerprint,
        v1: String::new(),
        title: format!("IllegalStateException: case {number}"),
        exception: Some(exception.into()),
        frame: Some(format!("{class}.method0(Model{number}.kt:10)")),
        evidence: format!("FATAL EXCEPTION: main\n{exception}: case {number}{stack}"),
        activity: activity(number % ACTIVITIES),
        trigger: Trigger::Event,
        event,
        warning: false,
        environment: None,
        provoked_by: Vec::new(),
        left: Vec::new(),
    }
}

fn artifacts(folder: &FindingFolder, finding: &Finding) -> std::io::Result<()> {
    folder.create()?;
    let mut picture = b"\x89PNG\r\n\x1a\n".to_vec();
    picture.resize(PICTURE, 0);
    for path in [folder.before(), folder.after()] {
        fs::write(path, &picture)?;
    }
    fs::write(folder.minimized(), "version = 1\n")?;
    let found = Reproduction {
        version: REPRODUCTION_VERSION,
        fingerprint: finding.fingerprint.clone(),
        given: finding.event,
        steps: (0..STEPS)
            .map(|n| format!("click “Row {n} of the list” (row)"))
            .collect(),
        minimality: Minimality::OneMinimal,
        chance: 1.0,
        replays: 12,
        carried: 0,
        reproduced: 5,
        of: 5,
        diverged: None,
    };
    for number in 1..=STEPS {
        fs::write(folder.step_image(number), &picture)?;
    }
    fs::write(folder.reproduction(), pretty(&found)?)
}
