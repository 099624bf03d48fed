//! The phone's soft keyboard: it opens when a field is touched, takes the touches over it, and closes with Back.

use droidtest::gui::{Flags, RawNode, Rect};
use std::fmt::Write as _;

/// Its package.
pub const PACKAGE: &str = "org.rig.inputmethod.latin";

/// What `dumpsys input_method` says of its state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// `mInputShown=true`.
    Usual,
    /// Nothing: only the window manager knows the window.
    Absent,
    /// A state for each of two displays; the second one's is the opposite.
    TwoDisplays,
}

/// A keyboard.
#[derive(Clone, Debug)]
pub struct Keyboard {
    /// Where it is when it is shown.
    pub area: Rect,
    /// Does a dump of the screen contain it, over the app's window?
    pub dumped: bool,
    /// How its state is printed.
    pub form: Form,
    /// Is it shown?
    pub shown: bool,
    /// Touches on its keys so far.
    pub keys: u32,
}

impl Keyboard {
    /// A hidden one.
    pub const fn new(area: Rect, form: Form) -> Self {
        Self {
            area,
            dumped: false,
            form,
            shown: false,
            keys: 0,
        }
    }

    /// A touch; true: it hits the keyboard, and nothing below it. One on a field opens it.
    pub fn takes(&mut self, x: i32, y: i32, nodes: &[RawNode]) -> bool {
        let inside = |r: Rect| (r.left..r.right).contains(&x) && (r.top..r.bottom).contains(&y);
        if self.shown && inside(self.area) {
            self.keys += 1;
            return true;
        }
        self.shown |= nodes
            .iter()
            .any(|node| node.flags & Flags::EDITABLE != 0 && inside(node.bounds));
        false
    }

    /// Back; true: it only closed the keyboard.
    pub fn closes(&mut self) -> bool {
        std::mem::take(&mut self.shown)
    }

    /// `dumpsys input_method`.
    pub fn state(&self) -> String {
        let shown = self.shown;
        let mut text =
            "Current Input Method Manager state:\n  Input Methods: mMethodMapUpdateCount=1\n"
                .to_owned();
        match self.form {
            Form::Usual => {
                let _ = writeln!(text, "  mShowRequested={shown} mInputShown={shown}");
            }
            Form::Absent => {}
            Form::TwoDisplays => {
                for (display, shown) in [(0, shown), (3, !shown)] {
                    let _ = writeln!(
                        text,
                        "  mCurTokenDisplayId={display}\n  mInputShown={shown}"
                    );
                }
            }
        }
        text
    }

    /// `dumpsys window InputMethod`.
    pub fn window(&self) -> String {
        let Rect {
            left,
            top,
            right,
            bottom,
        } = self.area;
        format!(
            "WINDOW MANAGER WINDOWS (dumpsys window windows)\n  Window #4 Window{{c0ffee u0 InputMethod}}:\n    mDisplayId=0 mSession=Session{{1}}\n    touchable region=SkRegion(({left},{top},{right},{bottom}))\n    isOnScreen=true\n    isVisible={}\n",
            self.shown
        )
    }

    /// Its nodes in a dump.
    pub fn xml(&self) -> String {
        if !self.shown || !self.dumped {
            return String::new();
        }
        let Rect {
            left,
            top,
            right,
            bottom,
        } = self.area;
        let node = |class: &str, text: &str, end: &str| {
            format!(
                "<node index=\"0\" text=\"{text}\" resource-id=\"\" class=\"{class}\" package=\"{PACKAGE}\" content-desc=\"\" checkable=\"false\" checked=\"false\" clickable=\"true\" enabled=\"true\" focusable=\"true\" focused=\"false\" scrollable=\"false\" long-clickable=\"false\" password=\"false\" selected=\"false\" bounds=\"[{left},{top}][{right},{bottom}]\"{end}"
            )
        };
        let keys: String = ["q", "w", "e", "Enter"]
            .map(|key| node("android.widget.TextView", key, " />"))
            .concat();
        let field = node("android.widget.EditText", "typed", " />");
        node("android.widget.FrameLayout", "", ">") + &field + &keys + "</node>"
    }
}
