//! What is on the screen when the app is not: a launcher of one button.

use droidtest::gui::{Flags, RawNode, Rect};

/// The launcher's package.
pub const PACKAGE: &str = "com.android.launcher3";
/// The package of a keyguard that lies over it.
pub const KEYGUARD: &str = "com.android.systemui";
/// Its activity.
pub const ACTIVITY: &str = "com.android.launcher3.Launcher";

/// Its nodes on a screen of this size.
pub fn nodes(screen: (i32, i32)) -> Vec<RawNode> {
    let shown = Flags::VISIBLE | Flags::ENABLED;
    vec![
        RawNode {
            parent: -1,
            class: "android.widget.FrameLayout".into(),
            bounds: Rect::from([0, 0, screen.0, screen.1]),
            flags: shown,
            ..RawNode::default()
        },
        RawNode {
            parent: 0,
            class: "android.widget.TextView".into(),
            resource_id: "com.android.launcher3:id/all_apps".into(),
            text: "Apps".into(),
            bounds: Rect::from([0, screen.1 - 60, screen.0, screen.1]),
            flags: shown | Flags::CLICKABLE | Flags::FOCUSABLE,
            ..RawNode::default()
        },
    ]
}
