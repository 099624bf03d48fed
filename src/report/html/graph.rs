//! The activities of an app and the moves between them, laid out in layers from where the app starts.

use super::super::causes::by_activity;
use super::super::navigation::Navigation;
use super::super::session::SessionRecord;
use super::super::words::short_class;
use super::route::{Edge, edges};
use super::text::line;
use serde::Serialize;
use std::collections::BTreeMap;

/// Nodes drawn at most; a graph of more is not a picture any more.
const MOST_NODES: usize = 36;
/// Nodes side by side at most.
const ACROSS: usize = 5;
pub(super) const NODE: (f64, f64) = (148.0, 46.0);
pub(super) const GAP: (f64, f64) = (30.0, 54.0);
const MARGIN: f64 = 18.0;

/// An activity.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Node {
    /// Left edge.
    pub x: f64,
    /// Top edge.
    pub y: f64,
    /// Width.
    pub width: f64,
    /// Height.
    pub height: f64,
    /// Short name, and shortened to fit.
    pub name: String,
    /// Full class.
    pub class: String,
    /// The number of visits.
    pub visits: u64,
    /// Findings observed in it.
    pub findings: u64,
    /// Does a start of the app lead to it?
    pub entry: bool,
    /// Share of the busiest activity's visits, 0 to 100.
    pub heat: u64,
}

/// The complete picture.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Graph {
    /// Size.
    pub width: f64,
    /// Size.
    pub height: f64,
    /// Activities.
    pub nodes: Vec<Node>,
    /// Moves.
    pub edges: Vec<Edge>,
    /// Activities left out because there are too many.
    pub left_out: usize,
}

#[derive(Default)]
struct Activity {
    visits: u64,
    entry: bool,
}

/// The graph of all sessions of an app; `None` when there are fewer than two activities.
pub fn graph(sessions: &[&SessionRecord]) -> Option<Graph> {
    let mut activities: BTreeMap<&str, Activity> = BTreeMap::new();
    for session in sessions {
        for (at, seen) in session.activities.iter().enumerate() {
            // No foreground activity: the app has ended.
            if seen.name.is_empty() || seen.visits == 0 {
                continue;
            }
            let activity = activities.entry(&seen.name).or_default();
            activity.visits += seen.visits;
            activity.entry |= session.entries.contains(&at);
        }
    }
    if activities.len() < 2 {
        return None;
    }
    let mut names: Vec<&str> = activities.keys().copied().collect();
    names.sort_by_key(|name| std::cmp::Reverse((activities[name].entry, activities[name].visits)));
    let left_out = names.len().saturating_sub(MOST_NODES);
    names.truncate(MOST_NODES);
    let mut navigation = Navigation::default();
    for name in &names {
        navigation.add(name);
    }
    for session in sessions {
        let number = |at: usize| navigation.get(&session.activities[at].name);
        let drawn = session
            .moves
            .iter()
            .filter_map(|&(from, to, count)| Some((number(from)?, number(to)?, count)));
        let drawn: Vec<_> = drawn.collect();
        for (from, to, count) in drawn {
            navigation.moved(from, to, count);
        }
    }
    let mut links = navigation.moves();
    links.sort_by_key(|&(from, to, _)| (names[from], names[to]));
    let entries: Vec<_> = (0..names.len())
        .filter(|&n| activities[names[n]].entry)
        .collect();
    let rows = rows(&navigation.depths(&entries, names.len()), &links);
    let places = places(names.len(), &rows);
    let busiest = names
        .iter()
        .map(|name| activities[name].visits)
        .max()
        .unwrap_or(1)
        .max(1);
    let found = by_activity(sessions);
    let nodes: Vec<Node> = names
        .iter()
        .zip(&places)
        .map(|(class, &(x, y))| {
            let activity = &activities[class];
            Node {
                x,
                y,
                width: NODE.0,
                height: NODE.1,
                name: line(readable(class), 20),
                class: line(class, usize::MAX),
                visits: activity.visits,
                findings: found.get(class).map_or(0, |found| found.len() as u64),
                entry: activity.entry,
                heat: 100 * activity.visits / busiest,
            }
        })
        .collect();
    let across = rows.iter().map(Vec::len).max().unwrap_or(1) as f64;
    Some(Graph {
        width: 2.0 * MARGIN + across * NODE.0 + (across - 1.0) * GAP.0,
        height: 2.0 * MARGIN + rows.len() as f64 * (NODE.1 + GAP.1) - GAP.1,
        edges: edges(&nodes, &links),
        nodes,
        left_out,
    })
}

