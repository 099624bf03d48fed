//! Every hyperparameter of the agent, and the three sets of them.

use crate::feature::{Encoding, FeatureKind};
use crate::gui::flow_graph::{Limits, Numbers, Restart, Scale};
use crate::learn::dqn::{self, Replay, Target};
use crate::learn::engine::TorchDevice;
use crate::learn::network::Sizes;

use super::EQUAL;

/// Which events are explored when chance says so.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Explore {
    /// Any event of the page (the paper).
    Any,
    /// One of those performed least (the published code).
    LeastPerformed,
}

/// When system events are sent, and which.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum System {
    /// One of all that Android knows, every so many events, whether the app listens or not (Stoat's generator).
    Every(u64),
    /// With this chance at each event, one that the app listens to, each as likely.
    Listened(f64),
}

/// When text fields are filled before anything else is done.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Fill {
    /// All of the page's, before every event that is no text itself (the paper).
    Always,
    /// The page's empty ones when it is come to, with this chance.
    Empty(f64),
}

/// Every hyperparameter. [`Default`] is our own choice, see [`Parameters::paper`] and
/// [`Parameters::published`] for the others.
#[derive(Clone, PartialEq, Debug)]
pub struct Parameters {
    /// Features the network reads.
    pub features: Vec<FeatureKind>,
    /// How their counts become numbers.
    pub encoding: Encoding,
    /// Network, memory and learning.
    pub learner: dqn::Parameters,
    /// Does it learn at all, or only use what a policy knows?
    pub learn: bool,
    /// Chance of exploring, 0 to 1.
    pub epsilon: f64,
    /// First events chosen at random (filling fields is part of one).
    pub warm_up: u64,
    /// What is explored.
    pub explore: Explore,
    /// Events worth as much as the best one but for this are chosen among by how seldom they were performed.
    pub margin: f32,
    /// Added to the reward of an event performed for the `n`th time, divided by the root of `n` (counts as a
    /// bonus for exploration: Strehl and Littman, 2008; Bellemare et al., 2016). It goes on telling events apart
    /// when all code that can be reached easily has been.
    pub bonus: f32,
    /// Taken from the reward of an event that ends the app by a crash met before: it teaches nothing and costs the
    /// way back.
    pub again: f32,
    /// System events.
    pub system: System,
    /// Text fields.
    pub fill: Fill,
    /// The event-flow graph.
    pub limits: Limits,
}

impl Parameters {
    /// The paper: counts as they are, labels frozen in memory, the current sample and 4 from history, 20
    /// epochs, epsilon .2 over all events, a random system event every 10, fields filled before every event.
    /// Discount, clipping and the first 20 random events are the published code's; the paper is silent.
    pub fn paper() -> Self {
        Self {
            features: vec![FeatureKind::Fcr, FeatureKind::Fcd, FeatureKind::Txc],
            encoding: Encoding::Raw,
            learner: dqn::Parameters {
                sizes: Sizes::default(),
                rate: 1e-4,
                gamma: 0.6,
                clip: (-15.0, 30.0),
                dropout: 0.5,
                target: Target::Frozen,
                replay: Replay {
                    capacity: 100_000,
                    batch: 5,
                    epochs: 20,
                    by_reward: false,
                },
                device: TorchDevice::Cpu,
            },
            learn: true,
            epsilon: 0.2,
            warm_up: 20,
            explore: Explore::Any,
            margin: EQUAL,
            bonus: 0.0,
            again: 0.0,
            system: System::Every(10),
            fill: Fill::Always,
            limits: Limits {
                generation: usize::MAX,
                barren: u32::MAX,
                restart: Restart::EachPage,
                scale: Scale::Counts,
                numbers: Numbers::Apart,
                ..Limits::default()
            },
        }
    }

    /// The published code: as the paper, but at most two samples of history that earned something, and
    /// exploring only among the events performed least.
    pub fn published() -> Self {
        let mut all = Self::paper();
        all.learner.replay.by_reward = true;
        all.explore = Explore::LeastPerformed;
        all
    }
}

impl Default for Parameters {
    /// Ours. `docs/dinodroid.md` says where it leaves the paper, why, and what was measured.
    fn default() -> Self {
        let paper = Self::paper();
        Self {
            encoding: Encoding::Buckets,
            learner: dqn::Parameters {
                rate: 1e-3,
                target: Target::Copy {
                    every: 50,
                    double: true,
                },
                replay: Replay {
                    capacity: 5_000,
                    batch: 32,
                    epochs: 2,
                    by_reward: false,
                },
                ..paper.learner
            },
            margin: 1.0,
            bonus: 3.0,
            again: 5.0,
            system: System::Listened(0.1),
            fill: Fill::Empty(0.5),
            limits: Limits::default(),
            ..paper
        }
    }
}
