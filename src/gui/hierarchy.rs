//! The hierarchy as an agent or a simulated device hands it over, before texts are interned.

use super::widget::Rect;
use serde::{Deserialize, Serialize};

/// One node in the agent's short spelling (`docs/agent-protocol.md`, Nodes). Nodes come depth first.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct RawNode {
    /// Parent's index, -1 for a root.
    #[serde(rename = "p")]
    pub parent: i64,
    /// Kind of window.
    #[serde(rename = "w")]
    pub window: u8,
    /// Accessibility class name.
    #[serde(rename = "c")]
    pub class: String,
    /// Resource-id in full.
    #[serde(rename = "i", deserialize_with = "null_as_empty")]
    pub resource_id: String,
    /// Text.
    #[serde(rename = "t", deserialize_with = "null_as_empty")]
    pub text: String,
    /// Content description.
    #[serde(rename = "d", deserialize_with = "null_as_empty")]
    pub description: String,
    /// Hint.
    #[serde(rename = "h", deserialize_with = "null_as_empty")]
    pub hint: String,
    /// What state a node without a view is in, in the app's words ("50 percent").
    #[serde(
        rename = "st",
        deserialize_with = "null_as_empty",
        skip_serializing_if = "String::is_empty"
    )]
    pub state: String,
    /// What a node without a view is, in the app's words ("tab") or Android's.
    #[serde(rename = "ro", skip_serializing_if = "String::is_empty")]
    pub role: String,
    /// The value of a slider or progress indicator and its limits: `50 (0..100)`.
    #[serde(rename = "ra", skip_serializing_if = "String::is_empty")]
    pub range: String,
    /// Rows and columns of a collection: `12x1`; -1 where the app does not know.
    #[serde(rename = "co", skip_serializing_if = "String::is_empty")]
    pub collection: String,
    /// Row and column of an item in a collection, from 0: `3,0`.
    #[serde(rename = "ci", skip_serializing_if = "String::is_empty")]
    pub item: String,
    /// Visible bounds.
    #[serde(rename = "b")]
    pub bounds: Rect,
    /// [`super::Flags`].
    #[serde(rename = "f")]
    pub flags: u32,
    /// [`super::Listeners`].
    #[serde(rename = "l")]
    pub listeners: u32,
    /// `inputType` of a text field.
    #[serde(rename = "it")]
    pub input_type: u32,
    /// Editor action of a text field.
    #[serde(rename = "ia")]
    pub ime_action: u32,
    /// Longest text.
    #[serde(rename = "ml")]
    pub max_length: Option<u32>,
    /// Scroll directions possible now.
    #[serde(rename = "sc")]
    pub scrolls: u8,
}

fn null_as_empty<'de, D: serde::Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    Ok(Option::<String>::deserialize(from)?.unwrap_or_default())
}

/// Levels of a hierarchy at most. Android's layouts end well before a hundred, web pages before two hundred; an app can
/// name any number, and what works along a widget's ancestors would take the square of it.
pub const DEEPEST: usize = 256;
/// Levels that are indented in a dump: the indentation of all levels would be larger than what they hold.
const INDENTED: usize = 40;

/// The index of each node's parent, -1 of a root. A parent must come before its children. A node below [`DEEPEST`] levels
/// is a sibling of the one that it would be in, so that none is lost.
pub fn parents(nodes: &[RawNode]) -> Vec<i64> {
    let mut parents: Vec<i64> = Vec::with_capacity(nodes.len());
    let mut levels: Vec<usize> = Vec::with_capacity(nodes.len());
    for (ix, node) in nodes.iter().enumerate() {
        let known = usize::try_from(node.parent).ok().filter(|&p| p < ix);
        let (parent, level) = match known {
            None => (-1, 1),
            Some(p) if levels[p] == DEEPEST => (parents[p], DEEPEST),
            Some(p) => (node.parent, levels[p] + 1),
        };
        parents.push(parent);
        levels.push(level);
    }
    parents
}

fn indentation(levels: usize) -> &'static str {
    const BLANKS: &str = match std::str::from_utf8(&[b' '; 2 * INDENTED]) {
        Ok(blanks) => blanks,
        Err(_) => "",
    };
    &BLANKS[..2 * levels.min(INDENTED)]
}

/// The hierarchy as uiautomator would dump it: the form people and other tools read. At most [`DEEPEST`] levels; its
/// length grows with the nodes alone.
pub fn to_xml(nodes: &[RawNode], rotation: u8) -> String {
    use std::fmt::Write as _;
    let mut xml = format!(
        "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>\n<hierarchy rotation=\"{rotation}\">\n"
    );
    let mut open: Vec<i64> = Vec::new();
    let mut children: Vec<u32> = vec![0; nodes.len() + 1];
    for ((ix, node), parent) in nodes.iter().enumerate().zip(parents(nodes)) {
        while open.last().is_some_and(|&top| top != parent) {
            open.pop();
            let _ = writeln!(xml, "{}</node>", indentation(open.len() + 1));
        }
        let counter = &mut children[usize::try_from(parent + 1).unwrap_or(0)];
        let flag = |bit: u32| node.flags & bit != 0;
        use super::Flags;
        let _ = writeln!(
            xml,
            "{}<node index=\"{}\" text=\"{}\" resource-id=\"{}\" class=\"{}\" content-desc=\"{}\" hint=\"{}\" \
             checkable=\"{}\" checked=\"{}\" clickable=\"{}\" enabled=\"{}\" focusable=\"{}\" focused=\"{}\" \
             scrollable=\"{}\" long-clickable=\"{}\" password=\"{}\" selected=\"{}\" visible-to-user=\"{}\" \
             bounds=\"[{},{}][{},{}]\"{}>",
            indentation(open.len() + 1),
            counter,
            attribute(&node.text),
            attribute(&node.resource_id),
            attribute(&node.class),
            attribute(&node.description),
            attribute(&node.hint),
            flag(Flags::CHECKABLE),
            flag(Flags::CHECKED),
            flag(Flags::CLICKABLE),
            flag(Flags::ENABLED),
            flag(Flags::FOCUSABLE),
            flag(Flags::FOCUSED),
            flag(Flags::SCROLLABLE),
            flag(Flags::LONG_CLICKABLE),
            flag(Flags::PASSWORD),
            flag(Flags::SELECTED),
            flag(Flags::VISIBLE),
            node.bounds.left,
            node.bounds.top,
            node.bounds.right,
            node.bounds.bottom,
            more(node),
        );
        *counter += 1;
        open.push(i64::try_from(ix).unwrap_or(-1));
    }
    while open.pop().is_some() {
        let _ = writeln!(xml, "{}</node>", indentation(open.len() + 1));
    }
    xml.push_str("</hierarchy>\n");
    xml
}

