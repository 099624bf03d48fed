//! Learners on real apps for thousands of events, and again from the policies that they left: docs/policy.md.

use crate::learners::{self, Course, Learner, Lesson};
use crate::page::Part;
use crate::{Result, policy, sh, study};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

const TABLE: Part = Part {
    page: "docs/policy.md",
    chore: "long-runs",
};
const KINDS: [&str; 2] = ["q-learning", "ares-sac"];
/// Two apps of AndroTest, and a later one of another study.
const APPS: &str = "androtest-net.fercanet.LNM.apk,androtest-net.mandaria.tippytipper.apk,recdroid-9.notepad_debug.apk";

const HEAD: &str = "
| app | strategy | events | ended by | device failures | starts of the app | activities | lines (or instructions), % | policy, bytes | continued with: events | device failures | sessions in its history |
|---|---|---|---|---|---|---|---|---|---|---|---|
";

pub fn run(args: &[String]) -> Result {
    let folder = Path::new(study::folder(args)?);
    let events = sh::number(args, "--events", 2000)?;
    let more = sh::number(args, "--more", 150)?;
    let apps = sh::option(args, "--apps")?.unwrap_or(APPS);
    let base = learners::base("long-runs", args)?;
    let tool = sh::build_tool()?;
    let mut out = HEAD.to_owned();
    let mut failed = Vec::new();
    for app in apps.split(',') {
        let apk = fs::canonicalize(folder.join(app)).map_err(|e| format!("{app}: {e}"))?;
        let lesson = |name: String, events, seed, loads: Vec<Option<_>>| Lesson {
            base: &base,
            name,
            apk: &apk,
            events,
            seed,
            learners: KINDS
                .iter()
                .zip(loads)
                .map(|(kind, load)| Learner {
                    name: (*kind).to_owned(),
                    kind,
                    load,
                })
                .collect(),
        };
        let first = lesson(format!("{app}-{events}"), events, 1, vec![None, None]).run(&tool)?;
        let loads = first.iter().map(|c| Some(c.policy.clone())).collect();
        let then = lesson(format!("{app}-{events}-and-{more}"), more, 2, loads).run(&tool)?;
        for ((kind, first), then) in KINDS.iter().zip(&first).zip(&then) {
            let _ = writeln!(out, "{}", row(app, kind, first, then)?);
            for (course, wanted) in [(first, events), (then, more)] {
                if course.last(0) != wanted || course.failures() > 0 {
                    failed.push(format!("{app}, {kind}: {}", course.session));
                }
            }
        }
    }
    out.push('\n');
    print!("{out}");
    TABLE.write(&out)?;
    if failed.is_empty() {
        Ok(())
    } else {
        Err(failed.join("\n"))
    }
}

fn row(app: &str, kind: &str, first: &Course, then: &Course) -> Result<String> {
    let said = |e: std::io::Error| format!("{}: {e}", first.policy.display());
    Ok(format!(
        "| {app} | {kind} | {} | {} | {} | {} | {} | {:.1} | {} | {} | {} | {} |",
        first.last(0),
        first.ended(),
        first.failures(),
        first.starts,
        first.last(1),
        study::coverage_percent(&first.session).unwrap_or(0.0),
        fs::metadata(&first.policy).map_err(said)?.len(),
        then.last(0),
        then.failures(),
        history(&fs::read(&then.policy).map_err(said)?)?,
    ))
}

/// How many sessions a policy learned from: the list `history` in its header.
fn history(policy: &[u8]) -> Result<usize> {
    let texts = policy::header(policy);
    let list = texts.and_then(|texts| {
        let list = texts["history"].as_str()?.to_owned();
        serde_json::from_str::<Vec<String>>(&list).ok()
    });
    list.map(|list| list.len())
        .ok_or_else(|| "a policy without history".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sessions_learned_from_are_counted_in_a_policys_header() {
        let texts = r#"{"history":"[\"a\",\"b\"]"}"#;
        let header = serde_json::json!({"__metadata__": {"droidtest": texts}}).to_string();
        let mut file = (header.len() as u64).to_le_bytes().to_vec();
        file.extend(header.as_bytes());
        assert_eq!(history(&file), Ok(2));
        assert!(history(&file[..20]).is_err() && history(b"").is_err());
    }
}
