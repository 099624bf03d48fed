//! Ptolemy II's drawings (MoML XML), the form FATE's models are drawn in, read into the same tree as JSON.
//!
//! The machine at the outermost level is the model; refinements are refused (`machine`). Its states become nodes, its
//! transitions widgets of the state they leave, parameters globals (`parameters`). A transition that reads an input port
//! is a text field (the port's value is what is typed), every other transition a button. An initial state that nothing
//! leads to and whose only way out sets constants is not a screen of the app: it becomes the globals' first values, and its
//! destination the first node. Ptolemy wants `nondeterministic` on every transition that may be enabled together with
//! another; in an app all buttons of a screen are, so the flag alone makes no two transitions one widget: those that
//! have it and the same annotation are one. Expressions are read with Ptolemy's grammar (`expression`) and spelled in the
//! language of models.

mod edges;
mod expression;
mod lexical;
mod machine;
mod parameters;
mod tokens;

use crate::device::sim::expr::Expr;
use crate::device::sim::fault::Fault;
use crate::device::sim::json::{Json, Member, Node};
use edges::{Edge, edges};
use lexical::{offset, places, shallow};
use machine::{machine, plain, unrefined};
use roxmltree::{Document, Node as Xml, ParsingOptions};
use rustc_hash::{FxHashMap, FxHashSet};

/// A transition's expressions: their keys in a model and in a drawing.
const EXPRESSIONS: [(&str, &str); 2] = [("guard", "guardExpression"), ("set", "setActions")];

/// A drawing as a tree, and by the offset of each translated text: where each of its bytes is in the file.
pub struct Drawing {
    /// A model, as the JSON reader takes it.
    pub root: Node,
    /// Offsets of bytes in texts that are not spelled in the file as they are here.
    pub offsets: FxHashMap<usize, Vec<usize>>,
}

/// Is this text XML?
pub fn is_xml(text: &str) -> bool {
    text.trim_start_matches('\u{feff}')
        .trim_start()
        .starts_with('<')
}

/// Reads a drawing.
pub fn parse(text: &str) -> Result<Drawing, Fault> {
    shallow(text)?;
    let options = ParsingOptions {
        allow_dtd: true,
        nodes_limit: 2_000_000,
        ..ParsingOptions::default()
    };
    let document = Document::parse_with_options(text, options).map_err(|error| {
        let at = match error {
            // These know no place.
            roxmltree::Error::UnexpectedEndOfStream
            | roxmltree::Error::UnclosedRootNode
            | roxmltree::Error::NoRootNode => text.trim_end().len(),
            _ => offset(text, error.pos().row, error.pos().col),
        };
        let fix = "check that it is a complete drawing saved by Ptolemy II";
        Fault::new("xml-syntax", at, error.to_string(), fix)
    })?;
    let root = document.root_element();
    let controller = machine(root)?;
    let mut reader = Reader {
        text,
        offsets: FxHashMap::default(),
    };
    let root = reader.model(root, controller)?;
    Ok(Drawing {
        root,
        offsets: reader.offsets,
    })
}

fn class<'a>(node: Xml<'a, '_>) -> &'a str {
    node.attribute("class").unwrap_or_default()
}

fn name<'a>(node: Xml<'a, '_>) -> &'a str {
    node.attribute("name").unwrap_or_default()
}

fn property<'a, 'i>(node: Xml<'a, 'i>, wanted: &str) -> Option<Xml<'a, 'i>> {
    node.children()
        .find(|child| child.has_tag_name("property") && name(*child) == wanted)
}

fn value<'a>(node: Xml<'a, '_>) -> &'a str {
    node.attribute("value").unwrap_or_default()
}

/// Where an attribute's value starts.
fn value_at(node: Xml<'_, '_>, key: &str) -> usize {
    let attribute = node.attribute_node(key);
    attribute.map_or(node.range().start, |attribute| {
        attribute.range_value().start
    })
}

fn text_node(at: usize, text: impl Into<String>) -> Node {
    Node {
        at,
        json: Json::Text(text.into()),
    }
}

fn member(key: &str, key_at: usize, value: Node) -> Member {
    Member {
        key: key.into(),
        key_at,
        value,
    }
}

fn object(at: usize, members: Vec<Member>) -> Node {
    Node {
        at,
        json: Json::Object(members),
    }
}

fn list(at: usize, items: Vec<Node>) -> Node {
    Node {
        at,
        json: Json::List(items),
    }
}

struct Reader<'t> {
    text: &'t str,
    offsets: FxHashMap<usize, Vec<usize>>,
}

