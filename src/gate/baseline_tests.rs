use super::*;

const FILE: &str = "version = 1\n\n[[current]]\napp = \"notes\"\nfingerprint = \"v2:e55c2e3f01234567\"\n\
    exception = \"java.lang.Error\"\ntrace = \"traces/a.toml\"\nfirst-seen = \"2026-11-26\"\n\n\
    [[accepted]]\napp = \"notes\"\nfingerprint = \"v2:0123456789abcdef\"\nreason = \"vendor\"\nuntil = 2027-03-31\n";

fn parse(text: &str) -> Result<Baseline, BaselineError> {
    Baseline::parse(Path::new("folder/base.toml"), text)
}

fn why(text: &str) -> String {
    parse(text).unwrap_err().to_string()
}

#[test]
fn both_sections_are_read() {
    let read = parse(FILE).unwrap();
    assert_eq!(
        read.current[0].first_seen.unwrap().to_string(),
        "2026-11-26"
    );
    assert_eq!(read.accepted[0].until.unwrap().to_string(), "2027-03-31");
    assert!(!read.is_empty);
}

#[test]
fn a_missing_or_empty_file_is_an_empty_baseline() {
    let folder = tempfile::tempdir().unwrap();
    let missing = Baseline::read(&folder.path().join("none.toml")).unwrap();
    assert!(missing.is_missing && missing.is_empty && missing.current.is_empty());
    assert!(parse("\n").unwrap().is_empty && !parse("\n").unwrap().is_missing);
    assert!(parse("version = 1").unwrap().is_empty);
    assert!(parse("# ours\n").unwrap().is_empty);
    let error = Baseline::read(folder.path()).unwrap_err().to_string();
    assert!(error.starts_with("cannot read the baseline"), "{error}");
}

#[test]
fn errors_have_the_line_and_the_fix() {
    assert!(why("version = 1\n[[curent]]\n").starts_with("folder/base.toml:2: unknown field"));
    assert!(why("version = 1\n\nx y").starts_with("folder/base.toml:3: "));
    let newer = why("# ours\nversion = 7");
    assert!(newer.starts_with("folder/base.toml:2: the baseline has version 7"));
    assert!(newer.contains("gate init"), "{newer}");
    let twice = format!("{FILE}\n{}", &FILE[FILE.find("[[acc").unwrap()..]);
    let twice = why(&twice);
    assert!(twice.starts_with("folder/base.toml:16: the finding v2:0123456789abcdef of `notes`"));
    assert!(twice.ends_with("the first is at line 10: delete one of them"));
    let current = &FILE[FILE.find("[[current").unwrap()..FILE.find("[[acc").unwrap()];
    let accepted = current
        .replace("current", "accepted")
        .lines()
        .filter(|line| !line.starts_with("first-seen"))
        .fold("reason = \"x\"\n".to_owned(), |all, line| match line {
            "[[accepted]]" => format!("{line}\n{all}"),
            _ => format!("{all}{line}\n"),
        });
    let both = why(&format!("{FILE}\n{accepted}"));
    assert!(
        both.contains("second entry, in `[[accepted]]`; the first is at line 3"),
        "{both}"
    );
    let print = why(&FILE.replace("v2:e55c2e3f01234567", "e55c"));
    assert!(print.starts_with("folder/base.toml:3: `e55c` is not a fingerprint"));
    let upper = why(&FILE.replace("e55c2e3f01234567", "E55C2E3F01234567"));
    assert!(upper.contains("is not a fingerprint"), "{upper}");
    let lines = why("version = 1\n[[coverage]]\napp = \"a\"\nlines = nan\nevents = 1");
    assert!(lines.contains("write a percentage of 0 to 100"), "{lines}");
    let date = why(&FILE.replace("2026-11-26", "26.11.2026"));
    assert!(date.contains("26.11.2026 is not a date"), "{date}");
    let moved = why(&FILE.replace("[[accepted]]", "[[current]]"));
    assert!(
        moved.starts_with("folder/base.toml:10: `reason`, `owner` and `until` accept"),
        "{moved}"
    );
    let unreasoned = why(&FILE.replace("reason = \"vendor\"\n", ""));
    assert!(unreasoned.contains("write a `reason`"), "{unreasoned}");
    let undated = why(&FILE.replace("first-seen = \"2026-11-26\"\n", ""));
    assert!(undated.contains("write `first-seen`"), "{undated}");
    let none = why("[[current]]\napp = \"a\"");
    assert!(none.contains("missing field"), "{none}");
}

#[test]
fn a_trace_is_a_file_in_the_folder() {
    let folder = tempfile::tempdir().unwrap();
    let trace = |path: &str| {
        let text = FILE.replace("traces/a.toml", path);
        let read = Baseline::parse(&folder.path().join("base.toml"), &text).unwrap();
        read.traces().remove(0).2
    };
    fs::create_dir(folder.path().join("traces")).unwrap();
    fs::write(folder.path().join("traces/a.toml"), "").unwrap();
    assert_eq!(
        trace("traces/a.toml"),
        Ok(folder.path().join("traces/a.toml"))
    );
    assert_eq!(trace("b.toml").unwrap_err(), "b.toml is missing");
    for path in ["../a.toml", "/a.toml", "traces/../../a.toml"] {
        let why = trace(path).unwrap_err();
        assert!(why.ends_with("leaves the baseline's folder"), "{why}");
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("/etc/hostname", folder.path().join("link.toml")).unwrap();
        assert_eq!(trace("link.toml").unwrap_err(), "link.toml is a link");
    }
}
