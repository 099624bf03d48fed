use super::*;
use crate::class::access;

/// What a class of the tests declares: name, flags, and the rest.
struct Given {
    name: &'static str,
    parent: &'static str,
    interfaces: &'static [&'static str],
    first: bool,
    methods: Vec<(String, &'static str)>,
}

fn given() -> Vec<Given> {
    let class = |name, parent, interfaces, methods: &[(&str, &'static str)]| Given {
        name,
        parent,
        interfaces,
        first: name != "javax/B",
        methods: methods.iter().map(|m| (m.0.to_owned(), m.1)).collect(),
    };
    let many: Vec<_> = (0..40).map(|ix| (format!("m{ix}"), "(I)V")).collect();
    let mut all = vec![
        class(
            "android/A",
            "javax/B",
            &["a/I", "a/J"],
            &[("run", "()V"), ("run", "(I)V")],
        ),
        class("javax/B", "java/lang/Object", &[], &[("stop", "()V")]),
        class("a/J", "java/lang/Object", &[], &[]),
        class("java/lang/Object", "", &[], &[("<init>", "()V")]),
    ];
    all[2].methods = many;
    all
}

/// A file as the documentation of the format describes it.
fn file(classes: &[Given]) -> Vec<u8> {
    let slots = classes.len().next_power_of_two() * 2;
    let size = |class: &Given| 16 + 4 * class.interfaces.len() + 16 * class.methods.len();
    let text_start = TABLE + 4 * slots + classes.iter().map(size).sum::<usize>();
    let mut texts = Vec::new();
    let mut text = |text: &str| {
        let at = u32::try_from(text_start + texts.len()).unwrap();
        texts.extend(u16::try_from(text.len()).unwrap().to_be_bytes());
        texts.extend(text.bytes());
        if text.is_empty() { 0 } else { at }
    };
    let mut table = vec![0_u32; slots];
    let mut body = Vec::new();
    for class in classes {
        let mut slot = hash(&[class.name.as_bytes()]) as usize % slots;
        while table[slot] != 0 {
            slot = (slot + 1) % slots;
        }
        table[slot] = u32::try_from(TABLE + 4 * slots + body.len()).unwrap();
        body.extend(text(class.name).to_be_bytes());
        body.extend(text(class.parent).to_be_bytes());
        for short in [
            usize::from(access::PUBLIC),
            usize::from(class.first),
            class.interfaces.len(),
            class.methods.len(),
        ] {
            body.extend(u16::try_from(short).unwrap().to_be_bytes());
        }
        for each in class.interfaces {
            body.extend(text(each).to_be_bytes());
        }
        let hash_of = |m: &&(String, &str)| hash(&[m.0.as_bytes(), m.1.as_bytes()]);
        let mut methods: Vec<_> = class.methods.iter().collect();
        methods.sort_by_key(hash_of);
        for method in methods {
            for number in [hash_of(&method), text(&method.0), text(method.1)] {
                body.extend(number.to_be_bytes());
            }
            body.extend(access::FINAL.to_be_bytes());
            body.extend([0, 0]);
        }
    }
    let mut all = vec![0; TABLE];
    all.extend(table.iter().flat_map(|slot| slot.to_be_bytes()));
    all.extend(body);
    all.extend(texts);
    all.resize(all.len().next_multiple_of(8), 0);
    for (at, number) in [
        (0, MAGIC),
        (4, 1),
        (16, slots as u32),
        (20, 4),
        (24, all.len() as u32),
    ] {
        all[at..at + 4].copy_from_slice(&number.to_be_bytes());
    }
    seal(&mut all);
    all
}

fn seal(file: &mut [u8]) {
    let sum = checksum(&file[CHECKED..]);
    file[8..16].copy_from_slice(&sum.to_be_bytes());
}

#[test]
fn what_was_written_is_found() {
    let file = file(&given());
    let index = PlatformIndex::open(&file).unwrap();
    let class = index.class(b"android/A").unwrap();
    assert_eq!(class.parent, Some(&b"javax/B"[..]));
    assert_eq!(class.interfaces, [b"a/I", b"a/J"]);
    assert_eq!((class.access, class.own), (access::PUBLIC, false));
    assert_eq!(index.class(b"java/lang/Object").unwrap().parent, None);
    assert_eq!(index.class(b"android/B"), None);
    assert!(index.precedes_app(b"android/A") && !index.precedes_app(b"javax/B"));
    assert!(!index.precedes_app(b"app/Main"));
    assert!(index.system_first(b"android/A") && index.system_supplies(b"javax/B"));
    let names: Vec<_> = index.classes().map(|class| class.name()).collect();
    assert_eq!(
        names,
        [&b"android/A"[..], b"javax/B", b"a/J", b"java/lang/Object"]
    );
    assert_eq!(index.len(), 4);
}

#[test]
fn methods_are_found_by_name_and_descriptor_together() {
    let file = file(&given());
    let index = PlatformIndex::open(&file).unwrap();
    let method = |class: &str, name: &str, descriptor: &str| {
        index.method(class.as_bytes(), name.as_bytes(), descriptor.as_bytes())
    };
    assert_eq!(method("android/A", "run", "(I)V"), Some(access::FINAL));
    assert_eq!(method("android/A", "run", "(J)V"), None);
    // The same bytes, and so the same hash.
    assert_eq!(method("android/A", "run(", ")V"), None);
    assert_eq!(method("android/A", "stop", "()V"), None);
    for ix in 0..40 {
        assert_eq!(
            method("a/J", &format!("m{ix}"), "(I)V"),
            Some(access::FINAL)
        );
    }
    let declaring = index.declaring(b"android/A", b"stop", b"()V").unwrap();
    assert_eq!(declaring.name, b"javax/B");
    let j = index.find(b"a/J").unwrap();
    assert_eq!(j.methods().count(), 40);
    assert!(
        j.methods()
            .all(|(name, descriptor, _)| name[0] == b'm' && descriptor == b"(I)V")
    );
}

#[test]
fn another_file_and_a_damaged_one_are_refused() {
    let whole = file(&given());
    for length in [0, 3, 4, 15, 16, 27, 28, 40] {
        assert!(PlatformIndex::open(&whole[..length]).is_err(), "{length}");
    }
    assert_eq!(
        PlatformIndex::open(&whole[..whole.len() - 8]).unwrap_err(),
        IndexError::Damaged
    );
    let open_with = |at: usize, byte: u8| {
        let mut file = whole.clone();
        file[at] ^= byte;
        PlatformIndex::open(&file).map(|index| index.len())
    };
    assert_eq!(open_with(0, 1), Err(IndexError::Format));
    assert_eq!(open_with(7, 3), Err(IndexError::Format));
    for at in 8..whole.len() {
        assert_eq!(open_with(at, 0x40), Err(IndexError::Damaged), "{at}");
    }
}

/// The checksum only shows accidents: a file that has another content with its checksum must not end the process.
#[test]
fn a_wrong_content_gives_no_panic() {
    let whole = file(&given());
    for at in CHECKED..whole.len() {
        for byte in [0x00, 0x7f, 0xff] {
            let mut file = whole.clone();
            file[at] = byte;
            seal(&mut file);
            let Ok(index) = PlatformIndex::open(&file) else {
                continue;
            };
            for class in index.classes() {
                let _ = (class.info(), class.methods().count());
                let _ = class.method(b"run", b"()V");
            }
            for name in [&b"android/A"[..], b"javax/B", b"a/J", b"app/Main", b""] {
                let _ = (index.class(name), index.method(name, b"m1", b"(I)V"));
            }
        }
    }
}
