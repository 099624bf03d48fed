//! Normalized addresses: a lower-case scheme and host, no default port, a path, no fragment; letters beyond ASCII
//! escaped, as clients send them.

use super::{Wrong, host};
use percent_encoding::{AsciiSet, utf8_percent_encode};
use std::net::Ipv4Addr;

/// A normalized address.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Url {
    /// All of it.
    pub text: String,
    /// The host alone.
    pub host: String,
    /// Up to the path.
    origin: String,
}

const FORM: &str = "write an address such as \"https://api.example.org/v1/items\"";

impl Url {
    /// Reads an address of http or https.
    pub fn parse(text: &str) -> Result<Self, Wrong> {
        let wrong = |what: &str| Wrong::new(format!("{text:?} {what}"), FORM);
        let (scheme, rest) = text
            .split_once("://")
            .ok_or_else(|| wrong("is not a complete address"))?;
        let scheme = scheme.to_ascii_lowercase();
        let usual = match scheme.as_str() {
            "http" => 80,
            "https" => 443,
            _ => return Err(wrong("is neither http nor https")),
        };
        let rest = rest.split('#').next().unwrap_or_default();
        let end = rest.find(['/', '?']).unwrap_or(rest.len());
        let (authority, path) = rest.split_at(end);
        if authority.contains('@') {
            return Err(wrong("has a user name"));
        }
        if authority.contains('[') {
            return Err(wrong(
                "has an IPv6 address, which the device does not support",
            ));
        }
        let (host, port) = match authority.split_once(':') {
            Some((host, port)) => {
                let port: Option<u16> = port.parse().ok().filter(|port| *port > 0);
                (host, port.ok_or_else(|| wrong("has an invalid port"))?)
            }
            None => (authority, usual),
        };
        let host = host::to_ascii(host).ok_or_else(|| wrong("has no valid host name"))?;
        if host.contains('*') {
            return Err(Wrong::new(
                format!("{text:?} has a `*` in its host"),
                "name the host, one stub for each; `*` may be in the path and the query",
            ));
        }
        let right = |c: char| c.is_ascii_alphanumeric() || "-._".contains(c);
        if host.is_empty() || host.len() > 253 || !host.chars().all(right) {
            return Err(wrong("has no valid host name"));
        }
        let digits = host.chars().all(|c| c.is_ascii_digit() || c == '.');
        if digits && host.parse::<Ipv4Addr>().is_err() {
            return Err(wrong("has no valid IPv4 address"));
        }
        if path.chars().any(|c| c.is_control() || c == ' ') {
            return Err(wrong("has a space in it; write %20"));
        }
        let origin = if port == usual {
            format!("{scheme}://{host}")
        } else {
            format!("{scheme}://{host}:{port}")
        };
        // Letters beyond ASCII are escaped in any case.
        let path = utf8_percent_encode(path, &AsciiSet::EMPTY);
        let path = path.to_string();
        let slash = if path.starts_with('/') { "" } else { "/" };
        Ok(Self {
            text: format!("{origin}{slash}{path}"),
            host,
            origin,
        })
    }

    /// Does it, as a pattern, cover all of its host?
    pub fn is_whole_host(&self) -> bool {
        let path = &self.text[self.origin.len()..];
        path == "/" || path == "/*"
    }

    /// The address without its query.
    pub fn without_query(&self) -> &str {
        self.text.split('?').next().unwrap_or_default()
    }

    /// Its root, which covers all of its host and port.
    pub fn root(&self) -> String {
        format!("{}/", self.origin)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_have_one_spelling() {
        for (text, spelt) in [
            (
                "HTTPS://API.Example.org:443/A?b=C#d",
                "https://api.example.org/A?b=C",
            ),
            ("http://example.org", "http://example.org/"),
            ("http://example.org?q=1", "http://example.org/?q=1"),
            ("http://10.0.2.2:8080/x", "http://10.0.2.2:8080/x"),
            (
                "http://a.org/mühle/%C3%BC?k=粉",
                "http://a.org/m%C3%BChle/%C3%BC?k=%E7%B2%89",
            ),
            (
                "https://Bücher.example:8443/ü",
                "https://xn--bcher-kva.example:8443/%C3%BC",
            ),
            (
                "https://b%C3%BCcher.example/",
                "https://xn--bcher-kva.example/",
            ),
        ] {
            assert_eq!(Url::parse(text).unwrap().text, spelt);
        }
        for text in [
            "example.org/a",
            "ftp://example.org/",
            "http:///a",
            "http://*.example.org/",
            "http://a@example.org/",
            "http://example.org:0/",
            "http://[::1]/",
            "http://1.2.3/",
            "http://%2F.example/",
            "http://a%20b.example/",
            "http://example.org/a b",
        ] {
            assert!(Url::parse(text).is_err(), "{text}");
        }
    }
}
