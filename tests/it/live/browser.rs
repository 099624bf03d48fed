//! A person takes over in a real Chromium.

use super::chromium::Browser;
use super::{Run, journal};
use crate::common::program::Desk;
use crate::common::shop;
use serde_json::{Value, json};

const SUITE: &str = "[suite]\nname = \"s\"\nbudget = { events = 60 }\nseeds = [1]\n\
    [[app]]\nname = \"shop\"\nmodel = \"builtin:shop\"\n\
    [[app]]\nname = \"boom\"\nmodel = \"boom.json\"\n[[strategy]]\nkind = \"random\"\n";

/// What the page says of its session: steps in all, the last one listed, and those that it did not get.
fn counted(browser: &mut Browser) -> [Value; 3] {
    ["steps", "last", "lost"].map(|key| {
        browser.eval(&format!(
            "Number(document.getElementById('session').dataset.{key})"
        ))
    })
}

/// Waits until the session on the page has this many steps, and a person is in control.
pub fn held(browser: &mut Browser, steps: u64) {
    let data = "document.getElementById('session').dataset";
    browser.until(&format!(
        "{data}.control === 'person' && {data}.steps === '{steps}'"
    ));
    assert_eq!(counted(browser), [json!(steps), json!(steps), json!(0)]);
}

pub fn press(browser: &mut Browser, button: &str) {
    browser.eval(&format!("document.getElementById('{button}').click()"));
}

/// A real click on the outline of the widget with this text.
pub fn click(browser: &mut Browser, text: &str) {
    let of = format!(
        "[...document.querySelectorAll('#outlines rect.takes')].find((r) => r.textContent === '{text}')"
    );
    browser.until(&of);
    let middle = browser.eval(&format!(
        "(() => {{ const r = {of}.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; }})()"
    ));
    browser.click(middle[0].as_f64().unwrap(), middle[1].as_f64().unwrap());
}

/// Three steps of a person: types into a field, after which the app shows a button more, clicks that, and goes back.
pub fn search(browser: &mut Browser) {
    browser.eval("document.getElementById('tool').value = 'type'");
    browser.eval("document.getElementById('text').focus()");
    browser.call("Input.insertText", json!({ "text": "coffee" }));
    click(browser, "Search products");
    held(browser, 1);
    browser.eval("document.getElementById('tool').value = 'click'");
    click(browser, "Show result");
    held(browser, 2);
    press(browser, "back");
    held(browser, 3);
}

#[test]
fn a_person_watches_pauses_acts_and_lets_the_run_go_on() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let desk = Desk::new(SUITE);
    desk.write("boom.json", shop::model("boom"));
    let run = Run::start(&desk, "run --live --paused -j 2 --run-id r");
    browser.open(&run.url);
    browser.until("document.querySelectorAll('#fleet a').length === 2");
    browser.until("document.querySelector('#fleet').innerText.includes('you are in control')");
    browser.eval("location.hash = '#0'");
    held(&mut browser, 0);

    search(&mut browser);
    press(&mut browser, "rotate");
    held(&mut browser, 4);
    browser.eval("document.getElementById('tool').value = 'long-click'");
    click(&mut browser, "Home");
    browser.until(
        "document.getElementById('said').innerText === 'nothing at this place takes a long click'",
    );

    // The strategy goes on, one event at a time; the page is loaded again, and closed for a while.
    for steps in 5..10 {
        press(&mut browser, "step");
        held(&mut browser, steps);
    }
    browser.eval("window.old = true");
    browser.call("Page.reload", json!({}));
    browser.until("!window.old");
    held(&mut browser, 9);
    browser.new_tab();
    let mut stream = run.stream(0, 9);
    for steps in 10..15 {
        assert_eq!(run.wish(0, &json!({ "wish": "step" })).0, 200);
        stream.until(|now| now["steps"] == steps && now["control"] == "person");
    }
    browser.open(&format!("{}#0", run.url));
    held(&mut browser, 14);
    let listed = "document.querySelectorAll('#steps li').length";
    assert_eq!(browser.eval(listed), 14);
    assert_eq!(
        browser.eval("document.querySelectorAll('#steps .person').length"),
        4
    );
    press(&mut browser, "resume");
    browser.until("document.getElementById('phase').innerText.startsWith('finished')");
    assert_eq!(counted(&mut browser), [json!(64), json!(64), json!(0)]);

    // In the other session a person finds the crash.
    browser.eval("location.hash = '#1'");
    browser.until("document.getElementById('name').innerText === 'boom-sim-random-1'");
    held(&mut browser, 0);
    press(&mut browser, "rotate");
    held(&mut browser, 1);
    click(&mut browser, "Save");
    held(&mut browser, 2);
    browser
        .until("document.getElementById('findings').innerText.includes('IllegalStateException')");
    press(&mut browser, "resume");
    browser.until("document.getElementById('link').innerText === 'The run has ended.'");

    let (code, said) = run.end();
    assert_eq!(code, Some(100), "{said}");
    let steps = journal(&desk, "shop-sim-random-1", "step");
    assert_eq!(steps.len(), 64);
    let person: Vec<_> = steps
        .iter()
        .filter(|step| step["led"] == "person")
        .collect();
    assert_eq!(person.len(), 4);
    assert_eq!(person[0]["input"]["text"]["s"], "coffee");
    assert_eq!(journal(&desk, "shop-sim-random-1", "end")[0]["events"], 60);

    // What the person did is in the trace, was minimized, and leads to the crash again.
    let finding = &journal(&desk, "boom-sim-random-1", "finding")[0];
    let id = finding["id"].as_str().unwrap();
    let folder = format!("target/droidtest/r/sessions/boom-sim-random-1/findings/{id}");
    let recorded = String::from_utf8(desk.read(&format!("{folder}/trace.toml"))).unwrap();
    assert_eq!(recorded.matches("[[step]]").count(), 2, "{recorded}");
    let minimal = String::from_utf8(desk.read(&format!("{folder}/minimized.toml"))).unwrap();
    assert_eq!(minimal.matches("[[step]]").count(), 1, "{minimal}");
    let replayed = desk.tool(&format!("replay {folder}/trace.toml --message-format json"));
    assert!(
        replayed.out.contains("\"reproduced\""),
        "{}",
        replayed.all()
    );
}

