//! `comment` against a local server that checks the requests GitHub and GitLab document.

use crate::common::forge::{Forge, Request};
use crate::common::program::{Desk, Ended};
use crate::common::shop;
use serde_json::{Value, json};

const SUITE: &str = "[suite]\nname = \"smoke\"\nbudget = { events = 40 }\nseeds = [5]\n\
    [[app]]\nname = \"shop\"\nmodel = \"shop.json\"\n[[strategy]]\nkind = \"random\"\n[gate]\n";
const MARKER: &str = "<!-- droidtest:smoke -->";
const TOKEN: &str = "ghs_secret4711";

/// A desk with a run that has one new finding.
fn desk() -> Desk {
    let desk = Desk::new(SUITE);
    desk.write("shop.json", shop::model("@team <b>closed</b>"));
    assert_eq!(desk.tool("run --run-id one").code, 100);
    desk
}

/// The event of a pull request from a branch, or from a fork.
fn event(head: &str) -> String {
    json!({ "pull_request": {
        "number": 7,
        "head": { "repo": { "full_name": head } },
        "base": { "repo": { "full_name": "acme/notes" } },
    } })
    .to_string()
}

fn github(desk: &Desk, forge: &Forge, token: Option<&str>, args: &str) -> Ended {
    let mut command = desk.command(args);
    command
        .env("GITHUB_ACTIONS", "true")
        .env("GITHUB_API_URL", forge.url())
        .env("GITHUB_REPOSITORY", "acme/notes")
        .env("GITHUB_SERVER_URL", "https://github.example")
        .env("GITHUB_RUN_ID", "99")
        .env("GITHUB_EVENT_PATH", desk.path("event.json"));
    if let Some(token) = token {
        command.env("GITHUB_TOKEN", token);
    }
    Ended::of(&mut command)
}

fn is_github(request: &Request) {
    assert_eq!(request.header("authorization"), format!("Bearer {TOKEN}"));
    assert_eq!(request.header("accept"), "application/vnd.github+json");
    assert_eq!(request.header("x-github-api-version"), "2022-11-28");
    assert!(request.header("user-agent").starts_with("cargo-droidtest/"));
}

#[test]
fn github_has_one_comment_that_is_updated_in_place() {
    let desk = desk();
    desk.write("event.json", event("acme/notes"));
    // Others have written more than a page; one quotes the marker.
    let mut others: Vec<Value> = (1..=130)
        .map(|id| json!({ "id": id, "body": format!("comment {id}") }))
        .collect();
    others[3]["body"] = format!("> {MARKER}").into();
    let forge = Forge::new(others);
    let first = github(&desk, &forge, Some(TOKEN), "comment");
    assert_eq!(first.code, 0, "{}", first.err);
    let requests = forge.requests();
    requests.iter().for_each(is_github);
    let lines: Vec<_> = requests.iter().map(|r| r.line.as_str()).collect();
    let all = "/repos/acme/notes/issues/7/comments";
    let wanted = [
        format!("GET {all}?per_page=100&page=1"),
        format!("GET {all}?per_page=100&page=2"),
        format!("POST {all}"),
    ];
    assert_eq!(lines, wanted);
    assert_eq!(requests[2].header("content-type"), "application/json");
    let body = requests[2].json();
    let text = body["body"].as_str().unwrap();
    for part in [
        "### droidtest: smoke\n\n**failed: 1 new** · [run and artifacts](https://github.example/acme/notes/actions/runs/99)",
        "#### Main.save \\(Main.java&#58;7\\)\n\n> java.lang.IllegalStateException",
        "1. click “Save”",
        "```\ncargo droidtest replay ",
    ] {
        assert!(
            text.starts_with(MARKER) && text.contains(part),
            "{part} in {text}"
        );
    }
    assert!(!text.contains("@team") && !text.contains("<b>"), "{text}");
    // The same run says the same.
    assert_eq!(github(&desk, &forge, Some(TOKEN), "comment").code, 0);
    assert_eq!(forge.requests().len(), 2, "nothing to change");
    // The next one is known.
    assert_eq!(desk.tool("gate init one").code, 0);
    assert_eq!(desk.tool("gate one").code, 0);
    let next = github(&desk, &forge, Some(TOKEN), "comment one");
    assert_eq!(next.code, 0, "{}", next.err);
    let requests = forge.requests();
    let last = requests.last().unwrap();
    assert_eq!(last.line, "PATCH /repos/acme/notes/issues/comments/131");
    let text = last.json()["body"].to_string();
    assert!(text.contains("**passed: 1 known**"), "{text}");
    assert_eq!(forge.comments().len(), 131);
}

#[test]
fn a_comment_is_not_started_without_anything_to_say() {
    let desk = desk();
    desk.write("event.json", event("acme/notes"));
    assert_eq!(desk.tool("gate init one").code, 0);
    assert_eq!(desk.tool("gate one").code, 0);
    let forge = Forge::new(Vec::new());
    let done = github(&desk, &forge, Some(TOKEN), "comment -v");
    assert_eq!((done.code, forge.requests().len()), (0, 1), "{}", done.err);
    assert!(
        done.err.contains("no comment: nothing changed"),
        "{}",
        done.err
    );
}

