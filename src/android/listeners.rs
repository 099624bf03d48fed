//! What `dumpsys location`, `sensorservice` and `telephony.registry` report about an app's listeners.
//!
//! The forms are those of Android's sources: `LocationManagerService` up to Android 11, `LocationProviderManager` since;
//! `SensorService::dump`; `TelephonyRegistry.dump`.

use super::text;
use regex::Regex;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

/// The user id in `dumpsys package`; `appId` since Android 13.
static USER: LazyLock<Regex> = LazyLock::new(|| pattern(r"\b(?:userId|appId)=(\d+)"));
/// A request of a position up to Android 11: the provider, the package.
static RECORD: LazyLock<Regex> = LazyLock::new(|| pattern(r"UpdateRecord\[(\S+) ([\w.]+)[(/]"));
/// The section of a provider since Android 12.
static PROVIDER: LazyLock<Regex> = LazyLock::new(|| pattern(r"^(\S+) provider(?: \[mock\])?:$"));
/// A listener in it: the package, the request.
static LISTENER: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^\d+/([\w.]+)\S* .*?\bRequest\[(.*)$"));
/// A sensor in the list: `type: NAME(1)`, up to Android 5 `type=1`.
static TYPE: LazyLock<Regex> = LazyLock::new(|| pattern(r"\btype(?:=|: \S+\()(\d+)"));
/// A sensor's number.
static HANDLE: LazyLock<Regex> = LazyLock::new(|| pattern(r"\b0x([0-9a-f]{8})\b"));
/// Whose connection to the sensors it is.
static OWNER: LazyLock<Regex> = LazyLock::new(|| pattern(r"\| uid (\d+)\b"));
/// A telephony listener's package or user, and its events: bits up to Android 11, numbers in brackets since.
static CALLER: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"\{(?:callingPackage|pkgForDebug)=(\S+) (?:.*?\bcallerUid=(\d+))?"));
static EVENTS: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"\bevents=(?:\[([\d, ]*)\]|([0-9a-f]+)\b)"));

/// `PhoneStateListener.LISTEN_CALL_STATE`.
const CALL_BIT: u32 = 0x20;
/// `TelephonyCallback.EVENT_CALL_STATE_CHANGED` and `EVENT_LEGACY_CALL_STATE_CHANGED`.
const CALL_EVENTS: [&str; 2] = ["6", "36"];

fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("a valid pattern")
}

/// The app's user id in the system, from `dumpsys package`.
pub fn user(dump: &str) -> Option<u32> {
    USER.captures(dump)?[1].parse().ok()
}

/// Does an app request positions, other than passively?
pub fn positions(dump: &str, package: &str) -> bool {
    // The provider whose section this is, and how far its header is indented.
    let mut section: Option<(&str, usize)> = None;
    for (_, line) in text::lines(dump) {
        let words = line.trim();
        let indent = line.len() - line.trim_start().len();
        let mut records = RECORD.captures_iter(words);
        if records.any(|r| &r[1] != "passive" && &r[2] == package) {
            return true;
        }
        if let Some(header) = PROVIDER.captures(words) {
            let name = header.get(1).map_or("", |name| name.as_str());
            section = Some((name, indent));
        } else if !words.is_empty() && section.is_some_and(|(_, header)| indent <= header) {
            section = None;
        }
        let listens = section.is_some_and(|(provider, _)| provider != "passive")
            && LISTENER.captures(words).is_some_and(|l| {
                &l[1] == package && !l[2].starts_with("PASSIVE") && !words.ends_with("(inactive)")
            });
        if listens {
            return true;
        }
    }
    false
}

/// The types of sensors (`Sensor.TYPE_*`) that an app with this user id listens to.
pub fn sensors(dump: &str, user: u32) -> BTreeSet<i32> {
    let mut types = BTreeMap::new();
    let mut found = BTreeSet::new();
    let mut connections = false;
    let mut ours = false;
    for (_, line) in text::lines(dump) {
        let handle = HANDLE.captures(line).map(|h| h[1].to_owned());
        if line.contains("Previous Registrations") || line.contains("direct connections") {
            connections = false;
        } else if line.contains("active connections") {
            connections = true;
        } else if !connections {
            if let (Some(handle), Some(kind)) = (handle, TYPE.captures(line)) {
                types.insert(handle, kind[1].parse::<i32>().unwrap_or_default());
            }
        } else if line.contains("Connection Number") {
            ours = false;
        } else if let Some(owner) = OWNER.captures(line) {
            ours = owner[1].parse() == Ok(user);
        } else if ours {
            found.extend(handle.and_then(|handle| types.get(&handle)));
        }
    }
    found
}

