//! Fields and methods.

use super::annotations::{Annotations, array};
use super::constants::Constant;
use super::{Converter, flags};
use crate::class::access::{ABSTRACT, NATIVE, STATIC};
use crate::class::{Attribute, Class, Field, Idx, Method};
use crate::dex::{
    AnnotationsDirectory, ClassData, ClassDef, DexError, EncodedField, EncodedMethod, Result, Value,
};
use rustc_hash::FxHashSet;

/// Argument slots of a method, `this` among them.
const MOST_SLOTS: usize = 255;

impl<'a> Converter<'a, '_> {
    /// Adds the fields to the class; returns the values that no attribute can hold.
    pub(super) fn fields(
        &mut self,
        def: &ClassDef<'a>,
        data: &ClassData<'a>,
        directory: &AnnotationsDirectory<'a>,
        class: &mut Class,
    ) -> Result<Vec<(u32, Value<'a>)>> {
        let mut rest = Vec::new();
        let mut seen = Seen::default();
        let values = self
            .dex
            .encoded_array(def.static_values_off)
            .unwrap_or_default();
        let mut values = values.into_iter();
        for each in data.static_fields() {
            let value = values.next();
            let Some(mut field) = self.field(each, true, directory, class, &mut seen)? else {
                continue;
            };
            if let Some(value) = value {
                let kind = self.dex.field(each.ix)?.kind;
                match self.constant_value(kind, &value) {
                    Constant::Attribute(attribute) => field.attributes.push(attribute),
                    Constant::Code => rest.push((each.ix, value)),
                    Constant::Default => {}
                }
            }
            class.fields.push(field);
        }
        if !class.is_interface() {
            for each in data.instance_fields() {
                let field = self.field(each, false, directory, class, &mut seen)?;
                class.fields.extend(field);
            }
        }
        Ok(rest)
    }

    /// A field, unless a class file cannot have it or has it.
    fn field(
        &mut self,
        each: EncodedField,
        is_static: bool,
        directory: &AnnotationsDirectory<'a>,
        class: &Class,
        seen: &mut Seen,
    ) -> Result<Option<Field>> {
        let id = self.dex.field(each.ix)?;
        self.spend(id.name.len() + id.kind.len())?;
        if id.kind == b"V" || !is_unqualified(id.name) {
            return Ok(None);
        }
        let name = self.pool.utf8(id.name);
        let descriptor = self.pool.utf8(id.kind);
        if !seen.add(name, descriptor)? {
            return Ok(None);
        }
        let found = self.annotations(directory.fields.get(each.ix));
        let mut attributes: Vec<Attribute> = self.signature(&found).into_iter().collect();
        attributes.extend(found.attributes);
        Ok(Some(Field {
            access: flags::field(each.access, is_static, class.is_interface()),
            name,
            descriptor,
            attributes,
        }))
    }

    /// Adds the methods to the class; returns what the dex file has for each.
    pub(super) fn methods(
        &mut self,
        data: &ClassData<'a>,
        directory: &AnnotationsDirectory<'a>,
        defaults: Option<&Value<'a>>,
        class: &mut Class,
    ) -> Result<Vec<EncodedMethod>> {
        let mut all = Vec::new();
        let mut seen = Seen::default();
        for each in data.direct_methods().chain(data.virtual_methods()) {
            if let Some(method) = self.method(each, directory, defaults, class, &mut seen)? {
                let has_code = method.access & (NATIVE | ABSTRACT) == 0;
                let code_off = if has_code { each.code_off } else { 0 };
                all.push(EncodedMethod { code_off, ..each });
                class.methods.push(method);
            }
        }
        Ok(all)
    }

    /// A method, unless a class file cannot have it or has it.
    fn method(
        &mut self,
        each: EncodedMethod,
        directory: &AnnotationsDirectory<'a>,
        defaults: Option<&Value<'a>>,
        class: &Class,
        seen: &mut Seen,
    ) -> Result<Option<Method>> {
        let id = self.dex.method(each.ix)?;
        let proto = self.dex.proto(id.proto)?;
        let mut descriptor = Vec::new();
        proto.descriptor(&mut descriptor)?;
        self.spend(id.name.len() + descriptor.len())?;
        let access = flags::method(each.access, id.name, class.is_interface());
        let is_static = access & STATIC != 0;
        let is_named = match id.name {
            b"<clinit>" => descriptor == b"()V",
            b"<init>" => proto.result == b"V" && !class.is_interface(),
            name => is_unqualified(name) && !name.iter().any(|byte| matches!(byte, b'<' | b'>')),
        };
        let slots = proto.parameters.iter().map(|kind| match kind {
            Ok(b"V") | Err(_) => MOST_SLOTS + 1,
            Ok(b"J" | b"D") => 2,
            Ok(_) => 1,
        });
        if !is_named || slots.sum::<usize>() + usize::from(!is_static) > MOST_SLOTS {
            return Ok(None);
        }
        let name = self.pool.utf8(id.name);
        let descriptor = self.pool.utf8(&descriptor);
        if !seen.add(name, descriptor)? {
            return Ok(None);
        }
        let found = self.annotations(directory.methods.get(each.ix));
        let mut attributes = self.method_attributes(&found);
        attributes.extend(found.attributes);
        let parameters = directory.parameters.get(each.ix);
        attributes.extend(self.parameter_annotations(parameters, proto.parameters.len()));
        if let Some(Value::Annotation(defaults)) = defaults
            && let Some(value) = defaults.get(id.name)
        {
            let mut data = Vec::new();
            if self.element(value, &mut data).is_some() {
                attributes.push(self.attribute("AnnotationDefault", data));
            }
        }
        Ok(Some(Method {
            access,
            name,
            descriptor,
            code: None,
            attributes,
        }))
    }

    /// What the system's annotations say of a method.
    fn method_attributes(&mut self, found: &Annotations<'a>) -> Vec<Attribute> {
        let mut attributes: Vec<Attribute> = self.signature(found).into_iter().collect();
        if let Some(values) = found.values("Throws") {
            let classes = self.types(values);
            attributes.extend(self.classes("Exceptions", &classes));
        }
        attributes.extend(self.parameters(found));
        attributes
    }

    /// Names and flags of parameters.
    fn parameters(&mut self, found: &Annotations<'a>) -> Option<Attribute> {
        let annotation = found.system("MethodParameters")?;
        let names = array(annotation.get(b"names"))?;
        let flags = array(annotation.get(b"accessFlags"))?;
        let count = u8::try_from(names.len())
            .ok()
            .filter(|_| names.len() == flags.len())?;
        let mut data = vec![count];
        for (name, flags) in names.iter().zip(flags) {
            let name = match name {
                Value::String(ix) => self.pool.utf8(self.dex.name(*ix).ok()?),
                _ => 0,
            };
            let Value::Int(flags) = flags else {
                return None;
            };
            data.extend(name.to_be_bytes());
            data.extend(u16::try_from(*flags & 0xffff).ok()?.to_be_bytes());
        }
        Some(self.attribute("MethodParameters", data))
    }
}

/// Names and descriptors of members that a class has.
#[derive(Default)]
struct Seen(FxHashSet<(Idx, Idx)>);

impl Seen {
    /// Whether it is new.
    fn add(&mut self, name: Idx, descriptor: Idx) -> Result<bool> {
        if self.0.len() >= 0xffff {
            return Err(DexError("a class has too many members"));
        }
        Ok(self.0.insert((name, descriptor)))
    }
}

/// Whether the JVM accepts a name of a member (JVM specification, 4.2.2).
fn is_unqualified(name: &[u8]) -> bool {
    !name.is_empty()
        && !name
            .iter()
            .any(|byte| matches!(byte, b'.' | b';' | b'[' | b'/'))
}
