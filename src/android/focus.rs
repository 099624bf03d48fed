//! Which activity is in front, from `dumpsys activity activities` and `dumpsys window`, of Android 4.1 to 16.

use super::error::FormatError;
use super::text;
use regex::Regex;
use serde::Serialize;

/// One line that names a window or activity.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Focus {
    /// Line, from 1.
    pub line: usize,
    /// What the line calls itself, such as `mCurrentFocus` or `topResumedActivity`.
    pub source: String,
    /// Package; `None` for a system window such as the notification shade.
    pub package: Option<String>,
    /// The activity's class in full; `None` for a window that is no activity's.
    pub activity: Option<String>,
    /// The window's title, where it names no package.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub window: Option<String>,
    /// The user it runs as.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user: Option<u32>,
    /// Task, where said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task: Option<u32>,
    /// The display under which the dump lists it; 0 is the phone's own.
    #[serde(skip)]
    pub display: u32,
}

/// What a dump reports about the screen.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Screen {
    /// The activity (or, failing that, the window) that a person would say is in front.
    pub front: Option<Focus>,
    /// The window that gets keys, where the dump tells it: a dialog, the keyboard, the notification shade.
    pub focused_window: Option<Focus>,
    /// Every line that names one, in the dump's order.
    pub all: Vec<Focus>,
    /// `Surface.ROTATION_*`, 0 to 3, where the dump tells it.
    pub rotation: Option<u8>,
    /// Width and height in pixels as it is turned now, where the dump tells them.
    pub size: Option<(i32, i32)>,
}

impl Screen {
    /// What is in front for one user, on the phone's own display if something of theirs is there; without a user, for
    /// whoever has the focus.
    pub fn in_front(&self, user: Option<u32>) -> Option<Focus> {
        let Some(user) = user else {
            return self.front.clone();
        };
        let of = |own_display: bool| -> Vec<Focus> {
            let own =
                |f: &&Focus| f.user.is_none_or(|of| of == user) && (!own_display || f.display == 0);
            self.all.iter().filter(own).cloned().collect()
        };
        let near = of(true);
        let all = if near.iter().any(|f| f.activity.is_some()) {
            near
        } else {
            of(false)
        };
        let window = all.iter().find(|f| f.source == "mCurrentFocus").cloned();
        front(&all, window.as_ref()).cloned()
    }
}

/// What tells the activity in front, the surest first.
const SOURCES: [&str; 11] = [
    "topResumedActivity",
    "mTopResumedActivity",
    "mResumedActivity",
    "ResumedActivity",
    "mFocusedActivity",
    "mFocusedApp",
    "mCurrentFocus",
    "mFocusedWindow",
    "imeLayeringTarget",
    "imeInputTarget",
    "mInputMethodTarget",
];

pattern!(
    LINE,
    r"\b(topResumedActivity|mTopResumedActivity|mResumedActivity|ResumedActivity|mFocusedActivity|mFocusedApp|mCurrentFocus|mFocusedWindow|imeLayeringTarget|imeInputTarget|mInputMethodTarget)(?:\s*[:=]| in display# ?\d+)\s*(\S.*?)\s*$"
);
// Of all packages only the system's own, with its choosers, has a name without a dot.
pattern!(COMPONENT, r"\b(android|[A-Za-z]\w*(?:\.\w+)+)/([\w.$]+)");
pattern!(PACKAGE, r"^(?:android|[A-Za-z]\w*(?:\.\w+)+)$");
pattern!(USER, r"\bu(\d+)\b");
pattern!(TASK, r"\bt(\d+)\b");
pattern!(DISPLAY, r"^\s*Display #(\d+)\b");
pattern!(IN_DISPLAY, r" in display# ?(\d+)");
pattern!(
    TITLE,
    r"(?:Window|ActivityRecord)\{[0-9a-f]+ (?:u\d+ )?(.*?)(?: paused=\w+)?(?: t\d+)?\}"
);
pattern!(
    ROTATION,
    r"\b(?:mCurrentRotation|mRotation|SurfaceOrientation|mDisplayRotation)[=:]\s*(?:ROTATION_)?(\d+)"
);
pattern!(SIZE, r"\bcur=(\d+)x(\d+)");
pattern!(
    REFUSED,
    r"^(?:Can't find service: \S+|Permission Denial: .*|DUMP TIMEOUT.*|\*\*\* SERVICE '.*' DUMP TIMEOUT.*|Failure while dumping .*)"
);

