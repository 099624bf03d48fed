//! A class file while it is made: what passes see and change before it is written.
//!
//! Names and descriptors are bytes in Java's modified UTF-8, as both dex files and class files have them. Classes are
//! named as in class files (`java/lang/String`); arrays by their descriptor (`[I`).

mod assemble;
pub mod code;
mod decode;
mod detours;
mod disassemble;
mod frames;
pub mod pool;
pub mod read;
mod read_frames;
pub mod stack;
mod tables;
pub mod write;

#[cfg(test)]
mod detours_tests;
#[cfg(test)]
mod jvm_tests;
#[cfg(test)]
mod read_tests;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod write_tests;

pub use code::{Code, Frame, Insn, Label, LocalVariable, Try, VType, op};
pub(crate) use frames::{add_parameter_classes, initial_locals};
pub use pool::{Entry, Idx, Pool};
pub use read::{ReadError, read};
pub use write::{WriteError, write};

/// Flags of classes, fields and methods (JVM specification, tables 4.1-B, 4.5-A, 4.6-A).
pub mod access {
    #![allow(missing_docs)]
    pub const PUBLIC: u16 = 0x0001;
    pub const PRIVATE: u16 = 0x0002;
    pub const PROTECTED: u16 = 0x0004;
    pub const STATIC: u16 = 0x0008;
    pub const FINAL: u16 = 0x0010;
    /// Of classes.
    pub const SUPER: u16 = 0x0020;
    /// Of methods.
    pub const SYNCHRONIZED: u16 = 0x0020;
    pub const BRIDGE: u16 = 0x0040;
    /// Of fields.
    pub const TRANSIENT: u16 = 0x0080;
    /// Of methods.
    pub const VARARGS: u16 = 0x0080;
    pub const NATIVE: u16 = 0x0100;
    pub const INTERFACE: u16 = 0x0200;
    pub const ABSTRACT: u16 = 0x0400;
    pub const STRICT: u16 = 0x0800;
    pub const SYNTHETIC: u16 = 0x1000;
    pub const ANNOTATION: u16 = 0x2000;
    pub const ENUM: u16 = 0x4000;
}

/// One class.
#[derive(Clone, Debug)]
pub struct Class {
    /// Everything that the class names.
    pub pool: Pool,
    /// The major version of the format: 52 is Java 8.
    pub major: u16,
    /// Flags, see [`access`].
    pub access: u16,
    /// The class's own entry.
    pub this: Idx,
    /// The superclass; 0 for none.
    pub parent: Idx,
    /// Interfaces, in order.
    pub interfaces: Vec<Idx>,
    /// Fields, in order.
    pub fields: Vec<Field>,
    /// Methods, in order.
    pub methods: Vec<Method>,
    /// Attributes of the class, without `BootstrapMethods`.
    pub attributes: Vec<Attribute>,
    /// The table of bootstrap methods.
    pub bootstraps: Vec<Bootstrap>,
}

/// A field.
#[derive(Clone, Debug)]
pub struct Field {
    /// Flags.
    pub access: u16,
    /// Name (a `Utf8` entry).
    pub name: Idx,
    /// Descriptor (a `Utf8` entry).
    pub descriptor: Idx,
    /// Attributes, `ConstantValue` among them.
    pub attributes: Vec<Attribute>,
}

/// A method.
#[derive(Clone, Debug)]
pub struct Method {
    /// Flags.
    pub access: u16,
    /// Name (a `Utf8` entry).
    pub name: Idx,
    /// Descriptor (a `Utf8` entry).
    pub descriptor: Idx,
    /// The body; none for abstract and native methods.
    pub code: Option<Code>,
    /// Attributes, without `Code`.
    pub attributes: Vec<Attribute>,
}

/// An attribute as it is written, without the six bytes of its head.
#[derive(Clone, Debug)]
pub struct Attribute {
    /// Name (a `Utf8` entry).
    pub name: Idx,
    /// Content.
    pub data: Vec<u8>,
}

/// An entry of the table of bootstrap methods.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bootstrap {
    /// The method (a `MethodHandle` entry).
    pub method: Idx,
    /// Its static arguments.
    pub arguments: Vec<Idx>,
}

impl Class {
    /// Name of the class.
    pub fn name(&self) -> &[u8] {
        self.pool.class_name(self.this)
    }

    /// Name of the superclass; none for `java/lang/Object`.
    pub fn parent_name(&self) -> Option<&[u8]> {
        (self.parent != 0).then(|| self.pool.class_name(self.parent))
    }

    /// Whether this is an interface.
    pub fn is_interface(&self) -> bool {
        self.access & access::INTERFACE != 0
    }

    /// The number of this bootstrap method, added if it is new.
    pub fn bootstrap(&mut self, wanted: Bootstrap) -> u16 {
        let at = self.bootstraps.iter().position(|b| *b == wanted);
        let at = at.unwrap_or_else(|| {
            self.bootstraps.push(wanted);
            self.bootstraps.len() - 1
        });
        u16::try_from(at).unwrap_or(u16::MAX)
    }
}
