//! The hierarchy as `uiautomator dump` writes it, in every dialect encountered: Android 4.1 to 16, makers' additions,
//! several windows (`--windows`), Appium's page source, and what shells leave around the XML.
//!
//! Read as a stream, so that depth and size cost no stack.

use super::error::FormatError;
pub use super::ui_attributes::DumpNode;
use super::{ui_attributes, ui_failure};
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

/// Nodes taken at most; real screens have some hundreds.
const MAX_NODES: usize = 200_000;
/// Levels taken at most; Android's layouts end well before a hundred.
const MAX_DEPTH: usize = 2_000;
/// Elements around nodes that are none themselves.
const FRAMES: [&str; 5] = ["hierarchy", "displays", "display", "window", "AppiumAUT"];

/// A dump.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Dump {
    /// `Surface.ROTATION_*`, 0 to 3.
    pub rotation: u8,
    /// Nodes, depth first.
    pub nodes: Vec<DumpNode>,
}

impl Dump {
    /// Width and height of what the windows cover, from the screen's corner: the nearest a dump comes to the
    /// screen's size.
    pub fn extent(&self) -> (i32, i32) {
        let roots = || self.nodes.iter().filter(|n| n.node.parent < 0);
        let right = roots().map(|n| n.node.bounds.right).max().unwrap_or(0);
        let bottom = roots().map(|n| n.node.bounds.bottom).max().unwrap_or(0);
        (right.max(0), bottom.max(0))
    }
}

/// Reads a dump.
///
/// # Errors
/// Where the text is not a hierarchy: the failure that uiautomator printed in its place (`no-idle-state`,
/// `no-root-node`, `killed`, ...), `empty`, `cut-off`, `malformed`, or `not-a-dump`.
pub fn parse(text: &str) -> Result<Dump, FormatError> {
    let start = ["<?xml", "<hierarchy", "<displays"]
        .iter()
        .filter_map(|mark| text.find(mark))
        .min();
    let Some(start) = start else {
        return Err(ui_failure::explain(text));
    };
    let mut parser = Parser {
        text,
        start,
        dump: Dump::default(),
        open: Vec::new(),
        seen_root: false,
        screens: Vec::new(),
    };
    parser.run()?;
    let screens = std::mem::take(&mut parser.screens);
    Ok(in_front(parser.dump, &screens))
}

/// One display of several: `uiautomator dump --windows` writes all of them.
struct Screen {
    /// Number; 0 is the phone's own.
    id: String,
    /// Has it the window with the focus?
    active: bool,
    /// Index of its first node.
    from: usize,
    rotation: Option<u8>,
}

/// The dump of the display that is in use, as coordinates of another would be taken for its own: the one with the
/// active window, else the phone's own, else the first with nodes.
fn in_front(mut dump: Dump, screens: &[Screen]) -> Dump {
    let end = |ix: usize| {
        screens
            .get(ix + 1)
            .map_or(dump.nodes.len(), |next| next.from)
    };
    let filled = || (0..screens.len()).filter(|&ix| screens[ix].from < end(ix));
    let chosen = filled()
        .find(|&ix| screens[ix].active)
        .or_else(|| filled().find(|&ix| screens[ix].id == "0"))
        .or_else(|| filled().next());
    let Some(ix) = chosen else {
        return dump;
    };
    let (from, to) = (screens[ix].from, end(ix));
    dump.nodes.truncate(to);
    dump.nodes.drain(..from);
    let shift = i64::try_from(from).unwrap_or(0);
    for node in &mut dump.nodes {
        if node.node.parent >= 0 {
            node.node.parent -= shift;
        }
    }
    dump.rotation = screens[ix].rotation.unwrap_or(dump.rotation);
    dump
}

struct Parser<'a> {
    text: &'a str,
    start: usize,
    dump: Dump,
    /// Open elements: the node's index, or `None` for a frame.
    open: Vec<Option<i64>>,
    seen_root: bool,
    screens: Vec<Screen>,
}

