//! A drawing's transitions, and the states that its links join by them.

use super::name;
use super::{Xml, class};
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
