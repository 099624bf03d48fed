//! Classes with their code: from a definition in a dex file to [`Class`], and to a class file.

use crate::bridges::Bridges;
use crate::class::{
    Attribute, Class, Code, Frame, Insn, Method, Pool, WriteError, access, op, write,
};
use crate::convert::{self, Converted};
use crate::dex::{ClassDef, Dex, DexError, EncodedMethod, Value, internal_name};
use crate::enum_names;
use crate::hierarchy::{DexHierarchy, Hierarchy};
use crate::method::{
    self, Added, AskedTypes, ClassScope, Options, Reason, Subject, TypeTable, constructors,
};
use crate::split;
use std::collections::HashMap;
use std::sync::Mutex;

/// Code units of all methods of a class, at most: methods may share their code, so that they have more than the file.
/// Class files have at most 65,535 bytes of code for a method.
const MOST_UNITS: usize = 1 << 22;
/// Instructions, and types in stack map frames, of all methods of a class, at most.
const MOST_INSTRUCTIONS: usize = 1 << 21;

/// Translates the classes of an app. Each class becomes the same whatever was translated before.
pub struct Translator<'t, 'a> {
    app: &'t DexHierarchy<'a>,
    hierarchy: &'t dyn Hierarchy,
    options: Options,
    bridges: Bridges,
    /// By dex file.
    asked: Vec<AskedTypes>,
    /// Names of enum constants by the enum's descriptor.
    enums: Mutex<HashMap<Vec<u8>, enum_names::Names>>,
}

/// A method that could not be translated: it throws when it is called.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// Name and descriptor.
    pub method: String,
    /// Why.
    pub reason: String,
}

/// A translated class.
#[derive(Clone, Debug)]
pub struct Translated {
    /// The class.
    pub class: Class,
    /// Methods that throw.
    pub failures: Vec<Failure>,
}

impl<'t, 'a> Translator<'t, 'a> {
    /// `hierarchy` must find the app's classes as well as those of the platform.
    pub fn new(
        app: &'t DexHierarchy<'a>,
        hierarchy: &'t dyn Hierarchy,
        options: Options,
        bridges: Bridges,
    ) -> Self {
        Self {
            app,
            hierarchy,
            options,
            bridges,
            asked: app
                .files()
                .iter()
                .map(|dex| AskedTypes::new(dex.type_count()))
                .collect(),
            enums: Mutex::default(),
        }
    }

