//! `monkey`: raw coordinates and keys in the proportions of Android's own Monkey.
//!
//! Source: `com.android.commands.monkey.MonkeySourceRandom`. Touches hit random points, mostly on no
//! widget; a motion is a short random walk of the finger; the trackball rolls in ten small steps;
//! navigation is by d-pad keys; "anyevent" is any key there is. An app switch starts the launcher
//! activity; the screen does not turn (Monkey has events for that, at 0 %); a flip folds the keyboard, which no phone of today notices. One Monkey event (what it
//! counts between two throttle pauses) is one event of our budgets.

use super::definition::{self, Conflict, Context, Definition, Key, Together};
use super::{Decision, Strategy, StrategyError, View, random};
use crate::device::key;
use crate::outcome::run_event::RawInput;
use crate::settings::HumanDuration;
use crate::util::seed::Rng;
use rand::RngExt as _;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The settings of `monkey`: its `--pct-*` options, in percent.
///
/// As in Monkey, those that the suite sets are kept and the others share what
/// is left in their usual proportions.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", default)]
pub struct Settings {
    /// Down and up at one place. Usually 15.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64", range(min = 0.0, max = 100.0))]
    pub pct_touch: Option<f64>,
    /// Down, some moves, and up. Usually 10.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64", range(min = 0.0, max = 100.0))]
    pub pct_motion: Option<f64>,
    /// Random moves of a trackball, sometimes with a click. Usually 15.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64", range(min = 0.0, max = 100.0))]
    pub pct_trackball: Option<f64>,
    /// The arrow keys. Usually 25.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64", range(min = 0.0, max = 100.0))]
    pub pct_nav: Option<f64>,
    /// The centre and menu keys. Usually 15.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64", range(min = 0.0, max = 100.0))]
    pub pct_majornav: Option<f64>,
    /// Home, back, call, volume. Usually 2.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64", range(min = 0.0, max = 100.0))]
    pub pct_syskeys: Option<f64>,
    /// Starting the app's activities. Usually 2.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64", range(min = 0.0, max = 100.0))]
    pub pct_appswitch: Option<f64>,
    /// Opening and closing a keyboard. Usually 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64", range(min = 0.0, max = 100.0))]
    pub pct_flip: Option<f64>,
    /// Two fingers. Usually 2.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64", range(min = 0.0, max = 100.0))]
    pub pct_pinchzoom: Option<f64>,
    /// Any other key. Usually 13.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64", range(min = 0.0, max = 100.0))]
    pub pct_anyevent: Option<f64>,
    /// The share of events that are system events the app listens for, 0 to 1: TimeMachine's comparison of Monkey with
    /// system events. Android's Monkey has none.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub system_rate: f64,
    /// A pause after every event.
    pub throttle: HumanDuration,
}

impl Settings {
    fn shares(&self) -> [(Option<f64>, f64); 10] {
        [
            (self.pct_touch, 15.0),
            (self.pct_motion, 10.0),
            (self.pct_trackball, 15.0),
            (self.pct_nav, 25.0),
            (self.pct_majornav, 15.0),
            (self.pct_syskeys, 2.0),
            (self.pct_appswitch, 2.0),
            (self.pct_flip, 1.0),
            (self.pct_pinchzoom, 2.0),
            (self.pct_anyevent, 13.0),
        ]
    }

    /// What is wrong with the shares together, if anything: they exceed 100
    /// percent, or all are set and do not make 100.
    pub fn share_error(&self) -> Option<String> {
        let shares = self.shares();
        let sum: f64 = shares.iter().filter_map(|(set, _)| *set).sum();
        let all_set = shares.iter().all(|(set, _)| set.is_some());
        if sum > 100.0 + 1e-6 {
            Some(format!("the shares add up to {sum} percent, more than 100"))
        } else if all_set && sum < 100.0 - 1e-6 {
            Some(format!(
                "every share is set, but together they are {sum} percent, not 100"
            ))
        } else {
            None
        }
    }

    /// The shares in percent in the order of [`Kind::ALL`], as Monkey computes them: set ones kept, the others scaled
    /// to fill up to 100.
    fn mix(&self) -> [f64; 10] {
        let shares = self.shares();
        let set: f64 = shares.iter().filter_map(|(set, _)| *set).sum();
        let usual: f64 = shares
            .iter()
            .filter(|(set, _)| set.is_none())
            .map(|(_, usual)| usual)
            .sum();
        let scale = if usual > 0.0 {
            (100.0 - set).max(0.0) / usual
        } else {
            0.0
        };
        shares.map(|(set, usual)| set.unwrap_or(usual * scale))
    }
}

impl Definition for Settings {
    const NAME: &'static str = "monkey";
    const SUMMARY: &'static str =
        "Raw coordinates and keys, in the proportions of Android's Monkey.";
}

impl definition::Settings for Settings {
    fn make(&self, _: &Context<'_>) -> Result<Box<dyn Strategy>, StrategyError> {
        Ok(Box::new(Monkey::new(self)))
    }

    fn conflict(&self) -> Option<Conflict> {
        self.share_error().map(|message| Conflict {
            what: Together::Shares,
            keys: vec![Key::Name("kind")],
            message,
            fix: "the `pct-` keys must make 100 percent together: change some, or leave some out, which then share the rest",
        })
    }

    fn throttle(&self) -> Duration {
        self.throttle.0
    }

    fn faults(&self) -> bool {
        false
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
    system_rate: f64,
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
    pub fn new(settings: &Settings) -> Self {
        let mix = settings.mix();
        let sum: f64 = mix.iter().sum();
        if sum <= 0.0 {
            return Self::new(&Settings {
                system_rate: settings.system_rate,
                ..Settings::default()
            });
        }
        let mut shares = [0.0; 10];
        let mut so_far = 0.0;
        for (share, part) in shares.iter_mut().zip(mix) {
            so_far += part / sum;
            *share = so_far;
        }
        Self {
            shares,
            system_rate: settings.system_rate,
        }
    }
}

impl Strategy for Monkey {
    fn decide(&mut self, view: &View<'_>, rng: &mut Rng) -> Result<Decision, StrategyError> {
        if let Some(event) = random::system_event(view, self.system_rate, rng) {
            return Ok(event);
        }
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
        let mut monkey = Monkey::new(&Settings::default());
        let (mut taps, mut drags, mut flips, mut keys, mut balls) = (0, 0, 0, 0, 0);
        for number in 1..=10_000 {
            let view = View {
                page: &page,
                system: &[],
                links: &[],
                number,
                interner: &interner,
                caps: crate::device::Caps::default(),
                map: None,
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

    #[test]
    fn shares_that_are_set_stay_and_the_others_fill_up() {
        let mix = Settings::default().mix();
        assert_eq!((mix[0], mix[3], mix[9]), (15.0, 25.0, 13.0));

        let monkey = Settings {
            pct_touch: Some(57.5),
            ..Settings::default()
        };
        let mix = monkey.mix();
        assert_eq!(mix[0], 57.5);
        assert!((mix[3] - 12.5).abs() < 1e-9);
        assert_eq!(monkey.share_error(), None);
    }

    #[test]
    fn shares_above_100_are_an_error() {
        let monkey = Settings {
            pct_touch: Some(60.0),
            pct_nav: Some(60.0),
            ..Settings::default()
        };
        assert!(monkey.share_error().unwrap().contains("120 percent"));
    }
}
