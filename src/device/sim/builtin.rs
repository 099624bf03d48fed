//! Models that ship with the tool, so that a first run needs nothing installed.

use super::fault::{ModelError, nearest};
use super::model::Model;
use crate::device::App;

/// Name and text of each built-in model.
pub const BUILTIN: [(&str, &str); 3] = [
    ("notes", include_str!("models/notes.json")),
    ("shop", include_str!("models/shop.json")),
    ("tape", include_str!("models/tape.json")),
];

impl Model {
    /// A built-in model by its name.
    pub fn builtin(name: &str) -> Result<Self, ModelError> {
        match BUILTIN.iter().find(|(known, _)| *known == name) {
            Some((name, text)) => Self::parse(text, &format!("built-in model {name}"), name),
            None => Err(ModelError::whole(
                "unknown-model",
                &format!("built-in model {name}"),
                "no built-in model has this name",
                nearest(name, BUILTIN.iter().map(|(name, _)| *name)),
            )),
        }
    }

    /// The model of an app: its file's, or the built-in one that its package names.
    pub fn of(app: &App) -> Result<Self, ModelError> {
        match &app.file {
            Some(file) => Self::load(file),
            None => Self::builtin(&app.package),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_built_in_model_can_be_read_and_reached_whole() {
        for (name, _) in BUILTIN {
            let model = Model::builtin(name).unwrap();
            assert_eq!(model.name, name);
            assert!(
                model.reachable().iter().all(|&r| r),
                "{name}: some node cannot be reached"
            );
            let has = |f: fn(&super::super::model::Effect) -> bool| {
                let effects = model.transitions.iter().filter_map(|t| t.effect.as_deref());
                effects.filter(|e| f(e)).count()
            };
            assert!(has(|e| e.crash.is_some()) >= 2, "{name}");
            assert!(model.blocks.len() >= 30, "{name}: {}", model.blocks.len());
        }
    }

    #[test]
    fn a_name_that_is_none_gets_the_nearest() {
        let error = Model::builtin("note").unwrap_err();
        assert_eq!(error.code, "unknown-model");
        assert!(error.to_string().contains("did you mean `notes`?"));
    }
}
