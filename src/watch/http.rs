//! The little of HTTP/1.1 that the live view needs, for a browser on this machine: one request for each connection, of
//! bounded size, within a deadline, and only from our own page.

use httparse::Status;
use std::io::{self, Read as _, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// Longest request line and headers, and longest body, in bytes.
const HEAD: usize = 8 << 10;
const BODY: usize = 32 << 10;
/// Most headers.
const HEADERS: usize = 64;
/// The headers, with the token, have arrived within this time.
const GREETING: Duration = Duration::from_secs(2);
/// The body has arrived, and each part of an answer is taken, within this time.
const DEADLINE: Duration = Duration::from_secs(5);

/// Whom a server answers: its address as browsers write it (`127.0.0.1:8000`), and the token.
#[derive(Clone, Debug)]
pub struct Door {
    /// Address and port.
    pub host: String,
    /// The secret first part of every path.
    pub token: String,
}

/// A request that was let in.
#[derive(PartialEq, Eq, Debug)]
pub struct Request {
    /// Was it a POST? Else it was a GET.
    pub post: bool,
    /// The path behind the token, without the first `/` and without a query.
    pub path: String,
    /// The number of the last event that the browser has seen.
    pub last_event: Option<u64>,
    /// What was posted.
    pub body: Vec<u8>,
}

/// A request that is not answered: the status, and why.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rejected(pub u16, pub &'static str);

impl From<io::Error> for Rejected {
    fn from(_: io::Error) -> Self {
        Self(408, "the request did not arrive in time")
    }
}

impl Door {
    /// Reads a request and checks host, origin and token; `admitted` is called once they are right, before the body is
    /// read.
    ///
    /// # Errors
    /// It is too long or too slow, no HTTP, not from our page, or `admitted` rejects it.
    pub fn read(
        &self,
        stream: &mut TcpStream,
        admitted: impl FnOnce() -> Result<(), Rejected>,
    ) -> Result<Request, Rejected> {
        let until = Instant::now() + GREETING;
        let mut bytes = Vec::new();
        let (mut request, body, length) = loop {
            if let Some(request) = self.admit(&bytes)? {
                break request;
            }
            if bytes.len() > HEAD {
                return Err(TOO_MANY);
            }
            more(stream, &mut bytes, until)?;
        };
        admitted()?;
        let until = Instant::now() + DEADLINE;
        while bytes.len() < body + length {
            more(stream, &mut bytes, until)?;
        }
        request.body = bytes[body..body + length].to_vec();
        Ok(request)
    }

    /// Checks request line and headers; `None`: more of them is to come. Gives the request, without its body, and the
    /// body's place and length.
    fn admit(&self, bytes: &[u8]) -> Result<Option<(Request, usize, usize)>, Rejected> {
        let mut headers = [httparse::EMPTY_HEADER; HEADERS];
        let mut head = httparse::Request::new(&mut headers);
        let body = match head.parse(bytes) {
            Ok(Status::Complete(body)) => body,
            Ok(Status::Partial) => return Ok(None),
            Err(httparse::Error::TooManyHeaders) => return Err(TOO_MANY),
            Err(_) => return Err(NO_HTTP),
        };
        let (Some(method), Some(path), Some(1)) = (head.method, head.path, head.version) else {
            return Err(NO_HTTP);
        };
        let post = match method {
            "GET" => false,
            "POST" => true,
            _ => return Err(Rejected(405, "only GET and POST are answered")),
        };
        let (mut host, mut origin, mut site) = (None, None, None);
        let (mut length, mut last_event) = (None, None);
        for header in head.headers.iter() {
            let known = match header.name.to_ascii_lowercase().as_str() {
                "host" => &mut host,
                "origin" => &mut origin,
                "sec-fetch-site" => &mut site,
                "content-length" => &mut length,
                "last-event-id" => &mut last_event,
                "transfer-encoding" => return Err(Rejected(411, "the body needs a length")),
                _ => continue,
            };
            let value = str::from_utf8(header.value).map_err(|_| NO_HTTP)?;
            if known.replace(value).is_some() {
                return Err(Rejected(400, "a header is there twice"));
            }
        }
        // A page of another name that resolves to this machine (DNS rebinding).
        if host != Some(&*self.host) {
            return Err(Rejected(
                403,
                "the host is not the address that was printed",
            ));
        }
        // A page of another origin (CSRF).
        let ours = format!("http://{}", self.host);
        let foreign = origin.is_some_and(|origin| origin != ours) || post && origin.is_none();
        if foreign || !matches!(site, None | Some("none" | "same-origin")) {
            return Err(Rejected(403, "the request is from another page"));
        }
        let path = path.split('?').next().unwrap_or_default();
        let (token, path) = path
            .strip_prefix('/')
            .and_then(|path| path.split_once('/'))
            .unwrap_or_default();
        if !same(token, &self.token) {
            return Err(Rejected(
                403,
                "the address lacks the token that `run --live` printed",
            ));
        }
        let length = length.map_or(Ok(0), str::parse).map_err(|_| NO_HTTP)?;
        if length > BODY {
            return Err(Rejected(413, "the request is too long"));
        }
        let request = Request {
            post,
            path: path.to_owned(),
            last_event: last_event.and_then(|id| id.parse().ok()),
            body: Vec::new(),
        };
        Ok(Some((request, body, length)))
    }
}

const TOO_MANY: Rejected = Rejected(431, "the request has too many headers");
const NO_HTTP: Rejected = Rejected(400, "not an HTTP/1.1 request");

/// Compares without a hint, in its time, at how much is right.
fn same(given: &str, token: &str) -> bool {
    let differing = given
        .bytes()
        .zip(token.bytes())
        .fold(0, |all, (a, b)| all | (a ^ b));
    given.len() == token.len() && differing == 0
}

fn more(stream: &mut TcpStream, bytes: &mut Vec<u8>, until: Instant) -> io::Result<()> {
    let left = until.saturating_duration_since(Instant::now());
    if left.is_zero() {
        return Err(io::ErrorKind::TimedOut.into());
    }
    stream.set_read_timeout(Some(left))?;
    let mut part = [0; 4096];
    match stream.read(&mut part)? {
        0 => Err(io::ErrorKind::UnexpectedEof.into()),
        read => {
            bytes.extend_from_slice(&part[..read]);
            Ok(())
        }
    }
}

/// Sends a complete answer, whose content is of this kind; `policy`: its content security policy.
///
/// # Errors
/// The browser is gone or too slow.
pub fn answer(
    stream: &mut TcpStream,
    status: u16,
    (kind, policy): (&str, &str),
    content: &[u8],
) -> io::Result<()> {
    let length = format!("Content-Length: {}\r\n", content.len());
    begin(stream, status, (kind, policy), &length)?;
    stream.write_all(content)
}

/// Sends the headers of an answer whose content follows in parts.
///
/// # Errors
/// The browser is gone or too slow.
pub fn begin(
    stream: &mut TcpStream,
    status: u16,
    (kind, policy): (&str, &str),
    more: &str,
) -> io::Result<()> {
    stream.set_write_timeout(Some(DEADLINE))?;
    let head = format!(
        "HTTP/1.1 {status} droidtest\r\nContent-Type: {kind}\r\nContent-Security-Policy: {policy}\r\n\
         X-Content-Type-Options: nosniff\r\nX-Frame-Options: DENY\r\nReferrer-Policy: no-referrer\r\n\
         Cross-Origin-Resource-Policy: same-origin\r\nCache-Control: no-store\r\nConnection: close\r\n{more}\r\n"
    );
    stream.write_all(head.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn admit(line: &str, headers: &[&str]) -> Result<(Request, usize), Rejected> {
        let door = Door {
            host: "127.0.0.1:8000".into(),
            token: "0123abcd".into(),
        };
        let mut head = [&[line][..], headers].concat().join("\r\n");
        assert_eq!(door.admit(head.as_bytes()), Ok(None), "not complete");
        head += "\r\n\r\n";
        let (request, body, length) = door.admit(head.as_bytes())?.unwrap();
        assert_eq!(body, head.len());
        Ok((request, length))
    }

    #[test]
    fn only_our_own_page_with_the_token_gets_in() {
        const HOST: &str = "Host: 127.0.0.1:8000";
        const GET: &str = "GET /0123abcd/session/3?x HTTP/1.1";
        let (request, length) = admit(GET, &[HOST, "Last-Event-ID: 7"]).unwrap();
        assert_eq!((request.path.as_str(), length), ("session/3", 0));
        assert_eq!((request.post, request.last_event), (false, Some(7)));
        let status = |line: &str, headers: &[&str]| admit(line, headers).unwrap_err().0;
        for line in [
            "GET / HTTP/1.1",
            "GET /session/3 HTTP/1.1",
            "GET /0123abc/session/3 HTTP/1.1",
            "GET /0123abce/session/3 HTTP/1.1",
            "GET /0123abcd HTTP/1.1",
        ] {
            assert_eq!(status(line, &[HOST]), 403, "{line}");
        }
        for host in [
            "Host: evil.example:8000",
            "Host: 127.0.0.1",
            "Host: localhost:8000",
            "X: y",
        ] {
            assert_eq!(status(GET, &[host]), 403, "{host}");
        }
        for foreign in [
            "Origin: http://evil.example",
            "Origin: null",
            "Origin: https://127.0.0.1:8000",
            "Sec-Fetch-Site: cross-site",
            "Sec-Fetch-Site: same-site",
        ] {
            assert_eq!(status(GET, &[HOST, foreign]), 403, "{foreign}");
        }
        const POST: &str = "POST /0123abcd/session/3 HTTP/1.1";
        assert_eq!(status(POST, &[HOST]), 403, "without an origin");
        let origin = "Origin: http://127.0.0.1:8000";
        let posted = |more| admit(POST, &[HOST, origin, more]);
        assert_eq!(posted("Content-Length: 12").unwrap().1, 12);
        assert_eq!(posted("Content-Length: 99999").unwrap_err().0, 413);
        assert_eq!(posted("Content-Length: -1").unwrap_err().0, 400);
        assert_eq!(posted("Transfer-Encoding: chunked").unwrap_err().0, 411);
        assert_eq!(posted(HOST).unwrap_err().0, 400, "two hosts");
        assert_eq!(status("PUT /0123abcd/ HTTP/1.1", &[HOST]), 405);
        assert_eq!(status("GET /0123abcd/ HTTP/1.0", &[HOST]), 400);
    }
}
