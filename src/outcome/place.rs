//! Places within an activity: destinations of a navigation graph, fragments, panes.

use serde::{Deserialize, Serialize};

/// A place within an activity.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
pub struct Place {
    /// The activity's class.
    pub activity: String,
    /// The destination's route, the fragments' classes or the pane's title.
    pub name: String,
}
