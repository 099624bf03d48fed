//! Android's binary XML, read into a flat list of elements: depth first, without recursion.

use super::bytes::{Bytes, Chunk};
use super::strings::{STRING_POOL, StringPool};
use std::borrow::Cow;
use std::sync::Arc;

const RESOURCE_MAP: u16 = 0x0180;
const START_ELEMENT: u16 = 0x0102;
const END_ELEMENT: u16 = 0x0103;
/// Size of one attribute in the file; a smaller step would let attributes overlap without end.
const ATTRIBUTE: usize = 20;

/// An attribute's value.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Value {
    Text(Arc<str>),
    /// A resource by its id.
    Reference(u32),
    Number(u32),
    Bool(bool),
    Float(f32),
    Other,
}

#[derive(Clone, Debug)]
pub(super) struct Attribute {
    /// The framework's resource id of the name, 0 if it has none (`package`).
    pub id: u32,
    pub name: Arc<str>,
    pub value: Value,
}

#[derive(Clone, Debug)]
pub(super) struct Element {
    pub name: Arc<str>,
    /// 0 for the root.
    pub depth: usize,
    pub attributes: Vec<Attribute>,
}

impl Element {
    /// The attribute of the framework's id, or of the name where tools dropped the ids.
    pub fn attribute(&self, id: u32, name: &str) -> Option<&Value> {
        self.attributes
            .iter()
            .find(|a| a.id == id && id != 0)
            .or_else(|| {
                self.attributes
                    .iter()
                    .find(|a| a.id == 0 && &*a.name == name)
            })
            .map(|a| &a.value)
    }
}

