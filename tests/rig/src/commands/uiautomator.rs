//! `uiautomator dump`: the attributes and their order as recorded on phones.

use super::Call;
use crate::files::File;
use crate::pipe::lock;
use droidtest::gui::{Flags, RawNode};
use std::fmt::Write as _;

pub fn run(call: &mut Call<'_>) -> i32 {
    if call.words.get(1).is_none_or(|w| w != "dump") {
        return call.fail("Usage: uiautomator <subcommand> [options]\n", 1);
    }
    if call.phone.agents.load(std::sync::atomic::Ordering::Relaxed) > 0 {
        // One UiAutomation at a time.
        return call.fail("java.lang.IllegalStateException: UiAutomationService android.accessibilityservice.IAccessibilityServiceClient$Stub$Proxy@1already registered!\n", 1);
    }
    let to = call
        .args()
        .into_iter()
        .skip(1)
        .find(|a| !a.starts_with('-'))
        .unwrap_or("/sdcard/window_dump.xml")
        .to_owned();
    let mut state = lock(&call.phone.state);
    if let Some(failure) = state.dump_failures.pop() {
        drop(state);
        return call.say(&format!("{failure}\n"));
    }
    let keys = state.keyboard.as_ref().map(crate::keyboard::Keyboard::xml);
    let (package, _, nodes, rotation, _) = state.front();
    let cut = state.dumps_cut > 0;
    state.dumps_cut = state.dumps_cut.saturating_sub(1);
    drop(state);
    let mut xml = xml(&nodes, &package, rotation, call.phone.config.api >= 34);
    if let (Some(keys), Some(at)) = (keys, xml.find("<hierarchy")) {
        let behind = at + xml[at..].find('>').map_or(0, |end| end + 1);
        xml.insert_str(behind, &keys);
    }
    if cut {
        let half = (0..=xml.len() / 2)
            .rev()
            .find(|at| xml.is_char_boundary(*at));
        xml.truncate(half.unwrap_or(0));
    }
    if to == "/dev/tty" {
        call.say(&xml);
    } else {
        let file = File {
            mode: 0o100_666,
            time: 0,
            data: xml.into_bytes(),
        };
        let done = lock(&call.phone.files).write(&to, file);
        if let Err(why) = done {
            return call.fail(
                &format!("java.io.FileNotFoundException: {to}: open failed: ENOSPC ({why})\n"),
                0,
            );
        }
    }
    call.say(&format!("UI hierchary dumped to: {to}\n"))
}

fn xml(nodes: &[RawNode], package: &str, rotation: u8, hints: bool) -> String {
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); nodes.len()];
    let mut roots = Vec::new();
    for (ix, node) in nodes.iter().enumerate() {
        match usize::try_from(node.parent) {
            Ok(parent) if parent < ix => children[parent].push(ix),
            _ => roots.push(ix),
        }
    }
    let mut out = format!(
        "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation=\"{rotation}\">"
    );
    for (index, root) in roots.into_iter().enumerate() {
        write_node(&mut out, nodes, &children, root, index, package, hints);
    }
    out + "</hierarchy>"
}

fn write_node(
    out: &mut String,
    nodes: &[RawNode],
    children: &[Vec<usize>],
    at: usize,
    index: usize,
    package: &str,
    hints: bool,
) {
    let node = &nodes[at];
    let flag = |bit: u32| node.flags & bit != 0;
    if !flag(Flags::VISIBLE) {
        return;
    }
    let b = node.bounds;
    let _ = write!(
        out,
        "<node index=\"{index}\" text=\"{}\" resource-id=\"{}\" class=\"{}\" package=\"{package}\" content-desc=\"{}\" checkable=\"{}\" checked=\"{}\" clickable=\"{}\" enabled=\"{}\" focusable=\"{}\" focused=\"{}\" scrollable=\"{}\" long-clickable=\"{}\" password=\"{}\" selected=\"{}\" bounds=\"[{},{}][{},{}]\"",
        escape(&node.text),
        escape(&node.resource_id),
        escape(&node.class),
        escape(&node.description),
        flag(Flags::CHECKABLE),
        flag(Flags::CHECKED),
        flag(Flags::CLICKABLE),
        flag(Flags::ENABLED),
        flag(Flags::FOCUSABLE),
        flag(Flags::FOCUSED),
        flag(Flags::SCROLLABLE),
        flag(Flags::LONG_CLICKABLE),
        flag(Flags::PASSWORD),
        flag(Flags::SELECTED),
        b.left,
        b.top,
        b.right,
        b.bottom,
    );
    if hints {
        let _ = write!(
            out,
            " drawing-order=\"{}\" hint=\"{}\"",
            index + 1,
            escape(&node.hint)
        );
    }
    if children[at].is_empty() {
        out.push_str(" />");
        return;
    }
    out.push('>');
    for (index, child) in children[at].iter().enumerate() {
        write_node(out, nodes, children, *child, index, package, hints);
    }
    out.push_str("</node>");
}

fn escape(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&apos;"),
            '\n' => out.push_str("&#10;"),
            c if (c as u32) < 32 => out.push('.'),
            c => out.push(c),
        }
    }
    out
}
