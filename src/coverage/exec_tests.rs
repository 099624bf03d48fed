//! Tests of `exec.rs` against files that JaCoCo wrote (`tests/fixtures/coverage`).

use super::super::ClassIds;
use super::*;
use crate::outcome::run_event::Reset;
use proptest::prelude::*;

const ONE: &[u8] = include_bytes!("../../tests/fixtures/coverage/one.exec");
const TWO: &[u8] = include_bytes!("../../tests/fixtures/coverage/two.exec");

fn ids() -> ClassIds {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    ClassIds::of(&folder.join("tests/fixtures/coverage/shop.jar")).unwrap()
}

fn bytes(data: &ExecData) -> Vec<u8> {
    let mut out = Vec::new();
    data.write(&mut out).unwrap();
    out
}

#[test]
fn jacocos_files_come_back_byte_for_byte() {
    for file in [ONE, TWO] {
        assert_eq!(bytes(&ExecData::read(file).unwrap()), file);
    }
    let one = ExecData::read(ONE).unwrap();
    assert_eq!(one.sessions[0].id, "session-1");
    assert_eq!(one.sessions[0].start, 2000);
}

#[test]
fn ids_are_those_of_the_class_files() {
    let ids = ids();
    let data = ExecData::read(ONE).unwrap();
    let mut names: Vec<_> = data.classes().iter().map(|c| c.name.as_str()).collect();
    names.sort_unstable();
    assert_eq!(names, ["shop/Basket", "shop/Basket$Item", "shop/till/Till"]);
    for class in data.classes() {
        assert_eq!(ids.get(&class.name), Some(class.id), "{}", class.name);
    }
}

#[test]
fn merging_is_the_union() {
    let (one, two) = (ExecData::read(ONE).unwrap(), ExecData::read(TWO).unwrap());
    let mut both = one.clone();
    both.merge(two.clone()).unwrap();
    assert_eq!(both.sessions.len(), 2);
    let probes = |data: &ExecData| {
        data.classes()
            .iter()
            .find(|c| c.name == "shop/Basket")
            .unwrap()
            .probes
            .clone()
    };
    let (one, two) = (probes(&one), probes(&two));
    assert!(one != two);
    let union: Vec<_> = one.iter().zip(&two).map(|(&a, &b)| a || b).collect();
    assert_eq!(probes(&both), union);
    // Several files put one after the other are a file, too.
    let read = ExecData::read(&[ONE, TWO].concat()).unwrap();
    assert_eq!(read, both);
}

#[test]
fn sessions_of_different_builds_do_not_merge() {
    let mut one = ExecData::read(ONE).unwrap();
    let mut other = one.clone();
    other.classes[0].probes.push(true);
    let error = one.merge(other).unwrap_err().to_string();
    assert!(
        error.ends_with("the sessions are of different builds"),
        "{error}"
    );
}

#[test]
fn a_journal_gives_back_the_file_of_a_killed_session() {
    let whole = ExecData::read(ONE).unwrap();
    let mut events = Vec::new();
    let mut hit = Vec::new();
    for (ix, class) in (0_u32..).zip(whole.classes()) {
        let probes = u32::try_from(class.probes.len()).unwrap();
        events.push(RunEvent::Class {
            ix,
            name: class.name.clone(),
            probes,
        });
        let probes = (0..probes).zip(&class.probes);
        hit.extend(
            probes
                .filter(|(_, hit)| **hit)
                .map(|(probe, _)| (ix, probe)),
        );
    }
    // What no class stands for, or is outside one, is passed over.
    hit.extend([(99, 0), (0, 1 << 30)]);
    events.push(RunEvent::Class {
        ix: 50,
        name: "not/of/this/App".into(),
        probes: 3,
    });
    events.push(RunEvent::Launch {
        how: Reset::ClearData,
        before: 1,
        page: crate::gui::PageId::default(),
        exact: crate::gui::ExactId::default(),
        probes: hit,
        activities: Vec::new(),
        findings: Vec::new(),
    });
    let ids = ids();
    let rebuilt = ExecData::from_journal("session-1", &events, |name| ids.get(name));
    assert_eq!(rebuilt.classes(), whole.classes());
}

#[test]
fn a_restarted_device_numbers_classes_anew() {
    let class = |ix, name: &str| RunEvent::Class {
        ix,
        name: name.into(),
        probes: 2,
    };
    let launch = |probes: Vec<(u32, u32)>| RunEvent::Launch {
        how: Reset::Relaunch,
        before: 1,
        page: crate::gui::PageId::default(),
        exact: crate::gui::ExactId::default(),
        probes,
        activities: Vec::new(),
        findings: Vec::new(),
    };
    let events = [
        class(0, "A"),
        launch(vec![(0, 0)]),
        class(0, "B"),
        class(1, "A"),
        launch(vec![(0, 1), (1, 1)]),
    ];
    let data = ExecData::from_journal("s", &events, |name| {
        Some(name.len() as u64 + u64::from(name.as_bytes()[0]))
    });
    let probes: Vec<_> = data
        .classes()
        .iter()
        .map(|c| (c.name.as_str(), c.probes.clone()))
        .collect();
    assert_eq!(probes, [("A", vec![true, true]), ("B", vec![false, true])]);
}

#[test]
fn other_files_are_told_apart() {
    assert_eq!(ExecData::read(b"PK").unwrap_err(), ("no header", 0));
    assert_eq!(
        ExecData::read(&ONE[..ONE.len() - 1]).unwrap_err().0,
        "cut off"
    );
    assert_eq!(
        ExecData::read(&[1, 0xc0, 0xc0, 0x10, 0x06]).unwrap_err(),
        ("another format version", 0)
    );
    // 2^34 probes claimed, none there: no room is made for them.
    let mut bomb = ONE[..5].to_vec();
    bomb.extend([
        0x11, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, b'A', 0xff, 0xff, 0xff, 0xff, 0x7f,
    ]);
    assert_eq!(ExecData::read(&bomb).unwrap_err(), ("cut off", 5));
}

fn classes() -> impl Strategy<Value = Vec<ClassProbes>> {
    let class = (
        any::<u64>(),
        "[a-zA-Z/ü]{0,12}",
        prop::collection::vec(any::<bool>(), 0..300),
    );
    prop::collection::vec(class, 0..8).prop_map(|list| {
        list.into_iter()
            .map(|(id, name, probes)| ClassProbes { id, name, probes })
            .collect()
    })
}

proptest! {
    #[test]
    fn what_is_written_is_read(classes in classes()) {
        let mut data = ExecData::default();
        for class in classes {
            let _ = data.add(class);
        }
        let mut read = ExecData::read(&bytes(&data)).unwrap();
        data.classes.retain(|c| c.probes.contains(&true));
        data.by_id.clear();
        read.by_id.clear();
        prop_assert_eq!(read, data);
    }

    #[test]
    fn damaged_files_never_panic(at in 0usize..200, to: u8, cut in 0usize..200) {
        let mut bytes = ONE.to_vec();
        let end = bytes.len();
        bytes[at % end] = to;
        bytes.truncate(end - cut.min(end));
        let _ = ExecData::read(&bytes);
    }
}
