//! What a model's parts are called in Java, in resources and in the manifest.

use crate::device::sim::Model;
use crate::device::sim::model::Ix;
use std::collections::HashSet;

/// The sub-package of what is no activity.
pub const OWN: &str = "model";

/// Words that Java keeps for itself.
const KEYWORDS: [&str; 54] = [
    "_",
    "abstract",
    "assert",
    "boolean",
    "break",
    "byte",
    "case",
    "catch",
    "char",
    "class",
    "const",
    "continue",
    "default",
    "do",
    "double",
    "else",
    "enum",
    "extends",
    "false",
    "final",
    "finally",
    "float",
    "for",
    "goto",
    "if",
    "implements",
    "import",
    "instanceof",
    "int",
    "interface",
    "long",
    "native",
    "new",
    "null",
    "package",
    "private",
    "protected",
    "public",
    "return",
    "short",
    "static",
    "strictfp",
    "super",
    "switch",
    "synchronized",
    "this",
    "throw",
    "throws",
    "transient",
    "true",
    "try",
    "void",
    "volatile",
    "while",
];

/// Classes that the sources name without a package, and the sub-package.
const RESERVED: [&str; 13] = [
    OWN, "R", "App", "Fault", "Python", "Screen", "State", "Class", "Double", "Object", "Override",
    "String", "System",
];

/// All names.
#[derive(Debug)]
pub struct Names {
    /// The app's package.
    pub package: String,
    /// By node: its activity's class, without the package.
    pub activities: Vec<String>,
    /// By widget: its resource id, without package and type.
    pub ids: Vec<String>,
    /// By slot: the field that holds the global.
    pub globals: Vec<String>,
    /// By class with code blocks: package and name.
    pub blocks: Vec<(String, String)>,
}

impl Names {
    /// The names of a model's parts.
    pub fn of(model: &Model) -> Self {
        let package = package(&model.package);
        let mut classes = Unique::new(&RESERVED);
        let activities: Vec<String> = model
            .activities()
            .map(|activity| classes.make(activity))
            .collect();
        let mut ids = Unique::default();
        let ids = model.nodes.iter().flat_map(|node| {
            let widgets = node.widgets.start as usize..node.widgets.end as usize;
            let named: Vec<String> = model.widgets[widgets]
                .iter()
                .map(|widget| ids.make(&format!("{}_{}", node.id, widget.id)))
                .collect();
            named
        });
        let ids = ids.collect();
        let mut globals = Unique::new(&["kept"]);
        Self {
            ids,
            globals: model
                .globals
                .iter()
                .map(|name| globals.make(name))
                .collect(),
            blocks: model
                .classes
                .iter()
                .map(|class| block_class(&class.name, &package, &activities, &mut classes))
                .collect(),
            package,
            activities,
        }
    }

    /// The number of the node whose activity is this class.
    pub fn node(&self, class: &(String, String)) -> Option<Ix> {
        let at = self.activities.iter().position(|own| *own == class.1);
        at.filter(|_| class.0 == self.package)
            .and_then(|at| Ix::try_from(at).ok())
    }
}

/// A package needs two parts, each a word that is not Java's.
fn package(wanted: &str) -> String {
    let parts: Vec<String> = wanted
        .split('.')
        .filter(|part| !part.is_empty())
        .map(|part| identifier(&part.to_lowercase()))
        .collect();
    match parts.as_slice() {
        [] => "fate.app".to_owned(),
        [one] => format!("fate.{one}"),
        _ => parts.join("."),
    }
}

/// A class of the model's own, or one that activities share. Android loads no class of an app from its packages.
fn block_class(
    internal: &str,
    package: &str,
    activities: &[String],
    taken: &mut Unique,
) -> (String, String) {
    let (folder, name) = internal.rsplit_once('/').unwrap_or(("", internal));
    let own = folder.replace('/', ".");
    let reserved = ["", "java", "javax", "android", "dalvik"];
    let root = own.split('.').next().unwrap_or_default();
    if reserved.contains(&root) || own == package {
        let name = identifier(name);
        let shared = own == package && activities.contains(&name);
        let name = if shared { name } else { taken.make(&name) };
        return (package.to_owned(), name);
    }
    let parts: Vec<String> = own.split('.').map(identifier).collect();
    (parts.join("."), identifier(name))
}

/// Letters and digits of ASCII, `_` and `$`; what else there is becomes its number.
fn identifier(text: &str) -> String {
    let mut name = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            'a'..='z' | 'A'..='Z' | '0'..='9' | '_' | '$' => name.push(c),
            ' ' | '-' | '.' | '/' => name.push('_'),
            other => name.push_str(&format!("u{:x}", other as u32)),
        }
    }
    if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) {
        name.insert(0, '_');
    }
    if KEYWORDS.contains(&name.as_str()) {
        name.push('_');
    }
    name
}

/// Names that differ also where upper and lower case are one.
#[derive(Debug, Default)]
struct Unique(HashSet<String>);

impl Unique {
    fn new(taken: &[&str]) -> Self {
        Self(taken.iter().map(|name| name.to_lowercase()).collect())
    }

    fn make(&mut self, text: &str) -> String {
        // `$` is a class inside another to most tools.
        let base = identifier(text).replace('$', "_");
        let mut name = base.clone();
        let mut number = 1;
        while !self.0.insert(name.to_lowercase()) {
            number += 1;
            name = format!("{base}_{number}");
        }
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_text_becomes_a_name_of_its_own() {
        let mut names = Unique::new(&["R"]);
        let all = ["r", "a b", "a-b", "A_B", "1", "class", "", "ü", "x$y"];
        let all: Vec<String> = all.iter().map(|text| names.make(text)).collect();
        let expected = [
            "r_2", "a_b", "a_b_2", "A_B_3", "_1", "class_", "__", "ufc", "x_y",
        ];
        assert_eq!(all, expected);
    }

    #[test]
    fn a_package_has_two_parts_at_least() {
        assert_eq!(package("social"), "fate.social");
        assert_eq!(package("org.Example.new"), "org.example.new_");
        assert_eq!(package(""), "fate.app");
    }

    #[test]
    fn blocks_of_an_activity_stay_in_it_and_blocks_of_the_system_move() {
        let activities = ["List".to_owned()];
        let mut taken = Unique::new(&["List"]);
        let mut class = |name: &str| block_class(name, "org.x", &activities, &mut taken);
        let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
        assert_eq!(class("org/x/List"), pair("org.x", "List"));
        assert_eq!(class("org/x/Store"), pair("org.x", "Store"));
        assert_eq!(class("java/util/List"), pair("org.x", "List_2"));
        assert_eq!(class("org/y/A$B"), pair("org.y", "A$B"));
        assert_eq!(class("Bare"), pair("org.x", "Bare"));
    }
}
