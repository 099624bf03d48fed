//! What is known of an app's program when its stacks are read: the original names, and the code.

use super::mapping::Mapping;
use super::place::{self, Places};
use crate::android::stack::Thrown;
use crate::apk::{Apk, CodeMap};
use std::sync::Arc;

/// An app's program. The default knows nothing: names stay as they are, and frames have no ordinals.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// Its package: classes below it are its own, whatever their prefix.
    pub package: String,
    /// Retraces obfuscated names.
    pub mapping: Option<Arc<Mapping>>,
    /// The code of its APK; `None` for a model.
    pub code: Option<CodeMap>,
}

impl Program {
    /// Of this APK, without a mapping.
    pub fn of_apk(apk: &Apk) -> Self {
        Self {
            package: apk.manifest.package.clone(),
            mapping: None,
            code: Some(CodeMap::new(&apk.file)),
        }
    }

    /// The places in the code of a chain's frames; none where the code is unknown.
    pub fn places(&self, chain: &[Thrown<'_>]) -> Places {
        let Some(code) = &self.code else {
            return Places::default();
        };
        let names = place::classes_of(chain);
        // An APK that was deleted during the run costs its crashes the ordinals, not the findings.
        let classes = code.classes(names.iter().map(String::as_str));
        classes.map_or_else(|_| Places::default(), |classes| place::all(chain, &classes))
    }
}
