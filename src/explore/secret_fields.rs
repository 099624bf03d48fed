//! The fields into which a trace may type the suite's secrets.
//!
//! A trace may be anyone's: one that types the password into a search field or a comment would give it away. The suite
//! names the fields, by the keys of `[app.text]` and by the steps of its scripts; a trace types a secret into those only.

use super::follow::Hindrance;
use super::text::TextGenerator;
use crate::config;
use crate::gui::{EventKind, Page, ScreenMatch};
use crate::trace::find::{By, Fit, find};
use crate::trace::{Deed, Step, Target};
use crate::util::intern::Interner;
use crate::util::text::shorten;

/// Characters of a field's name in a message.
const NAME: usize = 60;

/// The fields for each secret.
#[derive(Clone, Debug, Default)]
pub struct SecretFields {
    /// Keys of texts that are no secrets.
    plain: Vec<String>,
    /// What an exploration would type into a field.
    by_name: TextGenerator,
    by_script: Vec<ScriptField>,
}

/// A field into which a script types a secret.
#[derive(Clone, Debug)]
struct ScriptField {
    key: String,
    target: Target,
    /// The activity of the script, as long as its steps do not leave it.
    activity: Option<ScreenMatch>,
}

impl SecretFields {
    /// Of an app of the suite. `texts`: key and value of all of `[app.text]`; `secrets`: keys of those that are secrets.
    pub fn new(app: &config::App, texts: &[(String, String)], secrets: &[String]) -> Self {
        let keys = texts.iter().map(|(key, _)| key);
        Self {
            plain: keys.filter(|key| !secrets.contains(key)).cloned().collect(),
            by_name: TextGenerator::with_values(texts.to_vec()),
            by_script: app.scripts.iter().flat_map(fields_of).collect(),
        }
    }

    /// Whether this secret may be typed into this widget of the page.
    ///
    /// # Errors
    /// The suite names other fields for it, or none.
    pub fn check(
        &self,
        key: &str,
        page: &Page,
        widget: u32,
        interner: &Interner,
    ) -> Result<(), Hindrance> {
        let by_script = |field: &ScriptField| {
            let is_there = |screen: &ScreenMatch| screen.is_on(page, interner);
            field.key == key
                && field.activity.as_ref().is_none_or(is_there)
                && find(page, interner, &field.target, EventKind::Text, Fit::Loose)
                    .is_some_and(|(n, by)| n == widget && !matches!(by, By::Path | By::Place))
        };
        let allowed = self.plain.iter().any(|plain| plain == key)
            || self.by_name.key_of(page, widget, interner) == Some(key)
            || self.by_script.iter().any(by_script);
        match allowed {
            true => Ok(()),
            false => Err(Hindrance::Field {
                key: key.to_owned(),
                field: name(page, widget, interner),
            }),
        }
    }
}

fn fields_of(script: &config::Script) -> Vec<ScriptField> {
    let screen = || {
        let activity = script.activity.as_deref()?;
        ScreenMatch::new(None, Some(activity)).ok()
    };
    let mut stays = true;
    let mut fields = Vec::new();
    for step in script.step.iter().filter_map(|raw| raw.step().ok()) {
        let Step::On(target, Deed::Type(typed)) = step else {
            stays = false;
            continue;
        };
        // A field that its place alone names may be any on another page.
        let named = [&target.id, &target.text, &target.desc, &target.caption];
        let named = named.iter().any(|name| !name.is_empty());
        if let Some(key) = typed.secret.filter(|_| named) {
            let activity = screen().filter(|_| stays);
            fields.push(ScriptField {
                key,
                target,
                activity,
            });
        }
    }
    fields
}

/// What a person would call a field.
fn name(page: &Page, widget: u32, interner: &Interner) -> String {
    let Some(field) = page.widgets.get(widget as usize) else {
        return String::new();
    };
    let id = interner.get(field.resource_id);
    let id = id.rsplit('/').next().unwrap_or(id);
    let names = [
        id,
        interner.get(field.hint),
        interner.get(field.description),
        interner.get(field.class),
    ];
    let name = names.into_iter().find(|name| !name.is_empty());
    shorten(name.unwrap_or_default(), NAME).into_owned()
}

#[cfg(test)]
mod tests {
    use super::super::follow::{Texts, find_step};
    use super::*;
    use crate::gui::{Flags, RawNode, Rect};
    use crate::trace::Typed;

