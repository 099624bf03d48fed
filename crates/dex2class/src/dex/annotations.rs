//! Annotations of classes and their members.

use super::bytes::{Cursor, u32_at};
use super::value::{DEEPEST, Values};
use super::{ClassDef, Dex, DexError, EncodedAnnotation, Result};

/// Who sees an annotation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Visibility {
    /// Only those who read the file.
    Build,
    /// The running app.
    Runtime,
    /// The system: these hold what class files keep in attributes.
    System,
}

/// An annotation.
#[derive(Clone, PartialEq, Debug)]
pub struct AnnotationItem<'a> {
    /// Who sees it.
    pub visibility: Visibility,
    /// Its class and values.
    pub annotation: EncodedAnnotation<'a>,
    /// How many bytes of the file it takes.
    pub size: usize,
}

/// The annotations of one class or member. Those that cannot be read are errors; the others can be read all the same.
#[derive(Clone, Copy, Debug)]
pub struct AnnotationSet<'a> {
    dex: Dex<'a>,
    offsets: &'a [u8],
}

impl AnnotationSet<'_> {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.offsets.len() / 4
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.offsets.is_empty()
    }
}

impl<'a> AnnotationSet<'a> {
    /// Those that are wanted by who sees them and the index of their class; the values of others are not looked at. One
    /// whose head cannot be read is an error.
    pub fn select(
        self,
        wanted: impl Fn(Visibility, u32) -> bool,
    ) -> impl Iterator<Item = Result<AnnotationItem<'a>>> {
        let (offsets, _) = self.offsets.as_chunks::<4>();
        offsets.iter().filter_map(move |offset| {
            let mut at = self.dex.cursor(u32::from_le_bytes(*offset));
            let head = at.u8().and_then(visibility).and_then(|visibility| {
                let mut head = at;
                Ok((visibility, head.uleb()?))
            });
            match head {
                Ok((visibility, kind)) if wanted(visibility, kind) => {
                    Some(self.dex.annotation(visibility, at))
                }
                Ok(_) => None,
                Err(why) => Some(Err(why)),
            }
        })
    }

    /// Those of the system whose class is one of these, of the first hundred in the set. The values of others are not
    /// looked at; damaged ones are left out.
    pub fn of_system(
        self,
        kinds: &'static [&'static [u8]],
    ) -> impl Iterator<Item = EncodedAnnotation<'a>> {
        let (offsets, _) = self.offsets.as_chunks::<4>();
        offsets.iter().take(100).filter_map(move |offset| {
            let mut at = self.dex.cursor(u32::from_le_bytes(*offset));
            let is_system = at.u8().and_then(visibility) == Ok(Visibility::System);
            let mut head = at;
            let kind = head.uleb().ok()?;
            let is_wanted = || kinds.iter().any(|wanted| self.dex.type_is(kind, wanted));
            let values = (is_system && is_wanted()).then(|| Values::new(self.dex, at, 100));
            values?.annotation(DEEPEST).ok()
        })
    }
}

impl<'a> Iterator for AnnotationSet<'a> {
    type Item = Result<AnnotationItem<'a>>;

    fn next(&mut self) -> Option<Self::Item> {
        let (offset, rest) = self.offsets.split_first_chunk::<4>()?;
        self.offsets = rest;
        let mut at = self.dex.cursor(u32::from_le_bytes(*offset));
        let visibility = at.u8().and_then(visibility);
        Some(visibility.and_then(|visibility| self.dex.annotation(visibility, at)))
    }
}

/// Where the annotations of each parameter of a method are, for [`Dex::annotation_set`]; 0 for none.
#[derive(Clone, Copy, Debug)]
pub struct AnnotationSets<'a> {
    offsets: &'a [u8],
}

impl Iterator for AnnotationSets<'_> {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        let (offset, rest) = self.offsets.split_first_chunk::<4>()?;
        self.offsets = rest;
        Some(u32::from_le_bytes(*offset))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.offsets.len() / 4, Some(self.offsets.len() / 4))
    }
}

/// Offsets of annotations by the index of the member.
#[derive(Clone, Copy, Default, Debug)]
pub struct MemberAnnotations<'a> {
    /// Eight bytes each.
    entries: &'a [u8],
}

impl MemberAnnotations<'_> {
    /// Whether no member has any.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Where the annotations of a member are. The format wants members in ascending order.
    pub fn get(&self, member: u32) -> Option<u32> {
        let (entries, _) = self.entries.as_chunks::<8>();
        let key = |entry: &[u8; 8]| u32_at(entry, 0).unwrap_or_default();
        let at = entries.binary_search_by_key(&member, key).ok()?;
        u32_at(&entries[at], 4)
    }
}

/// Where the annotations of a class and its members are.
#[derive(Clone, Copy, Default, Debug)]
pub struct AnnotationsDirectory<'a> {
    /// Of the class itself; 0 for none.
    pub class_off: u32,
    /// Of its fields.
    pub fields: MemberAnnotations<'a>,
    /// Of its methods.
    pub methods: MemberAnnotations<'a>,
    /// Of the parameters of its methods.
    pub parameters: MemberAnnotations<'a>,
}

impl<'a> Dex<'a> {
    /// Where the annotations of a class and its members are.
    ///
    /// # Errors
    /// If the directory is cut off.
    pub fn annotations(&self, class: &ClassDef<'_>) -> Result<AnnotationsDirectory<'a>> {
        if class.annotations_off == 0 {
            return Ok(AnnotationsDirectory::default());
        }
        let mut at = self.cursor(class.annotations_off);
        let class_off = at.u32()?;
        let counts = [at.u32()?, at.u32()?, at.u32()?];
        let mut table = |count: u32| {
            let length = usize::try_from(count)
                .ok()
                .and_then(|count| count.checked_mul(8));
            let entries = at.take(length.ok_or(DexError("a class has too many annotations"))?)?;
            Ok(MemberAnnotations { entries })
        };
        Ok(AnnotationsDirectory {
            class_off,
            fields: table(counts[0])?,
            methods: table(counts[1])?,
            parameters: table(counts[2])?,
        })
    }

    /// The annotations at an offset; none for offset 0.
    ///
    /// # Errors
    /// If the list is cut off.
    pub fn annotation_set(&self, off: u32) -> Result<AnnotationSet<'a>> {
        Ok(AnnotationSet {
            dex: *self,
            offsets: self.offsets(off)?,
        })
    }

    /// The annotations of parameters at an offset.
    ///
    /// # Errors
    /// If the list is cut off.
    pub fn parameter_annotations(&self, off: u32) -> Result<AnnotationSets<'a>> {
        Ok(AnnotationSets {
            offsets: self.offsets(off)?,
        })
    }

    fn offsets(&self, off: u32) -> Result<&'a [u8]> {
        if off == 0 {
            return Ok(&[]);
        }
        let mut at = self.cursor(off);
        let length = usize::try_from(at.u32()?)
            .ok()
            .and_then(|count| count.checked_mul(4));
        at.take(length.ok_or(DexError("too many annotations"))?)
    }

    fn annotation(&self, visibility: Visibility, mut at: Cursor<'a>) -> Result<AnnotationItem<'a>> {
        let before = at.left();
        let annotation = self.encoded_annotation(&mut at)?;
        Ok(AnnotationItem {
            visibility,
            annotation,
            size: before - at.left(),
        })
    }
}

fn visibility(byte: u8) -> Result<Visibility> {
    match byte {
        0 => Ok(Visibility::Build),
        1 => Ok(Visibility::Runtime),
        2 => Ok(Visibility::System),
        _ => Err(DexError("an annotation of an unknown visibility")),
    }
}
