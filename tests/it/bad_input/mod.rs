//! Files that are not what they should be, and pages of sizes that no designer meant, through the program: a clear
//! error with place and fix, or a session that completes with complete reports. `docs/reliability.md` lists them.

mod apps;
mod dumps;
mod engine;
mod learned;
mod pages;
mod traces;
mod training;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What the program said.
struct Said {
    code: i32,
    out: String,
    err: String,
}

/// A folder to work in.
struct Desk {
    folder: tempfile::TempDir,
}

impl Desk {
    /// A folder with this suite.
    fn new(suite: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let desk = Self { folder };
        desk.write("droidtest.toml", suite);
        desk
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        fs::write(self.path(name), bytes).unwrap();
    }

    fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    fn tool(&self, args: &str) -> Said {
        self.tool_with(args, &[])
    }

    /// With these variables in the environment, and no others.
    fn tool_with(&self, args: &str, env: &[(&str, &Path)]) -> Said {
        let out = Command::new(env!("CARGO_BIN_EXE_cargo-droidtest"))
            .env_clear()
            .envs(env.iter().copied())
            .current_dir(self.folder.path())
            .args(args.split_whitespace())
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Said {
            code: out.status.code().unwrap_or(-1),
            out: text(out.stdout),
            err: text(out.stderr),
        }
    }

    /// What the program says when it refuses: all these words, in lines that a person can read.
    fn refused(&self, args: &str, words: &[&str]) -> String {
        let said = self.tool(args);
        let all = format!("{}{}", said.out, said.err);
        assert_eq!(said.code, 96, "{args}: {all:.3000}");
        assert!(all.len() < 6000, "{args}: {} bytes", all.len());
        // The lines are wrapped, some with a bar before them.
        let plain = all.replace(['│', '\n'], " ");
        let plain = plain.split_whitespace().collect::<Vec<_>>().join(" ");
        for word in words {
            assert!(plain.contains(word), "{args}: no `{word}` in:\n{all}");
        }
        plain
    }
}
