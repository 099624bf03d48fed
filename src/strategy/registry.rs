//! From a suite's `[[strategy]]` to the strategy itself. Adding one: its file, an arm here, a row in the docs.

use super::Strategy;
use super::monkey::{self, Monkey};
use super::random::{self, Random};
use crate::config::StrategyKind;

/// A fresh strategy with these settings.
pub fn make(kind: &StrategyKind) -> Box<dyn Strategy> {
    match kind {
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
    }
}
