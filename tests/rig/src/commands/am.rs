//! `am` and the one use of `monkey` that starts an app.

use super::Call;
use crate::pipe::lock;
use droidtest::device::Action;
use droidtest::gui::{Extra, Extras};
use std::sync::atomic::Ordering;

pub fn run(call: &mut Call<'_>) -> i32 {
    match call.words.get(1).map(String::as_str) {
        Some("start" | "start-activity") => start(call),
        Some("force-stop" | "kill") => {
            let package = call.words.last().cloned().unwrap_or_default();
            if let Some(app) = lock(&call.phone.state)
                .app
                .as_mut()
                .filter(|a| a.package == package)
            {
                app.alive = false;
            }
            0
        }
        Some("get-current-user") => {
            let user = lock(&call.phone.state).users.last().copied().unwrap_or(0);
            call.say(&format!("{user}\n"))
        }
        Some("broadcast") => broadcast(call),
        Some(
            "startservice"
            | "start-service"
            | "start-foreground-service"
            | "startforegroundservice",
        ) => service(call),
        _ => call.fail("Error: Unknown command\n", 255),
    }
}

fn component(call: &Call<'_>) -> Option<(String, String)> {
    let named = call.option("-n").or_else(|| {
        call.words
            .last()
            .map(String::as_str)
            .filter(|w| w.contains('/'))
    })?;
    let (package, class) = named.split_once('/')?;
    let class = if class.starts_with('.') {
        format!("{package}{class}")
    } else {
        class.to_owned()
    };
    Some((package.to_owned(), class))
}

fn start(call: &mut Call<'_>) -> i32 {
    let Some((package, class)) = component(call) else {
        return call.fail("Error: Activity not started, unable to resolve Intent { act=android.intent.action.VIEW flg=0x10000000 }\n", 1);
    };
    let short = class.strip_prefix(&package).unwrap_or(&class).to_owned();
    call.say(&format!("Starting: Intent {{ cmp={package}/{short} }}\n"));
    let mut state = lock(&call.phone.state);
    let Some(app) = state.app.as_ref().filter(|a| a.package == package) else {
        drop(state);
        return call.fail(
            &format!("Error type 3\nError: Activity class {{{package}/{class}}} does not exist.\n"),
            1,
        );
    };
    let (launcher, running) = (app.launcher.clone(), app.alive);
    let done = if class == launcher || !running {
        call.phone.launch(&mut state)
    } else {
        let action = Action::StartActivity {
            component: class.clone(),
            action: call.option("-a").map(str::to_owned),
            data: call.option("-d").map(str::to_owned),
        };
        call.phone.act(&mut state, &action)
    };
    drop(state);
    if let Err(why) = done {
        return call.fail(&format!("Error: {why}\n"), 1);
    }
    if running && class == launcher {
        call.say("Warning: Activity not started, its current task has been brought to the front\n");
    }
    if call.words.iter().any(|w| w == "-W") {
        let middle = if call.phone.config.api >= 29 {
            "LaunchState: COLD\n"
        } else {
            ""
        };
        let this = if call.phone.config.api < 29 {
            "ThisTime: 240\n"
        } else {
            ""
        };
        call.say(&format!("Status: ok\n{middle}Activity: {package}/{short}\n{this}TotalTime: 240\nWaitTime: 251\nComplete\n"));
    }
    0
}

fn extras(call: &Call<'_>) -> Extras {
    let mut found = Extras::new();
    for at in 0..call.words.len().saturating_sub(2) {
        let (key, value) = (call.words[at + 1].clone(), &call.words[at + 2]);
        let value = match call.words[at].as_str() {
            "--es" => Extra::Text(value.clone()),
            "--ei" | "--el" => Extra::Number(value.parse().unwrap_or(0)),
            "--ez" => Extra::Flag(value == "true"),
            "--eia" => Extra::Numbers(
                (value.split(','))
                    .filter_map(|part| part.parse().ok())
                    .collect(),
            ),
            _ => continue,
        };
        found.insert(key, value);
    }
    found
}

/// Broadcasts that only the system may send, as its manifest says (the ones that suites and strategies name).
const PROTECTED: [&str; 14] = [
    "android.intent.action.AIRPLANE_MODE",
    "android.intent.action.BATTERY_CHANGED",
    "android.intent.action.BATTERY_LOW",
    "android.intent.action.BATTERY_OKAY",
    "android.intent.action.BOOT_COMPLETED",
    "android.intent.action.HEADSET_PLUG",
    "android.intent.action.LOCALE_CHANGED",
    "android.intent.action.MY_PACKAGE_REPLACED",
    "android.intent.action.PHONE_STATE",
    "android.intent.action.SCREEN_OFF",
    "android.intent.action.SCREEN_ON",
    "android.intent.action.TIMEZONE_CHANGED",
    "android.intent.action.TIME_SET",
    "android.net.conn.CONNECTIVITY_CHANGE",
];

fn broadcast(call: &mut Call<'_>) -> i32 {
    let action = call.option("-a").unwrap_or("").to_owned();
    call.say(&format!(
        "Broadcasting: Intent {{ act={action} flg=0x400000 }}\n"
    ));
    if PROTECTED.contains(&action.as_str()) && !call.phone.rooted.load(Ordering::Relaxed) {
        let pid = call.phone.next_pid();
        let why = format!(
            "java.lang.SecurityException: Permission Denial: not allowed to send broadcast {action} from pid={pid}, uid=2000\n\tat com.android.server.am.ActivityManagerService.broadcastIntentLocked(ActivityManagerService.java:14401)\n"
        );
        return if call.phone.config.api >= 26 {
            call.fail(
                &format!("\nException occurred while executing 'broadcast':\n{why}"),
                255,
            )
        } else {
            call.say(&why)
        };
    }
    let component = component(call).map(|(_, class)| class);
    let sent = Action::Broadcast {
        action,
        component,
        extras: extras(call),
    };
    let done = call.phone.act(&mut lock(&call.phone.state), &sent);
    match done {
        Ok(()) => call.say("Broadcast completed: result=0\n"),
        Err(why) => call.fail(&format!("Error: {why}\n"), 1),
    }
}

fn service(call: &mut Call<'_>) -> i32 {
    let Some((package, class)) = component(call) else {
        return call.fail("Error: Not found; no service started.\n", 255);
    };
    call.say(&format!(
        "Starting service: Intent {{ cmp={package}/{class} }}\n"
    ));
    let sent = Action::Service {
        component: class,
        action: call.option("-a").map(str::to_owned),
        extras: extras(call),
    };
    match call.phone.act(&mut lock(&call.phone.state), &sent) {
        Ok(()) => 0,
        Err(why) => call.fail(&format!("Error: {why}\n"), 1),
    }
}

/// `monkey -p PKG -c android.intent.category.LAUNCHER 1`.
pub fn monkey(call: &mut Call<'_>) -> i32 {
    let package = call.option("-p").unwrap_or("").to_owned();
    let mut state = lock(&call.phone.state);
    if state
        .app
        .as_ref()
        .is_none_or(|a| a.package != package || a.launcher.is_empty())
    {
        drop(state);
        return call.fail("** No activities found to run, monkey aborted.\n", 252);
    }
    let done = call.phone.launch(&mut state);
    drop(state);
    match done {
        Ok(()) => call.say("Events injected: 1\n"),
        Err(why) => call.fail(&format!("{why}\n"), 1),
    }
}
