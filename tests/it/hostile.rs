//! An app that wants to get out of its device (`tests/apps/hostile`): each attempt at each confinement.

use crate::common::phone::Phone;
use crate::common::prey::Host;
use Outcome::{Escaped, Held};
use droidtest::device::jvm::Confine;
use droidtest::device::{Action, Device as _, DeviceError, Reset};
use std::collections::BTreeMap;
use std::fs;
use std::sync::OnceLock;
use std::thread;
use std::time::Duration;

/// The result of an attempt.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Outcome {
    /// It did not succeed, or ended the app's process.
    Held,
    /// It succeeded.
    Escaped,
}

/// The outcomes by the attempts' names, each with the words for it.
type Outcomes = BTreeMap<&'static str, (Outcome, String)>;

/// The outcomes at one confinement, all on one device; none if the parts are missing. The devices of all confinements
/// run side by side: each test needs all three, and every other test here waits meanwhile.
fn outcomes(confine: Confine) -> Option<&'static Outcomes> {
    static MADE: OnceLock<[Option<Outcomes>; 3]> = OnceLock::new();
    let make = |confine| {
        let mut app = App::new(confine)?;
        let outcomes = ALL.iter().map(|&name| (name, app.attempt(name)));
        Some(outcomes.collect())
    };
    let made = MADE.get_or_init(|| {
        thread::scope(|scope| {
            [Confine::Full, Confine::Reduced, Confine::Off]
                .map(|confine| scope.spawn(move || make(confine)))
                .map(|thread| thread.join().unwrap())
        })
    });
    made[confine as usize].as_ref()
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
            s.disk_mb = 256;
        })?;
        phone.reset(Reset::ClearData);
        let host = Host::new();
        Some(Self { phone, host })
    }

    fn attempt(&mut self, name: &str) -> (Outcome, String) {
        self.host.restore();
        match self.made(name) {
            Ok(None) => (Held, "the app ended itself".to_owned()),
            Ok(Some(words)) if words == "escaped" => (Escaped, words),
            Ok(Some(words)) => (Held, words),
            Err(error) => (Held, error.to_string()),
        }
    }

    /// What the app shows after the attempt; none if it has gone.
    fn made(&mut self, name: &str) -> Result<Option<String>, DeviceError> {
        if !self.phone.now.alive || self.phone.says("result").is_none() {
            self.phone.device_reset(Reset::ClearData)?;
        }
        let picture = self.phone.work.join("screen.png").display().to_string();
        let aims: String = (self.host.aims().iter())
            .chain([&("PICTURE", picture)])
            .map(|(name, value)| format!("{name}={value};"))
            .collect();
        for (field, s) in [("aims", aims), ("attempt", name.to_owned())] {
            let n = self.phone.by_id(field);
            let ime = false;
            self.phone.attempt(&Action::Text { n, s, ime })?;
        }
        let n = self.phone.by_id("run");
        self.phone.attempt(&Action::Click { n })?;
        Ok(self.phone.says("result"))
    }
}

/// At `full` nothing succeeds; what does at `reduced` and `off` is known, so that the tests can fail.
fn judge(name: &str, full: Outcome, reduced: Outcome, off: Outcome) {
    for (confine, expected) in [
        (Confine::Full, full),
        (Confine::Reduced, reduced),
        (Confine::Off, off),
    ] {
        let Some(all) = outcomes(confine) else { return };
        let (outcome, words) = &all[name];
        assert_eq!(*outcome, expected, "{name} at {confine:?}: {words}");
    }
}

macro_rules! attempts {
    ($($name:ident: $full:ident $reduced:ident $off:ident)*) => {
        const ALL: &[&str] = &[$(stringify!($name)),*];
        $(
            #[test]
            fn $name() {
                judge(stringify!($name), $full, $reduced, $off);
            }
        )*
    };
}

