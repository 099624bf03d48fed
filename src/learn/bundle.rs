//! What an agent learned, as named vectors of numbers with a few words about them, in a safetensors file.

use super::damage;
use safetensors::{Dtype, SafeTensors, tensor::TensorView};
use serde_json::Value;
use std::collections::{BTreeMap, HashMap};
use std::io::{self, Read, Write};

/// No weight and no value of learning that goes on is larger, either way.
pub const LARGEST: f32 = 1e6;

/// Stands for no vectors at all, which the format cannot hold.
const NOTHING: &str = "nothing";

/// Named vectors and named texts. The same bundle gives the same bytes.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Bundle {
    /// Texts (the file's `__metadata__`).
    pub texts: BTreeMap<String, String>,
    /// Vectors of finite numbers.
    pub tensors: BTreeMap<String, Vec<f32>>,
}

/// What is wrong with a file.
#[derive(Debug, thiserror::Error)]
pub enum BundleError {
    /// Reading or writing.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It is damaged, or no bundle.
    #[error("this is no whole policy file: {0}; make one with a run whose policy is saved")]
    Damaged(String),
    /// It is a whole policy of a strategy (named here) whose policies are not bundles.
    #[error("it is a policy of `{0}`")]
    Foreign(String),
}

impl From<damage::Damage> for BundleError {
    fn from(damage: damage::Damage) -> Self {
        match damage {
            damage::Damage::Io(error) => Self::Io(error),
            damage::Damage::Told(what) => Self::Damaged(what),
        }
    }
}

fn damaged(error: impl std::fmt::Display) -> BundleError {
    BundleError::Damaged(error.to_string())
}

impl Bundle {
    /// Writes it.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn write(&self, to: &mut dyn Write) -> Result<(), BundleError> {
        let mut raw: Vec<(&str, Vec<u8>)> = self
            .tensors
            .iter()
            .map(|(name, values)| {
                let bytes = values.iter().flat_map(|x| x.to_le_bytes()).collect();
                (name.as_str(), bytes)
            })
            .collect();
        if raw.is_empty() {
            raw.push((NOTHING, Vec::new()));
        }
        let views: Vec<_> = raw
            .iter()
            .map(|(name, bytes)| {
                let view = TensorView::new(Dtype::F32, vec![bytes.len() / 4], bytes);
                view.map(|view| (*name, view))
                    .map_err(|e| damaged(damage::in_words(&e)))
            })
            .collect::<Result<_, _>>()?;
        // One text: the order of several would be chance.
        let texts = serde_json::to_string(&self.texts).map_err(damaged)?;
        let metadata = HashMap::from([("droidtest".to_owned(), texts)]);
        let file = safetensors::serialize(views, &Some(metadata))
            .map_err(|e| damaged(damage::in_words(&e)))?;
        Ok(to.write_all(&file)?)
    }

    /// Reads one.
    ///
    /// # Errors
    /// It cannot be read, is cut short, holds numbers that are not finite, or is the policy of a strategy that keeps
    /// none of these.
    pub fn read(from: &mut dyn Read) -> Result<Self, BundleError> {
        let file = damage::read(from)?;
        let header = damage::header(&file)?;
        // Those that learn with an engine's network say more than texts can.
        if let Some(fields) = header.as_object()
            && !fields.values().all(Value::is_string)
            && let Some(strategy) = fields.get("strategy").and_then(Value::as_str)
        {
            return Err(BundleError::Foreign(strategy.to_owned()));
        }
        let mut bundle = Self {
            texts: serde_json::from_value(header)
                .map_err(|e| damaged(format!("its header: {e}")))?,
            tensors: BTreeMap::new(),
        };
        let tensors = SafeTensors::deserialize(&file).map_err(|e| damaged(damage::in_words(&e)))?;
        for (name, view) in tensors.tensors() {
            if view.dtype() != Dtype::F32 {
                return Err(damaged(format!("{name} is {:?}, not F32", view.dtype())));
            }
            let (words, _) = view.data().as_chunks::<4>();
            let values: Vec<f32> = words.iter().map(|word| f32::from_le_bytes(*word)).collect();
            if values.iter().any(|x| !x.is_finite()) {
                return Err(damaged(format!("{name} holds a number that is not finite")));
            }
            if name != NOTHING {
                bundle.tensors.insert(name, values);
            }
        }
        Ok(bundle)
    }

    /// The vector of this name.
    ///
    /// # Errors
    /// There is none, in words.
    pub fn tensor(&self, name: &str) -> Result<&[f32], String> {
        let tensor = self.tensors.get(name).map(Vec::as_slice);
        tensor.ok_or_else(|| format!("it has no `{name}`; it is another strategy's"))
    }
}