/// Reads the lines of a dump that tell the screen.
///
/// # Errors
/// `no-focus` when no line tells which window or activity is in front; `refused` when the dump says why not.
pub fn parse(dump: &str) -> Result<Screen, FormatError> {
    let mut screen = Screen::default();
    let mut refused = None;
    let mut display = 0;
    for (number, line) in text::lines(dump) {
        if let Some(found) = DISPLAY.captures(line) {
            display = found[1].parse().unwrap_or(0);
        }
        if let Some(found) = LINE.captures(line).filter(|f| f[2].contains('{')) {
            let named = IN_DISPLAY.captures(line).and_then(|f| f[1].parse().ok());
            let display = named.unwrap_or(display);
            screen.all.push(Focus {
                display,
                ..focus(number, &found[1], &found[2])
            });
        } else if refused.is_none() && REFUSED.is_match(line.trim()) {
            refused = Some((number, line.trim().to_owned()));
        }
        let rotation = || {
            ROTATION
                .captures(line)
                .and_then(|f| f[1].parse::<u16>().ok())
        };
        if screen.rotation.is_none()
            && let Some(found) = rotation()
        {
            // Some dumps give degrees.
            screen.rotation = u8::try_from(if found > 3 { found / 90 % 4 } else { found }).ok();
        }
        if screen.size.is_none()
            && let Some(found) = SIZE.captures(line)
        {
            screen.size = found[1].parse().ok().zip(found[2].parse().ok());
        }
    }
    let window = screen.all.iter().find(|f| f.source == "mCurrentFocus");
    screen.front = front(&screen.all, window).cloned();
    screen.focused_window = window.cloned();
    match (&screen.front, refused) {
        (Some(_), _) => Ok(screen),
        (None, Some((line, why))) => Err(FormatError::new("refused", line, why)),
        (None, None) => {
            let lines = dump.lines().count().max(1);
            Err(FormatError::new(
                "no-focus",
                lines,
                "no line up to here names the activity or window in front",
            ))
        }
    }
}

/// Of several displays, each with a separate activity, the one with the focused window has what is in front.
fn front<'a>(all: &'a [Focus], window: Option<&Focus>) -> Option<&'a Focus> {
    let rank = |f: &&Focus| {
        let focused = window.is_some_and(|w| {
            f.source != w.source && f.activity == w.activity && f.package == w.package
        });
        let source = SOURCES.iter().position(|s| *s == f.source);
        (!focused, source.unwrap_or(SOURCES.len()))
    };
    let with_activity = all.iter().filter(|f| f.activity.is_some()).min_by_key(rank);
    let with_package = || all.iter().filter(|f| f.package.is_some()).min_by_key(rank);
    with_activity.or_else(with_package).or(all.first())
}

fn focus(line: usize, source: &str, what: &str) -> Focus {
    let component = COMPONENT.captures(what);
    let package = component.as_ref().map(|c| c[1].to_owned());
    let activity = component.as_ref().map(|c| full_name(&c[1], &c[2]));
    let number = |pattern: &Regex| pattern.captures(what).and_then(|f| f[1].parse().ok());
    let title = TITLE
        .captures(what)
        .map(|f| f[1].trim().to_owned())
        .filter(|t| !t.is_empty());
    let alone = title.clone().filter(|t| PACKAGE.is_match(t));
    Focus {
        line,
        source: source.to_owned(),
        window: title.filter(|_| package.is_none() && alone.is_none()),
        package: package.or(alone),
        activity,
        user: number(&USER),
        task: number(&TASK),
        display: 0,
    }
}

