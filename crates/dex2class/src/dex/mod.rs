//! Reads dex files, versions 035 to 041, where they lie in memory.
//!
//! Dex files are untrusted: each index and offset is checked when it is used, and a wrong one is a [`DexError`]. Nothing
//! is checked that no result depends on, such as checksums and the order of tables.
//!
//! The format: <https://source.android.com/docs/core/runtime/dex-format>.

mod annotations;
mod bytes;
mod class;
mod code;
mod compare;
mod debug;
mod ids;
mod value;

#[cfg(test)]
pub(crate) mod tests;

pub use annotations::{
    AnnotationItem, AnnotationSet, AnnotationSets, AnnotationsDirectory, MemberAnnotations,
    Visibility,
};
pub use class::{ClassData, ClassDef, EncodedField, EncodedFields, EncodedMethod, EncodedMethods};
pub use code::{CodeItem, Handlers, Tries, TryItem, Units};
pub use debug::{DebugEvent, DebugEvents, DebugInfo, DebugLines, ParameterNames};
pub use ids::{FieldId, MethodHandleItem, MethodId, Proto, TypeList, internal_name};
pub use value::{EncodedAnnotation, Value};

use bytes::{Cursor, u32_at};

/// What is wrong with a dex file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DexError(pub &'static str);

impl std::fmt::Display for DexError {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        to.write_str(self.0)
    }
}

impl std::error::Error for DexError {}

/// What reading gives.
pub type Result<T> = std::result::Result<T, DexError>;

/// "None" as an index.
const NO_INDEX: u32 = u32::MAX;
/// The first version whose files may hold several dex files.
const CONTAINERS: u32 = 41;
const HEADER: u32 = 0x70;
/// From version 041 on two more numbers follow: the container's size, and where this header begins.
const LONG_HEADER: u32 = 0x78;

/// Entries of a map, of which there is one for each kind of part, and dex files in a container, at most.
const MOST_MAP: u32 = 1_000;
const MOST_PARTS: usize = 1_000;

const CUT_OFF: DexError = DexError("it is cut off");
const CALL_SITES: u16 = 7;
const METHOD_HANDLES: u16 = 8;

/// A table of entries of one size. Small, since lists hold a copy of [`Dex`].
#[derive(Clone, Copy, Default, Debug)]
struct Table {
    at: u32,
    count: u32,
}

impl Table {
    /// A table that lies in `data` with all of its entries.
    fn new(data: &[u8], count: u32, at: u32, entry: usize) -> Result<Self> {
        if count == 0 {
            return Ok(Self::default());
        }
        let length = usize::try_from(count)
            .ok()
            .and_then(|n| n.checked_mul(entry));
        Cursor::new(data, at).take(length.ok_or(DexError("a table is too long"))?)?;
        Ok(Self { at, count })
    }
}

/// A dex file, or one of several in a container.
#[derive(Clone, Copy, Debug)]
pub struct Dex<'a> {
    /// What offsets count from: the whole container.
    data: &'a [u8],
    version: u32,
    strings: Table,
    types: Table,
    protos: Table,
    fields: Table,
    methods: Table,
    classes: Table,
    call_sites: Table,
    method_handles: Table,
}

impl<'a> Dex<'a> {
    /// All dex files of a file: one up to version 040, one or more in a container of version 041.
    ///
    /// # Errors
    /// If it is no dex file of a known version, or a table of its header lies outside.
    pub fn open_all(bytes: &'a [u8]) -> Result<Vec<Self>> {
        let version = version(bytes)?;
        if version < CONTAINERS {
            let data = whole(bytes, field(bytes, 0, 32)?)?;
            return Ok(vec![Self::open(data, 0, version)?]);
        }
        let size = field(bytes, 0, 112)?;
        let data = whole(bytes, size)?;
        let mut all: Vec<Self> = Vec::new();
        // Tables of different parts do not overlap: all definitions fit into the file.
        let mut room = data.len() / 32;
        let mut at = 0;
        while at < size {
            let part = Cursor::new(data, at).rest();
            let version = self::version(part)?;
            if version < CONTAINERS
                || field(data, at, 36)? < LONG_HEADER
                || field(data, at, 116)? != at
            {
                return Err(DexError("a part of the container has the wrong header"));
            }
            let dex = Self::open(data, at, version)?;
            let classes = usize::try_from(dex.classes.count).unwrap_or(usize::MAX);
            let left = room.checked_sub(classes).filter(|_| all.len() < MOST_PARTS);
            room = left.ok_or(DexError("a container has too many parts"))?;
            all.push(dex);
            let length = field(data, at, 32)?;
            if length < LONG_HEADER {
                return Err(DexError("a part of the container is too short"));
            }
            at = at
                .checked_add(length)
                .ok_or(DexError("a part of the container is too long"))?;
        }
        Ok(all)
    }

