//! Where a comment goes: the pull request or merge request of the CI job, from the CI's environment variables.

use super::http::{Method, RequestError, Server};
use serde_json::{Value, json};
use std::fs;

/// Comments a page; both forges have at most this many.
const PAGE: usize = 100;
/// Pages read in search of the comment.
const PAGES: usize = 50;

/// Reads an environment variable; an empty one is none.
pub type Env<'a> = &'a dyn Fn(&str) -> Option<String>;

/// The comments of a pull request or a merge request.
pub struct Comments {
    server: Server,
    /// The path of all comments.
    all: String,
    /// The path of one comment, without its id.
    one: String,
    update: Method,
    /// Is it from a fork? Its jobs often may not write.
    pub fork: bool,
    /// What a job needs to be allowed to comment.
    pub needs: &'static str,
}

/// What was done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Done {
    /// The comment was made.
    Created,
    /// It was there and has the new text.
    Updated,
    /// It was there with this text, or there is nothing to say.
    Unchanged,
}

impl Comments {
    /// The comments of the job's pull request or merge request; else why there are none, in words.
    pub fn of_job(env: Env<'_>) -> Result<Self, String> {
        if env("GITLAB_CI").is_some() {
            gitlab(env)
        } else if env("GITHUB_REPOSITORY").is_some() {
            github(env)
        } else {
            Err("this is no job of GitHub Actions or GitLab CI".into())
        }
    }

    /// Finds the comment that starts with the marker and gives it the text; without one makes it, if `matters`.
    ///
    /// # Errors
    /// The server refuses a request or does not answer.
    pub fn put(&self, marker: &str, text: &str, matters: bool) -> Result<Done, RequestError> {
        let body = json!({ "body": text });
        match self.find(marker)? {
            Some((_, old)) if old.trim_end() == text.trim_end() => Ok(Done::Unchanged),
            Some((id, _)) => {
                let path = format!("{}/{id}", self.one);
                self.server.send(self.update, &path, Some(&body))?;
                Ok(Done::Updated)
            }
            None if !matters => Ok(Done::Unchanged),
            None => {
                self.server.send(Method::Post, &self.all, Some(&body))?;
                Ok(Done::Created)
            }
        }
    }

    /// The comment's id and text.
    fn find(&self, marker: &str) -> Result<Option<(u64, String)>, RequestError> {
        for page in 1..=PAGES {
            let path = format!("{}?per_page={PAGE}&page={page}", self.all);
            let answer = self.server.send(Method::Get, &path, None)?;
            let comments = answer.as_array().map(Vec::as_slice).unwrap_or_default();
            let ours = comments.iter().find_map(|comment| {
                let body = comment.get("body")?.as_str()?;
                let id = comment.get("id")?.as_u64()?;
                body.starts_with(marker)
                    .then(|| (id, body.replace("\r\n", "\n")))
            });
            if ours.is_some() || comments.len() < PAGE {
                return Ok(ours);
            }
        }
        Ok(None)
    }
}

/// The page of the job with its artifacts.
pub fn link(env: Env<'_>) -> Option<String> {
    let url = match env("GITLAB_CI") {
        Some(_) => env("CI_PIPELINE_URL")?,
        None => {
            let (server, repository) = (env("GITHUB_SERVER_URL")?, env("GITHUB_REPOSITORY")?);
            format!(
                "{server}/{repository}/actions/runs/{}",
                env("GITHUB_RUN_ID")?
            )
        }
    };
    // It goes into Markdown.
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-._~:/%?=&+,@".contains(c);
    url.chars().all(is_plain).then_some(url)
}

/// <https://docs.github.com/en/rest/issues/comments>: a pull request is an issue.
fn github(env: Env<'_>) -> Result<Comments, String> {
    let token = env("GITHUB_TOKEN").ok_or("`GITHUB_TOKEN` is not set")?;
    let repository = env("GITHUB_REPOSITORY").unwrap_or_default();
    let is_name = |c: char| c.is_ascii_alphanumeric() || "-._/".contains(c);
    if repository.split('/').count() != 2 || !repository.chars().all(is_name) {
        return Err(format!(
            "`GITHUB_REPOSITORY` is {repository:?}, not OWNER/NAME"
        ));
    }
    let event = env("GITHUB_EVENT_PATH").and_then(|path| fs::read(path).ok());
    let event: Value = event
        .and_then(|bytes| serde_json::from_slice(&bytes).ok())
        .unwrap_or_default();
    let pull = &event["pull_request"];
    let number = pull["number"].as_u64().or_else(|| {
        let number = env("GITHUB_REF")?;
        number
            .strip_prefix("refs/pull/")?
            .split('/')
            .next()?
            .parse()
            .ok()
    });
    let number = number.ok_or("this job is not for a pull request")?;
    let (head, base) = (
        &pull["head"]["repo"]["full_name"],
        &pull["base"]["repo"]["full_name"],
    );
    let api = env("GITHUB_API_URL").unwrap_or_else(|| "https://api.github.com".into());
    let headers = vec![
        ("Authorization", format!("Bearer {token}")),
        ("Accept", "application/vnd.github+json".to_owned()),
        ("X-GitHub-Api-Version", "2022-11-28".to_owned()),
    ];
    Ok(Comments {
        server: Server::new(&api, headers, &token),
        all: format!("/repos/{repository}/issues/{number}/comments"),
        one: format!("/repos/{repository}/issues/comments"),
        update: Method::Patch,
        fork: !pull.is_null() && head != base,
        needs: "the job needs `permissions: { pull-requests: write }`",
    })
}

/// <https://docs.gitlab.com/api/notes/#merge-requests>
fn gitlab(env: Env<'_>) -> Result<Comments, String> {
    let number = |name: &str| -> Option<u64> { env(name)?.parse().ok() };
    let request = number("CI_MERGE_REQUEST_IID").ok_or("this job is not for a merge request")?;
    let token = env("DROIDTEST_GITLAB_TOKEN").ok_or("`DROIDTEST_GITLAB_TOKEN` is not set")?;
    let project = number("CI_PROJECT_ID").ok_or("`CI_PROJECT_ID` is not a number")?;
    let api = env("CI_API_V4_URL").ok_or("`CI_API_V4_URL` is not set")?;
    // A fork's pipeline runs in the fork's project, the merge request is the parent's.
    let target = number("CI_MERGE_REQUEST_PROJECT_ID").unwrap_or(project);
    let source = number("CI_MERGE_REQUEST_SOURCE_PROJECT_ID").unwrap_or(target);
    let notes = format!("/projects/{target}/merge_requests/{request}/notes");
    Ok(Comments {
        server: Server::new(&api, vec![("PRIVATE-TOKEN", token.clone())], &token),
        all: notes.clone(),
        one: notes,
        update: Method::Put,
        fork: source != target,
        needs: "`DROIDTEST_GITLAB_TOKEN` needs the scope `api` and the role Reporter",
    })
}
