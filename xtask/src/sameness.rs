//! Is one seed one run? Every app in two fresh processes and folders with one seed, the complete journals compared.

use crate::study::{self, Study, name};
use crate::{Result, sh};
use std::fs;
use std::path::{Path, PathBuf};

/// How much of a line is shown on either side of the first byte that differs.
const AROUND: usize = 60;
/// The strategy of a suite that names none.
const DEFAULT: &str = "default";

pub fn run(args: &[String]) -> Result {
    let mut files = study::apks(study::folder(args)?)?;
    if let Some(wanted) = sh::option(args, "--apps")? {
        let wanted: Vec<&str> = wanted.split(',').collect();
        files.retain(|file| wanted.iter().any(|part| name(file).contains(part)));
    }
    let events = sh::number(args, "--events", 300)?;
    let strategy = sh::option(args, "--strategy")?.unwrap_or(DEFAULT);
    let seed = sh::number(args, "--seed", 1)?;
    let jobs = usize::try_from(sh::number(args, "--jobs", 2)?).unwrap_or(1);
    let label = sh::option(args, "--label")?.map_or_else(String::new, |label| format!("-{label}"));
    let fresh = args.iter().any(|a| a == "--fresh");
    let tool = sh::build_tool()?;
    let study = |round: u32| Study {
        name: format!("sameness{label}-{strategy}-{events}-{seed}-{round}"),
        strategy: match strategy {
            DEFAULT => String::new(),
            kind => study::table(kind),
        },
        events,
        plateau: None,
        seed,
        screenshots: false,
    };
    let rounds = [study(1), study(2)];
    if fresh {
        for round in &rounds {
            let _ = fs::remove_dir_all(sh::target().join("studies").join(&round.name));
        }
    }
    // Both runs of an app in turn, so that a study that is stopped has compared what it ran.
    let same = study::each(&files, jobs, |file| {
        let journals: Result<Vec<String>> = rounds
            .iter()
            .map(|round| journal(&tool, round, file))
            .collect();
        let verdict = journals.map(|both| compare(&both[0], &both[1]));
        let (same, text) = match verdict {
            Ok(None) => (true, "equal".to_owned()),
            Ok(Some(difference)) => (false, difference),
            Err(reason) => (false, format!("no journal: {reason}")),
        };
        println!("{:<60} {text}", name(file));
        same
    })?;
    let equal = same.iter().filter(|same| **same).count();
    println!("\n{equal} of {}", files.len());
    Ok(())
}

/// The journal of an app's run, made now unless it is there already.
fn journal(tool: &Path, study: &Study, file: &PathBuf) -> Result<String> {
    let outcomes = study.run(tool, std::slice::from_ref(file), 1, false)?;
    let outcome = outcomes.first().ok_or("the run has no outcome")?;
    outcome.session.as_ref().map_err(Clone::clone)?;
    let sessions = outcome.folder.join("sessions");
    let session = fs::read_dir(&sessions)
        .map_err(|e| format!("cannot read {}: {e}", sessions.display()))?
        .filter_map(std::result::Result::ok)
        .next()
        .ok_or("the run has no session")?;
    let path = session.path().join("journal.jsonl");
    fs::read_to_string(&path).map_err(|e| format!("cannot read {}: {e}", path.display()))
}

/// Where two journals differ first, in words; `None`: they are the same bytes, of an app that was launched.
fn compare(one: &str, other: &str) -> Option<String> {
    if !one.contains("\"e\":\"step\"") || !other.contains("\"e\":\"step\"") {
        return Some("does not launch".to_owned());
    }
    if one == other {
        return None;
    }
    let mut others = other.lines();
    let mut events = 0;
    for line in one.lines() {
        let twin = others.next().unwrap_or("(the journal ends)");
        if line != twin {
            return Some(difference(events, line, twin));
        }
        events += usize::from(line.starts_with("{\"e\":\"step\""));
    }
    let twin = others.next().unwrap_or("(the last line's end)");
    Some(difference(events, "(the journal ends)", twin))
}

fn difference(events: usize, line: &str, twin: &str) -> String {
    let at = line.bytes().zip(twin.bytes()).take_while(|(a, b)| a == b);
    let at = at.count();
    format!(
        "differs after {events} events\n    {}\n    {}",
        part(line, at),
        part(twin, at)
    )
}

/// The line's kind and what is around a byte of it.
fn part(line: &str, at: usize) -> String {
    let bytes = line.as_bytes();
    let from = at.saturating_sub(AROUND);
    let to = (at + AROUND).min(bytes.len());
    let shown = String::from_utf8_lossy(bytes.get(from..to).unwrap_or_default());
    let kind: String = line.chars().take(20).collect();
    if from == 0 {
        shown.escape_debug().to_string()
    } else {
        format!("{} .. {}", kind.escape_debug(), shown.escape_debug())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "{\"e\":\"session\"}\n{\"e\":\"step\",\"i\":1}\n";

    #[test]
    fn equal_journals_of_a_launched_app_are_the_same() {
        assert_eq!(compare(START, START), None);
    }

    #[test]
    fn an_app_that_does_not_launch_is_not_the_same() {
        let none = "{\"e\":\"session\"}\n";
        assert_eq!(compare(none, none).unwrap(), "does not launch");
    }

    #[test]
    fn the_first_difference_is_shown_with_the_events_before_it() {
        let one = format!("{START}{{\"e\":\"step\",\"i\":2,\"reward\":1.0}}\n");
        let other = format!("{START}{{\"e\":\"step\",\"i\":2,\"reward\":2.0}}\n");
        let text = compare(&one, &other).unwrap();
        assert!(text.starts_with("differs after 1 events"), "{text}");
        assert!(text.contains("1.0") && text.contains("2.0"), "{text}");
        let shorter = compare(&one, START).unwrap();
        assert!(shorter.contains("the journal ends"), "{shorter}");
    }
}