#[test]
fn many_sessions_are_seen_at_a_glance_and_each_in_full() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let desk = Desk::new(
        &SUITE
            .replace("events = 60", "time = \"90s\"")
            .replace("[1]", "[1, 2, 3, 4]"),
    );
    desk.write("boom.json", shop::model("boom"));
    let run = Run::start(&desk, "run --live -j 8 --run-id r");
    browser.open(&run.url);
    let cards = "[...document.querySelectorAll('#fleet a')]";
    browser.until(&format!("{cards}.length === 8"));
    // An app of one page has soon shown it all.
    let stop = "a.querySelector('.lamp').dataset.light === 'stop' && a.innerText.includes('stopping is sensible')";
    browser.until(&format!(
        "{cards}.filter((a) => a.innerText.startsWith('boom') && {stop}).length === 4"
    ));

    let at = |name: &str| {
        format!("location.hash = {cards}.findIndex((a) => a.innerText.includes('{name}'))")
    };
    browser.eval(&at("shop-sim-random-3"));
    browser.until("document.getElementById('name').innerText === 'shop-sim-random-3'");
    // The event about to happen, who leads it, and why.
    browser.until("document.querySelector('#next b').innerText.length > 0");
    browser.until("/^the strategy$/m.test(document.getElementById('next').innerText)");
    browser.until("/done .*before/.test(document.querySelector('#next li').innerText)");
    for (id, shape) in [
        ("phase", "^explores$"),
        ("events", "^[0-9]+ events$"),
        ("code", "^[0-9]+ of [0-9]+ probes"),
        ("pages", "^[0-9]+$"),
        ("activities", "^[0-9]+: [A-Z]"),
        ("paged", "^[0-9]+ s ago$"),
        ("quiet", "^[0-9]+ s ago$"),
        ("lamp", "new pages expected in the next 100 events"),
    ] {
        browser.until(&format!(
            "/{shape}/.test(document.getElementById('{id}').innerText)"
        ));
    }
    browser.until("document.querySelectorAll('#outlines rect.takes').length > 0");

    // A crash, with its stack.
    browser.eval("history.back()");
    browser.until("!document.getElementById('fleet').hidden");
    browser.eval(&at("boom-sim-random-2"));
    browser.until("/Crash/i.test(document.querySelector('#findings summary').innerText)");
    browser.until("document.querySelector('#findings pre').textContent.includes('Main.java:7')");
    run.interrupt();
    browser.until("document.getElementById('link').innerText === 'The run has ended.'");
    assert_eq!(run.end().0, Some(130));
}
