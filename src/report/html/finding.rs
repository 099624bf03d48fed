//! A cause of failure as the page shows it.

use super::super::causes::{self, Cause, Meeting, Session};
use super::super::code_lines;
use super::super::console::times;
use super::super::words::{self, short_frame};
use super::Choices;
use super::app;
use super::evidence;
use super::graph::readable;
use super::image::data_uri;
use super::steps::{StepView, steps};
use super::text::line;
use crate::outcome::finding::{FindingKind, Trigger};
use crate::outcome::folder::RunFolder;
use crate::outcome::verdict::{Judged, Status};
use serde::Serialize;
use std::collections::BTreeSet;
use std::path::Path;

/// The fewest steps shown at the start and at the end; the others are folded.
const SHOWN: usize = 20;

/// One of the fewest steps, with the screen before it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct FewestStep {
    number: usize,
    words: String,
    image: Option<ImageView>,
}

/// The fewest steps; in a long sequence those between the first and the last ones are separate, without screenshots.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct FewestView {
    first: Vec<FewestStep>,
    folded: Vec<FewestStep>,
    last: Vec<FewestStep>,
}

/// One session that encountered it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct MeetingView {
    session: String,
    event: u64,
    times: String,
    folder: String,
}

/// A picture: embedded, or linked to when it is too large.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ImageView {
    caption: &'static str,
    data: Option<String>,
    link: String,
}

/// How a finding compares with the baseline.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct StatusView {
    /// Its order among others.
    #[serde(skip)]
    pub rank: Status,
    word: &'static str,
    /// Class for its colour.
    tone: &'static str,
    /// The reason in words, or nothing.
    reason: Option<String>,
}

impl StatusView {
    /// The badge of a finding.
    pub fn new(judged: &Judged) -> Self {
        Self {
            rank: judged.status,
            word: judged.status.name(),
            tone: match judged.status {
                Status::New if judged.warning => "warn",
                Status::New => "bad",
                Status::Flaky | Status::PreExisting | Status::Device => "warn",
                Status::Known | Status::Accepted | Status::NotSeen => "mute",
                Status::Fixed => "good",
            },
            reason: judged.reason.as_ref().map(|reason| line(reason, 300)),
        }
    }
}

/// A cause of failure.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct FindingView {
    /// Anchor within the page.
    pub anchor: String,
    app: String,
    /// The strategies of the sessions that encountered it, one a line.
    strategies: String,
    /// How it compares with the baseline, if the run was compared.
    pub status: Option<StatusView>,
    /// The code line without packages.
    at: Option<String>,
    kind: String,
    /// Class for the colour of its kind.
    tone: &'static str,
    title: Title,
    exception: Option<String>,
    frame: Option<String>,
    /// Its source with the covered lines, if the app's sources are known.
    source: Option<String>,
    activity: String,
    class: String,
    trigger: &'static str,
    event: u64,
    times: String,
    rule: Option<String>,
    /// The causes from outside the app, in words.
    provoked: Option<String>,
    steps: Vec<StepView>,
    /// The fewest steps from a fresh start, if known.
    fewest: Option<FewestView>,
    /// How short and how reliable they are, or why there are none; empty if that was not tried.
    sure: Option<String>,
    /// The trace's file.
    trace: Option<String>,
    /// What follows `cargo droidtest replay` where the report was made.
    typed: Option<String>,
    left: Vec<String>,
    images: Vec<ImageView>,
    /// The lines; true for lines of the app's code.
    evidence: Vec<(bool, String)>,
    meetings: Vec<MeetingView>,
    fingerprint: String,
}

