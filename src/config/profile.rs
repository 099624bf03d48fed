//! Profiles: named variations of a suite that may inherit from each other.

use std::sync::Arc;

use super::diagnose::{Code, Location, Problem, name_help};
use super::layer::{Layer, Rank};
use super::source::{Entry, Node, Source, Value};

/// The profile at the root of every chain: the suite's tables, and `[profile.default]` if present.
pub const DEFAULT: &str = "default";

/// The layers of a suite for one profile, the suite's tables first.
///
/// `asked` is the text that chose the profile, for the error if there is no such profile.
pub fn layers(
    source: &Arc<Source>,
    root: &Node,
    profile: &str,
    asked: Option<Location>,
) -> Result<Vec<Layer>, Problem> {
    let mut chain: Vec<&Entry> = Vec::new();
    let mut next = Some((profile.to_owned(), asked));
    while let Some((name, asked)) = next {
        let Some(entry) = find(root, &name) else {
            if name == DEFAULT {
                break;
            }
            return Err(Problem::new(
                Code::UnknownProfile,
                format!("there is no profile `{name}`"),
            )
            .at(asked)
            .help(name_help(&name, names(root), "profiles")));
        };
        if chain.iter().any(|before| before.key == name) {
            return Err(cycle(source, &chain, entry));
        }
        chain.push(entry);
        next = match entry.node.entry("inherits").map(|inherits| &inherits.node) {
            Some(Node {
                value: Value::String(parent),
                span,
            }) => {
                let place = Location::new(source, span.clone(), "inherits from here");
                Some((parent.clone(), Some(place)))
            }
            _ if name == DEFAULT => None,
            _ => Some((DEFAULT.to_owned(), None)),
        };
    }

    let base = Layer {
        rank: Rank::Suite,
        source: Arc::clone(source),
        node: without(root, "profile"),
    };
    let profiles = chain.into_iter().rev().map(|entry| Layer {
        rank: Rank::Profile(entry.key.clone()),
        source: Arc::clone(source),
        node: without(&entry.node, "inherits"),
    });
    Ok(std::iter::once(base).chain(profiles).collect())
}

fn find<'a>(root: &'a Node, name: &str) -> Option<&'a Entry> {
    root.entry("profile")?.node.entry(name)
}

/// The names of a suite's profiles, including `default`.
pub fn names(root: &Node) -> impl Iterator<Item = &str> {
    let own = root
        .entry("profile")
        .map_or(&[][..], |table| table.node.entries());
    let own = own
        .iter()
        .map(|entry| entry.key.as_str())
        .filter(|name| *name != DEFAULT);
    std::iter::once(DEFAULT).chain(own)
}

fn cycle(source: &Arc<Source>, chain: &[&Entry], back: &Entry) -> Problem {
    let mut path: Vec<_> = chain
        .iter()
        .map(|entry| entry.key.as_str())
        .skip_while(|name| *name != back.key)
        .collect();
    path.push(&back.key);
    let problem = Problem::new(
        Code::InheritsCycle,
        format!(
            "the profile `{}` inherits from itself: {}",
            back.key,
            path.join(" -> ")
        ),
    );
    let inherits = chain.last().and_then(|last| last.node.entry("inherits"));
    let place = inherits
        .map(|entry| Location::new(source, entry.node.span.clone(), "this completes the cycle"));
    problem
        .at(place)
        .help("let one of them inherit from `default`".to_owned())
}

fn without(node: &Node, key: &str) -> Node {
    Node {
        span: node.span.clone(),
        value: Value::Table(
            node.entries()
                .iter()
                .filter(|entry| entry.key != key)
                .cloned()
                .collect(),
        ),
    }
}
