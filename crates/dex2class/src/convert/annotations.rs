//! Annotations: those of the app as attributes, those of the system for the rest of the conversion.

use super::Converter;
use crate::class::{Attribute, Entry, Idx};
use crate::dex::{EncodedAnnotation, Value, Visibility};

/// What an annotation that cannot be read costs: it may have had as many values before the damage.
const DAMAGED: usize = 1 << 18;

/// The annotations of a class or member.
#[derive(Default)]
pub(super) struct Annotations<'a> {
    /// Those that hold what class files keep in attributes.
    pub system: Vec<EncodedAnnotation<'a>>,
    /// The others.
    pub attributes: Vec<Attribute>,
}

impl<'a> Annotations<'a> {
    /// An annotation of the system, by the last part of its name.
    pub fn system(&self, name: &str) -> Option<&EncodedAnnotation<'a>> {
        self.system.iter().find(|each| {
            let rest = each.kind.strip_prefix(b"Ldalvik/annotation/");
            rest.and_then(|rest| rest.strip_suffix(b";")) == Some(name.as_bytes())
        })
    }

    /// The value of an annotation of the system.
    pub fn value(&self, name: &str) -> Option<&Value<'a>> {
        self.system(name)?.get(b"value")
    }

    /// The same for one whose value is an array.
    pub fn values(&self, name: &str) -> Option<&[Value<'a>]> {
        array(self.value(name))
    }
}

/// The values of an array.
pub(super) fn array<'v, 'a>(value: Option<&'v Value<'a>>) -> Option<&'v [Value<'a>]> {
    match value {
        Some(Value::Array(all)) => Some(all),
        _ => None,
    }
}

/// Annotations of one visibility, as they are written.
#[derive(Default)]
pub(super) struct List {
    count: u16,
    data: Vec<u8>,
}

impl List {
    fn write(&self, out: &mut Vec<u8>) {
        out.extend(self.count.to_be_bytes());
        out.extend_from_slice(&self.data);
    }
}

/// Annotations that the app sees, and those that only tools see.
#[derive(Default)]
pub(super) struct Lists {
    visible: List,
    invisible: List,
}

