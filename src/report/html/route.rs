//! The lines of an activity graph: from node to node, through the gaps of the rows between.

use super::graph::{GAP, NODE, Node};
use serde::Serialize;
use std::collections::BTreeMap;

/// Moves between two activities, in both directions.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Edge {
    /// Index of the upper node.
    pub a: usize,
    /// Index of the lower node.
    pub b: usize,
    /// Path.
    pub path: String,
    /// Moves downwards, and back up.
    pub counts: (u64, u64),
    /// Stroke width.
    pub width: f64,
    /// Does it join neighbouring rows?
    pub near: bool,
}

/// One line for the moves between two activities, there and back.
pub fn edges(nodes: &[Node], links: &[(usize, usize, u64)]) -> Vec<Edge> {
    let mut pairs: BTreeMap<(usize, usize), (u64, u64)> = BTreeMap::new();
    for &(from, to, count) in links {
        let key = |n: usize| (nodes[n].y, nodes[n].x);
        if key(from) <= key(to) {
            pairs.entry((from, to)).or_default().0 += count;
        } else {
            pairs.entry((to, from)).or_default().1 += count;
        }
    }
    let most = pairs.values().map(|(a, b)| a + b).max().unwrap_or(1).max(1) as f64;
    let ports = Ports::new(nodes, pairs.keys());
    let mut gaps = Gaps::new(nodes);
    let mut edges: Vec<Edge> = pairs
        .iter()
        .map(|(&(a, b), &counts)| {
            let share = ((counts.0 + counts.1) as f64).ln_1p() / most.ln_1p();
            Edge {
                a,
                b,
                path: path(nodes, a, b, &ports, &mut gaps),
                counts,
                width: round(1.0 + 1.8 * share),
                near: nodes[b].y - nodes[a].y <= NODE.1 + GAP.1 + 1.0,
            }
        })
        .collect();
    // Long ones first, so that the near ones are above them.
    edges.sort_by_key(|edge| edge.near);
    edges
}

fn middle(node: &Node) -> f64 {
    node.x + node.width / 2.0
}

fn same_row(a: &Node, b: &Node) -> bool {
    (a.y - b.y).abs() < 1.0
}

/// Where lines leave a node's lower edge and reach another's upper one: side by side, in the order of where
/// they come from, so that they don't cross at once.
struct Ports {
    at: BTreeMap<(usize, usize), (f64, f64)>,
}

impl Ports {
    fn new<'a>(nodes: &[Node], pairs: impl Iterator<Item = &'a (usize, usize)> + Clone) -> Self {
        let down = || {
            pairs
                .clone()
                .filter(|(a, b)| !same_row(&nodes[*a], &nodes[*b]))
                .copied()
        };
        let mut at: BTreeMap<(usize, usize), (f64, f64)> = BTreeMap::new();
        for node in 0..nodes.len() {
            let mut below: Vec<_> = down().filter(|(a, _)| *a == node).collect();
            below.sort_by(|p, q| middle(&nodes[p.1]).total_cmp(&middle(&nodes[q.1])));
            for (place, pair) in below.iter().enumerate() {
                at.entry(*pair).or_default().0 = spread(&nodes[node], place, below.len());
            }
            let mut above: Vec<_> = down().filter(|(_, b)| *b == node).collect();
            above.sort_by(|p, q| middle(&nodes[p.0]).total_cmp(&middle(&nodes[q.0])));
            for (place, pair) in above.iter().enumerate() {
                at.entry(*pair).or_default().1 = spread(&nodes[node], place, above.len());
            }
        }
        Self { at }
    }
}

fn spread(node: &Node, place: usize, of: usize) -> f64 {
    let step = (node.width * 0.7 / of as f64).min(22.0);
    middle(node) + step * (place as f64 - (of as f64 - 1.0) / 2.0)
}

/// The free places of each row, by its upper edge, and how many lines already pass through each.
struct Gaps {
    rows: Vec<(f64, Vec<(f64, u32)>)>,
}

