//! The comment on a pull request or a merge request, as Markdown.

use super::causes::{Cause, causes, fewest, sessions};
use super::changed;
use super::gate_lines;
use super::markdown::escaped;
use super::session::Sort;
use super::summarize::RunRecord;
use super::totals::Totals;
use super::words::{short_class, short_frame};
use crate::outcome::verdict::{Judged, Status};
use crate::report::title::title;
use crate::util::text::is_shown;

/// New findings with their steps; GitHub accepts 65,536 characters.
const DETAILED: usize = 10;
/// Entries of each list, and steps of a finding.
const MOST: usize = 20;

/// A comment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Comment {
    /// Its first line, which is not shown and by which it is found again.
    pub marker: String,
    /// All of it, the marker first.
    pub text: String,
    /// Is there anything that a reader should know? A comment is not started without.
    pub matters: bool,
}

/// The comment about a run. `link`: the page of the CI's run, with the artifacts.
pub fn comment(run: &RunRecord, link: Option<&str>) -> Comment {
    let causes = causes(sessions(run));
    let verdict = run.verdict.as_ref();
    let (mut new, mut flaky) = (Vec::new(), Vec::new());
    for cause in causes.iter().filter(|c| c.sort() == Sort::Finding) {
        let (session, met) = cause.chief;
        let judged = verdict.and_then(|v| v.find(&session.app, &met.finding.fingerprint));
        match judged.map(|judged| judged.status) {
            None | Some(Status::New) => new.push(cause),
            Some(Status::Flaky) => flaky.push(cause),
            Some(_) => {}
        }
    }
    let headline = match verdict {
        Some(verdict) => format!("{}: {}", verdict.outcome(), verdict.words()),
        None => Totals::new(&run.summary, &causes).headline(),
    };
    let marker = marker(&run.summary.suite);
    let suite = escaped(&title(&run.summary), 80);
    let mut text = format!("{marker}\n### droidtest: {suite}\n\n**{headline}**");
    if let Some(link) = link {
        text += &format!(" · [run and artifacts]({link})");
    }
    text += "\n\n";
    text += &list("Changed code", changed::each_app(&run.summary).collect());
    let mut shown = 0;
    for cause in new.iter().take(DETAILED) {
        let section = detailed(cause, verdict.is_some());
        if text.len() + section.len() > SECTIONS {
            break;
        }
        text += &section;
        shown += 1;
    }
    let rest = new.iter().skip(shown).map(|cause| named(cause));
    text += &list("More new findings", rest.collect());
    text += &list("Flaky", flaky.into_iter().map(named).collect());
    let mut incomplete: Vec<String> = Vec::new();
    let mut matters = !new.is_empty();
    if let Some(verdict) = verdict {
        let fixed = verdict.of(Status::Fixed);
        let fixed: Vec<_> = fixed.map(|f: &Judged| f.name.clone()).collect();
        let exceeded = verdict.exceeded.iter().map(|e| match &e.app {
            Some(app) => format!("{app}: {}", e.what),
            None => e.what.clone(),
        });
        let exceeded: Vec<_> = exceeded.collect();
        matters |= verdict.exit_code != 0 || !fixed.is_empty();
        let replayed = verdict.replayed().filter(|f| f.status == Status::New);
        let replayed = replayed.map(|f| format!("{}: {}", f.name, gate_lines::status(f)));
        text += &list("Reproduced by their traces", replayed.collect());
        text += &list("Fixed", fixed);
        text += &list("Limits exceeded", exceeded);
        incomplete.clone_from(&verdict.incomplete);
    }
    text += &list("Incomplete", incomplete);
    Comment {
        marker,
        text,
        matters,
    }
}

/// Bytes of the sections of new findings at most: a comment on GitHub has up to 65,536 characters, and lists follow.
const SECTIONS: usize = 30_000;

/// A comment in HTML with the suite's name: suites of one repository have a comment each.
fn marker(suite: &str) -> String {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b == b'.';
    let encoded = suite.bytes().map(|b| match plain(b) {
        true => char::from(b).to_string(),
        false => format!("%{b:02X}"),
    });
    format!("<!-- droidtest:{} -->", encoded.collect::<String>())
}

/// The code line and what happened.
fn named(cause: &Cause<'_>) -> String {
    let (session, met) = cause.chief;
    let finding = &met.finding;
    let place = match &finding.frame {
        Some(frame) => short_frame(frame),
        None => short_class(&finding.activity).to_owned(),
    };
    format!(
        "{place}: {} ({}, {})",
        finding.title, finding.kind, session.app
    )
}