    /// All classes.
    pub fn hierarchy(&self) -> &'t dyn Hierarchy {
        self.hierarchy
    }

    /// The app's classes.
    pub fn app(&self) -> &'t DexHierarchy<'a> {
        self.app
    }

    /// The bridges of all classes.
    pub fn bridges(&self) -> &Bridges {
        &self.bridges
    }

    /// The names that an enum (a descriptor) gives to its constants, by field, where they differ; in order.
    pub fn enum_names(&self, kind: &[u8]) -> Vec<(Vec<u8>, Vec<u8>)> {
        let names = enum_names::read(self.app, self.hierarchy, kind);
        let mut all: Vec<_> = names.into_iter().collect();
        all.sort_unstable();
        all
    }

    /// Translates the app's class of this name (`foo/Bar`); none if the app has no such class.
    ///
    /// # Errors
    /// The definition itself cannot be read.
    pub fn class(&self, name: &[u8]) -> Option<Result<Translated, DexError>> {
        let (file, number) = self.app.position(name)?;
        let dex = self.app.files()[file];
        let def = dex.class_def(number);
        Some(def.and_then(|def| self.definition(file, &def)))
    }

    /// Translates a class, defined in the dex file of this number.
    fn definition(&self, file: usize, def: &ClassDef<'a>) -> Result<Translated, DexError> {
        let names = |kind: &[u8], field: &[u8]| self.enum_name(kind, field);
        let converted = convert::class(&self.app.files()[file], def, &names, self.app)?;
        Ok(self.bodies(file, def, converted))
    }

    fn enum_name(&self, kind: &[u8], field: &[u8]) -> Option<Vec<u8>> {
        let mut enums = self.enums.lock().ok()?;
        let names = enums
            .entry(kind.to_vec())
            .or_insert_with(|| enum_names::read(self.app, self.hierarchy, kind));
        names.get(field).cloned()
    }

    fn bodies(&self, file: usize, def: &ClassDef<'a>, converted: Converted<'a>) -> Translated {
        let dex = &self.app.files()[file];
        let Converted {
            mut class,
            methods,
            initial_values,
        } = converted;
        let scope = ClassScope {
            dex,
            hierarchy: self.hierarchy,
            options: &self.options,
            owner: def.kind,
            parent: def.parent.map(internal_name),
            asked: &self.asked[file],
        };
        let mut work = Work {
            scope: &scope,
            table: TypeTable::default(),
            added: Added {
                interfaces: Vec::new(),
                bootstraps: std::mem::take(&mut class.bootstraps),
                fills_booleans: false,
            },
            units: MOST_UNITS,
            instructions: MOST_INSTRUCTIONS,
        };
        let mut failures = Vec::new();
        let mut large = Vec::new();
        for (ix, encoded) in methods.iter().enumerate() {
            let flags = class.methods[ix].access;
            let bodiless = flags & (access::ABSTRACT | access::NATIVE) != 0;
            if encoded.code_off == 0 && bodiless {
                continue;
            }
            match work.body(encoded, false, &mut class.pool) {
                Ok(code) => {
                    if code.most_bytes() > self.options.parts.from {
                        large.push(ix);
                    }
                    class.methods[ix].code = Some(code);
                }
                Err(reason) => {
                    failures.push(failure(&class, ix, &reason.to_string()));
                    self.replace(&mut class, ix, &reason.to_string());
                }
            }
        }
        for ix in large {
            // One that cannot be cut stays whole: a class file may have room for it.
            if let Ok(code) = work.body(&methods[ix], true, &mut class.pool) {
                let whole = class.methods[ix].code.replace(code);
                if !split::split(&mut class, ix, self.options.parts.size, self.hierarchy) {
                    class.methods[ix].code = whole;
                }
            }
        }
        let added = work.added;
        for interface in added.interfaces {
            if !class.interfaces.contains(&interface) {
                class.interfaces.push(interface);
            }
        }
        class.bootstraps = added.bootstraps;
        if added.fills_booleans {
            method::add_fill(&mut class);
        }
        self.set_initial_values(dex, &mut class, &initial_values);
        for (descriptor, root) in self.bridges.of(internal_name(def.kind)) {
            constructors::add(&mut class, descriptor, root);
        }
        Translated { class, failures }
    }

    /// Makes a method throw when it is called, and notes it as a failure.
    pub fn fail(&self, translated: &mut Translated, method: usize, reason: &str) {
        let failed = failure(&translated.class, method, reason);
        translated.failures.push(failed);
        self.replace(&mut translated.class, method, reason);
    }

    /// Makes a method throw when it is called.
    fn replace(&self, class: &mut Class, method: usize, reason: &str) {
        let name = String::from_utf8_lossy(class.name()).replace('/', ".");
        let method_name =
            String::from_utf8_lossy(class.pool.text(class.methods[method].name)).into_owned();
        let text = match &self.options.failure {
            Some(prefix) => format!("{prefix}{name}.{method_name}"),
            None => format!("{name}.{method_name}: {reason}"),
        };
        // Texts of constants have a limit; nobody reads a longer one.
        let shown: String = text.chars().take(500).collect();
        let code = thrower(class, shown.as_bytes());
        class.methods[method].code = Some(code);
    }

    /// Static fields whose first values a class file's `ConstantValue` cannot hold.
    fn set_initial_values(&self, dex: &Dex<'a>, class: &mut Class, values: &[(u32, Value<'a>)]) {
        let mut code = Vec::new();
        for (field, value) in values {
            let Ok(field) = dex.field(*field) else {
                continue;
            };
            let constant = match value {
                Value::Type(ix) => match dex.type_name(*ix) {
                    Ok(name) if name.len() > 1 => class.pool.class(internal_name(name)),
                    _ => continue,
                },
                _ => continue,
            };
            code.push(Insn::Const(constant));
            let entry = class
                .pool
                .field(internal_name(field.owner), field.name, field.kind);
            code.push(Insn::Field(op::PUTSTATIC, entry));
        }
        if code.is_empty() {
            return;
        }
        let name = class.pool.utf8(b"<clinit>");
        if let Some(method) = class.methods.iter_mut().find(|method| method.name == name) {
            if let Some(body) = &mut method.code {
                body.insns.splice(0..0, code);
            }
            return;
        }
        code.push(Insn::Op(op::RETURN));
        let descriptor = class.pool.utf8(b"()V");
        class.methods.push(Method {
            access: access::STATIC,
            name,
            descriptor,
            code: Some(Code {
                insns: code,
                ..Code::default()
            }),
            attributes: Vec::new(),
        });
    }

    /// Writes a translated class. A method that is too large for a class file throws when it is called.
    ///
    /// # Errors
    /// The class exceeds another limit of class files.
    pub fn write(&self, translated: &mut Translated) -> Result<Vec<u8>, WriteError> {
        loop {
            let class = &mut translated.class;
            match write(class) {
                Err(WriteError::MethodTooLarge { method, size }) => {
                    let reason =
                        format!("{size} bytes of code are more than a class file can hold");
                    self.fail(translated, method, &reason);
                }
                result => return result,
            }
        }
    }

    /// A class with the members of one that cannot be written; all its methods throw.
    pub fn stand_in(&self, name: &[u8], reason: &str) -> Option<Translated> {
        let (dex, def) = self.app.definition(name)?;
        let converted = convert::class(&dex, &def, &|_, _| None, self.app).ok()?;
        let mut class = converted.class;
        class.attributes = Vec::<Attribute>::new();
        let mut failures = Vec::new();
        for ix in 0..class.methods.len() {
            class.methods[ix].attributes.clear();
            if class.methods[ix].access & (access::ABSTRACT | access::NATIVE) == 0 {
                failures.push(failure(&class, ix, reason));
                self.replace(&mut class, ix, reason);
            }
        }
        Some(Translated { class, failures })
    }
}

