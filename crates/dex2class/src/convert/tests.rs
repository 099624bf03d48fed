//! Tests on fixtures in `tests/fixtures/convert`, whose source is beside them.

use super::*;
use crate::class::access::{FINAL, PUBLIC, SUPER};
use crate::dex::tests::find;
use crate::dex::{EncodedAnnotation, Visibility};
use crate::hierarchy::DexHierarchy;
use std::path::Path;

pub(super) fn fixture(name: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/convert");
    std::fs::read(folder.join(name)).expect("a fixture")
}

pub(super) fn hierarchy(file: &[u8]) -> DexHierarchy<'_> {
    DexHierarchy::new(Dex::open_all(file).expect("a dex file"))
}

/// A converter without a class.
fn converter<'a>(dex: Dex<'a>) -> Converter<'a, 'static> {
    Converter {
        dex,
        enum_names: &|_, _| None,
        pool: Pool::default(),
        budget: BUDGET,
    }
}

/// A class of a fixture, converted.
pub(super) fn converted<'a>(hierarchy: &DexHierarchy<'a>, name: &str) -> Converted<'a> {
    let (dex, def) = hierarchy.definition(name.as_bytes()).expect("a class");
    let names = |owner: &[u8], field: &[u8]| {
        (owner == b"Lfixture/Kind;").then(|| [b"named_", field].concat())
    };
    class(&dex, &def, &names, hierarchy).expect("a class that can be converted")
}

/// The content of an attribute, which occurs at most once.
pub(super) fn attribute<'c>(
    class: &'c Class,
    all: &'c [Attribute],
    name: &str,
) -> Option<&'c [u8]> {
    let mut found = all
        .iter()
        .filter(|each| class.pool.text(each.name) == name.as_bytes());
    let first = found.next().map(|each| &each.data[..]);
    assert!(found.next().is_none(), "{name} twice");
    first
}

/// Pairs of bytes as numbers.
pub(super) fn numbers(data: &[u8]) -> Vec<u16> {
    data.chunks(2)
        .map(|pair| u16::from_be_bytes([pair[0], pair[1]]))
        .collect()
}

pub(super) fn text(class: &Class, ix: Idx) -> String {
    let text = match class.pool.get(ix) {
        Entry::Class(name) | Entry::String(name) => class.pool.text(name),
        _ => class.pool.text(ix),
    };
    String::from_utf8_lossy(text).into_owned()
}

fn field<'c>(class: &'c Class, name: &str) -> &'c crate::class::Field {
    let mut all = class.fields.iter();
    all.find(|field| text(class, field.name) == name)
        .expect("a field")
}

fn method<'c>(class: &'c Class, name: &str) -> &'c crate::class::Method {
    let mut all = class.methods.iter();
    all.find(|method| text(class, method.name) == name)
        .expect("a method")
}

#[test]
fn static_fields_keep_their_values() {
    let file = fixture("attributes.dex");
    let hierarchy = hierarchy(&file);
    let all = converted(&hierarchy, "fixture/Attributes");
    let class = &all.class;
    let value = |name: &str| {
        let data = attribute(class, &field(class, name).attributes, "ConstantValue")?;
        Some(class.pool.get(numbers(data)[0]))
    };
    assert_eq!(value("YES"), Some(Entry::Int(1)));
    assert_eq!(value("BYTE"), Some(Entry::Int(-5)));
    assert_eq!(value("SHORT"), Some(Entry::Int(300)));
    assert_eq!(value("CHAR"), Some(Entry::Int(120)));
    assert_eq!(value("INT"), Some(Entry::Int(-70_000)));
    assert_eq!(value("LONG"), Some(Entry::Long(1 << 40)));
    assert_eq!(value("FLOAT"), Some(Entry::Float(1.5_f32.to_bits())));
    assert_eq!(value("DOUBLE"), Some(Entry::Double(0.1_f64.to_bits())));
    assert_eq!(value("zero"), None);
    let Some(Entry::String(string)) = value("TEXT") else {
        panic!("no text")
    };
    assert_eq!(
        class.pool.text(string),
        b"\xc3\xa4\xe2\x82\xac\xc0\x80",
        "modified UTF-8"
    );
}

#[test]
fn a_value_that_no_attribute_can_hold_is_left_to_the_code() {
    let file = fixture("attributes.dex");
    let dex = Dex::open_all(&file).expect("a dex file")[0];
    let mut converter = converter(dex);
    let mut kind = |kind: &[u8], value: &Value<'_>| match converter.constant_value(kind, value) {
        constants::Constant::Attribute(_) => "attribute",
        constants::Constant::Default => "default",
        constants::Constant::Code => "code",
    };
    assert_eq!(kind(b"Ljava/lang/Class;", &Value::Type(0)), "code");
    assert_eq!(kind(b"Ljava/lang/Object;", &Value::String(0)), "code");
    assert_eq!(kind(b"Ljava/lang/String;", &Value::String(0)), "attribute");
    assert_eq!(kind(b"Ljava/lang/String;", &Value::Null), "default");
    assert_eq!(kind(b"D", &Value::Double(-0.0)), "attribute");
    assert_eq!(kind(b"D", &Value::Double(0.0)), "default");
    assert_eq!(kind(b"I", &Value::Short(7)), "attribute");
    assert_eq!(kind(b"J", &Value::Int(7)), "default", "of another type");
}

