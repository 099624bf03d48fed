//! Lists in an agent's messages, which an app may have got at: a short message must not make us hold a long list of what is
//! empty.

use serde::de::{Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use std::fmt;
use std::marker::PhantomData;

/// The longest list taken; real pages have some thousand widgets, the largest apps 100,000 classes.
const MOST: usize = 1_000_000;

/// A list.
///
/// # Errors
/// It is too long, or the deserializer's.
pub fn list<'de, D: Deserializer<'de>, T: Deserialize<'de>>(from: D) -> Result<Vec<T>, D::Error> {
    from.deserialize_seq(Bounded(PhantomData))
}

/// A list that may be missing.
///
/// # Errors
/// It is too long, or the deserializer's.
pub fn some_list<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    from: D,
) -> Result<Option<Vec<T>>, D::Error> {
    from.deserialize_option(Optional(PhantomData))
}

struct Bounded<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for Bounded<T> {
    type Value = Vec<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a list of at most {MOST}")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<Vec<T>, A::Error> {
        let mut all = Vec::new();
        while let Some(next) = from.next_element()? {
            if all.len() == MOST {
                return Err(A::Error::custom(format!(
                    "a list of more than {MOST} items"
                )));
            }
            all.push(next);
        }
        Ok(all)
    }
}

struct Optional<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for Optional<T> {
    type Value = Option<Vec<T>>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a list of at most {MOST} items, or null")
    }

    fn visit_none<E: Error>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_some<D: Deserializer<'de>>(self, from: D) -> Result<Self::Value, D::Error> {
        list(from).map(Some)
    }
}

#[cfg(test)]
mod tests {
    use crate::device::message::Incoming;

    #[test]
    fn a_message_of_empty_widgets_without_end_is_refused() {
        for (field, item) in [("page", "{}"), ("probes", "[]"), ("toasts", "\"\"")] {
            let text = |count: usize| {
                let items = vec![item; count].join(",");
                format!("{{\"obs\":{{\"{field}\":[{items}]}}}}")
            };
            let error = serde_json::from_str::<Incoming>(&text(1_000_001)).unwrap_err();
            assert!(error.to_string().contains("more than 1000000"), "{error}");
        }
        let none = serde_json::from_str::<Incoming>("{\"obs\":{\"page\":null}}").unwrap();
        assert!(none.obs.unwrap().page.is_none());
    }
}
