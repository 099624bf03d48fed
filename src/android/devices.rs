//! What `adb devices -l` prints, and the server's `host:devices-l`.

use super::error::FormatError;
use super::text;
use regex::Regex;
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// One device as the server sees it.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct AdbDevice {
    /// Serial.
    pub serial: String,
    /// `device`, `offline`, `unauthorized`, `no permissions`, ...
    pub state: String,
    /// What follows the state in brackets, such as why there are no permissions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// `product`, `model`, `device`, `transport_id`, `usb`, ...
    pub properties: BTreeMap<String, String>,
}

impl AdbDevice {
    /// The fix for a device that is connected but cannot be used.
    pub fn fix(&self) -> Option<&'static str> {
        match self.state.as_str() {
            "unauthorized" => Some("unlock the device and accept this computer's key"),
            "no permissions" => Some("install udev rules for the device, then plug it in again"),
            "offline" => Some("wait until it has started, or plug it in again"),
            "recovery" | "sideload" | "bootloader" | "rescue" => Some("boot it into Android"),
            _ => None,
        }
    }
}

static LINE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"^(\S.*?)\s+(device|offline|unauthorized|authorizing|connecting|bootloader|recovery|sideload|rescue|host|detached|unknown|no permissions|no device)(?:;? ?(?:\(([^)]*)\)|(see \[.*?\])))?(?:;? ?see \[.*?\])?((?:\s+[\w-]+:\S+)*)\s*$",
    )
    .expect("a valid pattern")
});

/// Reads the list; lines of the server's start are passed over.
///
/// # Errors
/// `no-device-list` when a line is neither a device nor a known message, or when nothing is there at all.
pub fn parse(list: &str) -> Result<Vec<AdbDevice>, FormatError> {
    let mut found = Vec::new();
    let mut headed = false;
    for (number, line) in text::lines(list) {
        let line = line.trim_end();
        if line.starts_with("List of devices") {
            headed = true;
        } else if line.is_empty()
            || line.starts_with('*')
            || line.starts_with("adb server")
            || line.starts_with("adb.exe")
        {
        } else if let Some(f) = LINE.captures(line).filter(|_| !line.starts_with("error:")) {
            let properties = f.get(5).map_or("", |m| m.as_str()).split_whitespace();
            found.push(AdbDevice {
                serial: f[1].trim().to_owned(),
                state: f[2].to_owned(),
                detail: f.get(3).or(f.get(4)).map(|m| m.as_str().to_owned()),
                properties: properties
                    .filter_map(|p| p.split_once(':'))
                    .map(|(k, v)| (k.to_owned(), v.to_owned()))
                    .collect(),
            });
        } else {
            return Err(FormatError::new(
                "no-device-list",
                number,
                format!(
                    "neither a device nor a message from adb: {:?}",
                    crate::util::text::shorten(line, 80)
                ),
            ));
        }
    }
    if headed || !found.is_empty() {
        Ok(found)
    } else {
        Err(FormatError::new(
            "no-device-list",
            1,
            "no line names a device, and the heading is missing too",
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_state_is_read() {
        let list = "* daemon not running; starting now at tcp:5037\n* daemon started successfully\nList of devices attached\n\
            emulator-5554          device product:sdk_gphone64 model:sdk device:emu64x transport_id:3\n\
            127.0.0.1:5555\toffline\n\
            0123456789ABCDEF       unauthorized usb:1-4 transport_id:9\n\
            ????????????           no permissions (user in plugdev group; are your udev rules wrong?); see [http://developer.android.com/tools/device.html] usb:3-1 transport_id:4\n\
            adb-1A2B-x (2)._adb-tls-connect._tcp device\n\n";
        let found = parse(list).unwrap();
        let states: Vec<_> = found
            .iter()
            .map(|d| (d.serial.as_str(), d.state.as_str()))
            .collect();
        assert_eq!(
            states,
            [
                ("emulator-5554", "device"),
                ("127.0.0.1:5555", "offline"),
                ("0123456789ABCDEF", "unauthorized"),
                ("????????????", "no permissions"),
                ("adb-1A2B-x (2)._adb-tls-connect._tcp", "device"),
            ]
        );
        assert_eq!(found[0].properties["transport_id"], "3");
        let refused = parse("error: device offline\n").unwrap_err();
        assert_eq!(refused.code, "no-device-list");
        assert_eq!(found[3].properties["usb"], "3-1");
        assert!(
            found[3]
                .detail
                .as_ref()
                .unwrap()
                .starts_with("user in plugdev")
        );
    }

    #[test]
    fn an_empty_list_is_a_list_and_an_empty_file_is_none() {
        assert_eq!(parse("List of devices attached\n\n").unwrap(), []);
        assert_eq!(parse("").unwrap_err().code, "no-device-list");
        assert_eq!(
            parse("List of devices attached\nhello world\n")
                .unwrap_err()
                .line,
            2
        );
    }
}
