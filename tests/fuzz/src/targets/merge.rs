//! `merge`: a run of another machine, merged with a good one.

use super::hostile::{OUTSIDE, RUN, RUN_JVM, clear, lay_out, quick};
use crate::Target;
use droidtest::outcome::RunFolder;
use droidtest::run::local_files::LocalFiles;
use droidtest::run::merge::merge;
use std::fs;
use std::path::Path;

pub fn target() -> Target {
    let base = tempfile::tempdir_in(quick()).expect("a folder");
    let root = base.path().canonicalize().expect("a folder");
    Target {
        name: "merge",
        corpus: vec![RUN.into(), RUN_JVM.into()],
        words: &[
            "\n=== link sessions/shop-sim-random-1/journal.jsonl ../../../outside\n",
            "\n=== link sessions ..\n",
            "\n=== pipe sessions/shop-sim-random-1/journal.jsonl\n",
            "\n=== folder run.json\n",
            "\n=== gate-replays.json\n",
            "\"session\":\"../../x\"",
            "\"shard\":{\"by\":\"slice\",\"index\":1,\"count\":2}",
            "{\"e\":\"end\",",
            "null",
            "-1",
            "\u{1b}[2J",
        ],
        run: Box::new(move |bytes| {
            let _base = &base;
            clear(&root);
            let (given, good, out) = (root.join("given"), root.join("good"), root.join("out"));
            for (run, content) in [(&given, bytes), (&good, RUN)] {
                fs::create_dir(run).expect("a folder");
                lay_out(run, content);
            }
            fs::write(root.join("outside"), OUTSIDE).expect("a file");
            let runs = [RunFolder::at(&given), RunFolder::at(&good)];
            let alone = merge(&runs[..1], &out, &LocalFiles::default()).is_ok();
            if alone {
                inspect(&out);
                let _ = fs::remove_dir_all(&out);
            }
            if merge(&runs, &out, &LocalFiles::default()).is_ok() {
                inspect(&out);
                let _ = fs::remove_dir_all(&out);
            }
            let mut beside: Vec<_> = fs::read_dir(&root)
                .expect("a folder")
                .map(|entry| entry.expect("an entry").file_name())
                .collect();
            beside.sort();
            assert_eq!(
                beside,
                ["given", "good", "outside"],
                "written beside the run"
            );
            let kept = fs::read_to_string(root.join("outside")).expect("a file");
            assert_eq!(kept, OUTSIDE, "written outside the run");
            alone
        }),
    }
}

/// A merged run has plain files and folders only, and nothing from outside the runs.
fn inspect(folder: &Path) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let kind = path.symlink_metadata().expect("an entry").file_type();
        if kind.is_dir() {
            inspect(&path);
            continue;
        }
        assert!(kind.is_file(), "{}", path.display());
        let content = fs::read(&path).expect("a file");
        let text = String::from_utf8_lossy(&content);
        assert!(!text.contains(OUTSIDE), "{}", path.display());
    }
}
