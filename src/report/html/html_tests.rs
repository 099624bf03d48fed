use super::super::fixture::{Spec, run};
use super::super::summarize;
use super::*;

fn specs() -> Vec<Spec> {
    let spec = |strategy, seed, end| Spec {
        strategy,
        seed,
        end,
        events: 500,
        pictures: true,
        ..Spec::default()
    };
    vec![
        spec("random", 1, Some(EndReason::Events)),
        spec("random", 2, Some(EndReason::Plateau)),
        spec("monkey", 1, None),
    ]
}

fn page(change: impl Fn(&mut RunRecord)) -> String {
    let base = tempfile::tempdir().unwrap();
    let folder = run(base.path(), &specs()[..1]);
    let mut record = summarize::read(&folder).unwrap();
    change(&mut record);
    html(&folder, &record).unwrap()
}

#[test]
fn the_page_shows_findings_pictures_curves_graph_and_activities() {
    let page = page(|_| ());
    let expected = [
        "<h1 class=\"text\">smoke</h1>",
        "4 findings",
        "IllegalArgumentException: a note needs a title",
        "click “Save” (save)",
        "<img src=\"data:image/png;base64,iVBOR",
        "2 steps of ",
        "no step can be left out, 5 of 5 replays",
        "alt=\"The screen before step 2\"",
        "minimized.toml</a>",
        "Coverage: probes hit",
        "Activities reached",
        "Ways through the app",
        "HiddenDebug",
        "not seen, and not reachable by the code",
        "href=\"coverage&#x2f;notes&#x2f;html&#x2f;index.html\"",
        "href=\"sessions&#x2f;notes-jvm-random-1/\"",
        "Of the environment",
    ];
    for part in expected {
        assert!(page.contains(part), "{part}");
    }
}

#[test]
fn the_page_needs_nothing_from_elsewhere() {
    let page = page(|_| ());
    for elsewhere in [
        "http://", "https://", "src=\"//", "url(", "@import", "<link", "<iframe",
    ] {
        assert!(!page.contains(elsewhere), "{elsewhere}");
    }
    let hash = image::base64(&Sha256::digest(SCRIPT.as_bytes()));
    assert!(page.contains(&format!("script-src 'sha256-{hash}'")));
    assert!(page.contains(SCRIPT));
}

#[test]
fn no_markup_from_the_app_survives() {
    let hostile = "</pre></title><script>alert(1)</script><img src=x onerror=alert(1)>\" onload=\"x' {{ 7*7 }} {% raw %}\u{0}\u{202e}\u{1b}]]>";
    let page = page(|record| {
        let summary = &mut record.summary;
        for text in [&mut summary.suite, &mut summary.run, &mut summary.tool] {
            *text = hostile.into();
        }
        summary.apps[0].package = hostile.into();
        let session = &mut summary.sessions[0];
        for text in [&mut session.strategy, &mut session.device] {
            *text = hostile.into();
        }
        session.damage = Some(hostile.into());
        let record = &mut record.sessions[0];
        record.failures.push((1, hostile.into()));
        record.packages.push((hostile.into(), session.probes));
        for activity in &mut record.activities {
            activity.name = hostile.into();
        }
        for page in &mut record.pages {
            page.label = hostile.into();
        }
        for met in &mut record.findings {
            let f = &mut met.finding;
            for text in [
                &mut f.title,
                &mut f.evidence,
                &mut f.activity,
                &mut f.fingerprint,
                &mut f.id,
            ] {
                *text = hostile.into();
            }
            f.exception = Some(hostile.into());
            f.frame = Some(hostile.into());
            for step in &mut met.way {
                step.words = hostile.into();
                step.notes = vec![hostile.into()];
            }
        }
    });
    assert_eq!(page.matches("<script").count(), 1, "our own");
    assert_eq!(page.matches("</script").count(), 1);
    for bad in [
        "<img src=x",
        "onerror=alert(1)>",
        "\" onload",
        "\u{0}",
        "\u{202e}",
        "\u{1b}",
    ] {
        assert!(!page.contains(bad), "{bad:?}");
    }
    assert!(page.contains("{{ 7*7 }}"), "templates in texts are not run");
    assert!(page.matches("&lt;script&gt;").count() > 20);
}

#[test]
fn warnings_have_a_section_of_their_own() {
    let page = page(|record| {
        for met in &mut record.sessions[0].findings {
            met.finding.warning = true;
        }
    });
    assert!(page.contains("Nothing found, 4 warnings"));
    assert!(page.contains("id=\"warnings\"") && !page.contains("id=\"findings\""));
}

#[test]
fn a_run_of_which_nothing_is_left_still_has_a_page() {
    let page = page(|record| {
        record.summary.apps.clear();
        record.summary.sessions.clear();
        record.sessions.clear();
        record.info.started = None;
    });
    assert!(page.contains("Nothing found"));
}

#[test]
fn the_script_is_not_ended_early() {
    assert!(!SCRIPT.contains("</"));
}

/// Writes a run to look at: `DROIDTEST_SAMPLE=<folder> cargo test a_page_to_look_at -- --ignored`.
#[test]
#[ignore = "for the eye"]
fn a_page_to_look_at() {
    let base = std::env::var_os("DROIDTEST_SAMPLE").expect("DROIDTEST_SAMPLE names a folder");
    let folder = run(std::path::Path::new(&base), &specs());
    let record = summarize::read(&folder).unwrap();
    std::fs::write(folder.html(), html(&folder, &record).unwrap()).unwrap();
}
