//! `global_vars`: an object of names, or FATE's list.

use super::super::expr::{self, Value};
use super::super::fault::Fault;
use super::super::json::{Json, Node};
use super::{Fields, Reader, is_object, next, not_scalar, wrong_type};

impl Reader<'_> {
    pub(super) fn globals(&mut self, node: &Node) -> Result<(), Fault> {
        match &node.json {
            Json::Object(members) => {
                for member in members {
                    let (value, persistent) = if is_object(&member.value) {
                        let keys = ["value", "persistent"];
                        let fields = Fields::of(&member.value, "a global", &keys)?;
                        let persistent = fields.flag("persistent")?.unwrap_or(false);
                        (fields.get("value"), persistent)
                    } else {
                        (Some(&member.value), false)
                    };
                    self.global(&member.key, member.key_at, value, persistent)?;
                }
                Ok(())
            }
            Json::List(items) => {
                for item in items {
                    let fields = Fields::of(item, "a global", &["name", "value", "persistent"])?;
                    let at = fields.need("name")?.at;
                    let name = fields.text("name")?.unwrap_or_default();
                    let persistent = fields.flag("persistent")?.unwrap_or(false);
                    self.global(name, at, fields.get("value"), persistent)?;
                }
                Ok(())
            }
            _ => {
                let wanted = "an object of names and values, or a list of {name, value}";
                Err(wrong_type(node, "global_vars", wanted))
            }
        }
    }

    fn global(
        &mut self,
        name: &str,
        at: usize,
        value: Option<&Node>,
        persistent: bool,
    ) -> Result<(), Fault> {
        if !expr::is_name(name) || name == expr::INPUT {
            return Err(Fault::new(
                "global-name",
                at,
                format!("`{name}` cannot name a global"),
                "use letters, digits and _; Python's keywords and `input_text` are reserved",
            ));
        }
        let slot = next(self.model.globals.len());
        if self.slots.insert(name.to_owned(), slot).is_some() {
            return Err(Fault::new(
                "duplicate-global",
                at,
                format!("the global `{name}` is defined twice"),
                "keep one of them",
            ));
        }
        let value = match value.map(|node| (node, &node.json)) {
            None | Some((_, Json::Null)) => Value::None,
            Some((_, Json::Bool(b))) => Value::Bool(*b),
            Some((_, Json::Int(i))) => Value::Int(*i),
            Some((_, Json::Float(f))) => Value::Float(*f),
            Some((_, Json::Text(text))) => Value::Text(self.texts.intern(text)),
            Some((node, Json::List(_) | Json::Object(_))) => return Err(not_scalar(node)),
        };
        self.model.globals.push(name.to_owned());
        self.model.initial.push(value);
        self.model.persistent.push(persistent);
        Ok(())
    }
}
