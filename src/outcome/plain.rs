//! A run's folder may be another party's: before it is read, all in it must be a folder or a file of bounded size. A link
//! would copy another file of this machine into the reports, or write the reports elsewhere; a pipe would block them. This
//! look names what is wrong; what is read later is opened as [`foreign`] says, whatever it has become.

use crate::util::foreign::{self, LARGEST};
use crate::util::text::for_terminal;
use std::fs;
use std::io;
use std::path::Path;

/// No folder of a run lies deeper.
const DEEPEST: usize = 32;
/// What an app and its pages wrote, left by a run that was killed: nobody reads it.
const OF_THE_APP: [&str; 2] = ["device", "device-chromium"];

/// Rejects a run's folder with anything else in it.
///
/// # Errors
/// The first thing that is neither, by its name.
pub fn check(run: &Path) -> io::Result<()> {
    foreign::register(run)?;
    walk(run, run, 0)
}

fn walk(run: &Path, folder: &Path, depth: usize) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let found = fs::symlink_metadata(&path)?;
        let name = path.file_name().unwrap_or_default();
        let refused = |what: &str| {
            let shown = path.strip_prefix(run).unwrap_or(&path).to_string_lossy();
            let shown = for_terminal(&shown).into_owned();
            let why = format!("{shown} in the run's folder is {what}; remove it to continue");
            Err(io::Error::new(io::ErrorKind::InvalidData, why))
        };
        if found.is_dir() {
            if depth == 2 && OF_THE_APP.iter().any(|own| name == *own) {
                continue;
            }
            if depth == DEEPEST {
                return refused("a folder too deep for one");
            }
            walk(run, &path, depth + 1)?;
        } else if !found.is_file() {
            return refused(if found.is_symlink() {
                "a link"
            } else {
                "not a file"
            });
        } else if found.len() > LARGEST && name != "journal.jsonl" {
            // A journal is read line by line; every other file of a run is much shorter.
            return refused(&format!("over {} MiB", LARGEST >> 20));
        }
    }
    Ok(())
}

#[cfg(all(test, unix))]
mod tests {
    use super::super::folder::RunFolder;
    use super::*;
    use rustix::fs::{CWD, FileType, Mode, mknodat};
    use std::os::unix::fs::symlink;

    fn run(base: &Path) -> std::path::PathBuf {
        let run = base.join("run");
        fs::create_dir_all(run.join("sessions/a")).unwrap();
        fs::write(run.join("run.json"), "{}").unwrap();
        run
    }

    fn why(run: &Path) -> String {
        let error = RunFolder::find(run.parent().unwrap(), Some("run")).unwrap_err();
        error.to_string()
    }

    #[test]
    fn a_link_to_a_file_of_this_machine_is_refused() {
        let base = tempfile::tempdir().unwrap();
        let run = run(base.path());
        assert!(RunFolder::find(base.path(), Some("run")).is_ok());
        symlink("/etc/passwd", run.join("sessions/a/failed.txt")).unwrap();
        let why = why(&run);
        assert!(
            why.contains("sessions/a/failed.txt in the run's folder is a link"),
            "{why}"
        );
    }

    #[test]
    fn what_becomes_a_link_after_the_check_is_not_read() {
        let base = tempfile::tempdir().unwrap();
        let run = run(base.path());
        let found = RunFolder::find(base.path(), Some("run")).unwrap();
        assert!(found.info().is_ok());
        let secret = base.path().join("secret");
        fs::write(&secret, "{\"suite\": \"secret\"}").unwrap();
        fs::remove_file(run.join("run.json")).unwrap();
        symlink(&secret, run.join("run.json")).unwrap();
        let why = found.info().unwrap_err().to_string();
        assert!(why.contains("run.json: is a link"), "{why}");
    }

    #[test]
    fn a_pipe_is_refused_and_nobody_waits_for_it() {
        let base = tempfile::tempdir().unwrap();
        let run = run(base.path());
        let pipe = run.join("sessions/a/journal.jsonl");
        mknodat(CWD, &pipe, FileType::Fifo, Mode::RWXU, 0).unwrap();
        assert!(why(&run).contains("is not a file"));
    }

    #[test]
    fn a_folder_that_is_a_link_is_refused() {
        let base = tempfile::tempdir().unwrap();
        let run = run(base.path());
        symlink("/tmp", run.join("coverage")).unwrap();
        assert!(why(&run).contains("coverage in the run's folder is a link"));
    }

    #[test]
    fn a_file_without_end_is_refused() {
        let base = tempfile::tempdir().unwrap();
        let run = run(base.path());
        let file = fs::File::create(run.join("sessions/a/coverage.json")).unwrap();
        file.set_len(1 << 40).unwrap();
        assert!(why(&run).contains("over 256 MiB"));
    }

    #[test]
    fn what_an_app_left_in_its_own_folder_is_not_looked_at() {
        let base = tempfile::tempdir().unwrap();
        let run = run(base.path());
        for own in OF_THE_APP {
            let folder = run.join("sessions/a").join(own);
            fs::create_dir(&folder).unwrap();
            symlink("/etc/passwd", folder.join("x")).unwrap();
        }
        assert!(RunFolder::find(base.path(), Some("run")).is_ok());
    }
}
