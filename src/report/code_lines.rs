//! Where the code line of a finding is in the repository, for reports that point at files.

use crate::coverage::sources::{Repository, Sources};
use crate::outcome::RunInfo;
use std::collections::BTreeMap;

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
    repository: Repository,
    sources: BTreeMap<String, Sources>,
}

impl CodeLines {
    /// Of a run.
    pub fn new(info: &RunInfo) -> Self {
        let of = |app: &String| (app.clone(), Sources::of(info, app));
        Self {
            repository: Repository::of(info),
            sources: info.sources.keys().map(of).collect(),
        }
    }

    /// The line of an app's frame, `org.x.Main.run(Main.java:7)`; the first line of the suite's file if there is no frame or
    /// its file is not below the app's `sources`.
    pub fn of(&self, app: &str, frame: Option<&str>) -> CodeLine {
        let found = frame.and_then(|frame| self.find(app, frame));
        found.unwrap_or_else(|| CodeLine {
            file: self.repository.suite(),
            line: 1,
        })
    }

    fn find(&self, app: &str, frame: &str) -> Option<CodeLine> {
        let (package, file, line) = place(frame)?;
        let found = self.sources.get(app)?.find(package, file)?;
        let file = self.repository.relative(&found)?;
        Some(CodeLine { file, line })
    }
}

/// Package, file and line (1 if there is none) of a frame, `org.x.Main.run(Main.java:7)`.
pub fn place(frame: &str) -> Option<(&str, &str, u32)> {
    let (method, place) = frame.split_once('(')?;
    let place = place.trim_end_matches(')');
    let (file, line) = match place.split_once(':') {
        Some((file, line)) => (file, line.parse().ok().filter(|line| *line > 0)?),
        None => (place, 1),
    };
    let class = method.rsplit_once('.')?.0;
    let package = class.rsplit_once('.').map_or("", |(package, _)| package);
    Some((package, file, line))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::path::PathBuf;

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