/// Reads a document. The text of an error says what is wrong with it.
pub(super) fn read(bytes: &[u8]) -> Result<Vec<Element>, Cow<'static, str>> {
    let root = Chunk::read(Bytes(bytes), 0).ok_or("it has no binary XML header")?;
    // Android does not look at the type of the first chunk, but refuses one that is larger than the file.
    if bytes.trim_ascii_start().starts_with(b"<") {
        return Err("it is XML as text, not as aapt compiles it".into());
    }
    let size = Bytes(bytes).size(4).unwrap_or(usize::MAX);
    if size > bytes.len() {
        return Err(format!(
            "its header gives a size of {size} bytes, but it has {}, so Android does not install it",
            bytes.len()
        )
        .into());
    }
    let mut pool = None;
    let mut ids = Bytes(&[]);
    let mut depth = 0_usize;
    let mut elements = Vec::new();
    for chunk in root.children() {
        match chunk.kind {
            STRING_POOL if pool.is_none() => pool = StringPool::read(chunk),
            RESOURCE_MAP => ids = chunk.bytes.from(chunk.header).unwrap_or(ids),
            START_ELEMENT => {
                let pool = pool.as_ref().ok_or("it has no strings")?;
                let element = element(chunk, pool, ids, depth).ok_or("an element is broken")?;
                elements.push(element);
                depth += 1;
            }
            END_ELEMENT => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    if elements.is_empty() {
        return Err("it holds no element".into());
    }
    Ok(elements)
}

fn element(
    chunk: Chunk<'_>,
    pool: &StringPool<'_>,
    ids: Bytes<'_>,
    depth: usize,
) -> Option<Element> {
    let bytes = chunk.bytes.from(chunk.header)?;
    let name = pool.get(bytes.u32(4)?)?;
    let first = usize::from(bytes.u16(8)?);
    let step = usize::from(bytes.u16(10)?);
    let count = usize::from(bytes.u16(12)?);
    if count > 0 && step < ATTRIBUTE {
        return None;
    }
    let mut attributes = Vec::new();
    for ix in 0..count {
        let at = bytes.part(first + ix * step, ATTRIBUTE)?;
        let name = at.u32(4)?;
        let id = usize::try_from(name)
            .ok()?
            .checked_mul(4)
            .and_then(|at| ids.u32(at));
        attributes.push(Attribute {
            id: id.unwrap_or(0),
            // Some tools drop the names and leave only the ids.
            name: pool.get(name).unwrap_or_default(),
            value: value(at, pool)?,
        });
    }
    Some(Element {
        name,
        depth,
        attributes,
    })
}

fn value(at: Bytes<'_>, pool: &StringPool<'_>) -> Option<Value> {
    let (raw, kind, data) = (at.u32(8)?, at.u8(15)?, at.u32(16)?);
    Some(match kind {
        0x01 | 0x07 => Value::Reference(data),
        0x03 => pool.get(data).map_or(Value::Other, Value::Text),
        0x04 => Value::Float(f32::from_bits(data)),
        0x10 | 0x11 => Value::Number(data),
        0x12 => Value::Bool(data != 0),
        _ => pool.get(raw).map_or(Value::Other, Value::Text),
    })
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::strings::tests::pool;
    use super::*;
    use proptest::prelude::*;

    fn chunk(kind: u16, body: &[u8]) -> Vec<u8> {
        let mut out = kind.to_le_bytes().to_vec();
        out.extend(16_u16.to_le_bytes());
        out.extend(u32::try_from(16 + body.len()).unwrap().to_le_bytes());
        out.extend([0; 8]);
        out.extend(body);
        out
    }

    /// Text XML as a binary document: enough of a compiler for tests.
    pub fn compile(text: &str) -> Vec<u8> {
        let tree = roxmltree::Document::parse(text).unwrap();
        let mut strings: Vec<String> = Vec::new();
        let mut number = |s: &str| {
            let at = strings
                .iter()
                .position(|known| known == s)
                .unwrap_or_else(|| {
                    strings.push(s.to_owned());
                    strings.len() - 1
                });
            u32::try_from(at).unwrap()
        };
        let mut body = Vec::new();
        fn write(
            node: roxmltree::Node<'_, '_>,
            body: &mut Vec<u8>,
            number: &mut dyn FnMut(&str) -> u32,
        ) {
            let name = number(node.tag_name().name());
            let mut start = Vec::new();
            start.extend(u32::MAX.to_le_bytes());
            start.extend(name.to_le_bytes());
            for n in [20, 20, node.attributes().count(), 0, 0, 0] {
                start.extend(u16::try_from(n).unwrap().to_le_bytes());
            }
            for attribute in node.attributes() {
                let (kind, data) = match attribute.value() {
                    "true" => (0x12_u8, u32::MAX),
                    "false" => (0x12, 0),
                    v if v.starts_with("@0x") => (0x01, u32::from_str_radix(&v[3..], 16).unwrap()),
                    v => match v.parse() {
                        Ok(n) => (0x10, n),
                        Err(_) => (0x03, number(v)),
                    },
                };
                for n in [u32::MAX, number(attribute.name()), u32::MAX] {
                    start.extend(n.to_le_bytes());
                }
                start.extend([8, 0, 0, kind]);
                start.extend(data.to_le_bytes());
            }
            body.extend(chunk(START_ELEMENT, &start));
            for child in node.children().filter(roxmltree::Node::is_element) {
                write(child, body, number);
            }
            let mut end = u32::MAX.to_le_bytes().to_vec();
            end.extend(name.to_le_bytes());
            body.extend(chunk(END_ELEMENT, &end));
        }
        write(tree.root_element(), &mut body, &mut number);
        let names: Vec<&str> = strings.iter().map(String::as_str).collect();
        let pool = pool(&names);
        let mut out = vec![3, 0, 8, 0];
        out.extend(
            u32::try_from(8 + pool.len() + body.len())
                .unwrap()
                .to_le_bytes(),
        );
        out.extend(pool);
        out.extend(body);
        out
    }

    #[test]
    fn elements_come_in_order_with_their_depth() {
        let bytes = compile(
            r#"<manifest package="a.b"><application><activity name=".C"/></application><x/></manifest>"#,
        );
        let elements = read(&bytes).unwrap();
        let shape: Vec<_> = elements.iter().map(|e| (&*e.name, e.depth)).collect();
        assert_eq!(
            shape,
            [
                ("manifest", 0),
                ("application", 1),
                ("activity", 2),
                ("x", 1)
            ]
        );
        assert_eq!(
            elements[0].attribute(0, "package"),
            Some(&Value::Text("a.b".into()))
        );
    }

    #[test]
    fn attributes_that_overlap_are_refused() {
        let mut bytes = compile(r#"<a b="c"/>"#);
        let step = bytes.windows(4).position(|w| w == [20, 0, 20, 0]).unwrap() + 2;
        bytes[step] = 0;
        assert_eq!(read(&bytes).unwrap_err(), "an element is broken");
    }

    #[test]
    fn a_manifest_as_text_is_told_apart() {
        assert_eq!(
            read(b"<manifest package='x'/>").unwrap_err(),
            "it is XML as text, not as aapt compiles it"
        );
        assert_eq!(read(b"\0\0").unwrap_err(), "it has no binary XML header");
    }

    #[test]
    fn the_type_of_the_root_does_not_count_and_its_size_does() {
        let bytes = compile(r#"<manifest package="org.mill"><application/></manifest>"#);
        for kind in [0_u16, 2, 0x0102, 0xffff] {
            let mut other = bytes.clone();
            other[..2].copy_from_slice(&kind.to_le_bytes());
            assert_eq!(read(&other).unwrap().len(), 2, "{kind}");
        }
        let size = u32::try_from(bytes.len()).unwrap();
        for more in [1, 4096, u32::MAX - size] {
            let mut other = bytes.clone();
            other[4..8].copy_from_slice(&(size + more).to_le_bytes());
            assert!(read(&other).unwrap_err().contains("size"), "{more}");
        }
        let mut longer = bytes;
        longer.extend([0; 16]);
        assert_eq!(read(&longer).unwrap().len(), 2);
    }

    proptest! {
        #[test]
        fn damaged_documents_never_panic(at in 0usize..400, to: u8, cut in 0usize..400) {
            let mut bytes = compile(r#"<manifest package="a.b"><application label="x"><activity name=".C" exported="true"/></application></manifest>"#);
            let end = bytes.len();
            bytes[at % end] = to;
            bytes.truncate(end - cut.min(end));
            let _ = read(&bytes);
        }

        #[test]
        fn garbage_never_panics(mut bytes: Vec<u8>) {
            let _ = read(&bytes);
            if bytes.len() > 4 {
                bytes[..4].copy_from_slice(&[3, 0, 8, 0]);
                let _ = read(&bytes);
            }
        }
    }
}
