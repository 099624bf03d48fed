//! What a learner learned, as named vectors of numbers with a few words about them.

use super::policy_file::LARGEST;
use std::collections::BTreeMap;

/// Named vectors and named texts.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Bundle {
    /// Texts.
    pub texts: BTreeMap<String, String>,
    /// Vectors of finite numbers.
    pub tensors: BTreeMap<String, Vec<f32>>,
}

impl Bundle {
    /// The vector of this name.
    ///
    /// # Errors
    /// There is none, in words.
    pub fn tensor(&self, name: &str) -> Result<&[f32], String> {
        let tensor = self.tensors.get(name).map(Vec::as_slice);
        tensor.ok_or_else(|| format!("it has no `{name}`: it belongs to another strategy"))
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
            "its `{name}` holds a number that is not finite or beyond a million: learning diverged"
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_beyond_a_million_are_none_of_learning() {
        assert_eq!(bounded("x", &[1e6, -1e6, 0.0]), Ok(()));
        for bad in [1.1e6, -3e38, f32::NAN, f32::INFINITY] {
            let error = bounded("x", &[0.0, bad]).unwrap_err();
            assert!(error.contains("`x`"), "{error}");
        }
    }
}
