//! The profile for macOS's `sandbox-exec`, which enforces a program's rules.

use super::confine::Rules;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// The program that takes a profile.
const PROGRAM: &str = "/usr/bin/sandbox-exec";

/// Rules that every program needs: its libraries, the kernel's parameters, the names of a file's parent folders.
const BASE: &str = "\
(version 1)
(deny default)
(import \"system.sb\")
(allow sysctl-read)
(allow file-read-metadata)
(allow signal (target self))
(allow file-read* file-write-data (literal \"/dev/null\"))
";

/// The prefix of a program's command line.
pub fn prefix(rules: &Rules) -> [String; 3] {
    [PROGRAM.to_owned(), "-p".to_owned(), profile(rules)]
}

/// The rules as a profile. Everything else is denied: files, programs, other processes, and all network access except
/// inherited sockets.
fn profile(rules: &Rules) -> String {
    let mut text = BASE.to_owned();
    let mut allow = |what: &str, paths: &[PathBuf]| {
        for path in paths.iter().flat_map(|path| spellings(path)) {
            let _ = writeln!(text, "(allow {what} (subpath {}))", quoted(&path));
        }
    };
    allow("file-read*", &rules.read);
    allow("file-read* process-exec", &rules.execute);
    allow("file-read* file-write*", &rules.write);
    if rules.processes {
        text.push_str("(allow process-fork)\n");
    }
    if rules.network {
        text.push_str("(allow network*)\n");
    }
    text
}

/// The path as written, and as the kernel sees it: `/tmp` and `/var` are links.
fn spellings(path: &Path) -> Vec<PathBuf> {
    let mut all = vec![path.to_owned()];
    all.extend(path.canonicalize().ok().filter(|real| real != path));
    all
}

fn quoted(path: &Path) -> String {
    let text = path.to_string_lossy();
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_named_is_refused() {
        let rules = Rules {
            read: vec!["/jdk".into()],
            write: vec!["/device".into()],
            execute: vec!["/jdk/bin/java".into()],
            ..Rules::default()
        };
        let [program, flag, text] = prefix(&rules);
        assert_eq!((&*program, &*flag), (PROGRAM, "-p"));
        let own = text.strip_prefix(BASE).unwrap();
        assert_eq!(
            own,
            "(allow file-read* (subpath \"/jdk\"))\n\
             (allow file-read* process-exec (subpath \"/jdk/bin/java\"))\n\
             (allow file-read* file-write* (subpath \"/device\"))\n"
        );
        assert!(text.contains("(deny default)"));
        let open = Rules {
            network: true,
            processes: true,
            ..Rules::default()
        };
        let open = profile(&open);
        assert!(open.ends_with("(allow process-fork)\n(allow network*)\n"));
    }

    #[test]
    fn a_path_gives_no_rules_of_its_own() {
        let rules = Rules {
            read: vec!["/a\")) (allow default) (\"\\".into()],
            ..Rules::default()
        };
        let text = profile(&rules);
        assert!(
            text.ends_with("(subpath \"/a\\\")) (allow default) (\\\"\\\\\"))\n"),
            "{text}"
        );
    }

    #[cfg(unix)]
    #[test]
    fn where_a_link_leads_is_named_too() {
        let folder = tempfile::tempdir().unwrap();
        let real = folder.path().canonicalize().unwrap().join("real");
        std::fs::create_dir(&real).unwrap();
        let link = folder.path().join("link");
        std::os::unix::fs::symlink(&real, &link).unwrap();
        assert_eq!(spellings(&link), [link.clone(), real]);
    }
}
