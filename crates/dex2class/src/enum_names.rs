//! Names that enums give to their constants.
//!
//! An annotation in a dex file names an enum constant by its field; the JVM looks it up by the name that the enum gives
//! to it. They differ where R8 has renamed the field. The enum's static initializer tells both: the first text after
//! each `new` of the enum, up to the field that takes the object.

use crate::dex::{Dex, internal_name};
use crate::hierarchy::{DexHierarchy, Hierarchy};
use crate::method::length;
use rustc_hash::FxHashMap;

/// Names of an enum's constants by field, where they differ.
pub type Names = FxHashMap<Vec<u8>, Vec<u8>>;

/// Reads the names of an enum's constants; empty for what is no enum of the app. `kind` is a descriptor.
pub fn read(app: &DexHierarchy<'_>, hierarchy: &dyn Hierarchy, kind: &[u8]) -> Names {
    let mut names = Names::default();
    let Some((dex, def)) = app.definition(internal_name(kind)) else {
        return names;
    };
    let Ok(data) = dex.class_data(&def) else {
        return names;
    };
    // A class has one; a damaged file may name it many times.
    let initializer = data.direct_methods().find(|method| {
        method.code_off != 0 && dex.method(method.ix).is_ok_and(|m| m.name == b"<clinit>")
    });
    if let Some(method) = initializer {
        walk(&dex, hierarchy, kind, method.code_off, &mut names);
    }
    names
}

fn walk(dex: &Dex<'_>, hierarchy: &dyn Hierarchy, kind: &[u8], at: u32, names: &mut Names) {
    let Ok(code) = dex.code(at) else { return };
    let units = code.insns;
    let mut at = 0;
    let mut is_constant: FxHashMap<u32, bool> = FxHashMap::default();
    let mut wanted = false;
    let mut name: Option<&[u8]> = None;
    while let Some(first) = units.get(at) {
        let index = units.get(at + 1).map_or(0, u32::from);
        match first.to_le_bytes()[0] {
            0x22 => {
                let is_constant = is_constant.entry(index).or_insert_with(|| {
                    let made = dex.type_name(index).unwrap_or_default();
                    hierarchy.is_subclass(internal_name(made), internal_name(kind))
                });
                if *is_constant {
                    wanted = true;
                    name = None;
                }
            }
            opcode @ (0x1a | 0x1b) if wanted => {
                let high = units.get(at + 2).map_or(0, u32::from) << 16;
                let index = if opcode == 0x1b { index | high } else { index };
                name = dex.string(index).ok();
                wanted = false;
            }
            0x67..=0x6d => {
                if let (Some(given), Ok(field)) = (name, dex.field(index))
                    && field.owner == kind
                    && field.kind == kind
                {
                    if field.name != given {
                        names.insert(field.name.to_vec(), given.to_vec());
                    }
                    name = None;
                }
            }
            _ => {}
        }
        let Some(length) = length(units, at) else {
            return;
        };
        at += length;
    }
}
