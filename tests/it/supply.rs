//! What others wrote and runs in a workflow is named by its commit: a tag can be moved to anything.

use crate::common::root;
use std::fs;
use std::path::PathBuf;

/// How a page writes our action.
const OURS: &str = "OWNER/cargo-droidtest@REF";

/// Files that may show or hold a step of a workflow.
fn pages() -> Vec<PathBuf> {
    let mut all = vec![root().join("action.yml"), root().join("README.md")];
    for folder in [
        ".github/workflows",
        "docs",
        "example-configs",
        "templates/ci",
        "templates/init",
    ] {
        // A package has no `.github`.
        let Ok(entries) = fs::read_dir(root().join(folder)) else {
            continue;
        };
        all.extend(entries.map(|entry| entry.unwrap().path()));
    }
    all.retain(|path| path.is_file());
    all
}

/// The action of a line, with what is written behind it.
fn used(line: &str) -> Option<(&str, &str)> {
    let rest = line.trim_start().trim_start_matches("- ");
    let rest = rest.strip_prefix("uses:")?.trim();
    Some(rest.split_once(' ').unwrap_or((rest, "")))
}

/// Why a line's action is not fixed.
fn loose(line: &str) -> Option<String> {
    let (action, behind) = used(line)?;
    // The template of `init` has the action of a flag, by default ours.
    if action == OURS || action == "{{" || action.starts_with("./") {
        return None;
    }
    let commit = action.rsplit_once('@').map_or("", |(_, commit)| commit);
    let hex = |b: u8| b.is_ascii_digit() || (b'a'..=b'f').contains(&b);
    if commit.len() != 40 || !commit.bytes().all(hex) {
        return Some(format!("{action} is named by no commit"));
    }
    let version = behind.trim().strip_prefix("# v").unwrap_or_default();
    let known =
        version.split('.').count() == 3 && version.starts_with(|c: char| c.is_ascii_digit());
    (!known).then(|| format!("{action} lacks its version, as in `# v1.2.3`"))
}

/// The steps and lists of a workflow that upload a run's folder, as blocks of lines.
fn uploads(text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().collect();
    let indent = |line: &str| line.len() - line.trim_start().len();
    let starts = |line: &str| {
        let line = line.trim_start();
        line.starts_with("artifacts:") || line.contains("actions/upload-artifact@")
    };
    let at = (0..lines.len()).filter(|ix| starts(lines[*ix]));
    at.map(|ix| {
        let own = indent(lines[ix]);
        // A step's other keys stand beside its `uses`, a list's entries below its name.
        let beside = usize::from(lines[ix].contains("uses:"));
        let inside = |line: &&&str| {
            line.trim().is_empty()
                || indent(line) + beside > own && !line[..].trim_start().starts_with("- uses")
        };
        let block = lines[ix + 1..].iter().take_while(inside).copied();
        std::iter::once(lines[ix])
            .chain(block)
            .collect::<Vec<_>>()
            .join("\n")
    })
    .collect()
}

#[test]
fn no_template_uploads_what_apps_wrote() {
    let mut seen = 0;
    for folder in ["templates/ci", "templates/init", "example-configs"] {
        for entry in fs::read_dir(root().join(folder)).unwrap() {
            let path = entry.unwrap().path();
            let text = fs::read_to_string(&path).unwrap_or_default();
            for upload in uploads(&text) {
                seen += 1;
                for folder in ["/logs/**", "/sessions/*/device/**"] {
                    let excludes = upload.lines().any(|line| {
                        let line = line.trim_start();
                        line.contains(folder)
                            && (line.starts_with('!') || line.starts_with("exclude:"))
                    });
                    assert!(excludes, "{}: {folder}: {upload}", path.display());
                }
            }
        }
    }
    assert!(seen >= 4, "{seen}");
}

#[test]
fn every_action_is_pinned_by_its_commit() {
    let mut seen = 0;
    let mut wrong = Vec::new();
    for path in pages() {
        let text = String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned();
        for (ix, line) in text.lines().enumerate() {
            seen += usize::from(used(line).is_some());
            if let Some(why) = loose(line) {
                wrong.push(format!("{}:{}: {why}", path.display(), ix + 1));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(seen >= 5, "only {seen} actions were seen");
}

#[test]
fn a_tag_a_branch_and_a_short_commit_are_found() {
    let commit = "34e114876b0b11c390a56381ad16ebd13914f8d5";
    assert!(loose(&format!("      - uses: a/b@{commit} # v4.3.1")).is_none());
    assert!(loose("    - uses: ./.github/actions/own").is_none() && loose("run: it").is_none());
    for bad in ["a/b@v4", "a/b@main", "a/b@34e1148 # v4.3.1", "a/b"] {
        assert!(loose(&format!("uses: {bad}")).is_some(), "{bad}");
    }
    assert!(loose(&format!("uses: a/b@{commit}")).is_some());
}
