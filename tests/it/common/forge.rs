//! A local server with the comments of one pull request, as GitHub and GitLab serve them.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

/// A request as it came.
pub struct Request {
    /// Method and path.
    pub line: String,
    headers: Vec<(String, String)>,
    body: String,
}

impl Request {
    /// The only header of this name, in lower case.
    pub fn header(&self, name: &str) -> &str {
        let mut found = self.headers.iter().filter(|(known, _)| known == name);
        let value = found.next().map_or("", |(_, value)| value);
        assert!(found.next().is_none(), "{name} twice");
        value
    }

    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap()
    }
}

#[derive(Default)]
struct State {
    comments: Vec<Value>,
    requests: Vec<Request>,
}

/// How it answers.
enum Manner {
    Serves,
    Refuses(u16, String),
    Redirects(String),
}

pub struct Forge {
    url: String,
    state: Arc<Mutex<State>>,
}

impl Forge {
    /// With these comments, whose ids are their numbers from 1.
    pub fn new(comments: Vec<Value>) -> Self {
        Self::start(comments, Manner::Serves)
    }

    /// Refuses everything.
    pub fn refusing(status: u16, message: &str) -> Self {
        Self::start(Vec::new(), Manner::Refuses(status, message.into()))
    }

    /// Sends everybody elsewhere.
    pub fn redirecting(to: &str) -> Self {
        Self::start(Vec::new(), Manner::Redirects(to.into()))
    }

    /// An address where nobody listens.
    pub fn closed() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        Self {
            url: format!("http://{}", listener.local_addr().unwrap()),
            state: Arc::default(),
        }
    }

    fn start(comments: Vec<Value>, manner: Manner) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let state = Arc::new(Mutex::new(State {
            comments,
            ..State::default()
        }));
        let shared = Arc::clone(&state);
        // Ends with the process of the tests.
        thread::spawn(move || {
            for stream in listener.incoming() {
                serve(stream.unwrap(), &shared, &manner);
            }
        });
        Self { url, state }
    }

    pub fn url(&self) -> &str {
        &self.url
    }

    /// The requests since the last call.
    pub fn requests(&self) -> Vec<Request> {
        std::mem::take(&mut self.state.lock().unwrap().requests)
    }

    pub fn comments(&self) -> Vec<Value> {
        self.state.lock().unwrap().comments.clone()
    }
}

fn serve(stream: TcpStream, state: &Mutex<State>, manner: &Manner) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut first = String::new();
    if reader.read_line(&mut first).unwrap_or(0) == 0 {
        return;
    }
    let line = first
        .trim_end()
        .strip_suffix(" HTTP/1.1")
        .unwrap()
        .to_owned();
    let mut headers = Vec::new();
    loop {
        let mut header = String::new();
        reader.read_line(&mut header).unwrap();
        let Some((name, value)) = header.trim_end().split_once(": ") else {
            break;
        };
        headers.push((name.to_lowercase(), value.to_owned()));
    }
    let length = headers.iter().find(|(name, _)| name == "content-length");
    let length = length.map_or(0, |(_, length)| length.parse().unwrap());
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    let request = Request {
        line,
        headers,
        body: String::from_utf8(body).unwrap(),
    };
    let mut state = state.lock().unwrap();
    let (status, extra, answer) = match manner {
        Manner::Serves => {
            let (status, answer) = answer(&request, &mut state.comments);
            (status, String::new(), answer)
        }
        Manner::Refuses(status, message) => (*status, String::new(), json!({ "message": message })),
        Manner::Redirects(to) => (302, format!("Location: {to}\r\n"), json!({})),
    };
    state.requests.push(request);
    let answer = answer.to_string();
    let text = format!(
        "HTTP/1.1 {status} Answer\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n{extra}\r\n{answer}",
        answer.len()
    );
    (&stream).write_all(text.as_bytes()).unwrap();
}

/// Lists by pages, creates, updates by id.
fn answer(request: &Request, comments: &mut Vec<Value>) -> (u16, Value) {
    let (method, path) = request.line.split_once(' ').unwrap();
    match method {
        "GET" => {
            let query = path.split_once('?').unwrap().1;
            let value = |name: &str| -> usize {
                let mut parts = query.split('&').filter_map(|part| part.split_once('='));
                parts
                    .find(|(key, _)| *key == name)
                    .unwrap()
                    .1
                    .parse()
                    .unwrap()
            };
            let (size, page) = (value("per_page"), value("page"));
            let shown = comments.iter().skip(size * (page - 1)).take(size);
            (200, shown.cloned().collect())
        }
        "POST" => {
            let id = comments.len() + 1;
            comments.push(json!({ "id": id, "body": request.json()["body"] }));
            (201, json!({ "id": id }))
        }
        _ => {
            let id: usize = path.rsplit('/').next().unwrap().parse().unwrap();
            comments[id - 1]["body"] = request.json()["body"].clone();
            (200, json!({ "id": id }))
        }
    }
}
