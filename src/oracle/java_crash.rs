//! Uncaught exceptions.

use super::{Oracle, blame, finding, fingerprint, program::Program};
use crate::outcome::finding::{Finding, FindingKind};
use crate::step::Step;
use crate::util::text;

/// Reports every uncaught exception of the app's process.
#[derive(Debug, Default)]
pub struct JavaCrash {
    program: Program,
}

impl JavaCrash {
    /// Stacks are read with what is known of the app's program.
    pub const fn new(program: Program) -> Self {
        Self { program }
    }
}

impl Oracle for JavaCrash {
    fn name(&self) -> &'static str {
        "java-crash"
    }

    fn inspect(&mut self, step: &Step<'_>) -> Vec<Finding> {
        let Some(crash) = &step.after.crash else {
            return Vec::new();
        };
        // A root without a message has none: that of another exception would not be its own.
        let (class, message) = match &crash.root_class {
            Some(root) => (root, crash.root_message.as_ref()),
            None => (&crash.class, crash.message.as_ref()),
        };
        let hash = fingerprint::of_crash(crash, class, &self.program);
        let title = match message.map(|m| m.lines().next().unwrap_or("")) {
            Some(line) if !line.is_empty() => format!("{class}: {}", text::shorten(line, 200)),
            _ => class.clone(),
        };
        let kind = if class == "java.lang.OutOfMemoryError" {
            FindingKind::OutOfMemory
        } else {
            FindingKind::JavaCrash
        };
        let mut finding = finding(step, kind, hash, title, crash.stack.clone());
        finding.exception = Some(class.clone());
        finding.frame = crash.app_frame.clone();
        finding.environment = blame(crash.environment.as_ref(), crash.detail.as_ref());
        finding.provoked_by.extend(crash.provoked_by.clone());
        vec![finding]
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::step;
    use super::*;
    use crate::device::Observation;
    use crate::gui::page::none;
    use crate::outcome::{Crash, Trigger};
    use crate::util::intern::Interner;

    #[test]
    fn a_root_without_a_message_takes_no_other_exceptions() {
        let crash = Crash {
            class: "java.lang.RuntimeException".into(),
            message: Some("Unable to start activity".into()),
            root_class: Some("java.util.EmptyStackException".into()),
            ..Crash::default()
        };
        let after = Observation {
            crash: Some(crash),
            ..Observation::default()
        };
        let (page, interner) = (none(), Interner::default());
        let found = JavaCrash::default().inspect(&step(&page, &page, None, &after, &interner));
        assert_eq!(found[0].title, "java.util.EmptyStackException");
    }

    #[test]
    fn the_root_cause_names_the_finding() {
        let after = Observation {
            crash: Some(Crash {
                class: "java.lang.RuntimeException".into(),
                root_class: Some("java.lang.NullPointerException".into()),
                root_message: Some("x is null\nsecond line".into()),
                stack: "java.lang.NullPointerException: x\n\tat com.x.A.b(A.java:1)".into(),
                environment: Some("media-player".into()),
                provoked_by: Some("offline".into()),
                ..Crash::default()
            }),
            ..Observation::default()
        };
        let (page, interner) = (none(), Interner::default());
        let found = JavaCrash::default().inspect(&step(&page, &page, None, &after, &interner));
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].title, "java.lang.NullPointerException: x is null");
        assert_eq!(found[0].trigger, Trigger::Launch);
        assert_eq!(found[0].environment.as_ref().unwrap().rule, "media-player");
        assert_eq!(found[0].provoked_by, ["offline"]);
        assert!(found[0].id.starts_with("crash-"));
    }
}
