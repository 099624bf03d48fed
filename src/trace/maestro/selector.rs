//! Widgets, texts and places of a flow.

use super::super::find::TEXT;
use super::super::format::{Spot, Target};
use super::yaml::{Mistake, Node, Value};

/// Keys beside those of a selector that change nothing: how often Maestro tries, how long it waits, what it prints.
const HARMLESS: [&str; 7] = [
    "label",
    "optional",
    "retryTapIfNoChange",
    "retryIfNoChange",
    "waitToSettleTimeoutMs",
    "waitUntilVisible",
    "delay",
];

/// The widget that is selected; `own`: keys of the command itself.
pub fn target(node: &Node, own: &[&str]) -> Result<Target, Mistake> {
    let mut target = Target::default();
    if let Value::Text(_) = &node.value {
        target.text = said(node, "the text")?;
        return Ok(target);
    }
    for (key, value) in node.entries() {
        let name = key.need("a key")?;
        match name {
            "id" => target.id = said(value, "`id`")?,
            "text" => target.text = said(value, "`text`")?,
            "index" => {
                let index = node.number_of("index")?.unwrap_or(0);
                target.nth = usize::try_from(index).ok();
            }
            "containsDescendants" => target.caption = inside(value)?,
            "enabled" if node.flag("enabled")? == Some(true) => {}
            name if own.contains(&name) || HARMLESS.contains(&name) => {}
            name => {
                let help = "select the widget by `id`, `text`, `index` or one text in `containsDescendants`";
                let message = format!("`{name}` is not a selector that can be read");
                return Err(Mistake::new(&key.at, message, help));
            }
        }
    }
    let bare = Target {
        nth: None,
        ..target.clone()
    };
    if target.nth.is_some() && bare.is_empty() {
        let at = node.get("index").map_or(&node.at, |index| &index.at);
        let message = "`index` alone selects no widget: it counts all that are on the screen";
        let help = "add `id` or `text`; `index` counts the widgets with it";
        return Err(Mistake::new(at, message, help));
    }
    Ok(target)
}

/// A text that selects a widget.
fn said(node: &Node, what: &str) -> Result<String, Mistake> {
    let text = literal(node.need(what)?, node)?;
    match text.is_empty() {
        false => Ok(text),
        true => {
            let message = format!("{what} of a widget is empty");
            Err(Mistake::new(
                &node.at,
                message,
                "write it, or delete the key",
            ))
        }
    }
}

/// The only text inside a row.
fn inside(node: &Node) -> Result<String, Mistake> {
    let only = match &node.value {
        Value::List(list) => list.as_slice().first().filter(|_| list.len() == 1),
        _ => None,
    };
    let text = only.and_then(|one| match (&one.value, one.entries()) {
        (Value::Text(_), _) => Some(one),
        (_, [(key, text)]) if key.text() == Some("text") => Some(text),
        _ => None,
    });
    let Some(text) = text else {
        let message = "`containsDescendants` is not one text";
        return Err(Mistake::new(&node.at, message, "name one text"));
    };
    said(text, "the text")
}

/// The text that a pattern stands for. Maestro's selectors are regular expressions, and texts that are equal to them:
/// what a reader takes for a text is one, and punctuation behind a backslash stands for itself.
pub fn literal(pattern: &str, node: &Node) -> Result<String, Mistake> {
    let refused = |what: &str| {
        let message = format!("a regular expression (`{what}`)");
        let help =
            "write the complete text of the widget; `\\` before punctuation stands for itself";
        Mistake::new(&node.at, message, help)
    };
    let mut text = String::new();
    let mut characters = 0;
    let mut all = pattern.chars();
    // Can the last character be one that is repeated?
    let mut repeatable = false;
    while let Some(c) = all.next() {
        // A text of a trace may be only the start of the widget's.
        if c == '.' && all.as_str() == "*" && characters + 1 == TEXT {
            text.push('…');
            return Ok(text);
        }
        match c {
            '\\' => match all.next() {
                Some(next) if !next.is_alphanumeric() => text.push(next),
                Some(next) => return Err(refused(&format!("\\{next}"))),
                None => return Err(refused("\\")),
            },
            '[' | '|' | '^' => return Err(refused(&c.to_string())),
            '*' | '+' | '?' if repeatable => return Err(refused(&c.to_string())),
            '{' if repeatable && all.as_str().starts_with(|next: char| next.is_ascii_digit()) => {
                return Err(refused("{"));
            }
            '(' if all.as_str().starts_with('?') => return Err(refused("(?")),
            c => text.push(c),
        }
        characters += 1;
        repeatable = matches!(c, '.' | ')' | '\\');
    }
    Ok(text)
}

/// A place in percent: `50%,25%`.
pub fn spot(node: &Node) -> Result<Spot, Mistake> {
    let share = |text: &str| -> Option<f64> {
        let percent: f64 = text.trim().strip_suffix('%')?.trim().parse().ok()?;
        (0.0..=100.0).contains(&percent).then_some(percent / 100.0)
    };
    let text = node.need("a place")?;
    let found = text.split_once(',');
    let found = found.and_then(|(x, y)| Some((share(x)?, share(y)?)));
    let (x, y) = found.ok_or_else(|| {
        let message = "a place that is not in percent of the screen";
        Mistake::new(&node.at, message, "write it as \"50%,25%\"")
    })?;
    Ok(Spot { x, y })
}
