//! A mapping as the original names of a whole program, and whether it belongs to an APK.

use super::mapping::{Mapping, Members, Method};
use crate::apk::{Apk, ApkError, Names, mapping_mark};

/// The least share of a mapping's classes that the APK it belongs to defines.
const SHARE: f64 = 0.5;

/// What R8 names as the source file of classes that it made itself.
const SYNTHETIC: &str = "R8$$SyntheticClass";

impl Mapping {
    /// Does it belong to this APK? By the id that R8 writes into both; without an id, most of its classes must be in the
    /// APK.
    ///
    /// # Errors
    /// The APK cannot be read.
    pub fn belongs_to(&self, apk: &Apk) -> Result<bool, ApkError> {
        let mark = mapping_mark(apk)?;
        if let (Some(ours), Some(theirs)) = (&self.id, &mark.id) {
            // R8 shortens the id in one of them.
            return Ok(ours.starts_with(theirs.as_str()) || theirs.starts_with(ours.as_str()));
        }
        let defined = |class: &&String| mark.classes.contains(class.as_str());
        let there = self.classes.keys().filter(defined).count();
        Ok(there as f64 >= SHARE * self.classes.len() as f64)
    }
}

impl Names for Mapping {
    fn class(&self, name: &str) -> Option<&str> {
        let class = self.classes.get(name)?;
        Some(&class.original)
    }

    fn field(&self, class: &str, name: &str) -> Option<&str> {
        let field = self.members(self.classes.get(class)?).fields.get(name)?;
        // A field moved from another class has that class before its name.
        Some(field.rsplit('.').next().unwrap_or(field))
    }

    fn method(&self, class: &str, name: &str, arguments: &str) -> Option<(String, String)> {
        let class = self.classes.get(class)?;
        let methods = self.members(class).declared(name);
        let exact = methods.iter().find(|method| method.arguments == arguments);
        let found = exact.or_else(|| {
            // R8 removes arguments that are not used; the name alone decides if it is the only one.
            let first = methods.first()?;
            methods
                .iter()
                .all(|method| method.name == first.name)
                .then_some(first)
        })?;
        let (owner, name) = class.owned(&found.name);
        // R8 leaves out the package of classes that it made itself.
        let own = class.original.rsplit('.').next() == Some(owner.as_str());
        Some((if own { class.original.clone() } else { owner }, name))
    }

    fn file(&self, class: &str) -> Option<&str> {
        let file = self.members(self.classes.get(class)?).file.as_deref();
        file.filter(|file| *file != SYNTHETIC)
    }

    fn line(&self, class: &str, method: &str, line: u32) -> Option<u32> {
        let all = self.members(self.classes.get(class)?).named(method);
        // Of methods inlined into one another the last is the outermost.
        let at = |line| all.iter().rfind(|method| method.has(line));
        // R8 gives no range to instructions without a source line, such as constants before the first statement.
        let after = || {
            let starts = all.iter().filter_map(|method| Some(method.lines?.0));
            at(starts.filter(|start| *start > line).min()?)
        };
        let bare = || all.iter().rfind(|method| method.lines.is_none());
        let outer = at(line).or_else(bare).or_else(after)?;
        outer.source?;
        outer.source_line(Some(line))
    }
}

impl Members {
    /// The methods of this obfuscated name that are not inlined into another one: of those with the same lines the last.
    fn declared(&self, name: &str) -> Vec<&Method> {
        let all = self.named(name);
        let mut declared = Vec::new();
        for (ix, method) in all.iter().enumerate() {
            let inlined = method.lines.is_some()
                && all
                    .get(ix + 1)
                    .is_some_and(|next| next.lines == method.lines);
            if !inlined {
                declared.push(method);
            }
        }
        declared
    }
}
