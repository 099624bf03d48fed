//! Reading models: our JSON form, FATE's own, the paper's, and Ptolemy II's drawings (`docs/models.md`).

mod fields;
mod globals;
#[cfg(test)]
mod mistakes;
mod moml;
mod nodes;
#[cfg(test)]
mod tests;

use super::expr::Texts;
use super::fault::{Fault, ModelError, nearest};
use super::json::{self, Json, Node as JsonNode};
use super::model::{Back, Ix, Model};
use fields::{Fields, wrong_type};
use rustc_hash::FxHashMap;
use std::path::Path;
use std::sync::Arc;

/// The longest file read.
const MAX_FILE: u64 = 64 << 20;

impl Model {
    /// Reads a model from a file.
    pub fn load(path: &Path) -> Result<Self, ModelError> {
        let file = path.display().to_string();
        let fix = "check that the path names a model file that you may read";
        let unreadable =
            |error: std::io::Error| ModelError::whole("unreadable", &file, error.to_string(), fix);
        let size = std::fs::metadata(path).map_err(unreadable)?.len();
        if size > MAX_FILE {
            let what = format!("{size} bytes are too many: models have some thousand");
            return Err(ModelError::whole("too-large", &file, what, fix));
        }
        let bytes = std::fs::read(path).map_err(unreadable)?;
        let text = String::from_utf8(bytes).map_err(|error| {
            let valid = error.utf8_error().valid_up_to();
            let text = String::from_utf8_lossy(&error.as_bytes()[..valid]).into_owned();
            let fault = Fault::new("not-utf-8", valid, "not UTF-8", "save the file as UTF-8");
            ModelError::new(fault, &file, &text)
        })?;
        let stem = path.file_stem().map(|s| s.to_string_lossy().into_owned());
        Self::parse(&text, &file, &stem.unwrap_or_default())
    }

    /// Reads a model from its text; `file` names it in errors, `name` is its name unless it has one itself.
    pub fn parse(text: &str, file: &str, name: &str) -> Result<Self, ModelError> {
        read(text, file, name).map_err(|fault| ModelError::new(fault, file, text))
    }
}

/// What is known while a model is read.
struct Reader<'t> {
    source: &'t str,
    /// Of texts that are not spelled in the file as they are read: where each byte stands.
    offsets: FxHashMap<usize, Vec<usize>>,
    model: Model,
    texts: Texts,
    /// Globals by name.
    slots: FxHashMap<String, Ix>,
    /// Nodes by id.
    nodes: FxHashMap<String, Ix>,
    /// Classes of code blocks by name.
    classes: FxHashMap<String, Ix>,
    /// Code blocks by name.
    blocks: FxHashMap<String, Ix>,
}

/// A model as a tree, whichever form it is in.
pub(super) fn tree(source: &str) -> Result<JsonNode, Fault> {
    parse(source).map(|(root, _)| root)
}

fn parse(source: &str) -> Result<(JsonNode, FxHashMap<usize, Vec<usize>>), Fault> {
    if moml::is_xml(source) {
        let drawing = moml::parse(source)?;
        return Ok((drawing.root, drawing.offsets));
    }
    Ok((json::parse(source)?, FxHashMap::default()))
}