impl FindingView {
    /// The view of a cause, the fewest steps and the evidence left out; pictures come out of `allowance`.
    pub fn new(
        folder: &RunFolder,
        cause: &Cause<'_>,
        sessions: &[Session<'_>],
        allowance: &mut u64,
    ) -> Self {
        let (summary, met) = cause.chief;
        let finding = &met.finding;
        let repro = met.repro.as_ref();
        let meeting = |(summary, met): &Meeting<'_>| MeetingView {
            session: line(&summary.session, 120),
            event: met.finding.event,
            times: times(met.count),
            folder: relative(
                folder,
                folder
                    .session(&summary.session)
                    .finding(&met.finding.id)
                    .path(),
            ),
        };
        let strategies: BTreeSet<_> = (cause.meetings.iter())
            .map(|(summary, _)| line(&summary.strategy, app::STRATEGY))
            .collect();
        Self {
            anchor: String::new(),
            app: line(&summary.app, app::NAME),
            strategies: Vec::from_iter(strategies).join("\n"),
            status: None,
            at: finding.frame.as_deref().map(|f| line(&short_frame(f), 200)),
            kind: finding.kind.to_string(),
            tone: match finding.kind {
                FindingKind::JavaCrash | FindingKind::ProcessDeath | FindingKind::OutOfMemory => {
                    "bad"
                }
                FindingKind::Anr | FindingKind::AppExit | FindingKind::Assertion => "warn",
                FindingKind::BlankPage | FindingKind::RotationLoss => "note",
                FindingKind::Environment => "mute",
            },
            title: title(&finding.title, finding.exception.as_deref()),
            exception: finding.exception.as_ref().map(|e| line(e, 200)),
            frame: finding.frame.as_ref().map(|f| line(f, 300)),
            source: (finding.frame.as_deref())
                .and_then(|frame| source(folder, &summary.app, frame)),
            activity: line(readable(&finding.activity), 80),
            class: line(&finding.activity, 200),
            trigger: match finding.trigger {
                Trigger::Launch => "at launch",
                Trigger::Event => "by an event",
                Trigger::System => "by a system event",
            },
            event: finding.event,
            times: times(cause.count()),
            rule: finding
                .environment
                .as_ref()
                .map(|blame| match &blame.detail {
                    Some(detail) => line(&format!("{}: {detail}", blame.rule), 300),
                    None => line(&blame.rule, 300),
                }),
            provoked: met.provoked(),
            steps: sessions
                .iter()
                .find(|(s, _)| s.session == summary.session)
                .map_or_else(Vec::new, |(_, record)| steps(&met.way, record)),
            fewest: None,
            sure: repro
                .and_then(|repro| repro.reproduction.as_ref())
                .map(|found| line(&found.words(), 600)),
            trace: repro.map(|repro| repro.trace.clone()),
            typed: repro.map(|repro| line(&repro.typed, usize::MAX)),
            left: finding
                .left
                .iter()
                .map(|left| line(&words::left(left), 300))
                .collect(),
            images: images(folder, &(summary, met), allowance),
            evidence: Vec::new(),
            meetings: cause.meetings.iter().map(meeting).collect(),
            fingerprint: line(&finding.fingerprint, 40),
        }
    }

    /// Adds its values to what the page can be filtered by; those of its sessions are there.
    pub(super) fn add_to(&self, choices: &mut Choices) {
        choices.kinds.insert(self.kind.clone());
        choices
            .statuses
            .extend(self.status.as_ref().map(|status| status.word));
    }

    /// Adds the stack, or other evidence, of one of so many findings.
    pub fn add_evidence(&mut self, cause: &Cause<'_>, findings: usize) {
        let (summary, met) = cause.chief;
        let each = evidence::each(findings);
        self.evidence = evidence::lines(&met.finding.evidence, &summary.package, each);
    }

    /// Adds the fewest steps; their pictures come out of `allowance`.
    pub fn add_fewest(&mut self, folder: &RunFolder, cause: &Cause<'_>, allowance: &mut u64) {
        self.fewest = fewest(folder, cause, allowance);
    }
}

/// A title `EXCEPTION: MESSAGE` in parts, as the page shows them; any other title is a message.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
struct Title {
    /// With its dot.
    package: String,
    exception: String,
    message: String,
}

fn title(title: &str, exception: Option<&str>) -> Title {
    let class = exception.filter(|class| !class.is_empty());
    let parts = class.and_then(|class| {
        let (package, class) = class.split_at(class.rfind('.').map_or(0, |dot| dot + 1));
        let (package, rest) = match title.strip_prefix(package) {
            Some(rest) => (package, rest),
            None => ("", title),
        };
        let rest = rest.strip_prefix(class)?;
        let message = rest.strip_prefix(": ").or(rest.is_empty().then_some(""))?;
        Some((package, class, message))
    });
    let (package, class, message) = parts.unwrap_or(("", "", title));
    Title {
        package: line(package, 200),
        exception: line(class, 200),
        message: line(message, 400),
    }
}

