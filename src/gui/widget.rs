//! A widget: one node of the hierarchy, its texts interned.

use crate::util::intern::Sym;
use serde::{Deserialize, Serialize};

/// A rectangle on the screen in pixels, right and bottom exclusive.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(from = "[i32; 4]", into = "[i32; 4]")]
pub struct Rect {
    /// Left edge.
    pub left: i32,
    /// Top edge.
    pub top: i32,
    /// Right edge, exclusive.
    pub right: i32,
    /// Bottom edge, exclusive.
    pub bottom: i32,
}

impl From<[i32; 4]> for Rect {
    fn from([left, top, right, bottom]: [i32; 4]) -> Self {
        Self {
            left,
            top,
            right,
            bottom,
        }
    }
}

impl From<Rect> for [i32; 4] {
    fn from(r: Rect) -> Self {
        [r.left, r.top, r.right, r.bottom]
    }
}

impl Rect {
    /// Width in pixels, 0 when inside out.
    pub const fn width(&self) -> i32 {
        if self.right > self.left {
            self.right.saturating_sub(self.left)
        } else {
            0
        }
    }

    /// Height in pixels, 0 when inside out.
    pub const fn height(&self) -> i32 {
        if self.bottom > self.top {
            self.bottom.saturating_sub(self.top)
        } else {
            0
        }
    }

    /// Holds no pixel?
    pub const fn is_empty(&self) -> bool {
        self.width() == 0 || self.height() == 0
    }
}

/// The states and abilities of a widget, as the agent sends them (`docs/agent-protocol.md`, Nodes).
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Flags(pub u32);

#[allow(missing_docs)] // the names are the accessibility attributes themselves
impl Flags {
    pub const CLICKABLE: u32 = 1;
    pub const LONG_CLICKABLE: u32 = 2;
    pub const CHECKABLE: u32 = 4;
    pub const CHECKED: u32 = 8;
    pub const ENABLED: u32 = 16;
    pub const FOCUSABLE: u32 = 32;
    pub const FOCUSED: u32 = 64;
    pub const SCROLLABLE: u32 = 128;
    pub const PASSWORD: u32 = 256;
    pub const SELECTED: u32 = 512;
    pub const EDITABLE: u32 = 1024;
    pub const VISIBLE: u32 = 2048;
    pub const VIRTUAL: u32 = 4096;
    pub const UNIMPORTANT: u32 = 8192;
    pub const NO_MENU: u32 = 16384;
    /// The page has no keys: it is a node of the published simulator of FATE, whose actions are those of widgets.
    pub const NO_KEYS: u32 = 32768;

    /// Are all these bits set?
    pub const fn has(self, bits: u32) -> bool {
        self.0 & bits == bits
    }
}

/// Which listeners a widget has, where that can be known.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Listeners(pub u32);

#[allow(missing_docs)] // named after android.view.View's listeners
impl Listeners {
    pub const CLICK: u32 = 1;
    pub const LONG_CLICK: u32 = 2;
    pub const TOUCH: u32 = 4;
    pub const KEY: u32 = 8;
    pub const TEXT: u32 = 16;
    pub const ITEM_CLICK: u32 = 32;
    pub const ITEM_LONG_CLICK: u32 = 64;
    pub const CONTEXT_MENU: u32 = 128;
    pub const OWN_TOUCH: u32 = 256;

    /// Is any of these bits set?
    pub const fn any(self, bits: u32) -> bool {
        self.0 & bits != 0
    }
}

/// One node of a page.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Widget {
    /// Index of the parent in [`super::Page::widgets`]; `None` for a window's root.
    pub parent: Option<u32>,
    /// 0 activity, 1 dialog, 2 popup or menu, 3 other.
    pub window: u8,
    /// Accessibility class name.
    pub class: Sym,
    /// Full resource-id or empty.
    pub resource_id: Sym,
    /// Text shown or empty.
    pub text: Sym,
    /// Content description or empty.
    pub description: Sym,
    /// Hint or empty.
    pub hint: Sym,
    /// State in the app's words or empty.
    pub state: Sym,
    /// What it is, in the app's words or Android's, or empty; no part of any identity, nor are the next three.
    pub role: Sym,
    /// Value and limits: `50 (0..100)`, or empty.
    pub range: Sym,
    /// Rows and columns of a collection: `12x1`, or empty.
    pub collection: Sym,
    /// Row and column in a collection: `3,0`, or empty.
    pub item: Sym,
    /// Visible bounds.
    pub bounds: Rect,
    /// States and abilities.
    pub flags: Flags,
    /// Listeners known.
    pub listeners: Listeners,
    /// Android's `inputType` of a text field, else 0.
    pub input_type: u32,
    /// The editor action of a text field (`imeOptions & IME_MASK_ACTION`), else 0.
    pub ime_action: u32,
    /// Longest text the field takes, if it reports it.
    pub max_length: Option<u32>,
    /// Bits 1 up, 2 down, 4 left, 8 right: where there is more content.
    pub scrolls: u8,
    /// Hash of the classes and positions from the window's root down to here.
    pub path: u64,
}

impl Widget {
    /// May a person act on it: visible, enabled, with pixels?
    pub fn is_live(&self) -> bool {
        self.flags.has(Flags::VISIBLE | Flags::ENABLED) && !self.bounds.is_empty()
    }
}
