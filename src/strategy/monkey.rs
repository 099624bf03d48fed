//! `monkey`: raw coordinates and keys in the proportions of Android's own Monkey.
//!
//! Source: `com.android.commands.monkey.MonkeySourceRandom`. Touches hit random points, mostly on no
//! widget; a motion is one drag; trackball and navigation are d-pad keys; "anyevent" is any key of a
//! list of keys that make sense on a phone. One Monkey event is one event of our budgets.

use super::{Decision, Strategy, StrategyError, View};
use crate::device::key;
use crate::outcome::run_event::RawInput;
use crate::util::seed::Rng;
use rand::RngExt as _;

/// Monkey's event percentages; they are scaled to a sum of 100.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs)] // named after Monkey's own options
pub struct Parameters {
    pub touch: f64,
    pub motion: f64,
    pub trackball: f64,
    pub nav: f64,
    pub majornav: f64,
    pub syskeys: f64,
    pub appswitch: f64,
    pub flip: f64,
    pub pinchzoom: f64,
    pub anyevent: f64,
}

impl Default for Parameters {
    /// Monkey's default mix.
    fn default() -> Self {
        Self {
            touch: 15.0,
            motion: 10.0,
            trackball: 15.0,
            nav: 25.0,
            majornav: 15.0,
            syskeys: 2.0,
            appswitch: 2.0,
            flip: 1.0,
            pinchzoom: 2.0,
            anyevent: 13.0,
        }
    }
}

/// `NAV_KEYS`: d-pad up, down, left, right.
const NAV: [u32; 4] = [19, 20, 21, 22];
/// `MAJOR_NAV_KEYS`: menu and d-pad centre.
const MAJOR_NAV: [u32; 2] = [key::MENU, 23];
/// `SYS_KEYS`: home, back, call, end call, volume up, down, mute.
const SYSTEM: [u32; 7] = [key::HOME, key::BACK, 5, 6, 24, 25, 164];
/// The highest code Monkey draws in an "any" event (`KeyEvent.getMaxKeyCode()` of Android 7).
const LAST_KEY: u32 = 285;
/// Keys Monkey never sends by chance: power, camera, end call's neighbours that leave the device.
const NEVER: [u32; 4] = [26, 27, 223, 276];

/// The strategy; it learns nothing.
#[derive(Debug)]
pub struct Monkey {
    /// Cumulated shares in the order of [`Kind::ALL`], the last is 1.
    shares: [f64; 10],
}

#[derive(Clone, Copy)]
enum Kind {
    Touch,
    Motion,
    Trackball,
    Nav,
    MajorNav,
    SysKeys,
    AppSwitch,
    Flip,
    PinchZoom,
    Any,
}

impl Kind {
    const ALL: [Kind; 10] = [
        Self::Touch,
        Self::Motion,
        Self::Trackball,
        Self::Nav,
        Self::MajorNav,
        Self::SysKeys,
        Self::AppSwitch,
        Self::Flip,
        Self::PinchZoom,
        Self::Any,
    ];
}

impl Monkey {
    /// With this mix; a mix of zeros is Monkey's default.
    pub fn new(parameters: Parameters) -> Self {
        let p = parameters;
        let mix = [
            p.touch,
            p.motion,
            p.trackball,
            p.nav,
            p.majornav,
            p.syskeys,
            p.appswitch,
            p.flip,
            p.pinchzoom,
            p.anyevent,
        ];
        let sum: f64 = mix.iter().sum();
        if sum <= 0.0 {
            return Self::new(Parameters::default());
        }
        let mut shares = [0.0; 10];
        let mut so_far = 0.0;
        for (share, part) in shares.iter_mut().zip(mix) {
            so_far += part / sum;
            *share = so_far;
        }
        Self { shares }
    }
}

impl Strategy for Monkey {
    fn decide(&mut self, view: &View<'_>, rng: &mut Rng) -> Result<Decision, StrategyError> {
        let drawn: f64 = rng.random();
        let at = self
            .shares
            .iter()
            .position(|&share| drawn < share)
            .unwrap_or(9);
        let (width, height) = (view.page.screen.0.max(1), view.page.screen.1.max(1));
        let pick = |keys: &[u32], rng: &mut Rng| RawInput::Key {
            code: keys[rng.random_range(0..keys.len())],
        };
        let x = rng.random_range(0..width);
        let y = rng.random_range(0..height);
        let raw = match Kind::ALL[at] {
            Kind::Touch => RawInput::Tap { x, y },
            Kind::Motion => RawInput::Drag {
                x,
                y,
                x2: rng.random_range(0..width),
                y2: rng.random_range(0..height),
            },
            // A trackball's small moves reach an app as d-pad keys, one move in ten with a press.
            Kind::Trackball if rng.random_ratio(1, 10) => RawInput::Key { code: 23 },
            Kind::Trackball | Kind::Nav => pick(&NAV, rng),
            Kind::MajorNav => pick(&MAJOR_NAV, rng),
            Kind::SysKeys => pick(&SYSTEM, rng),
            Kind::AppSwitch => RawInput::AppSwitch,
            Kind::Flip => RawInput::Rotate,
            Kind::PinchZoom => RawInput::Pinch {
                x,
                y,
                inward: rng.random(),
            },
            Kind::Any => loop {
                let code = rng.random_range(1..=LAST_KEY);
                if !NEVER.contains(&code) {
                    break RawInput::Key { code };
                }
            },
        };
        Ok(Decision::Raw(raw))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::util::intern::Interner;
    use crate::util::seed::generator;

    #[test]
    fn the_mix_is_monkeys() {
        let mut page = crate::gui::page::none();
        page.screen = (320, 470);
        let interner = Interner::default();
        let mut rng = generator(3, "a", "monkey", 0);
        let mut monkey = Monkey::new(Parameters::default());
        let (mut taps, mut drags, mut flips, mut keys) = (0, 0, 0, 0);
        for number in 1..=10_000 {
            let view = View {
                page: &page,
                system: &[],
                number,
                interner: &interner,
            };
            match monkey.decide(&view, &mut rng).unwrap() {
                Decision::Raw(RawInput::Tap { x, y }) => {
                    assert!((0..320).contains(&x) && (0..470).contains(&y));
                    taps += 1;
                }
                Decision::Raw(RawInput::Drag { .. }) => drags += 1,
                Decision::Raw(RawInput::Rotate) => flips += 1,
                Decision::Raw(RawInput::Key { code }) => {
                    assert!(!NEVER.contains(&code));
                    keys += 1;
                }
                _ => {}
            }
        }
        assert!((1_350..1_650).contains(&taps), "{taps}");
        assert!((850..1_150).contains(&drags), "{drags}");
        assert!((60..140).contains(&flips), "{flips}");
        assert!((6_700..7_300).contains(&keys), "{keys}");
    }
}