#[test]
fn members_have_the_attributes_of_their_source() {
    let file = fixture("attributes.dex");
    let hierarchy = hierarchy(&file);
    let all = converted(&hierarchy, "fixture/Attributes");
    let class = &all.class;
    assert_eq!((class.major, class.access), (52, PUBLIC | SUPER));
    assert_eq!(class.parent_name(), Some(&b"java/lang/Object"[..]));
    assert_eq!(
        text(class, class.interfaces[0]),
        "java/util/function/Supplier"
    );
    let of = |all: &[Attribute], name: &str| {
        let data = attribute(class, all, name).unwrap_or_else(|| panic!("no {name}"));
        numbers(data)
            .into_iter()
            .map(|ix| text(class, ix))
            .collect::<Vec<_>>()
    };
    assert_eq!(of(&class.attributes, "SourceFile"), ["Attributes.java"]);
    assert_eq!(
        of(&class.attributes, "Signature")[0],
        "<T::Ljava/lang/Comparable<TT;>;>Ljava/lang/Object;Ljava/util/function/Supplier<TT;>;"
    );
    assert_eq!(of(&field(class, "value").attributes, "Signature"), ["TT;"]);
    let method = method(class, "parameters");
    let thrown = of(&method.attributes, "Exceptions");
    assert_eq!(
        thrown[1..],
        ["java/io/IOException", "java/lang/IllegalStateException"]
    );
    let parameters = attribute(class, &method.attributes, "MethodParameters").expect("names");
    assert_eq!(parameters[0], 2);
    let named = numbers(&parameters[1..]);
    assert_eq!((text(class, named[0]), named[1]), ("first".into(), 0));
    assert_eq!((text(class, named[2]), named[3]), ("second".into(), FINAL));
    // The first parameter has an annotation; that of the second is none for the app, and D8 has left it out.
    let visible = attribute(
        class,
        &method.attributes,
        "RuntimeVisibleParameterAnnotations",
    );
    let visible = visible.expect("annotations");
    let last = numbers(&visible[visible.len() - 2..]);
    assert_eq!((visible[0], numbers(&visible[1..3])[0], last[0]), (2, 1, 0));
    // What the method translator needs stands beside each method.
    assert_eq!(all.methods.len(), class.methods.len());
    let native = class
        .methods
        .iter()
        .position(|method| text(class, method.name) == "locked");
    assert_eq!(all.methods[native.expect("a method")].code_off, 0);
    assert!(class.methods.iter().all(|method| method.code.is_none()));
}

#[test]
fn annotations_name_enum_constants_as_the_enum_does() {
    let file = fixture("attributes.dex");
    let hierarchy = hierarchy(&file);
    let class = converted(&hierarchy, "fixture/Attributes").class;
    let data =
        attribute(&class, &class.attributes, "RuntimeVisibleAnnotations").expect("annotations");
    let head = numbers(&data[..6]);
    assert_eq!(
        (head[0], text(&class, head[1]), head[2]),
        (1, "Lfixture/Mark;".into(), 2)
    );
    // kind = TWO, numbers = {3}: in the order of names.
    assert_eq!(text(&class, numbers(&data[6..8])[0]), "kind");
    assert_eq!(data[8], b'e');
    let constant = numbers(&data[9..13]);
    assert_eq!(text(&class, constant[0]), "Lfixture/Kind;");
    assert_eq!(text(&class, constant[1]), "named_TWO");
    assert_eq!(text(&class, numbers(&data[13..15])[0]), "numbers");
    assert_eq!(
        (data[15], numbers(&data[16..18])[0], data[18]),
        (b'[', 1, b'I')
    );
    assert_eq!(class.pool.get(numbers(&data[19..21])[0]), Entry::Int(3));
    assert_eq!(data.len(), 21);
}

#[test]
fn annotations_keep_their_visibility_and_lose_what_class_files_cannot_hold() {
    let file = fixture("attributes.dex");
    let mut converter = converter(Dex::open_all(&file).expect("a dex file")[0]);
    let annotation = EncodedAnnotation {
        kind: b"La/B;",
        type_ix: 0,
        elements: vec![
            (b"nothing", Value::Null),
            (
                b"deep",
                Value::Array(vec![Value::Boolean(true), Value::Null]),
            ),
            (b"number", Value::Byte(-1)),
        ],
    };
    let mut lists = annotations::Lists::default();
    converter.add(&mut lists, Visibility::Build, &annotation);
    let all = converter.list_attributes(&lists);
    assert_eq!(
        converter.pool.text(all[0].name),
        b"RuntimeInvisibleAnnotations"
    );
    let data = numbers(&all[0].data[..8]);
    assert_eq!(
        (all.len(), data[0], data[2]),
        (1, 1, 1),
        "one element is left"
    );
    assert_eq!(converter.pool.text(data[3]), b"number");
    assert_eq!((all[0].data[8], all[0].data.len()), (b'B', 11));
    converter.add(&mut lists, Visibility::Runtime, &annotation);
    assert_eq!(converter.list_attributes(&lists).len(), 2);
}

