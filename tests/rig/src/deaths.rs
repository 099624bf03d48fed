//! How the app on the device dies or hangs, and what the system says of it: in the log, in the dropbox, in files.

use crate::phone::Phone;
use crate::pipe::lock;
use droidtest::outcome::evidence::Crash;

impl Phone {
    /// Blocks the app's main thread for good, and has the system notice.
    pub fn hang(&self) {
        let mut state = lock(&self.state);
        if let Some(app) = state.app.as_mut().filter(|app| app.alive) {
            app.hung = true;
            let stack = "main\n\tat org.droidtest.notes.Sync.wait(Sync.java:7)";
            self.report_anr(app.pid, &app.package, 5_003, stack);
        }
    }

    /// Ends the app's process, without a crash: by itself, or by the system where memory is short.
    pub fn end_app(&self, short_of_memory: bool) {
        let mut state = lock(&self.state);
        let Some(app) = state.app.as_mut().filter(|app| app.alive) else {
            return;
        };
        app.alive = false;
        let (pid, package) = (app.pid, app.package.clone());
        if short_of_memory {
            let line = format!(
                "Kill '{package}' ({pid}), uid 10100, oom_score_adj 0 to free 81234kB rss, 0kB swap; reason: device is low on swap"
            );
            self.log.write(411, 'I', "lowmemorykiller", &line);
        }
        self.report_end(pid, &package);
    }

    /// Ends the app's process by a signal in native code; the tombstone's frames are these, a line each. Gives the
    /// process.
    pub fn crash_natively(&self, frames: &str) -> Option<u32> {
        let mut state = lock(&self.state);
        let app = state.app.as_mut().filter(|app| app.alive)?;
        app.alive = false;
        let (pid, package) = (app.pid, app.package.clone());
        let tid = pid + 1;
        let signal = "signal 11 (SIGSEGV), code 1 (SEGV_MAPERR), fault addr 0x0000000000000010";
        let stone = format!(
            "*** *** *** *** *** *** *** *** *** *** *** *** *** *** *** ***\nBuild fingerprint: 'google/sdk_gphone64_x86_64/emu64xa:14/UE1A.230829.050/12077443:userdebug/dev-keys'\nRevision: '0'\nABI: 'x86_64'\nTimestamp: {}.123456789+0000\nProcess uptime: 12s\nCmdline: {package}\npid: {pid}, tid: {tid}, name: Thread-2  >>> {package} <<<\nuid: 10100\n{signal}\nCause: null pointer dereference\n    rax 0000000000000000  rbx 000074aa3c0a1cd0  rcx 000074aa3c0a5904  rdx 0000000000000010\n\nbacktrace:\n{frames}\n",
            self.log.stamp()
        );
        let fatal = format!(
            "Fatal signal 11 (SIGSEGV), code 1 (SEGV_MAPERR), fault addr 0x10 in tid {tid} (Thread-2), pid {pid} (rig.notes)"
        );
        self.log.write(pid, 'F', "libc", &fatal);
        // The dump is a separate process.
        self.log.write(pid + 900, 'F', "DEBUG", &stone);
        let header = header(pid, &package);
        self.drop_entry("data_app_native_crash", &format!("{header}\n{stone}"));
        let of_system = "Build: google/sdk_gphone64_x86_64/emu64xa:14/UE1A.230829.050/12077443:userdebug/dev-keys\nHardware: ranchu\nRevision: 0\nBootloader: unknown\nRadio: \nKernel: Linux version 6.1.23-android14\n\n";
        self.drop_entry("SYSTEM_TOMBSTONE", &format!("{of_system}{stone}\n--- --- ---\npid: {pid}, tid: {pid}, name: rig.notes  >>> {package} <<<\n\nbacktrace:\n      #00 pc 00000000000ce5d7  /apex/com.android.runtime/lib64/bionic/libc.so (__epoll_pwait+23)\n"));
        self.report_end(pid, &package);
        Some(pid)
    }

