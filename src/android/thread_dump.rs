//! The stacks of all threads of a process, as the runtime writes them into `traces.txt`, debuggerd for a process
//! without Java, and Google's consoles show them.

use super::anr::{AnrReport, STACKS, Writer};
use super::{java_chain, stack};

/// Frames kept at most.
const MAX_FRAMES: usize = 1_000;

pattern!(COMMAND, r"^Cmd ?line: (.*?)\s*$");
// The main thread is the first, whatever the app calls it. The last form is Crashlytics'.
pattern!(
    MAIN,
    r#"^(?:"[^"]*" .*?\btid=1 (?P<s>\S+)|main \((?P<c>[\w ]+)\): ?tid=1 systid=(?P<pid>\d+))"#
);
// A thread that the runtime does not know.
pattern!(NATIVE, r#"^"[^"]*" sysTid=(\d+)"#);
pattern!(OTHER, r"\): ?tid=\d+ systid=\d+\s*$");

pattern!(END, r"^----- end (\d+) -----$");

/// Does a line start a dump whose first line, with the process, is missing?
pub fn starts_without_header(line: &str) -> bool {
    let line = line.trim();
    line.starts_with("Cmd line: ") || MAIN.is_match(line)
}

/// The stacks of one process.
pub struct Dump<'a> {
    writer: Writer<'a>,
    report: AnrReport,
    has_header: bool,
    in_main: bool,
    ended: bool,
}

impl<'a> Dump<'a> {
    /// One whose first line this is.
    pub fn new(writer: Writer<'a>, line: usize, pid: &str, at: Option<&str>) -> Self {
        let report = AnrReport {
            line,
            pid: pid.parse().ok(),
            traced_at: at.map(str::to_owned),
            sources: STACKS,
            ..AnrReport::default()
        };
        Self {
            writer,
            report,
            has_header: true,
            in_main: false,
            ended: false,
        }
    }

    /// One that starts with this line (see [`starts_without_header`]).
    pub fn without_header(writer: Writer<'a>, number: usize, line: &str) -> Self {
        let mut dump = Self {
            has_header: false,
            ..Self::new(writer, number, "", None)
        };
        dump.take(line);
        dump
    }

    /// Does a line of this writer belong to it?
    pub fn goes_on(&self, writer: Writer<'_>) -> bool {
        !self.ended && self.writer == writer
    }

    /// Its next line.
    pub fn take(&mut self, line: &str) {
        let trimmed = line.trim();
        let report = &mut self.report;
        if let Some(f) = END.captures(trimmed) {
            self.ended = true;
            report.pid = report.pid.or(f[1].parse().ok());
        } else if let Some(f) = COMMAND.captures(trimmed) {
            report.process = report.process.take().or(Some(f[1].to_owned()));
        } else if let Some(f) = MAIN.captures(trimmed) {
            let state = f.name("s").or(f.name("c"));
            report.main_state = state.map(|m| m.as_str().to_owned());
            let pid = f.name("pid").and_then(|m| m.as_str().parse().ok());
            report.pid = report.pid.or(pid);
            self.in_main = true;
        } else if let Some(f) = NATIVE.captures(trimmed) {
            let is_first = report.pid.is_some() && f[1].parse().ok() == report.pid;
            self.in_main = is_first && report.main_stack.is_empty();
        } else if trimmed.is_empty() || trimmed.starts_with('"') || OTHER.is_match(trimmed) {
            self.in_main = false;
        } else if self.in_main && report.main_stack.len() < MAX_FRAMES {
            let frame = ["at ", "native: ", "kernel: ", "#"]
                .iter()
                .any(|start| trimmed.starts_with(start));
            if frame {
                let frame = java_chain::plain_frame(trimmed).into_owned();
                report.main_stack.push(frame);
            }
        }
    }

    /// The report of the process; without a header a stack of its main thread has to be there.
    pub fn report(mut self) -> Option<AnrReport> {
        if !self.has_header && self.report.main_stack.is_empty() {
            return None;
        }
        let text = self.report.main_stack.join("\n");
        let chain = stack::parse(&text);
        self.report.app_frame = chain
            .iter()
            .flat_map(|t| &t.frames)
            .find(|f| !stack::is_platform(f.class))
            .map(|f| {
                let at = f.line.map(|l| format!(":{l}")).unwrap_or_default();
                format!("{}.{}{at}", f.class, f.method)
            });
        Some(self.report)
    }
}
