//! Where the code line of a finding is in the repository, for reports that point at files.

use crate::coverage::sources::Sources;
use crate::outcome::RunInfo;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The suite's file where a run does not name it.
const SUITE: &str = "droidtest.toml";

/// A line of a file of the repository.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CodeLine {
    /// The file, relative to the repository, with `/`.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
}

/// The sources of a run's apps.
#[derive(Clone, Debug)]
pub struct CodeLines {
    root: PathBuf,
    suite: String,
    sources: BTreeMap<String, Sources>,
}

impl CodeLines {
    /// Of a run. The repository is the nearest folder above the suite's file that has a `.git`, else the suite's folder.
    pub fn new(info: &RunInfo) -> Self {
        let file = PathBuf::from(info.file.as_deref().unwrap_or(SUITE));
        let folder = file.parent().unwrap_or(Path::new(""));
        let folder = match folder.ends_with(".config") {
            true => folder.parent().unwrap_or(folder),
            false => folder,
        };
        let mut above = folder.ancestors();
        let root = above.find(|folder| folder.join(".git").exists());
        let root = root.unwrap_or(folder).to_owned();
        let suite = below(&root, &file).unwrap_or_else(|| SUITE.to_owned());
        let sources = info.sources.iter().map(|(app, folders)| {
            let folders = folders.iter().map(PathBuf::from).collect();
            (app.clone(), Sources::new(folders))
        });
        Self {
            suite,
            sources: sources.collect(),
            root,
        }
    }

    /// The line of an app's frame, `org.x.Main.run(Main.java:7)`; the first line of the suite's file if there is no frame or
    /// its file is not below the app's `sources`.
    pub fn of(&self, app: &str, frame: Option<&str>) -> CodeLine {
        let found = frame.and_then(|frame| self.find(app, frame));
        found.unwrap_or_else(|| CodeLine {
            file: self.suite.clone(),
            line: 1,
        })
    }

    fn find(&self, app: &str, frame: &str) -> Option<CodeLine> {
        let (method, place) = frame.split_once('(')?;
        let (file, line) = match place.trim_end_matches(')').split_once(':') {
            Some((file, line)) => (file, line.parse().ok().filter(|line| *line > 0)?),
            None => (place.trim_end_matches(')'), 1),
        };
        let class = method.rsplit_once('.')?.0;
        let package = class.rsplit_once('.').map_or("", |(package, _)| package);
        let found = self.sources.get(app)?.find(package, file)?;
        let file = below(&self.root, &std::path::absolute(found).ok()?)?;
        Some(CodeLine { file, line })
    }
}

/// A path relative to a folder that it is in, with `/`.
fn below(root: &Path, path: &Path) -> Option<String> {
    let path = path.strip_prefix(root).ok()?;
    let parts: Vec<_> = path.iter().map(|part| part.to_string_lossy()).collect();
    (!parts.is_empty()).then(|| parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_frame_leads_to_its_file_and_anything_else_to_the_suite() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let write = |name: &str| {
            fs::create_dir_all(path(name).parent().unwrap()).unwrap();
            fs::write(path(name), "").unwrap();
        };
        for file in [
            "app/java/org/x/Main.java",
            "app/kotlin/ui/Page.kt",
            "secret.java",
        ] {
            write(file);
        }
        fs::create_dir_all(path(".git")).unwrap();
        let text = |path: PathBuf| path.to_str().unwrap().to_owned();
        let info = RunInfo {
            file: Some(text(path("ci/droidtest.toml"))),
            sources: [(
                "notes".to_owned(),
                vec![text(path("app/java")), text(path("app/kotlin"))],
            )]
            .into(),
            ..RunInfo::default()
        };
        let lines = CodeLines::new(&info);
        let of = |app: &str, frame: &str| {
            let line = lines.of(app, Some(frame));
            (line.file, line.line)
        };
        let suite = ("ci/droidtest.toml".to_owned(), 1);
        let main = "org.x.Main.run(Main.java:42)";
        assert_eq!(of("notes", main), ("app/java/org/x/Main.java".into(), 42));
        assert_eq!(
            of("notes", "org.x.ui.PageKt$show$1.invoke(Page.kt:7)"),
            ("app/kotlin/ui/Page.kt".into(), 7),
            "Kotlin may leave out the folders of the common package"
        );
        assert_eq!(of("shop", main), suite);
        for other in [
            "org.x.Other.run(Other.java:3)",
            "org.x.Main.run(Main.java:0)",
            "org.x.Main.run(Main.java:many)",
            "org.x.Main.run(../../../../secret.java:1)",
            "run(Unknown Source)",
            "main",
            "",
        ] {
            assert_eq!(of("notes", other), suite, "{other}");
        }
        assert_eq!(lines.of("notes", None).file, suite.0);
    }
}