impl Parser<'_> {
    fn run(&mut self) -> Result<(), FormatError> {
        let mut reader = Reader::from_str(&self.text[self.start..]);
        loop {
            let before = reader.buffer_position();
            let event = reader.read_event();
            match event {
                Ok(Event::Start(element)) => self.element(&element, before, true)?,
                Ok(Event::Empty(element)) => {
                    self.element(&element, before, false)?;
                    // `<hierarchy rotation="0" />`: no window was there.
                    if self.open.is_empty() {
                        return self.rest(reader.buffer_position());
                    }
                }
                Ok(Event::End(_)) => {
                    self.open.pop();
                    if self.open.is_empty() && self.seen_root {
                        return self.rest(reader.buffer_position());
                    }
                }
                Ok(Event::Eof) => return Err(self.at_end()),
                Ok(Event::Text(_)) if self.open.is_empty() => {}
                Ok(Event::DocType(_)) => {
                    return Err(self.fail(
                        "malformed",
                        before,
                        "a document type declaration: dumps have none",
                    ));
                }
                Ok(_) => {}
                Err(error) => {
                    let at = reader.error_position();
                    return Err(match error {
                        quick_xml::Error::Syntax(_) => self.cut_off(at),
                        other => self.fail("malformed", at, &other.to_string()),
                    });
                }
            }
        }
    }

    fn element(
        &mut self,
        element: &BytesStart<'_>,
        at: u64,
        opens: bool,
    ) -> Result<(), FormatError> {
        let name = String::from_utf8_lossy(element.name().as_ref()).into_owned();
        let attributes = self.attributes(element, at)?;
        let frame = FRAMES.contains(&name.as_str());
        if !self.seen_root && !frame {
            return Err(self.fail(
                "not-a-dump",
                at,
                &format!("the root element is <{name}>, not <hierarchy>"),
            ));
        }
        self.seen_root = true;
        if self.open.len() >= MAX_DEPTH {
            return Err(self.fail("too-deep", at, &format!("more than {MAX_DEPTH} levels")));
        }
        let mut index = None;
        if frame {
            self.screen(&name, &attributes);
            if let Some((_, rotation)) = attributes.iter().find(|(name, _)| name == "rotation") {
                let turned = rotation.parse::<u8>().ok().filter(|r| *r <= 3);
                self.dump.rotation = turned.ok_or_else(|| {
                    self.fail(
                        "malformed",
                        at,
                        &format!("rotation={rotation:?} is not 0 to 3"),
                    )
                })?;
                if let Some(screen) = self.screens.last_mut() {
                    screen.rotation.get_or_insert(self.dump.rotation);
                }
            }
        } else {
            let mut node = ui_attributes::node(&name, attributes)
                .map_err(|why| self.fail("malformed", at, &why))?;
            node.node.parent = self.open.iter().rev().find_map(|ix| *ix).unwrap_or(-1);
            if self.dump.nodes.len() >= MAX_NODES {
                return Err(self.fail("too-large", at, &format!("more than {MAX_NODES} nodes")));
            }
            index = i64::try_from(self.dump.nodes.len()).ok();
            self.dump.nodes.push(node);
        }
        if opens {
            self.open.push(index);
        }
        Ok(())
    }

    /// Notes which display begins, and which has the active window.
    fn screen(&mut self, element: &str, attributes: &[(String, String)]) {
        let value = |of: &str| attributes.iter().find(|(name, _)| name == of);
        let active = value("active").is_some_and(|(_, value)| value == "true");
        match (element, self.screens.last_mut()) {
            ("display", _) => self.screens.push(Screen {
                id: value("id").map(|(_, id)| id.clone()).unwrap_or_default(),
                active: false,
                from: self.dump.nodes.len(),
                rotation: None,
            }),
            ("window", Some(screen)) => screen.active |= active,
            _ => {}
        }
    }

    fn attributes(
        &self,
        element: &BytesStart<'_>,
        at: u64,
    ) -> Result<Vec<(String, String)>, FormatError> {
        let mut found = Vec::new();
        for attribute in element.attributes().with_checks(false) {
            let attribute = attribute.map_err(|e| self.fail("malformed", at, &e.to_string()))?;
            let name = String::from_utf8_lossy(attribute.key.as_ref()).into_owned();
            let raw = String::from_utf8_lossy(&attribute.value);
            let value = ui_attributes::unescape(&raw)
                .map_err(|(_, why)| self.fail("malformed", at, &format!("{name}: {why}")))?;
            found.push((name, value));
        }
        Ok(found)
    }

    /// What may follow the document: the name of the dump file, and blanks.
    fn rest(&self, at: u64) -> Result<(), FormatError> {
        let rest = &self.text[self.byte(at)..];
        match rest.find("<?xml").or(rest.find("<hierarchy")) {
            Some(more) => Err(FormatError::at(
                "two-dumps",
                self.text,
                self.byte(at) + more,
                "a second dump follows the first",
            )
            .fix("keep one dump in each file")),
            None => Ok(()),
        }
    }

    fn at_end(&self) -> FormatError {
        let end = self.text.len() as u64;
        if self.seen_root {
            return self.cut_off(end);
        }
        // A declaration and nothing of a hierarchy after it.
        match ui_failure::explain(&self.text[self.start..]) {
            known if known.code != "not-a-dump" => known,
            _ => self.cut_off(end),
        }
    }

    fn cut_off(&self, at: u64) -> FormatError {
        let open = self.open.len();
        self.fail(
            "cut-off",
            at,
            &format!("the dump is cut off: it ends within the markup, {open} elements still open"),
        )
        .fix("dump again, and pull the file after uiautomator has ended")
    }

    fn byte(&self, at: u64) -> usize {
        self.start
            .saturating_add(usize::try_from(at).unwrap_or(usize::MAX))
            .min(self.text.len())
    }

    fn fail(&self, code: &'static str, at: u64, why: &str) -> FormatError {
        FormatError::at(code, self.text, self.byte(at), why)
    }
}
