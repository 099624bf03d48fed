//! Reads web sockets that Chrome recorded in a HAR: `_webSocketMessages`.

use super::{LONGEST, Message, Wrong};
use data_encoding::BASE64;
use serde::Deserialize;

/// A message of either side.
#[derive(Deserialize)]
pub struct Recorded {
    /// `send` is the app's, `receive` the server's.
    #[serde(rename = "type")]
    side: String,
    /// In seconds.
    #[serde(default)]
    time: f64,
    /// 1 is a text, 2 are bytes in base64.
    #[serde(default)]
    opcode: f64,
    #[serde(default)]
    data: Option<String>,
}

/// The address of the request that opens a web socket.
pub fn as_http(address: &str) -> String {
    match address.split_once(':') {
        Some((scheme, rest)) if scheme.eq_ignore_ascii_case("wss") => format!("https:{rest}"),
        Some((scheme, rest)) if scheme.eq_ignore_ascii_case("ws") => format!("http:{rest}"),
        _ => address.to_owned(),
    }
}

/// Is it a header of the web socket handshake?
pub fn is_agreed(name: &str) -> bool {
    ["sec-websocket-accept", "sec-websocket-extensions"]
        .iter()
        .any(|agreed| name.eq_ignore_ascii_case(agreed))
}

/// The server's messages, each with the number of the app's messages before it.
pub fn messages(recorded: Vec<Recorded>) -> Result<Vec<Message>, Wrong> {
    let (mut messages, mut sent, mut before) = (Vec::new(), 0, None);
    for one in recorded {
        let passed = (one.time - before.unwrap_or(one.time)) * 1000.0;
        before = Some(one.time);
        match (one.side.as_str(), one.opcode) {
            ("send", opcode) if opcode == 1.0 || opcode == 2.0 => sent += 1,
            ("receive", opcode) if opcode == 1.0 || opcode == 2.0 => {
                let text = opcode == 1.0;
                let data = one.data.unwrap_or_default();
                let bytes = if text {
                    data.into_bytes()
                } else {
                    BASE64.decode(data.as_bytes()).map_err(|_| {
                        Wrong::new(
                            "a message of its web socket is not valid base64",
                            "export the traffic again, or delete the entry",
                        )
                    })?
                };
                messages.push(Message {
                    after: sent,
                    delay_ms: passed.clamp(0.0, LONGEST as f64).round() as u64,
                    text,
                    data: BASE64.encode(&bytes),
                });
            }
            // The device handles pings and the close.
            ("send" | "receive", _) => {}
            // Chrome's record that the connection failed, with the reason as its data.
            ("error", _) => break,
            (other, _) => {
                return Err(Wrong::new(
                    format!("a message of its web socket has the type {other:?}"),
                    "the types are `send` and `receive`: export the traffic again",
                ));
            }
        }
    }
    Ok(messages)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(recorded: serde_json::Value) -> Result<Vec<Message>, Wrong> {
        messages(serde_json::from_value(recorded).unwrap())
    }

    #[test]
    fn each_message_of_the_server_follows_those_of_the_app() {
        let found = read(json!([
            {"type": "receive", "time": 10.0, "opcode": 1, "data": "hello"},
            {"type": "send", "time": 11.0, "opcode": 1, "data": "who?"},
            {"type": "receive", "time": 11.25, "opcode": 2, "data": "AAE="},
            {"type": "receive", "time": 11.0, "opcode": 9, "data": ""},
            {"type": "send", "time": 12.0, "opcode": 8, "data": ""},
        ]));
        let of = |after, delay_ms, text, data: &str| Message {
            after,
            delay_ms,
            text,
            data: data.to_owned(),
        };
        let expected = [of(0, 0, true, "aGVsbG8="), of(1, 250, false, "AAE=")];
        assert_eq!(found.unwrap(), expected);
    }

    #[test]
    fn an_error_ends_the_messages() {
        let found = read(json!([
            {"type": "receive", "time": 1.0, "opcode": 1, "data": "flour"},
            {"type": "error", "time": 2.0, "opcode": -1, "data": "Connection reset"},
        ]))
        .unwrap();
        assert_eq!(found.len(), 1);
        let found = read(json!([{"type": "error", "data": null}]));
        assert_eq!(found.unwrap(), []);
    }

    #[test]
    fn what_is_no_record_says_so() {
        for (one, word) in [
            (json!({"type": "recv", "opcode": 1}), "recv"),
            (
                json!({"type": "receive", "opcode": 2, "data": "?"}),
                "base64",
            ),
        ] {
            let wrong = read(json!([one])).unwrap_err();
            assert!(wrong.what.contains(word), "{}", wrong.what);
        }
        assert_eq!(as_http("wss://a.org/x"), "https://a.org/x");
        assert_eq!(as_http("WS://a.org:81/x"), "http://a.org:81/x");
    }
}
