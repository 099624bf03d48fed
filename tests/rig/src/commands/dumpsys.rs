//! `dumpsys`: what the tool asks of it, in the forms of the API level.

use super::Call;
use crate::pipe::lock;

pub fn run(call: &mut Call<'_>) -> i32 {
    let words = call.args();
    let api = call.phone.config.api;
    let (package, activity, _, rotation, screen) = lock(&call.phone.state).front();
    let short = activity
        .strip_prefix(&package)
        .unwrap_or(&activity)
        .to_owned();
    let record = format!("ActivityRecord{{8079d7e u0 {package}/{short} t42}}");
    let text = match words.first().copied() {
        Some("activity") if words.get(1).is_some_and(|w| *w == "broadcasts") => {
            "  * ReceiverList{}\n".to_owned()
        }
        Some("activity") => {
            let resumed = match api {
                ..=25 => format!("    mResumedActivity: {record}\n  mFocusedActivity: {record}\n"),
                26..=28 => format!("    mResumedActivity: {record}\n"),
                29 | 30 => format!("    mResumedActivity: {record}\n  mFocusedApp={record}\n"),
                _ => format!("      topResumedActivity={record}\n  ResumedActivity: {record}\n"),
            };
            format!(
                "ACTIVITY MANAGER ACTIVITIES (dumpsys activity activities)\nDisplay #0 (activities from top to bottom):\n{resumed}"
            )
        }
        Some("window") => {
            let turned = if api >= 29 {
                format!("mCurrentRotation=ROTATION_{}", u32::from(rotation) * 90)
            } else {
                format!("mRotation={rotation}")
            };
            format!(
                "WINDOW MANAGER LAST ANR (dumpsys window lastanr)\n  Display: mDisplayId=0\n    init={}x{} 160dpi cur={}x{} app={}x{}\n  mCurrentFocus=Window{{5e6ade7 u0 {package}/{activity}}}\n  mFocusedApp={record}\n    {turned} mAltOrientation=false\n",
                screen.0.min(screen.1),
                screen.0.max(screen.1),
                screen.0,
                screen.1,
                screen.0,
                screen.1
            )
        }
        Some("package") => {
            let state = lock(&call.phone.state);
            let permissions: String = state
                .app
                .iter()
                .flat_map(|a| &a.permissions)
                .map(|p| format!("      {p}\n"))
                .collect();
            format!(
                "Packages:\n  Package [{}] (1):\n    requested permissions:\n{permissions}    install permissions:\n",
                words.get(1).copied().unwrap_or("")
            )
        }
        Some(other) => return call.fail(&format!("Can't find service: {other}\n"), 0),
        None => String::new(),
    };
    call.say(&text)
}
