//! The event-flow graph: which events are known, how often each was performed, and where it led.
//!
//! DinoDroid (section III-B of the paper) keeps it compact: pages that look alike are one node, and events of
//! one activity with the same kind, class, resource-id and text are one event, so that performing one of them
//! counts for all. List items may come and go without making another node. What an event's children are (its
//! generations) is computed when requested, from lists that only grow with the app, not with the run: each
//! generation is cut at a limit.

mod alike;

pub use alike::Numbers;

use super::caption::caption;
use super::page::Page;
use super::places::Places;
use crate::util::hash::mix;
use crate::util::intern::{Interner, Sym};
use alike::jaccard;
use rustc_hash::FxHashMap;

/// Buckets of a histogram of how often events were performed, see [`Scale`].
pub const BUCKETS: usize = 10;
/// Generations of children looked at.
pub const GENERATIONS: usize = 3;
/// How many events of a generation were performed how often.
pub type Histogram = [u32; BUCKETS];

/// A merged event.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Merged(pub u32);

/// A node: pages that look alike.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct NodeIx(pub u32);

/// Which counts share a bucket.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Scale {
    /// 0, 1, ... 8, and 9 or more (the paper).
    Counts,
    /// 0, 1, 2, 3, and growing steps behind, so that a long run still tells what was neglected.
    #[default]
    Growing,
}

impl Scale {
    /// The bucket of an event performed so many times.
    pub fn bucket(self, count: u32) -> usize {
        const LAST: [u32; BUCKETS - 1] = [0, 1, 2, 3, 5, 8, 14, 29, 99];
        match self {
            Self::Counts => (count as usize).min(BUCKETS - 1),
            Self::Growing => LAST.partition_point(|&last| last < count),
        }
    }
}

/// Of which pages starting the app again is an event.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Restart {
    /// Of none.
    Never,
    /// An event of its own on each page (the paper).
    EachPage,
    /// One event of all pages: it leads to the same place from everywhere.
    Once,
}

/// How far the graph is compacted and looked at.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Limits {
    /// Two pages of one activity are one node when at least this share of the events of either is common to
    /// both (Jaccard), 0 to 1. 1: only pages with the same events.
    pub alike: f64,
    /// Are texts the same whose numbers are not?
    pub numbers: Numbers,
    /// Events counted in one generation at most.
    pub generation: usize,
    /// Events kept for one node, and nodes for one event, at most.
    pub node: usize,
    /// Nodes of an activity that a new page is compared with, the newest first.
    pub compared: usize,
    /// Where so many texts in a row had nothing new behind them, further ones of the same place are one event
    /// ([`super::places`]); so with pages, for keys.
    pub novelty_patience: u32,
    /// Is starting the app again an event of every page?
    pub restart: Restart,
    /// How counts become buckets.
    pub scale: Scale,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            alike: 0.8,
            numbers: Numbers::Merged,
            generation: 512,
            node: 512,
            compared: 32,
            novelty_patience: 6,
            restart: Restart::Once,
            scale: Scale::Growing,
        }
    }
}

/// A page as the graph knows it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sighting {
    /// Its node.
    pub node: NodeIx,
    /// The merged event of each event of the page, in its order; with a [`Limits::restart`] that one comes last.
    pub events: Vec<Merged>,
}

#[derive(Debug, Default)]
struct Node {
    /// Tags of the page's events without the list items' texts, sorted, each once.
    shape: Vec<u64>,
    events: Vec<Merged>,
}

#[derive(Debug, Default)]
struct Known {
    place: u64,
    count: u32,
    to: Vec<NodeIx>,
}

/// The graph of one app; dropped with it.
#[derive(Debug)]
pub struct FlowGraph {
    limits: Limits,
    nodes: Vec<Node>,
    events: Vec<Known>,
    by_shape: FxHashMap<u64, NodeIx>,
    by_activity: FxHashMap<Sym, Vec<NodeIx>>,
    by_tag: FxHashMap<u64, Merged>,
    texts: FxHashMap<Sym, u64>,
    places: Places,
    lists: FxHashMap<Sym, bool>,
    /// Marks of the walk under way, by node and by event.
    walk: u32,
    node_walk: Vec<u32>,
    event_walk: Vec<u32>,
}

