//! What has happened in an app since the last observation, and what was seen before.

use super::model::{Ix, Model};
use crate::device::ClassInfo;
use crate::outcome::evidence::{Anr, Crash};

/// What happened since the last observation.
#[derive(Debug, Default)]
pub struct News {
    /// A planted crash.
    pub crash: Option<Crash>,
    /// A planted hang.
    pub anr: Option<Anr>,
    /// The app ended itself.
    pub exit: Option<String>,
    /// Blocks hit for the first time.
    pub probes: Vec<(u32, u32)>,
    /// Classes of blocks observed for the first time.
    pub classes: Vec<ClassInfo>,
    /// Activities visited for the first time since the last reset.
    pub visited: Vec<String>,
}

/// Tells what is new; remembers by node, block and class, so that nothing is looked up.
#[derive(Debug)]
pub struct Watch {
    /// Not reported yet.
    pub news: News,
    /// By node: the reset after which it was last visited first.
    visited: Vec<u64>,
    resets: u64,
    hit: Vec<bool>,
    met: Vec<bool>,
}

impl Watch {
    /// Nothing seen yet.
    pub fn new(model: &Model) -> Self {
        Self {
            news: News::default(),
            visited: vec![0; model.nodes.len()],
            resets: 0,
            hit: vec![false; model.blocks.len()],
            met: vec![false; model.classes.len()],
        }
    }

    /// The app was restarted.
    pub fn reset(&mut self) {
        self.resets += 1;
        self.news = News::default();
    }

    /// A node has been reached.
    #[inline]
    pub fn arrive(&mut self, model: &Model, node: Ix) {
        let visited = &mut self.visited[node as usize];
        let node = &model.nodes[node as usize];
        if *visited != self.resets {
            *visited = self.resets;
            self.news.visited.push(node.id.clone());
        }
        self.hit(model, &node.blocks);
    }

    /// Code blocks have run.
    #[inline]
    pub fn hit(&mut self, model: &Model, blocks: &[Ix]) {
        for &block in blocks {
            if !self.hit[block as usize] {
                self.hit_first(model, block);
            }
        }
    }

    #[cold]
    fn hit_first(&mut self, model: &Model, block: Ix) {
        self.hit[block as usize] = true;
        let (class, probe) = model.blocks[block as usize];
        if !std::mem::replace(&mut self.met[class as usize], true) {
            let known = &model.classes[class as usize];
            let info = (class, known.name.clone(), known.probes);
            self.news.classes.push(info);
        }
        self.news.probes.push((class, probe));
    }
}
