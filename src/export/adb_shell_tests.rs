//! Every text of a trace goes through the host's shell and the device's, and stays one word: scripts run in each shell of
//! this machine, with stand-ins for adb and for the device's programs that note their arguments. Android's shell is mksh,
//! on many devices beside toybox's.

use super::*;
use crate::device::adb::input::{Way, lower};
use crate::gui::Extra;
use crate::trace::{AppRef, DeviceRef, Expected, Target};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;

/// Shells that a machine may have.
const SHELLS: [&str; 5] = ["sh", "dash", "bash", "mksh", "busybox sh"];
/// Programs of a device that lines name.
const PROGRAMS: [&str; 11] = [
    "am",
    "cmd",
    "input",
    "logcat",
    "monkey",
    "pidof",
    "pm",
    "settings",
    "svc",
    "uiautomator",
    "rm",
];

fn shells() -> Vec<Vec<&'static str>> {
    let words = SHELLS.map(|shell| shell.split(' ').collect::<Vec<_>>());
    let runs = |words: &Vec<&str>| {
        let mut command = Command::new(words[0]);
        let done = command.args(&words[1..]).args(["-c", "exit 7"]).output();
        done.is_ok_and(|done| done.status.code() == Some(7))
    };
    words.into_iter().filter(runs).collect()
}

/// A device without a device: folders of programs that note their arguments.
struct Stage {
    folder: tempfile::TempDir,
}

impl Stage {
    fn new(device_shell: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let stage = Self { folder };
        std::fs::create_dir(stage.at("device")).unwrap();
        let notes = stage.at("notes").display().to_string();
        let note = |what: &str| {
            format!(
                "#!/bin/sh\nprintf '%s\\036' {what} \"$@\" >>'{notes}'\nprintf '\\035' >>'{notes}'\n"
            )
        };
        for program in PROGRAMS {
            stage.program(&format!("device/{program}"), &note(program));
        }
        for place in ["device", "."] {
            stage.program(&format!("{place}/pwned"), &note("pwned"));
        }
        // Programs that are found by their path: the device's PATH has none of the host's.
        let shell = Command::new("sh")
            .args(["-c", &format!("command -v {}", device_shell[0])])
            .output()
            .unwrap();
        let shell = String::from_utf8(shell.stdout).unwrap();
        let words = [&[shell.trim()], &device_shell[1..]].concat().join(" ");
        let adb = format!(
            "case $1 in\nshell) PATH='{}' exec {words} -c \"$2\" ;;\nemu) shift; set -- emu \"$@\" ;;\nesac\n{}",
            stage.at("device").display(),
            note("adb").replacen("#!/bin/sh\n", "", 1)
        );
        stage.program("adb", &format!("#!/bin/sh\n{adb}"));
        stage
    }

    fn at(&self, name: &str) -> std::path::PathBuf {
        self.folder.path().join(name)
    }

