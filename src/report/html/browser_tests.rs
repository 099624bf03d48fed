//! The page in a real browser: what its script does, and what axe says about its use by keyboard and screen reader.
//! Without Chromium, or without axe, the tests say so and pass.

#[path = "dom.rs"]
mod dom;

use super::super::fixture::{Spec, run};
use super::super::summarize;
use super::*;
use crate::device::jvm::browser::Chromium;
use crate::util::process;
use serde_json::Value;
use std::fs;
use std::path::Path;

/// Where `npm install` puts axe; it is under the MPL and no part of this repository.
const AXE: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/target/axe/node_modules/axe-core/axe.min.js"
);

/// The result of a script that assigns to `out` in a page of twelve sessions.
fn in_browser(script: &str) -> Option<Value> {
    changed_in_browser(|_| (), script)
}

/// The same of a page whose record was changed first.
fn changed_in_browser(change: impl Fn(&mut RunRecord), script: &str) -> Option<Value> {
    let chromium = match Chromium::locate() {
        Ok(chromium) => chromium,
        Err(error) => {
            crate::skip::skip(&format!("{error}"));
            return None;
        }
    };
    let base = tempfile::tempdir().unwrap();
    let specs: Vec<Spec> = (0..12)
        .map(|n| Spec {
            strategy: if n < 6 { "random" } else { "monkey" },
            seed: n % 6,
            events: 200,
            pictures: true,
            ..Spec::default()
        })
        .collect();
    let folder = run(base.path(), &specs);
    let mut record = summarize::read(&folder).unwrap();
    change(&mut record);
    let page = html(&folder, &record).unwrap();
    Some(dom::result(&chromium.program, &page, script, true))
}

#[test]
fn filters_and_links_work_and_the_first_sight_is_short() {
    let Some(out) = in_browser(
        r#"
        const form = document.getElementById("filter");
        const choose = (name, value) => { form.elements[name].value = value; form.dispatchEvent(new Event("input")); };
        out.height = document.documentElement.scrollHeight;
        out.findings = shown(".finding");
        out.rows = shown(".overview tbody tr");
        choose("strategy", "monkey");
        out.monkeys = shown(".overview tbody tr");
        choose("strategy", "");
        choose("kind", "ANR");
        out.anrs = shown(".finding");
        out.said = form.querySelector("output").value;
        const hidden = all(".finding[data-off]")[0];
        out.opened = hidden.open;
        location.hash = hidden.id;
        await new Promise((done) => setTimeout(done, 100));
        out.found = hidden.open && hidden.checkVisibility();
        choose("words", "no such words");
        out.none = shown(".finding") + shown(".overview tbody tr");
        choose("words", "");
        const heads = all(".overview th[data-sort] button");
        const sort = (name) => heads.find((head) => head.textContent === name).click();
        const column = (at) => all(".overview tbody tr").map((row) => row.cells[at].textContent);
        out.keyboard = heads.length > 7 && heads.every((head) => head.tabIndex === 0);
        sort("Strategy");
        out.strategies = column(1);
        sort("Device and seed");
        sort("Device and seed");
        out.seeds = column(0).map((text) => text.replace(/.* /, ""));
        out.then = column(1).slice(0, 2);
        sort("Findings");
        out.findings_sorted = column(7);
        out.sorted = all(".overview [aria-sort]").map((head) => head.textContent + " " + head.getAttribute("aria-sort"));
        const svg = all(".graph svg")[0];
        const width = svg.getAttribute("width");
        all("[data-zoom]")[0].click();
        out.zoom = svg.getAttribute("width") / width;
        const shot = all(".finding .film .shot")[0];
        shot.click();
        const viewer = document.getElementById("viewer");
        out.viewer = viewer.open && viewer.querySelector("img").src === shot.querySelector("img").src;
        "#,
    ) else {
        return;
    };
    let number = |name: &str| {
        out[name]
            .as_u64()
            .unwrap_or_else(|| panic!("{name}: {out}"))
    };
    assert!(number("height") < 2000, "{out}");
    assert_eq!((number("rows"), number("monkeys")), (12, 6), "{out}");
    assert!(
        number("anrs") > 0 && number("anrs") < number("findings"),
        "{out}"
    );
    assert!(
        out["said"].as_str().unwrap().ends_with("of 12 sessions"),
        "{out}"
    );
    assert_eq!(
        (&out["opened"], &out["found"]),
        (&false.into(), &true.into()),
        "{out}"
    );
    assert_eq!((number("none"), &out["viewer"]), (0, &true.into()), "{out}");
    assert_eq!(out["zoom"], 1.25, "{out}");
    let texts = |name: &str| -> Vec<String> { serde_json::from_value(out[name].clone()).unwrap() };
    assert!(
        out["keyboard"] == true && texts("strategies").is_sorted(),
        "{out}"
    );
    // By two columns, one after the other.
    let seeds: Vec<_> = (0..12).map(|n| (5 - n / 2).to_string()).collect();
    assert_eq!(
        (texts("seeds"), texts("then").concat()),
        (seeds, "monkeyrandom".into()),
        "{out}"
    );
    let counts: Vec<u64> = texts("findings_sorted")
        .iter()
        .map(|n| n.parse().unwrap())
        .collect();
    assert!(counts.is_sorted_by(|a, b| a >= b), "{out}");
    assert_eq!(texts("sorted"), ["Findings descending"], "{out}");
}

