//! The agent for devices, its Java really run: on Robolectric, over a screen of Android's widgets, through
//! Android's accessibility client and window code. Only what is between those two, in the system's process,
//! is stood in for (`java/droidtest/device/SystemSide.java`). Our client speaks to it.

#![cfg(unix)]

use droidtest::device::Action;
use droidtest::device::adb::agent_jar;
use droidtest::device::jvm::OPENED;
use droidtest::device::jvm::cache::Cache;
use droidtest::device::jvm::jdk::Jdk;
use droidtest::device::jvm::parts::{DEFAULT_SDK, Parts};
use droidtest::device::link::{Link, LinkError, Patience};
use droidtest::device::message::{Obs, Request};
use droidtest::device::progress::Watch;
use droidtest::gui::{Direction, Flags, RawNode};
use std::io::{BufRead as _, BufReader};
use std::net::{Ipv4Addr, TcpStream};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

const PACKAGE: &str = "org.droidtest.form";
const TOKEN: &str = "a-token-of-this-test";
/// A machine at work on other things starts Robolectric in this time.
const LONG: Duration = Duration::from_secs(300);
/// The agent in its process, and what it said last.
struct Agent {
    link: Option<Link>,
    child: Child,
    nodes: Vec<RawNode>,
    last: Obs,
    _folder: tempfile::TempDir,
}

fn java_files(below: &Path) -> Vec<PathBuf> {
    let folder = below.join("droidtest/device");
    let all = std::fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    all.map(|entry| entry.unwrap().path())
        .filter(|file| file.extension().is_some_and(|e| e == "java"))
        .collect()
}

impl Agent {
    fn start() -> Self {
        let cache = Cache::locate().unwrap();
        let watch = Watch::silent();
        let parts = Parts::ensure(&cache, DEFAULT_SDK, false, &watch).unwrap();
        let framework = agent_jar::FRAMEWORK;
        let android = agent_jar::fetched(&cache, framework, &parts.jdk, false, &watch).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        let ours = parts.class_path().unwrap();
        // The framework first that keeps its constants; at run time the one that Robolectric has prepared.
        let path =
            std::env::join_paths(std::iter::once(android).chain(std::env::split_paths(&ours)));
        let compiled = Command::new(parts.jdk.javac())
            .args(["--release", "17", "-proc:none", "-nowarn", "-Xlint:none"])
            .args(["-encoding", "UTF-8", "-d"])
            .arg(folder.path())
            .arg("-cp")
            .arg(path.unwrap())
            .args(java_files(&here.join("../../src/device/agent/device")))
            .args(java_files(&here.join("java")))
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&compiled.stderr);
        assert!(compiled.status.success(), "{said}");
        let mut path = vec![folder.path().to_owned()];
        path.extend(std::env::split_paths(&ours));
        let property = |name: &str, value: &str| format!("-D{name}={value}");
        let mut child = Command::new(parts.jdk.java())
            // The agent finds the app's process by its command line.
            .arg0(PACKAGE)
            .args(
                OPENED
                    .iter()
                    .map(|p| format!("--add-opens=java.base/{p}=ALL-UNNAMED")),
            )
            .args(["-Xmx700m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"])
            .args(["-Djava.awt.headless=true", "-Drobolectric.offline=true"])
            .arg(property(
                "robolectric.dependency.dir",
                &parts.framework.display().to_string(),
            ))
            // Android's nodes instead of Robolectric's stand-ins.
            .arg(property("robolectric.useRealAni", "true"))
            .arg(property("droidtest.token", TOKEN))
            .arg(property("droidtest.package", PACKAGE))
            .arg("-cp")
            .arg(std::env::join_paths(path).unwrap())
            .args(["org.junit.runner.JUnitCore", "droidtest.device.AgentRun"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut said = String::new();
        let port = loop {
            match lines.next() {
                Some(Ok(line)) => {
                    if let Some((_, port)) = line.split_once("listening ") {
                        break port.trim().parse::<u16>().unwrap();
                    }
                    said += &(line + "\n");
                }
                _ => panic!("the agent ended at its start: {said}"),
            }
        };
        // What it prints from now on has to go somewhere.
        std::thread::spawn(move || lines.map_while(Result::ok).for_each(|l| eprintln!("{l}")));
        let stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).unwrap();
        let mut link = Link::new(stream, Arc::default()).unwrap();
        link.greet(TOKEN, Instant::now() + LONG).unwrap();
        Self {
            link: Some(link),
            child,
            nodes: Vec::new(),
            last: Obs::default(),
            _folder: folder,
        }
    }

