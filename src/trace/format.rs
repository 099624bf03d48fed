//! The content of a trace, as types. [`super::read`] and [`super::write`] know its TOML form.

use crate::gui::{Direction, EventKind, Rect, SystemEvent};
use crate::outcome::finding::{Finding, FindingKind};
use crate::outcome::run_event::SessionHeader;

/// Version of the format, the file's first key.
pub const TRACE_VERSION: u32 = 1;
/// The greatest seed: TOML's integers are signed.
pub const MAX_SEED: u64 = u64::MAX >> 1;

/// Steps that lead an app from cleared data to a finding, or through a part of the app.
#[derive(Clone, PartialEq, Debug)]
pub struct Trace {
    /// The app.
    pub app: AppRef,
    /// Where it was recorded.
    pub device: DeviceRef,
    /// Seed of the app's random numbers on devices that can set it.
    pub seed: u64,
    /// The expected result of the last step; `None` in a corpus, whose traces are kept for what they reach.
    pub finding: Option<Expected>,
    /// The steps, in order, after a start with cleared data.
    pub steps: Vec<Step>,
}

impl Trace {
    /// Steps of a session, for nothing in particular.
    pub fn of_session(header: &SessionHeader, steps: Vec<Step>) -> Self {
        Self {
            app: AppRef {
                name: header.app.clone(),
                package: header.package.clone(),
                content: header.content.clone(),
            },
            device: DeviceRef {
                name: header.device.clone(),
                kind: header.device_kind.clone(),
            },
            seed: header.seed,
            finding: None,
            steps,
        }
    }

    /// Does it lead to this finding?
    pub fn expects(&self, finding: &Finding) -> bool {
        let expected = self.finding.as_ref();
        expected.is_some_and(|expected| expected.is(finding))
    }

    /// The title of the finding that it leads to.
    pub fn title(&self) -> Option<&str> {
        self.finding.as_ref()?.title.as_deref()
    }

    /// The keys of the texts that its steps name instead of spelling them out, in order, each once.
    pub fn secrets(&self) -> Vec<&str> {
        let mut keys: Vec<&str> = self.steps.iter().filter_map(Step::secret).collect();
        keys.sort_unstable();
        keys.dedup();
        keys
    }

    /// The kind of finding that it leads to.
    pub fn kind(&self) -> Option<FindingKind> {
        self.finding.as_ref().map(|finding| finding.kind)
    }
}

/// The app of a trace.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct AppRef {
    /// Its name in the suite.
    pub name: String,
    /// Package, or the model's name. A trace replays on apps of this package only.
    pub package: String,
    /// SHA-256 of the file it was recorded with; empty if not known. Other builds are fine.
    pub content: String,
}

/// The device a trace was recorded on.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct DeviceRef {
    /// Its name in the suite.
    pub name: String,
    /// Its kind.
    pub kind: String,
}

/// The finding of a trace: every given property must match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Expected {
    /// Kind of failure.
    pub kind: FindingKind,
    /// Fingerprint; with it the fields below are for the reader only.
    pub fingerprint: Option<String>,
    /// Exception class of the root cause.
    pub exception: Option<String>,
    /// Topmost frame of the app's code: `class.method`, with or without what follows.
    pub frame: Option<String>,
    /// Activity in front, for the reader.
    pub activity: Option<String>,
    /// One line, for the reader.
    pub title: Option<String>,
}

/// Of a trace without a finding.
static ANY_CRASH: Expected = Expected {
    kind: FindingKind::JavaCrash,
    fingerprint: None,
    exception: None,
    frame: None,
    activity: None,
    title: None,
};

impl Trace {
    /// What its steps lead to; of a trace of a corpus, which leads to no finding, any crash.
    pub fn expected(&self) -> &Expected {
        self.finding.as_ref().unwrap_or(&ANY_CRASH)
    }
}

