//! A FATE model as it is walked: nodes, widgets and transitions by number, expressions compiled.

use super::expr::{Code, EvalError, Texts, Value};
use super::fault::position;
use crate::util::sha256;
use std::ops::Range;
use std::sync::Arc;

/// Number of a node, widget, transition or code block.
pub type Ix = u32;

/// What the back key does.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Back {
    /// Nothing: FATE's models have no back key.
    #[default]
    Nowhere,
    /// Returns to the node before; on the first node nothing.
    History,
}

/// What resets do to globals, and whether `active` counts.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Semantics {
    /// Resets give globals their first values (a relaunch keeps persistent ones); inactive transitions cannot be taken.
    #[default]
    Clean,
    /// As the published FATE: globals survive every reset, `active` is not read.
    FateCompat,
}

/// A complete model.
#[derive(Clone, Debug)]
pub struct Model {
    /// Its name: `meta.name`, else the file's.
    pub name: String,
    /// `meta.package`, else the name.
    pub package: String,
    /// What the back key does.
    pub back: Back,
    /// `meta.strings`: texts that lead somewhere, for whoever has no better.
    pub strings: Vec<String>,
    /// Nodes in the file's order.
    pub nodes: Vec<Node>,
    /// Widgets of all nodes, node by node.
    pub widgets: Vec<Widget>,
    /// Transitions of all widgets, widget by widget.
    pub transitions: Vec<Transition>,
    /// The node shown first.
    pub start: Ix,
    /// Names of the globals, by slot.
    pub globals: Vec<String>,
    /// First values of the globals.
    pub initial: Vec<Value>,
    /// Globals that a relaunch keeps, as an app keeps its files.
    pub persistent: Vec<bool>,
    /// Classes with code blocks, in the file's order.
    pub classes: Vec<BlockClass>,
    /// Code blocks as (class, number in the class), the form of a probe.
    pub blocks: Vec<(u32, u32)>,
    /// By node: its first widget and how many it has. Like `ways` a dense copy for the walk's sake.
    pub(super) spans: Vec<(Ix, Ix)>,
    pub(super) ways: Vec<Way>,
    pub(super) texts: Vec<String>,
    pub(super) file: String,
    pub(super) source: Arc<str>,
}

/// By widget: its first transition, how many it has, and whether it is a text field.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way {
    first: Ix,
    count: Ix,
    pub(super) editable: bool,
}

/// An activity.
#[derive(Clone, Debug)]
pub struct Node {
    /// Its id, also the activity's name.
    pub id: String,
    /// A title shown on it.
    pub title: Option<String>,
    /// Its widgets.
    pub widgets: Range<Ix>,
    /// Code blocks hit by reaching it.
    pub blocks: Box<[Ix]>,
}

/// A button or text field with its transition, or with several when they are nondeterministic.
#[derive(Clone, Debug)]
pub struct Widget {
    /// The transition's id as text.
    pub id: String,
    /// Text shown on a button.
    pub text: Option<String>,
    /// A text field?
    pub editable: bool,
    /// Hint of a text field.
    pub hint: String,
    /// Is what is typed hidden?
    pub password: bool,
    /// Has it an active transition?
    pub active: bool,
    /// Its transitions.
    pub transitions: Range<Ix>,
}

/// One way from a node.
#[derive(Clone, Debug)]
pub struct Transition {
    /// Must be true for it to be taken.
    pub guard: Option<Code>,
    /// Globals set when it is taken, in order.
    pub set: Box<[(Ix, Code)]>,
    /// The node reached.
    pub destination: Ix,
    /// May it be taken at all?
    pub active: bool,
    /// What the app suffers when it is taken.
    pub effect: Option<Box<Effect>>,
    /// Code blocks hit by taking it.
    pub blocks: Box<[Ix]>,
    /// Offsets of the guard and of the set, for errors that show up late.
    pub(super) at: [u32; 2],
}

