//! Where a class's methods can throw: their instructions by kind and name, with program counter and source line.
//!
//! Dalvik's instructions: <https://source.android.com/docs/core/runtime/dalvik-bytecode>.

use super::dex::{Budget, dotted};
use dex2class::dex::{ClassDef, CodeItem, Dex, Result, Units, Value};
use dex2class::method;

/// What an instruction does that may fail. Instructions are alike if kind and name are equal.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum SiteKind {
    /// Throws an exception.
    Throw,
    /// Calls the method of this name; a constructor's name has its class before it.
    Call,
    /// Reads or writes the field of this name of an object.
    Field,
    /// Uses static members of the class of this name.
    Static,
    /// Creates an object of the class of this name.
    New,
    /// Creates an array.
    NewArray,
    /// Reads or writes an array, or asks for its length.
    Array,
    /// Casts to another class.
    Cast,
    /// Divides whole numbers.
    Divide,
    /// Enters or leaves a `synchronized` block.
    Monitor,
}

/// An instruction that may fail.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Site {
    /// Program counter in units of 16 bits, as ART prints it where lines are missing.
    pub pc: u32,
    /// Source line, where the debug information names one.
    pub line: Option<u32>,
    /// What it does.
    pub kind: SiteKind,
    /// Dotted name of the method, field or class; empty for deeds without one.
    pub name: String,
    /// Dotted name of the class that the method or field is looked up in; empty for deeds without one.
    pub owner: String,
}

/// One method of a class.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct MethodSites {
    /// Its name; overloads share it.
    pub name: String,
    /// Instructions that may fail, by program counter.
    pub sites: Vec<Site>,
}

/// One class of an app.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct ClassSites {
    /// Methods in the file's order.
    pub methods: Vec<MethodSites>,
    /// For a class declared within a method: that method's name.
    pub enclosing: Option<String>,
    /// Direct superclass and interfaces, dotted.
    pub supertypes: Vec<String>,
    /// No other class of the app has its name in another package.
    pub alone: bool,
}

/// The sites of the class of this number. A method whose code cannot be read has none.
///
/// # Errors
/// Its list of members is damaged, or more is to be read than the file has.
pub(super) fn of_class(dex: &Dex<'_>, number: u32, budget: &mut Budget) -> Result<ClassSites> {
    let Ok(def) = dex.class_def(number) else {
        return Ok(ClassSites::default());
    };
    let data = dex.class_data(&def)?;
    budget.spend(data.member_count() as usize + def.interfaces.len())?;
    let mut methods = Vec::new();
    for method in data.methods() {
        let name = dex.method(method.ix).map_or(&b""[..], |id| id.name);
        let code = Some(method.code_off).filter(|&at| at != 0);
        let code = code.and_then(|at| dex.code(at).ok());
        methods.push(MethodSites {
            name: String::from_utf8_lossy(name).into_owned(),
            sites: match code {
                None => Vec::new(),
                Some(code) => of_code(dex, &code, budget)?,
            },
        });
    }
    Ok(ClassSites {
        methods,
        enclosing: enclosing(dex, &def),
        supertypes: supertypes(&def),
        alone: false,
    })
}

/// Dotted names of the direct superclass and the interfaces of a class.
pub(super) fn supertypes(def: &ClassDef<'_>) -> Vec<String> {
    let interfaces = def.interfaces.iter().filter_map(Result::ok);
    def.parent
        .into_iter()
        .chain(interfaces)
        .map(dotted)
        .collect()
}

fn of_code(dex: &Dex<'_>, code: &CodeItem<'_>, budget: &mut Budget) -> Result<Vec<Site>> {
    budget.spend(code.insns.len())?;
    let lines = lines_of(dex, code, budget)?;
    let mut sites = Vec::new();
    for (at, opcode, _) in method::instructions(code.insns) {
        if let Some((kind, name, owner)) = kind(dex, code.insns, at, opcode) {
            let pc = u32::try_from(at).unwrap_or(u32::MAX);
            let upto = lines.partition_point(|(from, _)| *from <= pc);
            sites.push(Site {
                pc,
                line: upto.checked_sub(1).map(|ix| lines[ix].1),
                kind,
                name,
                owner,
            });
        }
    }
    Ok(sites)
}

/// The program counters at which another line starts, in order, as far as they can be read.
///
/// # Errors
/// More is to be read than the file has.
pub(super) fn lines_of(
    dex: &Dex<'_>,
    code: &CodeItem<'_>,
    budget: &mut Budget,
) -> Result<Vec<(u32, u32)>> {
    let mut found = Vec::new();
    let Ok(debug) = dex.debug(code.debug_off) else {
        return Ok(found);
    };
    let mut lines = debug.events.lines();
    loop {
        let before = lines.left();
        let line = lines.next();
        budget.spend(before - lines.left())?;
        match line {
            Some(line) => found.push(line),
            None => return Ok(found),
        }
    }
}

/// What the instruction at this address does, and what it names.
fn kind(
    dex: &Dex<'_>,
    code: Units<'_>,
    at: usize,
    opcode: u8,
) -> Option<(SiteKind, String, String)> {
    let index = || code.get(at + 1).map(u32::from);
    let bare = |kind| Some((kind, String::new(), String::new()));
    match opcode {
        0x27 => bare(SiteKind::Throw),
        0x6e..=0x72 | 0x74..=0x78 | 0xfa | 0xfb => {
            let method = dex.method(index()?).ok()?;
            let owner = dotted(method.owner);
            let name = match method.name {
                b"<init>" => format!("{owner}.<init>"),
                name => String::from_utf8_lossy(name).into_owned(),
            };
            Some((SiteKind::Call, name, owner))
        }
        0x52..=0x5f => {
            let field = dex.field(index()?).ok()?;
            let name = String::from_utf8_lossy(field.name).into_owned();
            Some((SiteKind::Field, name, dotted(field.owner)))
        }
        0x60..=0x6d => {
            let owner = dotted(dex.field(index()?).ok()?.owner);
            Some((SiteKind::Static, owner.clone(), owner))
        }
        0x22 => {
            let name = dotted(dex.type_name(index()?).ok()?);
            Some((SiteKind::New, name.clone(), name))
        }
        0x23..=0x25 => bare(SiteKind::NewArray),
        0x21 | 0x44..=0x51 => bare(SiteKind::Array),
        0x1f => bare(SiteKind::Cast),
        0x93 | 0x94 | 0x9e | 0x9f | 0xb3 | 0xb4 | 0xbe | 0xbf | 0xd3 | 0xd4 | 0xdb | 0xdc => {
            bare(SiteKind::Divide)
        }
        0x1d | 0x1e => bare(SiteKind::Monitor),
        _ => None,
    }
}

/// The name of the method that a class is declared in.
fn enclosing(dex: &Dex<'_>, def: &ClassDef<'_>) -> Option<String> {
    const KINDS: &[&[u8]] = &[b"Ldalvik/annotation/EnclosingMethod;"];
    let set = dex.annotation_set(dex.annotations(def).ok()?.class_off);
    let annotation = set.ok()?.of_system(KINDS).next()?;
    match annotation.get(b"value")? {
        Value::Method(ix) => {
            let name = dex.method(*ix).ok()?.name;
            Some(String::from_utf8_lossy(name).into_owned())
        }
        _ => None,
    }
}
