//! Nodes, their transitions, and our extension: crashes, hangs, exits, code blocks.

use super::super::expr::{self, Code, Scope};
use super::super::fault::{Fault, nearest};
use super::super::json::{Json, Node as JsonNode};
use super::super::model::{BlockClass, Effect, Ix, Node, PlantedCrash, Transition, Widget};
use super::{Fields, Reader, is_object, next, wrong_type};
use rustc_hash::FxHashMap;

const NODE: [&str; 5] = ["node_id", "transitions", "transition", "title", "blocks"];

const TRANSITION: [&str; 14] = [
    "transition_id",
    "type",
    "active",
    "guard",
    "set",
    "destination",
    "nondeterministic",
    "crash",
    "anr_ms",
    "exit",
    "blocks",
    "text",
    "hint",
    "password",
];

/// Over this a blocked main thread makes no sense in a model.
const MAX_BLOCK_MS: i64 = 3_600_000;

impl Reader<'_> {
    /// Makes a node known, so that transitions of earlier nodes may lead to it.
    pub(super) fn declare(&mut self, node: &JsonNode) -> Result<(), Fault> {
        let fields = Fields::of(node, "a node", &NODE)?;
        let at = fields.need("node_id")?.at;
        let id = fields.text("node_id")?.unwrap_or_default();
        if id.is_empty() {
            return Err(Fault::new(
                "empty-id",
                at,
                "a node without a name",
                "name it",
            ));
        }
        let ix = next(self.model.nodes.len());
        if self.nodes.insert(id.to_owned(), ix).is_some() {
            return Err(Fault::new(
                "duplicate-node",
                at,
                format!("two nodes are named `{id}`"),
                "rename one of them",
            ));
        }
        let title = fields.text("title")?.map(str::to_owned);
        let blocks = self.blocks(&fields)?;
        self.model.nodes.push(Node {
            id: id.to_owned(),
            title,
            widgets: 0..0,
            blocks,
        });
        Ok(())
    }

    /// Reads the transitions of a node that has been declared.
    pub(super) fn node(&mut self, node: &JsonNode) -> Result<(), Fault> {
        let fields = Fields::of(node, "a node", &NODE)?;
        let own = self.nodes[fields.text("node_id")?.unwrap_or_default()];
        let mut widgets: Vec<(Widget, Vec<Transition>, bool)> = Vec::new();
        let mut by_id: FxHashMap<String, usize> = FxHashMap::default();
        let single = fields.get("transition");
        for item in fields.list("transitions")?.iter().chain(single) {
            let (widget, transition, nondeterministic, at) =
                self.transition(item, own, widgets.len())?;
            match by_id.get(&widget.id) {
                None => {
                    by_id.insert(widget.id.clone(), widgets.len());
                    widgets.push((widget, vec![transition], nondeterministic));
                }
                Some(&same) => {
                    let (first, ways, first_too) = &mut widgets[same];
                    if nondeterministic && *first_too && first.editable != widget.editable {
                        return Err(Fault::new(
                            "duplicate-transition",
                            at,
                            format!(
                                "one transition of the widget `{}` types text, another does not",
                                widget.id
                            ),
                            "give all its transitions the same type, or give the widgets different ids",
                        ));
                    }
                    if !(nondeterministic && *first_too) {
                        return Err(Fault::new(
                            "duplicate-transition",
                            at,
                            format!("two transitions of this node have the id `{}`", widget.id),
                            "change one; or, if they belong to one widget, mark both `nondeterministic`",
                        ));
                    }
                    first.active |= widget.active;
                    ways.push(transition);
                }
            }
        }
        let first = next(self.model.widgets.len());
        for (mut widget, ways, _) in widgets {
            let way = next(self.model.transitions.len());
            self.model.transitions.extend(ways);
            widget.transitions = way..next(self.model.transitions.len());
            self.model.widgets.push(widget);
        }
        self.model.nodes[own as usize].widgets = first..next(self.model.widgets.len());
        Ok(())
    }

    fn transition(
        &mut self,
        item: &JsonNode,
        own: Ix,
        position: usize,
    ) -> Result<(Widget, Transition, bool, usize), Fault> {
        // The paper wraps each one: {"transition": {..}}.
        let item = match &item.json {
            Json::Object(members) if members.len() == 1 && &*members[0].key == "transition" => {
                &members[0].value
            }
            _ => item,
        };
        let fields = Fields::of(item, "a transition", &TRANSITION)?;
        let (id, at) = match fields.get("transition_id").map(|n| (&n.json, n)) {
            None => (position.to_string(), item.at),
            Some((Json::Int(number), node)) => (number.to_string(), node.at),
            Some((Json::Text(text), node)) => (text.clone(), node.at),
            Some((_, node)) => {
                return Err(wrong_type(node, "transition_id", "an integer or a string"));
            }
        };
        fields.need("type")?;
        let editable = match fields.text("type")?.unwrap_or_default() {
            "button" => false,
            "editText" => true,
            other => {
                return Err(Fault::new(
                    "unknown-value",
                    fields.need("type")?.at,
                    format!("`type` cannot be `{other}`"),
                    nearest(other, ["button", "editText"]),
                ));
            }
        };
        let effect = effect(&fields)?;
        let destination = match fields.text("destination")? {
            Some(id) => self.destination(id, fields.need("destination")?.at)?,
            None if effect.as_ref().is_some_and(Effect::ends) => own,
            None => {
                fields.need("destination")?;
                own
            }
        };
        let guard = self.guard(&fields, editable)?;
        let set = self.set(&fields, editable)?;
        let start = |key| {
            let at = fields.get(key).map_or(item.at, |n| n.at);
            u32::try_from(at).unwrap_or(u32::MAX)
        };
        let active = fields.flag("active")?.unwrap_or(true);
        let transition = Transition {
            guard,
            set,
            destination,
            active,
            effect: effect.map(Box::new),
            blocks: self.blocks(&fields)?,
            at: [start("guard"), start("set")],
        };
        let widget = Widget {
            id,
            text: fields.text("text")?.map(str::to_owned),
            editable,
            hint: fields.text("hint")?.unwrap_or_default().to_owned(),
            password: fields.flag("password")?.unwrap_or(false),
            active,
            transitions: 0..0,
        };
        let nondeterministic = fields.flag("nondeterministic")?.unwrap_or(false);
        Ok((widget, transition, nondeterministic, at))
    }

    fn guard(&mut self, fields: &Fields<'_>, input: bool) -> Result<Option<Code>, Fault> {
        let Some(text) = fields.text("guard")? else {
            return Ok(None);
        };
        let at = fields.need("guard")?.at;
        let scope = Scope {
            globals: &self.slots,
            input,
        };
        let code = expr::expression(text)
            .and_then(|expr| {
                expr.map(|expr| expr::compile(&expr, scope, &mut self.texts))
                    .transpose()
            })
            .map_err(|fault| fault.lift(|inner| self.within(at, inner)))?;
        Ok(code)
    }

    fn set(&mut self, fields: &Fields<'_>, input: bool) -> Result<Box<[(Ix, Code)]>, Fault> {
        let Some(text) = fields.text("set")? else {
            return Ok(Box::new([]));
        };
        let at = fields.need("set")?.at;
        let scope = Scope {
            globals: &self.slots,
            input,
        };
        expr::assignments(text)
            .and_then(|all| {
                all.iter()
                    .map(|one| {
                        let slot = scope.slot(&one.name, one.at)?;
                        Ok((slot, expr::compile(&one.value, scope, &mut self.texts)?))
                    })
                    .collect()
            })
            .map_err(|fault: Fault| fault.lift(|inner| self.within(at, inner)))
    }

    /// Code blocks by number; those not observed before are made known, with their class.
    fn blocks(&mut self, fields: &Fields<'_>) -> Result<Box<[Ix]>, Fault> {
        let mut all = Vec::new();
        for (at, name) in fields.texts("blocks")? {
            if let Some(&known) = self.blocks.get(name) {
                all.push(known);
                continue;
            }
            let class = block_class(name).ok_or_else(|| {
                Fault::new(
                    "block-name",
                    at,
                    format!("`{name}` is not the name of a code block"),
                    "write Class.method:1",
                )
            })?;
            let class_ix = match self.classes.get(class) {
                Some(&known) => known,
                None => {
                    let ix = next(self.model.classes.len());
                    self.classes.insert(class.to_owned(), ix);
                    self.model.classes.push(BlockClass {
                        name: class.replace('.', "/"),
                        probes: 0,
                    });
                    ix
                }
            };
            let probes = &mut self.model.classes[class_ix as usize].probes;
            let block = next(self.model.blocks.len());
            self.model.blocks.push((class_ix, *probes));
            *probes += 1;
            self.blocks.insert(name.to_owned(), block);
            all.push(block);
        }
        Ok(all.into())
    }
}

