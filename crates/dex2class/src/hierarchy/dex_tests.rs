use super::*;
use crate::class::access::{ABSTRACT, INTERFACE, PRIVATE, STATIC, SUPER};
use crate::dex::tests::{dex_files, find};

fn open(files: &[Vec<u8>]) -> DexHierarchy<'_> {
    let all = files
        .iter()
        .flat_map(|file| Dex::open_all(file).expect("a dex file"));
    DexHierarchy::new(all.collect())
}

fn fixture() -> Vec<u8> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/convert");
    std::fs::read(folder.join("attributes.dex")).expect("a fixture")
}

#[test]
fn all_classes_are_found_and_no_other() {
    let files = dex_files("pantry/pantry.apk");
    let hierarchy = open(&files);
    assert!(hierarchy.len() > 100);
    assert_eq!(hierarchy.definitions().count(), hierarchy.len());
    for (dex, def) in hierarchy.definitions() {
        let name = internal_name(def.kind);
        let (file, number) = hierarchy.position(name).expect("a class");
        assert_eq!(hierarchy.files()[file].class_name(number), Ok(def.kind));
        assert_eq!(hierarchy.class(name).expect("a class").name, name);
        assert!(
            hierarchy.position(def.kind).is_none(),
            "a descriptor is no name"
        );
        assert_eq!(dex.class_name(number), Ok(def.kind));
    }
    assert!(hierarchy.class(b"java/lang/Object").is_none());
    assert!(hierarchy.class(b"[I").is_none() && hierarchy.class(b"").is_none());
}

#[test]
fn classes_have_parents_interfaces_flags_and_methods() {
    let files = [fixture()];
    let hierarchy = open(&files);
    let class = hierarchy.class(b"fixture/Kind$1").expect("a class");
    assert_eq!(class.parent, Some(&b"fixture/Kind"[..]));
    assert!(class.own && class.interfaces.is_empty());
    let class = hierarchy.class(b"fixture/Attributes").expect("a class");
    assert_eq!(class.interfaces, [b"java/util/function/Supplier"]);
    let part = hierarchy
        .class(b"fixture/Attributes$Part")
        .expect("a class");
    assert_eq!(part.access, INTERFACE | ABSTRACT);
    let nested = hierarchy
        .class(b"fixture/Attributes$Nested")
        .expect("a class");
    assert_eq!(nested.access, SUPER);
    let method =
        |name: &[u8], descriptor: &[u8]| hierarchy.method(b"fixture/Kind", name, descriptor);
    assert_eq!(method(b"number", b"()I"), Some(0));
    assert_eq!(method(b"<init>", b"(Ljava/lang/String;I)V"), Some(PRIVATE));
    assert_eq!(method(b"<clinit>", b"()V"), Some(STATIC));
    for other in [
        &b"()J"[..],
        b"(I)I",
        b"()",
        b"",
        b"()II",
        b"(",
        b"()Ljava/lang/Object;",
    ] {
        assert_eq!(method(b"number", other), None);
    }
    assert_eq!(method(b"numbe", b"()I"), None);
    assert_eq!(method(b"numbers", b"()I"), None);
    let declaring = hierarchy.declaring(b"fixture/Kind$1", b"ordinal", b"()I");
    assert!(declaring.is_none(), "the platform's class is not there");
    let declaring = hierarchy.declaring(
        b"fixture/Kind$1",
        b"valueOf",
        b"(Ljava/lang/String;)Lfixture/Kind;",
    );
    assert_eq!(declaring.expect("a class").name, b"fixture/Kind");
}

#[test]
fn of_two_classes_with_one_name_the_first_counts() {
    let first = fixture();
    let mut second = fixture();
    // Another superclass: the descriptor of `Object` in the second file is that of another class.
    let from = b"Ljava/lang/Object;";
    let at = second
        .windows(from.len())
        .position(|part| part == from)
        .expect("a string");
    second[at + 11] = b'X';
    let parent = |files: &[Vec<u8>]| {
        let hierarchy = open(files);
        assert_eq!(hierarchy.len(), 13);
        hierarchy
            .class(b"fixture/Attributes")
            .and_then(|class| class.parent)
            .map(<[u8]>::to_vec)
    };
    assert_eq!(
        parent(&[first.clone(), second.clone()]),
        Some(b"java/lang/Object".to_vec())
    );
    assert_eq!(parent(&[second, first]), Some(b"java/lang/Xbject".to_vec()));
}

#[test]
fn two_classes_that_are_nested_in_each_other_are_not_nested() {
    let mut file = fixture();
    let outer = b"Lfixture/Attributes$Inner;";
    {
        let hierarchy = open(std::slice::from_ref(&file));
        assert!(hierarchy.is_listed(b"Lfixture/Attributes$Inner$Deeper;", outer));
        assert_eq!(hierarchy.nested(outer).len(), 1);
    }
    // `Inner` is nested in `Attributes`; now it says that it is nested in `Deeper`.
    let (attributes, deeper, off) = {
        let dex = Dex::open_all(&file).expect("a dex file")[0];
        let inner = find(&dex, "Lfixture/Attributes$Inner;");
        let type_of = |name| find(&dex, name).type_ix;
        let deeper = type_of("Lfixture/Attributes$Inner$Deeper;");
        let class_off = dex.annotations(&inner).expect("annotations").class_off;
        (type_of("Lfixture/Attributes;"), deeper, class_off as usize)
    };
    let number = |at: usize| u32::from_le_bytes(file[at..at + 4].try_into().expect("four bytes"));
    let sets = (0..number(off) as usize).map(|ix| number(off + 4 + 4 * ix) as usize);
    // An annotation with one element: visibility, type, one, name, a type of one byte.
    let byte = |ix: u32| u8::try_from(ix).expect("few types");
    let at = sets
        .into_iter()
        .find(|&at| file[at + 4..at + 6] == [0x18, byte(attributes)]);
    let at = at.expect("the annotation that names the class around it");
    file[at + 5] = byte(deeper);
    let hierarchy = open(std::slice::from_ref(&file));
    assert!(!hierarchy.is_listed(b"Lfixture/Attributes$Inner$Deeper;", outer));
    assert_eq!(hierarchy.nested(outer).len(), 0);
    // The file has that annotation once, for four other classes, too.
    let nested = hierarchy.nested(b"Lfixture/Attributes$Inner$Deeper;");
    assert_eq!(nested.len(), 4);
    assert!(nested.iter().all(|(name, _)| *name != outer));
}
