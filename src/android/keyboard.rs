//! The soft keyboard, from what a phone prints: `dumpsys input_method` and `dumpsys window InputMethod` of Android 4.1
//! to 16.

use super::text;
use crate::gui::Rect;
use regex::Regex;

// `Display #3`, `mCurTokenDisplayId=3`, `displayId: 3`, `display 3`.
pattern!(DISPLAY, r"(?i)\b\w*display(?:\s?id)?\s*[#:=]*\s*#?(\d+)\b");
pattern!(SHOWN, r"\bmInputShown\s*[=:]\s*(true|false)\b");
pattern!(VIEW_SHOWN, r"\bmIsInputViewShown\s*[=:]\s*(true|false)\b");
pattern!(
    WINDOW,
    r"^\s*Window\s?(?:#\d+ )?Window\{[0-9a-f]+ (?:u\d+ )?InputMethod\b"
);
pattern!(VISIBLE, r"\bisVisible=(true|false)\b");
pattern!(SURFACE, r"\bmHasSurface=(true|false)\b");
pattern!(VIEW, r"\bmViewVisibility=0x([0-9a-f]+)");
pattern!(
    REGION,
    r"(?:touchable region|mTouchableRegion|touchableRegion)=(?:SkRegion\(+|\[)(-?\d+),(-?\d+)(?:\]\[|,)(-?\d+),(-?\d+)"
);
pattern!(
    FRAME,
    r"\b(?:mFrame|frame)=\[(-?\d+),(-?\d+)\]\[(-?\d+),(-?\d+)\]"
);
pattern!(INSETS, r"\bmGivenContentInsets=\[-?\d+,(\d+)\]");

/// Is the keyboard of a display shown, as `dumpsys input_method` says? `None` where it does not say. A phone with several
/// displays prints a state for each; one without a display is that of the phone's own, 0.
pub fn is_shown(dump: &str, display: u32) -> Option<bool> {
    let state = |pattern: &Regex| {
        let mut at = 0;
        let mut found = None;
        for (_, line) in text::lines(dump) {
            if let Some(named) = DISPLAY.captures(line) {
                at = named[1].parse().unwrap_or(at);
            }
            if at == display
                && found.is_none()
                && let Some(state) = pattern.captures(line)
            {
                found = Some(&state[1] == "true");
            }
        }
        found
    };
    state(&SHOWN).or_else(|| state(&VIEW_SHOWN))
}

/// The keyboard's window on a display, as `dumpsys window InputMethod` prints it.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Window {
    /// Is it seen? `None` where the dump does not say.
    pub visible: Option<bool>,
    /// What takes the touches: the window itself may be as large as the screen.
    pub touched: Option<Rect>,
}

/// The window of the keyboard on a display; nothing known where it has none.
pub fn window(dump: &str, display: u32) -> Window {
    let lines: Vec<&str> = text::lines(dump).map(|(_, line)| line).collect();
    let starts = |line: &&str| line.trim_start().starts_with("Window ") && line.contains("Window{");
    let mut at = 0;
    while at < lines.len() {
        let next = lines[at + 1..].iter().position(starts);
        let end = next.map_or(lines.len(), |next| at + 1 + next);
        if WINDOW.is_match(lines[at]) {
            let own = &lines[at..end];
            let of = own.iter().find_map(|line| DISPLAY.captures(line));
            let of = of.map_or(Some(0), |found| found[1].parse().ok());
            if of == Some(display) {
                return read(own);
            }
        }
        at = end;
    }
    Window::default()
}

fn read(lines: &[&str]) -> Window {
    let flag = |pattern: &Regex| {
        let found = lines.iter().find_map(|line| pattern.captures(line));
        found.map(|found| &found[1] == "true")
    };
    let viewed = || {
        let found = lines.iter().find_map(|line| VIEW.captures(line))?;
        Some(u32::from_str_radix(&found[1], 16).ok()? == 0)
    };
    let rect = |pattern: &Regex| {
        let found = lines.iter().find_map(|line| pattern.captures(line))?;
        let number = |ix: usize| found[ix].parse::<i32>().ok();
        let rect = Rect::from([number(1)?, number(2)?, number(3)?, number(4)?]);
        Some(rect).filter(|rect| !rect.is_empty())
    };
    let inset = lines.iter().find_map(|line| INSETS.captures(line));
    let inset = inset.and_then(|found| found[1].parse().ok()).unwrap_or(0);
    let below = |frame: Rect| Rect {
        top: frame.top.saturating_add(inset),
        ..frame
    };
    Window {
        visible: flag(&VISIBLE).or_else(|| Some(flag(&SURFACE)? && viewed().unwrap_or(true))),
        touched: rect(&REGION).or_else(|| rect(&FRAME).map(below)),
    }
}

