use super::super::fixture::{Spec, run};
use super::super::fixture_verdict::verdict;
use super::super::session::Met;
use super::super::summarize;
use super::*;
use crate::outcome::Minimality;
use crate::outcome::run_event::EndReason;
use crate::outcome::verdict::Status;
use std::fs;
use std::path::PathBuf;

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

fn findings(record: &mut RunRecord) -> impl Iterator<Item = &mut Met> {
    record.sessions.iter_mut().flat_map(|s| &mut s.findings)
}

#[test]
fn the_page_shows_findings_pictures_curves_graph_and_activities() {
    let page = page(|_| ());
    let expected = [
        "<h1 class=\"text\">smoke</h1>",
        "4 findings",
        "IllegalArgumentException: </span><span class=\"message\">a note needs a title</span>",
        "click “Save” (save)",
        "<img src=\"data:image/png;base64,iVBOR",
        "Reduced from ",
        "reproduced 5 of 5 times",
        "alt=\"The screen before step 2\"",
        "minimized.toml</a>",
        "Coverage: code branches reached",
        "Activities visited",
        "Navigation graph",
        "HiddenDebug",
        "not visited, and not reachable in the code",
        "href=\"coverage&#x2f;notes&#x2f;html&#x2f;index.html\"",
        "href=\"sessions&#x2f;notes-jvm-random-1/\"",
        "Device limitations (not your app)",
    ];
    for part in expected {
        assert!(page.contains(part), "{part}");
    }
    // Counts of one are in the singular.
    let one = regex::Regex::new(r"\b1 (times|visits|findings)\b").unwrap();
    assert_eq!(one.find(&page).map(|found| found.as_str()), None);
}

#[test]
fn with_a_verdict_findings_have_their_status_and_fixed_ones_are_listed() {
    let page = page(|run| {
        let mut verdict = verdict(run);
        verdict.findings[0].status = Status::Known;
        verdict.findings[1].status = Status::New;
        verdict.findings[1].reason = Some("<b>".into());
        run.verdict = Some(verdict);
    });
    let at = |what: &str| page.find(what).unwrap_or_else(|| panic!("{what}"));
    assert!(page.contains("<title>failed: 1 new, 3 known, 1 fixed · smoke"));
    let order = [
        at("<span class=\"pill bad\">failed: 1 new"),
        at("<span class=\"chip bad\" title=\"&lt;b&gt;\">new</span>"),
        at(">known</span>"),
        at("<span class=\"mono at\">"),
        at("id=\"gate\""),
        at(">limit exceeded</span>"),
        at(">incomplete</span>"),
        at(">fixed</span>"),
        at("Error at Main.run [v2:00000000]"),
    ];
    assert!(order.is_sorted(), "{order:?}");
}

#[test]
fn the_page_needs_nothing_from_elsewhere() {
    let page = page(|_| ());
    for elsewhere in [
        "http://", "https://", "src=\"//", "url(", "@import", "<link", "<iframe",
    ] {
        assert!(!page.contains(elsewhere), "{elsewhere}");
    }
    let hash = BASE64.encode(&Sha256::digest(SCRIPT.as_bytes()));
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
        for met in findings(record) {
            met.finding.warning = true;
        }
    });
    assert!(page.contains("No findings, 4 warnings"));
    assert!(page.contains("id=\"warnings\"") && !page.contains("id=\"findings\""));
    assert!(page.contains("<dt>Findings</dt><dd>0</dd>"));
    assert!(page.contains("<dt>Warnings</dt><dd class=\"tone-warn\">4</dd>"));
    assert!(!page.contains("class=\"dot\""), "in the graph");
}

#[test]
fn a_run_that_was_cut_off_says_so_though_it_found_something() {
    let page = page(|record| {
        let session = &mut record.summary.sessions[0];
        (session.started, session.ended) = (false, None);
    });
    let reported = "4 findings, 1 device limitation (not your app), 1 of 1 session incomplete";
    assert!(page.contains(reported));
    assert!(page.contains(">0 of 1</b>"), "the sessions' tile");
}

