//! Nests, records and sealed classes: what class files have since Java 11 and 17.

use super::annotations::{Annotations, Lists, array};
use super::{Converter, MODERN};
use crate::class::{Attribute, Class, access};
use crate::dex::{Value, Visibility};

impl<'a> Converter<'a, '_> {
    /// Adds the attributes, and makes the class one of Java 17 if there is any.
    pub(super) fn modern(&mut self, found: &Annotations<'a>, class: &mut Class) {
        let mut attributes = Vec::new();
        if let Some(Value::Type(host)) = found.value("NestHost")
            && let Ok(host) = self.dex.type_name(*host)
        {
            let host = self.pool.class(crate::dex::internal_name(host));
            attributes.push(self.indices("NestHost", &[host]));
        }
        for (annotation, name) in [
            ("NestMembers", "NestMembers"),
            ("PermittedSubclasses", "PermittedSubclasses"),
        ] {
            // The JVM refuses final classes that permit subclasses.
            if name == "PermittedSubclasses" && class.access & access::FINAL != 0 {
                continue;
            }
            if let Some(values) = found.values(annotation) {
                let classes = self.types(values);
                attributes.extend(self.classes(name, &classes));
            }
        }
        attributes.extend(self.record(found));
        if !attributes.is_empty() {
            class.major = MODERN;
            class.attributes.append(&mut attributes);
        }
    }

    /// The components of a record.
    fn record(&mut self, found: &Annotations<'a>) -> Option<Attribute> {
        let record = found.system("Record")?;
        let names = array(record.get(b"componentNames"))?;
        let types = array(record.get(b"componentTypes"))?;
        let signatures = array(record.get(b"componentSignatures")).unwrap_or_default();
        let annotations = array(record.get(b"componentAnnotations")).unwrap_or_default();
        let visibilities =
            array(record.get(b"componentAnnotationVisibilities")).unwrap_or_default();
        let count = u16::try_from(names.len())
            .ok()
            .filter(|_| names.len() == types.len())?;
        let mut data = count.to_be_bytes().to_vec();
        for (ix, pair) in names.iter().zip(types).enumerate() {
            let (Value::String(name), Value::Type(kind)) = pair else {
                return None;
            };
            let (name, kind) = (self.dex.name(*name).ok()?, self.dex.type_name(*kind).ok()?);
            self.spend(name.len() + kind.len()).ok()?;
            let (name, kind) = (self.pool.utf8(name), self.pool.utf8(kind));
            let mut attributes = Vec::new();
            if let Some(Value::Annotation(signature)) = signatures.get(ix) {
                let system = vec![signature.clone()];
                attributes.extend(self.signature(&Annotations {
                    system,
                    ..Annotations::default()
                }));
            }
            let each = array(annotations.get(ix)).unwrap_or_default();
            let seen_by = array(visibilities.get(ix)).unwrap_or_default();
            attributes.extend(self.component_annotations(each, seen_by));
            data.extend(name.to_be_bytes());
            data.extend(kind.to_be_bytes());
            data.extend(u16::try_from(attributes.len()).ok()?.to_be_bytes());
            for attribute in attributes {
                data.extend(attribute.name.to_be_bytes());
                data.extend(u32::try_from(attribute.data.len()).ok()?.to_be_bytes());
                data.extend(attribute.data);
            }
        }
        Some(self.attribute("Record", data))
    }

    fn component_annotations(
        &mut self,
        all: &[Value<'a>],
        seen_by: &[Value<'a>],
    ) -> Vec<Attribute> {
        let mut lists = Lists::default();
        for (annotation, visibility) in all.iter().zip(seen_by) {
            let visibility = match visibility {
                Value::Byte(0) => Visibility::Build,
                Value::Byte(1) => Visibility::Runtime,
                _ => continue,
            };
            if let Value::Annotation(annotation) = annotation {
                self.add(&mut lists, visibility, annotation);
            }
        }
        self.list_attributes(&lists)
    }
}
