//! Flags: those that the JVM accepts, of those that dex files have.
//!
//! Android checks fewer combinations than the JVM does, and R8 makes use of it. A class with one that the JVM does not
//! accept cannot be loaded at all, so the nearest one that it accepts is taken.

use crate::class::access::{
    ABSTRACT, ANNOTATION, BRIDGE, ENUM, FINAL, INTERFACE, NATIVE, PRIVATE, PROTECTED, PUBLIC,
    STATIC, STRICT, SUPER, SYNCHRONIZED, SYNTHETIC, VARARGS,
};

const VOLATILE: u16 = 0x0040;
const TRANSIENT: u16 = 0x0080;

/// Flags of a class. A nested class is public where it is protected, and visible in its package where it is private, as
/// compilers do; its own flags are in [`inner`].
pub fn class(access: u32) -> u16 {
    let low = low(access);
    let public = if low & PROTECTED != 0 { PUBLIC } else { 0 };
    let kept = low & (PUBLIC | FINAL | INTERFACE | ABSTRACT | SYNTHETIC | ANNOTATION | ENUM);
    let flags = allowed(kept | public);
    if flags & INTERFACE != 0 {
        flags
    } else {
        flags | SUPER
    }
}

/// Flags of a nested class in the list of nested classes.
pub fn inner(access: u32) -> u16 {
    let kept =
        low(access) & (STATIC | FINAL | INTERFACE | ABSTRACT | SYNTHETIC | ANNOTATION | ENUM);
    allowed(kept) | visibility(access)
}

/// R8 marks classes that nothing extends as final, abstract ones too; old compilers left an interface (`package-info`)
/// without the flag of abstract ones.
fn allowed(flags: u16) -> u16 {
    if flags & INTERFACE != 0 {
        return (flags | ABSTRACT) & !(FINAL | ENUM);
    }
    let flags = flags & !ANNOTATION;
    if flags & ABSTRACT != 0 {
        flags & !FINAL
    } else {
        flags
    }
}

/// Flags of a field, whose list says whether it is static.
pub fn field(access: u32, is_static: bool, in_interface: bool) -> u16 {
    let low = low(access);
    if in_interface {
        return PUBLIC | STATIC | FINAL | low & SYNTHETIC;
    }
    let kept = low & (FINAL | VOLATILE | TRANSIENT | SYNTHETIC | ENUM);
    let kept = if kept & VOLATILE != 0 {
        kept & !FINAL
    } else {
        kept
    };
    kept | visibility(access) | if is_static { STATIC } else { 0 }
}

/// Flags of a method.
pub fn method(access: u32, name: &[u8], in_interface: bool) -> u16 {
    let low = low(access);
    match name {
        b"<clinit>" => return STATIC,
        b"<init>" => return low & (VARARGS | SYNTHETIC) | visibility(access),
        _ => {}
    }
    let mut flags =
        low & (STATIC | FINAL | BRIDGE | VARARGS | NATIVE | ABSTRACT | STRICT | SYNTHETIC);
    // Only native methods have it in a dex file; others lock in their code.
    if flags & NATIVE != 0 {
        flags |= low & SYNCHRONIZED;
    }
    flags |= visibility(access);
    if in_interface {
        flags &= !(FINAL | NATIVE | SYNCHRONIZED | PROTECTED);
        if flags & PRIVATE == 0 {
            flags |= PUBLIC;
        }
    }
    if flags & ABSTRACT != 0 {
        let private = flags & PRIVATE;
        flags &= !(PRIVATE | STATIC | FINAL | SYNCHRONIZED | NATIVE | STRICT);
        if private != 0 && in_interface {
            flags |= PUBLIC;
        }
    }
    flags
}

/// One of the three flags, or none.
fn visibility(access: u32) -> u16 {
    let low = low(access);
    let all = [PUBLIC, PROTECTED, PRIVATE];
    all.into_iter().find(|flag| low & flag != 0).unwrap_or(0)
}

fn low(access: u32) -> u16 {
    let [low, high, ..] = access.to_le_bytes();
    u16::from_le_bytes([low, high])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_has_flags_that_the_jvm_accepts() {
        assert_eq!(class(0x1), PUBLIC | SUPER);
        assert_eq!(
            class(0x411),
            PUBLIC | SUPER | ABSTRACT,
            "abstract and final"
        );
        assert_eq!(
            class(0x1200),
            INTERFACE | ABSTRACT | SYNTHETIC,
            "an old package-info"
        );
        assert_eq!(class(0x601 | 0x4000), PUBLIC | INTERFACE | ABSTRACT);
        assert_eq!(
            class(0xc | 0x2000),
            PUBLIC | SUPER,
            "protected, static, an annotation"
        );
        assert_eq!(class(0xa | 0x20000), SUPER, "private");
    }

    #[test]
    fn a_nested_class_keeps_what_its_source_says() {
        assert_eq!(inner(0xa), PRIVATE | STATIC);
        assert_eq!(
            inner(0x4 | 0x20),
            PROTECTED,
            "no flag of the class file alone"
        );
        assert_eq!(inner(0x7), PUBLIC, "one visibility");
    }

    #[test]
    fn members_lose_flags_of_dex_files_and_wrong_ones() {
        assert_eq!(method(0x10001, b"<init>", false), PUBLIC);
        assert_eq!(method(0x10008, b"<clinit>", false), STATIC);
        assert_eq!(method(0x20001, b"locked", false), PUBLIC, "its code locks");
        assert_eq!(
            method(0x121, b"locked", false),
            PUBLIC | NATIVE | SYNCHRONIZED
        );
        assert_eq!(method(0x411, b"abstractAndFinal", false), PUBLIC | ABSTRACT);
        assert_eq!(method(0x0, b"packaged", true), PUBLIC, "in an interface");
        assert_eq!(
            method(0x1002, b"lambda", true),
            PRIVATE | SYNTHETIC,
            "in an interface"
        );
        assert_eq!(
            field(0x2050, true, false),
            STATIC | VOLATILE,
            "final and volatile"
        );
        assert_eq!(field(0x8, true, true), PUBLIC | STATIC | FINAL);
    }
}
