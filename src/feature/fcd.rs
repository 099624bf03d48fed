//! FCD, functionality of the children: how often the events behind an event were performed, for three
//! generations (DinoDroid, section III-C).

use super::{Context, Encoding, Feature};
use crate::graph::Map;
use crate::graph::generations::{BUCKETS, GENERATIONS, Histogram, Walk};
use droidtest_network::{Rows, Tower};

/// The feature: 10 numbers for each of 3 generations; number `k` is how many events of the generation are
/// in bucket `k` of how often they were performed ([`Scale`](crate::graph::generations::Scale)).
///
/// Raw: the numbers themselves (the paper's example: 12 never and 8 twice are 12, 0, 8, 0, ...). Buckets:
/// `ln(1 + n) / 2`, so that pages with many events do not drown the others.
#[derive(Debug)]
pub struct Fcd {
    encoding: Encoding,
    walk: Walk,
}

impl Fcd {
    /// With this encoding; `generation`: events counted in one generation at most.
    pub fn new(encoding: Encoding, generation: usize) -> Self {
        Self {
            encoding,
            walk: Walk::new(generation, encoding.scale()),
        }
    }

    fn children(&mut self, context: &Context<'_>, event: usize) -> [Histogram; GENERATIONS] {
        let Map { graph, sighting } = context.map;
        graph.generations(sighting.events[event], &mut self.walk)
    }
}

impl Feature for Fcd {
    fn name(&self) -> &'static str {
        "fcd"
    }

    fn towers(&self) -> Vec<Tower> {
        (1..=GENERATIONS)
            .map(|generation| Tower::Vector {
                name: format!("fcd{generation}"),
                len: BUCKETS,
            })
            .collect()
    }

    fn write(&mut self, context: &Context<'_>, event: usize, rows: &mut Rows) {
        for histogram in self.children(context, event) {
            rows.dense.extend(histogram.map(|n| match self.encoding {
                Encoding::Raw => n as f32,
                Encoding::Buckets => (n as f32).ln_1p() / 2.0,
            }));
        }
    }

    fn explain(&mut self, context: &Context<'_>, event: usize) -> String {
        let all = self.children(context, event);
        let of =
            |histogram: &[u32]| format!("{} of {}", histogram[0], histogram.iter().sum::<u32>());
        let parts: Vec<_> = all.iter().map(|h| of(h)).collect();
        format!("children never performed {}", parts.join(", "))
    }
}