impl Expected {
    /// What leads to this finding.
    pub fn of(finding: &Finding) -> Self {
        let some = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        Self {
            kind: finding.kind,
            fingerprint: some(&finding.fingerprint),
            exception: finding.exception.clone(),
            frame: finding.frame.clone(),
            activity: some(&finding.activity),
            title: some(&finding.title),
        }
    }

    /// Is this the finding?
    pub fn is(&self, finding: &Finding) -> bool {
        if let Some(fingerprint) = &self.fingerprint {
            return finding.has_fingerprint(fingerprint);
        }
        let in_frame = |wanted: &String| {
            let rest = finding
                .frame
                .as_ref()
                .and_then(|f| f.strip_prefix(wanted.as_str()));
            // `A.go` is no `A.gone`.
            rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
        };
        self.kind == finding.kind
            && (self.exception.is_none() || self.exception == finding.exception)
            && self.frame.as_ref().is_none_or(in_frame)
    }
}

/// A place as fractions of a width and a height, from 0 to 1.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Spot {
    /// From the left.
    pub x: f64,
    /// From the top.
    pub y: f64,
}

impl Spot {
    /// The share of a pixel in a rectangle, in steps of a ten-thousandth.
    pub fn of(x: i32, y: i32, within: Rect) -> Self {
        let share = |at: i32, from: i32, size: i32| {
            let share = f64::from(at.saturating_sub(from)) / f64::from(size.max(1));
            (share.clamp(0.0, 1.0) * 1e4).round() / 1e4
        };
        Self {
            x: share(x, within.left, within.width()),
            y: share(y, within.top, within.height()),
        }
    }

    /// The share of a rectangle's middle.
    pub fn middle(of: Rect, within: Rect) -> Self {
        let (x, y) = (of.left + of.width() / 2, of.top + of.height() / 2);
        Self::of(x, y, within)
    }

    /// The pixel in a rectangle, the last ones at most.
    pub fn within(self, rect: Rect) -> (i32, i32) {
        let pixel = |share: f64, from: i32, size: i32| {
            // Shares are from 0 to 1 and sizes are of screens.
            let at = (share.clamp(0.0, 1.0) * f64::from(size)).round() as i32;
            from.saturating_add(at.clamp(0, (size - 1).max(0)))
        };
        (
            pixel(self.x, rect.left, rect.width()),
            pixel(self.y, rect.top, rect.height()),
        )
    }
}

/// The identity of a widget; empty fields are unknown.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Target {
    /// Resource-id, in full (`com.x:id/ok`) or its name alone (`ok`).
    pub id: String,
    /// Text shown.
    pub text: String,
    /// Content description.
    pub desc: String,
    /// What a user reads on a widget that has neither: a field's hint, the texts inside a list's row.
    pub caption: String,
    /// Accessibility class.
    pub class: String,
    /// Hash of the classes and positions from the window's root down.
    pub path: Option<u64>,
    /// Which of those equal in all this, from 0 in depth-first order.
    pub nth: Option<usize>,
    /// Its middle on the screen: the fallback.
    pub at: Option<Spot>,
}

impl Target {
    /// Names no widget?
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// A text to type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Typed {
    /// The text, unless it is a secret.
    pub text: String,
    /// The key of the suite's `[app.text]` that holds the text; the environment has its value.
    pub secret: Option<String>,
    /// The field's editor action after it?
    pub enter: bool,
}

/// An action on a widget.
#[derive(Clone, PartialEq, Debug)]
pub enum Deed {
    /// A tap at its middle.
    Click,
    /// A long press.
    LongClick,
    /// Text typed into it.
    Type(Typed),
    /// A drag that reveals content in this direction.
    Scroll(Direction),
    /// A fling with the finger moving in this direction.
    Swipe(Direction),
    /// Two fingers together or apart.
    Pinch {
        /// Together?
        inward: bool,
    },
    /// A tap at a place inside it.
    Tap(Spot),
}

