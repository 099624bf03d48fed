//! Original names of the types, fields and methods that a dex file names.

use super::super::dex::dotted;
use dex2class::dex::Dex;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::rc::Rc;

/// Original names, as the `mapping.txt` of an obfuscated app gives them. All class names are dotted; types are written
/// as in Java, `int` or `a.b.C[]`. `None`: the mapping does not list it.
pub trait Names {
    /// The original name of a class.
    fn class(&self, name: &str) -> Option<&str>;
    /// The original name of a field of a class.
    fn field(&self, class: &str, name: &str) -> Option<&str>;
    /// The original class and name of the method of a class with these original argument types, comma-separated.
    fn method(&self, class: &str, name: &str, arguments: &str) -> Option<(String, String)>;
    /// The name of the original source file of a class.
    fn file(&self, class: &str) -> Option<&str>;
    /// The original of a line of a method; of one without an original, that of the next line that has one.
    fn line(&self, class: &str, method: &str, line: u32) -> Option<u32>;
}

/// The superclass and the interfaces of the app's classes, by dotted name.
pub(super) type Supertypes = FxHashMap<String, Vec<String>>;

/// A method with original names.
#[derive(Clone, Debug)]
pub(super) struct Spelled {
    /// Dotted name of its class.
    pub class: String,
    pub name: String,
    /// `(int,a.b.C[])void`.
    pub signature: String,
}

/// The names in one dex file; each is looked up once.
pub(super) struct Spelling<'a, 'b> {
    dex: &'b Dex<'a>,
    names: Option<&'b dyn Names>,
    supertypes: &'b Supertypes,
    types: RefCell<FxHashMap<u32, Rc<str>>>,
    fields: RefCell<FxHashMap<u32, Rc<str>>>,
    methods: RefCell<FxHashMap<u32, Rc<str>>>,
}

impl<'a, 'b> Spelling<'a, 'b> {
    pub fn new(dex: &'b Dex<'a>, names: Option<&'b dyn Names>, supertypes: &'b Supertypes) -> Self {
        Self {
            dex,
            names,
            supertypes,
            types: RefCell::default(),
            fields: RefCell::default(),
            methods: RefCell::default(),
        }
    }

    /// A type, as in Java, without compilers' numbers.
    pub fn of_type(&self, ix: u32) -> Rc<str> {
        cached(&self.types, ix, || {
            numberless(&self.java_type(self.dex.type_name(ix).unwrap_or_default()))
        })
    }

    /// A field with its class and type, without compilers' numbers.
    pub fn of_field(&self, ix: u32) -> Rc<str> {
        cached(&self.fields, ix, || {
            let Ok(field) = self.dex.field(ix) else {
                return String::new();
            };
            let class = dotted(field.owner);
            let name = text(field.name);
            let named = self.inherited(&class, |class| {
                self.names?.field(class, &name).map(str::to_owned)
            });
            let class = self.original(&class);
            let name = named.unwrap_or(name);
            numberless(&format!("{class}.{name}:{}", self.java_type(field.kind)))
        })
    }

    /// A method with its class and signature, without compilers' numbers.
    pub fn of_method(&self, ix: u32) -> Rc<str> {
        cached(&self.methods, ix, || {
            let spelled = self.method(ix);
            numberless(&format!(
                "{}.{}{}",
                spelled.class, spelled.name, spelled.signature
            ))
        })
    }

    /// The parts of a method's original name.
    pub fn method(&self, ix: u32) -> Spelled {
        let id = self.dex.method(ix).ok();
        let class = dotted(id.map_or(b"", |id| id.owner));
        let name = text(id.map_or(b"", |id| id.name));
        let proto = id.and_then(|id| self.dex.proto(id.proto).ok());
        let arguments = proto.into_iter().flat_map(|proto| proto.parameters.iter());
        let arguments = arguments.map(|kind| self.java_type(kind.unwrap_or_default()));
        let arguments = arguments.collect::<Vec<_>>().join(",");
        let named = self.inherited(&class, |class| self.names?.method(class, &name, &arguments));
        let (class, name) = named.unwrap_or_else(|| (self.original(&class), name));
        Spelled {
            class,
            name,
            signature: format!(
                "({arguments}){}",
                proto.map_or_else(String::new, |proto| self.java_type(proto.result))
            ),
        }
    }

