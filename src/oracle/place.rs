//! The places in the code of a stack's frames: which of a method's like instructions threw or called.
//!
//! A line number changes with every edit above it. The ordinal of an instruction among those of its method that do
//! the same changes only if the method itself gets another such instruction before it.

use super::frames;
use crate::android::stack::{Frame, Thrown};
use crate::apk::{ClassSites, Classes, MethodSites, Site, SiteKind};
use regex::Regex;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// Anonymous classes before one that are looked at to number it.
const SIBLINGS: u32 = 500;

/// What the code says about a frame.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Place {
    /// Kind of the instruction (`throw`, `call`) and its ordinal among its like in the method, from 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub site: Option<(String, u32)>,
    /// The class, where its name in the fingerprint is another: without its package if no other class of the app has
    /// the name, and for an anonymous class the method that it is declared in instead of the compiler's number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class: Option<String>,
    /// The method, where the compiler numbered it (a lambda).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub method: Option<String>,
}

/// The places of a chain of exceptions, frame by frame; empty lists where nothing is known.
pub type Places = Vec<Vec<Place>>;

static LAMBDA: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^lambda\$(.+)\$(\d+)$").expect("a valid pattern"));
/// The member that a message of a `NullPointerException` names: ART's wording, then OpenJDK's.
static MEMBER: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r#"(?:method|field) '(?:[^'( ]+ )?[^'( ]*?([\w$<>-]+)(?:\([^']*)?'|invoke "[^"(]*?([\w$<>-]+)\(|field "(?:[^"]*\.)?([\w$]+)""#,
    )
    .expect("a valid pattern")
});

/// The classes to look up for a chain, with the anonymous ones that come before one in it.
pub fn classes_of(chain: &[Thrown<'_>]) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for frame in chain.iter().flat_map(|thrown| &thrown.frames) {
        if frames::is_framework(frame.class) || !names.insert(frame.class.to_owned()) {
            continue;
        }
        for (at, number) in numbers(frame.class) {
            let outer = &frame.class[..at];
            names.extend((1..=number.min(SIBLINGS)).map(|n| format!("{outer}${n}")));
        }
    }
    names
}

/// Where in a class name a `$` is followed by only digits up to the next `$`, with that number.
fn numbers(class: &str) -> impl Iterator<Item = (usize, u32)> {
    class.match_indices('$').filter_map(|(at, _)| {
        let rest = &class[at + 1..];
        let segment = rest.split('$').next().unwrap_or(rest);
        Some((at, segment.parse().ok()?))
    })
}

/// The places of all frames of a chain.
pub fn all(chain: &[Thrown<'_>], classes: &Classes) -> Places {
    let of = |thrown: &Thrown<'_>| -> Vec<Place> {
        let frames = &thrown.frames;
        let place = |(ix, frame): (usize, &Frame<'_>)| {
            let Some(class) = classes.get(frame.class) else {
                return Place::default();
            };
            let site = match ix.checked_sub(1) {
                None => thrown_at(class, frame, thrown),
                Some(inner) => called_at(class, frame, &frames[inner]),
            };
            Place {
                site: site.map(|(kind, ordinal)| (word(kind).to_owned(), ordinal)),
                class: written(frame.class, class.alone, classes),
                method: lambda_name(frame.method, class),
            }
        };
        frames.iter().enumerate().map(place).collect()
    };
    chain.iter().map(of).collect()
}

fn word(kind: SiteKind) -> &'static str {
    match kind {
        SiteKind::Throw => "throw",
        SiteKind::Call => "call",
        SiteKind::Field => "field",
        SiteKind::Static => "static",
        SiteKind::New => "new",
        SiteKind::NewArray => "new-array",
        SiteKind::Array => "array",
        SiteKind::Cast => "cast",
        SiteKind::Divide => "divide",
        SiteKind::Monitor => "monitor",
    }
}

/// The methods of a frame's name with the sites on its line; overloads have lines of their own.
fn on_line<'c>(class: &'c ClassSites, frame: &Frame<'_>) -> Vec<(&'c MethodSites, Vec<&'c Site>)> {
    let Some(line) = frame.line else {
        return Vec::new();
    };
    // Without debug information, ART prints the program counter.
    let pc = frame.place.starts_with("Unknown Source");
    let here = |site: &&Site| match pc {
        true => site.pc == line,
        false => site.line == Some(line),
    };
    let methods = class.methods.iter().filter(|m| m.name == frame.method);
    methods
        .map(|method| (method, method.sites.iter().filter(here).collect::<Vec<_>>()))
        .filter(|(_, sites)| !sites.is_empty())
        .collect()
}

/// The ordinal of a site among its like in the method.
fn ordinal(method: &MethodSites, site: &Site) -> (SiteKind, u32) {
    let like =
        |other: &&Site| other.pc < site.pc && other.kind == site.kind && other.name == site.name;
    let before = method.sites.iter().filter(like).count();
    (site.kind, u32::try_from(before).unwrap_or(u32::MAX))
}

/// The first site on the frame's line that the first of these tests which any passes, accepts.
fn first(
    class: &ClassSites,
    frame: &Frame<'_>,
    tests: &[&dyn Fn(&Site) -> bool],
) -> Option<(SiteKind, u32)> {
    let found = on_line(class, frame);
    tests.iter().find_map(|test| {
        found.iter().find_map(|(method, sites)| {
            let site = sites.iter().find(|site| test(site))?;
            Some(ordinal(method, site))
        })
    })
}