/// The bodies of a class's methods while they are translated.
struct Work<'w, 'a> {
    scope: &'w ClassScope<'w, 'a>,
    table: TypeTable,
    added: Added,
    /// What is left of [`MOST_UNITS`] and [`MOST_INSTRUCTIONS`].
    units: usize,
    instructions: usize,
}

impl Work<'_, '_> {
    /// The body of a method; with `cut` in short blocks, to be cut into parts.
    fn body(
        &mut self,
        encoded: &EncodedMethod,
        cut: bool,
        pool: &mut Pool,
    ) -> Result<Code, Reason> {
        if encoded.code_off == 0 {
            return Err(DexError("it has no code").into());
        }
        let code = self.scope.dex.code(encoded.code_off)?;
        let units = self.units.checked_sub(code.insns.len());
        self.units = units.ok_or(Reason::TooLarge)?;
        let subject = Subject {
            index: encoded.ix,
            access: encoded.access,
            cut,
        };
        let (table, added) = (&mut self.table, &mut self.added);
        let code = method::translate(self.scope, &subject, &code, table, pool, added)?;
        let instructions = self.instructions.checked_sub(size(&code));
        self.instructions = instructions.ok_or(Reason::TooLarge)?;
        Ok(code)
    }
}

/// Instructions, and types in frames.
fn size(code: &Code) -> usize {
    let types = |frame: &Frame| frame.locals.len() + frame.stack.len();
    code.insns.len()
        + code
            .frames
            .iter()
            .map(|(_, frame)| types(frame))
            .sum::<usize>()
}

fn failure(class: &Class, method: usize, reason: &str) -> Failure {
    let method = &class.methods[method];
    let text = |ix| String::from_utf8_lossy(class.pool.text(ix));
    Failure {
        method: format!("{}{}", text(method.name), text(method.descriptor)),
        reason: reason.to_owned(),
    }
}

/// A body that throws a `VerifyError`, as Android does for what it cannot verify.
fn thrower(class: &mut Class, text: &[u8]) -> Code {
    const ERROR: &[u8] = b"java/lang/VerifyError";
    let pool = &mut class.pool;
    let kind = pool.class(ERROR);
    let text = pool.string(text);
    let made = pool.method(ERROR, b"<init>", b"(Ljava/lang/String;)V", false);
    Code {
        insns: vec![
            Insn::Type(op::NEW, kind),
            Insn::Op(op::DUP),
            Insn::Const(text),
            Insn::Invoke(op::INVOKESPECIAL, made),
            Insn::Op(op::ATHROW),
        ],
        max_locals: u16::from(u8::MAX),
        ..Code::default()
    }
}