impl Reader<'_> {
    fn model(&mut self, root: Xml<'_, '_>, controller: Xml<'_, '_>) -> Result<Node, Fault> {
        let at = root.range().start;
        let states: Vec<Xml<'_, '_>> = controller
            .children()
            .filter(|node| node.has_tag_name("entity") && class(*node).ends_with(".State"))
            .collect();
        let edges = edges(controller)?;
        let first = states.iter().copied().find(|state| {
            property(*state, "isInitialState").is_some_and(|p| value(p).trim() == "true")
        });
        let start = first.and_then(|first| self.entry(first, &edges));
        let ports: FxHashSet<&str> = controller
            .parent()
            .into_iter()
            .chain(Some(controller))
            .flat_map(|holder| holder.children())
            .filter(|node| node.has_tag_name("port"))
            .map(name)
            .collect();
        let used = parameters::used(&edges, &ports);
        let mut globals = parameters::globals(self.text, controller, &used)?;
        if let Some(start) = &start {
            parameters::first_values(self.text, start.relation, &mut globals)?;
        }
        let mut nodes = Vec::new();
        for state in &states {
            unrefined(*state)?;
            let entry = start.as_ref().and_then(|start| start.from);
            if entry == Some(name(*state)) {
                continue;
            }
            let state_at = value_at(*state, "name");
            let own: Vec<_> = edges
                .iter()
                .filter(|edge| edge.from == Some(name(*state)))
                .collect();
            let labels = edges::shared(&own)?;
            let mut transitions = Vec::new();
            for (edge, label) in own.iter().zip(labels) {
                transitions.push(self.transition(edge, label, &ports)?);
            }
            nodes.push(object(
                state.range().start,
                vec![
                    member("node_id", state_at, text_node(state_at, name(*state))),
                    member("transitions", state_at, list(state_at, transitions)),
                ],
            ));
        }
        let mut meta = vec![member(
            "name",
            at,
            text_node(value_at(root, "name"), name(root)),
        )];
        let initial = match &start {
            Some(start) => start.to.map(|to| (start.relation.range().start, to)),
            None => first.map(|first| (first.range().start, name(first))),
        };
        if let Some((initial_at, initial)) = initial {
            let value = text_node(initial_at, initial);
            meta.push(member("initial_node", initial_at, value));
        }
        Ok(object(
            at,
            vec![
                member("meta", at, object(at, meta)),
                member("global_vars", at, object(at, globals)),
                member("nodes", at, list(controller.range().start, nodes)),
            ],
        ))
    }

    /// The way out of an initial state that is no screen.
    fn entry<'a, 'i>(&self, first: Xml<'a, 'i>, edges: &[Edge<'a, 'i>]) -> Option<Edge<'a, 'i>> {
        let own = name(first);
        if edges.iter().any(|edge| edge.to == Some(own)) {
            return None;
        }
        let mut ways = edges.iter().filter(|edge| edge.from == Some(own));
        let (only, none) = (ways.next()?, ways.next());
        let guarded =
            property(only.relation, "guardExpression").is_some_and(|g| !value(g).trim().is_empty());
        (none.is_none() && !guarded).then_some(Edge {
            relation: only.relation,
            from: only.from,
            to: only.to,
        })
    }

    /// `label`: the annotation of a transition that shares its widget with others.
    fn transition(
        &mut self,
        edge: &Edge<'_, '_>,
        label: Option<&str>,
        ports: &FxHashSet<&str>,
    ) -> Result<Node, Fault> {
        let relation = edge.relation;
        plain(relation)?;
        let at = relation.range().start;
        let name_at = value_at(relation, "name");
        let mut typed = false;
        let id = text_node(name_at, label.unwrap_or_else(|| name(relation)));
        let mut members = vec![member("transition_id", name_at, id)];
        if label.is_some() {
            let json = Json::Bool(true);
            members.push(member("nondeterministic", at, Node { at, json }));
        }
        for (key, property_name) in EXPRESSIONS {
            let Some(found) = property(relation, property_name) else {
                continue;
            };
            let value_at = value_at(found, "value");
            let (text, reads) = self.translate(key, value(found), value_at, ports)?;
            typed |= reads;
            members.push(member(key, value_at, text_node(value_at, text)));
        }
        let to = edge.to.unwrap_or_default();
        members.push(member("destination", at, text_node(at, to)));
        let kind = if typed { "editText" } else { "button" };
        members.push(member("type", at, text_node(at, kind)));
        Ok(object(at, members))
    }

    /// A guard or actions in the language of models; remembers where each byte came from. `true`: they read a port.
    fn translate(
        &mut self,
        key: &str,
        value: &str,
        at: usize,
        ports: &FxHashSet<&str>,
    ) -> Result<(String, bool), Fault> {
        let places = places(self.text, at, value);
        let place = |inner: usize| places.get(inner).or(places.last()).copied().unwrap_or(at);
        let parsed = if key == "guard" {
            let guard = expression::expression(value, ports);
            guard.map(|guard| guard.map(|guard| (None, guard)).into_iter().collect())
        } else {
            let actions = expression::actions(value, ports);
            actions.map(|all| {
                let all = all.into_iter();
                all.map(|one| (Some((one.name, one.at)), one.value))
                    .collect()
            })
        };
        let parsed: Vec<(Option<(String, usize)>, Expr)> =
            parsed.map_err(|fault| fault.lift(place))?;
        let (mut out, mut origins) = (String::new(), Vec::new());
        let mut put = |piece: &str, from: usize| {
            out.push_str(piece);
            origins.extend(std::iter::repeat_n(place(from), piece.len()));
        };
        for (ix, (target, expr)) in parsed.iter().enumerate() {
            if let Some((name, from)) = target {
                put(if ix > 0 { "\n" } else { "" }, *from);
                put(name, *from);
                put(" = ", *from);
            }
            expr.spell(&mut put);
        }
        origins.push(place(value.len()));
        self.offsets.insert(at, origins);
        let reads = parsed.iter().any(|(_, expr)| expression::reads(expr));
        Ok((out, reads))
    }
}

#[cfg(test)]
mod tests;
