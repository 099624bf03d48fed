//! Tests on dex files of the sample apps, whole and damaged.

use super::*;
use std::io::Read;
use std::path::Path;

mod bounds;

/// The dex files of an APK of `tests/apps`.
pub(crate) fn dex_files(apk: &str) -> Vec<Vec<u8>> {
    let apps = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/apps");
    let file = std::fs::File::open(apps.join(apk)).expect("an APK of the repository");
    let mut zip = zip::ZipArchive::new(file).expect("a zip");
    let names: Vec<String> = zip.file_names().map(String::from).collect();
    let mut names: Vec<_> = names
        .into_iter()
        .filter(|name| name.ends_with(".dex"))
        .collect();
    names.sort();
    let read = |name: &String| {
        let mut bytes = Vec::new();
        zip.by_name(name)
            .expect("an entry")
            .read_to_end(&mut bytes)
            .expect("readable");
        bytes
    };
    names.iter().map(read).collect()
}

/// One dex file of the repository's `tests/apps`.
pub(crate) fn notes() -> Vec<u8> {
    dex_files("notes/notes.apk").remove(0)
}

/// The definition of a class.
pub(crate) fn find<'a>(dex: &Dex<'a>, descriptor: &str) -> ClassDef<'a> {
    let all = (0..dex.class_count()).filter_map(|n| dex.class_def(n).ok());
    let mut all = all.filter(|def| def.kind == descriptor.as_bytes());
    all.next().expect("a class of the file")
}

/// Reads all there is; returns the number of errors, and of things that were read.
fn read_all(dex: &Dex<'_>) -> (usize, usize) {
    let (mut errors, mut read) = (0, 0);
    let mut count = |failed: bool| if failed { errors += 1 } else { read += 1 };
    for ix in 0..dex.string_count() {
        count(dex.string(ix).is_err());
    }
    for ix in 0..dex.field_count() {
        count(dex.field(ix).is_err());
    }
    for ix in 0..dex.method_count() {
        let mut text = Vec::new();
        let proto = dex.method(ix).and_then(|method| dex.proto(method.proto));
        count(proto.and_then(|proto| proto.descriptor(&mut text)).is_err());
    }
    for ix in 0..100 {
        count(dex.call_site(ix).is_err());
        count(dex.method_handle(ix).is_err());
    }
    for n in 0..dex.class_count() {
        let Ok(def) = dex.class_def(n) else {
            count(true);
            continue;
        };
        count(dex.encoded_array(def.static_values_off).is_err());
        let directory = dex.annotations(&def).unwrap_or_default();
        let Ok(data) = dex.class_data(&def) else {
            count(true);
            continue;
        };
        for set in std::iter::once(Some(directory.class_off)).chain(
            data.static_fields()
                .chain(data.instance_fields())
                .map(|field| directory.fields.get(field.ix)),
        ) {
            for item in set
                .into_iter()
                .flat_map(|set| dex.annotation_set(set))
                .flatten()
            {
                count(item.is_err());
            }
        }
        for method in data.direct_methods().chain(data.virtual_methods()) {
            let sets = directory
                .parameters
                .get(method.ix)
                .map(|off| dex.parameter_annotations(off));
            for off in sets.into_iter().flatten().flatten() {
                let set = dex.annotation_set(off).into_iter().flatten();
                set.for_each(|item| count(item.is_err()));
            }
            if method.code_off == 0 {
                continue;
            }
            let Ok(code) = dex.code(method.code_off) else {
                count(true);
                continue;
            };
            for item in code.tries {
                count(item.is_err());
                item.into_iter()
                    .flat_map(|item| item.handlers)
                    .for_each(|each| count(each.is_err()));
            }
            if let Ok(debug) = dex.debug(code.debug_off) {
                count(debug.parameters.count() > 255);
                debug.events.for_each(|_| count(false));
            }
        }
    }
    (errors, read)
}

#[test]
fn everything_in_the_sample_apps_is_read() {
    for apk in [
        "notes/notes.apk",
        "probe/probe.apk",
        "pantry/pantry.apk",
        "web/web.apk",
    ] {
        for file in dex_files(apk) {
            let dex = &Dex::open_all(&file).expect("a dex file")[0];
            let (errors, read) = read_all(dex);
            // There are fewer than a hundred call sites and method handles.
            let handles = (0..100)
                .filter(|&ix| dex.method_handle(ix).is_err())
                .count();
            let sites = (0..100).filter(|&ix| dex.call_site(ix).is_err()).count();
            assert_eq!(errors, handles + sites, "{apk}");
            assert!(read > 400, "{apk}: {read}");
        }
    }
}

