use super::super::evidence::Left;
use super::super::finding::{Blame, Finding, FindingKind, Trigger};
use super::super::place::Place;
use super::super::run_event::{Did, EndReason, EventIdentity, Input, LedBy, RawInput, Reset};
use super::*;
use crate::gui::{Direction, EventKey, EventKind, ExactId, Extra, Extras, PageId, SystemEvent};
use proptest::prelude::*;

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        ".{0,12}",
        Just("]]><script>\u{0}\n\"\\\u{202e}🦀".to_owned()),
        Just("\u{2028}é".repeat(40)),
    ]
}

fn did() -> impl Strategy<Value = Did> {
    let input = prop_oneof![
        (text(), any::<bool>()).prop_map(|(s, enter)| Input::Text { s, enter }),
        // Its text does not come back.
        (text(), any::<bool>()).prop_map(|(key, enter)| Input::Secret {
            key,
            s: String::new(),
            enter,
        }),
        any::<(i32, i32)>().prop_map(|(x, y)| Input::Point(x, y)),
    ];
    prop_oneof![
        (any::<u64>(), any::<u32>(), proptest::option::of(input)).prop_map(|(k, ix, input)| {
            Did::Event {
                k: EventKey(k),
                ix,
                input,
            }
        }),
        any::<(i32, i32)>().prop_map(|(x, y)| Did::Raw {
            action: RawInput::Tap { x, y }
        }),
        (text(), proptest::option::of(text())).prop_map(|(action, component)| Did::System {
            event: SystemEvent::Broadcast {
                action,
                component,
                extras: Extras::from([("level".to_owned(), Extra::Number(7))]),
            }
        }),
        Just(Did::System {
            event: SystemEvent::Rotate
        }),
        Just(Did::Invalid),
    ]
}

fn step() -> impl Strategy<Value = StepRecord> {
    let ids = (any::<u64>(), any::<u64>(), any::<u64>(), any::<u64>());
    let few = |s| proptest::collection::vec(s, 0..3);
    let lists = (
        proptest::collection::vec(any::<(u32, u32)>(), 0..3),
        few(text()),
        few(text()),
        few(text()),
    );
    let reward = any::<f32>().prop_filter("JSON has finite numbers only", |r| r.is_finite());
    (ids, did(), any::<bool>(), reward, lists).prop_map(
        |((i, from, to, exact), did, changed, reward, (probes, activities, toasts, findings))| {
            StepRecord {
                i,
                did,
                led: (i % 3 > 0).then(|| match i % 3 {
                    1 => LedBy::Block,
                    _ => LedBy::Script("log-in".into()),
                }),
                from: PageId(from),
                to: PageId(to),
                exact: ExactId(exact),
                changed,
                probes,
                activities,
                reward,
                left: toasts
                    .iter()
                    .map(|t| Left {
                        kind: "activity".into(),
                        data: Some(t.clone()),
                        ..Left::default()
                    })
                    .collect(),
                toasts,
                findings,
            }
        },
    )
}

fn event() -> impl Strategy<Value = RunEvent> {
    prop_oneof![
        4 => step().prop_map(RunEvent::Step),
        1 => (any::<u64>(), text()).prop_map(|(k, text)| RunEvent::Event {
            k: EventKey(k),
            kind: EventKind::Scroll { dir: Direction::Left },
            at: EventIdentity { text, ..EventIdentity::default() },
        }),
        1 => (any::<u64>(), text()).prop_map(|(id, label)| RunEvent::Page {
            id: PageId(id),
            activity: "a.B".into(),
            label,
            widgets: 3,
            events: 4,
            screen: (9, 9),
            sketch: None,
        }),
        1 => text().prop_map(|name| RunEvent::Place(Place { activity: "a.B".into(), name })),
        1 => any::<u64>().prop_map(|page| RunEvent::Screen { page: PageId(page), size: (9, 4) }),
        1 => text().prop_map(|title| RunEvent::Finding(Box::new(finding(title)))),
        1 => text().prop_map(|message| RunEvent::DeviceFailure { at: 3, message }),
        1 => any::<u32>().prop_map(|ix| RunEvent::Class { ix, name: "a/B".into(), probes: 9 }),
        1 => any::<u64>().prop_map(|page| RunEvent::Launch {
            how: Reset::ClearData,
            before: 1,
            page: PageId(page),
            exact: ExactId(page),
            probes: vec![(1, 2)],
            activities: Vec::new(),
            findings: Vec::new(),
        }),
        1 => Just(RunEvent::End { reason: EndReason::Plateau, events: 7 }),
    ]
}

