//! Checks beyond the schema: names are unique and refer to something, shares add up, and every app has a device that
//! can run it.

mod bench;
mod count;
mod data;
mod guide;
mod total;

use std::collections::{BTreeSet, HashMap};

use super::Settings;
use super::diagnose::{Code, Problem, listed, name_help, nearest};
use super::layer::{Origin, Stack};
use super::source::Segment;
use crate::strategy::definition::{Key, Together};

/// All problems of the merged settings.
pub fn check(settings: &Settings, stack: &Stack) -> Vec<Problem> {
    let mut rules = Rules {
        settings,
        stack,
        problems: Vec::new(),
    };
    rules.unique_names();
    rules.unique_seeds();
    rules.selections();
    rules.apps();
    rules.counts();
    rules.conflicts();
    rules.contradictions();
    rules.guides();
    rules.data();
    rules.bench();
    rules.total();
    rules.problems
}

/// Inconsistent strategies, once the named members of portfolios have been replaced by their tables.
pub fn joined(settings: &Settings, stack: &Stack) -> Vec<Problem> {
    let mut rules = Rules {
        settings,
        stack,
        problems: Vec::new(),
    };
    rules.inconsistent();
    rules.problems
}

struct Rules<'a> {
    settings: &'a Settings,
    stack: &'a Stack,
    problems: Vec<Problem>,
}

macro_rules! path {
    ($($step:expr),*) => { [$(Segment::from($step)),*] };
}

