//! Frames of a native stack: what a line says of one, and the name by which it is known again.

use regex::Regex;
use serde::Serialize;
use std::sync::LazyLock;

/// One native frame.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct NativeFrame {
    /// Program counter relative to the file, hexadecimal.
    pub pc: String,
    /// File or mapping.
    pub file: String,
    /// Where in an APK the library starts: `offset 0x1a000`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub in_apk: Option<String>,
    /// Symbol, where known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub symbol: Option<String>,
    /// Offset within the symbol.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offset: Option<u64>,
    /// Build id of the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub build_id: Option<String>,
}

/// What the kernel writes behind a file that is gone.
const DELETED: &str = " (deleted)";

// A tombstone's line; old Androids guess the caller from `lr`, Google's consoles write `0x`, and older ones of theirs
// `native: pc`.
static LINE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^\s*(?:#\d+|native:(?: #\d+)?)\s+(?:pc|lr)\s+(?:0x)?([0-9a-fA-F]+)\s+(.*?)\s*$")
        .expect("a valid pattern")
});
// A line of GrapheneOS's log viewer: `    /lib/libx.so (x_run+8, pc 7d544)`.
static VIEWER_LINE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^\s+(\S.*?) \((?:(.*), )?pc ([0-9a-f]+)\)$").expect("a valid pattern")
});
static BUILD_ID: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r" \(BuildId: ([0-9a-f]+)\)$").expect("a valid pattern"));
static APK_OFFSET: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r" \((offset 0x[0-9a-f]+)\)$").expect("a valid pattern"));
static PROCESS_TWICE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"_(\d+)_(\d+)$").expect("a valid pattern"));
static THREAD: LazyLock<Regex> = LazyLock::new(|| Regex::new(r":\d+\]$").expect("a valid pattern"));

impl NativeFrame {
    /// A name that no build and no process changes: the symbol, else the file, with its place in the APK where it
    /// is in one. Addresses and the numbers of processes and threads are left out.
    pub fn place(&self) -> String {
        if let Some(symbol) = &self.symbol {
            return symbol.clone();
        }
        let file = self.file.rsplit(['/', '!']).next().unwrap_or("");
        let inside = self.in_apk.as_deref().filter(|_| file.ends_with(".apk"));
        if let Some(at) = inside {
            return format!("{file} ({at})");
        }
        if file.starts_with("<anonymous:") {
            return "<anonymous>".to_owned();
        }
        // `dalvik-jit-code-cache_4529_4529`, `[anon:stack_and_tls:4530]`.
        match PROCESS_TWICE.captures(file) {
            Some(found) if found[1] == found[2] => file[..file.len() - found[0].len()].to_owned(),
            _ => THREAD.replace(file, "]").into_owned(),
        }
    }
}

/// The frame of a line, if it is one.
pub fn of_line(line: &str) -> Option<NativeFrame> {
    if let Some(found) = LINE.captures(line) {
        return Some(frame(&found[1], &found[2]));
    }
    let found = VIEWER_LINE.captures(line)?;
    let symbol = found.get(2).map(|m| format!(" ({})", m.as_str()));
    let rest = format!("{}{}", &found[1], symbol.unwrap_or_default());
    Some(frame(&found[3], &rest))
}

/// A frame's line, behind its number.
fn frame(pc: &str, rest: &str) -> NativeFrame {
    let mut rest = rest;
    let mut frame = NativeFrame {
        pc: pc.to_owned(),
        ..NativeFrame::default()
    };
    if let Some(f) = BUILD_ID.captures(rest) {
        frame.build_id = Some(f[1].to_owned());
        rest = &rest[..rest.len() - f[0].len()];
    }
    // A mapping whose file was deleted is not a symbol.
    rest = rest.strip_suffix(DELETED).unwrap_or(rest);
    // A symbol is last, in brackets, and may itself contain brackets.
    if let Some(open) = opening(rest)
        .filter(|&at| at > 0 && !APK_OFFSET.is_match(rest) && rest.as_bytes()[at - 1] == b' ')
    {
        let inner = &rest[open + 1..rest.len() - 1];
        let (symbol, offset) = match inner.rsplit_once('+') {
            Some((symbol, offset)) if offset.parse::<u64>().is_ok() => {
                (symbol, offset.parse().ok())
            }
            _ => (inner, None),
        };
        frame.symbol = Some(symbol.to_owned()).filter(|s| !s.is_empty());
        frame.offset = offset;
        rest = &rest[..open - 1];
    }
    let rest = rest.trim_end();
    frame.in_apk = APK_OFFSET.captures(rest).map(|c| c[1].to_owned());
    let file = APK_OFFSET.replace(rest, "");
    frame.file = file.strip_suffix(DELETED).unwrap_or(&file).to_owned();
    frame
}

/// Where the bracket opens that closes at the very end.
fn opening(text: &str) -> Option<usize> {
    text.ends_with(')').then_some(())?;
    let mut depth = 0_usize;
    for (at, byte) in text.bytes().enumerate().rev() {
        match byte {
            b')' => depth += 1,
            b'(' => {
                depth -= 1;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}