/// A class as `dumpsys` and `am` shorten it (`.Main` of `com.x`) in full.
pub fn full_name(package: &str, class: &str) -> String {
    if class.starts_with('.') {
        format!("{package}{class}")
    } else {
        class.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_in_front_is_that_of_the_user_and_the_display() {
        let record =
            |user: u32, class: &str| format!("ActivityRecord{{8d u{user} com.x/.{class} t{user}}}");
        let dump = format!(
            "ACTIVITY MANAGER ACTIVITIES (dumpsys activity activities)\nDisplay #2 (activities from top to bottom):\n      topResumedActivity={}\nDisplay #0 (activities from top to bottom):\n      topResumedActivity={}\n  ResumedActivity: {}\n",
            record(11, "Work"),
            record(0, "Home"),
            record(11, "Work"),
        );
        let screen = parse(&dump).unwrap();
        let of = |user| screen.in_front(user).and_then(|f| f.activity);
        assert_eq!(of(Some(0)).as_deref(), Some("com.x.Home"));
        assert_eq!(of(Some(11)).as_deref(), Some("com.x.Work"));
        assert_eq!(of(Some(12)), None);
        assert!(of(None).is_some());
    }

    fn front(dump: &str) -> (String, Option<String>) {
        let front = parse(dump).unwrap().front.unwrap();
        (
            front.source,
            front.activity.or(front.package).or(front.window),
        )
    }

    #[test]
    fn the_focus_of_each_android_is_found() {
        for (dump, source, name) in [
            (
                "mCurrentFocus=Window{b4d2a948 com.x/com.x.MainActivity paused=false}",
                "mCurrentFocus",
                "com.x.MainActivity",
            ),
            (
                "    mResumedActivity: ActivityRecord{8079d7e u0 com.x/.Act t42}",
                "mResumedActivity",
                "com.x.Act",
            ),
            (
                "  mFocusedActivity: ActivityRecord{8079d7e u0 com.x/.Act t42}",
                "mFocusedActivity",
                "com.x.Act",
            ),
            (
                "  mFocusedApp=AppWindowToken{a7 token=Token{7c ActivityRecord{65 u0 com.x/.ui.LoginActivity t6}}}",
                "mFocusedApp",
                "com.x.ui.LoginActivity",
            ),
            (
                "topResumedActivity=ActivityRecord{f0 u10 com.x/.A} t12}",
                "topResumedActivity",
                "com.x.A",
            ),
            (
                "mFocusedApp=null\nmCurrentFocus=Window{1651cd4 u0 NotificationShade}",
                "mCurrentFocus",
                "NotificationShade",
            ),
            (
                "mCurrentFocus=null\nmCurrentFocus=Window{c52eaa8 u0 com.sony.dtv.system}",
                "mCurrentFocus",
                "com.sony.dtv.system",
            ),
            (
                "mCurrentFocus=Window{7f3a2b1 u0 com.y/com.y.Old}\n  mFocusedApp=ActivityRecord{8079d7e u0 android/com.android.internal.app.ResolverActivity t42}",
                "mFocusedApp",
                "com.android.internal.app.ResolverActivity",
            ),
            (
                "mCurrentFocus=Window{1651cd4 u0 android}",
                "mCurrentFocus",
                "android",
            ),
            // Another display shows a separate app.
            (
                "Display #0\n  ResumedActivity: ActivityRecord{8079d7e u0 android/com.android.internal.app.ChooserActivity t42}\nDisplay #1\n  ResumedActivity: ActivityRecord{1 u0 com.car.cluster/.Main t3}",
                "ResumedActivity",
                "com.android.internal.app.ChooserActivity",
            ),
            (
                "  topResumedActivity=ActivityRecord{1 u0 com.car.cluster/.Main t3}\n  topResumedActivity=ActivityRecord{2 u0 com.x/.A t4}\n  mCurrentFocus=Window{3 u0 com.x/com.x.A}",
                "topResumedActivity",
                "com.x.A",
            ),
            // `dumpsys window windows` alone.
            (
                "  imeLayeringTarget in display# 0 Window{7f3 u0 com.x/com.x.Main}\n  mFocusedWindow=Window{7f3 u0 com.x/com.x.Main}",
                "mFocusedWindow",
                "com.x.Main",
            ),
            (
                "  mInputMethodTarget=Window{7f3 u0 com.x/com.x.Main}",
                "mInputMethodTarget",
                "com.x.Main",
            ),
        ] {
            assert_eq!(
                front(dump),
                (source.to_owned(), Some(name.to_owned())),
                "{dump}"
            );
        }
    }

    #[test]
    fn the_surest_line_names_the_activity_and_the_window_stays_known() {
        let dump = "  ResumedActivity: ActivityRecord{1f u0 com.x/.A t1}\n  mCurrentFocus=Window{2 u0 NotificationShade}\n  mCurrentRotation=ROTATION_90\n init=1080x2400 420dpi cur=2400x1080 app=";
        let screen = parse(dump).unwrap();
        assert_eq!(screen.front.unwrap().activity.unwrap(), "com.x.A");
        assert_eq!(
            screen.focused_window.unwrap().window.unwrap(),
            "NotificationShade"
        );
        assert_eq!(
            (screen.rotation, screen.size),
            (Some(1), Some((2400, 1080)))
        );
    }

    #[test]
    fn the_rotation_that_a_user_locked_is_not_the_screens() {
        let dump = "    mUserRotationMode=0 mUserRotation=0\n  mCurrentFocus=Window{7f u0 com.x/com.x.A}\n  mRotation=1 mAltOrientation=false";
        assert_eq!(parse(dump).unwrap().rotation, Some(1));
    }

    #[test]
    fn a_refusal_is_told_apart_from_a_dump_without_focus() {
        assert_eq!(
            parse("Can't find service: activity").unwrap_err().code,
            "refused"
        );
        assert_eq!(parse("mCurrentFocus=null\n").unwrap_err().code, "no-focus");
    }
}
