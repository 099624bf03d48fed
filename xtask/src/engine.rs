//! libtorch for a build with the feature `tch` from this clone: in the user's cache, and linked where `.cargo/config.toml` says.

#[path = "../../src/util/cache_folder.rs"]
pub mod cache_folder;
use crate::{Result, libtorch, sh};
use libtorch::{DOWNLOAD, Listener};
use std::fs;
use std::io::{self, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// Sees to it that cargo finds a libtorch; does nothing if the user brings one or it lies there already.
pub fn prepare() -> Result {
    if let Some(name) = libtorch::own().filter(|_| !ours()) {
        if let ("LIBTORCH", Some(folder)) = (name, std::env::var_os(name)) {
            libtorch::examine(Path::new(&folder))?;
        }
        return note(&format!("{name} is set: libtorch is not downloaded"));
    }
    let cache = cache_folder::cache_folder()?;
    let terminal = Terminal::default();
    let folder = libtorch::ensure(&cache, offline(), &terminal);
    terminal.end();
    point(&link(), &folder?)
}

/// Cargo gives what `.cargo/config.toml` sets to the programs it runs, us too.
fn ours() -> bool {
    std::env::var_os("LIBTORCH_USE_PYTORCH").is_none()
        && std::env::var_os("LIBTORCH").is_some_and(|v| link() == *v)
}

fn offline() -> bool {
    std::env::var_os("CARGO_NET_OFFLINE").is_some_and(|v| v == "true")
}

fn link() -> PathBuf {
    sh::root().join(".cargo").join("libtorch")
}

/// Makes `link` lead to `folder`.
fn point(link: &Path, folder: &Path) -> Result {
    if fs::read_link(link).is_ok_and(|to| to == folder) {
        return Ok(());
    }
    let failed = |e: io::Error| {
        format!(
            "cannot link {} to {}: {e}; set LIBTORCH to the latter",
            link.display(),
            folder.display()
        )
    };
    if link.symlink_metadata().is_ok() {
        fs::remove_file(link).map_err(failed)?;
    }
    #[cfg(unix)]
    std::os::unix::fs::symlink(folder, link).map_err(failed)?;
    #[cfg(not(unix))]
    return Err(failed(io::ErrorKind::Unsupported.into()));
    note(&format!("libtorch {} is ready", libtorch::VERSION))
}

fn note(text: &str) -> Result {
    eprintln!("xtask: {text}");
    Ok(())
}

/// A line on stderr that counts megabytes; without a terminal, one line in all.
#[derive(Default)]
struct Terminal {
    last: AtomicU64,
}

impl Terminal {
    fn say(&self, text: &str) {
        let mut stderr = io::stderr().lock();
        let _ = if stderr.is_terminal() {
            write!(stderr, "\r\x1b[Kxtask: {text}")
        } else {
            writeln!(stderr, "xtask: {text}")
        };
        let _ = stderr.flush();
    }

    /// Ends the line, if one was started.
    fn end(&self) {
        if self.last.load(Ordering::Relaxed) > 0 && io::stderr().is_terminal() {
            eprintln!();
        }
    }
}

impl Listener for Terminal {
    fn fetched(&self, bytes: u64) {
        let first = self.last.swap(bytes.max(1), Ordering::Relaxed) == 0;
        if first || io::stderr().is_terminal() {
            let (done, all) = (bytes >> 20, DOWNLOAD >> 20);
            self.say(&format!("downloading libtorch: {done} of {all} MB"));
        }
    }

    fn unpacking(&self) {
        self.say("unpacking libtorch");
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_link_to_an_older_libtorch_is_mended() {
        let folder = std::env::temp_dir().join(format!("xtask-engine-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let link = folder.join("link");
        point(&link, Path::new("/old")).unwrap();
        point(&link, Path::new("/new")).unwrap();
        assert_eq!(fs::read_link(&link).unwrap(), Path::new("/new"));
        fs::remove_dir_all(&folder).unwrap();
    }
}
