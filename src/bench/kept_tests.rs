use super::*;
use crate::bench::measure::Found;
use crate::bench::tests::sessions;
use crate::bench::{report, table};
use crate::outcome::summary::Ratio;

fn file(folder: &tempfile::TempDir, name: &str, text: &str) -> Utf8PathBuf {
    let path = Utf8PathBuf::try_from(folder.path().join(name)).unwrap();
    fs::write(&path, text).unwrap();
    path
}

#[test]
fn sessions_kept_by_two_machines_give_the_report_of_one() {
    let folder = tempfile::tempdir().unwrap();
    let mut all = sessions();
    all[0].found.push(Found {
        fingerprint: "v2:1".into(),
        title: "x\ny".into(),
        direct: true,
        event: 3,
    });
    for session in &mut all {
        session.activities.insert(format!("{}.Main", session.unit));
        session.lines = Some(Ratio {
            covered: session.last().probes,
            total: 200,
        });
        let half = session.curve[5];
        let lines = Ratio {
            covered: half.probes,
            total: 200,
        };
        session.lines_at.insert(half.entries, lines);
    }
    let (first, second) = all.split_at(17);
    let first = file(&folder, "1.jsonl", &write(first).unwrap());
    let second = file(&folder, "2.jsonl", &write(second).unwrap());
    let read = read(&[first, second]).unwrap();
    let of = |sessions: &[Measured]| {
        let mut report = report("s", sessions, &[5]);
        // Their probes are not kept.
        report
            .unions
            .iter_mut()
            .for_each(|union| union.probes = None);
        (serde_json::to_value(&report).unwrap(), table::text(&report))
    };
    assert_eq!(of(&read), of(&all));
    assert!(table::text(&report("s", &read, &[])).contains(" - "));
}

#[test]
fn what_is_no_measured_session_is_refused_with_its_line() {
    let folder = tempfile::tempdir().unwrap();
    let lines = write(&sessions()[..2]).unwrap();
    let refused = |text: &str| {
        let file = file(&folder, "x.jsonl", text);
        let why = read(std::slice::from_ref(&file)).unwrap_err().to_string();
        why.replace(folder.path().to_str().unwrap(), "")
    };
    let why = refused(&format!("{lines}{{\"kept\":1,\"curve\":[[1]]}}\n"));
    assert!(
        why.starts_with("/x.jsonl:3: not a measured session: "),
        "{why}"
    );
    let why = refused(&lines.replace("\"kept\":1", "\"kept\":2"));
    assert!(
        why.contains(":1: not a measured session: version 2"),
        "{why}"
    );
    let why = refused(&format!("{lines}\n{lines}"));
    assert_eq!(
        why,
        "/x.jsonl:4: a with fast, seed 0 is in /x.jsonl:1 already; remove one of the two lines"
    );
    let why = refused("{\"kept\":1}");
    assert!(
        why.contains(":1: not a measured session: missing field `planned`"),
        "{why}"
    );
    let mut backwards = sessions()[0].clone();
    backwards.curve.reverse();
    let why = refused(&write(&[backwards]).unwrap());
    assert!(why.contains("its events run backwards"), "{why}");
    assert_eq!(refused("\n"), "the files contain no session");
    assert!(refused("no").contains(":1: not a measured session"));
    let missing = Utf8PathBuf::from("/no/such.jsonl");
    assert!(
        read(&[missing])
            .unwrap_err()
            .to_string()
            .contains("cannot read")
    );
}