impl Deed {
    /// The event of a page that it is.
    pub const fn kind(&self) -> EventKind {
        match self {
            Self::Click => EventKind::Click,
            Self::LongClick => EventKind::LongClick,
            Self::Type(_) => EventKind::Text,
            Self::Scroll(dir) => EventKind::Scroll { dir: *dir },
            Self::Swipe(dir) => EventKind::Swipe { dir: *dir },
            Self::Pinch { inward } => EventKind::Pinch { inward: *inward },
            Self::Tap(_) => EventKind::Point,
        }
    }
}

/// Input that names no widget; places are fractions of the screen.
#[derive(Clone, PartialEq, Debug)]
pub enum Gesture {
    /// Down and up.
    Tap(Spot),
    /// Down, move, up.
    Drag(Spot, Spot),
    /// Two fingers about a place.
    Pinch {
        /// Middle.
        at: Spot,
        /// Together?
        inward: bool,
    },
    /// The ball under the thumb.
    Trackball {
        /// Small steps, right and down.
        moves: [(i8, i8); 10],
        /// Pressed at the end?
        press: bool,
    },
}

/// One step.
#[derive(Clone, PartialEq, Debug)]
pub enum Step {
    /// With a widget.
    On(Target, Deed),
    /// A key, by Android's code.
    Key(u32),
    /// On the screen.
    Gesture(Gesture),
    /// From outside the screen.
    System(SystemEvent),
    /// The app's icon is tapped.
    Launch,
    /// Time passes on the device's clock, in milliseconds.
    Wait(u64),
}

impl Step {
    /// The key of the text that it types, if it does not spell the text out.
    pub fn secret(&self) -> Option<&str> {
        match self {
            Self::On(_, Deed::Type(typed)) => typed.secret.as_deref(),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_finding_is_met_by_fingerprint_else_by_what_is_given() {
        let finding = Finding {
            id: "crash-1".into(),
            kind: FindingKind::JavaCrash,
            fingerprint: "v2:00000000000000ff".into(),
            title: "t".into(),
            exception: Some("java.lang.Error".into()),
            frame: Some("com.x.A.go(A.java:12)".into()),
            evidence: String::new(),
            activity: "com.x.A".into(),
            trigger: crate::outcome::Trigger::Event,
            event: 3,
            warning: false,
            v1: "0000000000000001".into(),
            environment: None,
            provoked_by: Vec::new(),
            left: Vec::new(),
        };
        let exact = Expected::of(&finding);
        assert!(exact.is(&finding));
        // A trace of an older version has the digits of the first rules.
        let print = |print: &str| Expected {
            fingerprint: Some(print.into()),
            ..exact.clone()
        };
        assert!(print("0000000000000001").is(&finding));
        for wrong in ["00000000000000ff", "v2:0000000000000001", ""] {
            assert!(!print(wrong).is(&finding), "{wrong}");
        }
        let loose = Expected {
            fingerprint: None,
            frame: Some("com.x.A.go".into()),
            ..exact.clone()
        };
        assert!(loose.is(&finding));
        let other = |frame: &str| Expected {
            frame: Some(frame.into()),
            ..loose.clone()
        };
        assert!(!other("com.x.A.g").is(&finding));
        let elsewhere = Expected {
            exception: Some("java.lang.Exception".into()),
            ..loose
        };
        assert!(!elsewhere.is(&finding));
    }

    proptest! {
        #[test]
        fn a_pixel_comes_back_on_its_own_screen_and_lies_inside_any_other(
            (w, h, x, y, w2, h2) in (1..4000_i32, 1..4000_i32, 0..4000_i32, 0..4000_i32, 1..4000_i32, 1..4000_i32)
        ) {
            let (x, y) = (x % w, y % h);
            let rect = |w, h| Rect::from([7, 9, 7 + w, 9 + h]);
            let spot = Spot::of(7 + x, 9 + y, rect(w, h));
            prop_assert_eq!(spot.within(rect(w, h)), (7 + x, 9 + y));
            let (x2, y2) = spot.within(rect(w2, h2));
            prop_assert!((7..7 + w2).contains(&x2) && (9..9 + h2).contains(&y2));
        }
    }
}
