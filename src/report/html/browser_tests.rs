//! The page in a real browser: what its script does, and what axe says about its use by keyboard and screen reader.
//! Without Chromium, or without axe, the tests say so and pass.

use super::super::fixture::{Spec, run};
use super::super::summarize;
use super::*;
use crate::device::jvm::browser::Chromium;
use crate::util::process;
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// Where `npm install` puts axe; it is under the MPL and no part of this repository.
const AXE: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/target/axe/node_modules/axe-core/axe.min.js"
);

/// The result of a script that assigns to `out` in a page of twelve sessions.
fn in_browser(script: &str) -> Option<Value> {
    let chromium = match Chromium::locate() {
        Ok(chromium) => chromium,
        Err(error) => {
            println!("skipped: {error}");
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
    let page = html(&folder, &summarize::read(&folder).unwrap()).unwrap();
    // The page's policy allows no script but its own.
    let page = page.replace("http-equiv=\"Content-Security-Policy\"", "name=\"policy\"");
    let added = format!(
        "<script>addEventListener('load', async () => {{ const out = {{}};
        const all = (what) => [...document.querySelectorAll(what)];
        const shown = (what) => all(what).filter((part) => part.checkVisibility()).length;
        try {{ {script} }} catch (error) {{ out.error = String(error); }}
        const pre = document.createElement('pre');
        pre.id = 'result';
        pre.textContent = JSON.stringify(out);
        document.body.append(pre); }});</script></body>"
    );
    let file = base.path().join("page.html");
    fs::write(&file, page.replace("</body>", &added)).unwrap();
    let mut command = Command::new(chromium.program);
    command
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--dump-dom"])
        .args(["--virtual-time-budget=60000", "--window-size=1280,1000"])
        .arg(format!(
            "--user-data-dir={}",
            base.path().join("user").display()
        ))
        .arg(format!("file://{}", file.display()));
    let output = process::run(&mut command, Duration::from_secs(120)).unwrap();
    let dom = String::from_utf8(output.stdout).unwrap();
    let result = dom.rsplit_once("<pre id=\"result\">").expect("a result").1;
    let result = result.split("</pre>").next().unwrap();
    let result = result.replace("&lt;", "<").replace("&gt;", ">");
    let result: Value = serde_json::from_str(&result.replace("&amp;", "&")).unwrap();
    assert!(result["error"].is_null(), "{result}");
    Some(result)
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
}

#[test]
fn axe_finds_nothing_to_say_of_the_page() {
    let Ok(axe) = fs::read_to_string(Path::new(AXE)) else {
        println!(
            "skipped: no {AXE}; npm install --prefix target/axe --ignore-scripts axe-core@4.14.1"
        );
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
