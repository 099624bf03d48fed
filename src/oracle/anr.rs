//! "Application not responding": the main thread blocked for over 5 s, in real or virtual time.

use super::{Oracle, blame, finding, fingerprint, program::Program};
use crate::outcome::finding::{Finding, FindingKind};
use crate::step::Step;

/// Android's limit for input dispatching, in milliseconds.
pub const LIMIT_MS: u64 = 5_000;

/// Reports blocks of the main thread of at least `limit_ms`.
#[derive(Debug)]
pub struct AnrOracle {
    limit_ms: u64,
    program: Program,
}

impl AnrOracle {
    /// With this limit in milliseconds; stacks are read with what is known of the app's program.
    pub const fn new(limit_ms: u64, program: Program) -> Self {
        Self { limit_ms, program }
    }
}

impl Oracle for AnrOracle {
    fn name(&self) -> &'static str {
        "anr"
    }

    fn inspect(&mut self, step: &Step<'_>) -> Vec<Finding> {
        let Some(anr) = step
            .after
            .anr
            .as_ref()
            .filter(|anr| anr.ms >= self.limit_ms)
        else {
            return Vec::new();
        };
        let hash = fingerprint::of_anr(&anr.stack, &self.program);
        let frame = fingerprint::parse(&anr.stack)
            .into_iter()
            .flat_map(|t| t.frames)
            .find_map(|f| {
                let at = f.line.map(|l| format!(":{l}")).unwrap_or_default();
                (!fingerprint::is_platform(f.class))
                    .then(|| format!("{}.{}{at}", f.class, f.method))
            });
        // The length of a block differs from run to run; the place does not.
        let title = match &frame {
            Some(frame) => format!("main thread blocked in {frame}"),
            None => "main thread blocked".to_owned(),
        };
        let evidence = format!("blocked for {} ms\n{}", anr.ms, anr.stack);
        let mut finding = finding(step, FindingKind::Anr, hash, title, evidence);
        finding.frame = frame;
        finding.environment = blame(anr.environment.as_ref(), anr.detail.as_ref());
        vec![finding]
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::step;
    use super::*;
    use crate::device::Observation;
    use crate::gui::page::none;
    use crate::outcome::Anr;
    use crate::util::intern::Interner;

    #[test]
    fn only_blocks_over_the_limit_count() {
        let (page, interner) = (none(), Interner::default());
        let inspect = |ms, environment: Option<&str>| {
            let anr = Anr {
                ms,
                environment: environment.map(str::to_owned),
                detail: environment.map(|_| "IMount.format is never answered".into()),
                virtual_time: true,
                stack:
                    "main\n  at java.lang.Thread.sleep(Thread.java:1)\n  at com.x.A.work(A.java:9)"
                        .into(),
            };
            let after = Observation {
                anr: Some(anr),
                ..Observation::default()
            };
            AnrOracle::new(LIMIT_MS, Program::default())
                .inspect(&step(&page, &page, None, &after, &interner))
        };
        let found = |ms| inspect(ms, None);
        assert!(found(4_999).is_empty());
        assert_eq!(
            found(8_000)[0].title,
            "main thread blocked in com.x.A.work:9"
        );
        assert_eq!(found(8_000)[0].fingerprint, found(9_000)[0].fingerprint);
        assert!(found(8_000)[0].environment.is_none());
        let limit = inspect(8_000, Some("framework-stub"));
        assert_eq!(
            limit[0].environment.as_ref().unwrap().rule,
            "framework-stub"
        );
    }
}
