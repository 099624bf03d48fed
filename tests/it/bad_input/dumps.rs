//! Hierarchies as `uiautomator dump` writes them, of sizes and forms that no screen has.

use crate::common::program::Desk;
use serde_json::Value;

fn dump(nodes: &str) -> String {
    format!("<?xml version='1.0' encoding='UTF-8'?><hierarchy rotation=\"0\">{nodes}</hierarchy>")
}

fn node(text: &str) -> String {
    format!(
        "<node text=\"{text}\" resource-id=\"\" class=\"android.widget.Button\" package=\"a\" content-desc=\"\" \
         checkable=\"false\" checked=\"false\" clickable=\"true\" enabled=\"true\" focusable=\"true\" \
         focused=\"false\" scrollable=\"false\" long-clickable=\"false\" password=\"false\" selected=\"false\" \
         bounds=\"[0,0][100,100]\" />"
    )
}

#[test]
fn dumps_of_nothing_of_thousands_and_of_a_megabyte_are_read() {
    let desk = Desk::new("");
    let read = |xml: String| -> Value {
        desk.write("dump.xml", xml);
        let said = desk.tool("inspect --kind uiautomator dump.xml");
        assert_eq!(said.code, 0, "{:.2000}", said.err);
        serde_json::from_str(&said.out).unwrap()
    };
    let empty = read(dump(""));
    assert_eq!(empty["node-count"], 0);
    let wide = read(dump(&node("x").repeat(5000)));
    assert_eq!(wide["node-count"], 5000);
    let clicks = wide["events"].as_array().unwrap();
    assert!(clicks.iter().filter(|e| e["do"] == "click").count() >= 5000);
    let long = read(dump(&node(&"é".repeat(500_000))));
    assert_eq!(
        long["nodes"][0]["text"].as_str().unwrap().chars().count(),
        500_000
    );
}

#[test]
fn a_dump_cut_within_a_megabyte_of_text_is_told_in_a_line() {
    let desk = Desk::new("");
    let whole = dump(&node(&"é".repeat(500_000)));
    for (bytes, word) in [
        (&whole.as_bytes()[..600_001], "cut-off"),
        (
            &whole.replace("bounds=", "bounds=<").into_bytes()[..],
            "malformed",
        ),
    ] {
        desk.write("dump.xml", bytes);
        let said = desk.tool("inspect --kind uiautomator dump.xml");
        assert_ne!(said.code, 0);
        assert!(said.err.len() < 2000, "{} bytes", said.err.len());
        assert!(
            said.err.contains("dump.xml:1:") && said.err.contains(word),
            "{:.2000}",
            said.err
        );
    }
}
