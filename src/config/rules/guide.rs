//! `[app.block]`, `[app.allow]` and `[[app.script]]`: XPaths parse, regions are not empty, steps are valid.

use super::super::diagnose::{Code, Problem, listed, nearest};
use super::super::source::Segment;
use super::Rules;
use crate::gui::XPath;
use crate::settings::{App, Parts, Script};
use regex::Regex;

impl Rules<'_> {
    pub(super) fn guides(&mut self) {
        let settings = self.settings;
        for (index, app) in settings.apps.iter().enumerate() {
            let at = [Segment::from("app"), Segment::from(index)];
            for (key, parts) in [("block", &app.block), ("allow", &app.allow)] {
                self.parts(parts, &joined(&at, &[key.into()]));
            }
            for (number, script) in app.scripts.iter().enumerate() {
                let at = joined(&at, &["script".into(), number.into()]);
                self.script(app, number, script, &at);
            }
        }
    }

    fn parts(&mut self, parts: &Parts, at: &[Segment]) {
        for (number, text) in parts.widgets.iter().enumerate() {
            // Anything else is a resource id, which the schema checks.
            if text.starts_with('/') {
                self.path(text, &joined(at, &["widgets".into(), number.into()]));
            }
        }
        for (number, [left, top, right, bottom]) in parts.regions.iter().enumerate() {
            if left < right && top < bottom {
                continue;
            }
            let problem = Problem::new(Code::OutOfRange, "the region is empty".to_owned())
                .at(self.stack.place(
                    &joined(at, &["regions".into(), number.into()]),
                    "left, top, right, bottom",
                ))
                .help("write the left edge before the right one and the top before the bottom, from 0 to 1".to_owned());
            self.problems.push(problem);
        }
    }

    fn path(&mut self, text: &str, at: &[Segment]) {
        let Err(error) = text.parse::<XPath>() else {
            return;
        };
        let problem = Problem::new(
            Code::BadFormat,
            format!("the XPath {text:?} cannot be read: {error}"),
        )
        .at(self.stack.place(at, "not understood"))
        .help(
            "such as //Button[@text='Log in'] or //*[@resource-id='skip' and @enabled='true']"
                .to_owned(),
        );
        self.problems.push(problem);
    }

    fn script(&mut self, app: &App, number: usize, script: &Script, at: &[Segment]) {
        let name = &script.name;
        if app.scripts[..number].iter().any(|one| one.name == *name) {
            let problem = Problem::new(
                Code::DuplicateName,
                format!("two scripts of the app `{}` are named `{name}`", app.name),
            )
            .at(self
                .stack
                .place(&joined(at, &["name".into()]), "the second"))
            .help("give one of them another `name`".to_owned());
            self.problems.push(problem);
        }
        match &script.when {
            Some(when) => self.path(when, &joined(at, &["when".into()])),
            None if script.activity.is_none() => {
                let problem = Problem::new(
                    Code::MissingKey,
                    format!("the script `{name}` has neither `when` nor `activity`"),
                )
                .at(self.stack.place(&joined(at, &["name".into()]), "this script"))
                .help("name its screen: `when = \"//*[@resource-id='login']\"` or `activity = \"LoginActivity\"`".to_owned());
                self.problems.push(problem);
            }
            None => {}
        }
        self.asserted(script, at);
        self.asked(app, script, at);
        for (number, step) in script.step.iter().enumerate() {
            let place = joined(at, &["step".into(), number.into()]);
            if let Err(fault) = step.step() {
                let problem = Problem::new(
                    Code::BadFormat,
                    format!(
                        "step {} of the script `{name}`: {}",
                        number + 1,
                        fault.message
                    ),
                )
                .at(self.stack.place(&place, "this step"))
                .help(fault.help);
                self.problems.push(problem);
            }
            if let Some(key) = step
                .secret
                .as_ref()
                .filter(|key| !app.text.contains_key(*key))
                .filter(|key| script.ask.is_none() || *key != name)
            {
                let keys: Vec<_> = app.text.keys().map(String::as_str).collect();
                let help = match nearest(key, keys.iter().copied()) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None if keys.is_empty() => {
                        format!("add it: [app.text] with {key} = {{ env = \"NAME\" }}")
                    }
                    None => format!("the keys of [app.text] are {}", listed(&keys)),
                };
                let problem = Problem::new(
                    Code::UnknownName,
                    format!("[app.text] of the app `{}` has no `{key}`", app.name),
                )
                .at(self
                    .stack
                    .place(&joined(&place, &["secret".into()]), "no such text"))
                .help(help);
                self.problems.push(problem);
            }
        }
    }
}