    const APP: &str = "name = \"a\"\nmodel = \"builtin:shop\"\n\
        [[script]]\nname = \"login\"\nactivity = \"Login\"\n\
        step = [{ do = \"type\", id = \"code\", secret = \"pin\" }, { do = \"click\", id = \"ok\" }, \
        { do = \"type\", id = \"again\", secret = \"pin\" }]\n\
        [[script]]\nname = \"word\"\nactivity = \"Login\"\nask = \"Which word?\"\n\
        step = [{ do = \"type\", id = \"word\", secret = \"word\" }]\n";

    fn page(activity: &str, ids: &[&str]) -> (Page, Interner) {
        let mut interner = Interner::default();
        let node = |(at, id): (usize, &&str)| RawNode {
            parent: -1,
            class: "android.widget.EditText".into(),
            resource_id: format!("a:id/{id}"),
            flags: Flags::VISIBLE | Flags::ENABLED | Flags::EDITABLE | Flags::CLICKABLE,
            bounds: Rect::from([0, 10 * at as i32, 9, 10 * at as i32 + 9]),
            ..RawNode::default()
        };
        let nodes: Vec<_> = ids.iter().enumerate().map(node).collect();
        let page = Page::build(&nodes, activity, 0, (9, 99), &mut interner);
        (page, interner)
    }

    fn texts() -> Texts {
        let app: config::App = toml::from_str(APP).unwrap();
        let pairs = [("password", "hunter2"), ("pin", "4711"), ("city", "Oslo")];
        let pairs = pairs.map(|(key, value)| (key.to_owned(), value.to_owned()));
        let secrets = ["password", "pin"].map(str::to_owned);
        let mut texts =
            Texts::for_traces(pairs.to_vec(), SecretFields::new(&app, &pairs, &secrets));
        texts.set("word", Some("sesame".into()));
        texts
    }

    fn typed(id: &str, key: &str) -> Step {
        let target = Target {
            id: id.into(),
            ..Target::default()
        };
        Step::On(
            target,
            Deed::Type(Typed {
                text: String::new(),
                secret: Some(key.into()),
                enter: false,
            }),
        )
    }

    #[test]
    fn a_trace_types_a_secret_only_where_the_suite_names_the_field() {
        let ids = [
            "user_password",
            "search",
            "code",
            "again",
            "word",
            "city_name",
        ];
        let texts = texts();
        for (activity, id, key, allowed) in [
            ("a.Main", "user_password", "password", true),
            ("a.Main", "search", "password", false),
            ("a.Main", "city_name", "password", false),
            ("a.Login", "code", "pin", true),
            ("a.Other", "code", "pin", false),
            // The script has left its screen by then.
            ("a.Other", "again", "pin", true),
            ("a.Login", "search", "pin", false),
            ("a.Login", "user_password", "pin", false),
            ("a.Login", "word", "word", true),
            ("a.Login", "search", "word", false),
            // No secret.
            ("a.Main", "search", "city", true),
        ] {
            let (page, interner) = page(activity, &ids);
            for fit in [Fit::Strict, Fit::Loose] {
                let found = find_step(&typed(id, key), &page, &interner, &texts, fit);
                match allowed {
                    true => assert!(found.is_ok(), "{activity} {id} {key}: {found:?}"),
                    false => {
                        let why = found.unwrap_err().to_string();
                        assert!(why.contains(&format!("the secret `{key}`")), "{why}");
                        assert!(why.contains(&format!("`{id}`")), "{why}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_widget_that_only_its_place_names_takes_no_secret() {
        let (page, interner) = page("a.Main", &["search"]);
        let mut step = typed("password", "password");
        if let Step::On(target, _) = &mut step {
            target.at = Some(crate::trace::Spot { x: 0.5, y: 0.05 });
        }
        let found = find_step(&step, &page, &interner, &texts(), Fit::Loose);
        assert!(matches!(found, Err(Hindrance::Field { .. })), "{found:?}");
    }

    #[test]
    fn steps_of_the_suite_type_where_they_want() {
        let (page, interner) = page("a.Main", &["search"]);
        let texts = Texts::new(vec![("password".to_owned(), "hunter2".to_owned())]);
        let step = typed("search", "password");
        assert!(find_step(&step, &page, &interner, &texts, Fit::Strict).is_ok());
    }
}