    fn program(&self, name: &str, text: &str) {
        let path = self.at(name);
        std::fs::write(&path, text).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// Runs a text with this shell; what was called, with its arguments.
    fn calls(&self, shell: &[&str], text: &str, secret: &str) -> Vec<Vec<String>> {
        let _ = std::fs::remove_file(self.at("notes"));
        let file = self.at("script.sh");
        std::fs::write(&file, text).unwrap();
        let path = std::env::var("PATH").unwrap_or_default();
        let done = Command::new(shell[0])
            .args(&shell[1..])
            .arg(&file)
            .env("ADB", self.at("adb"))
            .env("PATH", format!("{}:{path}", self.folder.path().display()))
            .env("TEXT_PIN", secret)
            .env("NOTES", self.at("notes"))
            .current_dir(self.folder.path())
            .output()
            .unwrap();
        let complaint = String::from_utf8_lossy(&done.stderr);
        assert!(!complaint.contains("yntax"), "{shell:?}: {complaint}");
        let notes = std::fs::read(self.at("notes")).unwrap_or_default();
        let notes = String::from_utf8(notes).unwrap();
        let calls = notes.split_terminator('\u{1d}');
        calls
            .map(|call| call.split_terminator('\u{1e}').map(str::to_owned).collect())
            .collect()
    }
}

/// Texts that break what does not quote them.
fn hostile() -> impl Strategy<Value = String> {
    let known = prop::sample::select(vec![
        "$(pwned)",
        "`pwned`",
        "'; pwned; '",
        "\"; pwned; \"",
        "x\npwned\n",
        "& pwned &",
        "| pwned",
        "${IFS}pwned",
        "$'\\npwned'",
        "\\'; pwned #",
        "END\npwned",
        "~ * ? [a-z] {a,b} !! !pwned",
        "%s %1$s %%",
        "-n --user 0",
        "a=b",
        "@(pwned)",
        "é😀\u{202e}",
        "",
        " ",
    ]);
    let any = "[ -~]{0,12}|[\"'`$\\\\;&|<>(){}*?~#!%@\\n\\t -]{0,10}";
    let mixed = (known.clone(), any).prop_map(|(one, other)| format!("{one}{other}"));
    prop_oneof![known.prop_map(str::to_owned), mixed]
}

fn trace(texts: &[String]) -> Trace {
    let [id, words, _, action, name, value, data, title] = texts else {
        panic!("{texts:?}")
    };
    let target = || Target {
        id: id.clone(),
        text: words.clone(),
        desc: value.clone(),
        caption: data.clone(),
        class: name.clone(),
        ..Target::default()
    };
    let typed = |text: &str, secret: Option<&str>| {
        let (text, secret) = (text.to_owned(), secret.map(str::to_owned));
        let enter = false;
        Deed::Type(Typed {
            text,
            secret,
            enter,
        })
    };
    let extras = [(name.clone(), Extra::Text(value.clone()))];
    let message = [
        ("originatingAddress".to_owned(), Extra::Text("+4930".into())),
        ("messageBody".to_owned(), Extra::Text(value.clone())),
    ];
    let message = match crate::device::announced::MESSAGE {
        [from, body] => [from, body]
            .into_iter()
            .zip(message.map(|(_, value)| value)),
    };
    let system = |event| Step::System(event);
    Trace {
        app: AppRef {
            package: "org.x".into(),
            ..AppRef::default()
        },
        device: DeviceRef::default(),
        seed: 1,
        finding: Some(Expected {
            kind: FindingKind::JavaCrash,
            fingerprint: None,
            exception: Some(action.clone()),
            frame: Some(name.clone()),
            activity: None,
            title: Some(title.clone()),
        }),
        steps: vec![
            Step::On(target(), Deed::Click),
            Step::On(target(), typed(&texts[2], None)),
            Step::On(target(), typed("", Some("pin"))),
            system(SystemEvent::Broadcast {
                action: action.clone(),
                component: Some(value.clone()),
                extras: extras.into(),
            }),
            system(SystemEvent::Broadcast {
                action: "android.provider.Telephony.SMS_RECEIVED".into(),
                component: None,
                extras: message
                    .map(|(name, value)| (name.to_owned(), value))
                    .collect(),
            }),
            system(SystemEvent::Activity {
                component: name.clone(),
                action: Some(action.clone()),
                data: Some(data.clone()),
            }),
            system(SystemEvent::Service {
                component: name.clone(),
                action: Some(action.clone()),
            }),
        ],
    }
}

/// The script with functions that note their words in place of those that look at the screen.
fn staged(text: &str) -> String {
    let note = |name: &str, more: &str| {
        format!(
            "{name}() {{\n    printf '%s\\036' {name} \"$@\" >>\"$NOTES\"\n    printf '\\035' >>\"$NOTES\"\n    {more}\n}}\n"
        )
    };
    let place = "x=1 y=1 left=0 top=0 right=9 bottom=9 length=0";
    let stubs = [
        note("find_widget", place),
        note("step", ":"),
        note("not_performed", ":"),
        note("state", ":"),
        "prepare() { state \"$package\" \"$exception\" \"$frame\"; }\n".to_owned(),
        "launch() { :; }\nawait() { exit 0; }\nreproduced() { false; }\nput_back() { :; }\n"
            .to_owned(),
    ];
    let at = text.find("\nprepare ").expect("the script begins with it");
    format!("{}\n{}{}", &text[..at], stubs.concat(), &text[at..])
}

fn one(calls: &[Vec<String>], starts: &[&str]) -> Vec<Vec<String>> {
    let fits = |call: &&Vec<String>| call.iter().zip(starts).all(|(a, b)| a == b);
    calls.iter().filter(fits).cloned().collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn a_script_passes_every_text_on_as_one_word(texts in prop::collection::vec(hostile(), 8)) {
        let trace = trace(&texts);
        let script = staged(&script(&trace).text);
        let whole = |text: &str| text.replace('\0', "");
        for device in shells() {
            let stage = Stage::new(&device);
            // Any shell of the host does; the device's differ.
            let host = match device[0] { "sh" => vec!["bash"], _ => vec!["sh"] };
            let calls = stage.calls(&host, &script, "it's $(pwned) `pwned`; pwned");
            prop_assert!(one(&calls, &["pwned"]).is_empty(), "{:?}: {:?}", device, calls);
            let state = one(&calls, &["state"]);
            let frame = texts[4].split('(').next().unwrap_or_default().to_owned();
            prop_assert_eq!(&state, &[["state".to_owned(), "org.x".into(), whole(&texts[3]), frame]]);
            let found = one(&calls, &["find_widget"]);
            // What a shell cannot type is not performed.
            prop_assert_eq!(found.len(), 2 + usize::from(can_type(&texts[2])));
            prop_assert_eq!(&found[0][1], &entities(&texts[0]));
            prop_assert_eq!(&found[0][3], &entities(&texts[5]));
            let steps = one(&calls, &["step"]);
            prop_assert_eq!(steps.len(), 7);
            prop_assert!(steps.iter().all(|step| step.len() == 3));
            let typed: String = one(&calls, &["input", "text"]).iter().map(|call| {
                assert_eq!(call.len(), 3, "{call:?}");
                call[2].replace("%s", " ")
            }).collect();
            let own = if can_type(&texts[2]) { texts[2].as_str() } else { "" };
            prop_assert_eq!(typed, format!("{own}it's $(pwned) `pwned`; pwned"));
            let sent = one(&calls, &["am", "broadcast"]);
            let component = format!("org.x/{}", texts[5]);
            let expected = ["am", "broadcast", "-a", &texts[3], "-n", &component, "--es", &texts[4], &texts[5]];
            prop_assert_eq!(&sent, &[expected.map(str::to_owned)]);
            let component = format!("org.x/{}", texts[4]);
            let started = ["am", "start", "-W", "-n", &component, "-a", &texts[3], "-d", &texts[6]];
            prop_assert_eq!(one(&calls, &["am", "start"]), [started.map(str::to_owned)]);
            let service = ["am", "startservice", "-n", &component, "-a", &texts[3]];
            prop_assert_eq!(one(&calls, &["am", "startservice"]), [service.map(str::to_owned)]);
            let console = one(&calls, &["adb", "emu"]);
            prop_assert_eq!(console.len(), 1);
            prop_assert_eq!(console[0].len(), 3, "one word: {:?}", console);
            prop_assert!(console[0][2].starts_with("sms send +4930 ") && !console[0][2].contains('\n'));
        }
    }

    #[test]
    fn the_device_passes_every_text_on_as_one_word(texts in prop::collection::vec(hostile(), 4)) {
        let [action, component, key, value] = &texts[..] else { panic!() };
        let extras: BTreeMap<_, _> = [(key.clone(), Extra::Text(value.clone()))].into();
        let actions = [
            (Action::Broadcast { action: action.clone(), component: Some(component.clone()), extras: extras.clone() },
                vec!["am", "broadcast", "-a", action, "-n", component, "--es", key, value]),
            (Action::Service { component: component.clone(), action: Some(action.clone()), extras },
                vec!["am", "startservice", "-n", component, "-a", action, "--es", key, value]),
            (Action::StartActivity { component: component.clone(), action: Some(action.clone()), data: Some(value.clone()) },
                vec!["am", "start", "-W", "-n", component, "-a", action, "-d", value]),
        ];
        for shell in shells() {
            let stage = Stage::new(&shell);
            for (action, expected) in &actions {
                let Way::System { line, .. } = lower(action, "org.x", &[], (0, 0)) else { panic!() };
                let text = format!("exec \"$ADB\" shell {}", quote(&line));
                let calls = stage.calls(&["sh"], &text, "");
                let mut expected: Vec<String> = expected.iter().map(|word| (*word).to_owned()).collect();
                let at = expected.iter().position(|word| word == "-n").unwrap() + 1;
                expected[at] = format!("org.x/{component}");
                prop_assert_eq!(&calls, &[expected], "{:?}: {}", shell, line);
            }
        }
    }
}

#[test]
fn a_text_that_is_not_quoted_is_seen() {
    let stage = Stage::new(&["sh"]);
    let calls = stage.calls(
        &["sh"],
        "\"$ADB\" shell \"input text $(printf '%s' 'a; pwned')\"",
        "",
    );
    assert_eq!(one(&calls, &["pwned"]).len(), 1, "{calls:?}");
    assert!(Path::new("/bin/sh").exists());
}