fn finding(title: String) -> Finding {
    Finding {
        id: "crash-1".into(),
        kind: FindingKind::JavaCrash,
        fingerprint: "0123456789abcdef".into(),
        evidence: title.clone(),
        title,
        exception: None,
        frame: None,
        activity: "a.B".into(),
        trigger: Trigger::Launch,
        event: 0,
        warning: false,
        v1: String::new(),
        environment: Some(Blame {
            rule: "r".into(),
            detail: None,
        }),
        provoked_by: Vec::new(),
        left: Vec::new(),
    }
}

fn header(version: u32) -> RunEvent {
    RunEvent::Session(SessionHeader {
        version,
        tool: "0".into(),
        session: "s".into(),
        app: "a".into(),
        package: "p".into(),
        content: String::new(),
        device: "d".into(),
        device_kind: "sim".into(),
        strategy: "random".into(),
        seed: u64::MAX,
        activities_declared: vec!["a.B".into()],
        activities_reachable: Vec::new(),
        secrets: Vec::new(),
        scripts: vec!["log-in".into()],
        notes: Vec::new(),
        capability: None,
    })
}

fn written(events: &[RunEvent]) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.jsonl");
    let mut writer = JournalWriter::create(&path).unwrap();
    for event in events {
        writer.write(event).unwrap();
    }
    (folder, path)
}

proptest! {
    #[test]
    fn a_step_is_written_and_read_as_the_derives_do_it(step in step()) {
        let mut line = Vec::new();
        step_line::write(&mut line, &step).unwrap();
        let expected = serde_json::to_string(&RunEvent::Step(step.clone())).unwrap();
        prop_assert_eq!(std::str::from_utf8(&line).unwrap(), &expected);
        prop_assert_eq!(step_line::read(&line), Some(step.clone()));
        prop_assert_eq!(serde_json::from_slice::<RunEvent>(&line).unwrap(), RunEvent::Step(step));
    }
}

proptest! {
    // Every case reads as many journals as it has bytes.
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    #[test]
    fn cut_at_any_byte_a_journal_opens_with_all_whole_events(
        events in proptest::collection::vec(event(), 0..6),
    ) {
        let mut all = vec![header(JOURNAL_VERSION)];
        all.extend(events);
        let (_folder, path) = written(&all);
        let bytes = std::fs::read(&path).unwrap();
        for cut in 0..=bytes.len() {
            let part = std::io::Cursor::new(bytes[..cut].to_vec());
            let mut reader = JournalReader::over(&path, Box::new(part)).unwrap();
            let read: Vec<_> = reader.by_ref().collect::<Result<_, _>>().unwrap();
            // An event is complete once its closing brace is there.
            let ends = |at: usize| at == bytes.len() || bytes[at] == b'\n';
            let whole = (0..=cut).filter(|&at| at > 0 && bytes[at - 1] == b'}' && ends(at)).count();
            prop_assert_eq!(&read[..], &all[..whole]);
            let tidy = cut == 0 || bytes[cut - 1] == b'\n' || ends(cut);
            prop_assert_eq!(reader.cut(), !tidy);
        }
    }
}

#[test]
fn kinds_of_a_later_version_are_passed_over_and_counted() {
    let (_folder, path) = written(&[header(JOURNAL_VERSION)]);
    let mut file = File::options().append(true).open(&path).unwrap();
    file.write_all(
        b"{\"e\":\"telepathy\",\"x\":1}\n{\"e\":\"end\",\"reason\":\"time\",\"events\":3}\n",
    )
    .unwrap();
    let mut reader = JournalReader::open(&path).unwrap();
    assert_eq!(reader.header().unwrap().seed, u64::MAX);
    assert_eq!(reader.by_ref().map(Result::unwrap).count(), 2);
    assert_eq!(reader.skipped(), 1);
}

#[test]
fn a_journal_of_a_later_version_is_refused_by_its_version() {
    let (_folder, path) = written(&[header(JOURNAL_VERSION + 1)]);
    let error = JournalReader::open(&path).err().unwrap();
    assert!(
        matches!(error, JournalError::Newer { version: 2, .. }),
        "{error}"
    );
}

#[test]
fn a_whole_line_that_is_no_event_is_damage_and_ends_the_reading() {
    let (_folder, path) = written(&[header(JOURNAL_VERSION)]);
    let mut file = File::options().append(true).open(&path).unwrap();
    file.write_all(b"\0\0\0\n{\"e\":\"end\",\"reason\":\"time\",\"events\":3}\n")
        .unwrap();
    let mut reader = JournalReader::open(&path).unwrap();
    assert!(reader.next().unwrap().is_ok());
    let error = reader.next().unwrap().unwrap_err();
    assert!(
        matches!(error, JournalError::Damaged { line: 2, .. }),
        "{error}"
    );
    assert!(reader.next().is_none());
}

