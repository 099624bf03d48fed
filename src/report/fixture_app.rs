//! The synthetic app of the tests' run folders, and its failures.

use crate::gui::EventKind;
use crate::outcome::finding::{Blame, Finding, FindingKind, Trigger};
use crate::outcome::folder::{FindingFolder, pretty};
use crate::outcome::reproduction::{Minimality, REPRODUCTION_VERSION, Reproduction};
use crate::util::hash::of_bytes;
use std::fs;

/// What a widget does: (what, class, id, text, leads to).
pub type Widget = (
    EventKind,
    &'static str,
    &'static str,
    &'static str,
    &'static str,
);

const CLICK: EventKind = EventKind::Click;
const BUTTON: &str = "android.widget.Button";
const FIELD: &str = "android.widget.EditText";
const ROW: &str = "android.widget.TextView";

/// The synthetic app: activity, words on its page, widgets.
pub const APP: &[(&str, &str, &[Widget])] = &[
    (
        "SignInActivity",
        "Notes · E-mail · Password · Sign in",
        &[
            (EventKind::Text, FIELD, "email", "", ""),
            (EventKind::Text, FIELD, "password", "", ""),
            (CLICK, BUTTON, "sign_in", "Sign in", "ListActivity"),
        ],
    ),
    (
        "ListActivity",
        "All notes · Groceries · Ideas for the garden",
        &[
            (CLICK, ROW, "row", "Groceries", "DetailActivity"),
            (CLICK, ROW, "row", "Ideas for the garden", "DetailActivity"),
            (CLICK, BUTTON, "add", "New note", "EditorActivity"),
            (CLICK, BUTTON, "settings", "Settings", "SettingsActivity"),
            (CLICK, BUTTON, "tabs", "By colour", "TabsActivity"),
            (CLICK, BUTTON, "tour", "Take the tour", "WizardOneActivity"),
        ],
    ),
    (
        "DetailActivity",
        "Groceries · Milk, bread, tomatoes · Edit · Share",
        &[
            (CLICK, BUTTON, "edit", "Edit", "EditorActivity"),
            (CLICK, BUTTON, "share", "Share", ""),
            (
                EventKind::LongClick,
                ROW,
                "body",
                "Milk, bread, tomatoes",
                "",
            ),
        ],
    ),
    (
        "EditorActivity",
        "Title · Text · Save",
        &[
            (EventKind::Text, FIELD, "title", "", ""),
            (EventKind::Text, FIELD, "body", "", ""),
            (CLICK, BUTTON, "save", "Save", "ListActivity"),
        ],
    ),
    (
        "SettingsActivity",
        "Settings · Sort by date · Lock · About",
        &[
            (CLICK, "android.widget.Switch", "sort", "Sort by date", ""),
            (
                CLICK,
                "android.widget.Switch",
                "lock",
                "Lock with a PIN",
                "",
            ),
            (CLICK, ROW, "about", "About this app", "AboutActivity"),
        ],
    ),
    (
        "TabsActivity",
        "Red · Green · Blue",
        &[
            (CLICK, ROW, "red", "Red", ""),
            (CLICK, ROW, "green", "Green", ""),
            (
                EventKind::Swipe {
                    dir: crate::gui::Direction::Left,
                },
                "android.view.View",
                "pager",
                "",
                "",
            ),
        ],
    ),
    (
        "AboutActivity",
        "About · Version 1.4 · Licences",
        &[(CLICK, ROW, "licences", "Licences", "")],
    ),
    (
        "WizardOneActivity",
        "Tour, part 1 of 3 · Next",
        &[(CLICK, BUTTON, "next", "Next", "WizardTwoActivity")],
    ),
    (
        "WizardTwoActivity",
        "Tour, part 2 of 3 · Next",
        &[(CLICK, BUTTON, "next", "Next", "WizardThreeActivity")],
    ),
    (
        "WizardThreeActivity",
        "Tour, part 3 of 3 · Done",
        &[(CLICK, BUTTON, "done", "Done", "ListActivity")],
    ),
];

pub const PACKAGE: &str = "org.example.notes";

