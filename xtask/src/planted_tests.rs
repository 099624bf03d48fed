use super::*;

fn truth() -> Vec<Planted> {
    planted(&read(&super::truth("notes")).unwrap()).unwrap()
}

fn handed(planted: usize, steps: u64) -> Found {
    Found {
        planted,
        steps: Some(steps),
        again: (5, 5),
    }
}

/// A seed that found the first so many, each by the fewest steps.
fn row(truth: &[Planted], count: usize) -> Row {
    let least = |place: usize| handed(place, truth[place].least);
    Row {
        seed: 1,
        dinodroid: (0..count).map(least).collect(),
        random: (0..3).map(least).collect(),
    }
}

#[test]
fn the_ground_truth_is_read_whole() {
    let truth = truth();
    let text = read(&super::truth("notes")).unwrap();
    assert_eq!(truth.len(), text.matches("\n[[crash]]\n").count());
    assert!(truth.len() >= 14, "{}", truth.len());
    let anr = truth.iter().find(|p| p.id == "statistics-anr").unwrap();
    assert_eq!(
        (anr.exception.as_str(), anr.least, anr.flaky),
        ("ANR", 5, false)
    );
    assert!(planted("# nothing").is_err());
    assert!(planted("\n[[crash]]\nid = \"a\"\n").is_err());
}

#[test]
fn a_sample_app_is_explored_alone_with_what_its_suite_says() {
    let sampled = |args: &[&str]| {
        let args: Vec<String> = args.iter().map(ToString::to_string).collect();
        sample(&args)
    };
    assert!(sampled(&["--app", "other"]).is_err());
    for (given, name) in [(&[][..], "notes"), (&["--app", "pantry"][..], "pantry")] {
        let (app, suite) = sampled(given).unwrap();
        assert_eq!(app, name);
        let demo = read(&sh::root().join(suite)).unwrap();
        let lesson = Lesson {
            base: Path::new("."),
            app,
            demo: &demo,
            strategy: "random",
            events: 9,
            seed: 3,
        };
        let minimizes = |lesson: &Lesson| {
            let made: Table = lesson.toml().unwrap().parse().unwrap();
            made["minimize"]["enabled"].as_bool()
        };
        assert_eq!(minimizes(&lesson), Some(false));
        let made: Table = lesson.toml().unwrap().parse().unwrap();
        assert_eq!(made["suite"]["seeds"], Toml::Array(vec![Toml::Integer(3)]));
        assert_eq!(made["suite"]["budget"]["events"], Toml::Integer(9));
        assert_eq!(made["strategy"][0]["kind"].as_str(), Some("random"));
        let apps = made["app"].as_array().unwrap();
        assert_eq!(apps.len(), 1);
        assert!(Path::new(apps[0]["apk"].as_str().unwrap()).is_file());
        assert!(truth_of(app).len() >= 16);
        let rate = made["faults"]["rate"].as_float().unwrap();
        assert_eq!(rate > 0.0, name == "pantry");
        let dinodroid = Lesson {
            strategy: "dinodroid",
            ..lesson
        };
        assert_eq!(minimizes(&dinodroid), Some(true));
        let empty = Lesson {
            demo: "[suite]",
            ..lesson
        };
        assert!(empty.toml().is_err());
    }
}

fn truth_of(app: &str) -> Vec<Planted> {
    planted(&read(&super::truth(app)).unwrap()).unwrap()
}

#[test]
fn a_finding_is_the_planted_crash_of_its_exception_and_frame() {
    let truth = truth();
    let which = |kind: &str, exception: &str, frame: &str| {
        let finding = serde_json::json!({"kind": kind, "exception": exception, "frame": frame});
        let found = truth.iter().find(|planted| planted.is(&finding));
        found.map(|planted| planted.id.as_str())
    };
    let notes = "org.droidtest.notes";
    let date = "java.time.DateTimeException";
    let month = format!("{notes}.WizardActivity.everyMonth(WizardActivity.java:7)");
    assert_eq!(which("java-crash", date, &month), Some("monthly-31"));
    assert_eq!(which("java-crash", "java.lang.Error", &month), None);
    assert_eq!(which("anr", date, &month), None);
    let later = format!("{notes}.WizardActivity.everyMonths");
    assert_eq!(which("java-crash", date, &later), None);
    let slow = format!("{notes}.BoardsActivity.recalculate(BoardsActivity.java:1)");
    assert_eq!(which("anr", "", &slow), Some("statistics-anr"));
}

