//! `[bench]`: events must cost modelled time.

use super::super::diagnose::{Code, Problem};
use super::super::layer::Origin;
use super::super::source::Segment;
use super::Rules;

impl Rules<'_> {
    /// If only modelled time limits a session, events without cost would never end it.
    pub(super) fn bench(&mut self) {
        let settings = self.settings;
        let bench = &settings.bench;
        let Some(time) = bench.time else {
            return;
        };
        let free = |path: &[Segment], what: String, help: &str| {
            Problem::new(Code::OutOfRange, what)
                .at(self.stack.place(path, "no time"))
                .help(help.to_owned())
        };
        let mut problems = Vec::new();
        if time.0.is_zero() {
            let path = ["bench", "time"].map(Segment::from);
            let what = "`bench.time` is 0, so sessions would have no events".to_owned();
            problems.push(free(
                &path,
                what,
                "write a time such as \"1h\", or delete the key",
            ));
        }
        let budget = &settings.suite.budget;
        // The default limit on events does not apply where modelled time is limited.
        let events = self
            .stack
            .origin(&["suite", "budget", "events"].map(Segment::from));
        if events == Origin::Default && budget.time.is_none() && budget.plateau.is_none() {
            let thinks = |name: &str| {
                bench
                    .think
                    .get(name)
                    .is_some_and(|think| !think.0.is_zero())
            };
            let all_think = settings.strategies.iter().all(|s| thinks(s.name()));
            for (key, cost) in [
                ("tap", bench.cost.tap),
                ("long-press", bench.cost.long_press),
                ("gesture", bench.cost.gesture),
                ("text", bench.cost.text),
                ("system", bench.cost.system),
            ] {
                if cost.0.is_zero() && !all_think {
                    let path = ["bench", "cost", key].map(Segment::from);
                    let what = format!("`{key}` is 0, but only `bench.time` limits a session");
                    let help = "write a longer time, or also set `events` in `suite.budget`";
                    problems.push(free(&path, what, help));
                }
            }
        }
        self.problems.append(&mut problems);
    }
}
