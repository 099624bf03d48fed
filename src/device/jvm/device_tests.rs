//! Tests of the device with a scripted agent: responses, refusals, blocks, silence and death.

use super::folder::claim;
use super::*;
use crate::device::link::Link;
use crate::device::wire::{read_frame, write_frame};
use serde_json::{Value, json};
use std::fs;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::process::Command;
use std::thread;
use std::time::Instant;

/// What the scripted agent does on a request.
pub(super) enum Reply {
    /// Sends this as the answer; `id` is put in.
    Answer(Value),
    /// Sends this as it is, and no answer.
    Notice(Value),
    Silence,
    Close,
}

use Reply::{Answer, Close, Notice, Silence};

/// A device whose process is `script` and whose agent replies in this order.
pub(super) fn device(
    script: &str,
    replies: Vec<Reply>,
) -> (JvmDevice, tempfile::TempDir, Requests) {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let port = listener.local_addr().unwrap().port();
    let (asked, requests) = std::sync::mpsc::channel();
    thread::spawn(move || {
        let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).unwrap();
        let mut body = Vec::new();
        for reply in replies {
            if read_frame(&mut stream, &mut body).is_err() {
                return;
            }
            let request: Value = serde_json::from_slice(&body).unwrap();
            let id = request["id"].clone();
            let _ = asked.send(request);
            let mut frame = match reply {
                Answer(frame) => frame,
                Notice(frame) => {
                    write_frame(&mut stream, frame.to_string().as_bytes()).unwrap();
                    continue;
                }
                Silence => continue,
                Close => return,
            };
            frame["id"] = id;
            write_frame(&mut stream, frame.to_string().as_bytes()).unwrap();
        }
        let _ = read_frame(&mut stream, &mut body);
    });
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("logs")).unwrap();
    let mut settings = JvmSettings::new(folder.path(), folder.path().join("logs"));
    settings.step_limit = Duration::from_millis(500);
    let mut device = JvmDevice::new("jvm", settings, Cache::at(folder.path()), Watch::silent());
    let link = Link::new(listener.accept().unwrap().0, Arc::default()).unwrap();
    let mut command = Command::new("sh");
    command
        .args(["-c", script])
        .current_dir(folder.path())
        .stdin(std::process::Stdio::null());
    device.process = Some(JavaProcess::pretend(
        &mut command,
        link,
        folder.path(),
        "com.x",
    ));
    (device, folder, Requests(requests))
}

pub(super) struct Requests(std::sync::mpsc::Receiver<Value>);

impl Requests {
    fn next(&self) -> Value {
        self.0.recv_timeout(Duration::from_secs(10)).unwrap()
    }
}

pub(super) const IDLE: &str = "sleep 600";

fn page(text: &str) -> Value {
    json!({"obs": {
        "alive": true, "activity": "com.x.Main", "rotation": 0, "screen": [10, 10],
        "page": [{"p": -1, "c": "android.widget.Button", "t": text, "b": [0, 0, 9, 9], "f": 2065}],
        "virtual_ms": 5, "settled": true, "listens": {"receivers": ["a"]},
    }})
}

fn unchanged() -> Value {
    json!({"obs": {"alive": true, "activity": "com.x.Main", "unchanged": true, "toasts": ["hi"],
        "listens": {"receivers": ["a"]}}})
}

fn is_gone(pid: u32) -> bool {
    !Path::new(&format!("/proc/{pid}")).exists()
}

const WAIT: Action = Action::Wait { ms: 1 };

#[test]
fn an_unchanged_page_is_the_same_page() {
    let replies = vec![Answer(page("a")), Answer(unchanged()), Answer(page("b"))];
    let (mut device, _folder, requests) = device(IDLE, replies);
    let mut interner = Interner::default();
    let mut step = || {
        device.perform(&WAIT).unwrap();
        device.observe(&mut interner).unwrap()
    };
    let (first, second, third) = (step(), step(), step());
    let (a, b) = (first.page.unwrap(), second.page.unwrap());
    assert!(Arc::ptr_eq(&a, &b) && Arc::ptr_eq(&first.listens, &second.listens));
    assert_eq!(second.toasts, ["hi"]);
    assert_ne!(third.page.unwrap().exact, a.exact);
    let request = requests.next();
    assert_eq!(request["cmd"], "step");
    assert_eq!(request["action"], json!({"k": "wait", "ms": 1}));
    assert_eq!(request["settle_ms"], 300);
}

