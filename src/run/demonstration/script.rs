//! A person's steps as scripts of a suite.

use super::Stretch;
use crate::trace::{RawStep, Step, Target, words};
use crate::util::text::{for_terminal, shorten};
use serde::Serialize;

#[derive(Serialize)]
struct Head {
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    when: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    activity: Option<String>,
}

/// `[[app.script]]` tables, ready to be pasted below an `[[app]]`: one for each stretch, for the screen on which it
/// began.
pub fn scripts<'s>(stretches: impl IntoIterator<Item = &'s Stretch>) -> String {
    let mut text = String::new();
    for (number, stretch) in stretches.into_iter().enumerate() {
        let head = Head {
            name: format!("shown-{}", number + 1),
            when: stretch.steps.first().and_then(path),
            activity: Some(stretch.activity.clone()).filter(|activity| !activity.is_empty()),
        };
        let between = if number == 0 { "" } else { "\n" };
        text += &format!("{between}[[app.script]]\n");
        text += &toml::to_string(&head).unwrap_or_default();
        text += "step = [\n";
        for (step, said) in stretch.steps.iter().zip(words::steps(&stretch.steps)) {
            let Ok(table) = toml::Value::try_from(plain(step)) else {
                continue;
            };
            text += &format!("    # {}\n", for_terminal(&shorten(&said, 200)));
            text += &format!("    {table},\n");
        }
        text += "]\n";
    }
    text
}

/// The step without the path and the place of its widget, if something else identifies the widget: a script is for
/// every device.
fn plain(step: &Step) -> RawStep {
    let mut step = step.clone();
    if let Step::On(target, _) = &mut step {
        let bare = Target {
            path: None,
            at: None,
            ..target.clone()
        };
        if !bare.is_empty() {
            *target = bare;
        }
    }
    RawStep::from(&step)
}

/// The path to the widget of a step, by its id or what it says.
fn path(step: &Step) -> Option<String> {
    let Step::On(target, _) = step else {
        return None;
    };
    let named = [
        ("resource-id", &target.id),
        ("text", &target.text),
        ("content-desc", &target.desc),
    ];
    let (attribute, value) = named.into_iter().find(|(_, value)| !value.is_empty())?;
    // XPath has no escapes.
    let quote = ['\'', '"']
        .into_iter()
        .find(|quote| !value.contains(*quote))?;
    Some(format!("//*[@{attribute}={quote}{value}{quote}]"))
}
