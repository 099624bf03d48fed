//! A person's steps as scripts of a suite.

use super::Stretch;
use crate::trace::{RawStep, Step, Target, words};
use crate::util::quote::double_quoted;
use crate::util::text::{for_terminal, shorten};

/// `[[app.script]]` tables, ready to be pasted below an `[[app]]`: one for each stretch, for the screen on which it
/// began. All text of the app is in double quotes, where what a terminal does not show is escaped.
pub fn scripts<'s>(stretches: impl IntoIterator<Item = &'s Stretch>) -> String {
    let mut text = String::new();
    for (number, stretch) in stretches.into_iter().enumerate() {
        let between = if number == 0 { "" } else { "\n" };
        text += &format!("{between}[[app.script]]\nname = \"shown-{}\"\n", number + 1);
        if let Some(when) = stretch.steps.first().and_then(path) {
            text += &format!("when = {}\n", string(&when));
        }
        if !stretch.activity.is_empty() {
            text += &format!("activity = {}\n", string(&stretch.activity));
        }
        text += "step = [\n";
        for (step, said) in stretch.steps.iter().zip(words::steps(&stretch.steps)) {
            text += &format!("    # {}\n", for_terminal(&shorten(&said, 200)));
            match toml::Value::try_from(plain(step)) {
                Ok(table) => text += &format!("    {},\n", inline(&table)),
                Err(_) => text += "    # not written: TOML cannot hold this step\n",
            }
        }
        text += "]\n";
    }
    text
}

/// A value on one line.
fn inline(value: &toml::Value) -> String {
    match value {
        toml::Value::String(text) => string(text),
        toml::Value::Array(all) => {
            let all: Vec<_> = all.iter().map(inline).collect();
            format!("[{}]", all.join(", "))
        }
        toml::Value::Table(table) => {
            let entry = |(key, value): (&String, _)| format!("{} = {}", name(key), inline(value));
            let entries: Vec<_> = table.iter().map(entry).collect();
            format!("{{ {} }}", entries.join(", "))
        }
        other => other.to_string(),
    }
}

fn name(key: &str) -> String {
    let bare = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    match !key.is_empty() && key.chars().all(bare) {
        true => key.to_owned(),
        false => string(key),
    }
}

/// A string that stays the same on a terminal and in the log of a runner, where `##[` starts a command.
fn string(text: &str) -> String {
    double_quoted(text).replace("##[", "#\\u0023[")
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gui::SystemEvent;
    use crate::trace::Deed;
    use crate::util::console::Clean;

    #[test]
    fn hidden_characters_are_escaped_and_mean_the_same() {
        let hostile = "a\u{202e}b\u{1b}[2J\u{9b}\r\n\t\"'\\ ##[x] \u{200b}\u{7f} é";
        let target = Target {
            text: hostile.to_owned(),
            ..Target::default()
        };
        let stretch = Stretch {
            activity: hostile.to_owned(),
            steps: vec![Step::On(target, Deed::Click)],
        };
        let text = scripts([&stretch]);
        assert_eq!(Clean::plain(&text), Clean::own(&text));
        let suite: toml::Table = text.parse().unwrap();
        let script = &suite["app"]["script"][0];
        assert_eq!(script["activity"].as_str(), Some(hostile));
        assert_eq!(script["step"][0]["text"].as_str(), Some(hostile));
    }

    #[test]
    fn no_step_is_dropped_for_its_numbers() {
        let large = serde_json::Number::from(u64::MAX);
        let stretch = Stretch {
            activity: String::new(),
            steps: vec![
                Step::Wait(u64::MAX),
                Step::System(SystemEvent::Sensor {
                    sensor: 1,
                    values: vec![large],
                }),
            ],
        };
        let text = scripts([&stretch]);
        let suite: toml::Table = text.parse().unwrap();
        let steps = suite["app"]["script"][0]["step"].as_array().unwrap();
        assert_eq!(steps[0]["ms"].as_integer(), Some(i64::MAX), "{text}");
        assert!(steps[1]["values"][0].as_float().unwrap() > 1e19, "{text}");
    }
}