#[test]
fn an_app_that_fell_between_two_events_is_looked_at() {
    let refused = json!({"error": {"code": "not-alive", "message": "the app has ended"}});
    let fallen = json!({"obs": {"alive": false, "unchanged": true, "exit": "System.exit(0)"}});
    let (mut device, _folder, requests) = device(IDLE, vec![Answer(refused), Answer(fallen)]);
    device.perform(&WAIT).unwrap();
    assert_eq!(requests.next()["cmd"], "step");
    assert_eq!(requests.next()["cmd"], "observe");
    let pending = device.pending.take().unwrap();
    assert_eq!(pending.exit.as_deref(), Some("System.exit(0)"));
}

#[test]
fn a_page_that_was_never_seen_is_asked_for_in_full() {
    let (mut device, _folder, requests) =
        device(IDLE, vec![Answer(unchanged()), Answer(page("a"))]);
    device.perform(&WAIT).unwrap();
    let seen = device.observe(&mut Interner::default()).unwrap();
    assert_eq!(seen.page().widgets.len(), 1);
    assert_eq!(seen.toasts, ["hi"]);
    requests.next();
    let request = requests.next();
    assert_eq!(
        (&request["cmd"], &request["full"]),
        (&json!("observe"), &json!(true))
    );
}

#[test]
fn a_stale_widget_leaves_the_process_alone() {
    let refusal = json!({"error": {"code": "stale-widget", "message": "gone"}});
    let (mut device, _folder, _) = device(IDLE, vec![Answer(refusal), Answer(page("a"))]);
    let error = device.perform(&Action::Click { n: 3 }).unwrap_err();
    assert!(matches!(error, DeviceError::StaleWidget));
    assert!(device.observe(&mut Interner::default()).unwrap().alive);
}

#[test]
fn a_crash_has_no_page_and_keeps_its_evidence() {
    let crash =
        json!({"obs": {"alive": false, "crash": {"thread": "main", "class": "java.lang.X"}}});
    let (mut device, _folder, _) = device(IDLE, vec![Answer(page("a")), Answer(crash)]);
    device.perform(&WAIT).unwrap();
    device.perform(&WAIT).unwrap();
    let seen = device.observe(&mut Interner::default()).unwrap();
    assert!(!seen.alive && seen.page.is_none());
    assert_eq!(seen.crash.unwrap().class, "java.lang.X");
}

#[test]
fn a_blocked_main_thread_ends_the_process_and_gives_its_stack() {
    let notice = json!({"notice": "blocked", "ms": 5001, "stack": "at com.x.A", "in_app": true});
    let (mut device, _folder, _) = device(IDLE, vec![Notice(notice)]);
    device.settings.step_limit = Duration::from_secs(60);
    let pid = device.process.as_mut().unwrap().pid().unwrap();
    match device.perform(&WAIT).unwrap_err() {
        DeviceError::Blocked(anr) => {
            assert_eq!((anr.ms, anr.virtual_time), (5001, false));
            assert_eq!(anr.stack, "at com.x.A");
        }
        other => panic!("{other}"),
    }
    assert!(is_gone(pid));
    // Only a reset helps now, and it needs an app.
    assert!(matches!(
        device.perform(&WAIT),
        Err(DeviceError::Protocol(_))
    ));
    assert!(matches!(
        device.reset(Reset::Relaunch),
        Err(DeviceError::Setup(_))
    ));
}

#[test]
fn silence_ends_at_the_deadline_with_the_process() {
    let start = Instant::now();
    let (mut device, _folder, _) = device(IDLE, vec![Silence]);
    let pid = device.process.as_mut().unwrap().pid().unwrap();
    assert!(matches!(
        device.perform(&WAIT),
        Err(DeviceError::Timeout { .. })
    ));
    assert!(is_gone(pid) && start.elapsed() < Duration::from_secs(300));
}

/// The report of the death of a process that ran `script`.
fn death(script: &str) -> (String, bool, bool) {
    let (mut device, folder, _) = device(script, vec![Close]);
    // The last words have to be out before the connection breaks.
    thread::sleep(Duration::from_millis(300));
    let error = device.perform(&WAIT).unwrap_err();
    let hs_err = folder.path().join("logs/hs_err-1.log");
    match error {
        DeviceError::Died {
            message,
            out_of_memory,
            in_app,
        } => {
            assert_eq!(message.contains("hs_err"), hs_err.exists());
            (message, out_of_memory, in_app)
        }
        other => panic!("{other}"),
    }
}

#[test]
fn a_death_says_how_it_came() {
    let (message, out_of_memory, in_app) = death("echo bye; exit 3");
    assert!(message.contains("exited with 3") && message.ends_with("last output: bye"));
    assert!(!out_of_memory && !in_app);
    let (message, ..) = death("kill -SEGV $$");
    assert!(
        message.contains("signal 11 (segmentation fault)"),
        "{message}"
    );
    let (message, ..) = death("kill -KILL $$");
    assert!(message.contains("signal 9"), "{message}");
}

