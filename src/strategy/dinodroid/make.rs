//! From the suite's settings to the strategy.

use super::settings::{Settings, Target};
use super::{DinoDroid, embedding};
use crate::device::Caps;
use crate::feature::txc::Vectors;
use crate::graph::Abstraction;
use crate::learn::dqn::{self, Replay};
use crate::learn::policy::Policy;
use crate::strategy::definition::{
    self, Conflict, Context, Key, PolicyFiles, Preset, StartFile, Together,
};
use crate::strategy::{Strategy, StrategyError, demonstrations};
use camino::Utf8PathBuf;
use droidtest_network::{Engine, Sizes};

/// The policy that ships: `cargo xtask policy` trains it, `docs/policy.md` says on what.
static SHIPPED: &[u8] = include_bytes!("policy.safetensors");

/// Learning steps between two copies of the network, where the suite asks for copies.
const COPY_EVERY: u32 = 50;

/// [`StartFile::what`] of an embedding.
const EMBEDDING: &str = "embedding";

impl Settings {
    /// Network, memory and learning. Clipping and dropout are the published code's.
    pub(super) fn learner(&self, engine: Engine) -> dqn::Parameters {
        let copy = |double| dqn::Target::Copy {
            every: COPY_EVERY,
            double,
        };
        dqn::Parameters {
            sizes: Sizes::default(),
            rate: self.learning_rate,
            gamma: self.discount,
            clip: (-15.0, 30.0),
            dropout: 0.5,
            target: match self.target {
                Target::Frozen => dqn::Target::Frozen,
                Target::Copy => copy(false),
                Target::Double => copy(true),
            },
            replay: Replay {
                capacity: self.memory,
                batch: self.batch,
                epochs: self.epochs,
                by_reward: self.by_reward,
            },
            engine,
        }
    }

    /// Does a strategy without a policy of the suite's start from the one that ships? Only one that sees the world as
    /// that one did while it was trained: the default preset with its features, encoding, states and embedding.
    fn starts_from_shipped(&self) -> bool {
        let ours = Self::default();
        !self.policy.fresh
            && self.policy.load.is_none()
            && self.preset == Preset::Default
            && self.embedding.is_none()
            && self.features().eq(ours.features())
            && self.encoding == ours.encoding
            && self.states == ours.states
    }

    /// What words mean: the suite's embedding, else the one that ships with the tool.
    fn vectors(&self, context: &Context<'_>) -> Result<Vectors, StrategyError> {
        let Some(path) = &self.embedding else {
            return Ok(Vectors::Shipped);
        };
        let path = (context.on_disk)(path);
        let embedding = embedding::open(&path).map_err(|e| StrategyError::File {
            what: EMBEDDING,
            place: e.place.to_string(),
            reason: format!("{}; {}", e.reason, e.fix),
            path,
        })?;
        Ok(Vectors::Own(embedding))
    }

    fn made(&self, context: &Context<'_>) -> Result<DinoDroid, StrategyError> {
        let engine: Engine = context.engine.parse().map_err(StrategyError::Engine)?;
        // Asked now: the network itself is made with the first page.
        engine.check().map_err(StrategyError::Engine)?;
        let mut strategy = DinoDroid::new(self.clone(), engine, &self.vectors(context)?);
        if context.shipped && self.starts_from_shipped() {
            strategy.load(&mut &*SHIPPED)?;
        } else {
            context.load(&self.policy, &mut strategy)?;
        }
        strategy.set_lesson(context.lesson());
        if self.learn {
            for (_, shown) in context.shown(&self.demonstrations)? {
                strategy.rehearse_first(shown);
            }
        }
        if self.states != Abstraction::Fixed {
            strategy.set_texts((context.texts)()?);
        }
        Ok(strategy)
    }
}

impl definition::Settings for Settings {
    fn make(&self, context: &Context<'_>) -> Result<Box<dyn Strategy>, StrategyError> {
        Ok(Box::new(self.made(context)?))
    }

    fn policy(&self) -> Option<&PolicyFiles> {
        Some(&self.policy)
    }

    fn files(&self) -> Vec<StartFile<'_>> {
        let embedding = self.embedding.as_deref().map(|path| StartFile {
            what: EMBEDDING,
            keys: vec![Key::Name("embedding")],
            path,
            missing: "relative paths start from the folder of the suite",
            unusable: "without `embedding` the strategy uses the word vectors that come with the tool; \
                       `cargo droidtest train embeddings` creates others",
            folder: false,
            of_app: false,
        });
        let policy = self.policy.start();
        let shown = demonstrations::files(&self.demonstrations);
        policy.into_iter().chain(embedding).chain(shown).collect()
    }

    fn demonstrations(&self) -> Option<&[Utf8PathBuf]> {
        Some(&self.demonstrations)
    }

    fn learns_demonstrations(&self) -> bool {
        self.learn
    }

    fn learns_traces(&self) -> bool {
        self.learn
    }

    fn conflict(&self) -> Option<Conflict> {
        (!self.learn && !self.demonstrations.is_empty()).then(|| Conflict {
            what: Together::Exclude,
            keys: vec![Key::Name("demonstrations")],
            message: "`demonstrations` are to be learned from, but `learn` is false".to_owned(),
            fix: "set `learn = true`, or delete `demonstrations`",
        })
    }

    fn faults(&self) -> bool {
        self.preset == Preset::Default
    }

    fn prefers_changed(&self) -> bool {
        self.preset == Preset::Default
    }

    fn notes(&self, caps: Caps) -> Vec<&'static str> {
        let said =
            "the device measures no coverage: the reward counts new pages and activities instead";
        (!caps.coverage).then_some(said).into_iter().collect()
    }

    fn learning_switch(&self) -> Option<&'static str> {
        Some("learn")
    }

    fn shipped_lessons(&self) -> Vec<String> {
        let read = self
            .starts_from_shipped()
            .then(|| Policy::read(&mut &*SHIPPED));
        let policy = read.and_then(Result::ok).into_iter();
        let lessons = policy.flat_map(|policy| policy.history);
        lessons.map(|lesson| lesson.session).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::feature::FeatureKind;
    use crate::strategy::definition::Definition as _;

    fn history(toml: &str) -> usize {
        let context = Context {
            shipped: true,
            ..Context::bare("p")
        };
        let made = Settings::read(toml).unwrap().made(&context);
        made.unwrap().history().len()
    }

    #[test]
    fn it_starts_from_the_shipped_policy_where_that_fits() {
        assert!(history("") > 20);
        for other in [
            "policy = { fresh = true }",
            "preset = \"paper\"",
            "features = [\"fcr\"]",
            "encoding = \"raw\"",
            "states = \"tuned\"",
        ] {
            assert_eq!(history(other), 0, "{other}");
        }
    }

    #[test]
    fn the_order_of_features_does_not_matter_nor_one_named_twice() {
        let settings = Settings::read("features = [\"fcd\", \"fcr\", \"fcd\"]").unwrap();
        let features: Vec<_> = settings.features().collect();
        assert_eq!(features, [FeatureKind::Fcr, FeatureKind::Fcd]);
    }
}
