//! A drawing's parameters: the controller's own, and those around it that its transitions use.

use super::edges::Edge;
use super::expression::{actions, constant, expression, named_part};
use super::lexical::places;
use super::tokens::tokens;
use super::{EXPRESSIONS, Xml, class, member, name, property, value, value_at};
use crate::device::sim::expr::{Expr, Literal, TokenKind};
use crate::device::sim::fault::Fault;
use crate::device::sim::json::{Json, Member, Node};
use rustc_hash::FxHashSet;

/// The controller's parameters that a person named (Ptolemy's start with `_`), then of those of the entities around
/// it the ones in `used`, the nearest of each name.
///
/// # Errors
/// A value cannot be computed.
pub fn globals(
    text: &str,
    controller: Xml<'_, '_>,
    used: &FxHashSet<&str>,
) -> Result<Vec<Member>, Fault> {
    let mut globals: Vec<Member> = Vec::new();
    let mut known: FxHashSet<&str> = FxHashSet::default();
    for holder in controller.ancestors() {
        let own = holder == controller;
        let level: Vec<_> = holder
            .children()
            .filter(|node| node.has_tag_name("property") && is_parameter(*node))
            .filter(|node| !name(*node).starts_with('_') || !own)
            .filter(|node| own || used.contains(name(*node)) && !known.contains(name(*node)))
            .collect();
        for parameter in level {
            known.insert(name(parameter));
            let at = value_at(parameter, "value");
            let json = if class(parameter).ends_with("StringParameter") {
                Json::Text(verbatim(text, value(parameter), at)?)
            } else {
                read(text, value(parameter), at)?
            };
            let key_at = value_at(parameter, "name");
            globals.push(member(name(parameter), key_at, Node { at, json }));
        }
    }
    Ok(globals)
}

fn is_parameter(node: Xml<'_, '_>) -> bool {
    ["expr.Parameter", "expr.StringParameter"]
        .iter()
        .any(|kind| class(node).ends_with(kind))
}

/// The words of all guards and actions, except for ports. What cannot be tokenized is reported where it is read.
pub fn used<'a>(edges: &[Edge<'a, '_>], ports: &FxHashSet<&str>) -> FxHashSet<&'a str> {
    let mut used = FxHashSet::default();
    let texts = edges
        .iter()
        .flat_map(|edge| EXPRESSIONS.map(|(_, key)| property(edge.relation, key)))
        .flatten()
        .map(value);
    for token in texts.filter_map(|text| tokens(text).ok()).flatten() {
        if let TokenKind::Name(word) = token.kind
            && !ports.contains(word)
        {
            used.insert(word);
        }
    }
    used
}

/// What the entry's actions set comes before the parameters' own values.
///
/// # Errors
/// They set what is no parameter, or to what is not a constant.
pub fn first_values(
    text: &str,
    relation: Xml<'_, '_>,
    globals: &mut [Member],
) -> Result<(), Fault> {
    let Some(set) = property(relation, "setActions") else {
        return Ok(());
    };
    let at = value_at(set, "value");
    let lift = |fault: Fault| lifted(text, value(set), at, fault);
    for action in actions(value(set), &FxHashSet::default()).map_err(lift)? {
        let known = globals
            .iter_mut()
            .find(|global| *global.key == *action.name)
            .ok_or_else(|| {
                lift(Fault::new(
                    "unknown-name",
                    action.at,
                    format!("no parameter is named `{}`", action.name),
                    "add it to the controller's parameters",
                ))
            })?;
        let json = computed(&action.value).map_err(lift)?;
        known.value = Node { at, json };
    }
    Ok(())
}

/// A parameter's value: an expression of literals; nothing is nothing.
fn read(text: &str, spelled: &str, at: usize) -> Result<Json, Fault> {
    let parsed = expression(spelled, &FxHashSet::default());
    parsed
        .and_then(|expr| expr.as_ref().map_or(Ok(Json::Null), computed))
        .map_err(|fault| lifted(text, spelled, at, fault))
}

fn computed(expr: &Expr) -> Result<Json, Fault> {
    let refused = |at: usize, what: String| {
        let fix = "write a text in double quotes, a number, true or false";
        Err(Fault::new("parameter-value", at, what, fix))
    };
    if let Some((name, at)) = named_part(expr) {
        return refused(at, format!("`{name}` is not a constant"));
    }
    Ok(match constant(expr)? {
        None | Some(Literal::None) => Json::Null,
        Some(Literal::Bool(value)) => Json::Bool(value),
        Some(Literal::Int(value)) => Json::Int(value),
        Some(Literal::Float(value)) if value.is_finite() => Json::Float(value),
        Some(Literal::Float(_)) => {
            return refused(expr.at, "a number too large for a float".into());
        }
        Some(Literal::Text(value)) => Json::Text(value),
    })
}

/// A `StringParameter`'s text: unchanged, except for `$`, which starts a parameter's name unless it is doubled.
fn verbatim(text: &str, spelled: &str, at: usize) -> Result<String, Fault> {
    let single = spelled.replace("$$", "  ").find('$');
    match single {
        None => Ok(spelled.replace("$$", "$")),
        Some(ix) => {
            let fix = "write the text itself; `$$` stands for a dollar sign";
            let what = "a parameter's name in a text";
            let fault = Fault::new("parameter-value", ix, what, fix);
            Err(lifted(text, spelled, at, fault))
        }
    }
}

/// A fault within the attribute's value at `at`, as one of the file.
fn lifted(text: &str, value: &str, at: usize, fault: Fault) -> Fault {
    let places = places(text, at, value);
    fault.lift(|inner| places.get(inner).or(places.last()).copied().unwrap_or(at))
}