/// Our extension: failures planted on a transition.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Effect {
    /// The process dies of this exception.
    pub crash: Option<PlantedCrash>,
    /// The main thread is blocked so long; over 5000 ms it counts as an ANR.
    pub anr_ms: Option<u64>,
    /// The app ends itself: `System.exit(0)` or `finished`.
    pub exit: Option<String>,
}

impl Effect {
    /// Does the app's process end?
    pub const fn ends(&self) -> bool {
        self.crash.is_some() || self.exit.is_some()
    }
}

/// A planted exception.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct PlantedCrash {
    /// Its class.
    pub exception: String,
    /// Its message.
    pub message: Option<String>,
    /// Where it is thrown: `com.example.Class.method(Class.java:12)`.
    pub frame: Option<String>,
}

/// A class with code blocks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BlockClass {
    /// Name in the internal form (`com/example/Class`).
    pub name: String,
    /// How many blocks the model gives it.
    pub probes: u32,
}

/// Where an app stands.
#[derive(Clone, PartialEq, Debug)]
pub struct State {
    /// The node shown.
    pub node: Ix,
    /// Values by slot.
    pub globals: Vec<Value>,
    /// Nodes that back leads to, each at most once.
    pub(super) history: Vec<Ix>,
    /// Decides between nondeterministic transitions.
    pub(super) dice: u64,
}

/// An expression that has no value in the state encountered: a mistake in the model, not a finding about an app.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{place}: {error} in the {part} of a transition of `{node}`; correct the model")]
pub struct StepError {
    place: String,
    error: EvalError,
    part: &'static str,
    node: String,
}

impl Model {
    /// Makes the dense copies of what has been read.
    pub(super) fn settle(&mut self) {
        let size = |range: &Range<Ix>| range.end - range.start;
        let nodes = self.nodes.iter().map(|n| &n.widgets);
        self.spans = nodes.map(|w| (w.start, size(w))).collect();
        let widgets = self.widgets.iter().map(|w| Way {
            first: w.transitions.start,
            count: size(&w.transitions),
            editable: w.editable,
        });
        self.ways = widgets.collect();
    }

    /// SHA-256 of the text it was read from.
    pub fn content(&self) -> String {
        sha256::of_bytes(self.source.as_bytes())
    }

    /// The text it was read from.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// A table of this model's texts, to be passed to [`Self::fire`].
    pub fn texts(&self) -> Texts {
        Texts::new(self.texts.iter().map(String::as_str))
    }

