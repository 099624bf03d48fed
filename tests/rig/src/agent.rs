//! `app_process` with the tool's agent: the same socket and protocol, answered from the device behind the rig.
//!
//! The agent's Java does not run here; that its jar was pushed, is complete and holds a dex is checked.

use crate::commands::Call;
use crate::phone::{Phone, State};
use crate::pipe::{Pipe, lock};
use droidtest::device::Action;
use droidtest::device::wire::{read_frame, write_frame};
use droidtest::gui::Direction;
use serde_json::{Value, json};
use std::io::Cursor;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// Runs until the host goes away, the device ends, or someone kills it.
pub fn app_process(call: &mut Call<'_>) -> i32 {
    let jar = call
        .variables
        .iter()
        .find(|(n, _)| n == "CLASSPATH")
        .map(|(_, v)| v.clone())
        .unwrap_or_default();
    let data = lock(&call.phone.files).get(&jar).map(|f| f.data.clone());
    let Some(data) = data else {
        return call.fail(&format!("Error: could not find class path {jar}\n"), 1);
    };
    let has_dex = zip::ZipArchive::new(Cursor::new(data))
        .is_ok_and(|z| z.file_names().any(|n| n == "classes.dex"));
    if !has_dex {
        return call.fail(
            "java.lang.ClassNotFoundException: Didn't find class on path: DexPathList\n",
            1,
        );
    }
    let (Some(socket), Some(token)) = (
        call.option("--socket").map(str::to_owned),
        call.option("--token").map(str::to_owned),
    ) else {
        return call.fail("usage: --socket NAME --token TOKEN\n", 2);
    };
    if !call.phone.allows_agents() {
        return call.fail("Aborted\n", 134);
    }
    let cut = call
        .phone
        .agents_cut
        .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |n| n.checked_sub(1));
    if cut.is_ok() {
        return 0;
    }
    call.phone.agents.fetch_add(1, Ordering::Relaxed);
    call.phone
        .listen(&socket, move |phone, pipe| serve(phone, pipe, &token));
    call.say("listening\n");
    while !call.outputs.is_closed() && !call.phone.is_off() && call.phone.has_socket(&socket) {
        std::thread::sleep(Duration::from_millis(20));
    }
    call.phone.stop_listening(&socket);
    let _ = call
        .phone
        .agents
        .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |n| n.checked_sub(1));
    0
}

fn serve(phone: &Arc<Phone>, pipe: &mut Pipe, token: &str) {
    let hello = json!({ "notice": "hello", "protocol": 1, "token": token, "sdk": phone.config.api, "pid": 999 });
    let mut sent: Option<Value> = None;
    let mut body = Vec::new();
    let deaths = phone.agent_deaths.load(Ordering::Relaxed);
    if write_frame(pipe, hello.to_string().as_bytes()).is_err() {
        return;
    }
    while read_frame(pipe, &mut body).is_ok() {
        if phone.agent_deaths.load(Ordering::Relaxed) != deaths {
            return;
        }
        if phone.is_silent() {
            // The host ends its wait by closing the connection.
            continue;
        }
        let started = Instant::now();
        let request: Value = serde_json::from_slice(&body).unwrap_or_default();
        let id = request["id"].clone();
        let answer = match request["cmd"].as_str() {
            Some("step") => match action(&request["action"]) {
                Some(action) => {
                    let mut state = lock(&phone.state);
                    match phone.act(&mut state, &action) {
                        Ok(()) => json!({ "id": id, "obs": observation(&mut state, &mut sent) }),
                        Err(why) => {
                            json!({ "id": id, "error": { "code": "internal", "message": why } })
                        }
                    }
                }
                None => {
                    json!({ "id": id, "error": { "code": "bad-request", "message": "no such action" } })
                }
            },
            Some("observe") => {
                if request["full"] == json!(true) {
                    sent = None;
                }
                json!({ "id": id, "obs": observation(&mut lock(&phone.state), &mut sent) })
            }
            _ => {
                json!({ "id": id, "error": { "code": "bad-request", "message": "no such request" } })
            }
        };
        let answer = answer.to_string();
        let spent = u64::try_from(started.elapsed().as_nanos()).unwrap_or(0);
        phone.agent_nanos.fetch_add(spent, Ordering::Relaxed);
        if write_frame(pipe, answer.as_bytes()).is_err() {
            return;
        }
    }
}

/// What an agent on a device can see: windows, activities, toasts. Deaths are the log's to tell.
fn observation(state: &mut State, sent: &mut Option<Value>) -> Value {
    let (package, activity, nodes, rotation, screen) = state.front();
    let mut visited: Vec<String> = Vec::new();
    let mut toasts: Vec<String> = Vec::new();
    let mut settled = true;
    let mut alive = false;
    if let Some(app) = &mut state.app {
        alive = app.alive;
        for seen in app.seen.drain(..) {
            visited.extend(seen.visited);
            toasts.extend(seen.toasts);
            settled = seen.settled;
        }
    }
    let page = json!(nodes);
    let unchanged = sent.as_ref() == Some(&page);
    let mut obs = json!({
        "alive": alive, "front": package, "activity": activity, "rotation": rotation, "screen": screen,
        "unchanged": unchanged, "visited": visited, "toasts": toasts, "settled": settled,
    });
    if !unchanged {
        obs["page"] = page.clone();
        *sent = Some(page);
    }
    obs
}

fn action(from: &Value) -> Option<Action> {
    let int = |name: &str| from[name].as_i64().and_then(|n| i32::try_from(n).ok());
    let index = || from["n"].as_u64().and_then(|n| u32::try_from(n).ok());
    let number = |name: &str| from[name].as_u64().and_then(|n| u32::try_from(n).ok());
    let dir = || serde_json::from_value::<Direction>(from["dir"].clone()).ok();
    Some(match from["k"].as_str()? {
        "click" => Action::Click { n: index()? },
        "long" => Action::Long { n: index()? },
        "text" => Action::Text {
            n: index()?,
            s: from["s"].as_str()?.to_owned(),
            ime: from["ime"].as_bool()?,
        },
        "scroll" => Action::Scroll {
            n: index()?,
            dir: dir()?,
        },
        "swipe" => Action::Swipe {
            n: index()?,
            dir: dir()?,
        },
        "pinch" => Action::Pinch {
            n: index()?,
            dir: if from["dir"] == "in" { "in" } else { "out" },
        },
        "tap" => Action::Tap {
            x: int("x")?,
            y: int("y")?,
        },
        "drag" => Action::Drag {
            x: int("x")?,
            y: int("y")?,
            x2: int("x2")?,
            y2: int("y2")?,
            ms: number("ms")?,
        },
        "key" => Action::Key {
            code: number("code")?,
        },
        "trackball" => Action::Trackball {
            moves: serde_json::from_value(from["moves"].clone()).ok()?,
            click: from["click"].as_bool()?,
        },
        "rotate" => Action::Rotate {
            to: u8::try_from(number("to")?).ok()?,
        },
        "home" => Action::Home,
        "wait" => Action::Wait {
            ms: from["ms"].as_u64()?,
        },
        _ => return None,
    })
}