impl Gaps {
    fn new(nodes: &[Node]) -> Self {
        let mut tops: Vec<f64> = nodes.iter().map(|node| node.y).collect();
        tops.sort_by(f64::total_cmp);
        tops.dedup();
        let row = |top: f64| {
            let mut lefts: Vec<f64> = nodes.iter().filter(|n| n.y == top).map(|n| n.x).collect();
            lefts.sort_by(f64::total_cmp);
            let first = lefts.first().map(|x| (x - GAP.0 / 2.0, 0));
            let after = lefts.iter().map(|x| (x + NODE.0 + GAP.0 / 2.0, 0));
            (top, first.into_iter().chain(after).collect())
        };
        Self {
            rows: tops.into_iter().map(row).collect(),
        }
    }

    /// The free place of a row that is nearest to `wanted`.
    fn take(&mut self, row: usize, wanted: f64) -> f64 {
        let gaps = &mut self.rows[row].1;
        let distance = |gap: &(f64, u32)| (gap.0 - wanted).abs();
        let nearest = gaps
            .iter_mut()
            .min_by(|a, b| distance(a).total_cmp(&distance(b)));
        nearest.map_or(wanted, |(x, used)| {
            *used += 1;
            // 0, 4, -4, 8, -8: within the gap while there is room.
            let aside =
                f64::from(used.div_ceil(2).min(3)) * 4.0 - if *used == 1 { 4.0 } else { 0.0 };
            *x + if used.is_multiple_of(2) {
                aside
            } else {
                -aside
            }
        })
    }
}

fn path(nodes: &[Node], a: usize, b: usize, ports: &Ports, gaps: &mut Gaps) -> String {
    let (from, to) = (&nodes[a], &nodes[b]);
    if same_row(from, to) {
        let (x1, x2, y) = (from.x + from.width, to.x, from.y + from.height / 2.0);
        if x2 - x1 <= GAP.0 + 1.0 {
            return format!("M{x1} {y}H{x2}");
        }
        // Above those in between.
        let (x1, x2, y, top) = (middle(from), middle(to), from.y, from.y - GAP.1 * 0.5);
        return format!("M{x1} {y}C{x1} {top} {x2} {top} {x2} {y}");
    }
    let (x1, x2) = ports
        .at
        .get(&(a, b))
        .copied()
        .unwrap_or((middle(from), middle(to)));
    let (mut x, mut y) = (x1, from.y + from.height);
    let mut path = format!("M{} {y}", round(x));
    let mut line_to = |to_x: f64, to_y: f64, path: &mut String| {
        let bend = (to_y - y) * 0.55;
        let (end, start) = (round(to_x), round(x));
        *path += &format!(
            "C{start} {} {end} {} {end} {to_y}",
            round(y + bend),
            round(to_y - bend)
        );
        (x, y) = (to_x, to_y);
    };
    for row in 0..gaps.rows.len() {
        let top = gaps.rows[row].0;
        if top <= from.y + 1.0 || top >= to.y - 1.0 {
            continue;
        }
        let share = (top - from.y) / (to.y - from.y);
        let gap = gaps.take(row, x1 + (x2 - x1) * share);
        line_to(gap, top, &mut path);
        path += &format!("V{}", top + NODE.1);
        line_to(gap, top + NODE.1, &mut String::new());
    }
    line_to(x2, to.y, &mut path);
    path
}

fn round(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(x: f64, row: f64) -> Node {
        Node {
            x,
            y: row * (NODE.1 + GAP.1),
            width: NODE.0,
            height: NODE.1,
            name: String::new(),
            class: String::new(),
            visits: 0,
            findings: 0,
            entry: false,
            heat: 0,
        }
    }

    #[test]
    fn a_long_line_passes_beside_the_nodes_between() {
        let nodes = [node(20.0, 0.0), node(20.0, 1.0), node(20.0, 2.0)];
        let edges = edges(&nodes, &[(0, 1, 1), (1, 2, 1), (0, 2, 1)]);
        let long = edges.iter().find(|edge| !edge.near).unwrap();
        let side = long
            .path
            .split('V')
            .next()
            .unwrap()
            .rsplit(' ')
            .nth(1)
            .unwrap();
        let x: f64 = side.parse().unwrap();
        assert!(!(20.0..=20.0 + NODE.0).contains(&x), "{}", long.path);
    }

    #[test]
    fn there_and_back_are_one_line() {
        let nodes = [node(0.0, 0.0), node(0.0, 1.0)];
        let edges = edges(&nodes, &[(0, 1, 3), (1, 0, 2)]);
        assert_eq!(edges.len(), 1);
        assert_eq!((edges[0].a, edges[0].counts), (0, (3, 2)));
    }
}
