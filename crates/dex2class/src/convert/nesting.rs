//! Nested classes: where a class is nested, and what is nested in it.
//!
//! On Android each class says itself where it is nested. The JVM asks both sides: a class whose outer class does not list
//! it throws `IncompatibleClassChangeError` as soon as it is asked for its simple name. So a class lists whatever names
//! it as the class around it ([`Nests`]), and what nobody lists is no nested class.

use super::{Converter, flags};
use crate::class::Attribute;
use crate::dex::{ClassDef, Dex, EncodedAnnotation, Value, internal_name};

const INNER_CLASS: &[u8] = b"Ldalvik/annotation/InnerClass;";
const ENCLOSING_CLASS: &[u8] = b"Ldalvik/annotation/EnclosingClass;";
const ENCLOSING_METHOD: &[u8] = b"Ldalvik/annotation/EnclosingMethod;";
const KINDS: &[&[u8]] = &[INNER_CLASS, ENCLOSING_CLASS, ENCLOSING_METHOD];

/// Where a class is nested, by its own annotations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Nesting<'a> {
    /// Descriptor of the class around it.
    pub outer: &'a [u8],
    /// Index of the method around it.
    pub method: Option<u32>,
    /// Its name; none if it is anonymous.
    pub name: Option<&'a [u8]>,
    /// Flags of its source.
    pub access: u32,
}

impl<'a> Nesting<'a> {
    /// Whether it is a member of the class around it, and neither local nor anonymous. A local class outside methods, in
    /// an initializer, counts as a member, as it does on Android.
    pub fn is_member(&self) -> bool {
        self.name.is_some() && self.method.is_none()
    }

    /// Reads the annotations of a class; none if it is not nested.
    pub fn read(dex: &Dex<'a>, def: &ClassDef<'a>) -> Option<Self> {
        if def.annotations_off == 0 {
            return None;
        }
        let directory = dex.annotations(def).ok()?;
        let set = dex.annotation_set(directory.class_off).ok()?;
        // A class has at most two of them.
        let wanted: Vec<_> = set.of_system(KINDS).take(3).collect();
        Self::find(dex, &wanted)
    }

    /// The same by the system's annotations of the class.
    pub(super) fn find(dex: &Dex<'a>, system: &[EncodedAnnotation<'a>]) -> Option<Self> {
        let value = |kind: &[u8], name: &[u8]| {
            let mut all = system.iter().filter(|each| each.kind == kind);
            all.next()?.get(name)
        };
        let Value::Int(access) = value(INNER_CLASS, b"accessFlags")? else {
            return None;
        };
        let name = match value(INNER_CLASS, b"name") {
            Some(Value::String(ix)) => Some(dex.name(*ix).ok()?),
            _ => None,
        };
        let method = match value(ENCLOSING_METHOD, b"value") {
            Some(Value::Method(ix)) => Some(*ix),
            _ => None,
        };
        let outer = match (method, value(ENCLOSING_CLASS, b"value")) {
            (Some(ix), _) => dex.method(ix).ok()?.owner,
            (None, Some(Value::Type(ix))) => dex.type_name(*ix).ok()?,
            _ => return None,
        };
        (outer.first() == Some(&b'L')).then_some(Self {
            outer,
            method,
            name,
            access: access.cast_unsigned(),
        })
    }
}

/// What is known of the nesting of all classes that are translated.
pub trait Nests {
    /// Whether [`Nests::nested`] lists a class under the class that it names as the one around it.
    fn is_listed(&self, class: &[u8], outer: &[u8]) -> bool;

    /// The classes that name this one as the one around them, by their descriptors.
    fn nested(&self, outer: &[u8]) -> Vec<(&[u8], Nesting<'_>)>;
}

/// Nothing is known: no class has a nested class.
pub struct NoNests;

impl Nests for NoNests {
    fn is_listed(&self, _: &[u8], _: &[u8]) -> bool {
        false
    }

    fn nested(&self, _: &[u8]) -> Vec<(&[u8], Nesting<'_>)> {
        Vec::new()
    }
}

impl<'a> Converter<'a, '_> {
    /// Adds `EnclosingMethod` and `InnerClasses`.
    pub(super) fn nesting(
        &mut self,
        def: &ClassDef<'a>,
        own: Option<Nesting<'a>>,
        nests: &dyn Nests,
        attributes: &mut Vec<Attribute>,
    ) {
        let mut list = Vec::new();
        if let Some(own) = own {
            if !own.is_member() {
                attributes.extend(self.enclosing_method(&own));
            }
            if nests.is_listed(def.kind, own.outer) {
                self.inner_class(def.kind, &own, &mut list);
            }
        }
        for (nested, nesting) in nests.nested(def.kind) {
            if self.spend(nested.len()).is_err() {
                break;
            }
            self.inner_class(nested, &nesting, &mut list);
        }
        if let Ok(count) = u16::try_from(list.len() / 8)
            && count > 0
        {
            let data = [&count.to_be_bytes()[..], &list].concat();
            attributes.push(self.attribute("InnerClasses", data));
        }
    }

    fn inner_class(&mut self, class: &[u8], nesting: &Nesting<'_>, list: &mut Vec<u8>) {
        let class = self.pool.class(internal_name(class));
        let outer = match nesting.is_member() {
            true => self.pool.class(internal_name(nesting.outer)),
            false => 0,
        };
        let name = nesting.name.map_or(0, |name| self.pool.utf8(name));
        for number in [class, outer, name, flags::inner(nesting.access)] {
            list.extend(number.to_be_bytes());
        }
    }

    fn enclosing_method(&mut self, own: &Nesting<'a>) -> Option<Attribute> {
        let outer = self.pool.class(internal_name(own.outer));
        let method = match own.method {
            Some(ix) => {
                let id = self.dex.method(ix).ok()?;
                let mut descriptor = Vec::new();
                self.dex
                    .proto(id.proto)
                    .and_then(|proto| proto.descriptor(&mut descriptor))
                    .ok()?;
                self.pool.pair(id.name, &descriptor)
            }
            None => 0,
        };
        Some(self.indices("EnclosingMethod", &[outer, method]))
    }
}
