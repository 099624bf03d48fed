//! `[bench]`: modelled time has to pass.

use super::super::diagnose::{Code, Problem};
use super::super::layer::Origin;
use super::super::source::Step;
use super::Rules;

impl Rules<'_> {
    /// Where modelled time alone ends a session, an event that costs nothing is one of endlessly many.
    pub(super) fn bench(&mut self) {
        let settings = self.settings;
        let bench = &settings.bench;
        let Some(time) = bench.time else {
            return;
        };
        let free = |path: &[Step], what: String, help: &str| {
            Problem::new(Code::OutOfRange, what)
                .at(self.stack.place(path, "no time"))
                .help(help.to_owned())
        };
        let mut problems = Vec::new();
        if time.0.is_zero() {
            let path = ["bench", "time"].map(Step::from);
            let what = "`bench.time` lets no session do anything".to_owned();
            problems.push(free(
                &path,
                what,
                "write a time such as \"1h\", or leave it out",
            ));
        }
        let budget = &settings.suite.budget;
        // The events that a suite without any limit gets do not end a session that modelled time does.
        let events = self
            .stack
            .origin(&["suite", "budget", "events"].map(Step::from));
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
                    let path = ["bench", "cost", key].map(Step::from);
                    let what =
                        format!("`{key}` costs no time, and `bench.time` alone ends a session");
                    let help = "let it cost some, or give `suite.budget` a number of events, too";
                    problems.push(free(&path, what, help));
                }
            }
        }
        self.problems.append(&mut problems);
    }
}
