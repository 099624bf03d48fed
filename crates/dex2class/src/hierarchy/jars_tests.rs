use super::*;
use crate::class::access::{PUBLIC, STATIC};
use crate::class::{Class, Method, Pool, write::write};
use std::io::Write;

/// A class file with one static method of this name, which has no body.
fn class_file(name: &[u8], parent: &[u8], method: &[u8]) -> Vec<u8> {
    let mut pool = Pool::default();
    // Entries of every kind come before the names.
    pool.entry(crate::class::Entry::Long(1));
    pool.entry(crate::class::Entry::Float(2));
    pool.method(b"a/B", b"c", b"()V", true);
    let mut class = Class {
        major: 52,
        access: PUBLIC,
        this: pool.class(name),
        parent: pool.class(parent),
        interfaces: vec![pool.class(b"lib/One"), pool.class(b"lib/Two")],
        fields: Vec::new(),
        methods: vec![Method {
            access: PUBLIC | STATIC,
            name: pool.utf8(method),
            descriptor: pool.utf8(b"(J)V"),
            code: None,
            attributes: Vec::new(),
        }],
        attributes: Vec::new(),
        bootstraps: Vec::new(),
        pool,
    };
    write(&mut class).expect("a class file")
}

fn jar(path: &Path, entries: &[(&str, &[u8])]) {
    let mut jar = zip::ZipWriter::new(File::create(path).expect("a file"));
    for (name, bytes) in entries {
        jar.start_file(*name, zip::write::SimpleFileOptions::default())
            .expect("an entry");
        jar.write_all(bytes).expect("written");
    }
    jar.finish().expect("a jar");
}

#[test]
fn classes_are_read_from_the_first_jar_that_has_them() {
    let folder = std::env::temp_dir().join(format!("dex2class-jars-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let (first, second) = (folder.join("first.jar"), folder.join("second.jar"));
    let a = class_file(b"lib/A", b"lib/Base", b"first");
    let other = class_file(b"lib/A", b"java/lang/Object", b"second");
    let b = class_file(b"lib/B", b"lib/A", b"third");
    jar(
        &first,
        &[
            ("lib/A.class", &a),
            ("lib/Wrong.class", &b),
            ("lib/Broken.class", b"\xca\xfe\xba\xbe\0\0\0\x34\0\x09"),
            ("META-INF/versions/9/lib/New.class", &b),
            ("lib/text.txt", b"text"),
        ],
    );
    jar(&second, &[("lib/A.class", &other), ("lib/B.class", &b)]);
    let jars = Jars::open([&first, &second]).expect("jars");
    std::fs::remove_dir_all(&folder).expect("removed");
    assert_eq!(jars.len(), 4);
    let class = jars.class(b"lib/A").expect("a class");
    assert_eq!(
        (class.parent, class.access & PUBLIC, class.own),
        (Some(&b"lib/Base"[..]), PUBLIC, false)
    );
    assert_eq!(class.interfaces, [b"lib/One", b"lib/Two"]);
    assert_eq!(
        jars.method(b"lib/A", b"first", b"(J)V"),
        Some(PUBLIC | STATIC)
    );
    assert_eq!(jars.method(b"lib/A", b"second", b"(J)V"), None);
    assert_eq!(
        jars.method(b"lib/A", b"firs", b"t(J)V"),
        None,
        "name and descriptor apart"
    );
    let declaring = jars
        .declaring(b"lib/B", b"first", b"(J)V")
        .expect("a class");
    assert_eq!(declaring.name, b"lib/A");
    for missing in [
        &b"lib/Wrong"[..],
        b"lib/Broken",
        b"lib/New",
        b"lib/text.txt",
        b"lib/C",
    ] {
        assert!(jars.class(missing).is_none());
    }
    let error = Jars::open([folder.join("missing.jar")]).expect_err("no such file");
    assert!(error.to_string().contains("missing.jar"));
}