/// The class of `Class.method:1`.
fn block_class(name: &str) -> Option<&str> {
    let (method, number) = name.rsplit_once(':')?;
    let (class, method) = method.rsplit_once('.')?;
    let named = |text: &str| {
        !text.is_empty()
            && text
                .chars()
                .all(|c| c.is_alphanumeric() || matches!(c, '_' | '$' | '<' | '>' | '.'))
    };
    let counted = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
    (named(class) && named(method) && counted).then_some(class)
}

fn effect(fields: &Fields<'_>) -> Result<Option<Effect>, Fault> {
    let crash = fields.get("crash").map(crash).transpose()?;
    let anr_ms = match fields.get("anr_ms").map(|n| (&n.json, n)) {
        None => None,
        Some((Json::Int(ms @ 1..=MAX_BLOCK_MS), _)) => u64::try_from(*ms).ok(),
        Some((_, node)) => {
            let wanted = "milliseconds, from 1 to 3600000";
            return Err(wrong_type(node, "anr_ms", wanted));
        }
    };
    let exit = match fields.get("exit").map(|n| (&n.json, n)) {
        None | Some((Json::Bool(false), _)) => None,
        Some((Json::Bool(true), _)) => Some("System.exit(0)".to_owned()),
        Some((Json::Text(how), _)) if how == "System.exit(0)" || how == "finished" => {
            Some(how.clone())
        }
        Some((_, node)) => {
            let wanted = "true, \"System.exit(0)\" or \"finished\"";
            return Err(wrong_type(node, "exit", wanted));
        }
    };
    if crash.is_some() && exit.is_some() {
        return Err(Fault::new(
            "crash-and-exit",
            fields.need("exit")?.at,
            "a transition cannot have both `crash` and `exit`",
            "keep one of them",
        ));
    }
    let effect = Effect {
        crash,
        anr_ms,
        exit,
    };
    Ok((effect != Effect::default()).then_some(effect))
}

fn crash(node: &JsonNode) -> Result<PlantedCrash, Fault> {
    if !is_object(node) {
        let wanted = "an object with exception, message and frame";
        return Err(wrong_type(node, "crash", wanted));
    }
    let fields = Fields::of(node, "a crash", &["exception", "message", "frame"])?;
    let at = fields.need("exception")?.at;
    let exception = fields.text("exception")?.unwrap_or_default();
    let class = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '$');
    if exception.is_empty() || !exception.chars().all(class) {
        return Err(Fault::new(
            "exception-name",
            at,
            format!("`{}` is not the name of a class", exception.escape_debug()),
            "write it in full, such as java.lang.NullPointerException",
        ));
    }
    let frame = fields.text("frame")?;
    if frame.is_some_and(|f| f.is_empty() || f.chars().any(char::is_control)) {
        return Err(Fault::new(
            "frame",
            fields.need("frame")?.at,
            "a frame is one line",
            "write com.example.Class.method(Class.java:12)",
        ));
    }
    Ok(PlantedCrash {
        exception: exception.to_owned(),
        message: fields.text("message")?.map(str::to_owned),
        frame: frame.map(str::to_owned),
    })
}
