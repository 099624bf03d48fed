//! What an agent learned, as named vectors of numbers with a few words about them, in a safetensors file.

use safetensors::{Dtype, SafeTensors, tensor::TensorView};
use std::collections::{BTreeMap, HashMap};
use std::io::{self, Read, Write};

/// No file of ours comes near; one of this size is something else.
const LARGEST: u64 = 256 << 20;

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
                view.map(|view| (*name, view)).map_err(damaged)
            })
            .collect::<Result<_, _>>()?;
        // One text: the order of several would be chance.
        let texts = serde_json::to_string(&self.texts).map_err(damaged)?;
        let metadata = HashMap::from([("droidtest".to_owned(), texts)]);
        let file = safetensors::serialize(views, &Some(metadata)).map_err(damaged)?;
        Ok(to.write_all(&file)?)
    }

    /// Reads one.
    ///
    /// # Errors
    /// It cannot be read, is cut short, or holds numbers that are not finite.
    pub fn read(from: &mut dyn Read) -> Result<Self, BundleError> {
        let mut file = Vec::new();
        from.take(LARGEST).read_to_end(&mut file)?;
        let (_, metadata) = SafeTensors::read_metadata(&file).map_err(damaged)?;
        let texts = metadata
            .metadata()
            .as_ref()
            .and_then(|all| all.get("droidtest"));
        let texts = texts.ok_or_else(|| damaged("it has no header of droidtest's"))?;
        let mut bundle = Self {
            texts: serde_json::from_str(texts).map_err(damaged)?,
            tensors: BTreeMap::new(),
        };
        for (name, view) in SafeTensors::deserialize(&file).map_err(damaged)?.tensors() {
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
        for end in [0, 7, 20, bytes.len() - 1] {
            assert!(Bundle::read(&mut &bytes[..end]).is_err(), "{end}");
        }
        let mut bad = bundle();
        bad.tensors.insert("x".into(), vec![f32::NAN]);
        let mut bytes = Vec::new();
        bad.write(&mut bytes).unwrap();
        let told = Bundle::read(&mut bytes.as_slice()).unwrap_err().to_string();
        assert!(told.contains("not finite"), "{told}");
    }
}