    /// A dotted class name with the original package and name.
    pub fn original(&self, class: &str) -> String {
        let known = self.names.and_then(|names| names.class(class));
        known.unwrap_or(class).to_owned()
    }

    fn java_type(&self, descriptor: &[u8]) -> String {
        let depth = descriptor.iter().take_while(|&&byte| byte == b'[').count();
        let element = match &descriptor[depth..] {
            b"V" => "void".to_owned(),
            b"Z" => "boolean".to_owned(),
            b"B" => "byte".to_owned(),
            b"S" => "short".to_owned(),
            b"C" => "char".to_owned(),
            b"I" => "int".to_owned(),
            b"J" => "long".to_owned(),
            b"F" => "float".to_owned(),
            b"D" => "double".to_owned(),
            class => self.original(&dotted(class)),
        };
        element + &"[]".repeat(depth)
    }

    /// What is found for a class or the nearest of its supertypes: a call may name a subclass of the class that
    /// declares the method.
    fn inherited<T>(&self, class: &str, find: impl Fn(&str) -> Option<T>) -> Option<T> {
        self.names?;
        let mut open = vec![class];
        let mut at = 0;
        while let Some(class) = open.get(at).copied() {
            if let Some(found) = find(class) {
                return Some(found);
            }
            let above = self.supertypes.get(class).into_iter().flatten();
            for class in above.map(String::as_str) {
                if !open.contains(&class) {
                    open.push(class);
                }
            }
            at += 1;
        }
        None
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn cached(
    cache: &RefCell<FxHashMap<u32, Rc<str>>>,
    ix: u32,
    make: impl FnOnce() -> String,
) -> Rc<str> {
    if let Some(known) = cache.borrow().get(&ix) {
        return known.clone();
    }
    let made: Rc<str> = make().into();
    cache.borrow_mut().insert(ix, made.clone());
    made
}

/// A name with `#` for the numbers that compilers count anonymous classes, lambdas and accessors by: a new one shifts
/// those behind it. `Main$2` and `access$100` become `Main$#` and `access$#`.
pub(super) fn numberless(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    let part_end = |c: char| !(c.is_alphanumeric() || c == '_' || c == '-');
    let mut rest = name;
    while let Some(at) = rest.find('$') {
        let (before, after) = rest.split_at(at + 1);
        out.push_str(before);
        let (part, next) = after.split_at(after.find(part_end).unwrap_or(after.len()));
        let stem = part.trim_end_matches(|c: char| c.is_ascii_digit());
        // D8 once named lambdas by a hash: `-$$Lambda$Main$Uz3k`.
        let hashed = out.rsplit([',', '(', '.']).next().is_some_and(|class| {
            class
                .strip_prefix("-$$Lambda$")
                .is_some_and(|class| class.ends_with('$'))
        });
        if hashed {
            out.push('#');
        } else if stem.len() < part.len() && (stem.is_empty() || stem.contains("Synthetic")) {
            out.push_str(stem);
            out.push('#');
        } else {
            out.push_str(part);
        }
        rest = next;
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::numberless;

    #[test]
    fn compilers_numbers_are_left_out() {
        for (name, expected) in [
            ("a.Main$1", "a.Main$#"),
            ("a.Main$12$3.run()void", "a.Main$#$#.run()void"),
            ("a.Main.access$100(a.Main)int", "a.Main.access$#(a.Main)int"),
            (
                "a.Main.lambda$save$2(int)void",
                "a.Main.lambda$save$#(int)void",
            ),
            (
                "a.Main$$ExternalSyntheticLambda7.a:int",
                "a.Main$$ExternalSyntheticLambda#.a:int",
            ),
            (
                "a.-$$Lambda$Main$U-z3k_.run()void",
                "a.-$$Lambda$Main$#.run()void",
            ),
            ("a.Main$Inner2.x1(int)void", "a.Main$Inner2.x1(int)void"),
            ("a.Main$2D", "a.Main$2D"),
        ] {
            assert_eq!(numberless(name), expected);
        }
    }
}