impl Rules<'_> {
    /// A script does something or asserts something that can be checked.
    fn asserted(&mut self, script: &Script, at: &[Segment]) {
        let name = &script.name;
        let Some(assert) = &script.assert else {
            if script.step.is_empty() {
                let problem = Problem::new(
                    Code::MissingKey,
                    format!("the script `{name}` has neither `step` nor `assert`"),
                )
                .at(self.stack.place(&joined(at, &["name".into()]), "this script"))
                .help("add what it does, such as `step = [{ do = \"back\" }]`, or what must hold, such as `assert = { widget = \"total\" }`".to_owned());
                self.problems.push(problem);
            }
            return;
        };
        let at = joined(at, &["assert".into()]);
        if assert.widget.starts_with('/') {
            self.path(&assert.widget, &joined(&at, &["widget".into()]));
        }
        if let Some(Err(error)) = assert.text.as_deref().map(Regex::new) {
            let problem = Problem::new(
                Code::BadFormat,
                format!("the regular expression of the script `{name}` cannot be read: {}", last_line(&error)),
            )
            .at(self.stack.place(&joined(&at, &["text".into()]), "not understood"))
            .help("the syntax is that of Rust's regex crate, such as '^[0-9]+ items$'; put it in single quotes, in which TOML keeps backslashes".to_owned());
            self.problems.push(problem);
        }
        let more = assert.text.is_some() || assert.enabled.is_some() || assert.checked.is_some();
        if more && !assert.exists {
            let problem = Problem::new(
                Code::ConflictingKeys,
                format!("the script `{name}` asserts that a widget is absent and what it is like"),
            )
            .at(self.stack.place(&joined(&at, &["exists".into()]), "absent"))
            .help("remove `exists = false`, or `text`, `enabled` and `checked`".to_owned());
            self.problems.push(problem);
        }
    }

    /// The answer to a script's question has a name of its own, and is typed.
    fn asked(&mut self, app: &App, script: &Script, at: &[Segment]) {
        let name = &script.name;
        if script.ask.is_none() {
            return;
        }
        let place = self
            .stack
            .place(&joined(at, &["ask".into()]), "this question");
        let problem = if app.text.contains_key(name) {
            Problem::new(
                Code::ConflictingKeys,
                format!("`{name}` is both a script that asks and a key of [app.text]"),
            )
            .help("rename one of them: `secret` names both".to_owned())
        } else if !(script.step.iter()).any(|step| step.secret.as_ref() == Some(name)) {
            Problem::new(
                Code::MissingKey,
                format!("the script `{name}` asks, but no step types the answer"),
            )
            .help(format!(
                "add a step such as {{ do = \"type\", id = \"code\", secret = \"{name}\" }}"
            ))
        } else {
            return;
        };
        self.problems.push(problem.at(place));
    }
}

/// The part of an error that says what is wrong; the lines before show the expression again.
fn last_line(error: &regex::Error) -> String {
    let text = error.to_string();
    let line = text.lines().last().unwrap_or_default();
    line.trim_start_matches("error: ").to_owned()
}

fn joined(at: &[Segment], more: &[Segment]) -> Vec<Segment> {
    [at, more].concat()
}
