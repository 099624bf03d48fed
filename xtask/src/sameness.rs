//! Equal events and pages in two fresh processes with one seed?

use crate::study::{self, Study, name};
use crate::{Result, sh};
use std::fs;
use std::path::Path;

pub fn run(args: &[String]) -> Result {
    let files = study::apks(study::folder(args)?)?;
    let events = sh::number(args, "--events", 300)?;
    let jobs = usize::try_from(sh::number(args, "--jobs", 2)?).unwrap_or(1);
    let fresh = args.iter().any(|a| a == "--fresh");
    let tool = sh::build_tool()?;
    let study = |round: u32| Study {
        name: format!("sameness-{events}-{round}"),
        strategy: "kind = \"random\"".into(),
        events,
        plateau: None,
        seed: 1,
        screenshots: false,
    };
    let first = study(1).run(&tool, &files, jobs, fresh)?;
    let second = study(2).run(&tool, &files, jobs, fresh)?;
    let (mut launched, mut same) = (0, 0);
    for (a, b) in first.iter().zip(&second) {
        let (a_steps, b_steps) = (steps(&a.folder), steps(&b.folder));
        if a_steps.is_empty() || b_steps.is_empty() {
            println!("{:<60} not launched", name(&a.file));
            continue;
        }
        launched += 1;
        match a_steps.iter().zip(&b_steps).position(|(x, y)| x != y) {
            None if a_steps.len() == b_steps.len() => {
                same += 1;
                println!("{:<60} equal over {} events", name(&a.file), a_steps.len());
            }
            at => {
                let at = at.unwrap_or(a_steps.len().min(b_steps.len()));
                println!("{:<60} differs from event {}", name(&a.file), at + 1);
            }
        }
    }
    println!("\n{same} of {launched} launched apps gave equal events and pages twice.");
    Ok(())
}

/// What each step did and where it led: the step lines less coverage, which background threads may time otherwise.
fn steps(folder: &Path) -> Vec<String> {
    let Ok(sessions) = fs::read_dir(folder.join("sessions")) else {
        return Vec::new();
    };
    let Some(session) = sessions.filter_map(std::result::Result::ok).next() else {
        return Vec::new();
    };
    let text = fs::read_to_string(session.path().join("journal.jsonl")).unwrap_or_default();
    text.lines()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
        .filter(|line| line["e"] == "step")
        .map(|mut line| {
            if let Some(fields) = line.as_object_mut() {
                for key in ["probes", "changed", "reward"] {
                    fields.remove(key);
                }
            }
            line.to_string()
        })
        .collect()
}
