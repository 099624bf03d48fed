use super::*;
use crate::gate::judge;
use crate::gate::judge::tests::{KNOWN, NEW, finding, run};
use crate::outcome::verdict::{GateReplay, Purpose};
use crate::settings::Gate;

fn today() -> Date {
    "2026-11-26".parse().unwrap()
}

fn gone(fingerprint: &str) -> GateReplay {
    GateReplay {
        purpose: Purpose::Known,
        app: "notes".into(),
        fingerprint: fingerprint.into(),
        device: "sim".into(),
        reproduced: 0,
        of: 3,
        wanted: 3,
        problem: None,
    }
}

/// Updates the baseline `b.toml` of a folder by a run with these findings.
fn updated(folder: &Path, findings: &[&str], replays: &[GateReplay]) -> (Updated, String) {
    let path = folder.join("b.toml");
    let mut findings: Vec<_> = findings.iter().map(|print| finding(print)).collect();
    for one in &mut findings {
        one.trace = Some("sessions/minimized.toml".into());
    }
    fs::create_dir_all(folder.join("run/sessions")).unwrap();
    fs::write(folder.join("run/sessions/minimized.toml"), "steps").unwrap();
    let run = run(&findings);
    let baseline = Baseline::read(&path).unwrap();
    let verdict = judge(&run, &baseline, replays, &Gate::default(), today());
    let updated = update(
        &baseline,
        &run,
        &folder.join("run"),
        &verdict,
        (today(), false),
    )
    .unwrap();
    (updated, fs::read_to_string(&path).unwrap())
}

#[test]
fn a_new_file_is_sorted_and_judges_its_own_run_green() {
    let folder = tempfile::tempdir().unwrap();
    let (done, text) = updated(folder.path(), &[KNOWN, NEW], &[]);
    assert_eq!((done.added.len(), done.kept), (2, 0));
    assert!(text.starts_with("# Findings that are known"), "{text}");
    assert!(text.find(NEW) < text.find(KNOWN), "{text}");
    assert!(text.contains("lines = 40.0"), "{text}");
    assert!(
        folder
            .path()
            .join("b/notes-aaaaaaaaaaaaaaaa.toml")
            .is_file()
    );
    let read = Baseline::read(&folder.path().join("b.toml")).unwrap();
    let both = run(&[finding(KNOWN), finding(NEW)]);
    let verdict = judge(&both, &read, &[], &Gate::default(), today());
    assert_eq!(verdict.exit_code, 0);
    assert_eq!(read.traces().len(), 2);
    // A second update changes nothing.
    assert_eq!(updated(folder.path(), &[KNOWN, NEW], &[]).1, text);
}

#[test]
fn people_s_entries_and_comments_stay() {
    let folder = tempfile::tempdir().unwrap();
    let text = format!(
        "# ours\nversion = 1 # one\n\n# by the vendor\n[[accepted]]\napp = \"notes\" # ours\n\
         fingerprint = \"{NEW}\"\nreason = \"sdk\"\n\n# a hard one\n[[current]]\napp = \"notes\"\n\
         fingerprint = \"{KNOWN}\" # see the tracker\nfirst-seen = \"2020-01-01\"\n"
    );
    fs::write(folder.path().join("b.toml"), &text).unwrap();
    let (done, after) = updated(folder.path(), &[KNOWN, NEW], &[]);
    assert_eq!((done.added.len(), done.kept), (0, 1));
    for part in [
        "# ours\nversion",
        "# one",
        "# by the vendor\n[[accepted]]",
        "# a hard one\n[[current]]",
    ] {
        assert!(after.contains(part), "{part} in {after}");
    }
    assert!(
        after.contains("# see the tracker\nfirst-seen = \"2020-01-01\""),
        "{after}"
    );
    assert!(
        after.find("[[accepted]]") < after.find("[[current]]"),
        "{after}"
    );
    assert_eq!(after.matches(NEW).count(), 1, "{after}");
}

#[test]
fn a_fixed_finding_leaves_with_its_trace() {
    let folder = tempfile::tempdir().unwrap();
    updated(folder.path(), &[KNOWN, NEW], &[]);
    let (done, text) = updated(folder.path(), &[KNOWN], &[gone(NEW)]);
    assert_eq!(done.removed, ["Error at Main.run [v2:aaaaaaaa]"]);
    assert!(!text.contains(NEW) && text.contains(KNOWN));
    assert!(!folder.path().join("b/notes-aaaaaaaaaaaaaaaa.toml").exists());
    // One that was neither seen nor replayed stays.
    let (done, text) = updated(folder.path(), &[], &[]);
    assert!(done.removed.is_empty() && text.contains(KNOWN));
}

#[test]
fn inline_tables_and_line_ends_stay() {
    let folder = tempfile::tempdir().unwrap();
    let text = format!(
        "# ours\r\nversion = 1\r\naccepted = [{{ app = \"notes\", fingerprint = \"{NEW}\", reason = \"sdk\" }}]\r\n"
    );
    fs::write(folder.path().join("b.toml"), text).unwrap();
    let (_, after) = updated(folder.path(), &[KNOWN, NEW], &[]);
    assert!(after.contains("reason = \"sdk\""), "{after}");
    assert_eq!(after.matches(NEW).count(), 1, "{after}");
    assert_eq!(after.matches('\n').count(), after.matches("\r\n").count());
}

#[test]
fn a_file_of_comments_keeps_them_once() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("b.toml"), "# ours\n").unwrap();
    let (_, after) = updated(folder.path(), &[NEW], &[]);
    assert_eq!(after.matches("# ours").count(), 1, "{after}");
}

#[test]
fn a_byte_order_mark_stays_at_the_start() {
    let folder = tempfile::tempdir().unwrap();
    for before in ["\u{feff}# ours\n", "\u{feff}version = 1\n"] {
        fs::write(folder.path().join("b.toml"), before).unwrap();
        let (done, text) = updated(folder.path(), &[NEW], &[]);
        assert_eq!(done.added.len(), 1);
        assert!(text.starts_with('\u{feff}'), "{text:?}");
        assert_eq!(text.matches('\u{feff}').count(), 1, "{text:?}");
        let (again, after) = updated(folder.path(), &[NEW], &[]);
        assert_eq!((again.added.len(), after), (0, text));
    }
}
