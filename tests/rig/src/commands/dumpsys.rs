//! `dumpsys`: what the tool asks of it, in the forms of the API level.

use super::Call;
use crate::phone::State;
use crate::pipe::lock;
use droidtest::device::Listens;
use std::fmt::Write as _;

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
            broadcasts(&lock(&call.phone.state))
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
        Some("input_method") => {
            let state = lock(&call.phone.state);
            let keyboard = state.keyboard.as_ref();
            keyboard.map_or_else(String::new, crate::keyboard::Keyboard::state)
        }
        Some("window") if words.get(1) == Some(&"InputMethod") => {
            let state = lock(&call.phone.state);
            let keyboard = state.keyboard.as_ref();
            keyboard.map_or_else(String::new, crate::keyboard::Keyboard::window)
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
                "Packages:\n  Package [{}] (1):\n    {}=10100\n    requested permissions:\n{permissions}    install permissions:\n",
                words.get(1).copied().unwrap_or(""),
                if api >= 33 { "appId" } else { "userId" },
            )
        }
        Some("location") => location(&lock(&call.phone.state), api),
        Some("sensorservice") => sensors(&lock(&call.phone.state)),
        Some("telephony.registry") => calls(&lock(&call.phone.state), api),
        Some("dropbox") => dropbox(&lock(&call.phone.dropbox), &words[1..]),
        Some(other) => return call.fail(&format!("Can't find service: {other}\n"), 0),
        None => String::new(),
    };
    call.say(&text)
}

/// The form of AOSP's `DropBoxManagerService.dump`. Words that are no options must all fit an entry: each a part of
/// its time, or its tag.
fn dropbox(all: &[(String, String, String)], words: &[&str]) -> String {
    let prints = words.iter().any(|w| ["-p", "--print"].contains(w));
    let wanted: Vec<_> = words.iter().filter(|w| !w.starts_with('-')).collect();
    let mut text = format!(
        "Drop box contents: {} entries\nMax entries: 1000\nLow priority rate limit period: 2000 ms\nLow priority tags: {{data_app_wtf, keymaster, system_server_wtf, system_app_strictmode, system_app_wtf, system_server_strictmode, data_app_strictmode, netstats}}\n",
        all.len()
    );
    if !wanted.is_empty() {
        text += "Searching for:";
        wanted.iter().for_each(|w| text += &format!(" {w}"));
        text += "\n";
    }
    text += "\n";
    let fits = |(time, tag, _): &&(String, String, String)| {
        wanted.iter().all(|w| time.contains(**w) || tag == **w)
    };
    let mut found = 0;
    for (time, tag, said) in all.iter().filter(fits) {
        found += 1;
        if prints {
            text += "========================================\n";
        }
        let _ = writeln!(text, "{time} {tag} (compressed text, {} bytes)", said.len());
        if prints {
            text += said;
            text += if said.ends_with('\n') { "\n" } else { "\n\n" };
        } else {
            let short: String = said.chars().take(70).collect();
            let more = if short.len() == 70 { " ..." } else { "" };
            let _ = writeln!(text, "    {}{more}", short.trim().replace('\n', "/"));
        }
    }
    if found == 0 {
        text += "(No entries found.)\n";
    }
    text
}

/// The form of AOSP's `ReceiverList.dump`, the system's receivers first.
fn broadcasts(state: &State) -> String {
    let mut text = "ACTIVITY MANAGER BROADCAST STATE (dumpsys activity broadcasts)\n  Registered Receivers:\n  * ReceiverList{82bcce 603 com.android.systemui/10019/u0 remote:83b3dc9}\n    app=603:com.android.systemui/u0a19 pid=603 uid=10019 user=0\n    Filter #0: BroadcastFilter{28557ef}\n      Action: \"android.intent.action.TIME_TICK\"\n      AutoVerify=false\n".to_owned();
    if let Some(app) = state.app.as_ref().filter(|a| a.alive) {
        let (pid, package) = (app.pid, &app.package);
        for (at, action) in app.listens.receivers.iter().enumerate() {
            let _ = write!(
                text,
                "  * ReceiverList{{412fa{at:02x} {pid} {package}/10100/u0 remote:7dbd1cd}}\n    app={pid}:{package}/u0a100 pid={pid} uid=10100 user=0\n    Filter #0: BroadcastFilter{{6f475{at:02x}}}\n      Action: \"{action}\"\n      AutoVerify=false\n"
            );
        }
    }
    text + "\n  Receiver Resolver Table:\n    Non-Data Actions:\n"
}

/// The package of the app that runs, and what it listens to.
fn listening(state: &State) -> Option<(&str, &Listens)> {
    let app = state.app.as_ref().filter(|a| a.alive)?;
    Some((&app.package, state.listens.as_ref().unwrap_or(&app.listens)))
}

/// The form of AOSP's `LocationManagerService.dump`, and since Android 12 of `LocationProviderManager.dump`.
fn location(state: &State, api: u32) -> String {
    let of = |(package, listens): (&str, &Listens)| listens.location.then(|| package.to_owned());
    let package = listening(state).and_then(of);
    if api >= 31 {
        let line = package.map(|p| {
            format!("        10100/{p}/6D3F81B2 (foreground) Request[@+1s0ms HIGH_ACCURACY]\n")
        });
        let line = line.unwrap_or_default();
        return format!(
            "Location Manager State:\n  Location Providers:\n    gps provider:\n      listeners:\n{line}      last location=null\n"
        );
    }
    let line = package.map(|p| format!("    Reciever[385399 listener UpdateRecord[gps {p}(10100 foreground) Request[ACCURACY_FINE gps requested=+1s0ms fastest=+1s0ms] null] monitoring location: true]\n"));
    format!(
        "Current Location Manager state:\n  Location Listeners:\n{}",
        line.unwrap_or_default()
    )
}

/// The form of AOSP's `SensorService::dump`.
fn sensors(state: &State) -> String {
    let mut text = "Sensor List:\n".to_owned();
    for kind in 1..20 {
        let _ = writeln!(
            text,
            "{kind:#010x}) Goldfish {kind} | The Android Open Source Project | ver: 1 | type: android.sensor.any({kind}) | perm: n/a | flags: 0x00000000"
        );
    }
    let of = |(_, listens): (_, &Listens)| listens.sensors.clone();
    let kinds = listening(state).map(of).unwrap_or_default();
    let _ = writeln!(text, "{} active connections", kinds.len());
    for (number, kind) in kinds.iter().enumerate() {
        let _ = write!(
            text,
            "Connection Number: {number} \n\tOperating Mode: NORMAL\n\trig.Listener | WakeLockRefCount 0 | uid 10100 | cache size 0 | max cache size 0\n\t Goldfish {kind} {kind:#010x} | status: active | pending flush events 0 \n"
        );
    }
    text + "0 direct connections\nPrevious Registrations:\n"
}

/// The form of AOSP's `TelephonyRegistry.dump`.
fn calls(state: &State, api: u32) -> String {
    let mut text = "last known state:\nregistrations: count=1\n".to_owned();
    if let Some((package, _)) = listening(state).filter(|(_, listens)| listens.telephony) {
        let events = if api >= 31 { "[36]" } else { "20" };
        let _ = writeln!(
            text,
            "  {{callingPackage={package} callerUid=10100 callback=rig subId=1 phoneId=0 events={events}}}"
        );
    }
    text
}
