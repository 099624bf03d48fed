//! Classes without their code: from the definition in a dex file to [`Class`].
//!
//! Dex files keep in annotations of the system what class files keep in attributes. What the app sees of itself by
//! reflection stays the same as on Android. Damaged annotations are left out; a damaged definition is an error.

mod annotations;
mod constants;
pub(crate) mod flags;
mod members;
mod modern;
mod nesting;

#[cfg(test)]
mod nesting_tests;
#[cfg(test)]
mod tests;

pub use nesting::{Nesting, Nests, NoNests};

use crate::class::{Attribute, Class, Entry, Idx, Pool};
use crate::dex::{ClassDef, Dex, DexError, EncodedMethod, Result, Value, internal_name};
use annotations::Annotations;

/// Java 8.
const MAJOR: u16 = 52;
/// Java 17, where nests, records and sealed classes are known.
const MODERN: u16 = 61;
/// Bytes of names, and of annotations in the file, that a class may have. Those of a dex file may overlap, so that a
/// small file could keep a reader busy for hours.
const BUDGET: usize = 1 << 25;
const OBJECT: &[u8] = b"java/lang/Object";

/// A class without its code.
#[derive(Clone, Debug)]
pub struct Converted<'a> {
    /// The class; no method has a body.
    pub class: Class,
    /// For each method of the class, what the dex file has. Those without code have offset 0, and they may be neither
    /// abstract nor native where the file is damaged.
    pub methods: Vec<EncodedMethod>,
    /// Values of static fields that no `ConstantValue` can hold, with the index of the field; the class initializer has
    /// to begin with them.
    pub initial_values: Vec<(u32, Value<'a>)>,
}

/// The name that an enum gives to a constant, by the enum's descriptor and the field's name; none if it is the same.
pub type EnumNames<'e> = &'e dyn Fn(&[u8], &[u8]) -> Option<Vec<u8>>;

/// Converts a class.
///
/// # Errors
/// If the definition or its members cannot be read, or take more room than a class file has. Strings and annotations
/// that cannot be read are left out.
pub fn class<'a>(
    dex: &Dex<'a>,
    def: &ClassDef<'a>,
    enum_names: EnumNames<'_>,
    nests: &dyn Nests,
) -> Result<Converted<'a>> {
    let mut converter = Converter {
        dex: *dex,
        enum_names,
        pool: Pool::default(),
        budget: BUDGET,
    };
    converter.convert(def, nests)
}

/// A class on its way.
struct Converter<'a, 'e> {
    dex: Dex<'a>,
    enum_names: EnumNames<'e>,
    pool: Pool,
    budget: usize,
}

impl<'a> Converter<'a, '_> {
    fn convert(&mut self, def: &ClassDef<'a>, nests: &dyn Nests) -> Result<Converted<'a>> {
        let this = self.pool.class(internal_name(def.kind));
        let access = flags::class(def.access);
        let is_interface = access & crate::class::access::INTERFACE != 0;
        let parent = match def.parent {
            _ if is_interface => self.pool.class(OBJECT),
            Some(parent) => self.pool.class(internal_name(parent)),
            None if internal_name(def.kind) == OBJECT => 0,
            None => self.pool.class(OBJECT),
        };
        let mut interfaces = Vec::with_capacity(def.interfaces.len());
        for each in def.interfaces.iter() {
            let each = each?;
            self.spend(each.len())?;
            let each = self.pool.class(internal_name(each));
            if !interfaces.contains(&each) {
                interfaces.push(each);
            }
        }
        let mut class = Class {
            pool: Pool::default(),
            major: MAJOR,
            access,
            this,
            parent,
            interfaces,
            fields: Vec::new(),
            methods: Vec::new(),
            attributes: Vec::new(),
            bootstraps: Vec::new(),
        };
        let directory = self.dex.annotations(def).unwrap_or_default();
        let mut found = self.annotations(Some(directory.class_off));
        class.attributes.append(&mut found.attributes);
        self.source(def, &found, &mut class);
        let own = Nesting::find(&self.dex, &found.system);
        self.nesting(def, own, nests, &mut class.attributes);
        self.modern(&found, &mut class);
        let data = self.dex.class_data(def)?;
        let initial_values = self.fields(def, &data, &directory, &mut class)?;
        let methods = self.methods(
            &data,
            &directory,
            found.value("AnnotationDefault"),
            &mut class,
        )?;
        class.pool = std::mem::take(&mut self.pool);
        Ok(Converted {
            class,
            methods,
            initial_values,
        })
    }

    /// Where the source is, and its generic types.
    fn source(&mut self, def: &ClassDef<'a>, found: &Annotations<'a>, class: &mut Class) {
        if let Some(name) = def.source {
            let name = self.pool.utf8(name);
            class.attributes.push(self.indices("SourceFile", &[name]));
        }
        if let Some(Value::String(ix)) = found.value("SourceDebugExtension")
            && let Ok(text) = self.dex.string(*ix)
        {
            class
                .attributes
                .push(self.attribute("SourceDebugExtension", text.to_vec()));
        }
        class.attributes.extend(self.signature(found));
    }

    /// The generic type, which dex files keep in pieces that other types share.
    fn signature(&mut self, found: &Annotations<'a>) -> Option<Attribute> {
        let mut text = Vec::new();
        for piece in found.values("Signature")? {
            let Value::String(ix) = piece else {
                return None;
            };
            text.extend_from_slice(self.dex.name(*ix).ok()?);
            if text.len() > 0xffff {
                return None;
            }
        }
        // R8 separates a nested class by a dot where the outer class has no type arguments, too. Android reads that as
        // the dollar sign that Java wants there.
        for ix in 1..text.len() {
            if text[ix] == b'.' && text[ix - 1] != b'>' {
                text[ix] = b'$';
            }
        }
        self.spend(text.len()).ok()?;
        let text = self.pool.utf8(&text);
        Some(self.indices("Signature", &[text]))
    }

    fn attribute(&mut self, name: &str, data: Vec<u8>) -> Attribute {
        let name = self.pool.utf8(name.as_bytes());
        Attribute { name, data }
    }

    /// An attribute that consists of entries of the pool.
    fn indices(&mut self, name: &str, all: &[Idx]) -> Attribute {
        let data = all.iter().flat_map(|ix| ix.to_be_bytes()).collect();
        self.attribute(name, data)
    }

    /// An attribute with a list of classes.
    fn classes(&mut self, name: &str, descriptors: &[&[u8]]) -> Option<Attribute> {
        let count = u16::try_from(descriptors.len()).ok()?;
        let classes = descriptors
            .iter()
            .map(|each| self.pool.class(internal_name(each)));
        let all: Vec<Idx> = std::iter::once(count).chain(classes).collect();
        Some(self.indices(name, &all))
    }

    /// The descriptors in a list of types.
    fn types(&mut self, values: &[Value<'a>]) -> Vec<&'a [u8]> {
        let mut names = Vec::new();
        for value in values {
            if let Value::Type(ix) = value
                && let Ok(name) = self.dex.type_name(*ix)
                && self.spend(name.len()).is_ok()
            {
                names.push(name);
            }
        }
        names
    }

    fn spend(&mut self, bytes: usize) -> Result<()> {
        let left = self.budget.checked_sub(bytes);
        self.budget = left.ok_or(DexError("a class is too large"))?;
        Ok(())
    }

    fn constant(&mut self, entry: Entry) -> Idx {
        self.pool.entry(entry)
    }
}
