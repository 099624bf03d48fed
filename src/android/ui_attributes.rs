//! One element's attributes to one node; XML's references to characters.

use crate::gui::{Flags, RawNode, Rect};
use std::collections::BTreeMap;

/// A node of a dump: what pages are made of, and what only the dump says.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct DumpNode {
    /// In the agent's spelling. Which listeners a widget has no dump tells.
    pub node: RawNode,
    /// Package whose window it is in.
    pub package: String,
    /// Attributes not read here, by name: `index`, `NAF`, `drawing-order`, `display-id`, what makers add.
    pub other: BTreeMap<String, String>,
}

/// Classes that texts are typed into.
const EDITABLE: [&str; 4] = [
    "EditText",
    "AutoCompleteTextView",
    "ExtractEditText",
    "SearchAutoComplete",
];
/// Containers that scroll sideways.
const SIDEWAYS: [&str; 5] = [
    "Horizontal",
    "ViewPager",
    "Gallery",
    "TabLayout",
    "Carousel",
];

/// Makes a node of an element.
///
/// # Errors
/// The attribute that cannot be read, in words.
pub fn node(element: &str, attributes: Vec<(String, String)>) -> Result<DumpNode, String> {
    let mut found = DumpNode::default();
    let mut flags = Flags::VISIBLE | Flags::ENABLED;
    let mut editable = None;
    for (name, value) in attributes {
        let mut flag = |bit: u32| {
            match value.as_str() {
                "true" | "1" => flags |= bit,
                "false" | "0" | "" => flags &= !bit,
                // Android 16 has a third state of a checkbox.
                "partial" => {}
                _ => return Err(format!("{name}={value:?} is neither true nor false")),
            }
            Ok(())
        };
        match name.as_str() {
            "text" => found.node.text = value,
            "resource-id" => found.node.resource_id = value,
            "class" => found.node.class = value,
            "package" => found.package = value,
            "content-desc" => found.node.description = value,
            "hint" => found.node.hint = value,
            "bounds" => found.node.bounds = bounds(&value)?,
            "checkable" => flag(Flags::CHECKABLE)?,
            "checked" => flag(Flags::CHECKED)?,
            "clickable" => flag(Flags::CLICKABLE)?,
            "enabled" => flag(Flags::ENABLED)?,
            "focusable" => flag(Flags::FOCUSABLE)?,
            "focused" => flag(Flags::FOCUSED)?,
            "scrollable" => flag(Flags::SCROLLABLE)?,
            "long-clickable" => flag(Flags::LONG_CLICKABLE)?,
            "password" => flag(Flags::PASSWORD)?,
            "selected" => flag(Flags::SELECTED)?,
            "visible-to-user" | "displayed" => flag(Flags::VISIBLE)?,
            "editable" => editable = Some(value == "true"),
            _ => {
                found.other.insert(name, value);
            }
        }
    }
    if found.node.class.is_empty() && element != "node" {
        element.clone_into(&mut found.node.class);
    }
    let class = found.node.class.rsplit('.').next().unwrap_or("");
    if editable.unwrap_or(EDITABLE.contains(&class)) {
        flags |= Flags::EDITABLE;
    }
    found.node.flags = flags;
    if flags & Flags::SCROLLABLE != 0 {
        found.node.scrolls = scrolls(class, found.node.bounds);
    }
    Ok(found)
}

/// A dump says that a widget scrolls, not where to: both ways along the axis its kind or shape suggests.
fn scrolls(class: &str, bounds: Rect) -> u8 {
    const VERTICAL: u8 = 1 | 2;
    const HORIZONTAL: u8 = 4 | 8;
    let wide = i64::from(bounds.width()) > 3 * i64::from(bounds.height());
    if SIDEWAYS.iter().any(|word| class.contains(word)) || wide {
        HORIZONTAL
    } else {
        VERTICAL
    }
}

