//! The program under test, run in a folder of its own.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The program in this folder, with an empty environment and no input.
pub fn droidtest(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-droidtest"));
    command.env_clear().current_dir(folder).stdin(Stdio::null());
    command
}

/// How a program ended, and what it wrote.
pub struct Ended {
    /// Its exit code; -1 if a signal ended it.
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl Ended {
    /// Runs a program to its end.
    pub fn of(command: &mut Command) -> Self {
        let done = command.output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Self {
            code: done.status.code().unwrap_or(-1),
            out: text(done.stdout),
            err: text(done.stderr),
        }
    }

    /// Both outputs.
    pub fn all(&self) -> String {
        format!("{}{}", self.out, self.err)
    }

    /// The exit code and both outputs.
    pub fn parts(self) -> (i32, String, String) {
        (self.code, self.out, self.err)
    }
}

/// A folder to work in, removed at the end.
pub struct Desk {
    folder: tempfile::TempDir,
}

impl Desk {
    /// A folder with this suite.
    pub fn new(suite: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let desk = Self { folder };
        desk.write("droidtest.toml", suite);
        desk
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// A path in the folder.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder().join(name)
    }

    /// Writes a file, with the folders above it.
    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, bytes).unwrap();
        path
    }

    /// What a file holds.
    pub fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    /// The program with these arguments, split at spaces.
    pub fn command(&self, args: &str) -> Command {
        let mut command = droidtest(self.folder());
        command.args(args.split_whitespace());
        command
    }

    /// Runs the program with these arguments, split at spaces.
    pub fn tool(&self, args: &str) -> Ended {
        Ended::of(&mut self.command(args))
    }
}