#[test]
fn each_finding_can_be_seen_again_minimized_or_not() {
    let again = |page: &str| page.matches("cargo droidtest replay").count();
    assert_eq!(again(&page(|_| ())), 5);
    let page = page(|record| {
        for repro in findings(record).filter_map(|met| met.repro.as_mut()) {
            repro.reproduction = None;
        }
    });
    assert_eq!(again(&page), 5);
    assert!(!page.contains("Minimized steps") && !page.contains("Not minimized"));
}

/// The page where each crash has so many steps, each with a picture.
fn with_steps(count: usize, minimality: Minimality) -> String {
    page(|record| {
        for repro in findings(record).filter_map(|met| met.repro.as_mut()) {
            let Some(found) = &mut repro.reproduction else {
                continue;
            };
            found.steps = (1..=count).map(|n| format!("key {n}")).collect();
            (found.minimality, found.reproduced) = (minimality, 0);
            let picture = repro.images.iter().flatten().next().cloned();
            repro.images = vec![picture; count];
        }
    })
}

#[test]
fn what_did_not_come_again_has_no_fewest_steps() {
    let page = with_steps(3, Minimality::NotReproduced);
    assert!(page.contains("Not minimized") && !page.contains("Minimized steps"));
    assert!(page.contains("did not reproduce: 0 of 5 replays"));
    assert!(!page.contains("<ol class=\"film\">"));
}

#[test]
fn of_a_long_way_the_middle_is_folded_and_without_pictures() {
    let page = with_steps(801, Minimality::Budget);
    assert_eq!(page.matches("<summary>761 more</summary>").count(), 2);
    assert_eq!(
        page.matches("alt=\"The screen before step ").count(),
        2 * 40
    );
    for number in [1, 20, 782, 801] {
        let alt = format!("alt=\"The screen before step {number}\"");
        assert_eq!(page.matches(&alt).count(), 2, "{number}");
    }
    assert!(page.contains("<b>400</b> <span class=\"text\">key 400</span>"));
    assert!(!with_steps(40, Minimality::Budget).contains(" more</summary>"));
}

#[test]
fn pictures_of_steps_leave_those_of_all_findings_their_room() {
    let base = tempfile::tempdir().unwrap();
    let folder = run(base.path(), &specs()[..1]);
    let record = summarize::read(&folder).unwrap();
    let session = folder.session(&record.summary.sessions[0].session);
    let files = |met: &Met| session.finding(&met.finding.id);
    let size = |path: PathBuf| fs::metadata(path).unwrap().len();
    let room = record.sessions[0].findings.iter().map(files);
    let room = room.map(|files| size(files.before()) + size(files.after()));
    let view = serde_json::to_value(view(&folder, &record, room.sum())).unwrap();
    let all = view["findings"].as_array().unwrap().iter();
    for finding in all.chain(view["environment"].as_array().unwrap()) {
        let images = finding["images"].as_array().unwrap();
        assert_eq!(images.len(), 2);
        assert!(images.iter().all(|image| image["data"].is_string()));
    }
    let step = &view["findings"][0]["fewest"]["first"][1];
    assert!(step["image"]["data"].is_null() && step["image"]["link"].is_string());
}

#[test]
fn several_sessions_have_an_overview_and_each_finding_a_lasting_link() {
    let base = tempfile::tempdir().unwrap();
    let folder = run(base.path(), &specs());
    let mut record = summarize::read(&folder).unwrap();
    let anchors = |record: &RunRecord| -> BTreeSet<String> {
        let page = html(&folder, record).unwrap();
        let parts = page.split("<details class=\"finding fold\" id=\"").skip(1);
        parts
            .map(|part| part.split('"').next().unwrap().to_owned())
            .collect()
    };
    let page = html(&folder, &record).unwrap();
    let print = record.sessions[0].findings[0].finding.fingerprint.clone();
    let anchor = format!("finding-notes-{}", print.replace(':', "_"));
    for expected in [
        "id=\"overview\"",
        "<a class=\"text\" href=\"#session-notes-jvm-monkey-1\">",
        "id=\"session-notes-jvm-monkey-1\"",
        "<option value=\"monkey\">",
        "<option value=\"crash\">",
        &format!("id=\"{anchor}\""),
        &format!("href=\"#{anchor}\""),
    ] {
        assert!(page.contains(expected), "{expected}");
    }
    assert!(
        !page.contains("<select name=\"app\">"),
        "one app is no choice"
    );
    let all = anchors(&record);
    assert_eq!(all.len(), page.matches("<details class=\"finding").count());
    record.sessions.reverse();
    record.summary.sessions.reverse();
    assert_eq!(anchors(&record), all);
    assert!(!self::page(|_| ()).contains("id=\"overview\""));
}