#[test]
fn defaults_of_an_annotation_stand_at_its_methods() {
    let file = fixture("attributes.dex");
    let hierarchy = hierarchy(&file);
    let class = converted(&hierarchy, "fixture/Mark").class;
    let default = |name: &str| {
        attribute(
            &class,
            &method(&class, name).attributes,
            "AnnotationDefault",
        )
    };
    let fraction = default("fraction").expect("a default");
    assert_eq!(fraction[0], b'D');
    assert_eq!(
        class.pool.get(numbers(&fraction[1..])[0]),
        Entry::Double(0.5_f64.to_bits())
    );
    let kind = default("type").expect("a default");
    assert_eq!(
        (kind[0], text(&class, numbers(&kind[1..])[0])),
        (b'c', "Ljava/lang/String;".into())
    );
    let sub = default("sub").expect("a default");
    assert_eq!(
        (sub[0], text(&class, numbers(&sub[1..3])[0])),
        (b'@', "Lfixture/Sub;".into())
    );
    let sub = converted(&hierarchy, "fixture/Sub").class;
    assert_eq!(
        attribute(&sub, &method(&sub, "value").attributes, "AnnotationDefault"),
        None
    );
}

#[test]
fn a_dot_in_a_generic_type_stands_only_after_type_arguments() {
    let mut file = fixture("attributes.dex");
    let from = b"Ljava/lang/Comparable<";
    let at = file
        .windows(from.len())
        .position(|part| part == from)
        .expect("a piece of a type");
    // Where R8 names a class nested in one without type arguments.
    file[at + 10] = b'.';
    let hierarchy = hierarchy(&file);
    let class = converted(&hierarchy, "fixture/Attributes").class;
    let signature = attribute(&class, &class.attributes, "Signature").expect("a generic type");
    assert!(text(&class, numbers(signature)[0]).starts_with("<T::Ljava/lang$Comparable<TT;>;>"));
}

#[test]
fn of_two_fields_with_one_name_the_first_is_kept_and_wrong_names_are_left_out() {
    let mut file = fixture("attributes.dex");
    let before = converted(&hierarchy(&file), "fixture/Attributes")
        .class
        .fields
        .len();
    let (members, second, third) = {
        let dex = Dex::open_all(&file).expect("a dex file")[0];
        let def = find(&dex, "Lfixture/Attributes;");
        let fields: Vec<_> = dex
            .class_data(&def)
            .expect("members")
            .static_fields()
            .collect();
        let name = |n: usize| dex.field(fields[n].ix).expect("a field").name.to_vec();
        (def.data_off as usize, name(1), name(2))
    };
    assert_eq!((&second[..], &third[..]), (&b"CHAR"[..], &b"DOUBLE"[..]));
    // Four counts, then for each field its index, as the difference to the last one, and flags.
    assert_eq!(file[members + 6], 1);
    file[members + 6] = 0;
    file[members + 8] = 2;
    {
        let hierarchy = hierarchy(&file);
        let class = converted(&hierarchy, "fixture/Attributes").class;
        assert_eq!(class.fields.len(), before - 1);
        let first = field(&class, "BYTE");
        let value = attribute(&class, &first.attributes, "ConstantValue").expect("a value");
        assert_eq!(
            class.pool.get(numbers(value)[0]),
            Entry::Int(-5),
            "not that of the second"
        );
        assert!(
            class
                .fields
                .iter()
                .any(|field| text(&class, field.name) == "DOUBLE")
        );
    }
    let at = file
        .windows(7)
        .position(|part| part == b"\x06DOUBLE")
        .expect("a string");
    file[at + 3] = b'/';
    let hierarchy = hierarchy(&file);
    let class = converted(&hierarchy, "fixture/Attributes").class;
    assert_eq!(class.fields.len(), before - 2);
}

#[test]
fn damaged_files_end_in_errors_or_in_classes() {
    let good = fixture("attributes.dex");
    let mut random = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = move |below: usize| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        usize::try_from(random >> 1).expect("64 bits") % below
    };
    let (mut failed, mut whole) = (0, 0);
    for _ in 0..400 {
        let mut bad = good.clone();
        for _ in 0..6 {
            let at = 0x70 + next(bad.len() - 0x70);
            bad[at] = u8::try_from(next(256)).expect("a byte");
        }
        let Ok(all) = Dex::open_all(&bad) else {
            continue;
        };
        let hierarchy = DexHierarchy::new(all);
        for (dex, def) in hierarchy.definitions() {
            match class(&dex, &def, &|_, _| None, &hierarchy) {
                Ok(_) => whole += 1,
                Err(_) => failed += 1,
            }
        }
    }
    assert!(failed > 100 && whole > 1_000, "{failed} of {whole}");
}