/// `NoteEditorActivity` is shown as `NoteEditor`.
pub fn readable(class: &str) -> &str {
    let short = short_class(class);
    short
        .strip_suffix("Activity")
        .filter(|rest| !rest.is_empty())
        .unwrap_or(short)
}

/// Rows of nodes: by distance from the start, each row under the nodes that lead to it.
fn rows(depth: &[usize], links: &[(usize, usize, u64)]) -> Vec<Vec<usize>> {
    let count = depth.len();
    let deepest = depth.iter().max().copied().unwrap_or(0);
    let mut rows: Vec<Vec<usize>> = Vec::new();
    let mut place = vec![0.0; count];
    for layer in 0..=deepest {
        let mut row: Vec<usize> = (0..count).filter(|&n| depth[n] == layer).collect();
        let middle = |node: usize| {
            let above: Vec<f64> = links
                .iter()
                .filter(|(from, to, _)| *to == node && depth[*from] < depth[node])
                .map(|(from, ..)| place[*from])
                .collect();
            above.iter().sum::<f64>() / above.len().max(1) as f64
        };
        row.sort_by(|a, b| middle(*a).total_cmp(&middle(*b)));
        // Rows of about equal length read better than full ones with a rest.
        let lines = row.len().div_ceil(ACROSS).max(1);
        for line in row.chunks(row.len().div_ceil(lines).max(1)) {
            for (at, &node) in line.iter().enumerate() {
                place[node] = (at as f64 + 0.5) / line.len() as f64;
            }
            rows.push(line.to_vec());
        }
    }
    rows
}

fn places(count: usize, rows: &[Vec<usize>]) -> Vec<(f64, f64)> {
    let across = rows.iter().map(Vec::len).max().unwrap_or(1) as f64;
    let mut places = vec![(0.0, 0.0); count];
    for (row, nodes) in rows.iter().enumerate() {
        let indent = (across - nodes.len() as f64) * (NODE.0 + GAP.0) / 2.0;
        for (at, &node) in nodes.iter().enumerate() {
            let x = MARGIN + indent + at as f64 * (NODE.0 + GAP.0);
            places[node] = (x, MARGIN + row as f64 * (NODE.1 + GAP.1));
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use super::super::super::session::ActivityRecord;
    use super::*;

    fn record(names: &[&str], moves: &[(usize, usize, u64)]) -> SessionRecord {
        SessionRecord {
            activities: names
                .iter()
                .map(|name| ActivityRecord {
                    name: (*name).to_owned(),
                    visits: 1,
                    ..ActivityRecord::default()
                })
                .collect(),
            moves: moves.to_vec(),
            entries: vec![0],
            ..SessionRecord::default()
        }
    }

    #[test]
    fn what_a_start_leads_to_is_on_top_and_each_move_goes_down() {
        let record = record(
            &["a.Main", "a.List", "a.EditorActivity"],
            &[(0, 1, 5), (1, 2, 3), (2, 1, 2)],
        );
        let graph = graph(&[&record]).unwrap();
        let y = |name: &str| graph.nodes.iter().find(|n| n.name == name).unwrap().y;
        assert!(y("Main") < y("List") && y("List") < y("Editor"));
        assert_eq!(graph.edges.len(), 2, "there and back are one line");
        assert!(graph.edges.iter().any(|edge| edge.counts == (3, 2)));
    }

    #[test]
    fn nodes_never_overlap_and_stay_inside() {
        let names: Vec<String> = (0..60).map(|n| format!("a.A{n}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let moves: Vec<_> = (1..60).map(|n| (n / 7, n, 1)).collect();
        let graph = graph(&[&record(&names, &moves)]).unwrap();
        assert_eq!((graph.nodes.len(), graph.left_out), (MOST_NODES, 24));
        for (at, a) in graph.nodes.iter().enumerate() {
            assert!(a.x >= 0.0 && a.x + a.width <= graph.width && a.y + a.height <= graph.height);
            for b in &graph.nodes[at + 1..] {
                let apart = (a.x - b.x).abs() >= a.width || (a.y - b.y).abs() >= a.height;
                assert!(apart, "{} and {}", a.name, b.name);
            }
        }
    }

    #[test]
    fn one_activity_makes_no_graph() {
        assert_eq!(graph(&[&record(&["a.Main"], &[])]), None);
    }
}
