//! An app that wants to get out of its device (`tests/apps/hostile`): each attempt at each confinement.
#![cfg(target_os = "linux")]

mod phone;
#[path = "common/prey.rs"]
mod prey;

use droidtest::device::jvm::Confine;
use droidtest::device::{Action, DeviceError, Reset};
use phone::Phone;
use prey::Host;
use std::collections::BTreeMap;
use std::sync::OnceLock;
use std::time::Duration;

/// What came of each attempt, by its name.
type Outcomes = BTreeMap<&'static str, String>;

/// The outcomes at one confinement, all made by one device; none where the parts are missing.
fn outcomes(confine: Confine) -> Option<&'static Outcomes> {
    static MADE: [OnceLock<Option<Outcomes>>; 3] =
        [OnceLock::new(), OnceLock::new(), OnceLock::new()];
    MADE[confine as usize]
        .get_or_init(|| {
            let mut app = App::new(confine)?;
            Some(
                ALL.iter()
                    .map(|&(name, ..)| (name, app.attempt(name)))
                    .collect(),
            )
        })
        .as_ref()
}

struct App {
    phone: Phone,
    host: Host,
}

impl App {
    fn new(confine: Confine) -> Option<Self> {
        let mut phone = Phone::with("hostile", |s| {
            s.confine = confine;
            s.anr = Duration::from_secs(20);
        })?;
        phone.reset(Reset::ClearData);
        Some(Self {
            phone,
            host: Host::new(),
        })
    }

    /// What the app shows after the attempt, or how it ended.
    fn attempt(&mut self, name: &str) -> String {
        let aims = self
            .host
            .aims()
            .map(|(name, value)| format!("{name}={value}"));
        let mut made = || -> Result<String, DeviceError> {
            if self.phone.says("result").is_none() {
                self.phone.device_reset(Reset::ClearData)?;
            }
            for (field, text) in [("aims", aims.join(";")), ("attempt", name.to_owned())] {
                let n = self.phone.by_id(field);
                self.phone.attempt(&Action::Text {
                    n,
                    s: text,
                    ime: false,
                })?;
            }
            let n = self.phone.by_id("run");
            self.phone.attempt(&Action::Click { n })?;
            Ok(self
                .phone
                .says("result")
                .unwrap_or_else(|| "ended".to_owned()))
        };
        match made() {
            Ok(result) => result,
            Err(error) => {
                let _ = self.phone.device_reset(Reset::ClearData);
                format!("ended: {error}")
            }
        }
    }
}

const ALL: &[(&str, bool)] = &[
    ("file", true),
    ("file_channel", true),
    ("file_random", true),
    ("file_exists", true),
    ("file_listed", true),
    ("file_overwritten", true),
    ("file_created_beside", true),
    ("file_deleted", true),
    ("link", true),
    ("link_chain", true),
    ("hard_link", true),
    ("dots", true),
    ("proc_root", true),
    ("proc_cwd", true),
    ("proc_parent_root", true),
    ("proc_environment", true),
    ("proc_command_line", true),
    ("proc_memory", true),
    ("proc_descriptors", true),
    ("read_only_created", true),
    ("read_only_overwritten", true),
    ("read_only_appended", true),
    ("read_only_moved", true),
    ("read_only_mode", true),
    ("read_only_link", true),
    ("tcp", true),
    ("tcp_channel", true),
    ("tcp_six", true),
    ("udp", true),
    ("udp_channel", true),
    ("unix_socket", true),
    ("interfaces", true),
    ("port_taken", true),
    ("exec", true),
    ("exec_shell", true),
    ("exec_loader", true),
    ("exec_own", true),
    ("process_seen", true),
    ("processes_seen", true),
    ("process_killed", true),
    ("large_file", true),
    ("device_files", true),
    ("system_files", true),
    ("mounts_of_the_host", true),
    ("host_name", true),
    ("reflected_file", true),
    ("reflected_stream", true),
    ("reflected_link", true),
    ("reflected_root", true),
    ("reflected_exec", true),
    ("reflected_session", true),
    ("reflected_builder", true),
    ("reflected_loader", true),
    ("reflected_channel", true),
    ("reflected_unix", true),
    ("reflected_datagram", true),
    ("reflected_environment", true),
    ("handle_file", true),
    ("handle_stream", true),
    ("handle_exec", true),
    ("environment", true),
    ("file_reader", true),
    ("path_root", true),
    ("path_resolved", true),
    ("path_of_uri", true),
    ("url_file", true),
    ("native_library", true),
    ("agent_by_name", true),
    ("agent_by_loader", true),
    ("agent_by_parent", true),
    ("agent_by_framework", true),
    ("agent_by_framework_name", true),
    ("agent_by_thread", true),
    ("agent_by_threads", true),
    ("agent_by_system", true),
    ("agent_by_reflection", true),
    ("agent_by_system_reflected", true),
    ("agent_by_handle", true),
    ("agent_by_object", true),
    ("agent_by_robolectric", true),
    ("agent_by_stream", true),
    ("agent_listener", true),
    ("agent_clock", true),
    ("agent_coverage_file", true),
    ("class_defined", true),
    ("class_by_url", true),
    ("class_by_lookup", true),
    ("java_internals", true),
    ("memory_direct", true),
    ("memory_unsafe", true),
    ("threads", true),
    ("disk", true),
    ("exit", true),
    ("halt", true),
    ("exit_reflected", true),
    ("wire_standard_input", true),
    ("wire_descriptor", true),
    ("wire_opened", true),
];

#[test]
fn explore() {
    for confine in [Confine::Full, Confine::Reduced, Confine::Off] {
        let Some(all) = outcomes(confine) else { return };
        for (name, result) in all {
            println!("{confine:?} {name}: {result}");
        }
    }
}