#[test]
fn of_many_findings_the_first_ones_are_shown() {
    let page = page(|record| {
        let one = record.sessions[0].findings[0].clone();
        for number in 0..20 {
            let mut another = one.clone();
            another.finding.fingerprint = format!("v2:{number}");
            record.sessions[0].findings.push(another);
        }
    });
    assert!(page.contains("<summary>16 more</summary>"));
    assert_eq!(page.matches("id=\"finding-notes-v2_").count(), 25);
}

#[test]
fn a_run_of_which_nothing_is_left_still_has_a_page() {
    let page = page(|record| {
        record.summary.apps.clear();
        record.summary.sessions.clear();
        record.sessions.clear();
        record.info.started = None;
    });
    assert!(page.contains("Nothing explored"));
}

#[test]
fn the_script_is_not_ended_early() {
    assert!(!SCRIPT.contains("</"));
}

/// Writes a sample run: `DROIDTEST_SAMPLE=<folder> cargo test a_page_to_look_at -- --ignored`.
#[test]
#[ignore = "for the eye"]
fn a_page_to_look_at() {
    let base = std::env::var_os("DROIDTEST_SAMPLE").expect("DROIDTEST_SAMPLE names a folder");
    let folder = run(std::path::Path::new(&base), &specs());
    let record = summarize::read(&folder).unwrap();
    std::fs::write(folder.html(), html(&folder, &record).unwrap()).unwrap();
}

#[test]
fn an_app_has_what_its_own_tests_cover_beside_the_run() {
    let base = tempfile::tempdir().unwrap();
    let folder = run(base.path(), &specs()[..1]);
    let app = folder.info().unwrap().sessions[0].app.clone();
    let file = folder.tests_coverage(&app);
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    let shares = "{\"both\":12,\"only_tests\":3,\"only_run\":40,\"total\":90}";
    let text = format!("{{\"lines\":{shares},\"methods\":{shares},\"elsewhere\":7}}");
    fs::write(file, text).unwrap();
    let record = summarize::read(&folder).unwrap();
    let page = html(&folder, &record).unwrap();
    for expected in [
        "<tr><th>Lines</th><td>12</td><td>3</td><td>40</td><td>90</td></tr>",
        "Automation degree: 80.0 % of what the tests cover.",
        "7 covered lines of the tests are not in this build",
    ] {
        assert!(page.contains(expected), "{expected}");
    }
    let lines =
        crate::report::console::summary(&record, &[], crate::report::console::Paint::default());
    let expected = "12 lines by both, 3 only by the tests, 40 only by the run, of 90; 12 methods by both, \
                    3 only by the tests, 40 only by the run, of 90; automation degree 80.0 %";
    assert!(lines.contains(expected), "{lines}");
}

/// 200 findings with a stack overflow each and four large pictures: a browser still opens the page.
#[test]
fn a_page_of_many_findings_stays_below_twenty_megabytes() {
    let base = tempfile::tempdir().unwrap();
    let folder = run(base.path(), &specs()[..1]);
    let mut record = summarize::read(&folder).unwrap();
    let crash = record.sessions[0].findings[0].clone();
    let session = folder.session(&record.summary.sessions[0].session);
    let mut picture = b"\x89PNG\r\n\x1a\n".to_vec();
    picture.resize(300_000, 7);
    let many = (0..200).map(|number| {
        let mut met = crash.clone();
        met.finding.id = format!("crash-{number}");
        met.finding.fingerprint = format!("v2:{number:016x}");
        met.finding.evidence = "\tat org.example.notes.Main.onClick(Main.java:41)\n".repeat(4_000);
        let files = session.finding(&met.finding.id);
        files.create().unwrap();
        fs::write(files.before(), &picture).unwrap();
        fs::write(files.after(), &picture).unwrap();
        met
    });
    record.sessions[0].findings = many.collect();
    let page = html(&folder, &record).unwrap();
    assert!(page.matches("class=\"finding").count() >= 200);
    assert!(page.len() < 20_000_000, "{}", page.len());
}
