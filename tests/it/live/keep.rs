//! What a person gives a run through the page: a demonstration that is kept, and answers that are not.

use super::browser::{held, press, search};
use super::chromium::Browser;
use super::{Run, journal};
use crate::assertions::{ASKING, holding, suite};
use crate::common::program::Desk;
use crate::common::shop;
use droidtest::learn::event_model::EventModel;
use serde_json::{Value, json};

/// The shop is the last app, so that a script at the end is its own.
const SUITE: &str = "[suite]\nname = \"s\"\nbudget = { events = 40 }\nseeds = [1]\n\
    [[strategy]]\nkind = \"random\"\n[[app]]\nname = \"boom\"\nmodel = \"boom.json\"\n\
    [[app]]\nname = \"shop\"\nmodel = \"builtin:shop\"\n";

fn text(browser: &mut Browser, id: &str) -> String {
    let text = browser.eval(&format!("document.getElementById('{id}').innerText"));
    text.as_str().unwrap().to_owned()
}

#[test]
fn a_demonstration_is_saved_in_the_page_and_replays() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let desk = Desk::new(SUITE);
    desk.write("boom.json", shop::model("boom"));
    let run = Run::start(&desk, "run --live --paused -j 2 --run-id r");
    browser.open(&format!("{}#1", run.url));
    held(&mut browser, 0);
    let disabled = "document.getElementById('keep').disabled";
    assert_eq!(browser.eval(disabled), true);
    let save = |to| run.wish(1, &json!({ "wish": "save", "to": to }));
    let nothing = "no person has done anything in this session yet: pause it, and act";
    assert_eq!(save("corpus"), (409, nothing.to_owned()));
    assert_eq!(save("../../x.toml").0, 400, "a form, never a path");

    search(&mut browser);
    assert_eq!(save("corpus").0, 200);
    press(&mut browser, "rotate");
    held(&mut browser, 4);
    press(&mut browser, "resume");
    browser.until("document.getElementById('phase').innerText.startsWith('finished')");
    assert_eq!(browser.eval(disabled), false);

    let mut saved = |form: &str, file: &str| {
        browser.eval(&format!("document.getElementById('form').value = '{form}'"));
        press(&mut browser, "save");
        browser.until(&format!(
            "document.getElementById('saved').innerText.includes('{file}')"
        ));
        text(&mut browser, "command")
    };
    let folder = "target/droidtest/r/sessions/shop-sim-random-1/demonstration";
    let command = saved("corpus", "/demonstration/corpus/");
    let replay = command.strip_prefix("cargo droidtest ").unwrap();
    let trace = format!("replay {folder}/corpus/org.example.shop/");
    assert!(replay.starts_with(&trace), "{command}");
    let replayed = desk.tool(replay);
    assert!(replayed.out.contains("4 steps"), "{}", replayed.all());
    // The trace of the first three is no demonstration of its own any more.
    let traces = desk.path(&format!("{folder}/corpus/org.example.shop"));
    assert_eq!(traces.read_dir().unwrap().count(), 1);

    let command = saved("script", "script.toml");
    assert_eq!(command, format!("cat {folder}/script.toml"));
    let command = saved("model", "model.jsonl");
    let model = desk.path(&format!("{folder}/model.jsonl"));
    // Valid in a suite of any folder.
    assert_eq!(
        command,
        format!("model = {{ load = \"{}\" }}", model.display())
    );
    let model = EventModel::open(&model, "org.example.shop").unwrap();
    assert!(model.size().0 > 0);
    assert_eq!(run.wish(0, &json!({ "wish": "resume" })).0, 200);
    assert_eq!(run.end().0, Some(100));

    // The script is what the suite takes, and is performed.
    let script = String::from_utf8(desk.read(&format!("{folder}/script.toml"))).unwrap();
    desk.write("droidtest.toml", format!("{SUITE}{script}"));
    let again = desk.tool("run --run-id again");
    let file = "target/droidtest/again/sessions/shop-sim-random-1/journal.jsonl";
    let steps = String::from_utf8(desk.read(file)).unwrap();
    let steps = steps.matches("{\"script\":\"shown-1\"}").count();
    assert_eq!(steps, 4, "{script}\n{}", again.err);
}

#[test]
fn a_question_is_answered_in_the_page_and_the_answer_is_written_nowhere() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    const ANSWER: &str = "correct horse";
    let desk = Desk::new(&suite(ASKING));
    let run = Run::start(&desk, "run --live --paused --ask --run-id r");
    browser.open(&run.url);
    browser.until("document.querySelector('#fleet').innerText.includes('you are in control')");
    assert_eq!(run.wish(0, &json!({ "wish": "resume" })).0, 200);
    browser.until("document.querySelector('#fleet').innerText.includes('asks: The password?')");
    browser.eval("location.hash = '#0'");
    browser.until("!document.getElementById('ask').hidden");
    assert_eq!(text(&mut browser, "question"), "The password?");
    // The page that the question is about is on the screen.
    browser.until("document.getElementById('outlines').textContent.includes('E-mail')");
    let field = "document.getElementById('answer')";
    assert_eq!(browser.eval(&format!("{field}.type")), "password");
    // The session pauses behind the step that types it.
    assert_eq!(run.wish(0, &json!({ "wish": "pause" })).0, 200);
    let answer = |number: u64, answer: Value| {
        let wish = json!({ "wish": "answer", "question": number, "answer": answer });
        run.wish(0, &wish)
    };
    let (status, why) = answer(1, json!("two\nlines"));
    assert_eq!((status, &*why), (409, "an answer is one line of text"));
    let closed = (409, "the question is closed".to_owned());
    assert_eq!(answer(2, json!(ANSWER)), closed);
    browser.eval(&format!("{field}.focus()"));
    browser.call("Input.insertText", json!({ "text": ANSWER }));
    browser.eval("document.querySelector('#ask button').click()");
    browser.until("document.getElementById('ask').hidden");
    browser.until("document.getElementById('session').dataset.control === 'person'");
    assert_eq!(
        answer(1, json!("another horse")),
        closed,
        "the first one counts"
    );

    let left = "document.documentElement.outerHTML + document.getElementById('answer').value + location.href \
        + JSON.stringify(history.state) + JSON.stringify({ ...localStorage, ...sessionStorage })";
    let left = browser.eval(left);
    assert!(!left.as_str().unwrap().contains("horse"), "{left}");
    press(&mut browser, "resume");
    browser.until("document.getElementById('link').innerText === 'The run has ended.'");
    let left = browser.eval("document.documentElement.outerHTML");
    assert!(!left.as_str().unwrap().contains("horse"), "{left}");
    let (code, said) = run.end();
    assert!(
        matches!(code, Some(0 | 100)) && !said.contains("horse"),
        "{said}"
    );
    assert_eq!(
        holding(&desk.path("target"), "horse"),
        Vec::<std::path::PathBuf>::new()
    );
    let pages = journal(&desk, "shop-sim-random-5", "page");
    let signed_in = pages.iter().any(|page| page["activity"] == "Account");
    assert!(signed_in, "the answer was typed");
}
