//! Reads class files.

use super::disassemble::Disassembler;
use super::pool::{Entry, Pool};
use super::{Attribute, Bootstrap, Class, Field, Method};
use std::fmt;

/// Why bytes cannot be read as a class.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReadError {
    /// They end too early.
    Truncated,
    /// Something in them is not as the format demands.
    Malformed(&'static str),
    /// Something that [`Class`] cannot hold: subroutines (`jsr` and `ret`), which compilers made until Java 5.
    Unsupported(&'static str),
    /// Their content would need far more memory than that of any real class.
    TooLarge,
}

impl fmt::Display for ReadError {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Truncated => write!(to, "the class file ends too early"),
            Self::Malformed(what) => write!(to, "the class file is malformed: {what}"),
            Self::Unsupported(what) => write!(to, "the class file has {what}"),
            Self::TooLarge => write!(to, "the class file's stack map frames are too large"),
        }
    }
}

impl std::error::Error for ReadError {}

/// Reads a class. Its pool keeps the numbers of the file, so that attributes stay as they are; `Code` and
/// `BootstrapMethods` are taken apart. Of the attributes of code only the stack map frames, lines and local variables are
/// kept.
pub fn read(bytes: &[u8]) -> Result<Class, ReadError> {
    let mut from = Bytes(bytes);
    if from.u4()? != 0xcafe_babe {
        return Err(ReadError::Malformed("it begins with other bytes"));
    }
    let (_minor, major) = (from.u2()?, from.u2()?);
    let mut pool = read_pool(&mut from)?;
    let (access, this, parent) = (from.u2()?, from.u2()?, from.u2()?);
    if !matches!(pool.get(this), Entry::Class(_)) {
        return Err(ReadError::Malformed("its own name is no class"));
    }
    let interfaces = from.u2_list()?;
    let mut fields = Vec::new();
    for _ in 0..from.u2()? {
        fields.push(Field {
            access: from.u2()?,
            name: from.u2()?,
            descriptor: from.u2()?,
            attributes: read_attributes(&mut from)?,
        });
    }
    let mut disassembler = Disassembler::new(this, parent == 0);
    let mut methods = Vec::new();
    for _ in 0..from.u2()? {
        let mut method = Method {
            access: from.u2()?,
            name: from.u2()?,
            descriptor: from.u2()?,
            code: None,
            attributes: Vec::new(),
        };
        for _ in 0..from.u2()? {
            let (name, data) = read_attribute(&mut from)?;
            if pool.text(name) != b"Code" {
                let data = data.to_vec();
                method.attributes.push(Attribute { name, data });
            } else if method.code.is_none() {
                method.code = Some(disassembler.read(&method, &mut pool, data)?);
            } else {
                return Err(ReadError::Malformed("a method has two bodies"));
            }
        }
        methods.push(method);
    }
    let mut attributes = read_attributes(&mut from)?;
    let mut bootstraps = Vec::new();
    let mut read = Ok(());
    attributes.retain(|each| {
        let other = pool.text(each.name) != b"BootstrapMethods";
        if !other && read.is_ok() {
            read = read_bootstraps(&each.data, &mut bootstraps);
        }
        other
    });
    read?;
    if !from.0.is_empty() {
        return Err(ReadError::Malformed("bytes follow its end"));
    }
    Ok(Class {
        pool,
        major,
        access,
        this,
        parent,
        interfaces,
        fields,
        methods,
        attributes,
        bootstraps,
    })
}

pub(super) fn read_pool(from: &mut Bytes<'_>) -> Result<Pool, ReadError> {
    let count = usize::from(from.u2()?);
    let mut pool = Pool::default();
    while pool.count() < count {
        let entry = match from.u1()? {
            1 => {
                let length = usize::from(from.u2()?);
                pool.append_utf8(from.take(length)?);
                continue;
            }
            3 => Entry::Int(from.u4()? as i32),
            4 => Entry::Float(from.u4()?),
            5 => Entry::Long(from.u8()? as i64),
            6 => Entry::Double(from.u8()?),
            7 => Entry::Class(from.u2()?),
            8 => Entry::String(from.u2()?),
            9 => Entry::Field(from.u2()?, from.u2()?),
            10 => Entry::Method(from.u2()?, from.u2()?, false),
            11 => Entry::Method(from.u2()?, from.u2()?, true),
            12 => Entry::NameAndType(from.u2()?, from.u2()?),
            15 => Entry::MethodHandle(from.u1()?, from.u2()?),
            16 => Entry::MethodType(from.u2()?),
            17 => Entry::DynamicConst(from.u2()?, from.u2()?),
            18 => Entry::Dynamic(from.u2()?, from.u2()?),
            19 => Entry::Module(from.u2()?),
            20 => Entry::Package(from.u2()?),
            _ => return Err(ReadError::Malformed("a constant of unknown kind")),
        };
        if !pool.append(entry) {
            break;
        }
    }
    if pool.count() != count.max(1) {
        return Err(ReadError::Malformed(
            "its constants are not as many as it says",
        ));
    }
    Ok(pool)
}

fn read_attributes(from: &mut Bytes<'_>) -> Result<Vec<Attribute>, ReadError> {
    let mut all = Vec::new();
    for _ in 0..from.u2()? {
        let (name, data) = read_attribute(from)?;
        let data = data.to_vec();
        all.push(Attribute { name, data });
    }
    Ok(all)
}

/// Name and content of an attribute.
pub(super) fn read_attribute<'a>(from: &mut Bytes<'a>) -> Result<(u16, &'a [u8]), ReadError> {
    let name = from.u2()?;
    let length = from.u4()?;
    let length = usize::try_from(length).map_err(|_| ReadError::Truncated)?;
    Ok((name, from.take(length)?))
}

fn read_bootstraps(data: &[u8], to: &mut Vec<Bootstrap>) -> Result<(), ReadError> {
    let mut from = Bytes(data);
    for _ in 0..from.u2()? {
        to.push(Bootstrap {
            method: from.u2()?,
            arguments: from.u2_list()?,
        });
    }
    Ok(())
}

/// What is left to read.
#[derive(Clone, Copy)]
pub(super) struct Bytes<'a>(pub(super) &'a [u8]);

impl<'a> Bytes<'a> {
    pub(super) fn take(&mut self, count: usize) -> Result<&'a [u8], ReadError> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or(ReadError::Truncated)?;
        self.0 = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], ReadError> {
        let (taken, rest) = self.0.split_first_chunk().ok_or(ReadError::Truncated)?;
        self.0 = rest;
        Ok(*taken)
    }

    pub(super) fn u1(&mut self) -> Result<u8, ReadError> {
        self.array().map(u8::from_be_bytes)
    }

    pub(super) fn u2(&mut self) -> Result<u16, ReadError> {
        self.array().map(u16::from_be_bytes)
    }

    pub(super) fn u4(&mut self) -> Result<u32, ReadError> {
        self.array().map(u32::from_be_bytes)
    }

    fn u8(&mut self) -> Result<u64, ReadError> {
        self.array().map(u64::from_be_bytes)
    }

    fn u2_list(&mut self) -> Result<Vec<u16>, ReadError> {
        let count = usize::from(self.u2()?);
        let (values, _) = self.take(count * 2)?.as_chunks();
        Ok(values
            .iter()
            .map(|each| u16::from_be_bytes(*each))
            .collect())
    }
}
