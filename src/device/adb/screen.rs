//! One look at the screen, by the agent or by a dump.

use crate::gui::RawNode;
use std::sync::Arc;

/// What was seen.
#[derive(Clone, Debug, Default)]
pub struct Look {
    /// Does the app's main process live?
    pub alive: bool,
    /// Nodes, the same `Arc` as at the last look where they have not changed; `None`: not reported.
    pub nodes: Option<Arc<Vec<RawNode>>>,
    /// Package in front.
    pub package: String,
    /// Activity in front.
    pub activity: String,
    /// `Surface.ROTATION_*`.
    pub rotation: u8,
    /// The screen in its current rotation; zeros if not reported.
    pub screen: (i32, i32),
    /// The app's processes, if reported.
    pub pids: Vec<u32>,
    /// Activities come to the front since the last look.
    pub visited: Vec<String>,
    /// Toasts since the last look.
    pub toasts: Vec<String>,
    /// Did the screen come to rest?
    pub settled: bool,
}

impl Look {
    /// Is a launcher in front?
    pub fn is_home(&self) -> bool {
        let name = self.package.to_lowercase();
        ["launcher", "trebuchet", "home", "lawnchair"]
            .iter()
            .any(|word| name.contains(word))
    }
}

/// Windows of these belong to what the app does: permission dialogs, choosers, system alerts.
const SYSTEM_DIALOGS: [&str; 7] = [
    "android",
    // Choosers, from Android 14 on; before, they are `android`'s.
    "com.android.intentresolver",
    "com.android.packageinstaller",
    "com.google.android.packageinstaller",
    "com.android.permissioncontroller",
    "com.google.android.permissioncontroller",
    "com.android.systemui",
];

/// Is a window of this package explored with the app?
pub fn is_ours(front: &str, app: &str) -> bool {
    front == app || SYSTEM_DIALOGS.contains(&front)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choosers_of_every_android_are_explored_with_the_app() {
        for front in ["com.x", "android", "com.android.intentresolver"] {
            assert!(is_ours(front, "com.x"), "{front}");
        }
        assert!(!is_ours("com.android.settings", "com.x"));
    }
}
