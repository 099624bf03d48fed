//! What a hierarchy needs of a class file, without its code.

use super::ClassInfo;

/// A class of a class file.
#[derive(Debug)]
pub(super) struct ClassFile {
    name: Box<[u8]>,
    access: u16,
    parent: Option<Box<[u8]>>,
    interfaces: Vec<Box<[u8]>>,
    /// Name with descriptor, the length of the name, and flags; sorted.
    methods: Vec<(Box<[u8]>, usize, u16)>,
}

impl ClassFile {
    /// Reads a class file; none if it is damaged.
    pub fn read(bytes: &[u8]) -> Option<Self> {
        let mut from = Bytes(bytes);
        if from.u32()? != 0xcafe_babe {
            return None;
        }
        from.take(4)?;
        let pool = Pool::read(&mut from)?;
        let access = from.u16()?;
        let name = pool.class(from.u16()?)?.into();
        let parent = match from.u16()? {
            0 => None,
            ix => Some(pool.class(ix)?.into()),
        };
        let count = from.u16()?;
        let interfaces = (0..count)
            .map(|_| Some(pool.class(from.u16()?)?.into()))
            .collect::<Option<_>>()?;
        members(&mut from, |_, _, _| Some(()))?;
        let mut methods = Vec::new();
        members(&mut from, |access, name, descriptor| {
            let (name, descriptor) = (pool.text(name)?, pool.text(descriptor)?);
            methods.push(([name, descriptor].concat().into(), name.len(), access));
            Some(())
        })?;
        methods.sort_unstable();
        Some(Self {
            name,
            access,
            parent,
            interfaces,
            methods,
        })
    }

    pub fn name(&self) -> &[u8] {
        &self.name
    }

    pub fn info(&self) -> ClassInfo<'_> {
        ClassInfo {
            name: &self.name,
            access: self.access,
            parent: self.parent.as_deref(),
            interfaces: self.interfaces.iter().map(AsRef::as_ref).collect(),
            own: false,
        }
    }

    /// The flags of a method that this class declares.
    pub fn method(&self, name: &[u8], descriptor: &[u8]) -> Option<u16> {
        let wanted = name.iter().chain(descriptor);
        let order = |(key, length, _): &(Box<[u8]>, usize, u16)| {
            let keys = key.iter().cmp(wanted.clone());
            keys.then(length.cmp(&name.len()))
        };
        let at = self.methods.binary_search_by(order).ok()?;
        Some(self.methods[at].2)
    }
}

/// Reads fields or methods: calls `each` with flags, name and descriptor.
fn members(from: &mut Bytes<'_>, mut each: impl FnMut(u16, u16, u16) -> Option<()>) -> Option<()> {
    for _ in 0..from.u16()? {
        each(from.u16()?, from.u16()?, from.u16()?)?;
        for _ in 0..from.u16()? {
            from.u16()?;
            let length = from.u32()?;
            from.take(usize::try_from(length).ok()?)?;
        }
    }
    Some(())
}

/// Those entries of the pool that are names.
struct Pool<'a>(Vec<Name<'a>>);

#[derive(Clone, Copy)]
enum Name<'a> {
    Text(&'a [u8]),
    Class(u16),
    Other,
}

impl<'a> Pool<'a> {
    fn read(from: &mut Bytes<'a>) -> Option<Self> {
        let count = usize::from(from.u16()?);
        let mut names = vec![Name::Other];
        while names.len() < count {
            let name = match from.take(1)?[0] {
                1 => {
                    let length = from.u16()?;
                    Name::Text(from.take(usize::from(length))?)
                }
                7 => Name::Class(from.u16()?),
                tag => {
                    from.take(match tag {
                        8 | 16 | 19 | 20 => 2,
                        15 => 3,
                        3 | 4 | 9..=12 | 17 | 18 => 4,
                        5 | 6 => 8,
                        _ => return None,
                    })?;
                    if matches!(tag, 5 | 6) {
                        names.push(Name::Other);
                    }
                    Name::Other
                }
            };
            names.push(name);
        }
        Some(Self(names))
    }

    fn text(&self, ix: u16) -> Option<&'a [u8]> {
        match self.0.get(usize::from(ix))? {
            Name::Text(text) => Some(text),
            _ => None,
        }
    }

    fn class(&self, ix: u16) -> Option<&'a [u8]> {
        match self.0.get(usize::from(ix))? {
            Name::Class(name) => self.text(*name),
            _ => None,
        }
    }
}

struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (part, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(part)
    }

    fn u16(&mut self) -> Option<u16> {
        let part = self.take(2)?;
        Some(u16::from_be_bytes([part[0], part[1]]))
    }

    fn u32(&mut self) -> Option<u32> {
        Some(u32::from(self.u16()?) << 16 | u32::from(self.u16()?))
    }
}
