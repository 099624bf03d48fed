//! Which probes lie in which changed method, so that a step's probes show what it reached.

use super::report::{CoverageError, io_error};
use super::tool::{Call, Tool};
use crate::apk::Changed;
use rustc_hash::FxHashMap;
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

/// The time limit of reading the classes.
const LIMIT: Duration = Duration::from_secs(120);

/// By a class's internal name: first probe, end, and the index of the changed method.
#[derive(Clone, Debug, Default)]
pub struct MethodProbes(FxHashMap<String, Vec<(u32, u32, usize)>>);

impl MethodProbes {
    /// The probes of the changed methods of an app, whose classes before instrumentation are in these jars.
    ///
    /// # Errors
    /// The classes cannot be read, or the call is `stopped`.
    pub fn read(
        tool: &Tool,
        jars: &[PathBuf],
        changed: &Changed,
        stopped: &dyn Fn() -> bool,
    ) -> Result<Self, CoverageError> {
        let folder = tempfile::tempdir().map_err(io_error(std::env::temp_dir().as_path()))?;
        let (names, found) = (folder.path().join("names"), folder.path().join("found"));
        let mut classes: Vec<&str> = changed.methods.iter().map(|m| m.class.as_str()).collect();
        classes.dedup();
        fs::write(&names, classes.join("\n")).map_err(io_error(&names))?;
        let files = [&names, &found].into_iter().chain(jars);
        let call = Call {
            main: "droidtest.tool.MethodProbes",
            arguments: files.map(|file| file.as_os_str().to_owned()).collect(),
            reads: jars.to_vec(),
            limit: LIMIT,
            stopped,
        };
        tool.run(&call, folder.path())?;
        let text = fs::read_to_string(&found).map_err(io_error(&found))?;
        Ok(Self::parse(&text, changed))
    }

    /// Lines of class, method, descriptor, first probe and end.
    pub(crate) fn parse(text: &str, changed: &Changed) -> Self {
        let key = |ix: usize| {
            let method = &changed.methods[ix];
            (
                method.class.as_str(),
                method.name.as_str(),
                method.descriptor.as_str(),
            )
        };
        let wanted: FxHashMap<_, usize> =
            (0..changed.methods.len()).map(|ix| (key(ix), ix)).collect();
        let mut probes = Self::default();
        for line in text.lines() {
            let mut parts = line.split('\t');
            let mut part = || parts.next().unwrap_or_default();
            let (class, name, descriptor) = (part(), part(), part());
            let (first, end) = (part().parse(), part().parse());
            if let (Some(&ix), Ok(first), Ok(end)) =
                (wanted.get(&(class, name, descriptor)), first, end)
            {
                probes
                    .0
                    .entry(class.to_owned())
                    .or_default()
                    .push((first, end, ix));
            }
        }
        probes
    }

    /// The changed method that a probe of a class lies in.
    pub fn method(&self, class: &str, probe: u32) -> Option<usize> {
        let ranges = self.0.get(class)?;
        let found = ranges
            .iter()
            .find(|(first, end, _)| (*first..*end).contains(&probe));
        found.map(|(_, _, ix)| *ix)
    }

    /// The changed methods that have probes.
    pub fn methods(&self) -> impl Iterator<Item = usize> {
        self.0.values().flatten().map(|(_, _, ix)| *ix)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::apk::ChangedMethod;

    #[test]
    fn a_probe_lies_in_the_method_whose_range_has_it() {
        let method = |name: &str| ChangedMethod {
            class: "a/B".into(),
            name: name.into(),
            descriptor: "()V".into(),
            ..ChangedMethod::default()
        };
        let changed = Changed {
            methods: vec![method("first"), method("second")],
            ..Changed::default()
        };
        let text =
            "a/B\tsecond\t()V\t3\t7\na/B\tother\t()V\t7\t9\na/B\tfirst\t()V\t0\t3\nnonsense\n";
        let probes = MethodProbes::parse(text, &changed);
        let found = [0, 2, 3, 6, 7].map(|probe| probes.method("a/B", probe));
        assert_eq!(found, [Some(0), Some(0), Some(1), Some(1), None]);
        assert_eq!(probes.method("a/C", 0), None);
    }
}