fn detailed(cause: &Cause<'_>, judged: bool) -> String {
    let (session, met) = cause.chief;
    let finding = &met.finding;
    let place = match &finding.frame {
        Some(frame) => short_frame(frame),
        None => short_class(&finding.activity).to_owned(),
    };
    let new = if judged { "new " } else { "" };
    let mut text = format!(
        // No line begins with a text of the app: GitLab runs `/close` there, and bots their commands.
        "#### {}\n\n> {}\n\n{new}{} of {}",
        escaped(&place, 200),
        escaped(&finding.title, 400),
        finding.kind,
        escaped(&session.app, 80)
    );
    let Some(repro) = &met.repro else {
        return text + "\n\n";
    };
    match &repro.reproduction {
        None => text += "\n\n",
        Some(found) => {
            text += &format!(
                ", reproduced {} of {} times\n\n",
                found.reproduced, found.of
            );
            let steps = fewest(found).unwrap_or_default();
            for (number, step) in steps.iter().take(MOST).enumerate() {
                text += &format!("{}. {}\n", number + 1, escaped(step, 300));
            }
            if steps.len() > MOST {
                text += &format!("\nand {} more\n", steps.len() - MOST);
            }
            text += "\n";
        }
    }
    let command = format!("cargo droidtest replay {}", repro.typed);
    // A command in a code block is copied as it is, unless it could end the block.
    let is_plain =
        !command.contains('`') && command.chars().all(is_shown) && command.chars().count() < 1000;
    text + &match is_plain {
        true => format!("```\n{command}\n```\n\n"),
        false => format!("{}\n\n", escaped(&command, 1000)),
    }
}

fn list(heading: &str, entries: Vec<String>) -> String {
    if entries.is_empty() {
        return String::new();
    }
    let mut text = format!("**{heading}**\n\n");
    for entry in entries.iter().take(MOST) {
        text += &format!("- {}\n", escaped(entry, 300));
    }
    if entries.len() > MOST {
        text += &format!("- and {} more\n", entries.len() - MOST);
    }
    text + "\n"
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
    fn the_code_line_the_steps_and_the_command_are_there() {
        let mut run = record();
        let mut verdict = verdict(&run);
        verdict.findings[3].status = Status::Flaky;
        run.verdict = Some(verdict);
        let comment = comment(&run, Some("https://ci.example/1"));
        let text = &comment.text;
        let at = |what: &str| text.find(what).unwrap_or_else(|| panic!("{what}: {text}"));
        let order = [
            at("<!-- droidtest:smoke -->\n### droidtest: smoke"),
            at(
                "**failed: 1 new, 1 flaky, 2 known, 1 fixed** · [run and artifacts](https://ci.example/1)",
            ),
            at("#### EditorActivity.onsave"),
            at("IllegalArgumentException"),
            at("1. click “Skip”"),
            at("```\ncargo droidtest replay "),
            at("**Flaky**\n\n- DetailActivity.onshare"),
            at("**Fixed**\n\n- Error at Main.run"),
            at("**Limits exceeded**"),
            at("**Incomplete**"),
        ];
        assert!(order.is_sorted(), "{order:?} {text}");
        assert!(
            !text.contains("ANR of notes"),
            "known ones are only counted: {text}"
        );
    }

    #[test]
    fn a_run_without_anything_new_needs_no_comment() {
        let mut run = record();
        let mut all = verdict(&run);
        (all.exit_code, all.findings[0].status) = (0, Status::Known);
        all.findings.retain(|f| f.status == Status::Known);
        (all.exceeded, all.incomplete) = (Vec::new(), Vec::new());
        run.verdict = Some(all);
        assert!(!comment(&run, None).matters);
        run.verdict = None;
        assert!(comment(&run, None).matters);
    }

    #[test]
    fn no_line_begins_with_a_command_of_a_forge() {
        let mut run = record();
        let command = "/close";
        run.summary.suite = command.into();
        for session in &mut run.summary.sessions {
            session.app = command.into();
        }
        let finding = run.sessions[0].findings[0].clone();
        run.sessions[0].findings = (0..30)
            .map(|number| {
                let mut met = finding.clone();
                met.finding.fingerprint = format!("v2:{number}");
                met.finding.title = format!("x\n{command}\r{command}\u{2028}{command}");
                if number % 2 == 0 {
                    met.finding.title = command.into();
                }
                met.finding.activity = command.into();
                met.finding.frame = (number % 3 == 0).then(|| format!("{command}({command}:1)"));
                met
            })
            .collect();
        let mut judged = verdict(&run);
        judged.incomplete = vec![command.into()];
        judged.notices = vec![command.into()];
        run.verdict = Some(judged);
        for text in [
            comment(&run, None).text,
            super::super::step_summary::markdown(&run),
        ] {
            let lines = text.split(['\n', '\r', '\u{2028}', '\u{2029}', '\u{85}']);
            for line in lines {
                assert!(!line.trim_start().starts_with('/'), "{line:?} in {text}");
            }
        }
        assert!(comment(&run, None).text.contains("> &#47;close"));
    }

    #[test]
    fn hostile_texts_stay_text_and_the_comment_fits() {
        let mut run = record();
        let hostile = "<!-- droidtest:x --> @team ```\n# x [a](https://x)";
        run.summary.suite = "a --> b".into();
        let finding = run.sessions[0].findings[0].clone();
        run.sessions[0].findings = (0..300)
            .map(|number| {
                let mut met = finding.clone();
                met.finding.fingerprint = format!("v2:{number}");
                met.finding.title = hostile.repeat(50);
                met
            })
            .collect();
        let comment = comment(&run, None);
        assert_eq!(comment.marker, "<!-- droidtest:a%20%2D%2D%3E%20b -->");
        assert_eq!(comment.text.matches("<!--").count(), 1);
        assert!(!comment.text.contains("@team") && !comment.text.contains("]("));
        assert!(
            comment.text.chars().count() < 65_536,
            "{}",
            comment.text.len()
        );
    }
}
