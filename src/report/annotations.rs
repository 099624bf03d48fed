//! Annotations of GitHub Actions: workflow commands that put findings at their code lines.

use super::causes::{causes, fewest, sessions};
use super::code_lines::{CodeLine, CodeLines};
use super::gate_lines;
use super::html::text::line;
use super::session::Sort;
use super::summarize::RunRecord;
use super::words::short_frame;
use crate::outcome::verdict::Status;

/// GitHub shows ten annotations of a step.
const MOST: usize = 10;
/// Steps named; the reports have all.
const STEPS: usize = 20;

/// A command for each finding that needs attention, one a line, the most urgent first: `::error` for new findings and
/// exceeded limits, `::warning` for flaky ones, for those that are only warnings, and for incomplete sessions.
pub fn lines(run: &RunRecord) -> String {
    let places = CodeLines::new(&run.info);
    let causes = causes(sessions(run));
    let verdict = run.verdict.as_ref();
    let mut all: Vec<(Level, String)> = Vec::new();
    for cause in causes.iter().filter(|c| c.sort() != Sort::Environment) {
        let (session, met) = cause.chief;
        let finding = &met.finding;
        let judged = verdict.and_then(|v| v.find(&session.app, &finding.fingerprint));
        let level = match (judged.map(|j| j.status), cause.sort()) {
            (None | Some(Status::New), Sort::Finding) => Level::Error,
            (None | Some(Status::New | Status::Flaky), _) => Level::Warning,
            _ => continue,
        };
        let word = judged.map_or("", |j| j.status.name());
        let title = format!("{word} {}: {}", finding.kind, session.app);
        let mut text = match &finding.frame {
            Some(frame) => format!("{}: {}", short_frame(frame), finding.title),
            None => finding.title.clone(),
        };
        if let Some(repro) = &met.repro {
            if let Some(found) = &repro.reproduction
                && fewest(found).is_some()
            {
                text += &format!("\nSteps: {}", found.in_words(STEPS));
            }
            text += &format!("\nReplay: cargo droidtest replay {}", repro.typed);
        }
        let place = places.of(&session.app, finding.frame.as_deref());
        all.push((level, command(level, &place, title.trim(), &text)));
    }
    if let Some(verdict) = verdict {
        for judged in verdict.replayed().filter(|f| f.status == Status::New) {
            let place = places.of(&judged.app, judged.frame.as_deref());
            let text = format!("{}: {}", judged.name, gate_lines::status(judged));
            let title = format!("new finding: {}", judged.app);
            all.push((Level::Error, command(Level::Error, &place, &title, &text)));
        }
        let suite = places.of("", None);
        for exceeded in &verdict.exceeded {
            let app = exceeded.app.as_ref().map(|app| format!("{app}: "));
            let text = format!("{}{}", app.unwrap_or_default(), exceeded.what);
            let title = format!("limit exceeded: {}", exceeded.limit);
            all.push((Level::Error, command(Level::Error, &suite, &title, &text)));
        }
        for why in &verdict.incomplete {
            let command = command(Level::Warning, &suite, "incomplete run", why);
            all.push((Level::Warning, command));
        }
    }
    all.sort_by_key(|(level, _)| *level);
    all.into_iter().take(MOST).map(|(_, line)| line).collect()
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Level {
    Error,
    Warning,
}

fn command(level: Level, place: &CodeLine, title: &str, text: &str) -> String {
    let name = match level {
        Level::Error => "error",
        Level::Warning => "warning",
    };
    let text: Vec<_> = text.split('\n').map(|part| line(part, 2000)).collect();
    format!(
        "::{name} file={},line={},title={}::{}\n",
        property(&place.file),
        place.line,
        property(&line(title, 200)),
        data(&text.join("\n"))
    )
}

/// A message, escaped by the rules of workflow commands.
fn data(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

/// A property's value, escaped by the rules of workflow commands.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{Spec, run};
    use super::super::fixture_verdict::verdict;
    use super::super::summarize;
    use super::*;

    fn record() -> RunRecord {
        let base = tempfile::tempdir().unwrap();
        let spec = Spec {
            events: 200,
            ..Spec::default()
        };
        summarize::read(&run(base.path(), &[spec])).unwrap()
    }

    #[test]
    fn an_expired_acceptance_that_only_its_trace_reproduced_is_an_error() {
        let mut run = record();
        let mut verdict = verdict(&run);
        verdict.findings.retain(|f| !f.observed);
        verdict.findings[0].status = Status::New;
        run.verdict = Some(verdict);
        let lines = lines(&run);
        let named = |line: &str| line.starts_with("::error") && line.contains("Error at Main.run");
        assert!(lines.lines().any(named), "{lines}");
    }

    #[test]
    fn what_is_new_is_an_error_at_its_code_line_and_known_findings_have_none() {
        let mut run = record();
        let verdict = verdict(&run);
        let first = verdict.findings[0].title.clone();
        run.verdict = Some(verdict);
        let text = lines(&run);
        let all: Vec<_> = text.lines().collect();
        assert_eq!(all.len(), 3, "{text}");
        let start = "::error file=droidtest.toml,line=1,title=new crash%3A notes::";
        assert!(all[0].starts_with(start), "{text}");
        assert!(all[0].contains(&first), "{text}");
        assert!(
            all[0].contains("%0ASteps: ") && all[0].contains("%0AReplay: cargo"),
            "{text}"
        );
        assert!(
            all[1].contains("title=limit exceeded%3A min-lines::notes: 30.0 %25"),
            "{text}"
        );
        assert!(
            all[2].starts_with("::warning ") && all[2].contains("not started"),
            "{text}"
        );
    }

    #[test]
    fn no_text_of_an_app_ends_its_command_or_starts_another() {
        let mut run = record();
        let hostile = "100%\r\n::stop-commands::x\n::error file=a::b,c";
        for met in &mut run.sessions[0].findings {
            met.finding.title = hostile.into();
            met.finding.frame = Some(format!("a.{hostile}(A.java:1)"));
        }
        run.summary.sessions[0].app = hostile.into();
        let text = lines(&run);
        assert!(!text.is_empty() && !text.contains('\r'));
        for command in text.lines() {
            let rest = command.strip_prefix("::error ").unwrap();
            let (properties, message) = rest.split_once("::").unwrap();
            assert_eq!(properties.matches(',').count(), 2, "{command}");
            assert!(message.contains("100%25"), "{command}");
        }
    }

    #[test]
    fn there_are_ten_at_most_the_errors_first() {
        let mut run = record();
        let mut verdict = verdict(&run);
        verdict.incomplete = vec!["cut off".into(); 20];
        run.verdict = Some(verdict);
        let text = lines(&run);
        assert_eq!(text.lines().count(), MOST);
        assert_eq!(text.matches("::error ").count(), 2, "{text}");
    }
}