/// Failures: (activity, widget's id or `rotate`, kind, exception, message, one time in).
pub const FAULTS: &[(&str, &str, FindingKind, &str, &str, u64)] = &[
    (
        "EditorActivity",
        "save",
        FindingKind::JavaCrash,
        "java.lang.IllegalArgumentException",
        "a note needs a title",
        4,
    ),
    (
        "DetailActivity",
        "share",
        FindingKind::JavaCrash,
        "java.lang.NullPointerException",
        "Attempt to invoke virtual method 'java.lang.String android.net.Uri.getScheme()' on a null object reference",
        3,
    ),
    (
        "SettingsActivity",
        "lock",
        FindingKind::Anr,
        "",
        "main thread blocked for 6.2 s",
        5,
    ),
    (
        "EditorActivity",
        "rotate",
        FindingKind::RotationLoss,
        "",
        "1 text typed was lost by the rotation: title",
        2,
    ),
    (
        "TabsActivity",
        "pager",
        FindingKind::Environment,
        "java.lang.UnsatisfiedLinkError",
        "libpager.so: not for this device",
        2,
    ),
];

/// A finding as an oracle makes it.
pub fn fault(
    activity: &str,
    by: &str,
    kind: FindingKind,
    exception: &str,
    message: &str,
    event: u64,
) -> Finding {
    let fingerprint = format!(
        "v2:{:016x}",
        of_bytes(format!("{activity}{by}{exception}").as_bytes())
    );
    let simple = exception.rsplit('.').next().unwrap_or_default();
    let own = format!("{PACKAGE}.{activity}.on{by}");
    let stack = format!(
        "FATAL EXCEPTION: main\nProcess: {PACKAGE}, PID: 4711\n{exception}: {message}\n\tat {own}({activity}.java:88)\n\tat {PACKAGE}.{activity}.onClick({activity}.java:41)\n\tat android.view.View.performClick(View.java:7448)\n\tat android.os.Handler.dispatchMessage(Handler.java:99)\n\tat android.os.Looper.loop(Looper.java:223)\n\tat android.app.ActivityThread.main(ActivityThread.java:7656)"
    );
    let environment = (kind == FindingKind::Environment).then(|| Blame {
        rule: "native-library".into(),
        detail: Some("libpager.so".into()),
    });
    Finding {
        id: format!(
            "{}-{}",
            kind.to_string().replace(' ', "-"),
            &fingerprint[3..11]
        ),
        kind,
        title: if simple.is_empty() {
            message.to_owned()
        } else {
            format!("{simple}: {message}")
        },
        exception: (!exception.is_empty()).then(|| exception.to_owned()),
        frame: (!exception.is_empty()).then(|| own.clone()),
        fingerprint,
        evidence: stack,
        activity: format!("{PACKAGE}.{activity}"),
        trigger: if by == "rotate" {
            Trigger::System
        } else {
            Trigger::Event
        },
        event,
        warning: false,
        v1: String::new(),
        environment,
        provoked_by: Vec::new(),
        left: Vec::new(),
    }
}

/// Crashes come with the fewest steps to them, other findings with their trace only.
pub(super) fn minimized(folder: &FindingFolder, finding: &Finding, pictures: bool) {
    fs::write(folder.trace(), "version = 1\n").unwrap();
    if finding.exception.is_none() || finding.environment.is_some() {
        return;
    }
    fs::write(folder.minimized(), "version = 1\n").unwrap();
    let found = Reproduction {
        version: REPRODUCTION_VERSION,
        fingerprint: finding.fingerprint.clone(),
        given: finding.event,
        steps: vec![
            "click “Skip” (skip)".into(),
            "type “<b>]]>” into title".into(),
        ],
        minimality: Minimality::OneMinimal,
        chance: 1.0,
        replays: 12,
        carried: 0,
        reproduced: 5,
        of: 5,
        diverged: None,
    };
    fs::write(folder.reproduction(), pretty(&found).unwrap()).unwrap();
    if pictures {
        fs::write(folder.step_image(2), super::fixture_png::screen(3)).unwrap();
    }
}
