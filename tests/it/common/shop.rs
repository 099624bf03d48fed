//! A model of one page whose only button crashes.

use serde_json::json;

/// The model, as JSON; the exception of `org.x.Main.save` has this message.
pub fn model(message: &str) -> String {
    let crash = json!({
        "exception": "java.lang.IllegalStateException", "message": message,
        "frame": "org.x.Main.save(Main.java:7)",
    });
    let save = json!({
        "transition_id": "save", "type": "button", "text": "Save", "destination": "Main",
        "crash": crash, "blocks": ["org.x.Main.save:1"],
    });
    let main = json!({
        "node_id": "Main", "title": "Main", "blocks": ["org.x.Main.onCreate:1"], "transitions": [save],
    });
    let meta = json!({ "name": "shop", "package": "org.x", "strings": ["a"] });
    json!({ "meta": meta, "nodes": [main] }).to_string()
}
