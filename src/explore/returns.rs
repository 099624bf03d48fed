//! The states that a strategy saved, and ways back to them for devices without snapshots.
//!
//! A way starts with cleared data. The shortest one through the pages of the session is tried first, then the steps that
//! led to the saved state, then other short ones; one that arrived is used again, one that led elsewhere never.

use super::guide::Guide;
use crate::device::SnapshotId;
use crate::graph::{Bounds, PageGraph};
use crate::gui::{Page, PageId};
use crate::outcome::run_event::{Did, Reset, SaveId};
use crate::step::Decision;
use crate::trace::Walks;
use crate::util::hash::of_bytes;
use rustc_hash::FxHashMap;

/// The most steps of a way; a longer one costs more than what exploring from there can be worth.
const LONGEST: usize = 100;

/// A way: its steps, by number.
pub type Way = Vec<u32>;

/// A saved state.
#[derive(Debug)]
pub struct Saved {
    /// Its page.
    pub page: PageId,
    /// The device's snapshot of it, if there is one.
    pub snapshot: Option<SnapshotId>,
    /// How often each script had run.
    pub guide: Guide,
    /// The way that arrived last.
    way: Option<Way>,
    /// Ways that led elsewhere.
    dropped: Vec<Way>,
}

/// All of a session.
#[derive(Debug)]
pub struct Returns {
    /// What was performed, each once.
    steps: Vec<Did>,
    known: FxHashMap<u64, u32>,
    walks: Walks<u32>,
    graph: PageGraph,
    /// The page that the last start with cleared data led to.
    start: Option<PageId>,
    saved: FxHashMap<SaveId, Saved>,
    /// Could the device not save a snapshot? It is not asked again.
    pub refused: bool,
}

impl Default for Returns {
    fn default() -> Self {
        Self {
            steps: Vec::new(),
            known: FxHashMap::default(),
            walks: Walks::default(),
            graph: PageGraph::new(Bounds::default()),
            start: None,
            saved: FxHashMap::default(),
            refused: false,
        }
    }
}

impl Returns {
    /// The app was started, and shows this page.
    pub fn launched(&mut self, how: Reset, page: PageId) {
        if how != Reset::Relaunch {
            self.walks.start();
            self.start = Some(page);
        }
    }

    /// A step was performed; `alive`: the page behind it is a result of it.
    pub fn stepped(&mut self, from: PageId, did: &Did, to: PageId, alive: bool) {
        if *did == Did::Invalid {
            return;
        }
        let key = of_bytes(format!("{did:?}").as_bytes());
        let next = u32::try_from(self.steps.len()).unwrap_or(u32::MAX);
        let step = *self.known.entry(key).or_insert(next);
        if step == next {
            self.steps.push(did.clone());
        }
        self.walks.push(step);
        if alive && from != to {
            self.graph.see(from, step, to, 1);
        }
    }

    /// The state is saved under this name. Gives the snapshot that is not needed any more.
    pub fn save(
        &mut self,
        id: SaveId,
        page: PageId,
        snapshot: Option<SnapshotId>,
        guide: Guide,
    ) -> Option<SnapshotId> {
        self.walks.save(id);
        let saved = Saved {
            page,
            snapshot,
            guide,
            way: None,
            dropped: Vec::new(),
        };
        self.saved.insert(id, saved)?.snapshot
    }

    /// The state of this name.
    pub fn get(&self, id: SaveId) -> Option<&Saved> {
        self.saved.get(&id)
    }

    /// All snapshots of the device.
    pub fn snapshots(&self) -> impl Iterator<Item = SnapshotId> {
        self.saved.values().filter_map(|saved| saved.snapshot)
    }

    /// The snapshot of this state cannot be restored. Gives it.
    pub fn without_snapshot(&mut self, id: SaveId) -> Option<SnapshotId> {
        self.saved.get_mut(&id)?.snapshot.take()
    }