/// Where the innermost frame threw.
fn thrown_at(
    class: &ClassSites,
    frame: &Frame<'_>,
    thrown: &Thrown<'_>,
) -> Option<(SiteKind, u32)> {
    let simple = thrown.class.rsplit('.').next().unwrap_or_default();
    // Memory and the stack run out anywhere.
    if matches!(simple, "OutOfMemoryError" | "StackOverflowError") {
        return None;
    }
    let member = MEMBER.captures(thrown.message).and_then(|found| {
        let part = found.iter().skip(1).flatten().next();
        part.map(|part| part.as_str())
    });
    let constructor = format!("{}.<init>", thrown.class);
    let made = |site: &Site| site.kind == SiteKind::Call && site.name == constructor;
    let named = |site: &Site| {
        matches!(site.kind, SiteKind::Call | SiteKind::Field) && member == Some(site.name.as_str())
    };
    let can = |site: &Site| match simple {
        "NullPointerException" => matches!(
            site.kind,
            SiteKind::Call
                | SiteKind::Field
                | SiteKind::Array
                | SiteKind::Monitor
                | SiteKind::Throw
        ),
        "ClassCastException" => site.kind == SiteKind::Cast,
        "ArrayIndexOutOfBoundsException" | "ArrayStoreException" => site.kind == SiteKind::Array,
        "ArithmeticException" => site.kind == SiteKind::Divide,
        "NegativeArraySizeException" => site.kind == SiteKind::NewArray,
        "NoSuchMethodError" | "AbstractMethodError" | "IncompatibleClassChangeError" => {
            site.kind == SiteKind::Call
        }
        "NoClassDefFoundError" | "ExceptionInInitializerError" => {
            matches!(site.kind, SiteKind::Static | SiteKind::New | SiteKind::Call)
        }
        _ => site.kind == SiteKind::Throw,
    };
    first(class, frame, &[&made, &named, &can, &|_| true])
}

/// Where a frame called the next inner one.
fn called_at(class: &ClassSites, frame: &Frame<'_>, inner: &Frame<'_>) -> Option<(SiteKind, u32)> {
    let constructor = format!("{}.<init>", inner.class);
    let called = |site: &Site| match inner.method {
        "<init>" => site.kind == SiteKind::Call && site.name == constructor,
        // The first use of a class runs its initializer.
        "<clinit>" => {
            matches!(site.kind, SiteKind::Call | SiteKind::Static | SiteKind::New)
                && site.owner == inner.class
        }
        name => site.kind == SiteKind::Call && site.name == name,
    };
    let any_call = |site: &Site| site.kind == SiteKind::Call;
    first(class, frame, &[&called, &any_call, &|_| true])
}

/// The class as a fingerprint has it, where that is not its full name.
fn written(class: &str, alone: bool, classes: &Classes) -> Option<String> {
    let named = class_name(class, classes);
    let short = |name: &str| name.rsplit('.').next().unwrap_or(name).to_owned();
    match alone && class.contains('.') {
        true => Some(short(named.as_deref().unwrap_or(class))),
        false => named,
    }
}

/// The name of a class without the numbers that the compiler gave to anonymous classes: `Main$3` that is the second
/// listener of its kind in `onCreate` is `Main$onCreate~1`. Kotlin's names have the method already and stay.
fn class_name(class: &str, classes: &Classes) -> Option<String> {
    let (mut name, mut copied) = (String::new(), 0);
    for (at, number) in numbers(class) {
        let outer = &class[..at];
        let nth = |n: u32| classes.get(&format!("{outer}${n}"));
        let known = nth(number)?;
        let end = at + 1 + number.to_string().len();
        let named = known
            .enclosing
            .as_ref()
            .is_some_and(|method| outer.ends_with(&format!("${method}")));
        if named {
            continue;
        }
        let like = |other: &&std::sync::Arc<ClassSites>| {
            other.enclosing == known.enclosing && other.supertypes == known.supertypes
        };
        let rank = (1..number.min(SIBLINGS))
            .filter_map(nth)
            .filter(like)
            .count();
        let method = known.enclosing.as_deref().unwrap_or_default();
        name.push_str(&class[copied..=at]);
        name.push_str(&format!("{method}~{rank}"));
        copied = end;
    }
    if copied == 0 {
        return None;
    }
    name.push_str(&class[copied..]);
    Some(name)
}

/// The name of a lambda's method with its rank in the method it is written in: javac numbers them over the class.
fn lambda_name(method: &str, class: &ClassSites) -> Option<String> {
    let parse = |name: &str| {
        let found = LAMBDA.captures(frames::without_holder(name))?;
        Some((found[1].to_owned(), found[2].parse::<u32>().ok()?))
    };
    let (within, number) = parse(method)?;
    let others = class.methods.iter().filter_map(|m| parse(&m.name));
    let rank = others
        .filter(|(other, n)| *other == within && *n < number)
        .count();
    Some(format!("{within}~lambda{rank}"))
}

#[cfg(test)]
#[path = "place_tests.rs"]
mod tests;
