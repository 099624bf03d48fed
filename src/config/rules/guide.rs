//! `[app.block]`, `[app.allow]` and `[[app.script]]`: XPaths parse, regions are not empty, steps are valid.

use super::super::diagnose::{Code, Problem, listed, nearest};
use super::super::source::Segment;
use super::Rules;
use crate::gui::XPath;
use crate::settings::{App, Parts, Script};

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

fn joined(at: &[Segment], more: &[Segment]) -> Vec<Segment> {
    [at, more].concat()
}