    fn call(&mut self, action: Option<&Action>) -> Result<(), LinkError> {
        let link = self.link.as_mut().unwrap();
        let id = link.next_id();
        let request = match action {
            Some(action) => Request::Step {
                id,
                action,
                settle_ms: 300,
            },
            None => Request::Observe {
                id,
                full: self.nodes.is_empty(),
            },
        };
        let patience = Patience {
            total: LONG,
            blocked: LONG,
        };
        let mut obs = link.call(&request, patience)?.obs.expect("an observation");
        if let Some(nodes) = obs.page.take() {
            self.nodes = nodes;
        }
        self.last = obs;
        Ok(())
    }

    fn act(&mut self, action: &Action) {
        self.call(Some(action))
            .unwrap_or_else(|e| panic!("{action:?}: {e:?}"));
    }

    /// The index of a resource-id of Android's own.
    fn at(&self, id: &str) -> u32 {
        let full = format!("android:id/{id}");
        let at = self.nodes.iter().position(|n| n.resource_id == full);
        u32::try_from(at.unwrap_or_else(|| panic!("no {id} in {:#?}", self.nodes))).unwrap()
    }

    fn node(&self, id: &str) -> &RawNode {
        &self.nodes[self.at(id) as usize]
    }

    /// Looks until this holds: a machine under load draws when it can.
    fn until(&mut self, what: &str, holds: impl Fn(&Self) -> bool) {
        let end = Instant::now() + Duration::from_secs(60);
        while !holds(self) {
            assert!(Instant::now() < end, "not {what}: {:#?}", self.nodes);
            self.call(None).unwrap();
        }
    }

    fn says(&mut self, text: &str) {
        self.until(text, |agent| agent.node("title").text == text);
    }
}

impl Drop for Agent {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn the_agents_own_java_reads_a_real_screen_and_acts_on_it() {
    let mut agent = Agent::start();
    agent.call(None).unwrap();

    let seen = &agent.last;
    assert!(seen.alive && seen.settled);
    assert_eq!(seen.pids, [agent.child.id()]);
    assert_eq!(seen.front, PACKAGE);
    assert_eq!(seen.activity, "droidtest.device.FormActivity");
    assert_eq!(seen.visited, ["droidtest.device.FormActivity"]);
    assert_eq!((seen.rotation, seen.screen), (0, (411, 891)));

    let has = |node: &RawNode, flags: u32| node.flags & flags == flags;
    let button = agent.node("button1");
    assert_eq!(button.class, "android.widget.Button");
    let pressable = Flags::CLICKABLE | Flags::LONG_CLICKABLE | Flags::ENABLED | Flags::VISIBLE;
    assert!(has(button, pressable), "{button:?}");
    let field = agent.node("edit");
    assert_eq!((field.hint.as_str(), field.text.as_str()), ("Name", ""));
    assert!(has(field, Flags::EDITABLE) && field.input_type == 1);
    assert!(agent.nodes.iter().all(|n| n.text != "hidden"));
    let list = |agent: &Agent| {
        let scrolls = |n: &RawNode| n.flags & Flags::SCROLLABLE != 0;
        agent.nodes.iter().position(scrolls).expect("a list")
    };
    assert_eq!(agent.nodes[list(&agent)].scrolls, 2, "downwards only");

    agent.act(&Action::Click {
        n: agent.at("button1"),
    });
    agent.says("pressed");
    agent.act(&Action::Long {
        n: agent.at("button1"),
    });
    agent.says("held");
    agent.act(&Action::Text {
        n: agent.at("edit"),
        s: "héllo wörld 漢字".into(),
        ime: false,
    });
    agent.until("typed", |a| a.node("edit").text == "héllo wörld 漢字");
    agent.act(&Action::Scroll {
        n: u32::try_from(list(&agent)).unwrap(),
        dir: Direction::Down,
    });
    agent.until("scrolled", |a| a.nodes[list(a)].scrolls == 3);
    agent.act(&Action::Key { code: 131 });
    agent.says("key 131");
    // A window of the system's above the app's: what is under it takes no input and is not shown.
    let of_the_app = |a: &Agent| a.nodes.iter().any(|n| n.text == "Agree");
    assert!(of_the_app(&agent));
    agent.act(&Action::Key { code: 132 });
    let asked = |a: &Agent| {
        a.nodes
            .iter()
            .position(|n| n.text.eq_ignore_ascii_case("wait"))
    };
    agent.until("asked", |a| asked(a).is_some());
    assert!(agent.nodes.iter().any(|n| n.text == "isn't responding"));
    assert!(!of_the_app(&agent), "{:#?}", agent.nodes);
    let wait = asked(&agent).and_then(|n| u32::try_from(n).ok()).unwrap();
    agent.act(&Action::Click { n: wait });
    agent.until("back", |a| of_the_app(a));
    agent.says("waited");
    agent.act(&Action::Trackball {
        moves: [(1, 0); 10],
        click: false,
    });
    agent.says("rolled");
    agent.act(&Action::Click {
        n: agent.at("checkbox"),
    });
    agent.until("ticked", |a| has(a.node("checkbox"), Flags::CHECKED));
    agent.until("turned", |a| a.last.rotation == 1);

