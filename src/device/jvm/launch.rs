//! The command line of a device's Java process, and its access rules.

use super::browser;
use super::confine::Rules;
use super::folder;
use super::places::Places;
use super::process::{DATA, Start, strip_environment};
use super::sandbox;
use super::settings::{Network as Reach, Outside, Web};
use super::wiring::Wiring;
use crate::device::DeviceError;
use std::ffi::OsString;
use std::process::Command;

/// The command, without streams.
pub(super) fn command(start: &Start<'_>, wiring: &Wiring) -> Result<Command, DeviceError> {
    let settings = start.settings;
    let work = &settings.work;
    let open = settings.network == Reach::Open;
    let places = Places::new(settings, start.parts);
    let java = places.path(&start.parts.jdk.java());
    let mut command = sandbox::command(&java, &rules(start, &places), settings.confine.into())?;
    let mut arguments = super::flags::jvm(start.parts, settings, start.recording);
    arguments.extend(["-cp".into(), start.parts.device_path()?]);
    arguments.push("droidtest.host.Main".into());
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
        arguments.extend([name.into(), value.into()]);
    }
    for (name, value) in wiring.arguments()? {
        arguments.extend([name.into(), value.into()]);
    }
    if places.are_androids() {
        arguments.extend(["--paths", "phone"].map(OsString::from));
    }
    match settings.web {
        Web::HtmlUnit => arguments.extend(["--web".into(), start.parts.web.clone().into()]),
        Web::Chromium => arguments.extend(["--browser".into(), browser::folder(work).into()]),
        Web::Off => {}
    }
    let outside = match settings.outside {
        Outside::Seeded => "seeded",
        Outside::Empty => "empty",
    };
    arguments.extend(["--outside", outside].map(OsString::from));
    if matches!(settings.network, Reach::Replay(_)) {
        arguments.extend(["--replay".into(), work.join(folder::NETWORK).into()]);
    }
    if work.join(DATA).exists() {
        arguments.extend(["--data".into(), work.join(DATA).into()]);
    }
    command.args(arguments.iter().map(|argument| places.argument(argument)));
    command.current_dir(work);
    strip_environment(&mut command, &places.path(work));
    Ok(command)
}

fn rules(start: &Start<'_>, places: &Places) -> Rules {
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
    if start.settings.web == Web::Chromium {
        rules.pipes.push(browser::folder(&start.settings.work));
    }
    rules.heap_mb = Some(start.settings.memory_mb);
    rules.largest = Some(start.settings.disk());
    if start.settings.network == Reach::Open {
        rules.open_network();
    }
    places.apply(&mut rules);
    rules
}
