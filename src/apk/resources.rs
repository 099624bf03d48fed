//! The resource table, as far as a manifest refers to it: texts, numbers and flags by id.

use super::axml::Value;
use super::bytes::{Bytes, Chunk};
use super::strings::{STRING_POOL, StringPool};
use std::cell::Cell;

const PACKAGE: u16 = 0x0200;
const TYPE: u16 = 0x0201;
const SPARSE: u8 = 0x01;
const OFFSET16: u8 = 0x02;
const COMPLEX: u16 = 0x0001;
const COMPACT: u16 = 0x0008;
/// The API level whose variants of a resource (`values-v26`) are taken: the default of devices.
const API_LEVEL: u16 = 34;
/// Longest chain of references followed; a table may go in circles.
const CHAIN: usize = 16;
/// Variants looked at for one manifest; a table may hold very many of one resource.
const BUDGET: u32 = 2_000_000;

/// The entries of one type under one configuration.
struct Variant<'a> {
    package: u8,
    kind: u8,
    /// The lower the better it fits an English phone of [`API_LEVEL`]; `None`: it fits only by default of others.
    fit: u32,
    chunk: Chunk<'a>,
}

/// A resource table.
pub(super) struct Resources<'a> {
    strings: Option<StringPool<'a>>,
    variants: Vec<Variant<'a>>,
    names: Vec<Names<'a>>,
    budget: Cell<u32>,
}

/// The names of a package's types and entries.
struct Names<'a> {
    package: u8,
    types: StringPool<'a>,
    entries: StringPool<'a>,
}

impl<'a> Resources<'a> {
    /// Reads the outline. What makes no sense is left out: a manifest can be read without its texts.
    pub fn read(bytes: &'a [u8]) -> Self {
        let mut table = Self {
            strings: None,
            variants: Vec::new(),
            names: Vec::new(),
            budget: Cell::new(BUDGET),
        };
        let Some(root) = Chunk::read(Bytes(bytes), 0) else {
            return table;
        };
        for chunk in root.children() {
            match chunk.kind {
                STRING_POOL if table.strings.is_none() => table.strings = StringPool::read(chunk),
                PACKAGE => table.read_package(chunk),
                _ => {}
            }
        }
        // A stable sort: variants that fit equally well stay in the file's order.
        table.variants.sort_by_key(|v| (v.package, v.kind, v.fit));
        table
    }

    fn read_package(&mut self, package: Chunk<'a>) {
        let Some(id) = package.bytes.u8(8) else {
            return;
        };
        // The first pool has the names of types, the second those of entries.
        let mut pools = package.children().filter(|c| c.kind == STRING_POOL);
        let mut pool = || pools.next().and_then(StringPool::read);
        if let (Some(types), Some(entries)) = (pool(), pool()) {
            self.names.push(Names {
                package: id,
                types,
                entries,
            });
        }
        for chunk in package.children().filter(|c| c.kind == TYPE) {
            let config = chunk
                .bytes
                .size(20)
                .and_then(|size| chunk.bytes.part(20, size));
            if let (Some(kind), Some(config)) = (chunk.bytes.u8(8), config) {
                self.variants.push(Variant {
                    package: id,
                    kind,
                    fit: fit(config),
                    chunk,
                });
            }
        }
    }

    /// The value of a resource, references followed; `None` for other packages' (the framework's) and for
    /// compound ones.
    pub fn get(&self, id: u32) -> Option<Value> {
        let mut id = id;
        for _ in 0..CHAIN {
            match self.find(id)? {
                Value::Reference(next) => id = next,
                value => return Some(value),
            }
        }
        None
    }

    /// The name of a resource with its type, `string/app_name`; `None` for other packages' and for unknown ids.
    pub fn name(&self, id: u32) -> Option<String> {
        let [package, kind, ..] = id.to_be_bytes();
        let names = self.names.iter().find(|names| names.package == package)?;
        let key = self.first(id, |chunk, number| {
            let entry = self.entry(chunk, number)?;
            match entry.u16(2)? & COMPACT {
                0 => entry.u32(4),
                _ => entry.u16(0).map(u32::from),
            }
        })?;
        let kind = names.types.get(u32::from(kind).checked_sub(1)?)?;
        Some(format!("{kind}/{}", names.entries.get(key)?))
    }

    fn find(&self, id: u32) -> Option<Value> {
        self.first(id, |chunk, number| self.entry_value(chunk, number))
    }

