//! A drawing's transitions, and the states that its links join by them.

use super::{Xml, class, name, property, value, value_at};
use crate::device::sim::fault::Fault;
use rustc_hash::FxHashMap;

/// A transition of the drawing.
pub struct Edge<'a, 'i> {
    /// Its element.
    pub relation: Xml<'a, 'i>,
    /// The state it leaves.
    pub from: Option<&'a str>,
    /// The state it leads to.
    pub to: Option<&'a str>,
}

/// The drawing's transitions in their order, with the states their links join.
pub fn edges<'a, 'i>(controller: Xml<'a, 'i>) -> Result<Vec<Edge<'a, 'i>>, Fault> {
    let mut edges: Vec<Edge<'a, 'i>> = controller
        .children()
        .filter(|node| node.has_tag_name("relation") && class(*node).ends_with(".Transition"))
        .map(|relation| Edge {
            relation,
            from: None,
            to: None,
        })
        .collect();
    let by_name: FxHashMap<&str, usize> = edges
        .iter()
        .enumerate()
        .map(|(ix, edge)| (name(edge.relation), ix))
        .collect();
    for link in controller
        .children()
        .filter(|node| node.has_tag_name("link"))
    {
        let relation = link.attribute("relation").unwrap_or_default();
        let port = link.attribute("port").unwrap_or_default();
        let Some(&ix) = by_name.get(relation) else {
            continue;
        };
        if let Some(state) = port.strip_suffix(".outgoingPort") {
            edges[ix].from = Some(state);
        } else if let Some(state) = port.strip_suffix(".incomingPort") {
            edges[ix].to = Some(state);
        }
    }
    match edges
        .iter()
        .find(|edge| edge.from.is_none() || edge.to.is_none())
    {
        None => Ok(edges),
        Some(loose) => Err(Fault::new(
            "loose-transition",
            loose.relation.range().start,
            format!(
                "the transition `{}` does not join two states",
                name(loose.relation)
            ),
            "connect both its ends, or delete it",
        )),
    }
}

fn label_of<'a>(edge: &Edge<'a, '_>) -> &'a str {
    property(edge.relation, "annotation").map_or("", |label| value(label).trim())
}

/// A flag of a transition; one that is not there is false.
pub fn flag(relation: Xml<'_, '_>, key: &str) -> Result<bool, Fault> {
    let Some(flag) = property(relation, key) else {
        return Ok(false);
    };
    match value(flag).trim() {
        "true" | "True" | "TRUE" => Ok(true),
        "false" | "False" | "FALSE" | "" => Ok(false),
        other => Err(Fault::new(
            "parameter-value",
            value_at(flag, "value"),
            format!("`{key}` is `{other}`"),
            "write true or false",
        )),
    }
}

/// By transition, of those that leave one state: the annotation that it shares with others, if it and they are
/// `nondeterministic`. Such are one widget, with several ways that it may go.
pub fn shared<'a>(edges: &[&Edge<'a, '_>]) -> Result<Vec<Option<&'a str>>, Fault> {
    let mut labels = Vec::new();
    for edge in edges {
        let label = label_of(edge);
        // A word of the drawer's that joins nothing is not a mistake.
        if edges
            .iter()
            .filter(|other| label_of(other) == label)
            .count()
            < 2
        {
            labels.push(None);
            continue;
        }
        let flagged = flag(edge.relation, "nondeterministic")?;
        labels.push((flagged && !label.is_empty()).then_some(label));
    }
    let shared = labels.iter().map(|label| {
        let sharers = labels.iter().filter(|other| *other == label).count();
        label.filter(|_| sharers > 1)
    });
    Ok(shared.collect())
}