    /// Ends the app by an uncaught exception with this stack.
    pub fn throw(&self, stack: &str) {
        let mut state = lock(&self.state);
        if let Some(app) = state.app.as_mut().filter(|app| app.alive) {
            app.alive = false;
            let crash = Crash {
                thread: "main".into(),
                stack: stack.to_owned(),
                ..Crash::default()
            };
            self.report_crash(app.pid, &app.package, &crash);
            self.report_end(app.pid, &app.package);
        }
    }

    /// An uncaught exception, formatted as by the system.
    pub(crate) fn report_crash(&self, pid: u32, package: &str, crash: &Crash) {
        let said = ["FATAL EXCEPTION", "Process: "];
        let is_body = |l: &&str| !said.iter().any(|begin| l.starts_with(begin));
        let body: Vec<_> = crash.stack.lines().filter(is_body).collect();
        let body = body.join("\n");
        let message = crash.message.as_deref().unwrap_or("NULL");
        let first = message.lines().next().unwrap_or("");
        let event = format!("[{pid},0,{package},0,{},{first},Main.java,1]", crash.class);
        self.log.write(1500, 'I', "am_crash", &event);
        let text = format!(
            "FATAL EXCEPTION: {}\nProcess: {package}, PID: {pid}\n{body}",
            crash.thread
        );
        self.log.write(pid, 'E', "AndroidRuntime", &text);
        let header = header(pid, package);
        self.drop_entry("data_app_crash", &format!("{header}\n{body}\n"));
    }

    /// The end of a process.
    pub(crate) fn report_end(&self, pid: u32, package: &str) {
        let line = format!("Process {package} (pid {pid}) has died: fg  TOP ");
        self.log.write(1500, 'I', "ActivityManager", &line);
        let event = format!("[0,{pid},{package},0,2]");
        self.log.write(1500, 'I', "am_proc_died", &event);
    }

    /// An app that does not answer.
    pub(crate) fn report_anr(&self, pid: u32, package: &str, ms: u64, stack: &str) {
        let reason = format!(
            "Input dispatching timed out (a1b2c3 {package}/{package}.Main (server) is not responding. Waited {ms}ms for MotionEvent)"
        );
        let event = format!("[0,{pid},{package},952647238,{reason}]");
        self.log.write(1500, 'I', "am_anr", &event);
        self.log.write(1500, 'E', "ActivityManager", &format!("ANR in {package} ({package}/.Main)\nPID: {pid}\nReason: {reason}\nLoad: 0.1 / 0.2 / 0.3"));
        let frames: Vec<_> = stack
            .lines()
            .skip(1)
            .map(|l| format!("  {}", l.trim()))
            .collect();
        let traces = format!(
            "----- pid {pid} at {} -----\nCmd line: {package}\n\n\"main\" prio=5 tid=1 Sleeping\n{}\n\n----- end {pid} -----\n",
            self.log.stamp(),
            frames.join("\n")
        );
        let header = header(pid, package);
        // Other threads of it, more than the last lines that one would look at.
        let others =
            "\"Thread-3\" prio=5 tid=3 Waiting\n  at java.lang.Object.wait(Native method)\n\n"
                .repeat(200);
        let (main, end) = traces.split_at(traces.find("----- end").unwrap_or(0));
        self.drop_entry("data_app_anr", &format!("{header}Activity: {package}/.Main\nSubject: {reason}\n\nCPU usage from 0ms to 5003ms later:\n  12% 1500/system_server: 8% user + 4% kernel\n\n{main}{others}{end}"));
        // From Android 8 on the traces are separate files, and no shell may read them.
        if self.config.api < 26 {
            let file = crate::files::File {
                mode: 0o100_644,
                time: 0,
                data: format!("\n{traces}").into_bytes(),
            };
            let _ = lock(&self.files).write("/data/anr/traces.txt", file);
        }
    }

    fn drop_entry(&self, tag: &str, text: &str) {
        let entry = (self.log.stamp(), tag.to_owned(), text.to_owned());
        lock(&self.dropbox).push(entry);
    }
}

/// What is above an app's entry in the dropbox.
fn header(pid: u32, package: &str) -> String {
    format!(
        "Process: {package}\nPID: {pid}\nUID: 10100\nFrozen: false\nFlags: 0x38c8be46\nPackage: {package} v1 (1.0)\nForeground: Yes\nProcess-Runtime: 12345\n"
    )
}