/// Attributes that uiautomator does not know, where a node has them.
fn more(node: &RawNode) -> String {
    let known = [
        ("state", &node.state),
        ("role", &node.role),
        ("range", &node.range),
        ("collection", &node.collection),
        ("item", &node.item),
    ];
    let known = known.iter().filter(|(_, value)| !value.is_empty());
    known
        .map(|(name, value)| format!(" {name}=\"{}\"", attribute(value)))
        .collect()
}

fn attribute(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in crate::util::text::for_xml(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' => out.push_str("&#10;"),
            '\r' => out.push_str("&#13;"),
            '\t' => out.push_str("&#9;"),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(parent: i64, text: &str) -> RawNode {
        RawNode {
            parent,
            text: text.into(),
            class: "C".into(),
            ..RawNode::default()
        }
    }

    #[test]
    fn many_levels_cost_no_more_than_their_nodes_and_none_is_lost() {
        let nested = |count: i64| -> Vec<RawNode> {
            (0..count)
                .map(|ix| node(ix - 1, &format!("n{ix}")))
                .collect()
        };
        let flat: Vec<RawNode> = (0..40_000).map(|ix| node(-1, &format!("n{ix}"))).collect();
        let nodes = nested(40_000);
        let xml = to_xml(&nodes, 0);
        let most = to_xml(&flat, 0).len() + 40_000 * (4 * INDENTED + "</node>\n".len());
        assert!(xml.len() <= most, "{} of {most}", xml.len());
        let doc = roxmltree::Document::parse(&xml).expect("well formed");
        let read = || doc.descendants().filter(|n| n.has_tag_name("node"));
        let texts = read().filter_map(|node| node.attribute("text"));
        assert!(texts.eq(nodes.iter().map(|node| node.text.as_str())));
        let levels = read().map(|node| node.ancestors().count() - 2);
        assert_eq!(levels.max(), Some(DEEPEST));
        // As deep as layouts are, nothing changes.
        let usual = nested(200);
        assert!(
            parents(&usual)
                .iter()
                .eq(usual.iter().map(|node| &node.parent))
        );
    }

    #[test]
    fn a_parent_beyond_all_numbers_does_no_harm() {
        let xml = to_xml(&[node(-1, "a"), node(i64::MAX, "b")], 0);
        assert!(roxmltree::Document::parse(&xml).is_ok(), "{xml}");
    }

    #[test]
    fn xml_is_well_formed_and_nested_whatever_the_texts_hold() {
        let nodes = [
            node(-1, "a"),
            node(0, "<b> \"&\" ]]>\u{1}"),
            node(1, "c"),
            node(0, "d\n"),
            node(-1, "e"),
        ];
        let xml = to_xml(&nodes, 1);
        let doc = roxmltree::Document::parse(&xml).expect("well formed");
        let texts: Vec<_> = doc
            .descendants()
            .filter(|n| n.has_tag_name("node"))
            .map(|n| {
                (
                    n.attribute("text").unwrap().to_owned(),
                    n.ancestors().count() - 3,
                )
            })
            .collect();
        assert_eq!(
            texts,
            [
                ("a".into(), 0),
                ("<b> \"&\" ]]>\u{fffd}".into(), 1),
                ("c".into(), 2),
                ("d\n".into(), 1),
                ("e".into(), 0)
            ]
        );
    }

    #[test]
    fn what_only_some_nodes_have_stands_in_the_xml_of_those() {
        let slider = RawNode {
            role: "slider".into(),
            range: "50 (0..100)".into(),
            state: "\"half\"".into(),
            ..node(-1, "")
        };
        let xml = to_xml(&[slider, node(-1, "")], 0);
        let doc = roxmltree::Document::parse(&xml).expect("well formed");
        let mut nodes = doc.descendants().filter(|n| n.has_tag_name("node"));
        let (slider, plain) = (nodes.next().unwrap(), nodes.next().unwrap());
        let all = ["role", "range", "state", "item"].map(|name| slider.attribute(name));
        assert_eq!(
            all,
            [Some("slider"), Some("50 (0..100)"), Some("\"half\""), None]
        );
        assert_eq!(plain.attribute("role"), None);
    }

    #[test]
    fn null_texts_read_as_empty() {
        let node: RawNode =
            serde_json::from_str(r#"{"p":-1,"c":"X","t":null,"b":[0,0,1,1],"f":16}"#).unwrap();
        assert_eq!((node.text.as_str(), node.flags), ("", 16));
    }
}
