//! Tests of nested classes, nests, records and sealed classes.

use super::tests::{attribute, converted, fixture, hierarchy, numbers, text};
use super::{NoNests, class};
use crate::class::Class;
use crate::class::access::{ABSTRACT, PRIVATE, PROTECTED, PUBLIC, STATIC, SUPER};
use crate::dex::Dex;
use crate::dex::tests::find;

/// The entries of `InnerClasses`: class, outer class, name, flags.
fn nested(class: &Class) -> Vec<(String, String, String, u16)> {
    let data = attribute(class, &class.attributes, "InnerClasses").unwrap_or(&[0, 0]);
    let all = numbers(data);
    assert_eq!(usize::from(all[0]) * 4 + 1, all.len());
    let entries = all[1..].chunks(4);
    let mut entries: Vec<_> = entries
        .map(|entry| {
            (
                text(class, entry[0]),
                text(class, entry[1]),
                text(class, entry[2]),
                entry[3],
            )
        })
        .collect();
    entries.sort();
    entries
}

#[test]
fn both_sides_of_a_nested_class_agree() {
    let file = fixture("attributes.dex");
    let hierarchy = hierarchy(&file);
    let outer = converted(&hierarchy, "fixture/Attributes").class;
    let listed = nested(&outer);
    let entry = |class: &str, outer: &str, name: &str, flags: u16| {
        let outer = if outer.is_empty() {
            String::new()
        } else {
            format!("fixture/{outer}")
        };
        (format!("fixture/{class}"), outer, name.to_owned(), flags)
    };
    let wanted = [
        entry("Attributes$1", "", "", 0),
        // As on Android: nothing says that it is not a member.
        entry(
            "Attributes$1InInitializer",
            "Attributes",
            "InInitializer",
            0,
        ),
        entry("Attributes$1Local", "", "Local", 0),
        entry("Attributes$2", "", "", 0),
        entry(
            "Attributes$Inner",
            "Attributes",
            "Inner",
            PROTECTED | ABSTRACT,
        ),
        entry(
            "Attributes$Nested",
            "Attributes",
            "Nested",
            PRIVATE | STATIC,
        ),
        entry("Attributes$Part", "Attributes", "Part", 0x60a),
    ];
    assert_eq!(listed, wanted);
    for each in &wanted {
        let own = nested(&converted(&hierarchy, &each.0).class);
        assert!(
            own.contains(each),
            "{} does not know that it is nested",
            each.0
        );
    }
    let enclosing = |name: &str| {
        let class = converted(&hierarchy, name).class;
        let data = attribute(&class, &class.attributes, "EnclosingMethod")?;
        let (outer, method) = (numbers(data)[0], numbers(data)[1]);
        let (name, descriptor) = class.pool.name_and_type(method);
        let method = [name, descriptor].concat();
        Some((
            text(&class, outer),
            String::from_utf8(method).expect("ASCII"),
        ))
    };
    let around = (
        "fixture/Attributes".to_owned(),
        "anonymous()Ljava/lang/Object;".to_owned(),
    );
    assert_eq!(enclosing("fixture/Attributes$1"), Some(around.clone()));
    assert_eq!(enclosing("fixture/Attributes$1Local"), Some(around.clone()));
    assert_eq!(
        enclosing("fixture/Attributes$2"),
        Some((around.0, String::new()))
    );
    assert_eq!(enclosing("fixture/Attributes$Inner"), None);
    // Protected is public, and private is visible in the package.
    let access = |name: &str| converted(&hierarchy, name).class.access;
    assert_eq!(
        access("fixture/Attributes$Inner"),
        PUBLIC | SUPER | ABSTRACT
    );
    assert_eq!(access("fixture/Attributes$Nested"), SUPER);
}

#[test]
fn a_class_that_no_outer_class_lists_is_not_nested() {
    let file = fixture("attributes.dex");
    let dex = Dex::open_all(&file).expect("a dex file")[0];
    let def = find(&dex, "Lfixture/Attributes$Inner;");
    let class = class(&dex, &def, &|_, _| None, &NoNests)
        .expect("a class")
        .class;
    assert_eq!(nested(&class), []);
    assert_eq!(
        attribute(&class, &class.attributes, "EnclosingMethod"),
        None
    );
}

#[test]
fn records_nests_and_sealed_classes_are_of_java_17() {
    let file = fixture("modern.dex");
    let hierarchy = hierarchy(&file);
    let point = converted(&hierarchy, "fixture/Modern$Point").class;
    assert_eq!(point.major, 61);
    let record = attribute(&point, &point.attributes, "Record").expect("components");
    let head = numbers(&record[..8]);
    assert_eq!(
        (
            head[0],
            text(&point, head[1]),
            text(&point, head[2]),
            head[3]
        ),
        (2, "x".into(), "I".into(), 1)
    );
    assert_eq!(
        text(&point, numbers(&record[8..10])[0]),
        "RuntimeVisibleAnnotations"
    );
    let list = |class: &Class, name: &str| {
        let data = attribute(class, &class.attributes, name)?;
        Some(
            numbers(data)
                .into_iter()
                .map(|ix| text(class, ix))
                .collect::<Vec<_>>(),
        )
    };
    assert_eq!(
        list(&point, "NestHost"),
        Some(vec!["fixture/Modern".into()])
    );
    let shape = converted(&hierarchy, "fixture/Modern$Shape").class;
    let permitted = list(&shape, "PermittedSubclasses").expect("subclasses");
    assert_eq!(
        permitted[1..],
        ["fixture/Modern$Circle", "fixture/Modern$Square"]
    );
    let outer = converted(&hierarchy, "fixture/Modern").class;
    assert_eq!(list(&outer, "NestMembers").map(|all| all.len()), Some(6));
}
