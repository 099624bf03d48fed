//! Pages and events in the journal's words.

use crate::gui::caption::of_nameless;
use crate::gui::{Event, EventKind, Page, Rect, sketch};
use crate::outcome::run_event::{EventIdentity, RunEvent};
use crate::util::hash;
use crate::util::intern::{Interner, Sym};
use crate::util::text;

/// Longest text of a widget that the journal keeps, in characters.
const TEXT: usize = 200;
/// Texts in a page's label, and the longest of them.
const LABEL: (usize, usize) = (4, 30);

/// What an event is known by on any device.
pub fn identity(page: &Page, event: &Event, interner: &Interner) -> EventIdentity {
    let known = |n| Some((n, page.widgets.get(n as usize)?));
    let Some((n, widget)) = event.widget.and_then(known) else {
        return EventIdentity::default();
    };
    let get = |sym: Sym| text::shorten(interner.get(sym), TEXT).into_owned();
    EventIdentity {
        class: get(widget.class),
        id: get(widget.resource_id),
        text: get(widget.text),
        desc: get(widget.description),
        caption: text::shorten(&of_nameless(page, n, interner), TEXT).into_owned(),
        path: format!("{:016x}", widget.path),
        bounds: Some(widget.bounds),
    }
}

/// A hash of what may change in an event's identity while its key stays: texts inside a widget (the same row of a menu
/// may say something else), how the screen is turned and, where a point is tapped, what it is a point of.
pub fn fingerprint(page: &Page, event: &Event, interner: &Interner) -> u64 {
    let caption = event
        .widget
        .map_or_else(String::new, |n| of_nameless(page, n, interner));
    let (width, height) = page.screen;
    let mut numbers = vec![width, height];
    if event.kind == EventKind::Point
        && let Some(widget) = event.widget.and_then(|n| page.widgets.get(n as usize))
    {
        let Rect {
            left,
            top,
            right,
            bottom,
        } = widget.bounds;
        numbers.extend([left, top, right, bottom]);
    }
    let hashed = |hash, number: &i32| hash::mix(hash, u64::from(number.cast_unsigned()));
    numbers
        .iter()
        .fold(hash::of_bytes(caption.as_bytes()), hashed)
}

/// The line of a page seen for the first time.
pub fn page(page: &Page, interner: &Interner) -> RunEvent {
    RunEvent::Page {
        id: page.id,
        activity: interner.get(page.activity).to_owned(),
        label: label(page, interner),
        widgets: u32::try_from(page.widgets.len()).unwrap_or(u32::MAX),
        events: u32::try_from(page.events.len()).unwrap_or(u32::MAX),
        screen: page.screen,
        sketch: Some(sketch::of(page, interner)),
    }
}

/// The first few words on a page.
pub fn label(page: &Page, interner: &Interner) -> String {
    let live = page.widgets.iter().filter(|w| w.is_live());
    let shown = live.map(|w| {
        if w.text.is_empty() {
            w.description
        } else {
            w.text
        }
    });
    let words = shown.filter(|sym| !sym.is_empty()).take(LABEL.0);
    let words: Vec<_> = words
        .map(|sym| text::shorten(interner.get(sym), LABEL.1))
        .collect();
    words.join(" · ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gui::{ExactId, Flags, RawNode};
    use crate::outcome::finding::{Finding, FindingKind, Trigger};
    use crate::outcome::run_event::{Did, RunEvent, StepRecord};
    use crate::trace::record::Tracer;
    use crate::trace::words;

    fn node(parent: i64, class: &str, text: &str, flags: u32) -> RawNode {
        RawNode {
            parent,
            class: class.into(),
            text: text.into(),
            flags: flags | Flags::VISIBLE | Flags::ENABLED,
            bounds: Rect::from([0, 0, 9, 9]),
            ..RawNode::default()
        }
    }

    fn crash() -> Finding {
        Finding {
            id: "crash-1".into(),
            kind: FindingKind::JavaCrash,
            fingerprint: "ff".into(),
            title: String::new(),
            exception: None,
            frame: None,
            evidence: String::new(),
            activity: String::new(),
            trigger: Trigger::Event,
            event: 1,
            warning: false,
            v1: String::new(),
            environment: None,
            provoked_by: Vec::new(),
            left: Vec::new(),
        }
    }

    /// A trace's words for a click on the first widget of this page that takes one, `line` being the journal's.
    fn described(nodes: &[RawNode], line: impl Fn(RunEvent) -> RunEvent) -> String {
        let mut interner = Interner::default();
        let page = Page::build(nodes, "A", 0, (9, 9), &mut interner);
        let clicks = |event: &&Event| event.kind == EventKind::Click;
        let event = page.events.iter().find(clicks).unwrap();
        let mut tracer = Tracer::default();
        let at = identity(&page, event, &interner);
        tracer.take(line(RunEvent::define(event, at)));
        tracer.take(RunEvent::Finding(Box::new(crash())));
        let traces = tracer.take(RunEvent::Step(StepRecord {
            i: 1,
            did: Did::Event {
                k: event.key,
                ix: 0,
                input: None,
            },
            led: None,
            from: page.id,
            to: page.id,
            exact: ExactId(0),
            changed: true,
            probes: Vec::new(),
            activities: Vec::new(),
            reward: 0.0,
            left: Vec::new(),
            toasts: Vec::new(),
            findings: Vec::new(),
        }));
        words::sequence(&traces[0].1)
    }

    #[test]
    fn a_trace_calls_a_row_by_what_stands_in_it_and_a_button_by_its_own_text() {
        let row = [
            node(-1, "android.widget.LinearLayout", "", Flags::CLICKABLE),
            node(0, "android.widget.TextView", "Settings", 0),
            node(0, "android.widget.TextView", "Sounds", 0),
        ];
        assert_eq!(described(&row, |line| line), "click “Settings · Sounds”");
        let button = [node(-1, "android.widget.Button", "OK", Flags::CLICKABLE)];
        assert_eq!(described(&button, |line| line), "click “OK”");
        // As a journal from before there were captions has it.
        let of_old = |line| {
            let mut line = serde_json::to_value(&line).unwrap();
            assert!(line.as_object_mut().unwrap().remove("caption").is_some());
            serde_json::from_value(line).unwrap()
        };
        assert_eq!(described(&row, of_old), "click a LinearLayout");
    }
}
