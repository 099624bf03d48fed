//! What a step types, taps and sends next to the event it performs.

use serde::{Deserialize, Serialize};

/// The free part of an event.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Input {
    /// Text to type; with `enter` the field's editor action follows.
    Text {
        /// The text.
        s: String,
        /// Editor action after it?
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        enter: bool,
    },
    /// A text of the suite's that is a secret, or that a step names by its key.
    Secret {
        /// Its key in the suite.
        key: String,
        /// The text. It is written nowhere.
        #[serde(skip)]
        s: String,
        /// Editor action after it?
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        enter: bool,
    },
    /// Point in pixels on the screen.
    Point(i32, i32),
}

/// Raw input, as Monkey sends it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "do")]
pub enum RawInput {
    /// Down and up at a point.
    Tap {
        /// Pixels from the left.
        x: i32,
        /// Pixels from the top.
        y: i32,
    },
    /// Down, move, up.
    Drag {
        /// From.
        x: i32,
        /// From.
        y: i32,
        /// To.
        x2: i32,
        /// To.
        y2: i32,
    },
    /// Two fingers about a point.
    Pinch {
        /// Middle.
        x: i32,
        /// Middle.
        y: i32,
        /// Together?
        inward: bool,
    },
    /// A key, by Android's code.
    Key {
        /// `KeyEvent.KEYCODE_*`.
        code: u32,
    },
    /// The ball under the thumb rolls, and is pressed at the end or not.
    Trackball {
        /// Small steps, right and down.
        moves: [(i8, i8); 10],
        /// Pressed?
        click: bool,
    },
    /// The screen turns.
    Rotate,
    /// The app's icon is tapped, wherever the user is now.
    AppSwitch,
    /// Something the app does not notice: a keyboard is folded out.
    Nothing,
    /// Time passes on the device's clock.
    Wait {
        /// Milliseconds.
        ms: u64,
    },
}
