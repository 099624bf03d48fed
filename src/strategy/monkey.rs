//! `monkey`: raw coordinates and keys in the proportions of Android's own Monkey.
//!
//! Source: `com.android.commands.monkey.MonkeySourceRandom`. Touches hit random points, mostly on no
//! widget; a motion is a short random walk of the finger; the trackball rolls in ten small steps;
//! navigation is by d-pad keys; "anyevent" is any key there is. An app switch starts the launcher
//! activity; the screen does not turn (Monkey has events for that, at 0 %); a flip folds the keyboard, which no phone of today notices. One Monkey event (what it
//! counts between two throttle pauses) is one event of our budgets.

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
/// `SYS_KEYS`: home, back, call, volume up, down, mute, mute the microphone (end call is never sent).
const SYSTEM: [u32; 7] = [key::HOME, key::BACK, 5, 24, 25, 164, 91];
/// The highest code Monkey draws in an "any" event (`KeyEvent.getMaxKeyCode()` of Android 7, less one).
const LAST_KEY: u32 = 284;
/// Keys Monkey never sends: end call, power, sleep, soft sleep.
const NEVER: [u32; 4] = [6, 26, 223, 276];
/// A finger moves at most half of this along each axis from one moment to the next.
const STRIDE: f64 = 50.0;

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
            Kind::Motion => {
                let steps = rng.random_range(0..10) + 1;
                RawInput::Drag {
                    x,
                    y,
                    x2: walk(x, width, steps, rng),
                    y2: walk(y, height, steps, rng),
                }
            }
            Kind::Trackball => RawInput::Trackball {
                moves: std::array::from_fn(|_| (rng.random_range(-5..5), rng.random_range(-5..5))),
                click: rng.random_ratio(1, 10),
            },
            Kind::Nav => pick(&NAV, rng),
            Kind::MajorNav => pick(&MAJOR_NAV, rng),
            Kind::SysKeys => pick(&SYSTEM, rng),
            Kind::AppSwitch => RawInput::AppSwitch,
            Kind::Flip => RawInput::Nothing,
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

/// Where a walk of so many steps leads along one axis: all steps one way, each of random length.
fn walk(from: i32, size: i32, steps: i32, rng: &mut Rng) -> i32 {
    let stride = (rng.random::<f64>() - 0.5) * STRIDE;
    let far: f64 = (0..steps).map(|_| stride * rng.random::<f64>()).sum();
    #[allow(clippy::cast_possible_truncation)] // at most 250
    let far = far as i32;
    (from + far).clamp(0, size - 1)
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
        let (mut taps, mut drags, mut flips, mut keys, mut balls) = (0, 0, 0, 0, 0);
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
                Decision::Raw(RawInput::Drag { x, x2, .. }) => {
                    assert!((0..320).contains(&x2) && (x - x2).abs() <= 250);
                    drags += 1;
                }
                Decision::Raw(RawInput::Trackball { moves, .. }) => {
                    assert!(
                        moves
                            .iter()
                            .all(|(x, y)| (-5..5).contains(x) && (-5..5).contains(y))
                    );
                    balls += 1;
                }
                Decision::Raw(RawInput::Nothing) => flips += 1,
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
        assert!((5_200..5_800).contains(&keys), "{keys}");
        assert!((1_350..1_650).contains(&balls), "{balls}");
    }
}