impl Rules<'_> {
    fn unique_names(&mut self) {
        let settings = self.settings;
        let apps: Vec<_> = settings.apps.iter().map(|app| app.name.as_str()).collect();
        let devices: Vec<_> = settings
            .devices
            .iter()
            .map(|device| device.name.as_str())
            .collect();
        let strategies: Vec<_> = settings
            .strategies
            .iter()
            .map(|strategy| strategy.name())
            .collect();
        self.unique("app", &apps);
        self.unique("device", &devices);
        self.unique("strategy", &strategies);
    }

    fn unique(&mut self, table: &str, names: &[&str]) {
        let mut first: HashMap<String, usize> = HashMap::new();
        for (index, name) in names.iter().enumerate() {
            // Names become folders, and some file systems ignore case.
            let Some(before) = first.insert(name.to_lowercase(), index) else {
                continue;
            };
            let place = |index: usize, label: &str| {
                let named = path![table, index, "name"];
                let unnamed = path![table, index];
                self.stack
                    .place(&named, label)
                    .or_else(|| self.stack.place(&unnamed, label))
            };
            let problem = Problem::new(
                Code::DuplicateName,
                format!("two of the `{table}` tables are named `{name}`"),
            )
            .at(place(index, "the second"))
            .at(place(before, "the first"))
            .help(if table == "strategy" {
                "give one of them a `name` (without one, a strategy has the name of its kind)"
                    .to_owned()
            } else {
                "give one of them another `name`".to_owned()
            });
            self.problems.push(problem);
        }
    }

    fn unique_seeds(&mut self) {
        let seeds = &self.settings.suite.seeds;
        for (index, seed) in seeds.iter().enumerate() {
            if seeds[..index].contains(seed) {
                let problem = Problem::new(
                    Code::DuplicateValue,
                    format!("the seed {seed} is in `suite.seeds` twice"),
                )
                .at(self
                    .stack
                    .place(&path!["suite", "seeds", index], "the second"))
                .help("a seed gives one session; delete one of them".to_owned());
                self.problems.push(problem);
            }
        }
    }

    fn selections(&mut self) {
        let (apps, devices, strategies) = names(self.settings);
        let suite = &self.settings.suite;
        for (key, chosen, known) in [
            ("apps", &suite.apps, &apps),
            ("devices", &suite.devices, &devices),
            ("strategies", &suite.strategies, &strategies),
        ] {
            for (index, name) in chosen.iter().flatten().enumerate() {
                let path = path!["suite", key, index];
                self.known(name, known, key, &path);
            }
        }
        for name in self.settings.bench.think.keys() {
            let path = path!["bench", "think", name.as_str()];
            self.known(name, &strategies, "strategies", &path);
        }
        let gate = self.settings.gate.as_ref();
        if let Some(name) = gate.and_then(|gate| gate.confirm.as_ref()) {
            self.known(name, &devices, "devices", &path!["gate", "confirm"]);
        }
        for (index, app) in self.settings.apps.iter().enumerate() {
            for (place, name) in app.devices.iter().flatten().enumerate() {
                let path = path!["app", index, "devices", place];
                self.known(name, &devices, "devices", &path);
            }
        }
    }

    fn known(&mut self, name: &str, known: &[&str], what: &str, path: &[Segment]) {
        if known.contains(&name) {
            return;
        }
        let code = match self.stack.origin(path) {
            Origin::Flag(_) => Code::NothingSelected,
            _ => Code::UnknownName,
        };
        let one = match what {
            "apps" => "app",
            "devices" => "device",
            _ => "strategy",
        };
        // A suite that names no strategy takes any kind by its name.
        let kinds = (what == "strategies"
            && self.stack.origin(&path!["strategy"]) == Origin::Default)
            .then(|| crate::strategy::ALL.iter().map(|entry| entry.name));
        let known = known.iter().copied().chain(kinds.into_iter().flatten());
        let known: BTreeSet<&str> = known.collect();
        let problem = Problem::new(code, format!("there is no {one} `{name}`"))
            .at(self.stack.place(path, "no such name"))
            .help(name_help(name, known, what));
        self.problems.push(problem);
    }

    fn apps(&mut self) {
        let settings = self.settings;
        if settings.apps.is_empty() {
            let problem = Problem::new(
                Code::NoApps,
                format!("the suite {} has no app", self.stack.file()),
            )
            .help("add one: [[app]] with a `name` and an `apk` or a `model`".to_owned());
            return self.problems.push(problem);
        }
        for (index, app) in settings.apps.iter().enumerate() {
            let source = if app.source.apk().is_some() {
                "an APK"
            } else {
                "a model"
            };
            for (place, name) in app.devices.iter().flatten().enumerate() {
                let device = settings.devices.iter().find(|device| device.name == *name);
                let Some(device) = device.filter(|device| !device.can_run(app)) else {
                    continue;
                };
                let problem = Problem::new(
                    Code::DeviceCannotRunApp,
                    format!(
                        "the {} device `{name}` cannot run the app `{}`, which is {source}",
                        device.kind_name(),
                        app.name
                    ),
                )
                .at(self
                    .stack
                    .place(&path!["app", index, "devices", place], "cannot run it"))
                .help("a `sim` device runs models, a `jvm` device runs APKs".to_owned());
                self.problems.push(problem);
            }
            if !settings.devices.iter().any(|device| device.can_run(app)) {
                let kind = if app.source.apk().is_some() {
                    "jvm"
                } else {
                    "sim"
                };
                let problem = Problem::new(
                    Code::AppWithoutDevice,
                    format!(
                        "no device of the suite can run the app `{}`, which is {source}",
                        app.name
                    ),
                )
                .at(self.stack.place(&path!["app", index, "name"], "this app"))
                .help(format!("add a [[device]] with kind = \"{kind}\""));
                self.problems.push(problem);
            }
        }
    }

    /// Keys of a strategy, or of one inside it, that exclude each other.
    fn contradictions(&mut self) {
        for (index, strategy) in self.settings.strategies.iter().enumerate() {
            let own = std::iter::once((Vec::new(), &strategy.kind));
            for (keys, kind) in own.chain(strategy.kind.inside()) {
                let at = |more: &[&str]| {
                    let more = more.iter().copied().map(Segment::from);
                    below(index, &keys).chain(more).collect::<Vec<_>>()
                };
                // One that contains another has that one's policy.
                let policy = kind.policy().filter(|_| !kind.entry().wraps);
                if policy.is_some_and(|policy| policy.fresh && policy.load.is_some()) {
                    self.either(["load", "fresh"].map(|key| (key, at(&["policy", key]))));
                }
                for group in kind.entry().either {
                    let places = group.map(|key| (key, at(&[key])));
                    let set = |(_, path): &(&str, Vec<Segment>)| {
                        self.stack.origin(path) != Origin::Default
                    };
                    if places.iter().all(set) {
                        self.either(places);
                    }
                }
            }
        }
    }

    fn either(&mut self, [(first, at_first), (second, at_second)]: [(&str, Vec<Segment>); 2]) {
        let said = format!("a strategy has both `{first}` and `{second}`");
        let problem = Problem::new(Code::ConflictingKeys, said)
            .at(self.stack.place(&at_second, "this one"))
            .at(self.stack.place(&at_first, "and this one"))
            .help("keep one of them".to_owned());
        self.problems.push(problem);
    }

    /// A name of another strategy in a strategy's settings.
    fn member(&mut self, index: usize, keys: &[Key], name: &str) {
        let all = &self.settings.strategies;
        let (message, label) = match all.iter().position(|other| other.name() == name) {
            Some(at) if at == index => (
                format!("`{name}` cannot be a member of itself"),
                "in a circle",
            ),
            Some(at) if all[at].kind.entry().wraps => (
                format!("`{name}` cannot be a member: it contains a strategy itself"),
                "cannot be inside another one",
            ),
            Some(_) => return,
            None => (
                format!("there is no strategy `{name}`"),
                "no [[strategy]] has this name",
            ),
        };
        let usable = all.iter().filter(|other| !other.kind.entry().wraps);
        let usable: Vec<_> = usable.map(|other| other.name()).collect();
        let place: Vec<_> = below(index, keys).collect();
        let problem = Problem::new(Code::UnknownValue, message);
        self.problems.push(
            problem
                .at(self.stack.place(&place, label))
                .help(member_help(name, &usable)),
        );
    }

    /// Settings of a strategy that are inconsistent.
    fn conflicts(&mut self) {
        for (index, strategy) in self.settings.strategies.iter().enumerate() {
            for (keys, name) in strategy.kind.named() {
                self.member(index, &keys, name);
            }
        }
        self.inconsistent();
    }

    fn inconsistent(&mut self) {
        for (index, strategy) in self.settings.strategies.iter().enumerate() {
            let Some(found) = strategy.kind.conflict() else {
                continue;
            };
            let label = match found.what {
                Together::Shares => "this strategy",
                Together::Order => "not in this order",
                Together::Exclude => "would have no effect",
            };
            // A named member has no table here: then the name is marked.
            let mut path: Vec<_> = below(index, &found.keys).collect();
            let mut place = None;
            while place.is_none() && path.len() > 1 {
                place = self.stack.place(&path, label);
                path.pop();
            }
            let problem = Problem::new(found.what.into(), found.message).at(place);
            self.problems.push(problem.help(found.fix.to_owned()));
        }
    }
}

