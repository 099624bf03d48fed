//! A run with a live view, and what its page does, without a browser. The rig has it, too.

use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

const PATIENCE: Duration = Duration::from_secs(180);

/// A run with a live view.
pub struct Run {
    child: Child,
    /// The page's address.
    pub url: String,
    /// The rest of what it prints.
    said: mpsc::Receiver<String>,
}

impl Run {
    /// Starts it, and waits for the page's address.
    pub fn of(command: &mut Command) -> Self {
        let mut child = command
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let errors = BufReader::new(child.stderr.take().unwrap());
        let (tell, said) = mpsc::channel();
        thread::spawn(move || {
            for line in errors.lines().map_while(Result::ok) {
                if tell.send(line).is_err() {
                    break;
                }
            }
        });
        let url = loop {
            let line = said.recv_timeout(PATIENCE).expect("the page's address");
            if let Some(at) = line.find("http://127.0.0.1:") {
                break line[at..].trim().to_owned();
            }
        };
        Self { child, url, said }
    }

    /// Address and port, and the token.
    pub fn parts(&self) -> (&str, &str) {
        let rest = self.url.strip_prefix("http://").unwrap();
        let (host, token) = rest.split_once('/').unwrap();
        (host, token.trim_end_matches('/'))
    }

    /// Sends bytes and reads the answer to its end.
    pub fn raw(&self, request: &str) -> String {
        let mut stream = TcpStream::connect(self.parts().0).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }

    /// What a person asks a session for: the status, and what is answered.
    pub fn wish(&self, session: usize, wish: &Value) -> (u16, String) {
        let ((host, token), body) = (self.parts(), wish.to_string());
        let answer = self.raw(&format!(
            "POST /{token}/session/{session} HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\n\
             Content-Length: {}\r\n\r\n{body}",
            body.len()
        ));
        (
            status(&answer),
            answer.split_once("\r\n\r\n").unwrap().1.to_owned(),
        )
    }

    /// An open stream of a session's messages, behind this step.
    pub fn stream(&self, session: usize, after: u64) -> Stream {
        let (host, token) = self.parts();
        let mut stream = TcpStream::connect(host).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let request = format!(
            "GET /{token}/session/{session} HTTP/1.1\r\nHost: {host}\r\nLast-Event-ID: {after}\r\n\r\n"
        );
        stream.write_all(request.as_bytes()).unwrap();
        Stream(BufReader::new(stream))
    }

    /// Its process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Waits for its end: the exit code and what it has printed since.
    pub fn end(mut self) -> (Option<i32>, String) {
        let mut said = String::new();
        while let Ok(line) = self.said.recv_timeout(PATIENCE) {
            said += &line;
            said.push('\n');
        }
        (self.child.wait().unwrap().code(), said)
    }
}

/// A test that fails leaves no run behind, which would take the processor from the others.
impl Drop for Run {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Server-sent events.
pub struct Stream(BufReader<TcpStream>);

impl Stream {
    /// The next message that fulfils this.
    pub fn until(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        loop {
            let mut line = String::new();
            assert!(self.0.read_line(&mut line).unwrap() > 0, "the stream ended");
            if let Some(data) = line.strip_prefix("data: ") {
                let message: Value = serde_json::from_str(data).unwrap();
                if wanted(&message) {
                    return message;
                }
            }
        }
    }
}

/// The status of an answer.
pub fn status(answer: &str) -> u16 {
    let status = answer.split(' ').nth(1);
    status
        .unwrap_or_else(|| panic!("no answer: {answer:?}"))
        .parse()
        .unwrap()
}