/// The link to a frame's line in JaCoCo's page of its source file, if there is one.
fn source(folder: &RunFolder, app: &str, frame: &str) -> Option<String> {
    let (package, file, line) = code_lines::place(frame)?;
    let package = if package.is_empty() {
        "default"
    } else {
        package
    };
    // Both come from the app.
    if [package, file]
        .iter()
        .any(|name| name.contains(['/', '\\']))
    {
        return None;
    }
    let pages = folder.coverage(app).join("html").join(package);
    let page = pages.join(format!("{file}.html"));
    page.is_file()
        .then(|| format!("{}#L{line}", relative(folder, &page)))
}

fn fewest(folder: &RunFolder, cause: &Cause<'_>, allowance: &mut u64) -> Option<FewestView> {
    let repro = cause.chief.1.repro.as_ref()?;
    let steps = causes::fewest(repro.reproduction.as_ref()?)?;
    let folded = match steps.len() {
        many if many > 2 * SHOWN => SHOWN..many - SHOWN,
        few => few..few,
    };
    let mut step = |at: usize| {
        let image = repro.images.get(at).and_then(Option::as_ref);
        let image = image.filter(|_| !folded.contains(&at));
        FewestStep {
            number: at + 1,
            words: line(&steps[at], 300),
            image: image.map(|path| ImageView {
                caption: "before",
                data: data_uri(path, allowance),
                link: relative(folder, path),
            }),
        }
    };
    Some(FewestView {
        first: (0..folded.start).map(&mut step).collect(),
        folded: folded.clone().map(&mut step).collect(),
        last: (folded.end..steps.len()).map(step).collect(),
    })
}

fn images(folder: &RunFolder, (summary, met): &Meeting<'_>, allowance: &mut u64) -> Vec<ImageView> {
    let session = folder.session(&summary.session);
    let files = session.finding(&met.finding.id);
    let page = met.before.map(|page| session.page_image(page));
    let before = match files.before() {
        before if before.is_file() => ("before", Some(before)),
        _ => ("before, as first seen", page),
    };
    [before, ("after", Some(files.after()))]
        .into_iter()
        .filter_map(|(caption, path)| {
            let path = path.filter(|path| path.is_file())?;
            Some(ImageView {
                caption,
                data: data_uri(&path, allowance),
                link: relative(folder, &path),
            })
        })
        .collect()
}

/// A path as the page's links need it: relative, with `/`. Names in a run's folder need no escaping.
pub fn relative(folder: &RunFolder, path: &Path) -> String {
    let path = path.strip_prefix(folder.path()).unwrap_or(path);
    let parts: Vec<_> = path.iter().map(|part| part.to_string_lossy()).collect();
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_leads_to_its_line_where_the_source_is_shown() {
        let base = tempfile::tempdir().unwrap();
        let folder = RunFolder::at(base.path());
        let pages = folder.coverage("notes").join("html/org.app");
        std::fs::create_dir_all(&pages).unwrap();
        std::fs::write(pages.join("Main.java.html"), "").unwrap();
        let link = |frame| source(&folder, "notes", frame);
        let found = link("org.app.Main.run(Main.java:7)").unwrap();
        assert_eq!(found, "coverage/notes/html/org.app/Main.java.html#L7");
        for other in [
            "org.app.Main.run(Other.java:7)",
            "org.app.Main.run(../org.app/Main.java:7)",
            "run",
        ] {
            assert_eq!(link(other), None, "{other}");
        }
    }

    #[test]
    fn a_title_starts_with_its_exception() {
        let class = Some("org.x.Bad");
        let of = |text, class| {
            let title = title(text, class);
            [title.package, title.exception, title.message].join("|")
        };
        assert_eq!(of("org.x.Bad: no", class), "org.x.|Bad|no");
        assert_eq!(of("Bad: no", class), "|Bad|no");
        assert_eq!(of("Badly: no", class), "||Badly: no");
        assert_eq!(of("no", class), "||no");
        assert_eq!(of("no", None), "||no");
        assert_eq!(of("Bad", Some("Bad")), "|Bad|");
    }
}
