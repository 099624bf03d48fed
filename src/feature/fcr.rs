//! FCR, functionality of the current page: how often the event itself was performed (DinoDroid, section III-C).

use super::{Context, Encoding, Feature};
use crate::graph::Map;
use crate::graph::generations::BUCKETS;
use droidtest_network::{Rows, Tower};

/// The feature: 10 numbers.
///
/// Raw: the count ten times over, as DinoDroid's code feeds it. Buckets: 1 in the place of the count's
/// bucket, 0 elsewhere.
#[derive(Debug)]
pub struct Fcr {
    encoding: Encoding,
}

impl Fcr {
    /// With this encoding.
    pub const fn new(encoding: Encoding) -> Self {
        Self { encoding }
    }
}

impl Feature for Fcr {
    fn name(&self) -> &'static str {
        "fcr"
    }

    fn towers(&self) -> Vec<Tower> {
        vec![Tower::Vector {
            name: "fcr".into(),
            len: BUCKETS,
        }]
    }

    fn write(&mut self, context: &Context<'_>, event: usize, rows: &mut Rows) {
        let Map { graph, sighting } = context.map;
        let count = graph.count(sighting.events[event]);
        let bucket = self.encoding.scale().bucket(count);
        rows.dense
            .extend((0..BUCKETS).map(|place| match self.encoding {
                Encoding::Raw => count as f32,
                Encoding::Buckets => f32::from(u8::from(place == bucket)),
            }));
    }

    fn explain(&mut self, context: &Context<'_>, event: usize) -> String {
        let Map { graph, sighting } = context.map;
        format!("performed {}", graph.count(sighting.events[event]))
    }
}