#[test]
fn a_fork_a_push_and_a_desk_have_no_comment_and_no_error() {
    let desk = desk();
    desk.write("event.json", event("fork/notes"));
    let forge = Forge::new(Vec::new());
    let quiet = github(&desk, &forge, None, "comment");
    assert_eq!((quiet.code, quiet.err.as_str()), (0, ""));
    let loud = github(&desk, &forge, None, "comment -v");
    assert!(
        loud.err.contains("`GITHUB_TOKEN` is not set"),
        "{}",
        loud.err
    );
    desk.write("event.json", "{}");
    let push = github(&desk, &forge, Some(TOKEN), "comment -v");
    assert!(
        push.code == 0 && push.err.contains("not for a pull request"),
        "{}",
        push.err
    );
    let desk_only = desk.tool("comment -v");
    assert!(
        desk_only.code == 0 && desk_only.err.contains("neither GitHub Actions nor"),
        "{}",
        desk_only.err
    );
    desk.write("event.json", event("acme/notes"));
    let offline = github(&desk, &forge, Some(TOKEN), "comment -v --offline");
    assert!(offline.code == 0 && offline.err.contains("--offline"));
    assert!(forge.requests().is_empty(), "nobody was asked");
    // A token that may not write.
    let forge = Forge::refusing(403, "Resource not accessible by integration");
    desk.write("event.json", event("fork/notes"));
    let refused = github(&desk, &forge, Some(TOKEN), "comment");
    assert_eq!((refused.code, refused.err.as_str()), (0, ""));
    desk.write("event.json", event("acme/notes"));
    let refused = github(&desk, &forge, Some(TOKEN), "comment");
    assert_eq!(refused.code, 110);
    let error = refused.err.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        error.contains("status 403: Resource not accessible by integration"),
        "{error}"
    );
    assert!(
        error.contains("pull-requests: write") && !error.contains(TOKEN),
        "{error}"
    );
}

#[test]
fn no_other_host_is_asked_and_no_error_has_the_token() {
    let desk = desk();
    desk.write("event.json", event("acme/notes"));
    let elsewhere = Forge::new(Vec::new());
    let forge = Forge::redirecting(&format!("{}/{TOKEN}", elsewhere.url()));
    let moved = github(&desk, &forge, Some(TOKEN), "comment -v");
    assert_eq!(moved.code, 110, "{}", moved.err);
    assert!(moved.err.contains("status 302"), "{}", moved.err);
    assert!(elsewhere.requests().is_empty());
    assert!(!moved.all().contains(TOKEN), "{}", moved.err);
    // Nobody listens.
    let closed = Forge::closed();
    let gone = github(&desk, &closed, Some(TOKEN), "comment");
    assert_eq!(gone.code, 110, "{}", gone.err);
    assert!(
        gone.err.contains("cannot comment: Get http://127.0.0.1:"),
        "{}",
        gone.err
    );
}

#[test]
fn gitlab_has_a_note_on_the_merge_request() {
    let desk = desk();
    let forge = Forge::new(vec![json!({ "id": 1, "body": "hello" })]);
    let run = |iid: &str| {
        let mut command = desk.command("comment -v");
        command
            .env("GITLAB_CI", "true")
            .env("CI_API_V4_URL", format!("{}/api/v4", forge.url()))
            .env("CI_PROJECT_ID", "31")
            .env("CI_MERGE_REQUEST_IID", iid)
            .env(
                "CI_PIPELINE_URL",
                "https://gitlab.example/acme/notes/-/pipelines/5",
            )
            .env("DROIDTEST_GITLAB_TOKEN", TOKEN);
        Ended::of(&mut command)
    };
    let none = run("");
    assert!(
        none.code == 0 && none.err.contains("not for a merge request"),
        "{}",
        none.err
    );
    assert_eq!(run("4").code, 0);
    let requests = forge.requests();
    assert!(requests.iter().all(|r| r.header("private-token") == TOKEN));
    let notes = "/api/v4/projects/31/merge_requests/4/notes";
    let lines: Vec<_> = requests.iter().map(|r| r.line.as_str()).collect();
    assert_eq!(
        lines,
        [
            format!("GET {notes}?per_page=100&page=1"),
            format!("POST {notes}")
        ]
    );
    let text = requests[1].json()["body"].as_str().unwrap().to_owned();
    assert!(
        text.contains("(https://gitlab.example/acme/notes/-/pipelines/5)"),
        "{text}"
    );
    desk.tool("gate init one");
    desk.tool("gate one");
    assert_eq!(run("4").code, 0);
    let requests = forge.requests();
    assert_eq!(requests.last().unwrap().line, format!("PUT {notes}/2"));
}

#[test]
fn the_comment_can_be_printed() {
    let desk = desk();
    let done = desk.tool("comment --print");
    assert!(
        done.code == 0 && done.out.starts_with(MARKER),
        "{}",
        done.all()
    );
    assert_eq!(desk.tool("comment nowhere").code, 4);
}