    /// Drops texts that these values no longer use.
    pub(super) fn compact<'v>(
        &self,
        texts: &mut Texts,
        in_use: impl IntoIterator<Item = &'v mut Value>,
    ) {
        texts.compact(self.texts.iter().map(String::as_str), in_use);
    }

    /// The state after a first start.
    pub fn first_state(&self, seed: u64) -> State {
        State {
            node: self.start,
            globals: self.initial.clone(),
            history: Vec::new(),
            dice: seed,
        }
    }

    /// Starts again: back on the first node, with the globals the semantics leave.
    pub fn restart(&self, state: &mut State, keep_persistent: bool, semantics: Semantics) {
        state.node = self.start;
        state.history.clear();
        if semantics == Semantics::Clean {
            for (slot, global) in state.globals.iter_mut().enumerate() {
                if !(keep_persistent && self.persistent[slot]) {
                    *global = self.initial[slot];
                }
            }
        }
    }

    /// Operates a widget of the node shown: guard, set, destination. `None` when no transition can be taken.
    ///
    /// `input` is the text typed; the caller sees to it that only text fields are typed into.
    #[inline]
    pub fn fire(
        &self,
        state: &mut State,
        texts: &mut Texts,
        widget: Ix,
        input: Value,
        semantics: Semantics,
    ) -> Result<Option<Ix>, Box<StepError>> {
        let way = self.ways[widget as usize];
        let taken = if way.count == 1 {
            if !self.open(way.first, state, texts, input, semantics)? {
                return Ok(None);
            }
            way.first
        } else {
            let ways = way.first..way.first + way.count;
            match self.choose(ways, state, texts, input, semantics)? {
                None => return Ok(None),
                Some(way) => way,
            }
        };
        let transition = &self.transitions[taken as usize];
        for (slot, code) in &transition.set {
            state.globals[*slot as usize] = code
                .eval(&state.globals, input, texts)
                .map_err(|error| self.step_error(state.node, transition.at[1], "set", error))?;
        }
        let lives = transition.effect.as_ref().is_none_or(|e| !e.ends());
        if lives && transition.destination != state.node {
            if self.back == Back::History {
                // Going where one has been drops what came after, so the history stays short.
                let seen = state
                    .history
                    .iter()
                    .position(|&n| n == transition.destination);
                match seen {
                    Some(at) => state.history.truncate(at),
                    None => state.history.push(state.node),
                }
            }
            state.node = transition.destination;
        }
        Ok(Some(taken))
    }

    #[inline]
    fn open(
        &self,
        way: Ix,
        state: &State,
        texts: &mut Texts,
        input: Value,
        semantics: Semantics,
    ) -> Result<bool, Box<StepError>> {
        let transition = &self.transitions[way as usize];
        if !transition.active && semantics == Semantics::Clean {
            return Ok(false);
        }
        match &transition.guard {
            None => Ok(true),
            Some(guard) => guard
                .eval(&state.globals, input, texts)
                .map(Value::truth)
                .map_err(|error| self.step_error(state.node, transition.at[0], "guard", error)),
        }
    }

    /// One of the transitions that can be taken, each with the same chance.
    #[cold]
    fn choose(
        &self,
        ways: Range<Ix>,
        state: &mut State,
        texts: &mut Texts,
        input: Value,
        semantics: Semantics,
    ) -> Result<Option<Ix>, Box<StepError>> {
        let mut chosen = None;
        let mut met = 0_u64;
        for way in ways {
            if self.open(way, state, texts, input, semantics)? {
                met += 1;
                state.dice = crate::util::hash::mix(state.dice, met);
                if state.dice.is_multiple_of(met) {
                    chosen = Some(way);
                }
            }
        }
        Ok(chosen)
    }

    #[cold]
    fn step_error(
        &self,
        node: Ix,
        at: u32,
        part: &'static str,
        error: EvalError,
    ) -> Box<StepError> {
        let (line, column) = position(&self.source, at as usize);
        Box::new(StepError {
            place: format!("{}:{line}:{column}", self.file),
            error,
            part,
            node: self.nodes[node as usize].id.clone(),
        })
    }

    /// Goes back in the history, if the model has one.
    pub(super) fn back(&self, state: &mut State) {
        if self.back == Back::History
            && let Some(node) = state.history.pop()
        {
            state.node = node;
        }
    }

    /// The node's widget of this number, counted from 0 on the node.
    #[inline]
    pub fn widget(&self, node: Ix, number: Ix) -> Option<Ix> {
        let (first, count) = self.spans[node as usize];
        (number < count).then(|| first + number)
    }

    /// Names of the activities, in the file's order.
    pub fn activities(&self) -> impl Iterator<Item = &str> {
        self.nodes.iter().map(|n| n.id.as_str())
    }

    /// Nodes that some transition path reaches from the first, guards left aside.
    pub fn reachable(&self) -> Vec<bool> {
        let mut reached = vec![false; self.nodes.len()];
        let mut open = vec![self.start];
        while let Some(node) = open.pop() {
            if std::mem::replace(&mut reached[node as usize], true) {
                continue;
            }
            for widget in self.nodes[node as usize].widgets.clone() {
                let ways = self.widgets[widget as usize].transitions.clone();
                open.extend(ways.map(|w| self.transitions[w as usize].destination));
            }
        }
        reached
    }
}
