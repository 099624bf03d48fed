//! Writes the plain format of an archive for the Java process: `replay.json`, a file for each body, a table of hosts.

use super::{Archive, Body, Failure, Message, Rule};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::net::Ipv4Addr;
use std::path::Path;

/// The most hosts, limited by the addresses.
pub const MOST_HOSTS: usize = 50_000;
const FILE: &str = "replay.json";

#[derive(Serialize)]
struct Whole<'a> {
    hosts: BTreeMap<&'a str, String>,
    unknown: &'a [String],
    answers: Vec<Plain<'a>>,
    rules: &'a [Rule],
}

#[derive(Serialize)]
struct Plain<'a> {
    status: u16,
    reason: &'a str,
    headers: &'a [(String, String)],
    #[serde(skip_serializing_if = "Option::is_none")]
    body: Option<String>,
    delay_ms: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    fail: Option<Failure>,
    #[serde(skip_serializing_if = "<[Message]>::is_empty")]
    messages: &'a [Message],
}

impl Archive {
    /// Writes it into a new folder.
    ///
    /// # Errors
    /// The folder cannot be written, or a file of the archive is gone.
    pub fn write(&self, folder: &Path) -> io::Result<()> {
        fs::create_dir_all(folder)?;
        let mut answers = Vec::new();
        for (index, answer) in self.answers.iter().enumerate() {
            let name = format!("body-{index}");
            let to = folder.join(&name);
            let body = match &answer.body {
                Body::Bytes(bytes) if bytes.is_empty() => None,
                Body::Bytes(bytes) => fs::write(to, bytes).map(|()| Some(name))?,
                Body::File(from) => fs::copy(from, to).map(|_| Some(name))?,
            };
            answers.push(Plain {
                status: answer.status,
                reason: &answer.reason,
                headers: &answer.headers,
                body,
                delay_ms: answer.delay_ms,
                fail: answer.fail,
                messages: &answer.messages,
            });
        }
        let whole = Whole {
            hosts: self.addresses().collect(),
            unknown: &self.unknown,
            answers,
            rules: &self.rules,
        };
        fs::write(folder.join(FILE), serde_json::to_vec(&whole)?)
    }

    /// The hosts file for Java's resolver.
    pub fn host_table(&self) -> String {
        let mut table = String::new();
        for (host, address) in self.addresses().filter(|(host, address)| host != address) {
            let _ = writeln!(table, "{address} {host}");
        }
        table
    }

    /// Each host with an address: one of RFC 2544, which no machine has, or the one that it is already.
    fn addresses(&self) -> impl Iterator<Item = (&str, String)> {
        self.hosts.iter().zip(0_u32..).map(|(host, index)| {
            let address = host.parse::<Ipv4Addr>().unwrap_or_else(|_| {
                let first = u32::from(Ipv4Addr::new(198, 18, 0, 1));
                // No address ends in 0 or 255.
                Ipv4Addr::from(first + index / 254 * 256 + index % 254)
            });
            (host.as_str(), address.to_string())
        })
    }
}