fn bounds(value: &str) -> Result<Rect, String> {
    let parse = || {
        let inner = value.trim().strip_prefix('[')?.strip_suffix(']')?;
        let (from, to) = inner.split_once("][")?;
        let pair = |text: &str| {
            let (x, y) = text.split_once(',')?;
            Some((x.trim().parse().ok()?, y.trim().parse().ok()?))
        };
        let ((left, top), (right, bottom)) = (pair(from)?, pair(to)?);
        Some(Rect {
            left,
            top,
            right,
            bottom,
        })
    };
    parse().ok_or_else(|| format!("bounds={value:?} are not of the form [left,top][right,bottom]"))
}

/// Text with XML's references replaced. Pairs of surrogates written as two numbers (old serialisers do) become
/// one character; characters that XML forbids become U+FFFD.
///
/// # Errors
/// The byte and the text of a reference that is none of XML's own: dumps define none, and none is expanded.
pub fn unescape(text: &str) -> Result<String, (usize, String)> {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    let mut high: Option<u32> = None;
    while let Some(found) = text[at..].find('&') {
        push(&mut out, &text[at..at + found], &mut high);
        let start = at + found;
        let Some(end) = text[start..].bytes().take(16).position(|b| b == b';') else {
            return Err((
                start,
                "an `&` that does not begin an entity reference".to_owned(),
            ));
        };
        let name = &text[start + 1..start + end];
        let code = match name {
            "amp" => Some(u32::from(b'&')),
            "lt" => Some(u32::from(b'<')),
            "gt" => Some(u32::from(b'>')),
            "quot" => Some(u32::from(b'"')),
            "apos" => Some(u32::from(b'\'')),
            _ => match name.strip_prefix('#') {
                Some(number) => match number.strip_prefix(['x', 'X']) {
                    Some(hex) => u32::from_str_radix(hex, 16).ok(),
                    None => number.parse().ok(),
                },
                None => None,
            },
        };
        let Some(code) = code else {
            return Err((
                start,
                format!("the reference &{name}; is none of XML's own"),
            ));
        };
        reference(&mut out, code, &mut high);
        at = start + end + 1;
    }
    push(&mut out, &text[at..], &mut high);
    if high.is_some() {
        out.push(char::REPLACEMENT_CHARACTER);
    }
    Ok(out)
}

fn push(out: &mut String, text: &str, high: &mut Option<u32>) {
    if !text.is_empty() && high.take().is_some() {
        out.push(char::REPLACEMENT_CHARACTER);
    }
    out.push_str(text);
}

fn reference(out: &mut String, code: u32, high: &mut Option<u32>) {
    match (high.take(), code) {
        (Some(first), 0xdc00..=0xdfff) => {
            let joined = 0x1_0000 + ((first - 0xd800) << 10) + (code - 0xdc00);
            out.push(char::from_u32(joined).unwrap_or(char::REPLACEMENT_CHARACTER));
        }
        (before, _) => {
            if before.is_some() {
                out.push(char::REPLACEMENT_CHARACTER);
            }
            if matches!(code, 0xd800..=0xdbff) {
                *high = Some(code);
            } else {
                let forbidden = code < 0x20 && !matches!(code, 9 | 10 | 13);
                let c = char::from_u32(code).filter(|_| !forbidden);
                out.push(c.unwrap_or(char::REPLACEMENT_CHARACTER));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_become_characters() {
        assert_eq!(unescape("a&amp;b &#10;&#x1F600;").unwrap(), "a&b \n😀");
        assert_eq!(unescape("&#55357;&#56832;!").unwrap(), "😀!");
        assert_eq!(unescape("&#55357;x&#0;").unwrap(), "\u{fffd}x\u{fffd}");
        assert_eq!(unescape("ab&lol;").unwrap_err().0, 2);
        assert_eq!(unescape("a & b").unwrap_err().0, 2);
    }

    #[test]
    fn bounds_may_be_negative_and_nothing_else() {
        assert_eq!(
            bounds("[-3,0][10,20]").unwrap(),
            Rect::from([-3, 0, 10, 20])
        );
        for wrong in [
            "",
            "[0,0]",
            "[0,0][1]",
            "[a,b][c,d]",
            "[0,0][99999999999,1]",
        ] {
            assert!(bounds(wrong).is_err(), "{wrong}");
        }
    }
}
