//! `content insert|query|delete|call`, with the words of Android's own `Content.java`.

use super::Call;
use crate::pipe::lock;
use std::collections::BTreeMap;

type Row = BTreeMap<String, String>;

pub fn run(call: &mut Call<'_>) -> i32 {
    let what = call.words.get(1).cloned().unwrap_or_default();
    let Some(uri) = call.option("--uri").map(str::to_owned) else {
        return call.fail(
            "[ERROR] Uri not specified. Did you specify --uri argument?\n",
            1,
        );
    };
    let uri = uri.split('?').next().unwrap_or_default().to_owned();
    match what.as_str() {
        "insert" => insert(call, &uri),
        "query" => query(call, &uri),
        "delete" => {
            let holds = condition(call.option("--where"));
            if let Some(rows) = lock(&call.phone.state).content.get_mut(&uri) {
                rows.retain(|row| !holds(row));
            }
            0
        }
        "read" => read(call, &uri),
        "call" => call.say("Result: null\n"),
        _ => call.fail(&format!("[ERROR] Unsupported operation: {what}\n"), 1),
    }
}

/// The file behind a URI: only the coverage hook of a debug build is known.
fn read(call: &mut Call<'_>, uri: &str) -> i32 {
    let mut state = lock(&call.phone.state);
    state.exec_reads += 1;
    let hook = state
        .app
        .as_ref()
        .map(|app| format!("content://{}.droidtest/coverage.exec", app.package));
    let numbered = || exec_file(&format!("rig/Loads{}Read{}", state.loads, state.exec_reads));
    let given = state
        .exec
        .clone()
        .or_else(|| state.exec_numbered.then(numbered));
    let found = given.filter(|_| hook.as_deref() == Some(uri));
    drop(state);
    match found {
        Some(bytes) => {
            let _ = call.outputs.out(&bytes);
            0
        }
        None => call.fail("[ERROR] Could not find provider\n", 1),
    }
}

/// JaCoCo's execution file: its header, and one class of this name with three probes.
///
/// # Panics
/// The name is longer than 64 KB.
pub fn exec_file(name: &str) -> Vec<u8> {
    let mut bytes = vec![0x01, 0xC0, 0xC0, 0x10, 0x07, 0x11];
    let id = name.bytes().fold(0_u64, |id, byte| {
        id.wrapping_mul(31).wrapping_add(byte.into())
    });
    bytes.extend(id.to_be_bytes());
    bytes.extend(
        u16::try_from(name.len())
            .expect("a short name")
            .to_be_bytes(),
    );
    bytes.extend(name.as_bytes());
    bytes.extend([3, 0b101]);
    bytes
}

fn insert(call: &mut Call<'_>, uri: &str) -> i32 {
    let mut row = Row::new();
    let binds = call.words.windows(2).filter(|pair| pair[0] == "--bind");
    for bind in binds.map(|pair| pair[1].clone()) {
        // The value may hold colons.
        let mut parts = bind.splitn(3, ':');
        let (Some(column), Some(_), Some(value)) = (parts.next(), parts.next(), parts.next())
        else {
            return 1;
        };
        row.insert(column.to_owned(), value.to_owned());
    }
    let mut state = lock(&call.phone.state);
    if state.content_refused.iter().any(|refused| refused == uri) {
        drop(state);
        return call.fail(
            "Error while accessing provider:sms\njava.lang.SecurityException: not allowed\n",
            0,
        );
    }
    let rows = state.content.entry(uri.to_owned()).or_default();
    let last = rows.last().and_then(|row| row["_id"].parse::<u64>().ok());
    row.insert("_id".to_owned(), (last.unwrap_or(0) + 1).to_string());
    rows.push(row);
    0
}

fn query(call: &mut Call<'_>, uri: &str) -> i32 {
    let holds = condition(call.option("--where"));
    let columns = call
        .option("--projection")
        .map(|all| all.split(':').map(str::to_owned));
    let columns: Option<Vec<String>> = columns.map(Iterator::collect);
    let state = lock(&call.phone.state);
    let rows = state.content.get(uri).map_or(&[][..], Vec::as_slice);
    let mut text = String::new();
    for (number, row) in rows.iter().filter(|row| holds(row)).enumerate() {
        let shown = row.iter().filter(|(column, _)| {
            columns
                .as_ref()
                .is_none_or(|columns| columns.contains(column))
        });
        let shown: Vec<_> = shown.map(|(c, v)| format!("{c}={v}")).collect();
        text += &format!("Row: {number} {}\n", shown.join(", "));
    }
    drop(state);
    if text.is_empty() {
        text = "No result found.\n".to_owned();
    }
    call.say(&text)
}

/// `column='text'` or `column LIKE 'beginning%'`.
fn condition(text: Option<&str>) -> impl Fn(&Row) -> bool + use<> {
    let text = text.unwrap_or_default().to_owned();
    move |row| {
        let value = |column: &str| row.get(column).map_or("", String::as_str);
        match (text.split_once(" LIKE "), text.split_once('=')) {
            (Some((column, like)), _) => {
                let beginning = like.trim_matches(['\'', '%']);
                value(column).starts_with(beginning)
            }
            (None, Some((column, wanted))) => value(column) == wanted.trim_matches('\''),
            (None, None) => true,
        }
    }
}