/// Does an app listen to the state of calls?
pub fn calls(dump: &str, package: &str, user: u32) -> bool {
    text::lines(dump).any(|(_, line)| {
        let ours = CALLER.captures(line).is_some_and(|caller| {
            let of_user = caller.get(2).and_then(|id| id.as_str().parse().ok());
            &caller[1] == package || of_user == Some(user)
        });
        ours && EVENTS.captures(line).is_some_and(|events| {
            let numbers = events.get(1).map_or("", |all| all.as_str());
            let bits = events.get(2).map_or("", |bits| bits.as_str());
            numbers.split(", ").any(|n| CALL_EVENTS.contains(&n))
                || u32::from_str_radix(bits, 16).is_ok_and(|bits| bits & CALL_BIT != 0)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_user_is_read_in_both_forms() {
        let old =
            "Packages:\n  Package [com.x] (1f2e):\n    userId=10123\n    pkg=Package{1f com.x}\n";
        assert_eq!(user(old), Some(10_123));
        assert_eq!(user(&old.replace("userId", "appId")), Some(10_123));
        assert_eq!(user("Unable to find package: com.x\n"), None);
    }

    #[test]
    fn requests_of_positions_are_found_in_the_forms_of_android_10_and_11() {
        let dump = |record: &str| {
            format!(
                "Current Location Manager state:\n  Location Listeners:\n    Reciever[385399 listener {record} monitoring location: true]\n  Active Records by Provider:\n    gps:\n      {record}\n  Historical Records by Provider:\n    com.x: gps: Min interval is 1\n"
            )
        };
        let ten = "UpdateRecord[gps com.x(10123 foreground) Request[ACCURACY_FINE gps requested=+1s0ms fastest=+1s0ms] null]";
        assert!(positions(&dump(ten), "com.x"));
        assert!(positions(&dump(&ten.replace("com.x(", "com.x/")), "com.x"));
        assert!(!positions(&dump(ten), "com"));
        assert!(!positions(&dump(&ten.replace("[gps", "[passive")), "com.x"));
        assert!(!positions(&dump(""), "com.x"));
    }

    #[test]
    fn requests_of_positions_are_found_in_the_sections_since_android_12() {
        let dump = |listener: &str| {
            format!(
                "Location Manager State:\n  Location Providers:\n    passive provider:\n      service: ProviderRequest[OFF]\n      listeners:\n        10123/com.x/1A2B3C4D Request[PASSIVE, minUpdateInterval=+9s]\n    gps provider:\n      service: ProviderRequest[@+1s0ms, HIGH_ACCURACY, WorkSource{{10123 com.x}}]\n      listeners:\n        {listener}\n      last location=null\n  Event Log:\n    11-24 13:00:00.000: gps provider +registration 10123/com.x/1A -> Request[@+1s0ms HIGH_ACCURACY]\n"
            )
        };
        let listener = "10123/com.x[tag]/1A2B3C4D Request[@+1s0ms HIGH_ACCURACY]";
        assert!(positions(&dump(listener), "com.x"));
        let since = "10123/com.x (foreground) Request[@+1s0ms HIGH_ACCURACY]";
        assert!(positions(&dump(since), "com.x"));
        assert!(!positions(&dump(listener), "com"));
        assert!(!positions(
            &dump(&format!("{listener} (inactive)")),
            "com.x"
        ));
        assert!(!positions(&dump(""), "com.x"));
    }

    #[test]
    fn sensors_are_those_of_the_apps_connections() {
        let dump = |list: &str| {
            format!(
                "Sensor List:\n{list}Recent Sensor events:\nActive sensors:\nGoldfish 3-axis Accelerometer (handle=0x00000001, connections=2)\n2 active connections\nConnection Number: 0 \n\tOperating Mode: NORMAL\n\tcom.android.server.policy.Rotation | WakeLockRefCount 0 | uid 1000 | cache size 0 | max cache size 0\n\t Goldfish 3-axis Accelerometer 0x00000001 | status: active | pending flush events 0 \nConnection Number: 1 \n\tOperating Mode: NORMAL\n\tcom.x.LightListener | WakeLockRefCount 0 | uid 10123 | cache size 0 | max cache size 0\n\t Goldfish Light sensor 0x00000005 | status: active | pending flush events 0 \n0 direct connections\nPrevious Registrations:\n13:05:33 + 0x00000001 pid= 2034 uid=10123 package=com.x samplingPeriod=66667us batchingPeriod=0us\n"
            )
        };
        let new = "0x00000001) Goldfish 3-axis Accelerometer | The Android Open Source Project | ver: 1 | type: android.sensor.accelerometer(1) | perm: n/a | flags: 0x00000000\n\tcontinuous | minRate=0.50Hz\n0x00000005) Goldfish Light sensor | The Android Open Source Project | ver: 1 | type: android.sensor.light(5) | perm: n/a\n";
        assert_eq!(sensors(&dump(new), 10_123), BTreeSet::from([5]));
        assert_eq!(sensors(&dump(new), 1000), BTreeSet::from([1]));
        assert_eq!(sensors(&dump(new), 10_124), BTreeSet::new());
        let old = "Goldfish 3-axis Accelerometer| AOSP      | version=1 |android.sensor.accelerometer| 0x00000001 | \"\" | type=1 | continuous |\nGoldfish Light sensor| AOSP      | version=1 |android.sensor.light| 0x00000005 | \"\" | type=5 | on-change |\n";
        assert_eq!(sensors(&dump(old), 10_123), BTreeSet::from([5]));
    }

    #[test]
    fn listeners_of_calls_are_found_by_package_or_user() {
        let ten = "registrations: count=2\n  {callingPackage=com.android.systemui binder=android.os.BinderProxy@22c266e callback=x callerUserId=0 subId=-1 phoneId=-1 events=1e1 canReadPhoneState=true}\n  {callingPackage=com.x binder=android.os.BinderProxy@22c2 callback=x callerUserId=0 subId=-1 phoneId=-1 events=20 canReadPhoneState=true}\n";
        assert!(calls(ten, "com.x", 10_123));
        assert!(!calls(ten, "com.y", 10_124));
        assert!(!calls(
            &ten.replace("events=20", "events=10"),
            "com.x",
            10_123
        ));
        let twelve = "  {callingPackage=com.x callerUid=10123 binder=y callback=x subId=1 phoneId=0 events=[1, 36]}\n";
        assert!(calls(twelve, "com.x", 10_123));
        // Builds for users print a hash instead of the package.
        let hashed = twelve.replace("=com.x", "=[uZ3bA]");
        assert!(calls(&hashed, "com.x", 10_123));
        assert!(!calls(&hashed.replace("36", "3"), "com.x", 10_123));
        assert!(!calls(&hashed, "com.x", 1_012));
    }
}