/// Is this the package of a keyboard, by its name? For phones that do not say which one they use.
pub fn is_keyboard(package: &str) -> bool {
    let name = package.to_lowercase();
    ["inputmethod", "keyboard", "honeyboard", "swiftkey"]
        .iter()
        .any(|word| name.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_state_is_that_of_the_display() {
        for (dump, first, third) in [
            ("  mShowRequested=true mInputShown=true\n", Some(true), None),
            (
                "Input method manager state:\n  mInputShown=false\n",
                Some(false),
                None,
            ),
            ("nothing\n", None, None),
            ("", None, None),
            (
                "  Display #0:\n    mInputShown=false\n  Display #3:\n    mInputShown=true\n",
                Some(false),
                Some(true),
            ),
            (
                "  mCurTokenDisplayId=3\n  mInputShown=true\n  mCurTokenDisplayId=0\n  mInputShown=false\n",
                Some(false),
                Some(true),
            ),
            (
                "  mInputShown=false (display 0)\n  mInputShown=true (display 3)\n",
                Some(false),
                Some(true),
            ),
            // Only the service itself says.
            (
                "    mCreated=true\n    mIsInputViewShown=true\n",
                Some(true),
                None,
            ),
        ] {
            assert_eq!(is_shown(dump, 0), first, "{dump}");
            assert_eq!(is_shown(dump, 3), third, "{dump}");
        }
    }

    #[test]
    fn the_window_says_what_takes_touches() {
        let new = "WINDOW MANAGER WINDOWS (dumpsys window windows)\n  Window #5 Window{1a2b3c u0 InputMethod}:\n    mDisplayId=0 rootTaskId=1 mSession=Session{}\n    mHasSurface=true isReadyForDisplay()=true\n    Frames: parent=[0,0][1080,2280] display=[0,0][1080,2280] frame=[0,63][1080,2280]\n    touchable region=SkRegion((0,1521,1080,2280))\n    isOnScreen=true\n    isVisible=true\n  Window #6 Window{4d u0 com.x/com.x.Main}:\n    isVisible=false\n";
        let area = Some(Rect::from([0, 1521, 1080, 2280]));
        let seen = |visible, touched| Window { visible, touched };
        assert_eq!(window(new, 0), seen(Some(true), area));
        assert_eq!(window(new, 3), Window::default());
        let old = "  Window #2 Window{41e u0 InputMethod}:\n    mViewVisibility=0x0 mHaveFrame=true\n    mGivenContentInsets=[0,683][0,0]\n    mFrame=[0,50][720,1280] last=[0,50][720,1280]\n    mHasSurface=true mShownFrame=[0.0,50.0][720.0,1280.0]\n";
        let area = Some(Rect::from([0, 733, 720, 1280]));
        assert_eq!(window(old, 0), seen(Some(true), area));
        let hidden = old.replace("mViewVisibility=0x0", "mViewVisibility=0x8");
        assert_eq!(window(&hidden, 0).visible, Some(false));
        let other = "  Window #1 Window{9 u0 com.x/com.x.Main}:\n    mHasSurface=true\n";
        assert_eq!(window(other, 0), Window::default());
        let two = new.replace("mDisplayId=0", "mDisplayId=3").replace(
            "Window #6 Window{4d u0 com.x/com.x.Main}",
            "Window #6 Window{4d u0 InputMethod}:\n    mDisplayId=0",
        );
        assert_eq!(window(&two, 0).visible, Some(false));
        assert_eq!(window(&two, 3).visible, Some(true));
    }

    #[test]
    fn keyboards_are_known_by_name() {
        assert!(is_keyboard("com.google.android.inputmethod.latin"));
        assert!(is_keyboard("com.samsung.android.honeyboard"));
        assert!(!is_keyboard("com.example.notes"));
    }
}
