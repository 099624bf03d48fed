use super::*;
use crate::trace::Step;

fn trace(package: &str, keys: &[u32]) -> Trace {
    Trace {
        app: AppRef {
            name: "a".into(),
            package: package.into(),
            content: "00".into(),
        },
        device: DeviceRef::default(),
        seed: 3,
        finding: None,
        steps: keys.iter().copied().map(Step::Key).collect(),
    }
}

#[test]
fn a_trace_is_added_once_whatever_build_it_was_recorded_with() {
    let folder = tempfile::tempdir().unwrap();
    let corpus = folder.path().join("corpus");
    assert_eq!(load_all(&corpus).unwrap(), []);
    let (first, new) = add(&corpus, trace("org.x", &[4, 3])).unwrap();
    assert!(new && first.file.starts_with("org.x"));
    let mut later = trace("org.x", &[4, 3]);
    later.app.content = "11".into();
    assert_eq!(add(&corpus, later).unwrap(), (first.clone(), false));
    let (second, new) = add(&corpus, trace("org.x", &[4])).unwrap();
    assert!(new);
    let mut both = vec![first.clone(), second];
    both.sort_by(|a, b| a.file.cmp(&b.file));
    assert_eq!(load_all(&corpus).unwrap(), both);
    remove(&corpus, &first).unwrap();
    assert_eq!(load_all(&corpus).unwrap().len(), 1);
}

#[test]
fn a_name_from_a_trace_leads_nowhere_else() {
    let folder = tempfile::tempdir().unwrap();
    let corpus = folder.path().join("corpus");
    add(&corpus, trace("../../etc/x", &[4])).unwrap();
    let above: Vec<_> = fs::read_dir(folder.path()).unwrap().collect();
    assert_eq!(above.len(), 1);
    assert_eq!(load_all(&corpus).unwrap().len(), 1);
}

#[test]
fn what_does_not_belong_there_is_named_with_the_fix() {
    let folder = tempfile::tempdir().unwrap();
    let corpus = folder.path();
    let (entry, _) = add(corpus, trace("org.x", &[4])).unwrap();
    let other = corpus.join("org.y");
    fs::create_dir(&other).unwrap();
    let moved = other.join("a.toml");
    fs::copy(corpus.join(&entry.file), &moved).unwrap();
    let why = load_all(corpus).unwrap_err().to_string();
    assert!(
        why.contains("a.toml is a trace of the app org.x: move it to the folder org.x"),
        "{why}"
    );
    fs::write(
        &moved,
        "version = 1\n[app]\npackage = \"org.y\"\n[[step]]\ndo = \"fly\"\n",
    )
    .unwrap();
    let why = load_all(corpus).unwrap_err();
    assert!(matches!(why, CorpusError::Trace(_)), "{why}");
    assert!(why.to_string().contains("fly"), "{why}");
    fs::remove_file(&moved).unwrap();
    fs::write(other.join("README.md"), "ours").unwrap();
    fs::write(corpus.join("README.md"), "ours").unwrap();
    assert_eq!(load_all(corpus).unwrap().len(), 1);
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("/etc/passwd", &moved).unwrap();
        let why = load_all(corpus).unwrap_err().to_string();
        assert!(why.contains("a.toml is not a plain file"), "{why}");
    }
}