/// The path of a strategy's value, or of one inside it.
fn below(index: usize, keys: &[Key]) -> impl Iterator<Item = Segment> {
    let strategy = path!["strategy", index].into_iter();
    strategy.chain(keys.iter().copied().map(Segment::from))
}

/// The help for a name that is no member: the nearest table or kind, else all. `named`: the tables that can be one.
fn member_help(name: &str, named: &[&str]) -> String {
    let kinds = crate::strategy::ALL.iter().filter(|entry| !entry.wraps);
    let kinds: Vec<_> = kinds.map(|entry| entry.name).collect();
    if let Some(near) = nearest(name, named.iter().copied()) {
        return format!("did you mean `{near}`?");
    }
    if let Some(near) = nearest(name, kinds.iter().copied()) {
        return format!("write a table: `{{ kind = \"{near}\" }}`");
    }
    let others = match named {
        [] => String::new(),
        _ => format!(": {}", listed(named)),
    };
    format!(
        "a member is a table `{{ kind = ... }}` (the kinds are {}) or the name of another [[strategy]] of such a kind{others}",
        listed(&kinds)
    )
}

/// The names of the apps, devices and strategies.
pub fn names(settings: &Settings) -> (Vec<&str>, Vec<&str>, Vec<&str>) {
    (
        settings.apps.iter().map(|app| app.name.as_str()).collect(),
        settings
            .devices
            .iter()
            .map(|device| device.name.as_str())
            .collect(),
        settings
            .strategies
            .iter()
            .map(|strategy| strategy.name())
            .collect(),
    )
}