    /// A snapshot brought this state back.
    pub fn restored(&mut self, id: SaveId) {
        self.walks.restore(id);
    }

    /// The best way to this state; `None`: all that are known led elsewhere, or are too long.
    pub fn way(&self, id: SaveId) -> Option<Way> {
        let saved = self.saved.get(&id)?;
        if saved.way.is_some() {
            return saved.way.clone();
        }
        let fits = |way: &Way| way.len() <= LONGEST && !saved.dropped.contains(way);
        let distances = self.graph.distances(saved.page);
        let most = saved.dropped.len() + 1;
        let ways = |from| self.graph.ways(from, &distances, LONGEST + 1, most);
        let mut ways = self.start.map_or_else(Vec::new, ways).into_iter();
        let own = || {
            let steps: Way = self.walks.to(id)?.copied().collect();
            Some(steps).filter(fits)
        };
        // Raw input depends on more than the page shows, such as the focus: of all ways the own one is the most likely.
        if saved.dropped.is_empty() {
            ways.find(fits).or_else(own)
        } else {
            own().or_else(|| ways.find(fits))
        }
    }

    /// This way led to the state, or elsewhere.
    pub fn tried(&mut self, id: SaveId, way: Way, arrived: bool) {
        if let Some(saved) = self.saved.get_mut(&id) {
            if arrived {
                saved.way = Some(way);
            } else {
                saved.way = None;
                // A start without steps may show another page the next time.
                if !way.is_empty() {
                    saved.dropped.push(way);
                }
            }
        }
    }

    /// A step of a way on this page; `None`: its event is not there.
    pub fn decision(&self, step: u32, page: &Page) -> Option<Decision> {
        Some(match self.steps.get(step as usize)? {
            Did::Event { k, input, .. } => Decision::Perform {
                event: page.events.iter().position(|event| event.key == *k)?,
                input: input.clone(),
            },
            Did::Raw { action } => Decision::Raw(*action),
            Did::System { event } => Decision::System(event.clone()),
            Did::Invalid => Decision::Invalid,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gui::SystemEvent;

    fn did(name: &str) -> Did {
        let event = match name {
            "rotate" => SystemEvent::Rotate,
            _ => SystemEvent::Home,
        };
        Did::System { event }
    }

    #[test]
    fn the_shortest_way_comes_first_then_the_own_one_and_one_that_led_elsewhere_never_again() {
        let mut returns = Returns::default();
        let [first, second, third] = [1, 2, 3].map(PageId);
        returns.launched(Reset::ClearData, first);
        // A detour to the third page, then a way straight to it.
        returns.stepped(first, &did("home"), second, true);
        returns.stepped(second, &did("rotate"), second, true);
        returns.stepped(second, &did("home"), third, true);
        let id = SaveId(4);
        let nothing = returns.save(id, third, None, Guide::default());
        assert_eq!((nothing, returns.way(SaveId(9))), (None, None));
        returns.launched(Reset::ClearData, first);
        returns.stepped(first, &did("rotate"), third, true);
        let mut ways = Vec::new();
        while let Some(way) = returns.way(id) {
            returns.tried(id, way.clone(), false);
            ways.push(way);
        }
        assert_eq!(ways, [vec![1], vec![0, 1, 0], vec![0, 0]]);
        // What arrived is used again, until it leads elsewhere.
        returns.tried(id, vec![0, 0], true);
        assert_eq!(returns.way(id), Some(vec![0, 0]));
        returns.tried(id, vec![0, 0], false);
        assert_eq!(returns.way(id), None);
    }

    #[test]
    fn a_start_without_steps_is_tried_again_although_it_once_led_elsewhere() {
        let mut returns = Returns::default();
        returns.launched(Reset::ClearData, PageId(1));
        let id = SaveId(0);
        returns.save(id, PageId(1), None, Guide::default());
        returns.tried(id, Vec::new(), false);
        assert_eq!(returns.way(id), Some(Vec::new()));
    }
}
