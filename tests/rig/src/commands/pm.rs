//! `pm`, and `cmd package`, which is the same.

use super::Call;
use crate::pipe::lock;

pub fn run(call: &mut Call<'_>) -> i32 {
    let words = call.args();
    match words.first().copied() {
        Some("install") => install(call),
        Some("uninstall") => {
            let package = words.last().map(|p| (*p).to_owned()).unwrap_or_default();
            let mut state = lock(&call.phone.state);
            let gone = state.app.take_if(|a| a.package == package).is_some();
            drop(state);
            if gone {
                call.say("Success\n")
            } else {
                call.fail("Failure [DELETE_FAILED_INTERNAL_ERROR]\n", 1)
            }
        }
        Some("clear") => {
            let package = words.last().map(|p| (*p).to_owned()).unwrap_or_default();
            let mut state = lock(&call.phone.state);
            let app = state.app.as_mut().filter(|a| a.package == package);
            let there = app.is_some();
            if let Some(app) = app {
                app.alive = false;
                app.cleared = true;
            }
            state.granted.clear();
            drop(state);
            if there {
                call.say("Success\n")
            } else {
                call.fail("Failed\n", 1)
            }
        }
        Some("list") if words.get(1) == Some(&"users") => {
            let users = lock(&call.phone.state).users.clone();
            let lines = users
                .iter()
                .map(|user| format!("\tUserInfo{{{user}:U{user}:c13}} running\n"));
            let lines: String = lines.collect();
            call.say(&format!("Users:\n{lines}"))
        }
        Some("list") => {
            let package = lock(&call.phone.state)
                .app
                .as_ref()
                .map(|a| a.package.clone());
            let lines: String = ["android".to_owned(), crate::home::PACKAGE.to_owned()]
                .into_iter()
                .chain(package)
                .map(|p| format!("package:{p}\n"))
                .collect();
            call.say(&lines)
        }
        Some("path") => {
            let package = words.get(1).map(|p| (*p).to_owned()).unwrap_or_default();
            let there = package == "android"
                || lock(&call.phone.state)
                    .app
                    .as_ref()
                    .is_some_and(|a| a.package == package);
            if there {
                call.say(&format!("package:/data/app/{package}/base.apk\n"))
            } else {
                1
            }
        }
        Some("grant") => {
            let permission = words.last().map(|p| (*p).to_owned()).unwrap_or_default();
            let mut state = lock(&call.phone.state);
            let asked = state
                .app
                .as_ref()
                .is_some_and(|a| a.permissions.contains(&permission));
            if asked {
                state.granted.push(permission);
                0
            } else {
                drop(state);
                call.fail("\nException occurred while executing 'grant':\njava.lang.SecurityException: Package has not requested permission\n", 255)
            }
        }
        Some("resolve-activity") => {
            let package = words.last().map(|p| (*p).to_owned()).unwrap_or_default();
            let found = lock(&call.phone.state)
                .app
                .as_ref()
                .filter(|a| a.package == package && !a.launcher.is_empty())
                .map(|a| a.launcher.clone());
            match found {
                Some(launcher) => call.say(&format!("priority=0 preferredOrder=0 match=0x108000 specificIndex=-1 isDefault=true\n{package}/{launcher}\n")),
                None => call.say("No activity found\n"),
            }
        }
        _ => call.fail("Unknown command\n", 255),
    }
}

fn install(call: &mut Call<'_>) -> i32 {
    let words = call.args();
    let grant = words.contains(&"-g");
    let file = words.last().map(|f| (*f).to_owned()).unwrap_or_default();
    let apk = if call.input.is_empty() {
        lock(&call.phone.files).get(&file).map(|f| f.data.clone())
    } else {
        Some(call.input.to_vec())
    };
    let Some(apk) = apk else {
        return call.fail(&format!("Error: Unable to open file: {file}\n"), 255);
    };
    // It is copied before it is taken for an app.
    if !lock(&call.phone.files).has_room(apk.len()) {
        let why = "Failed to override installation location";
        call.say(&format!(
            "Failure [INSTALL_FAILED_INSUFFICIENT_STORAGE: {why}]\n"
        ));
        return 1;
    }
    let state = lock(&call.phone.state);
    let there = state.app.as_ref().filter(|_| state.other_key);
    if let Some(package) = there.map(|app| app.package.clone()) {
        drop(state);
        call.say(&format!("Failure [INSTALL_FAILED_UPDATE_INCOMPATIBLE: Package {package} signatures do not match the previously installed version; ignoring!]\n"));
        return 1;
    }
    drop(state);
    match call.phone.install(&apk, grant) {
        Ok(()) => call.say("Success\n"),
        Err(why) => {
            call.say(&format!("{why}\n"));
            1
        }
    }
}
