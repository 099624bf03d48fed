//! From a suite's `[[strategy]]` to the strategy itself. Adding one: its file, an arm here, a row in the docs.

use super::ares;
use super::monkey::{self, Monkey};
use super::random::{self, Random};
use super::{Strategy, StrategyError};
use crate::config::StrategyKind;
use camino::{Utf8Path, Utf8PathBuf};

/// What a strategy is made for.
pub struct Setting<'a> {
    /// Name of the session.
    pub session: &'a str,
    /// Package, or the model's name.
    pub package: &'a str,
    /// SHA-256 of the APK or model file.
    pub content: &'a str,
    /// Seed.
    pub seed: u64,
    /// All that can be typed, where that is known (models).
    pub pool: Option<&'a [String]>,
    /// Where tensors are computed: `auto`, `cpu`, `cuda:0`.
    pub torch_device: &'a str,
    /// A path of the suite as the process must open it.
    pub on_disk: &'a dyn Fn(&Utf8Path) -> Utf8PathBuf,
}

/// Sessions that the policy which ships has learned from, where such a strategy starts from it.
pub fn shipped_history(kind: &StrategyKind) -> Vec<String> {
    match kind {
        #[cfg(feature = "deep")]
        StrategyKind::Dinodroid(settings) => super::dinodroid::settings::shipped_history(settings),
        _ => Vec::new(),
    }
}

/// A fresh strategy with these settings.
///
/// # Errors
/// A file that it starts from cannot be read or does not fit; this build has no tensor engine.
pub fn make(
    kind: &StrategyKind,
    setting: &Setting<'_>,
) -> Result<Box<dyn Strategy>, StrategyError> {
    Ok(match kind {
        #[cfg(feature = "deep")]
        StrategyKind::Dinodroid(settings) => {
            Box::new(super::dinodroid::settings::make(settings, setting)?)
        }
        #[cfg(not(feature = "deep"))]
        StrategyKind::Dinodroid(_) => {
            return Err(StrategyError::Engine(
                "`dinodroid` learns, and this build of the tool has no tensor engine; \
                 install it with the feature `deep` (cargo droidtest setup --libtorch says how)"
                    .into(),
            ));
        }
        StrategyKind::QLearning(settings) => {
            Box::new(ares::settings::q_learning(settings, setting)?)
        }
        StrategyKind::AresSac(settings) => Box::new(ares::settings::sac(settings, setting)?),
        StrategyKind::AresTd3(settings) => Box::new(ares::settings::td3(settings, setting)?),
        StrategyKind::AresDdpg(settings) => Box::new(ares::settings::ddpg(settings, setting)?),
        StrategyKind::Random(settings) => Box::new(Random::new(random::Parameters {
            system_rate: settings.system_rate,
        })),
        StrategyKind::Monkey(settings) => {
            let mix = settings.mix();
            Box::new(Monkey::new(monkey::Parameters {
                touch: mix.touch,
                motion: mix.motion,
                trackball: mix.trackball,
                nav: mix.nav,
                majornav: mix.majornav,
                syskeys: mix.syskeys,
                appswitch: mix.appswitch,
                flip: mix.flip,
                pinchzoom: mix.pinchzoom,
                anyevent: mix.anyevent,
            }))
        }
    })
}