attempts! {
    file: Held Held Escaped
    file_channel: Held Held Escaped
    file_random: Held Held Escaped
    file_reader: Held Held Escaped
    file_exists: Held Held Escaped
    file_listed: Held Held Escaped
    file_overwritten: Held Held Escaped
    file_created_beside: Held Held Escaped
    file_deleted: Held Held Escaped
    link: Held Held Escaped
    link_chain: Held Held Escaped
    hard_link: Held Held Escaped
    dots: Held Held Escaped
    path_root: Held Held Escaped
    path_resolved: Held Held Escaped
    path_of_uri: Held Held Escaped
    url_file: Held Held Escaped
    proc_root: Held Held Escaped
    proc_cwd: Held Held Escaped
    proc_parent_root: Held Held Escaped
    proc_environment: Held Held Escaped
    proc_command_line: Held Held Escaped
    proc_memory: Held Held Escaped
    proc_descriptors: Held Held Escaped
    read_only_created: Held Held Escaped
    read_only_overwritten: Held Held Escaped
    read_only_appended: Held Held Escaped
    read_only_moved: Held Held Escaped
    read_only_mode: Held Held Escaped
    read_only_link: Held Held Escaped
    tcp: Held Held Held
    tcp_channel: Held Held Escaped
    tcp_six: Held Held Escaped
    udp: Held Held Held
    udp_channel: Held Held Escaped
    unix_socket: Held Held Held
    interfaces: Held Held Escaped
    port_taken: Held Held Held
    exec: Held Held Escaped
    exec_shell: Held Held Escaped
    exec_loader: Held Held Escaped
    exec_own: Held Held Escaped
    process_seen: Held Held Held
    processes_seen: Held Held Held
    process_killed: Held Held Held
    large_file: Held Held Escaped
    device_files: Held Held Escaped
    system_files: Held Held Escaped
    mounts_of_the_host: Held Held Escaped
    host_name: Held Held Escaped
    environment: Held Held Held
    native_library: Held Held Escaped
    reflected_file: Held Held Escaped
    reflected_stream: Held Held Escaped
    reflected_link: Held Held Escaped
    reflected_root: Held Held Escaped
    reflected_exec: Held Held Escaped
    reflected_session: Held Held Escaped
    reflected_builder: Held Held Escaped
    reflected_loader: Held Held Escaped
    reflected_channel: Held Held Escaped
    reflected_unix: Held Held Held
    reflected_datagram: Held Held Escaped
    reflected_environment: Held Held Held
    handle_file: Held Held Escaped
    handle_stream: Held Held Escaped
    handle_exec: Held Held Escaped
    agent_by_name: Held Held Held
    agent_by_loader: Held Held Held
    agent_by_parent: Held Held Held
    agent_by_framework: Held Held Escaped
    agent_by_framework_name: Held Held Escaped
    agent_by_thread: Held Held Held
    agent_by_threads: Held Held Escaped
    agent_by_system: Held Held Escaped
    agent_by_reflection: Held Held Escaped
    agent_by_system_reflected: Held Held Escaped
    agent_by_handle: Held Held Escaped
    agent_by_object: Held Held Escaped
    agent_by_robolectric: Held Held Held
    agent_by_stream: Held Held Held
    agent_listener: Held Held Escaped
    agent_clock: Held Held Escaped
    agent_coverage_file: Held Held Held
    class_defined: Held Held Escaped
    class_by_url: Held Held Escaped
    class_by_handle: Held Held Escaped
    class_by_found_handle: Held Held Escaped
    class_by_lookup: Held Held Escaped
    java_internals: Held Held Held
    agent_by_expression: Held Held Held
    agent_by_stylesheet: Held Held Held
    agent_by_stylesheet_feature: Held Held Held
    agent_by_walker: Held Held Escaped
    agent_by_context: Held Held Escaped
    agent_by_runner: Held Held Held
    class_by_robolectric: Held Held Held
    class_by_robolectric_linked: Held Held Held
    native_by_internal: Held Held Escaped
    native_reflected: Held Held Escaped
    native_by_system: Held Held Escaped
    native_by_handle: Held Held Escaped
    java_beans: Held Held Held
    java_secrets: Held Held Escaped
    java_desktop: Held Held Held
    java_desktop_linked: Held Held Held
    java_management: Held Held Escaped
    java_module: Held Held Escaped
    java_module_linked: Held Held Held
    java_private: Held Held Escaped
    java_private_listed: Held Held Escaped
    java_private_by_handle: Held Held Escaped
    java_private_constructor: Held Held Escaped
    java_private_field: Held Held Escaped
    java_by_type: Held Held Escaped
    java_by_handle: Held Held Escaped
    java_by_instance: Held Held Escaped
    java_by_proxy: Held Held Held
    java_by_stream: Held Held Held
    java_by_array: Held Held Held
    watchers: Held Held Escaped
    host_path_of_files: Held Escaped Escaped
    host_path_of_storage: Held Escaped Escaped
    host_path_of_cache: Held Escaped Escaped
    host_path_of_database: Held Escaped Escaped
    host_path_canonical: Held Escaped Escaped
    host_path_real: Held Escaped Escaped
    host_path_reflected: Held Escaped Escaped
    host_path_of_code: Held Escaped Escaped
    host_path_of_folder: Held Escaped Escaped
    host_path_of_root: Held Escaped Held
    host_path_of_command: Held Escaped Escaped
    host_path_of_environment: Held Escaped Escaped
    host_path_of_memory: Held Escaped Escaped
    host_path_of_mounts: Held Held Held
    host_path_of_descriptors: Held Escaped Escaped
    host_path_of_properties: Held Escaped Escaped
    host_users: Held Escaped Escaped
    memory_direct: Held Held Held
    memory_unsafe: Held Held Escaped
    threads: Held Held Escaped
    disk: Held Held Escaped
    wire_standard_input: Held Held Held
    wire_descriptor: Held Held Held
    wire_opened: Held Held Held
    exit: Held Held Held
    halt: Held Held Held
    exit_reflected: Held Held Held
}

#[test]
fn what_the_app_writes_to_the_tool_is_known_by_its_seal() {
    let Some(all) = outcomes(Confine::Full) else {
        return;
    };
    for name in ["wire_standard_input", "wire_descriptor"] {
        let words = &all[name].1;
        assert!(words.contains("another program than the agent"), "{words}");
    }
}

#[test]
fn most_of_it_succeeds_where_nothing_holds_the_app() {
    let Some(all) = outcomes(Confine::Off) else {
        return;
    };
    let escaped = all.values().filter(|(o, _)| *o == Escaped).count();
    assert!(escaped >= 30, "{escaped} of {}", all.len());
}

#[test]
fn a_picture_that_becomes_a_link_leads_nowhere() {
    let Some(mut app) = App::new(Confine::Full) else {
        return;
    };
    assert_eq!(app.attempt("swap").0, Escaped, "the link was not made");
    let to = app.host.at("own/picture.png");
    let mut taken = 0;
    for _ in 0..100 {
        let _ = fs::remove_file(&to);
        if app.phone.device.screenshot(&to).is_ok_and(|made| made) {
            taken += 1;
            assert!(to.symlink_metadata().unwrap().is_file());
            assert!(fs::read(&to).unwrap().starts_with(b"\x89PNG"));
        }
    }
    println!("{taken} of 100 pictures were taken");
}
