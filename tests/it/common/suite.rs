//! Loads a suite from a separate folder, as `run` would.

use std::fs;

use camino::Utf8PathBuf;
use droidtest::cli::shell::render;
use droidtest::config::{Override, Problems, Request, load};
use droidtest::run::{Inputs, Plan};

/// A suite with what is around it.
pub struct Case {
    folder: tempfile::TempDir,
    request: Request,
}

impl Case {
    /// A folder with nothing in it but a mark that ends the search for a suite.
    pub fn empty() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join(".git")).unwrap();
        let base = Utf8PathBuf::from_path_buf(folder.path().to_owned()).unwrap();
        let request = Request {
            base,
            ..Request::default()
        };
        Self { folder, request }
    }

    /// A folder with this suite.
    pub fn new(suite: &str) -> Self {
        Self::empty().file("droidtest.toml", suite)
    }

    /// A folder with these bytes for a suite.
    pub fn bytes(suite: &[u8]) -> Self {
        Self::empty().file("droidtest.toml", suite)
    }

    /// With another file.
    pub fn file(self, name: &str, text: impl AsRef<[u8]>) -> Self {
        let path = self.folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
        self
    }

    /// With a link.
    #[cfg(unix)]
    pub fn link(self, name: &str, to: &str) -> Self {
        std::os::unix::fs::symlink(to, self.folder.path().join(name)).unwrap();
        self
    }

    /// As if `--suite` were given.
    pub fn named(mut self, name: &str) -> Self {
        self.request.suite = Some(name.into());
        self
    }

    /// As if `--profile` were given.
    pub fn profile(mut self, name: &str) -> Self {
        self.request.profile = Some(name.to_owned());
        self
    }

    /// With a variable in the environment.
    pub fn env(mut self, name: &str, value: &str) -> Self {
        self.request.env.insert(name.to_owned(), value.to_owned());
        self
    }

    /// With a flag.
    pub fn flag(
        mut self,
        flag: &str,
        written: &str,
        key: &str,
        value: impl Into<toml::Value>,
    ) -> Self {
        self.request
            .overrides
            .push(Override::new(flag, written, key, value));
        self
    }

    /// As if the program were started in this folder.
    pub fn within(mut self, folder: &str) -> Self {
        self.request.base.push(folder);
        self
    }

    /// What to load.
    pub fn request(&self) -> &Request {
        &self.request
    }

    /// All that is wrong: what `run` would say before it starts anything.
    pub fn problems(&self) -> Option<Problems> {
        let all = || {
            let suite = load(&self.request)?;
            let plan = Plan::new(&suite)?;
            Inputs::gather(&suite, &plan, &self.request.env)
        };
        all().err()
    }

    /// The same as it is printed, with the exit code.
    pub fn reported(&self) -> String {
        self.told_if_wrong().expect("something is wrong")
    }

    /// The same, if anything is wrong.
    pub fn told_if_wrong(&self) -> Option<String> {
        let problems = self.problems()?;
        let mut text = vec![format!("exit code {}\n", problems.exit_code().code())];
        text.extend(problems.iter().map(|problem| render(problem, false)));
        let base = self.request.base.as_str();
        let text = text.join("\n").replace(base, "[folder]");
        // What cargo says is cargo's, and changes with its version.
        Some(match text.split_once("cargo says: ") {
            Some((before, _)) => format!("{before}cargo says: ..."),
            None => text,
        })
    }
}