/// Class names of views whose children are a list's items.
const LISTS: [&str; 6] = [
    "ListView",
    "RecyclerView",
    "GridView",
    "AbsListView",
    "ViewPager",
    "Spinner",
];
/// Of the event that starts the app again.
const RESTART: u64 = 99;

impl FlowGraph {
    /// An empty graph.
    pub fn new(limits: Limits) -> Self {
        Self {
            limits,
            nodes: Vec::new(),
            events: Vec::new(),
            by_shape: FxHashMap::default(),
            by_activity: FxHashMap::default(),
            by_tag: FxHashMap::default(),
            texts: FxHashMap::default(),
            places: Places::new(limits.novelty_patience),
            lists: FxHashMap::default(),
            walk: 0,
            node_walk: Vec::new(),
            event_walk: Vec::new(),
        }
    }

    /// The moves between nodes that were seen, by their numbers.
    #[cfg(test)]
    pub fn moves(&self) -> Vec<(u32, u32)> {
        let nodes = (0..).zip(&self.nodes);
        let events = nodes.flat_map(|(from, node)| node.events.iter().map(move |e| (from, e)));
        let moves = events.flat_map(|(from, event)| {
            let to = &self.events[event.0 as usize].to;
            to.iter().map(move |to| (from, to.0))
        });
        moves.collect()
    }

    /// Nodes and merged events.
    pub fn size(&self) -> (usize, usize) {
        (self.nodes.len(), self.events.len())
    }

    /// Finds the page's node and its events' merged ones; what is new is added.
    pub fn observe(&mut self, page: &Page, interner: &Interner) -> Sighting {
        let in_list = self.list_items(page, interner);
        let activity = interner.hash(page.activity);
        let mut tags = Vec::with_capacity(page.events.len() + 1);
        let mut shape = Vec::with_capacity(page.events.len());
        let mut words = Vec::new();
        for event in &page.events {
            let Some(widget) = event.widget else {
                tags.push(None);
                shape.push(event.kind.code());
                continue;
            };
            let this = &page.widgets[widget as usize];
            let place = mix(
                mix(event.kind.code(), interner.hash(this.class)),
                interner.hash(this.resource_id),
            );
            words.clear();
            caption(page, widget, &mut words);
            let tag = words
                .iter()
                .fold(place, |tag, &word| mix(tag, self.text(word, interner)));
            let at = mix(activity, place);
            let reported = self.places.tell(at, mix(activity, tag));
            let data = in_list[widget as usize] || reported == at;
            tags.push(Some((at, reported)));
            shape.push(if data { place } else { tag });
        }
        shape.sort_unstable();
        shape.dedup();
        let node = self.node(page.activity, activity, shape);
        let mut events: Vec<Merged> = tags
            .into_iter()
            .zip(&page.events)
            .map(|(tag, event)| {
                let (at, tag) = tag.unwrap_or_else(|| {
                    // Keys mean another thing on every page.
                    let at = mix(activity, event.kind.code());
                    let own = mix(u64::from(node.0) << 32, event.kind.code());
                    (at, self.places.tell(at, own))
                });
                self.event(at, tag)
            })
            .collect();
        match self.limits.restart {
            Restart::Never => {}
            Restart::EachPage => {
                let own = mix(u64::from(node.0) << 32, RESTART);
                events.push(self.event(RESTART, own));
            }
            Restart::Once => events.push(self.event(RESTART, RESTART)),
        }
        self.node_walk.resize(self.nodes.len(), 0);
        self.event_walk.resize(self.events.len(), 0);
        self.walk += 1;
        let kept = &mut self.nodes[node.0 as usize].events;
        for known in kept.iter() {
            self.event_walk[known.0 as usize] = self.walk;
        }
        for &event in &events {
            let mark = &mut self.event_walk[event.0 as usize];
            if *mark != self.walk && kept.len() < self.limits.node {
                *mark = self.walk;
                kept.push(event);
            }
        }
        Sighting { node, events }
    }