    match agent.call(Some(&Action::Click { n: 9_999 })) {
        Err(LinkError::Refused(failure)) => assert_eq!(failure.code, "stale-widget"),
        other => panic!("{other:?}"),
    }
    // The connection's end is the agent's.
    agent.link = None;
    let ended = agent.child.wait().unwrap();
    assert!(ended.success(), "{ended}");
}

/// Stand-ins for what a level without the flags of `connect` has, and a start of the agent's connection on them.
const OLD: [(&str, &str); 5] = [
    (
        "android/app/UiAutomation.java",
        "package android.app;
public final class UiAutomation {
  public interface OnAccessibilityEventListener { void onAccessibilityEvent(android.view.accessibility.AccessibilityEvent e); }
  public static boolean connected;
  public UiAutomation(android.os.Looper looper, IUiAutomationConnection connection) {}
  void connect() { connected = true; }
  public android.accessibilityservice.AccessibilityServiceInfo getServiceInfo() { return new android.accessibilityservice.AccessibilityServiceInfo(); }
  public void setServiceInfo(android.accessibilityservice.AccessibilityServiceInfo info) {}
  public void setOnAccessibilityEventListener(OnAccessibilityEventListener listener) {}
  public java.util.List<android.view.accessibility.AccessibilityWindowInfo> getWindows() { return null; }
  public android.view.accessibility.AccessibilityNodeInfo getRootInActiveWindow() { return null; }
  public boolean injectInputEvent(android.view.InputEvent event, boolean sync) { return false; }
}",
    ),
    (
        "android/app/IUiAutomationConnection.java",
        "package android.app; public interface IUiAutomationConnection {}",
    ),
    (
        "android/app/UiAutomationConnection.java",
        "package android.app; public final class UiAutomationConnection implements IUiAutomationConnection {}",
    ),
    (
        "android/os/HandlerThread.java",
        "package android.os; public class HandlerThread { public HandlerThread(String name) {} public void start() {} public Looper getLooper() { return null; } }",
    ),
    (
        "droidtest/device/OldPhone.java",
        "package droidtest.device;
public final class OldPhone { public static void main(String[] args) throws Exception { Automation.connect(); System.out.println(\"connected \" + android.app.UiAutomation.connected); } }",
    ),
];

#[test]
fn a_framework_without_the_flags_of_connect_is_connected_to_without_them() {
    let (cache, jdk) = (Cache::locate().unwrap(), Jdk::locate().unwrap());
    let watch = Watch::silent();
    let android = agent_jar::fetched(&cache, agent_jar::FRAMEWORK, &jdk, false, &watch).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let sources = OLD.map(|(name, text)| {
        let file = folder.path().join(name);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(&file, text).unwrap();
        file
    });
    let ours = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../src/device/agent/device/droidtest/device");
    let words = |done: std::process::Output| {
        let said = String::from_utf8_lossy(&done.stderr) + String::from_utf8_lossy(&done.stdout);
        assert!(done.status.success(), "{said}");
        said.into_owned()
    };
    let compiled = Command::new(jdk.javac())
        .args(["--release", "17", "-proc:none", "-nowarn", "-Xlint:none"])
        .args(["-encoding", "UTF-8", "-d"])
        .arg(folder.path())
        .arg("-cp")
        .arg(&android)
        .args(["Automation.java", "Hidden.java"].map(|name| ours.join(name)))
        .args(sources)
        .output();
    words(compiled.unwrap());
    let path = std::env::join_paths([folder.path(), &android]).unwrap();
    let ran = Command::new(jdk.java())
        .arg("-cp")
        .arg(path)
        .arg("droidtest.device.OldPhone")
        .output();
    let said = words(ran.unwrap());
    assert!(said.contains("connected true"), "{said}");
}
