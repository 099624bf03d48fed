//! FCR, functionality of the current page: how often the event itself was performed (DinoDroid, section III-C).

use super::{Context, Encoding, Feature};
use crate::gui::flow_graph::{BUCKETS, FlowGraph};
use crate::learn::layout::{Rows, Tower};

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

    fn write(
        &mut self,
        context: &Context<'_>,
        graph: &mut FlowGraph,
        event: usize,
        rows: &mut Rows,
    ) {
        let event = context.sighting.events[event];
        let (count, bucket) = (graph.count(event), graph.bucket(event));
        rows.dense
            .extend((0..BUCKETS).map(|place| match self.encoding {
                Encoding::Raw => count as f32,
                Encoding::Buckets => f32::from(u8::from(place == bucket)),
            }));
    }

    fn explain(&self, context: &Context<'_>, graph: &mut FlowGraph, event: usize) -> String {
        format!("performed {}", graph.count(context.sighting.events[event]))
    }
}