    fn open(data: &'a [u8], header: u32, version: u32) -> Result<Self> {
        if field(data, header, 40)? != 0x1234_5678 {
            return Err(DexError("it is not little-endian"));
        }
        if field(data, header, 36)? < HEADER {
            return Err(DexError("its header is too short"));
        }
        let table = |at: u32, entry: usize| {
            Table::new(
                data,
                field(data, header, at)?,
                field(data, header, at + 4)?,
                entry,
            )
        };
        let mut dex = Self {
            data,
            version,
            strings: table(56, 4)?,
            types: table(64, 4)?,
            protos: table(72, 12)?,
            fields: table(80, 8)?,
            methods: table(88, 8)?,
            classes: table(96, 32)?,
            call_sites: Table::default(),
            method_handles: Table::default(),
        };
        if version >= 38 {
            dex.read_map(field(data, header, 52)?)?;
        }
        Ok(dex)
    }

    /// Finds the two tables that the header does not name.
    fn read_map(&mut self, offset: u32) -> Result<()> {
        if offset == 0 {
            return Ok(());
        }
        let mut map = Cursor::new(self.data, offset);
        let count = map.u32()?;
        if count > MOST_MAP {
            return Err(DexError("its map is too long"));
        }
        for _ in 0..count {
            let kind = map.u16()?;
            map.u16()?;
            let (count, at) = (map.u32()?, map.u32()?);
            match kind {
                CALL_SITES => self.call_sites = Table::new(self.data, count, at, 4)?,
                METHOD_HANDLES => self.method_handles = Table::new(self.data, count, at, 8)?,
                _ => {}
            }
        }
        Ok(())
    }

    /// The version of the format: 35 to 41.
    pub fn version(&self) -> u32 {
        self.version
    }

    /// Its bytes, with those of the other parts of its container, if there are any.
    pub fn bytes(&self) -> &'a [u8] {
        self.data
    }

    /// How many bytes it has; with the other parts of its container, if there are any.
    pub fn size(&self) -> usize {
        self.data.len()
    }

    /// One entry of a table.
    fn entry<const SIZE: usize>(&self, table: Table, ix: u32) -> Option<&'a [u8; SIZE]> {
        if ix >= table.count {
            return None;
        }
        let at = usize::try_from(ix).ok()?.checked_mul(SIZE)?;
        let at = at.checked_add(usize::try_from(table.at).ok()?)?;
        self.data.get(at..)?.first_chunk()
    }

    fn cursor(&self, offset: u32) -> Cursor<'a> {
        Cursor::new(self.data, offset)
    }
}

fn version(bytes: &[u8]) -> Result<u32> {
    match bytes.get(..8) {
        Some(
            &[
                b'd',
                b'e',
                b'x',
                b'\n',
                b'0',
                tens @ b'3'..=b'4',
                ones @ b'0'..=b'9',
                0,
            ],
        ) => {
            let version = u32::from(tens - b'0') * 10 + u32::from(ones - b'0');
            let known = (35..=CONTAINERS).contains(&version);
            known
                .then_some(version)
                .ok_or(DexError("a version of the format that is not known"))
        }
        _ => Err(DexError("it is not a dex file")),
    }
}

/// A number of the header.
fn field(data: &[u8], header: u32, at: u32) -> Result<u32> {
    let at = header
        .checked_add(at)
        .and_then(|at| usize::try_from(at).ok());
    at.and_then(|at| u32_at(data, at))
        .ok_or(DexError("its header is cut off"))
}

/// As many bytes as a header says that the file has.
fn whole(bytes: &[u8], size: u32) -> Result<&[u8]> {
    let size = usize::try_from(size).map_err(|_| CUT_OFF)?;
    bytes.get(..size).ok_or(CUT_OFF)
}
