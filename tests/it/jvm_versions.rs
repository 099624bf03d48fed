//! Android 15 and 16 on the jvm device: the witnesses of both sample apps lead to the crashes that they lead to on 14.

use crate::common::phone::Phone;
use crate::common::planted;
use crate::common::root;
use droidtest::device::jvm::parts::{DEFAULT_SDK, SDKS};
use droidtest::device::jvm::{JvmSettings, Network};

/// The witnesses of the Compose app need its suite's network.
fn online(settings: &mut JvmSettings) {
    settings.network = Network::Replay(root().join("example-configs/compose"));
}

#[test]
fn witnesses_lead_to_their_crashes_on_every_version() {
    for sdk in SDKS.filter(|&sdk| sdk != DEFAULT_SDK) {
        let apps = [
            ("notes", planted::planted()),
            ("pantry", planted::of("pantry")),
        ];
        for (app, all) in apps {
            println!("{app} on API level {sdk}");
            let phone = Phone::with(app, |settings| {
                settings.sdk = sdk;
                if app == "pantry" {
                    online(settings);
                }
            });
            let Some(mut phone) = phone else {
                return;
            };
            // The Compose app has to request its permissions.
            phone.install(app, app == "notes");
            let (mut runner, _folder) = phone.into_runner();
            planted::lead_to_their_crashes(&mut runner, &all);
        }
    }
}
