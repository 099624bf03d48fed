use super::*;

fn policy() -> PolicyFile {
    PolicyFile {
        strategy: "q-learning".into(),
        about: Map::from_iter([("places".to_owned(), Value::from(vec!["a", "b\n"]))]),
        history: vec![Lesson {
            session: "s".into(),
            seed: 7,
            ..Lesson::default()
        }],
        tensors: BTreeMap::from([
            ("x".into(), vec![1.0, -0.5].into()),
            ("empty".into(), vec![].into()),
        ]),
    }
}

fn written(policy: &PolicyFile) -> Vec<u8> {
    let mut bytes = Vec::new();
    policy.write(&mut bytes).unwrap();
    bytes
}

fn read(mut bytes: &[u8]) -> Result<PolicyFile, String> {
    PolicyFile::read(&mut bytes, "q-learning").map_err(|e| e.to_string())
}

/// A file with this header and one number.
fn with_header(header: &str) -> Vec<u8> {
    let metadata = HashMap::from([("droidtest".to_owned(), header.to_owned())]);
    let number = 0.5_f32.to_le_bytes();
    let view = TensorView::new(Dtype::F32, vec![1], &number).unwrap();
    safetensors::serialize([("x", view)], &Some(metadata)).unwrap()
}

#[test]
fn it_comes_back_as_it_was_and_in_the_same_bytes() {
    assert_eq!(written(&policy()), written(&policy()));
    assert_eq!(read(&written(&policy())), Ok(policy()));
    let nothing = PolicyFile {
        tensors: BTreeMap::new(),
        ..policy()
    };
    assert_eq!(read(&written(&nothing)), Ok(nothing));
}

#[test]
fn what_is_cut_short_or_not_finite_is_refused() {
    let mut bytes = written(&policy());
    let error = |bytes: &[u8]| read(bytes).unwrap_err();
    assert!(error(b"").contains("it is empty"), "{}", error(b""));
    for end in [7, 20, bytes.len() - 1] {
        let error = error(&bytes[..end]);
        assert!(error.contains("it is cut off"), "{end}: {error}");
    }
    let junk = error(b"once upon a time, in a land far away");
    assert!(junk.contains("it is something else"), "{junk}");
    bytes.extend(b"xx");
    assert!(error(&bytes).contains("at its end"), "{}", error(&bytes));
    let mut bad = policy();
    bad.tensors.insert("x".into(), vec![f32::NAN].into());
    assert!(error(&written(&bad)).contains("not finite"));
}

#[test]
fn another_strategys_and_a_later_version_are_named() {
    let error = |header: &str| read(&with_header(header)).unwrap_err();
    let other = error(r#"{"version":2,"strategy":"dinodroid","history":[],"about":{}}"#);
    assert_eq!(
        other,
        "strategy: the policy's is dinodroid, the suite's is q-learning"
    );
    let later = error(r#"{"version":3,"strategy":"q-learning","history":[],"about":{}}"#);
    assert!(later.contains("version 3"), "{later}");
    assert!(error(r#"{"strategy":"q-learning"}"#).contains("no version"));
    for nobody in [r#"{"version":2,"history":[],"about":{}}"#, "[1]", "\"x\""] {
        assert!(error(nobody).contains("names no strategy"), "{nobody}");
    }
}

#[test]
fn files_of_the_first_version_are_read() {
    let lesson = |content: &str| Lesson {
        session: "s".into(),
        content: content.into(),
        ..Lesson::default()
    };
    let table = r#"{"version":"1","strategy":"q-learning","places":"[\"a\"]","strings":"[]","choices":"10",
                    "table":"by widget","history":"[\"s\"]","contents":"[\"c0ffee\"]"}"#;
    let table = read(&with_header(table)).unwrap();
    assert_eq!(table.about::<Vec<String>>("places").unwrap(), ["a"]);
    assert_eq!(table.about::<u64>("choices").unwrap(), 10);
    assert_eq!(table.about::<String>("table").unwrap(), "by widget");
    assert_eq!(table.history, [lesson("c0ffee")]);
    // Before contents were kept.
    let older = r#"{"version":"1","strategy":"q-learning","history":"[\"s\"]"}"#;
    assert_eq!(read(&with_header(older)).unwrap().history, [lesson("")]);

    // What another program has spoiled.
    for (texts, word) in [
        (
            r#""history":"[\"s\"]","contents":"[]""#,
            "of 1 sessions, its contents of 0",
        ),
        (r#""history":"[]","choices":"-1""#, "its `choices`"),
    ] {
        let spoiled = format!(r#"{{"version":"1","strategy":"q-learning",{texts}}}"#);
        let error = read(&with_header(&spoiled)).unwrap_err();
        assert!(error.contains(word), "{error}");
    }

    let network = r#"{"version":1,"strategy":"q-learning","encoding":"raw","history":[
                      {"session":"s","package":"p","content":"c","seed":3,"steps":4}]}"#;
    let network = read(&with_header(network)).unwrap();
    assert_eq!(network.about::<String>("encoding").unwrap(), "raw");
    assert_eq!((network.history[0].seed, network.history[0].steps), (3, 4));
}