    /// What the best variant that has this entry gives.
    fn first<T>(&self, id: u32, of: impl Fn(Chunk<'a>, usize) -> Option<T>) -> Option<T> {
        let [package, kind, ..] = id.to_be_bytes();
        let entry = usize::try_from(id & 0xffff).ok()?;
        let from = self
            .variants
            .partition_point(|v| (v.package, v.kind) < (package, kind));
        for variant in &self.variants[from..] {
            if (variant.package, variant.kind) != (package, kind) {
                break;
            }
            self.spend(1)?;
            if let Some(value) = of(variant.chunk, entry) {
                return Some(value);
            }
        }
        None
    }

    fn spend(&self, steps: usize) -> Option<()> {
        let steps = u32::try_from(steps).ok()?;
        self.budget.set(self.budget.get().checked_sub(steps)?);
        Some(())
    }

    fn entry(&self, chunk: Chunk<'a>, number: usize) -> Option<Bytes<'a>> {
        let bytes = chunk.bytes;
        let (flags, count) = (bytes.u8(9)?, bytes.size(12)?);
        let index = bytes.from(chunk.header)?;
        let offset = if flags & SPARSE != 0 {
            // At most 65,536 entries, as the number has 16 bits; gone through one by one, so paid for.
            let count = count.min(1 << 16);
            self.spend(count / 16)?;
            (0..count)
                .map_while(|ix| Some((index.u16(4 * ix)?, index.u16(4 * ix + 2)?)))
                .find(|&(id, _)| usize::from(id) == number)
                .map(|(_, offset)| usize::from(offset) * 4)?
        } else if number >= count {
            return None;
        } else if flags & OFFSET16 != 0 {
            match index.u16(2 * number)? {
                u16::MAX => return None,
                offset => usize::from(offset) * 4,
            }
        } else {
            match index.u32(4 * number)? {
                u32::MAX => return None,
                offset => usize::try_from(offset).ok()?,
            }
        };
        bytes.from(bytes.size(16)?.checked_add(offset)?)
    }

    fn entry_value(&self, chunk: Chunk<'a>, number: usize) -> Option<Value> {
        let entry = self.entry(chunk, number)?;
        let flags = entry.u16(2)?;
        if flags & COMPACT != 0 {
            let [kind, _] = flags.to_be_bytes();
            return Some(self.value(kind, entry.u32(4)?));
        }
        if flags & COMPLEX != 0 {
            return None;
        }
        let value = entry.from(usize::from(entry.u16(0)?))?;
        Some(self.value(value.u8(3)?, value.u32(4)?))
    }

    fn value(&self, kind: u8, data: u32) -> Value {
        match kind {
            0x01 | 0x07 => Value::Reference(data),
            0x03 => self
                .strings
                .as_ref()
                .and_then(|s| s.get(data))
                .map_or(Value::Other, Value::Text),
            0x04 => Value::Float(f32::from_bits(data)),
            0x10 | 0x11 => Value::Number(data),
            0x12 => Value::Bool(data != 0),
            _ => Value::Other,
        }
    }
}

/// How badly a configuration fits: the newest level not above ours without other qualifiers first, then English,
/// then whatever else there is.
fn fit(config: Bytes<'_>) -> u32 {
    let level = config.u16(24).unwrap_or(0);
    let zero = |from: usize, to: usize| {
        let to = to.min(config.len());
        config
            .0
            .get(from.min(to)..to)
            .is_none_or(|b| b.iter().all(|&b| b == 0))
    };
    let plain = zero(4, 8) && zero(10, 24) && zero(28, config.len());
    let language = config.0.get(8..10).unwrap_or(&[0, 0]);
    if !plain || level > API_LEVEL {
        3_000
    } else if language == [0, 0] {
        u32::from(API_LEVEL - level)
    } else if language == b"en" {
        1_000 + u32::from(API_LEVEL - level)
    } else {
        2_000
    }
}

#[cfg(test)]
mod tests {
    use super::super::strings::tests::pool;
    use super::*;
    use proptest::prelude::*;

    fn number(out: &mut Vec<u8>, n: usize) {
        out.extend(u32::try_from(n).unwrap().to_le_bytes());
    }

    /// A type chunk with one entry.
    fn variant(language: &[u8; 2], level: u16, kind: u8, data: u32) -> Vec<u8> {
        let mut config = vec![28, 0, 0, 0];
        config.resize(28, 0);
        config[8..10].copy_from_slice(language);
        config[24..26].copy_from_slice(&level.to_le_bytes());
        let mut out = vec![1, 2, 48, 0];
        number(&mut out, 48 + 4 + 16);
        out.extend([1, 0, 0, 0]);
        number(&mut out, 1);
        number(&mut out, 52);
        out.extend(config);
        number(&mut out, 0);
        out.extend([8, 0, 0, 0, 0, 0, 0, 0]);
        out.extend([8, 0, 0, kind]);
        out.extend(data.to_le_bytes());
        out
    }

    fn table(strings: &[&str], variants: &[Vec<u8>]) -> Vec<u8> {
        let types: Vec<u8> = variants.concat();
        let mut package = vec![0, 2, 0x1c, 1];
        number(&mut package, 284 + types.len());
        number(&mut package, 0x7f);
        package.resize(284, 0);
        package.extend(types);
        let pool = pool(strings);
        let mut out = vec![2, 0, 12, 0];
        number(&mut out, 12 + pool.len() + package.len());
        number(&mut out, 1);
        out.extend(pool);
        out.extend(package);
        out
    }

    const ID: u32 = 0x7f01_0000;

    #[test]
    fn the_default_language_wins_over_others() {
        let bytes = table(
            &["Hallo", "Hello"],
            &[variant(b"de", 0, 3, 0), variant(b"\0\0", 0, 3, 1)],
        );
        assert_eq!(
            Resources::read(&bytes).get(ID),
            Some(Value::Text("Hello".into()))
        );
    }

    #[test]
    fn the_newest_level_that_exists_on_the_device_wins() {
        let levels = [0, 21, 99].map(|level| variant(b"\0\0", level, 0x10, level.into()));
        let bytes = table(&[], &levels);
        assert_eq!(Resources::read(&bytes).get(ID), Some(Value::Number(21)));
    }

    #[test]
    fn references_in_a_circle_end() {
        let bytes = table(&[], &[variant(b"\0\0", 0, 1, ID)]);
        assert_eq!(Resources::read(&bytes).get(ID), None);
        assert_eq!(Resources::read(&bytes).get(0x0104_0000), None);
    }

    proptest! {
        #[test]
        fn damaged_tables_never_panic(at in 0usize..600, to: u8, cut in 0usize..600) {
            let mut bytes = table(&["a"], &[variant(b"de", 0, 3, 0), variant(b"\0\0", 0, 1, ID)]);
            let end = bytes.len();
            bytes[at % end] = to;
            bytes.truncate(end - cut.min(end));
            let _ = Resources::read(&bytes).get(ID);
        }
    }
}
