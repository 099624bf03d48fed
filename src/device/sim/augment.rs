//! Models made harder: self-loops on the first screen (FATE's "augmented" models).

use super::fault::ModelError;
use super::json::{Json, Node};
use super::read;
use super::{Model, write};

/// The model with `loops` more buttons on its first node, which lead back to it and do nothing. Whatever form it was
/// in, it is written in ours.
///
/// # Errors
/// It cannot be read.
pub fn augmented(text: &str, file: &str, loops: usize) -> Result<String, ModelError> {
    // Mistakes first: what is written must be a model.
    let model = Model::parse(text, file, "model")?;
    let first = model.nodes[model.start as usize].id.clone();
    let mut root = read::tree(text).map_err(|fault| ModelError::new(fault, file, text))?;
    let nodes = member(&mut root, "nodes");
    if let Some(Json::List(nodes)) = nodes.map(|node| &mut node.json) {
        for node in nodes {
            let own = member(node, "node_id");
            if !matches!(own.map(|id| &id.json), Some(Json::Text(id)) if *id == first) {
                continue;
            }
            let taken = loops_of(node);
            let new = (taken..taken + loops).map(|number| {
                write::object([
                    ("transition_id", write::text(format!("loop_{number}"))),
                    ("type", write::text("button")),
                    ("destination", write::text(first.clone())),
                ])
            });
            match member(node, "transitions").map(|list| &mut list.json) {
                Some(Json::List(transitions)) => transitions.extend(new),
                // `null`, which stands for none.
                Some(none) => *none = write::list(new.collect()).json,
                None => {
                    if let Json::Object(members) = &mut node.json {
                        members.push(super::json::Member {
                            key: "transitions".into(),
                            key_at: 0,
                            value: write::list(new.collect()),
                        });
                    }
                }
            }
        }
    }
    Ok(write::to_text(&root))
}

/// The first number that no button of an earlier round has on this node.
fn loops_of(node: &Node) -> usize {
    let Json::Object(members) = &node.json else {
        return 0;
    };
    let list = members.iter().find(|m| &*m.key == "transitions");
    let Some(Json::List(transitions)) = list.map(|m| &m.value.json) else {
        return 0;
    };
    let number = |transition: &Node| match &transition.json {
        Json::Object(members) => members.iter().find_map(|m| match &m.value.json {
            Json::Text(id) if &*m.key == "transition_id" => id.strip_prefix("loop_")?.parse().ok(),
            _ => None,
        }),
        _ => None,
    };
    let last = transitions.iter().filter_map(number).max();
    last.map_or(0, |last: usize| last.saturating_add(1))
}

fn member<'a>(node: &'a mut Node, key: &str) -> Option<&'a mut Node> {
    match &mut node.json {
        Json::Object(members) => members
            .iter_mut()
            .find(|m| &*m.key == key)
            .map(|m| &mut m.value),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::sim::BUILTIN;

    #[test]
    fn only_the_first_node_gets_buttons_and_they_lead_nowhere() {
        for (name, text) in BUILTIN {
            let before = Model::builtin(name).unwrap();
            let text = augmented(text, name, 3).unwrap();
            let after = Model::parse(&text, name, name).unwrap();
            assert_eq!(after.widgets.len(), before.widgets.len() + 3);
            let first = &after.nodes[after.start as usize];
            assert_eq!(
                first.widgets.len(),
                before.nodes[before.start as usize].widgets.len() + 3
            );
            for widget in first.widgets.end - 3..first.widgets.end {
                let way = after.widgets[widget as usize].transitions.start;
                assert_eq!(after.transitions[way as usize].destination, after.start);
            }
            assert_eq!(augmented(&text, name, 0).unwrap(), text);
            let more = augmented(&text, name, 2).unwrap();
            let more = Model::parse(&more, name, name).unwrap();
            assert_eq!(more.widgets.len(), after.widgets.len() + 2);
        }
    }

    #[test]
    fn a_first_node_whose_transitions_are_null_or_missing_gets_them_once() {
        for node in [
            r#"{ "node_id": "A", "transitions": null }"#,
            r#"{ "node_id": "A" }"#,
        ] {
            let text = augmented(&format!("{{ \"nodes\": [ {node} ] }}"), "m.json", 2).unwrap();
            assert_eq!(text.matches("\"transitions\"").count(), 1, "{text}");
            let model = Model::parse(&text, "m.json", "m").unwrap();
            assert_eq!(model.widgets.len(), 2);
        }
    }

    #[test]
    fn what_cannot_be_read_is_refused() {
        assert_eq!(
            augmented("{}", "m.json", 1).unwrap_err().code,
            "missing-key"
        );
    }
}