#[test]
fn members_code_and_lines_of_a_class_are_those_of_its_source() {
    let file = notes();
    let dex = &Dex::open_all(&file).expect("a dex file")[0];
    let def = find(dex, "Lorg/droidtest/notes/AboutActivity;");
    assert_eq!(def.parent, Some(&b"Landroid/app/Activity;"[..]));
    assert_eq!(def.source, Some(&b"AboutActivity.java"[..]));
    let data = dex.class_data(&def).expect("members");
    let named = |wanted: &[u8]| {
        let mut all = data.virtual_methods().chain(data.direct_methods());
        all.find(|method| dex.method(method.ix).is_ok_and(|id| id.name == wanted))
            .expect("a method")
    };
    let method = named(b"onCreate");
    let id = dex.method(method.ix).expect("a method");
    let mut text = Vec::new();
    dex.proto(id.proto)
        .and_then(|proto| proto.descriptor(&mut text))
        .expect("a prototype");
    assert_eq!(text, b"(Landroid/os/Bundle;)V");
    let code = dex.code(method.code_off).expect("code");
    assert_eq!(code.ins, 2);
    // invoke-super
    assert_eq!(code.insns.get(0).map(|unit| unit & 0xff), Some(0x6f));
    let debug = dex.debug(code.debug_off).expect("lines");
    let only_lines = debug.events.filter_map(|event| match event {
        DebugEvent::Line { addr, line } => Some((addr, line)),
        _ => None,
    });
    assert!(debug.events.lines().eq(only_lines));
    let lines: Vec<_> = debug.events.collect();
    assert!(matches!(lines[0], DebugEvent::Line { addr: 0, line } if line == debug.line_start));
    let source = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../tests/apps/notes/src/org/droidtest/notes/AboutActivity.java");
    let source = std::fs::read_to_string(source).expect("the source");
    let line = source
        .lines()
        .nth(debug.line_start as usize - 1)
        .expect("a line");
    assert!(line.contains("super.onCreate("), "{line}");
}

#[test]
fn each_part_of_a_container_has_its_own_classes() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/convert");
    let file = std::fs::read(folder.join("container.dex")).expect("a fixture");
    let all = Dex::open_all(&file).expect("a container");
    let counts: Vec<_> = all.iter().map(Dex::class_count).collect();
    assert_eq!(counts, [1, 12]);
    assert!(all[0].shares_strings(&all[1]));
    let other = file.clone();
    let other = Dex::open_all(&other).expect("a container")[0];
    assert!(!all[0].shares_strings(&other));
    assert!(all.iter().all(|dex| dex.version() == 41));
    assert_eq!(all[0].class_name(0), Ok(&b"Lfixture/Kind;"[..]));
    let def = find(&all[1], "Lfixture/Attributes;");
    let data = all[1].class_data(&def).expect("members");
    assert_eq!(data.virtual_methods().count(), 6);
    let members = data.static_fields().count() + data.instance_fields().count();
    let members = members + data.methods().count();
    assert_eq!(data.member_count() as usize, members);
    let parent = def.parent_ix.map(|ix| all[1].type_name(ix));
    assert_eq!(parent, Some(Ok(&b"Ljava/lang/Object;"[..])));
    // Only the end of the file lies in no part.
    assert!(Dex::open_all(&file[..file.len() - 1]).is_err());
    let mut moved = file.clone();
    moved[116] = 1;
    assert!(
        Dex::open_all(&moved).is_err(),
        "the first header says that it is not the first"
    );
}