/// A window is at least 500 pixels wide: a frame stands for the phone.
#[test]
fn a_phone_shows_where_and_what_each_finding_is() {
    let long = |record: &mut RunRecord| {
        for met in record.sessions.iter_mut().flat_map(|s| &mut s.findings) {
            let class = "org.example.notes.data.repository.NoteRepositoryConstraintException";
            let finding = &mut met.finding;
            finding.exception = Some(class.to_owned());
            finding.title = format!("{class}: {}", "a message of many words ".repeat(8));
            finding.frame = Some("org.example.notes.ui.editor.NoteEditorViewModel$saveAsync$1.invokeSuspend(NoteEditorViewModel.kt:188)".to_owned());
        }
    };
    let Some(out) = changed_in_browser(
        long,
        r#"
        if (self !== top) return;
        const frame = document.createElement("iframe");
        frame.style = "width: 390px; height: 844px; border: 0";
        frame.srcdoc = document.documentElement.outerHTML;
        await new Promise((done) => { frame.onload = done; document.body.append(frame); });
        const phone = frame.contentDocument;
        out.fits = phone.documentElement.scrollWidth <= 390;
        const finding = [...phone.querySelectorAll(".finding:not([open])")].find((part) => part.checkVisibility());
        const what = finding.querySelector(".what"), message = what.querySelector(".message");
        const lowest = (part) => Math.max(...[...part.getClientRects()].map((line) => line.bottom));
        const ends = [".at", ".exception"].map((name) => lowest(what.querySelector(name)));
        out.shown = Math.max(...ends) <= Math.min(what.getBoundingClientRect().bottom, message.getBoundingClientRect().top + 1);
        out.texts = [what.querySelector(".at").innerText, what.querySelector(".exception").innerText];
        out.cut = message.scrollHeight > message.clientHeight;
        out.height = finding.clientHeight;
        finding.open = true;
        out.opened = what.querySelector(".exception").innerText;
        out.whole = message.scrollHeight <= message.clientHeight || getComputedStyle(message).display === "inline";
        "#,
    ) else {
        return;
    };
    assert_eq!(
        out["texts"],
        serde_json::json!([
            "NoteEditorViewModel$saveAsync$1.invokeSuspend (NoteEditorViewModel.kt:188)",
            "NoteRepositoryConstraintException:"
        ]),
        "{out}"
    );
    for good in ["shown", "cut", "whole", "fits"] {
        assert_eq!(out[good], true, "{good}: {out}");
    }
    assert!(out["height"].as_u64().unwrap() < 240, "{out}");
    let opened = out["opened"].as_str().unwrap();
    assert!(opened.starts_with("org.example.notes.data."), "{out}");
}

#[test]
fn axe_finds_nothing_to_say_of_the_page() {
    let Ok(axe) = fs::read_to_string(Path::new(AXE)) else {
        crate::skip::skip(&format!(
            "no {AXE}; npm install --prefix target/axe --ignore-scripts axe-core@4.14.1"
        ));
        return;
    };
    let script = format!(
        "{axe}
        out.passes = 0;
        out.found = [];
        for (const open of [false, true]) {{
          if (open) for (const part of all('details')) part.open = true;
          const {{ passes, violations }} = await axe.run(document);
          out.passes += passes.length;
          for (const v of violations) out.found.push(v.id + ': ' + v.nodes[0].html.slice(0, 200));
        }}"
    );
    let Some(out) = in_browser(&script) else {
        return;
    };
    assert_eq!(out["found"], serde_json::json!([]));
    assert!(out["passes"].as_u64().unwrap() > 40, "{out}");
}
