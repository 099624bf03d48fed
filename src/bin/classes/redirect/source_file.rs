//! The source file's name, which a dex file holds for each class, in class files of a build.

use dex2class::class::{Attribute, Class};

/// The oldest format whose code has frames. An older file in a newer format would need them.
const JAVA_6: u16 = 50;
/// Interfaces with bodies need Java 8's class files.
const JAVA_8: u16 = 52;

/// Gives a class of a build the source file's name that the dex file has for it, if it has one, and Java 8's format if its
/// own is Java 6's or 7's. Removes other information on its source, which only debuggers read.
pub fn set_source_file(class: &mut Class, source: Option<&[u8]>) {
    const NAME: &[u8] = b"SourceFile";
    if class.major >= JAVA_6 {
        class.major = class.major.max(JAVA_8);
    }
    let pool = &mut class.pool;
    class
        .attributes
        .retain(|attribute| pool.text(attribute.name) != b"SourceDebugExtension");
    let Some(source) = source.filter(|source| !source.is_empty()) else {
        return;
    };
    class
        .attributes
        .retain(|attribute| pool.text(attribute.name) != NAME);
    let data = pool.utf8(source).to_be_bytes().to_vec();
    let name = pool.utf8(NAME);
    class.attributes.push(Attribute { name, data });
}
