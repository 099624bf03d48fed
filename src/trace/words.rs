//! Steps in words: what a person would do to see the same.

use super::format::{Deed, Gesture, Spot, Step, Target, Trace};
use crate::gui::Direction;
use crate::util::text::shorten;

/// A step as an instruction: `click “Save”`, `type “abc” into “Title”`, `rotate`.
pub fn step(step: &Step) -> String {
    match step {
        Step::On(target, deed) => on(deed, target),
        Step::Key(code) => key(*code),
        Step::Gesture(gesture) => on_screen(gesture),
        Step::System(event) => event.to_string(),
        Step::Launch => "tap the app's icon".to_owned(),
        Step::Wait(ms) => format!("wait {ms} ms"),
    }
}

/// A whole trace in one line: `click “Skip” (skip), menu, rotate`.
pub fn sequence(trace: &Trace) -> String {
    if trace.steps.is_empty() {
        return "start the app".to_owned();
    }
    let words: Vec<_> = trace.steps.iter().map(step).collect();
    words.join(", ")
}

/// A step of a trace by its number, from 1, and in words; 0 is the start of the app.
pub fn numbered(trace: &Trace, number: usize) -> String {
    match number.checked_sub(1).and_then(|ix| trace.steps.get(ix)) {
        Some(of_it) => format!("step {number} ({})", step(of_it)),
        None => "the start of the app".to_owned(),
    }
}

fn on(deed: &Deed, target: &Target) -> String {
    let place = of(target);
    let toward = |direction: &Direction| format!("{direction:?}").to_lowercase();
    match deed {
        Deed::Click => format!("click {place}"),
        Deed::LongClick => format!("long click {place}"),
        Deed::Type(typed) => {
            let enter = if typed.enter { ", then enter" } else { "" };
            let what = match &typed.secret {
                Some(key) if key.is_empty() => "a secret".to_owned(),
                Some(key) => format!("the secret {}", quote(key, 60)),
                None => quote(&typed.text, 80),
            };
            format!("type {what} into {place}{enter}")
        }
        Deed::Scroll(direction) => format!("scroll {} on {place}", toward(direction)),
        Deed::Swipe(direction) => format!("swipe {} on {place}", toward(direction)),
        Deed::Pinch { inward } => format!("pinch {} on {place}", way(*inward)),
        Deed::Tap(spot) => format!("tap at {} of {place}", percent(*spot)),
    }
}

fn on_screen(gesture: &Gesture) -> String {
    match gesture {
        Gesture::Tap(at) => format!("tap at {} of the screen", percent(*at)),
        Gesture::Drag(at, to) => {
            format!(
                "drag from {} to {} of the screen",
                percent(*at),
                percent(*to)
            )
        }
        Gesture::Pinch { at, inward } => {
            format!("pinch {} at {} of the screen", way(*inward), percent(*at))
        }
        Gesture::Trackball { moves, press } => trackball(moves, *press),
    }
}

/// A roll of the trackball.
pub fn trackball(moves: &[(i8, i8); 10], press: bool) -> String {
    let sum = |part: fn(&(i8, i8)) -> i8| -> i32 { moves.iter().map(|m| i32::from(part(m))).sum() };
    let press = if press { " and press it" } else { "" };
    format!(
        "roll the trackball by ({}, {}){press}",
        sum(|m| m.0),
        sum(|m| m.1)
    )
}

fn percent(spot: Spot) -> String {
    format!("{:.0} %, {:.0} %", 100.0 * spot.x, 100.0 * spot.y)
}

const fn way(inward: bool) -> &'static str {
    if inward { "in" } else { "out" }
}

fn of(target: &Target) -> String {
    let seen = [&target.text, &target.desc, &target.caption];
    let named = place(&target.id, seen.map(String::as_str), &target.class);
    match target.nth {
        Some(nth) if nth > 0 => format!("{named}, number {}", nth + 1),
        _ => named,
    }
}

/// A widget by what a person sees of it (its text, description and caption, the first that is there); failing
/// that, by its id or class.
pub fn place(id: &str, seen: [&str; 3], class: &str) -> String {
    let class = short_class(class);
    let id = id.rsplit('/').next().unwrap_or_default();
    let seen = seen.into_iter().find(|s| !s.is_empty());
    match (seen, id, class) {
        (Some(text), "", _) => quote(text, 60),
        (Some(text), id, _) => format!("{} ({id})", quote(text, 60)),
        (None, "", "") => "a widget".to_owned(),
        (None, "", class) => format!("a {class}"),
        (None, id, "") => id.to_owned(),
        (None, id, class) => format!("{id} ({class})"),
    }
}

/// In quotation marks, in one line.
pub fn quote(text: &str, max: usize) -> String {
    let one_line: String = text
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    format!("“{}”", shorten(&one_line, max))
}

/// A key by Android's code.
pub fn key(code: u32) -> String {
    let name = match code {
        3 => "home",
        4 => return "back".to_owned(),
        82 => return "menu".to_owned(),
        66 => return "enter".to_owned(),
        19 => "up",
        20 => "down",
        21 => "left",
        22 => "right",
        23 => "centre",
        24 => "volume up",
        25 => "volume down",
        _ => return format!("key {code}"),
    };
    format!("key {name}")
}

/// The last part of a class name; of an activity's, a widget's or an exception's.
pub fn short_class(name: &str) -> &str {
    name.rsplit(['.', '/', '$']).next().unwrap_or(name)
}