#[test]
fn a_session_is_read_from_its_findings() {
    let truth = truth();
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(found(folder.path(), &truth), Ok(Vec::new()));
    let write = |id: &str, exception: &str, frame: &str, result: Option<&str>| {
        let own = folder.path().join("findings").join(id);
        fs::create_dir_all(&own).unwrap();
        let finding = serde_json::json!({
            "kind": "java-crash", "exception": exception,
            "frame": format!("org.droidtest.notes.{frame}(X.java:1)"),
        });
        fs::write(own.join("finding.json"), finding.to_string()).unwrap();
        if let Some(result) = result {
            fs::write(own.join("reproduction.json"), result).unwrap();
        }
    };
    let sort = (
        "java.lang.NullPointerException",
        "NotesActivity.compareTags",
    );
    let short = r#"{"steps":["a","b"],"minimality":"one-minimal","reproduced":5,"of":5}"#;
    let long = r#"{"steps":["a","b","c"],"minimality":"budget","reproduced":4,"of":5}"#;
    let lost = r#"{"steps":["a"],"minimality":"not-reproduced","reproduced":0,"of":5}"#;
    write("a", sort.0, sort.1, Some(long));
    write("b", sort.0, sort.1, Some(short));
    write("c", sort.0, sort.1, Some(lost));
    write(
        "d",
        "java.lang.IndexOutOfBoundsException",
        "NotesActivity.leaveSearch",
        None,
    );
    write(
        "e",
        "java.lang.NullPointerException",
        "NotesActivity.other",
        Some(short),
    );
    let back = Found {
        planted: 1,
        steps: None,
        again: (0, 0),
    };
    assert_eq!(found(folder.path(), &truth), Ok(vec![handed(0, 2), back]));
}

#[test]
fn each_target_is_told_where_it_is_missed() {
    let truth = truth();
    let good = || {
        vec![
            row(&truth, 7),
            row(&truth, 9),
            row(&truth, 9),
            row(&truth, 7),
        ]
    };
    assert_eq!(missed(&good(), &truth), [""; 0]);
    let one = |rows: Vec<Row>| {
        let mut missed = missed(&rows, &truth);
        assert_eq!(missed.len(), 1, "{missed:?}");
        missed.remove(0)
    };
    let few = vec![row(&truth, 7), row(&truth, 8), row(&truth, 7)];
    assert!(one(few).contains("finds 7 planted crashes; the target is 8"));
    let mut no_more = good();
    no_more
        .iter_mut()
        .for_each(|r| r.random = row(&truth, 8).dinodroid);
    assert!(one(no_more).contains("no more than random's 8"));
    let mut open = good();
    open[0].dinodroid[0].steps = None;
    assert!(one(open).contains("1 found planted crashes are not minimized"));
    let mut long = good();
    // Of 32: one event more than the least is short, four that are longer are too many.
    long[0].dinodroid[0].steps = Some(truth[0].least + 1);
    (0..3).for_each(|at| long[1].dinodroid[at].steps = Some(truth[at].least + 2));
    assert_eq!(missed(&long, &truth), [""; 0]);
    long[1].dinodroid[3].steps = Some(truth[3].least + 2);
    assert!(one(long).contains("28 of 32 minimized are within one event"));
    let mut unsure = good();
    unsure[2].dinodroid[4].again = (4, 5);
    unsure[2].dinodroid[5].again = (1, 1);
    assert!(one(unsure).contains("2 of 32 minimized do not reproduce"));
    assert_eq!(missed(&[], &truth).len(), 2);
}

#[test]
fn the_table_counts_by_seed_and_by_crash() {
    let truth = truth();
    let mut rows = vec![row(&truth, 8), row(&truth, 9)];
    rows[1].dinodroid[8].steps = None;
    let table = table(&rows, &truth);
    let of = truth.len();
    assert!(
        table.contains(&format!(
            "| 1 | 9 of {of} | 3 | 8 of 9 | 8 of 9 | 9 of 9 |\n"
        )),
        "{table}"
    );
    assert!(
        table.contains(&format!("| median, sums | 8.5 of {of} | 3 | 16 of 17 |")),
        "{table}"
    );
    assert!(
        table.contains("| sort-untagged | 2 | 2 | 2 | 2, 2 | 5 of 5, 5 of 5 |"),
        "{table}"
    );
}

#[test]
fn results_of_another_build_do_not_stay() {
    let folder = tempfile::tempdir().unwrap();
    let (base, tool) = (folder.path().join("study"), folder.path().join("tool"));
    fs::create_dir_all(&base).unwrap();
    fs::write(&tool, "one").unwrap();
    of_this_build(&base, &tool).unwrap();
    let kept = base.join("dinodroid-2000-1.done");
    fs::write(&kept, "").unwrap();
    of_this_build(&base, &tool).unwrap();
    assert!(kept.is_file());
    fs::write(&tool, "two").unwrap();
    of_this_build(&base, &tool).unwrap();
    assert!(!kept.is_file() && base.is_dir());
}
