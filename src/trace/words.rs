//! Steps in words: what a user would do to see the same.

use super::format::{Deed, Gesture, Spot, Step, Target, Trace};
use crate::gui::Direction;
use crate::util::text::shorten;
use rustc_hash::{FxHashMap, FxHashSet};

/// Characters of a text typed that are shown.
const TYPED: usize = 80;

/// A step as an instruction: `click “Save”`, `type “abc” into “Title”`, `rotate`.
pub fn step(step: &Step) -> String {
    in_words(step, false)
}

/// Steps as instructions. Where the same words would stand for different widgets, such as equal buttons in the rows of a
/// list, they tell the places.
pub fn steps(steps: &[Step]) -> Vec<String> {
    let mut words: Vec<String> = steps.iter().map(step).collect();
    let mut meant: FxHashMap<&str, &Target> = FxHashMap::default();
    let mut unclear: FxHashSet<String> = FxHashSet::default();
    for (words, step) in words.iter().zip(steps) {
        if let Step::On(target, _) = step {
            let first = *meant.entry(words).or_insert(target);
            if (first.path, first.nth) != (target.path, target.nth) {
                unclear.insert(words.clone());
            }
        }
    }
    for (words, step) in words.iter_mut().zip(steps) {
        if unclear.contains(words) {
            *words = in_words(step, true);
        }
    }
    words
}

/// With `placed`, a widget is described with its place on the screen.
fn in_words(step: &Step, placed: bool) -> String {
    match step {
        Step::On(target, deed) => on(deed, &of(target, placed)),
        Step::Key(code) => key(*code),
        Step::Gesture(gesture) => on_screen(gesture),
        Step::System(event) => event.to_string(),
        Step::Launch => "tap the app's icon".to_owned(),
        Step::Wait(ms) => format!("wait {ms} ms"),
    }
}

/// A complete trace in one line: `click “Skip” (skip), menu, rotate`.
pub fn sequence(trace: &Trace) -> String {
    if trace.steps.is_empty() {
        return "start the app".to_owned();
    }
    steps(&trace.steps).join(", ")
}

/// A step of a trace by its number, from 1, and in words; 0 is the start of the app.
pub fn numbered(trace: &Trace, number: usize) -> String {
    let words = || {
        number
            .checked_sub(1)
            .and_then(|ix| steps(&trace.steps).into_iter().nth(ix))
    };
    match words() {
        Some(words) => format!("step {number} ({words})"),
        None => "the start of the app".to_owned(),
    }
}

fn on(deed: &Deed, place: &str) -> String {
    let toward = |direction: &Direction| format!("{direction:?}").to_lowercase();
    match deed {
        Deed::Click => format!("click {place}"),
        Deed::LongClick => format!("long click {place}"),
        Deed::Type(typed) => {
            let enter = if typed.enter { ", then enter" } else { "" };
            let what = match &typed.secret {
                Some(key) if key.is_empty() => "a secret".to_owned(),
                Some(key) => format!("the secret {}", quote(key, 60)),
                None => self::typed(&typed.text),
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

fn of(target: &Target, placed: bool) -> String {
    let seen = [&target.text, &target.desc, &target.caption];
    let nameless = target.id.is_empty() && seen.iter().all(|name| name.is_empty());
    let named = place(&target.id, seen.map(String::as_str), &target.class);
    match (target.nth, target.at) {
        (Some(nth), _) if nth > 0 => format!("{named}, number {}", nth + 1),
        (_, Some(at)) if placed || nameless => format!("{named} at {} of the screen", percent(at)),
        _ => named,
    }
}

/// A typed text: its start, and its length if it is shortened.
pub fn typed(text: &str) -> String {
    match text.chars().count() {
        length if length > TYPED => format!("{} ({length} characters)", quote(text, TYPED)),
        _ => quote(text, TYPED),
    }
}

/// A widget by what a user sees of it (its text, description and caption, the first that is there); failing
/// that, by its id or class.
pub fn place(id: &str, seen: [&str; 3], class: &str) -> String {
    let class = short_class(class);
    let id = id.rsplit('/').next().unwrap_or_default();
    let seen = seen.into_iter().find(|s| !s.is_empty());
    match (seen, id, class) {
        (Some(text), "", _) => quote(text, 60),
        (Some(text), id, _) => format!("{} ({id})", quote(text, 60)),
        (None, "", "") => "a widget".to_owned(),
        (None, "", class) if class.starts_with(['A', 'E', 'I', 'O', 'U']) => format!("an {class}"),
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
