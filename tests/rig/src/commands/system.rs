//! Properties, settings, processes, the clock, and the shell's words.

use super::Call;
use crate::pipe::lock;
use droidtest::device::Action;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

pub fn run(call: &mut Call<'_>, name: &str) -> i32 {
    match name {
        "getprop" => getprop(call),
        "setprop" => {
            if let [_, key, value] = call.words {
                lock(&call.phone.state).props.insert(key.clone(), value.clone());
            }
            0
        }
        "service" => {
            let name = call.words.get(2).cloned().unwrap_or_default();
            let late = lock(&call.phone.state).services_missing.contains(&name);
            let found = if call.phone.booted() && !late { "found" } else { "not found" };
            call.say(&format!("Service {name}: {found}\n"))
        }
        "settings" => settings(call),
        "wm" => wm(call),
        "echo" => {
            let text = call.args().join(" ");
            call.say(&format!("{text}\n"))
        }
        "true" | "sync" => 0,
        "svc" => svc(call),
        "false" => 1,
        "exit" => call.words.get(1).and_then(|c| c.parse().ok()).unwrap_or(0),
        "whoami" => call.say("shell\n"),
        "id" => call.say("uid=2000(shell) gid=2000(shell) groups=2000(shell),1004(input),1007(log),3009(readproc)\n"),
        "date" => {
            let now = call.phone.log.now();
            let format = call.words.get(1).map_or("", String::as_str);
            if format.starts_with("+%Y") {
                let stamp = call.phone.log.stamp();
                return call.say(&format!("{stamp}\n"));
            }
            call.say(&format!("{}\n", if format.starts_with("+%m-%d") { format!("{}.000", &now[..14]) } else { now }))
        }
        "sleep" => {
            let seconds: f64 = call.words.get(1).and_then(|s| s.parse().ok()).unwrap_or(0.0);
            let until = Instant::now() + Duration::from_secs_f64(seconds.clamp(0.0, 600.0));
            while Instant::now() < until && !call.outputs.is_closed() && !call.phone.is_off() {
                std::thread::sleep(Duration::from_millis(5));
            }
            0
        }
        "pidof" => {
            let wanted = call.words.get(1).cloned().unwrap_or_default();
            if wanted == "system_server" {
                let pid = 1500 + call.phone.restarts.load(Ordering::Relaxed);
                return call.say(&format!("{pid}\n"));
            }
            let pid = lock(&call.phone.state).app.as_ref().filter(|a| a.alive && a.package == wanted).map(|a| a.pid);
            match pid {
                Some(pid) => call.say(&format!("{pid}\n")),
                None => 1,
            }
        }
        "ps" => {
            let state = lock(&call.phone.state);
            let user = state.users.last().copied().unwrap_or(0);
            let mut text = "USER           PID NAME\n".to_owned();
            for app in state.app.iter().filter(|app| app.alive) {
                text += &format!("u{user}_a100 {} {}\n", app.pid, app.package);
            }
            for (pid, package) in &state.others {
                text += &format!("u0_a100 {pid} {package}\n");
            }
            drop(state);
            call.say(&text)
        }
        "screencap" => screencap(call),
        other => call.fail(&format!("/system/bin/sh: {other}: inaccessible or not found\n"), 127),
    }
}

fn getprop(call: &mut Call<'_>) -> i32 {
    let phone = call.phone;
    let booted = phone.booted();
    let known = [
        ("ro.build.version.sdk", phone.config.api.to_string()),
        ("ro.build.version.release", "14".to_owned()),
        ("ro.product.model", phone.config.model.clone()),
        ("ro.product.cpu.abi", "x86_64".to_owned()),
        ("ro.kernel.qemu", "1".to_owned()),
        (
            "sys.boot_completed",
            if booted { "1" } else { "" }.to_owned(),
        ),
        ("dev.bootcomplete", if booted { "1" } else { "" }.to_owned()),
        (
            "init.svc.bootanim",
            if booted { "stopped" } else { "running" }.to_owned(),
        ),
    ];
    let set = lock(&phone.state).props.clone();
    match call.words.get(1) {
        Some(name) => {
            let value = set.get(name).cloned().or_else(|| {
                known
                    .iter()
                    .find(|(n, _)| n == name)
                    .map(|(_, v)| v.clone())
            });
            call.say(&format!("{}\n", value.unwrap_or_default()))
        }
        None => {
            let text: String = known
                .iter()
                .map(|(n, v)| format!("[{n}]: [{v}]\n"))
                .collect();
            call.say(&text)
        }
    }
}

