//! Requests to a forge's REST interface.

use crate::util::text::shorten;
use serde_json::Value;
use std::fmt;
use std::time::Duration;
use ureq::Agent;

/// Seconds of a request, from the look-up of the host to the last byte of the answer.
const DEADLINE: Duration = Duration::from_secs(30);
/// Bytes of an answer: a hundred comments of the longest kind, escaped.
const LONGEST: u64 = 64 << 20;

/// A server below one address. No request goes elsewhere: redirects are not followed.
pub struct Server {
    agent: Agent,
    base: String,
    headers: Vec<(&'static str, String)>,
    token: String,
}

/// What a request does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// Reads.
    Get,
    /// Creates.
    Post,
    /// Changes, on GitHub.
    Patch,
    /// Changes, on GitLab.
    Put,
}

/// Why a request failed.
#[derive(Debug)]
pub struct RequestError {
    /// The answer's status; 0 without an answer.
    pub status: u16,
    what: String,
}

impl fmt::Display for RequestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)
    }
}

impl Server {
    /// A server, with what each request carries. The token appears in no error.
    pub fn new(base: &str, headers: Vec<(&'static str, String)>, token: &str) -> Self {
        let config = Agent::config_builder()
            .timeout_global(Some(DEADLINE))
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .user_agent(concat!("cargo-droidtest/", env!("CARGO_PKG_VERSION")))
            .build();
        Self {
            agent: config.into(),
            base: base.trim_end_matches('/').to_owned(),
            headers,
            token: token.to_owned(),
        }
    }

    /// Sends a request; the answer as JSON.
    ///
    /// # Errors
    /// There is no answer in time, its status is not 2xx, or it is not JSON.
    pub fn send(
        &self,
        method: Method,
        path: &str,
        body: Option<&Value>,
    ) -> Result<Value, RequestError> {
        let url = format!("{}{path}", self.base);
        let failed = |status, why: String| {
            let what = format!("{method:?} {url}: {why}").replace(&self.token, "***");
            RequestError { status, what }
        };
        let mut request = ureq::http::Request::builder()
            .method(match method {
                Method::Get => "GET",
                Method::Post => "POST",
                Method::Patch => "PATCH",
                Method::Put => "PUT",
            })
            .uri(&url);
        for (name, value) in &self.headers {
            request = request.header(*name, value);
        }
        let body = body.map(Value::to_string);
        if body.is_some() {
            request = request.header("Content-Type", "application/json");
        }
        let request = request.body(body.unwrap_or_default());
        let request = request.map_err(|e| failed(0, e.to_string()))?;
        let answer = match method {
            Method::Get => self.agent.run(request.map(|_| ())),
            _ => self.agent.run(request),
        };
        let mut answer = answer.map_err(|e| failed(0, e.to_string()))?;
        let status = answer.status().as_u16();
        let text = answer
            .body_mut()
            .with_config()
            .limit(LONGEST)
            .read_to_string();
        let text = text.map_err(|e| failed(status, e.to_string()))?;
        let json: Result<Value, _> = serde_json::from_str(&text);
        if !(200..300).contains(&status) {
            let said = json.ok().and_then(|json| {
                let message = json.get("message").or(json.get("error"))?;
                Some(format!(": {}", shorten(message.as_str()?, 200)))
            });
            let said = said.unwrap_or_default();
            return Err(failed(status, format!("status {status}{said}")));
        }
        json.map_err(|e| failed(status, format!("the answer is not JSON: {e}")))
    }
}
