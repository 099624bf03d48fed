//! What an app may put instead of a file.

use super::*;
use rustix::fs::{CWD, FileType, Mode, mknodat};
use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::time::{Duration, Instant};

fn said(folder: &Path, name: &str, most: u64) -> String {
    match Folder::open(folder).unwrap().read(Path::new(name), most) {
        Ok(bytes) => format!("{} bytes", bytes.len()),
        Err(error) => error.to_string(),
    }
}

#[test]
fn a_plain_file_is_read_also_below() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir_all(folder.path().join("a/b")).unwrap();
    fs::write(folder.path().join("a/b/c"), "four").unwrap();
    assert_eq!(said(folder.path(), "a/b/c", 4), "4 bytes");
    assert_eq!(
        said(folder.path(), "a/b/c", 3),
        "a/b/c: has more than 3 bytes"
    );
    assert!(said(folder.path(), "a/../a/b/c", 4).contains("leaves its folder"));
    assert!(said(folder.path(), "/etc/passwd", 1 << 20).contains("leaves its folder"));
}

#[test]
fn what_only_looks_like_a_file_is_refused_at_once() {
    let (folder, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let secret = outside.path().join("secret");
    fs::write(&secret, "secret").unwrap();
    let at = |name: &str| folder.path().join(name);
    symlink(&secret, at("link")).unwrap();
    symlink(outside.path(), at("folder")).unwrap();
    fs::hard_link(&secret, at("hard")).unwrap();
    mknodat(CWD, at("pipe"), FileType::Fifo, Mode::RWXU, 0).unwrap();
    std::os::unix::net::UnixListener::bind(at("socket")).unwrap();
    fs::create_dir(at("sub")).unwrap();
    // Sparse: it takes no space here, and would take all memory.
    fs::File::create(at("huge"))
        .unwrap()
        .set_len(1 << 40)
        .unwrap();
    let start = Instant::now();
    for (name, why) in [
        ("link", "link: is a link"),
        ("hard", "hard: has another hard link"),
        ("pipe", "pipe: is not a regular file"),
        ("socket", "socket: is not a regular file"),
        ("sub", "sub: is not a regular file"),
        ("huge", "huge: has more than 1000 bytes"),
    ] {
        let said = said(folder.path(), name, 1000);
        assert!(said.starts_with(why), "{name}: {said}");
    }
    assert!(!said(folder.path(), "folder/secret", 1000).contains("bytes"));
    assert!(start.elapsed() < Duration::from_secs(300), "it hangs");
    let linked = at("linked");
    symlink(outside.path(), &linked).unwrap();
    assert!(Folder::open(&linked).is_err());
}

#[test]
fn a_file_that_is_swapped_for_a_link_all_the_time_never_leads_out() {
    let (folder, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    fs::write(outside.path().join("x"), "secret").unwrap();
    let (name, next) = (folder.path().join("x"), folder.path().join("next"));
    let stop = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !stop.load(std::sync::atomic::Ordering::Relaxed) {
                fs::write(&next, "own").unwrap();
                fs::rename(&next, &name).unwrap();
                symlink(outside.path().join("x"), &next).unwrap();
                fs::rename(&next, &name).unwrap();
            }
        });
        let opened = Folder::open(folder.path()).unwrap();
        for _ in 0..5000 {
            if let Ok(bytes) = opened.read(Path::new("x"), 100) {
                assert_ne!(bytes, b"secret");
            }
        }
        stop.store(true, std::sync::atomic::Ordering::Relaxed);
    });
}

#[test]
fn a_listing_has_an_end() {
    let folder = tempfile::tempdir().unwrap();
    for ix in 0..50 {
        fs::write(folder.path().join(ix.to_string()), "").unwrap();
    }
    let opened = Folder::open(folder.path()).unwrap();
    assert_eq!(opened.names(20).unwrap().len(), 20);
    assert_eq!(opened.names(100).unwrap().len(), 50);
}

#[test]
fn who_has_had_enough_waits_for_no_removal() {
    use std::cell::Cell;
    let base = tempfile::tempdir().unwrap();
    let folder = base.path().join("device");
    for sub in ["", "files", "files/deep"] {
        fs::create_dir(folder.join(sub)).unwrap();
        for ix in 0..300 {
            fs::write(folder.join(sub).join(format!("f{ix}")), "").unwrap();
        }
    }
    let asked = Cell::new(0);
    let soon = || asked.replace(asked.get() + 1) >= 100;
    let opened = Folder::open(&folder).unwrap();
    let error = opened.remove_unless("files".as_ref(), &soon).unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::Interrupted);
    assert!(asked.get() <= 102);
    let error = remove_folder_unless(&folder, &|| true).unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::Interrupted);
    let left = opened.names(1000).unwrap().len();
    assert_eq!(left, 301, "nothing beside it is touched");
    opened.remove("files".as_ref()).unwrap();
    remove_folder(&folder).unwrap();
    assert!(!folder.exists());
}

#[test]
fn a_folder_is_removed_however_deep_and_closed_it_is_and_nothing_beside_it() {
    let (base, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    fs::write(outside.path().join("thesis"), "years").unwrap();
    let folder = base.path().join("device");
    fs::create_dir(&folder).unwrap();
    // Deeper than open files allow to go down, and than a path may be long.
    let mut top = folder.join("n");
    fs::create_dir(&top).unwrap();
    for ix in 0..3000 {
        let over = folder.join(format!("o{ix}"));
        fs::create_dir(&over).unwrap();
        fs::rename(&top, over.join("n")).unwrap();
        top = over;
    }
    symlink(outside.path(), folder.join("link")).unwrap();
    fs::create_dir_all(folder.join("closed/within/it")).unwrap();
    symlink(outside.path(), folder.join("closed/within/link")).unwrap();
    fs::create_dir(folder.join(".doomed-1")).unwrap();
    fs::write(folder.join(".doomed-1/x"), "").unwrap();
    for closed in ["closed/within", "closed"] {
        fs::set_permissions(folder.join(closed), fs::Permissions::from_mode(0o000)).unwrap();
    }
    remove_folder(&folder).unwrap();
    assert!(!folder.exists() && outside.path().join("thesis").exists());
    // Nothing there is as good.
    remove_folder(&folder).unwrap();
}
