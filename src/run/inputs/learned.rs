//! The files that strategies load.

use crate::config::Suite;
use crate::config::diagnose::{Code, Problem};
use crate::config::source::Segment;
use crate::run::Plan;
use crate::strategy::definition::StartFile;
use std::io::ErrorKind;

/// Checks the files that strategies of the plan load.
pub(super) fn check(suite: &Suite, plan: &Plan, problems: &mut Vec<Problem>) {
    for (index, strategy) in suite.settings.strategies.iter().enumerate() {
        if !plan.entries.iter().any(|s| *s.strategy == *strategy) {
            continue;
        }
        for file in strategy.kind.files() {
            let Some(fault) = fault(suite, &file) else {
                continue;
            };
            let place: Vec<Segment> = [Segment::from("strategy"), Segment::from(index)]
                .into_iter()
                .chain(file.keys.iter().copied().map(Segment::from))
                .collect();
            let (what, path, name) = (file.what, file.path, strategy.name());
            let message = match path.as_str() {
                "" => format!("the {what} of the strategy `{name}` is an empty path"),
                path => format!("the {what} of the strategy `{name}`, {path}, {}", fault.is),
            };
            problems.push(
                Problem::new(fault.code, message)
                    .at(suite.place(&place, fault.label))
                    .help(fault.help.to_owned()),
            );
        }
    }
}

/// Why a path is not that of a file, nor of a folder where one is possible.
struct Fault {
    code: Code,
    is: String,
    label: &'static str,
    help: &'static str,
}

fn fault(suite: &Suite, file: &StartFile<'_>) -> Option<Fault> {
    if file.path.as_str().is_empty() {
        return Some(Fault {
            code: Code::BadFormat,
            is: String::new(),
            label: "empty",
            help: "write the path of a file, or delete the key",
        });
    }
    let bad = |is: String, label| Fault {
        code: Code::BadFile,
        is,
        label,
        help: match file.folder {
            true => file.missing,
            false => "name a file; relative paths start from the folder of the suite",
        },
    };
    let path = suite.on_disk(file.path);
    match std::fs::metadata(&path) {
        Ok(found) if found.is_file() || file.folder && found.is_dir() => None,
        Ok(found) if found.is_dir() => Some(bad("is a folder".to_owned(), "a folder")),
        Ok(_) => Some(bad(
            "is not a regular file".to_owned(),
            "not a regular file",
        )),
        // As if something above it were a folder.
        Err(e) if [ErrorKind::NotFound, ErrorKind::NotADirectory].contains(&e.kind()) => {
            Some(Fault {
                code: Code::MissingFile,
                is: "is missing".to_owned(),
                label: "not found",
                help: file.missing,
            })
        }
        Err(_) if path.is_symlink() => {
            Some(bad("is a link that leads nowhere".to_owned(), "a link"))
        }
        Err(e) => Some(bad(format!("cannot be opened: {e}"), "cannot be opened")),
    }
}