/// Is each of these numbers one that learning can go on from? Values computed with others need not be finite.
///
/// # Errors
/// One is not; `name` says whose they are.
pub fn bounded(name: &str, numbers: &[f32]) -> Result<(), String> {
    if numbers.iter().all(|number| number.abs() <= LARGEST) {
        Ok(())
    } else {
        Err(format!(
            "its `{name}` holds a number that is not finite or beyond a million, so that learning ran away"
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bundle() -> Bundle {
        Bundle {
            texts: BTreeMap::from([("a".into(), "b\n".into())]),
            tensors: BTreeMap::from([("x".into(), vec![1.0, -0.5]), ("empty".into(), vec![])]),
        }
    }

    #[test]
    fn it_comes_back_as_it_was_and_in_the_same_bytes() {
        let (mut first, mut second) = (Vec::new(), Vec::new());
        bundle().write(&mut first).unwrap();
        bundle().write(&mut second).unwrap();
        assert_eq!(first, second);
        assert_eq!(Bundle::read(&mut first.as_slice()).unwrap(), bundle());
    }

    #[test]
    fn nothing_learned_is_kept_too() {
        let mut bytes = Vec::new();
        let nothing = Bundle {
            tensors: BTreeMap::new(),
            ..bundle()
        };
        nothing.write(&mut bytes).unwrap();
        assert_eq!(Bundle::read(&mut bytes.as_slice()).unwrap(), nothing);
    }

    #[test]
    fn what_is_cut_short_or_not_finite_is_refused() {
        let mut bytes = Vec::new();
        bundle().write(&mut bytes).unwrap();
        let told = |bytes: &[u8]| Bundle::read(&mut &*bytes).unwrap_err().to_string();
        assert!(told(b"").contains("it is empty"), "{}", told(b""));
        for end in [7, 20, bytes.len() - 1] {
            let told = told(&bytes[..end]);
            assert!(told.contains("it is cut short"), "{end}: {told}");
        }
        let junk = told(b"once upon a time, in a land far away");
        assert!(junk.contains("it is something else"), "{junk}");
        bytes.extend(b"xx");
        assert!(told(&bytes).contains("behind its end"), "{}", told(&bytes));
        let mut bad = bundle();
        bad.tensors.insert("x".into(), vec![f32::NAN]);
        let mut bytes = Vec::new();
        bad.write(&mut bytes).unwrap();
        let told = Bundle::read(&mut bytes.as_slice()).unwrap_err().to_string();
        assert!(told.contains("not finite"), "{told}");
    }

    #[test]
    fn a_policy_of_another_kind_is_told_by_its_strategy() {
        let header = r#"{"version":1,"strategy":"dinodroid","history":[]}"#;
        let metadata = HashMap::from([("droidtest".to_owned(), header.to_owned())]);
        let view = TensorView::new(Dtype::F32, vec![0], &[]).unwrap();
        let file = safetensors::serialize([("x", view)], &Some(metadata)).unwrap();
        let told = Bundle::read(&mut file.as_slice()).unwrap_err();
        assert!(
            matches!(&told, BundleError::Foreign(strategy) if strategy == "dinodroid"),
            "{told}"
        );
    }

    #[test]
    fn numbers_beyond_a_million_are_none_of_learning() {
        assert_eq!(bounded("x", &[1e6, -1e6, 0.0]), Ok(()));
        for bad in [1.1e6, -3e38, f32::NAN, f32::INFINITY] {
            let told = bounded("x", &[0.0, bad]).unwrap_err();
            assert!(told.contains("`x`"), "{told}");
        }
    }
}
