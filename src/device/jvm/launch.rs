//! The command line of a device's Java process, and its access rules.

use super::browser;
use super::confine::Rules;
use super::folder;
use super::process::{DATA, Start, strip_environment};
use super::sandbox;
use super::settings::{Network as Reach, Outside, Web};
use super::wiring::Wiring;
use crate::device::DeviceError;
use std::process::Command;

/// The command, without streams.
pub(super) fn command(start: &Start<'_>, wiring: &Wiring) -> Result<Command, DeviceError> {
    let settings = start.settings;
    let work = &settings.work;
    let open = settings.network == Reach::Open;
    let java = start.parts.jdk.java();
    let mut command = sandbox::command(&java, &rules(start), settings.confine.into())?;
    command
        .args(super::flags::jvm(start.parts, settings, start.recording))
        .arg("-cp")
        .arg(start.parts.device_path()?)
        .arg("droidtest.host.Main");
    for (name, value) in [
        ("--app", start.app.display().to_string()),
        ("--device", work.join(folder::FILES).display().to_string()),
        ("--sdk", settings.sdk.to_string()),
        ("--qualifiers", settings.qualifiers()),
        // Java has no unsigned numbers.
        ("--seed", settings.seed.cast_signed().to_string()),
        ("--start", settings.start_ms.to_string()),
        ("--network", if open { "open" } else { "closed" }.to_owned()),
        (
            "--permissions",
            if start.grant_permissions {
                "granted"
            } else {
                "asked"
            }
            .to_owned(),
        ),
    ] {
        command.arg(name).arg(value);
    }
    for (name, value) in wiring.arguments()? {
        command.arg(name).arg(value);
    }
    match settings.web {
        Web::HtmlUnit => {
            command.arg("--web").arg(&start.parts.web);
        }
        Web::Chromium => {
            command.arg("--browser").arg(browser::folder(work));
        }
        Web::Off => {}
    }
    let outside = match settings.outside {
        Outside::Seeded => "seeded",
        Outside::Empty => "empty",
    };
    command.arg("--outside").arg(outside);
    if matches!(settings.network, Reach::Replay(_)) {
        command.arg("--replay").arg(work.join(folder::NETWORK));
    }
    if work.join(DATA).exists() {
        command.arg("--data").arg(work.join(DATA));
    }
    command.current_dir(work);
    strip_environment(&mut command, work);
    Ok(command)
}

fn rules(start: &Start<'_>) -> Rules {
    let parts = start.parts;
    let mut rules = Rules::for_program(&parts.jdk.java(), &parts.jdk.home);
    rules.read.extend([
        parts.agent.clone(),
        parts.scheduler.clone(),
        parts.libraries.clone(),
        parts.web.clone(),
        parts.framework.clone(),
        start.app.to_owned(),
    ]);
    rules.read.extend(parts.jars.clone());
    rules.read.extend(parts.recording.clone());
    rules.write.push(start.settings.work.clone());
    rules.heap_mb = Some(start.settings.memory_mb);
    rules.largest = Some(start.settings.disk());
    if start.settings.network == Reach::Open {
        rules.open_network();
    }
    rules
}