fn read(source: &str, file: &str, name: &str) -> Result<Model, Fault> {
    let (root, offsets) = parse(source)?;
    let fields = Fields::of(&root, "a model", &["meta", "global_vars", "nodes"])?;
    let mut reader = Reader {
        source,
        offsets,
        model: Model {
            name: name.to_owned(),
            package: String::new(),
            back: Back::Nowhere,
            strings: Vec::new(),
            nodes: Vec::new(),
            widgets: Vec::new(),
            transitions: Vec::new(),
            start: 0,
            globals: Vec::new(),
            initial: Vec::new(),
            persistent: Vec::new(),
            classes: Vec::new(),
            blocks: Vec::new(),
            spans: Vec::new(),
            ways: Vec::new(),
            texts: Vec::new(),
            file: file.to_owned(),
            source: Arc::default(),
        },
        texts: Texts::default(),
        slots: FxHashMap::default(),
        nodes: FxHashMap::default(),
        classes: FxHashMap::default(),
        blocks: FxHashMap::default(),
    };
    if let Some(globals) = fields.get("global_vars") {
        reader.globals(globals)?;
    }
    let list = fields.need("nodes")?;
    let nodes = fields.list("nodes")?;
    if nodes.is_empty() {
        let fix = "add the node to start on";
        return Err(Fault::new(
            "no-nodes",
            list.at,
            "the model has no nodes",
            fix,
        ));
    }
    for node in nodes {
        reader.declare(node)?;
    }
    if let Some(meta) = fields.get("meta") {
        reader.meta(meta)?;
    }
    // The tree is several times the text: each node goes when the model has it.
    for node in nodes_of(root) {
        reader.node(&node)?;
    }
    let mut model = reader.model;
    model.source = source.into();
    if model.package.is_empty() {
        model.package.clone_from(&model.name);
    }
    model.settle();
    model.texts = reader.texts.all().map(str::to_owned).collect();
    Ok(model)
}

/// The list of nodes, taken out of the tree.
fn nodes_of(root: JsonNode) -> Vec<JsonNode> {
    let Json::Object(members) = root.json else {
        return Vec::new();
    };
    let nodes = members.into_iter().find(|member| &*member.key == "nodes");
    match nodes.map(|member| member.value.json) {
        Some(Json::List(nodes)) => nodes,
        _ => Vec::new(),
    }
}

impl Reader<'_> {
    /// `meta` may hold anything; these keys mean something.
    fn meta(&mut self, node: &JsonNode) -> Result<(), Fault> {
        let fields = Fields::of(node, "meta", &[])?;
        if let Some(name) = fields.text("name")? {
            name.clone_into(&mut self.model.name);
        }
        if let Some(package) = fields.text("package")? {
            package.clone_into(&mut self.model.package);
        }
        if let Some(start) = fields.text("initial_node")? {
            let at = fields.need("initial_node")?.at;
            self.model.start = self.destination(start, at)?;
        }
        self.model.back = match fields.text("back")? {
            None | Some("nowhere") => Back::Nowhere,
            Some("history") => Back::History,
            Some(other) => {
                return Err(Fault::new(
                    "unknown-value",
                    fields.need("back")?.at,
                    format!("`back` cannot be `{other}`"),
                    nearest(other, ["nowhere", "history"]),
                ));
            }
        };
        let strings = fields.texts("strings")?;
        self.model.strings = strings.iter().map(|(_, text)| (*text).to_owned()).collect();
        Ok(())
    }

    /// Where a byte of the text that is at `at` is in the file.
    fn within(&self, at: usize, inner: usize) -> usize {
        match self.offsets.get(&at) {
            Some(places) => places.get(inner).or(places.last()).copied().unwrap_or(at),
            None => json::offset_within(self.source, at, inner),
        }
    }

    fn destination(&self, id: &str, at: usize) -> Result<Ix, Fault> {
        self.nodes.get(id).copied().ok_or_else(|| {
            Fault::new(
                "unknown-node",
                at,
                format!("no node is named `{id}`"),
                nearest(id, self.model.activities()),
            )
        })
    }
}

/// The number of the next item; a file under the limit cannot hold more.
fn next(len: usize) -> Ix {
    Ix::try_from(len).unwrap_or(Ix::MAX)
}

/// A scalar's kind in the form of a fault, for what cannot be one.
fn not_scalar(node: &JsonNode) -> Fault {
    let wanted = "null, a boolean, a number or a string";
    wrong_type(node, "a global's value", wanted)
}

/// Is this an object?
fn is_object(node: &JsonNode) -> bool {
    matches!(node.json, Json::Object(_))
}
