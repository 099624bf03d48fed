//! One class, from the dex file or the build to the two class files.

use crate::build_classes::BuildClasses;
use crate::redirect::set_source_file;
use dex2class::class::{Class, Insn, WriteError, access};
use dex2class::hierarchy::Hierarchy;
use dex2class::method::constructors::BRIDGE_LINE;
use dex2class::pass::Pass;
use dex2class::pass::probes::{Accessor, ProbeError, write_probed};
use dex2class::{Failure, Translator};

const PROBES: Accessor<'static> = Accessor {
    owner: b"droidtest/host/Probes",
    name: b"of",
};
/// A finished class.
#[derive(Default)]
pub struct Finished {
    /// The class file without probes, and with them.
    pub files: Option<(Vec<u8>, Vec<u8>)>,
    /// See `classes.json`.
    pub methods_failed: Vec<String>,
    /// Why the class failed as a whole.
    pub class_failed: Option<String>,
    /// See `classes.json`.
    pub methods_unprobed: Vec<String>,
    /// Whether it has line numbers.
    pub lines_known: bool,
}

/// What all threads share.
pub struct Worker<'w, 'a> {
    /// Translates.
    pub translator: &'w Translator<'w, 'a>,
    /// Class files of a build.
    pub build: &'w BuildClasses,
    /// All classes.
    pub hierarchy: &'w dyn Hierarchy,
    /// What is applied to each class before probes.
    pub passes: Vec<Box<dyn Pass>>,
}

impl Worker<'_, '_> {
    /// Translates a class, or takes that of the build, and applies the passes.
    pub fn class(&self, name: &[u8]) -> Finished {
        let mut finished = Finished::default();
        let shown = String::from_utf8_lossy(name).into_owned();
        if let Some(built) = self.build.class(name) {
            let source = self.translator.app().definition(name);
            let source = source.and_then(|(_, def)| def.source);
            let written = built.and_then(|mut class| {
                set_source_file(&mut class, source);
                self.finish(class, &shown, &mut finished)
                    .map_err(|why| why.to_string())
            });
            finished.class_failed = written.err().map(|why| format!("{shown}: {why}"));
            return finished;
        }
        let mut large: Vec<(usize, String)> = Vec::new();
        loop {
            let mut translated = match self.translator.class(name) {
                Some(Ok(translated)) => translated,
                Some(Err(why)) => {
                    finished.class_failed = Some(format!("{shown}: {why}"));
                    return finished;
                }
                None => return finished,
            };
            for (method, why) in &large {
                self.translator.fail(&mut translated, *method, why);
            }
            let failures = translated.failures;
            let why = match self.finish(translated.class, &shown, &mut finished) {
                Ok(()) => {
                    let full = |f: &Failure| format!("L{shown};.{}: {}", f.method, f.reason);
                    finished.methods_failed = failures.iter().map(full).collect();
                    return finished;
                }
                Err(why) => why,
            };
            if let ProbeError::Write(WriteError::MethodTooLarge { method, size }) = why
                && large.iter().all(|known| known.0 != method)
            {
                let why = format!("{size} bytes of code are more than a class file can hold");
                large.push((method, why));
                continue;
            }
            finished.class_failed = Some(format!("{shown}: {why}"));
            if let Some(stand_in) = self.translator.stand_in(name, &why.to_string()) {
                let again = self.finish(stand_in.class, &shown, &mut finished);
                debug_assert!(again.is_ok(), "{again:?}");
            }
            return finished;
        }
    }

    /// Applies the passes and writes both forms.
    fn finish(
        &self,
        mut class: Class,
        name: &str,
        finished: &mut Finished,
    ) -> Result<(), ProbeError> {
        finished.lines_known = class.methods.iter().any(|method| {
            let code = method.code.as_ref();
            code.is_some_and(|code| {
                let mut insns = code.insns.iter();
                // What leads past constructors has a line in any case.
                insns.any(|insn| matches!(insn, Insn::Line(line) if *line != BRIDGE_LINE))
            })
        });
        // JaCoCo's reports leave out synthetic classes, but R8 puts code of the app into such.
        class.access &= !access::SYNTHETIC;
        for pass in &self.passes {
            pass.apply(&mut class, self.hierarchy);
        }
        let names: Vec<String> = class
            .methods
            .iter()
            .map(|method| {
                let text = |ix| String::from_utf8_lossy(class.pool.text(ix)).into_owned();
                format!("{name}.{}{}", text(method.name), text(method.descriptor))
            })
            .collect();
        let files = write_probed(class, &PROBES)?;
        let without = files.without.iter();
        finished.methods_unprobed = without.map(|&ix| names[ix].clone()).collect();
        finished.files = Some((files.plain, files.probed));
        Ok(())
    }
}