#[test]
fn handlers_come_in_order_with_that_of_all_exceptions_last() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/convert");
    let file = std::fs::read(folder.join("attributes.dex")).expect("a fixture");
    let dex = &Dex::open_all(&file).expect("a dex file")[0];
    let data = dex
        .class_data(&find(dex, "Lfixture/Attributes;"))
        .expect("members");
    let mut methods = data.virtual_methods();
    let method = methods.find(|method| dex.method_is(method.ix, b"handlers", b"([I)I"));
    let code = dex.code(method.expect("a method").code_off).expect("code");
    let tries: Vec<_> = code.tries.collect::<Result<_>>().expect("handlers");
    let caught = |handlers: Handlers<'_>| {
        let all = handlers.collect::<Result<Vec<_>>>().expect("handlers");
        let names = all
            .iter()
            .map(|(kind, _)| kind.map(|ix| dex.type_name(ix).expect("a type")));
        names.collect::<Vec<_>>()
    };
    let first = caught(tries[0].handlers);
    let exceptions = [
        Some(&b"Ljava/lang/ArrayIndexOutOfBoundsException;"[..]),
        Some(b"Ljava/lang/NullPointerException;"),
        None,
    ];
    assert_eq!(first, exceptions);
    assert!(
        tries
            .iter()
            .all(|each| each.start < each.end && each.end as usize <= code.insns.len())
    );
    assert!(!dex.method_is(method.expect("a method").ix, b"handlers", b"([J)I"));
    let debug = dex.debug(code.debug_off).expect("lines");
    assert_eq!(debug.parameters.collect::<Vec<_>>(), [Some(&b"array"[..])]);
    let local = debug.events.into_iter().find_map(|event| match event {
        DebugEvent::StartLocal { name, kind, .. } if name != Some(b"this") => Some((name, kind)),
        _ => None,
    });
    let kind = &b"Ljava/lang/RuntimeException;"[..];
    assert_eq!(local, Some((Some(&b"e"[..]), Some(kind))));
}

#[test]
fn values_have_as_many_bytes_as_they_need() {
    let mut file = notes();
    let at = u32::try_from(file.len()).expect("small");
    let values: &[u8] = &[
        11, 0x00, 0x80, 0x22, 0x00, 0x80, 0x03, 0xff, 0x04, 0xff, 0xc6, 1, 2, 3, 4, 5, 6, 0xff,
        0x30, 0x80, 0x3f, 0x31, 0xf0, 0x3f, 0x1f, 0x3f, 0x1e, 0x1c, 1, 0x17, 5,
    ];
    file.extend_from_slice(values);
    let size = u32::try_from(file.len()).expect("small").to_le_bytes();
    file[32..36].copy_from_slice(&size);
    let dex = Dex::open_all(&file).expect("a dex file")[0];
    let wanted = vec![
        Value::Byte(-128),
        Value::Short(-32768),
        Value::Char(255),
        Value::Int(-1),
        Value::Long(-0xf9fa_fbfc_fdff),
        Value::Float(1.0),
        Value::Double(1.0),
        Value::Boolean(false),
        Value::Boolean(true),
        Value::Null,
        Value::Array(vec![Value::String(5)]),
    ];
    assert_eq!(dex.encoded_array(at), Ok(wanted));
    let mut short = file.clone();
    short.pop();
    let size = u32::try_from(short.len()).expect("small").to_le_bytes();
    short[32..36].copy_from_slice(&size);
    let dex = Dex::open_all(&short).expect("a dex file")[0];
    assert!(dex.encoded_array(at).is_err(), "cut off");
    let mut deep = file.clone();
    deep.extend([1, 0x1c].repeat(100));
    let size = u32::try_from(deep.len()).expect("small").to_le_bytes();
    deep[32..36].copy_from_slice(&size);
    let dex = Dex::open_all(&deep).expect("a dex file")[0];
    let at = u32::try_from(file.len()).expect("small");
    assert_eq!(
        dex.encoded_array(at),
        Err(DexError("values are nested too deep"))
    );
}

#[test]
fn a_damaged_file_ends_in_errors_not_in_a_panic() {
    let good = notes();
    let mut random = 0x2545_f491_4f6c_dd1d_u64;
    let mut next = move |below: usize| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        usize::try_from(random >> 1).expect("64 bits") % below
    };
    let mut failed = 0;
    for _ in 0..60 {
        let mut bad = good.clone();
        for _ in 0..40 {
            let at = 8 + next(bad.len() - 8);
            bad[at] = u8::try_from(next(256)).expect("a byte");
        }
        failed += match Dex::open_all(&bad) {
            Ok(all) => usize::from(read_all(&all[0]).0 > 200),
            Err(_) => 1,
        };
    }
    for length in (0..good.len()).step_by(good.len() / 50) {
        assert!(Dex::open_all(&good[..length]).is_err());
    }
    assert!(failed > 10, "damage was not noticed");
}