fn settings(call: &mut Call<'_>) -> i32 {
    let words: Vec<&str> = call.args();
    let phone = call.phone;
    let refused = |key: &&&str| {
        lock(&phone.state)
            .settings_refused
            .iter()
            .any(|k| k == **key)
    };
    if let Some(key) = words.get(2).filter(refused) {
        let verb = words[0];
        return call.fail(&format!("\nException occurred while executing '{verb}':\njava.lang.SecurityException: Permission denial: {verb} of {key} by uid 2000\n"), 255);
    }
    match words.as_slice() {
        ["get", space, key] => {
            let value = lock(&phone.state)
                .settings
                .get(&((*space).into(), (*key).into()))
                .cloned();
            call.say(&format!("{}\n", value.as_deref().unwrap_or("null")))
        }
        ["put", space, key, value] => {
            let mut state = lock(&phone.state);
            let at = ((*space).to_owned(), (*key).to_owned());
            state.settings.insert(at, (*value).into());
            // The window manager watches this one, while the sensor does not decide.
            let locked = ("system".to_owned(), "accelerometer_rotation".to_owned());
            let turns = (*space, *key) == ("system", "user_rotation")
                && state.settings.get(&locked).is_some_and(|v| v == "0");
            let to = value.parse().ok().filter(|to| turns && *to < 4);
            match to.map(|to| phone.act(&mut state, &Action::Rotate { to })) {
                Some(Err(why)) => {
                    drop(state);
                    call.fail(&format!("{why}\n"), 255)
                }
                _ => 0,
            }
        }
        ["delete", space, key] => {
            let gone = lock(&phone.state)
                .settings
                .remove(&((*space).into(), (*key).into()))
                .is_some();
            call.say(&format!("Deleted {} rows\n", u8::from(gone)))
        }
        _ => call.fail("Invalid command\n", 255),
    }
}

/// Wi-Fi and mobile data on or off.
fn svc(call: &mut Call<'_>) -> i32 {
    let key = match call.args().as_slice() {
        ["wifi", "enable" | "disable"] => "wifi_on",
        ["data", "enable" | "disable"] => "mobile_data",
        _ => return call.say("Available commands:\n    data\n    wifi\n"),
    };
    let on = call.words[2] == "enable";
    let at = ("global".to_owned(), key.to_owned());
    let value = u8::from(on).to_string();
    lock(&call.phone.state).settings.insert(at, value);
    0
}

/// How Android 5 says what its `wm` can do.
const OLD_WM: &str = "usage: wm [subcommand] [options]\n       wm size [reset|WxH]\n       wm density [reset|DENSITY]\n       wm overscan [reset|LEFT,TOP,RIGHT,BOTTOM]\n\nwm size: return or override display size.\n\nwm density: override display density.\n\nwm overscan: set overscan area for display.\n";

fn wm(call: &mut Call<'_>) -> i32 {
    let (.., screen) = lock(&call.phone.state).front();
    match call.words.get(1).map(String::as_str) {
        Some("size") => call.say(&format!(
            "Physical size: {}x{}\n",
            screen.0.min(screen.1),
            screen.0.max(screen.1)
        )),
        Some("density") => call.say("Physical density: 160\n"),
        Some("dismiss-keyguard") if call.phone.config.api >= 23 => {
            lock(&call.phone.state).keyguard = false;
            0
        }
        // Ends well, as all that it refuses.
        Some(other) if call.phone.config.api < 23 => {
            let said = format!("{OLD_WM}\nError: unknown command '{other}'\n");
            call.fail(&said, 0)
        }
        _ => call.fail("usage: wm ...\n", 255),
    }
}

fn screencap(call: &mut Call<'_>) -> i32 {
    let folder = match tempfile::tempdir() {
        Ok(folder) => folder,
        Err(_) => return 1,
    };
    let file = folder.path().join("screen.png");
    let taken = lock(&call.phone.state)
        .app
        .as_mut()
        .filter(|a| a.alive)
        .is_some_and(|a| matches!(a.device.screenshot(&file), Ok(true)));
    match std::fs::read(&file).ok().filter(|_| taken) {
        Some(png) => {
            let _ = call.outputs.out(&png);
            0
        }
        None => call.fail("Capturing failed.\n", 1),
    }
}