#[test]
fn a_secret_of_an_old_journal_is_read_as_the_text_that_stands_for_it() {
    let line = br#"{"e":"step","i":1,"t":"event","k":"0000000000000007","ix":0,"input":{"text":{"s":"***"}},"from":"0000000000000001","to":"0000000000000001","exact":"0000000000000001","changed":true,"reward":0.0}"#;
    let did = step_line::read(line).unwrap().did;
    assert!(
        matches!(&did, Did::Event { input: Some(Input::Text { s, enter: false }), .. } if s == "***")
    );
}

#[test]
fn a_reward_that_json_cannot_hold_is_read_as_nan() {
    let mut step = StepRecord {
        i: 1,
        did: Did::Invalid,
        led: None,
        from: PageId(0),
        to: PageId(0),
        exact: ExactId(0),
        changed: false,
        probes: Vec::new(),
        activities: Vec::new(),
        reward: f32::INFINITY,
        left: Vec::new(),
        toasts: Vec::new(),
        findings: Vec::new(),
    };
    let (_folder, path) = written(&[RunEvent::Step(step.clone())]);
    let read = JournalReader::open(&path).unwrap().next().unwrap().unwrap();
    let RunEvent::Step(read) = read else { panic!() };
    assert!(read.reward.is_nan());
    step.reward = 0.5;
    assert_ne!(read, step);
}

/// `/dev/full` answers every write as a full disk does.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error_and_no_later_line_hides_the_gap() {
    let path = PathBuf::from("/dev/full");
    let mut writer = JournalWriter {
        file: File::options().write(true).open(&path).unwrap(),
        path,
        line: Vec::new(),
        whole: 0,
        broken: false,
    };
    let error = writer.write(&header(1)).unwrap_err();
    assert!(matches!(error, JournalError::Io { .. }), "{error}");
    let error = writer.write(&header(1)).unwrap_err();
    assert!(matches!(error, JournalError::Broken(_)), "{error}");
}

#[test]
fn timing_is_read_back_without_a_cut_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("timing.jsonl");
    let mut writer = TimingWriter::create(&path).unwrap();
    let timing = |i| Timing {
        i,
        us: i * 10,
        wait_us: 3,
    };
    for i in 1..=3 {
        writer.write(timing(i)).unwrap();
    }
    writer.flush().unwrap();
    let bytes = std::fs::read(&path).unwrap();
    std::fs::write(&path, &bytes[..bytes.len() - 5]).unwrap();
    let read: Vec<_> = read_timing(&path).unwrap().collect();
    assert_eq!(read, [timing(1), timing(2)]);
}

/// Not a test of speed but its gauge: `cargo test --release journal_speed -- --ignored --nocapture`.
#[test]
#[ignore = "a measurement"]
fn journal_speed() {
    let step = |i| StepRecord {
        i,
        did: Did::Event {
            k: EventKey(0x0123_4567_89ab_cdef),
            ix: 3,
            input: None,
        },
        led: None,
        from: PageId(i * 77),
        to: PageId(i * 99),
        exact: ExactId(i * 101),
        changed: true,
        probes: Vec::new(),
        activities: Vec::new(),
        reward: -2.0,
        left: Vec::new(),
        toasts: Vec::new(),
        findings: Vec::new(),
    };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.jsonl");
    let mut writer = JournalWriter::create(&path).unwrap();
    let count = 1_000_000_u64;
    let start = std::time::Instant::now();
    for i in 0..count {
        writer.write_step(&step(i)).unwrap();
    }
    println!("journal: {:?} a step", start.elapsed() / count as u32);
    let mut line = Vec::new();
    let start = std::time::Instant::now();
    for i in 0..count {
        line.clear();
        step_line::write(&mut line, &step(i)).unwrap();
        std::hint::black_box(&line);
    }
    println!("  of it, the text: {:?}", start.elapsed() / count as u32);
    let mut timing = TimingWriter::create(&folder.path().join("timing.jsonl")).unwrap();
    let start = std::time::Instant::now();
    for i in 0..count {
        let (us, wait_us) = (i * 3, 2);
        timing.write(Timing { i, us, wait_us }).unwrap();
    }
    println!("timing: {:?} a step", start.elapsed() / count as u32);
    let start = std::time::Instant::now();
    let read = JournalReader::open(&path).unwrap().count();
    println!("reading: {:?} a step", start.elapsed() / read as u32);
}

#[test]
fn a_line_without_end_takes_no_memory_without_end() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.jsonl");
    std::fs::File::create(&path)
        .unwrap()
        .set_len(1 << 40)
        .unwrap();
    let error = JournalReader::open(&path).err().unwrap().to_string();
    assert!(error.contains("over 64 MiB"), "{error}");
}