impl<'a> Converter<'a, '_> {
    /// The annotations of a class or member, by their offset. What is damaged is left out.
    pub(super) fn annotations(&mut self, off: Option<u32>) -> Annotations<'a> {
        let mut found = Annotations::default();
        let off = off.unwrap_or(0);
        if off != 0 {
            let lists = self.lists(off, &mut found.system);
            found.attributes = self.list_attributes(&lists);
        }
        found
    }

    /// The attributes of annotations.
    pub(super) fn list_attributes(&mut self, lists: &Lists) -> Vec<Attribute> {
        let mut attributes = Vec::new();
        let names = ["RuntimeVisibleAnnotations", "RuntimeInvisibleAnnotations"];
        for (name, list) in names.into_iter().zip([&lists.visible, &lists.invisible]) {
            if list.count > 0 {
                let mut data = Vec::with_capacity(2 + list.data.len());
                list.write(&mut data);
                attributes.push(self.attribute(name, data));
            }
        }
        attributes
    }

    /// The annotations of the parameters of a method, which has `count` of them.
    pub(super) fn parameter_annotations(
        &mut self,
        off: Option<u32>,
        count: usize,
    ) -> Vec<Attribute> {
        let sets = off.and_then(|off| self.dex.parameter_annotations(off).ok());
        let sets = sets.into_iter().flatten().take(count.min(255));
        let all: Vec<Lists> = sets.map(|off| self.lists(off, &mut Vec::new())).collect();
        let visible: Vec<&List> = all.iter().map(|each| &each.visible).collect();
        let invisible: Vec<&List> = all.iter().map(|each| &each.invisible).collect();
        let names = [
            "RuntimeVisibleParameterAnnotations",
            "RuntimeInvisibleParameterAnnotations",
        ];
        let mut attributes = Vec::new();
        for (name, lists) in names.into_iter().zip([visible, invisible]) {
            if lists.iter().any(|list| list.count > 0) {
                let mut data = vec![u8::try_from(lists.len()).unwrap_or(u8::MAX)];
                lists.iter().for_each(|list| list.write(&mut data));
                attributes.push(self.attribute(name, data));
            }
        }
        attributes
    }

    /// The annotations at an offset; those of the system go into a list of their own.
    fn lists(&mut self, off: u32, system: &mut Vec<EncodedAnnotation<'a>>) -> Lists {
        let mut lists = Lists::default();
        for item in self.dex.annotation_set(off).into_iter().flatten() {
            let cost = item.as_ref().map_or(DAMAGED, |item| item.size);
            if self.spend(cost).is_err() {
                break;
            }
            match item {
                Ok(item) if item.visibility == Visibility::System => system.push(item.annotation),
                Ok(item) => self.add(&mut lists, item.visibility, &item.annotation),
                Err(_) => {}
            }
        }
        lists
    }

    /// Writes an annotation to the list of its visibility.
    pub(super) fn add(
        &mut self,
        lists: &mut Lists,
        visibility: Visibility,
        annotation: &EncodedAnnotation<'a>,
    ) {
        let list = match visibility {
            Visibility::Runtime => &mut lists.visible,
            _ => &mut lists.invisible,
        };
        let before = list.data.len();
        match (
            list.count.checked_add(1),
            self.annotation(annotation, &mut list.data),
        ) {
            (Some(count), Some(())) => list.count = count,
            _ => list.data.truncate(before),
        }
    }

    /// Writes an annotation, without the elements that a class file cannot hold.
    fn annotation(&mut self, annotation: &EncodedAnnotation<'a>, out: &mut Vec<u8>) -> Option<()> {
        self.spend(annotation.kind.len()).ok()?;
        out.extend(self.pool.utf8(annotation.kind).to_be_bytes());
        let count_at = out.len();
        out.extend([0, 0]);
        let mut count = 0_u16;
        for (name, value) in &annotation.elements {
            let before = out.len();
            out.extend(self.pool.utf8(name).to_be_bytes());
            match (self.spend(name.len()), self.element(value, out)) {
                (Ok(()), Some(())) => count = count.checked_add(1)?,
                _ => out.truncate(before),
            }
        }
        out[count_at..count_at + 2].copy_from_slice(&count.to_be_bytes());
        Some(())
    }

    /// Writes the value of an element; none if a class file has no such value.
    pub(super) fn element(&mut self, value: &Value<'a>, out: &mut Vec<u8>) -> Option<()> {
        let (tag, constant) = match value {
            Value::Byte(value) => (b'B', self.int(i32::from(*value))),
            Value::Short(value) => (b'S', self.int(i32::from(*value))),
            Value::Char(value) => (b'C', self.int(i32::from(*value))),
            Value::Boolean(value) => (b'Z', self.int(i32::from(*value))),
            Value::Int(value) => (b'I', self.int(*value)),
            Value::Long(value) => (b'J', self.constant(Entry::Long(*value))),
            Value::Float(value) => (b'F', self.constant(Entry::Float(value.to_bits()))),
            Value::Double(value) => (b'D', self.constant(Entry::Double(value.to_bits()))),
            Value::String(ix) => {
                let text = self.dex.name(*ix).ok()?;
                self.spend(text.len()).ok()?;
                (b's', self.pool.utf8(text))
            }
            Value::Type(ix) => {
                let name = self.dex.type_name(*ix).ok()?;
                self.spend(name.len()).ok()?;
                (b'c', self.pool.utf8(name))
            }
            Value::Enum(ix) | Value::Field(ix) => return self.enum_constant(*ix, out),
            Value::Array(values) => {
                out.push(b'[');
                out.extend(u16::try_from(values.len()).ok()?.to_be_bytes());
                return values.iter().try_for_each(|value| self.element(value, out));
            }
            Value::Annotation(annotation) => {
                out.push(b'@');
                return self.annotation(annotation, out);
            }
            Value::MethodType(_) | Value::MethodHandle(_) | Value::Method(_) | Value::Null => {
                return None;
            }
        };
        out.push(tag);
        out.extend(constant.to_be_bytes());
        Some(())
    }

    /// A dex file names the field, the JVM looks the constant up by its name.
    fn enum_constant(&mut self, ix: u32, out: &mut Vec<u8>) -> Option<()> {
        let field = self.dex.field(ix).ok()?;
        self.spend(field.name.len() + field.kind.len()).ok()?;
        let given = (self.enum_names)(field.owner, field.name);
        let kind = self.pool.utf8(field.kind);
        let name = self.pool.utf8(given.as_deref().unwrap_or(field.name));
        out.push(b'e');
        out.extend(kind.to_be_bytes());
        out.extend(name.to_be_bytes());
        Some(())
    }

    fn int(&mut self, value: i32) -> Idx {
        self.constant(Entry::Int(value))
    }
}
