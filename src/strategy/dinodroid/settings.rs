//! From the suite's settings to the agent's parameters.

use super::{DinoDroid, Explore, Fill, Parameters, System, embedding};
use crate::config;
use crate::feature::txc::Vectors;
use crate::feature::{Encoding, FeatureKind};
use crate::gui::flow_graph::{Restart, Scale};
use crate::learn::dqn::Target;
use crate::learn::policy::{Lesson, Policy};
use crate::strategy::registry::Setting;
use crate::strategy::{Strategy as _, StrategyError};
use std::fs::File;

/// The policy that ships: `cargo xtask policy` trains it, `docs/policy.md` says on what.
static SHIPPED: &[u8] = include_bytes!("policy.safetensors");

/// Learning steps between two copies of the network, where the suite asks for copies.
const COPY_EVERY: u32 = 50;

/// An agent as the suite wants it, with its policy loaded.
///
/// # Errors
/// The embedding or the policy cannot be read or do not fit; the tensor engine lacks the device.
pub fn make(
    settings: &config::Dinodroid,
    setting: &Setting<'_>,
) -> Result<DinoDroid, StrategyError> {
    let mut parameters = parameters(settings);
    parameters.learner.device = setting
        .torch_device
        .parse()
        .map_err(StrategyError::Engine)?;
    // Asked now: the network itself is made with the first page.
    let device = parameters.learner.device.resolve();
    device.map_err(StrategyError::Engine)?;
    let mut agent = DinoDroid::new(parameters, &vectors(settings, setting)?);
    if let Some(path) = &settings.policy.load {
        let path = (setting.on_disk)(path);
        let refused = |e: StrategyError| StrategyError::Policy(format!("{path}: {e}"));
        let mut file = File::open(&path).map_err(|e| refused(e.into()))?;
        agent.load(&mut file).map_err(refused)?;
    } else if starts_from_shipped(settings) {
        agent.load(&mut &*SHIPPED)?;
    }
    agent.lesson = Some(Lesson {
        session: setting.session.to_owned(),
        package: setting.package.to_owned(),
        content: setting.content.to_owned(),
        seed: setting.seed,
        steps: 0,
    });
    Ok(agent)
}

/// Does an agent without a policy of its own start from the one that ships? Only one that sees the world as that
/// one did while it was trained: the default preset with its features, encoding and embedding.
pub fn starts_from_shipped(settings: &config::Dinodroid) -> bool {
    let own = Parameters::default();
    let wanted = parameters(settings);
    !settings.policy.fresh
        && settings.preset == config::Preset::Default
        && settings.embedding.is_none()
        && (wanted.features, wanted.encoding) == (own.features, own.encoding)
}

/// Sessions that the policy which ships has learned from, where an agent with these settings starts from it.
pub fn shipped_history(settings: &config::Dinodroid) -> Vec<String> {
    let shipped = starts_from_shipped(settings) && settings.policy.load.is_none();
    let read = shipped.then(|| Policy::read(&mut &*SHIPPED));
    let history = read
        .and_then(Result::ok)
        .map(|policy| policy.header.history);
    let history = history.unwrap_or_default().into_iter();
    history.map(|lesson| lesson.session).collect()
}

