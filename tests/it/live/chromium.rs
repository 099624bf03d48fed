//! A real Chromium without a window, driven through its DevTools protocol over two pipes: JSON, each message with a NUL
//! at its end.

use droidtest::device::jvm::browser::NAMES;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

const PATIENCE: Duration = Duration::from_secs(180);

pub struct Browser {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    number: u64,
    /// The tab: its target, and the session that drives it.
    tab: (String, String),
    _profile: tempfile::TempDir,
}

impl Browser {
    /// Starts one; `None`, and says so, where none is installed.
    pub fn start() -> Option<Self> {
        let Some(program) = NAMES.iter().find_map(|name| which::which(name).ok()) else {
            crate::common::skip::skip(&format!("no Chromium on the PATH ({})", NAMES.join(", ")));
            return None;
        };
        let profile = tempfile::tempdir().unwrap();
        // It reads messages from file 3 and writes them to file 4.
        let mut child = Command::new("sh")
            .args([
                "-c",
                "exec \"$@\" 3<&0 4>&1 </dev/null >/dev/null 2>&1",
                "sh",
            ])
            .arg(program)
            .args([
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
            ])
            .args([
                "--no-first-run",
                "--remote-debugging-pipe",
                "--window-size=1280,1000",
            ])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .arg("about:blank")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let to = child.stdin.take().unwrap();
        let from = BufReader::new(child.stdout.take().unwrap());
        let mut browser = Self {
            child,
            to,
            from,
            number: 0,
            tab: Default::default(),
            _profile: profile,
        };
        browser.new_tab();
        Some(browser)
    }

    /// Closes the tab, if there is one, and opens another.
    pub fn new_tab(&mut self) {
        let (target, _) = std::mem::take(&mut self.tab);
        if !target.is_empty() {
            self.call("Target.closeTarget", json!({ "targetId": target }));
        }
        let made = self.call("Target.createTarget", json!({ "url": "about:blank" }));
        let target = made["targetId"].as_str().unwrap().to_owned();
        let wanted = json!({ "targetId": target, "flatten": true });
        let attached = self.call("Target.attachToTarget", wanted);
        self.tab = (target, attached["sessionId"].as_str().unwrap().to_owned());
    }

    /// Calls a method, of the tab if there is one, and waits for its result.
    pub fn call(&mut self, method: &str, params: Value) -> Value {
        let answer = self.ask(method, params);
        answer.unwrap_or_else(|error| panic!("{method}: {error}"))
    }

    fn ask(&mut self, method: &str, params: Value) -> Result<Value, Value> {
        self.number += 1;
        let mut message = json!({ "id": self.number, "method": method, "params": params });
        if !self.tab.1.is_empty() && !method.starts_with("Target.") {
            message["sessionId"] = json!(self.tab.1);
        }
        let mut bytes = message.to_string().into_bytes();
        bytes.push(0);
        self.to.write_all(&bytes).unwrap();
        loop {
            let mut answer = Vec::new();
            let read = self.from.read_until(0, &mut answer).unwrap();
            assert!(read > 0, "Chromium has ended");
            answer.pop();
            let mut answer: Value = serde_json::from_slice(&answer).unwrap();
            if answer["id"] == self.number {
                return match answer.get_mut("error") {
                    Some(error) => Err(error.take()),
                    None => Ok(answer["result"].take()),
                };
            }
        }
    }

    pub fn open(&mut self, url: &str) {
        let opened = self.call("Page.navigate", json!({ "url": url }));
        assert!(opened.get("errorText").is_none(), "{opened}");
    }

    /// The value of an expression in the page.
    pub fn eval(&mut self, script: &str) -> Value {
        let wanted = json!({ "expression": script, "returnByValue": true, "awaitPromise": true });
        let mut done = self.call("Runtime.evaluate", wanted);
        assert!(done.get("exceptionDetails").is_none(), "{script}: {done}");
        done["result"]["value"].take()
    }

    /// Waits until an expression is true.
    pub fn until(&mut self, script: &str) {
        let deadline = Instant::now() + PATIENCE;
        // The page may not be there yet.
        let safe = format!(
            "(() => {{ try {{ return Boolean({script}); }} catch {{ return false; }} }})()"
        );
        let wanted = json!({ "expression": safe, "returnByValue": true });
        let holds =
            |answer: Result<Value, Value>| answer.is_ok_and(|done| done["result"]["value"] == true);
        while !holds(self.ask("Runtime.evaluate", wanted.clone())) {
            if Instant::now() > deadline {
                let shown = self.eval("document.body.innerText");
                panic!(
                    "not true for long: {script}\n{}",
                    shown.as_str().unwrap_or_default()
                );
            }
            sleep(Duration::from_millis(20));
        }
    }

    /// A click with the mouse, in pixels of the window.
    pub fn click(&mut self, x: f64, y: f64) {
        for kind in ["mousePressed", "mouseReleased"] {
            let event = json!({ "type": kind, "x": x, "y": y, "button": "left", "clickCount": 1 });
            self.call("Input.dispatchMouseEvent", event);
        }
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