    /// Notes that an event was performed, where it led (`None`: out of the app, or to its end) and whether there
    /// was anything new.
    pub fn performed(&mut self, event: Merged, to: Option<NodeIx>, new: bool) {
        let known = &mut self.events[event.0 as usize];
        self.places.performed(known.place, known.count == 0, new);
        known.count = known.count.saturating_add(1);
        if let Some(to) = to
            && !known.to.contains(&to)
            && known.to.len() < self.limits.node
        {
            known.to.push(to);
        }
    }

    /// How often an event was performed.
    pub fn count(&self, event: Merged) -> u32 {
        self.events[event.0 as usize].count
    }

    /// The bucket that an event is in by how often it was performed.
    pub fn bucket(&self, event: Merged) -> usize {
        self.limits.scale.bucket(self.count(event))
    }

    /// How often the events of each generation behind this one were performed. Breadth first over the moves
    /// seen so far; an event counts in the first generation that it is observed in, and only once.
    pub fn generations(&mut self, event: Merged) -> [Histogram; GENERATIONS] {
        let mut all = [[0; BUCKETS]; GENERATIONS];
        self.walk += 1;
        self.event_walk[event.0 as usize] = self.walk;
        let mut parents = vec![event];
        for histogram in &mut all {
            let mut children = Vec::new();
            'generation: for parent in parents {
                for node in &self.events[parent.0 as usize].to {
                    let mark = &mut self.node_walk[node.0 as usize];
                    if *mark == self.walk {
                        continue;
                    }
                    *mark = self.walk;
                    for &child in &self.nodes[node.0 as usize].events {
                        let mark = &mut self.event_walk[child.0 as usize];
                        if *mark == self.walk {
                            continue;
                        }
                        if children.len() >= self.limits.generation {
                            break 'generation;
                        }
                        *mark = self.walk;
                        let count = self.events[child.0 as usize].count;
                        histogram[self.limits.scale.bucket(count)] += 1;
                        children.push(child);
                    }
                }
            }
            parents = children;
        }
        all
    }

    fn event(&mut self, place: u64, tag: u64) -> Merged {
        let next = Merged(u32::try_from(self.events.len()).unwrap_or(u32::MAX));
        let merged = *self.by_tag.entry(tag).or_insert(next);
        if merged == next {
            self.events.push(Known {
                place,
                ..Known::default()
            });
        }
        merged
    }

    fn node(&mut self, activity: Sym, hash: u64, shape: Vec<u64>) -> NodeIx {
        let key = shape.iter().fold(hash, |key, &tag| mix(key, tag));
        if let Some(&node) = self.by_shape.get(&key) {
            return node;
        }
        let siblings = self.by_activity.entry(activity).or_default();
        let like = siblings
            .iter()
            .rev()
            .take(self.limits.compared)
            .map(|&node| (jaccard(&self.nodes[node.0 as usize].shape, &shape), node))
            .filter(|(share, _)| *share >= self.limits.alike)
            .max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
        let node = like.map_or_else(
            || {
                let node = NodeIx(u32::try_from(self.nodes.len()).unwrap_or(u32::MAX));
                siblings.push(node);
                self.nodes.push(Node {
                    shape,
                    events: Vec::new(),
                });
                node
            },
            |(_, node)| node,
        );
        self.by_shape.insert(key, node);
        node
    }

    /// Which widgets are inside a list.
    fn list_items(&mut self, page: &Page, interner: &Interner) -> Vec<bool> {
        let mut inside = vec![false; page.widgets.len()];
        for (ix, widget) in page.widgets.iter().enumerate() {
            if let Some(parent) = widget.parent.map(|p| p as usize) {
                let class = page.widgets[parent].class;
                let list = *self.lists.entry(class).or_insert_with(|| {
                    let name = interner.get(class);
                    LISTS.iter().any(|known| name.ends_with(known))
                });
                inside[ix] = inside[parent] || list;
            }
        }
        inside
    }

    /// Hash of a text, which those that are the same share ([`Limits::numbers`]).
    fn text(&mut self, text: Sym, interner: &Interner) -> u64 {
        let numbers = self.limits.numbers;
        *self
            .texts
            .entry(text)
            .or_insert_with(|| numbers.hash(interner.get(text).trim()))
    }
}