#[test]
fn a_deaths_last_words_hold_no_secret() {
    let (message, ..) = death("echo 'login?p=hunter%32'; exit 3");
    assert!(message.ends_with("last output: login?p=***"), "{message}");
}

#[test]
fn a_death_for_want_of_memory_is_told_as_such() {
    let (_, out_of_memory, _) =
        death("echo 'Terminating due to java.lang.OutOfMemoryError: Java heap space'; exit 3");
    assert!(out_of_memory);
}

#[test]
fn the_jvms_own_report_is_kept_and_read_for_frames_of_the_app() {
    let with_frame = |frame: &str| {
        death(&format!(
            "printf '# Problematic frame:\\n\\nJava frames: (J=compiled)\\nj  {frame}\\n\\n' > hs_err_pid1.log; exit 134"
        ))
    };
    let (message, _, in_app) = with_frame("com.x.Main.onClick(I)V+3");
    assert!(
        message.contains("the JVM's report is") && in_app,
        "{message}"
    );
    let (_, _, in_app) = with_frame("android.graphics.Canvas.nDraw(J)V+0");
    assert!(!in_app);
}

#[test]
fn two_steps_without_a_look_between_lose_nothing() {
    let with_probes = |class: u32, probe: u32| {
        let mut answer = page("a");
        answer["obs"]["classes"] = json!([[class, format!("com/x/C{class}"), 9]]);
        answer["obs"]["probes"] = json!([[class, probe]]);
        answer
    };
    let (mut device, _folder, _) = device(
        IDLE,
        vec![Answer(with_probes(0, 4)), Answer(with_probes(1, 5))],
    );
    device.perform(&WAIT).unwrap();
    device.perform(&WAIT).unwrap();
    let seen = device.observe(&mut Interner::default()).unwrap();
    assert_eq!(seen.probes, [(0, 4), (1, 5)]);
    assert_eq!(seen.classes.len(), 2);
}

#[test]
fn a_folder_with_other_peoples_files_is_never_emptied() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("thesis.txt"), "years").unwrap();
    assert!(matches!(
        claim(folder.path(), &Watch::silent()),
        Err(DeviceError::Setup(_))
    ));
    assert!(folder.path().join("thesis.txt").exists());
    let own = folder.path().join("device");
    claim(&own, &Watch::silent()).unwrap();
    fs::write(own.join("rest"), "x").unwrap();
    claim(&own, &Watch::silent()).unwrap();
    assert!(!own.join("rest").exists());
}

/// Not a test of speed but its gauge, to be run with optimisation:
/// `cargo test --release --lib speed_of_an_event -- --ignored --nocapture`.
#[test]
#[ignore = "a measurement"]
fn speed_of_an_event() {
    const EVENTS: usize = 20_000;
    let node = |ix: usize, text: usize| {
        json!({"p": ix as i64 - 1, "c": "android.widget.TextView", "i": format!("com.x:id/w{ix}"),
            "t": format!("text {ix} {text}"), "d": null, "h": null, "b": [0, ix, 400, ix + 20], "f": 2065, "l": 1,
            "it": 0, "ia": 0, "sc": 0})
    };
    let frames: Vec<Value> = (0..7)
        .map(|text| {
            let mut frame = page("a");
            frame["obs"]["page"] = (0..60).map(|ix| node(ix, text)).collect();
            frame
        })
        .collect();
    let bytes: Vec<_> = frames
        .iter()
        .map(|f| serde_json::to_vec(f).unwrap())
        .collect();
    let mut interner = Interner::default();
    let start = Instant::now();
    for ix in 0..EVENTS {
        let frame: Incoming = serde_json::from_slice(&bytes[ix % bytes.len()]).unwrap();
        let obs = frame.obs.unwrap();
        let nodes = obs.page.unwrap();
        let page = Page::build(&nodes, &obs.activity, 0, obs.screen, &mut interner);
        std::hint::black_box(page);
    }
    println!(
        "a new page of 60 nodes: {:?} an event",
        start.elapsed() / EVENTS as u32
    );
    let replies = (0..EVENTS).map(|_| Answer(unchanged())).collect();
    let (mut device, _folder, _) = device(IDLE, replies);
    device.page = Some(Arc::new(crate::gui::page::none()));
    let start = Instant::now();
    for _ in 0..EVENTS {
        device.perform(&Action::Click { n: 3 }).unwrap();
        device.observe(&mut interner).unwrap();
    }
    println!(
        "an unchanged page with the way there and back: {:?}",
        start.elapsed() / EVENTS as u32
    );
}