/// The preset with the suite's own settings over it.
pub fn parameters(settings: &config::Dinodroid) -> Parameters {
    let mut all = match settings.preset {
        config::Preset::Default => Parameters::default(),
        config::Preset::Paper => Parameters::paper(),
        config::Preset::Published => Parameters::published(),
    };
    if let Some(features) = &settings.features {
        let named: Vec<_> = features.iter().copied().map(feature).collect();
        // In one order, each once: another order of a list is no other network.
        all.features.retain(|kind| named.contains(kind));
    }
    if let Some(encoding) = settings.encoding {
        all.encoding = match encoding {
            config::Encoding::Raw => {
                all.limits.scale = Scale::Counts;
                Encoding::Raw
            }
            config::Encoding::Buckets => Encoding::Buckets,
        };
    }
    if let Some(explored) = settings.explore {
        all.explore = match explored {
            config::Explored::Any => Explore::Any,
            config::Explored::LeastPerformed => Explore::LeastPerformed,
        };
    }
    if let Some(target) = settings.target {
        let copy = |double| Target::Copy {
            every: COPY_EVERY,
            double,
        };
        all.learner.target = match target {
            config::QTarget::Frozen => Target::Frozen,
            config::QTarget::Copy => copy(false),
            config::QTarget::Double => copy(true),
        };
    }
    all.epsilon = settings.epsilon.unwrap_or(all.epsilon);
    #[allow(clippy::cast_possible_truncation)] // rewards and their differences
    let reward = |set: Option<f64>, preset: f32| set.map_or(preset, |x| x as f32);
    all.margin = reward(settings.margin, all.margin);
    all.bonus = reward(settings.bonus, all.bonus);
    all.again = reward(settings.again, all.again);
    all.warm_up = settings.warm_up.unwrap_or(all.warm_up);
    all.system = settings.system_rate.map_or(all.system, System::Listened);
    all.system = settings.system_every.map_or(all.system, System::Every);
    all.fill = settings.fill.map_or(all.fill, Fill::Empty);
    if settings.restart == Some(false) {
        all.limits.restart = Restart::Never;
    }
    all.learn = settings.learn.unwrap_or(all.learn);
    all.learner.rate = settings.learning_rate.unwrap_or(all.learner.rate);
    let number =
        |set: Option<u64>, preset| set.map_or(preset, |n| usize::try_from(n).unwrap_or(preset));
    all.limits.barren = settings.barren.unwrap_or(all.limits.barren);
    let replay = &mut all.learner.replay;
    replay.capacity = number(settings.memory, replay.capacity);
    replay.batch = number(settings.batch, replay.batch);
    replay.epochs = number(settings.epochs, replay.epochs);
    #[allow(clippy::cast_possible_truncation)] // a share of 1
    if let Some(discount) = settings.discount {
        all.learner.gamma = discount as f32;
    }
    all
}

const fn feature(named: config::DinodroidFeature) -> FeatureKind {
    match named {
        config::DinodroidFeature::Fcr => FeatureKind::Fcr,
        config::DinodroidFeature::Fcd => FeatureKind::Fcd,
        config::DinodroidFeature::Txc => FeatureKind::Txc,
    }
}

/// What words mean: the suite's embedding, else the one that ships with the tool.
fn vectors(settings: &config::Dinodroid, setting: &Setting<'_>) -> Result<Vectors, StrategyError> {
    let Some(path) = &settings.embedding else {
        return Ok(Vectors::Shipped);
    };
    let embedding = embedding::open(&(setting.on_disk)(path));
    let embedding = embedding.map_err(|e| StrategyError::Policy(e.to_string()))?;
    Ok(Vectors::Own(embedding))
}

#[cfg(test)]
mod tests {
    use super::*;
    use camino::{Utf8Path, Utf8PathBuf};

    fn made(settings: &config::Dinodroid) -> DinoDroid {
        let setting = Setting {
            session: "s",
            package: "p",
            content: "",
            seed: 1,
            torch_device: "cpu",
            pool: None,
            on_disk: &|path: &Utf8Path| -> Utf8PathBuf { path.to_owned() },
        };
        make(settings, &setting).unwrap()
    }

    #[test]
    fn an_agent_starts_from_the_shipped_policy_where_it_fits() {
        let by_default = made(&config::Dinodroid::default());
        assert!(by_default.history.len() > 20, "{:?}", by_default.history);
        let fresh = config::PolicyFiles {
            fresh: true,
            ..config::PolicyFiles::default()
        };
        let others = [
            config::Dinodroid {
                policy: fresh,
                ..config::Dinodroid::default()
            },
            config::Dinodroid {
                preset: config::Preset::Paper,
                ..config::Dinodroid::default()
            },
            config::Dinodroid {
                features: Some(vec![config::DinodroidFeature::Fcr]),
                ..config::Dinodroid::default()
            },
        ];
        for other in &others {
            assert!(made(other).history.is_empty(), "{other:?}");
        }
    }

    #[test]
    fn the_order_of_features_does_not_matter_nor_one_named_twice() {
        use config::DinodroidFeature::{Fcd, Fcr};
        let settings = config::Dinodroid {
            features: Some(vec![Fcd, Fcr, Fcd]),
            ..config::Dinodroid::default()
        };
        let told = parameters(&settings).features;
        assert_eq!(told, [FeatureKind::Fcr, FeatureKind::Fcd]);
    }
}
