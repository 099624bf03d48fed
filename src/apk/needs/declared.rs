//! What the manifest says of libraries, hardware and splits.

use super::Needs;
use crate::apk::axml::{Element, Value};
use crate::apk::resources::Resources;

const NAME: u32 = 0x0101_0003;
const VALUE: u32 = 0x0101_0024;
const REQUIRED: u32 = 0x0101_028e;
const SPLIT_REQUIRED: u32 = 0x0101_0591;
const SPLIT_TYPES: u32 = 0x0101_064e;

/// Adds what these elements declare.
pub(super) fn add(needs: &mut Needs, manifest: &[Element], resources: &Resources<'_>) {
    let reader = Reader { resources };
    for element in manifest {
        // What is there unless the manifest says that the app can do without.
        let required = || reader.flag(element, REQUIRED, "required").unwrap_or(true);
        let name = || reader.text(element, NAME, "name");
        match (element.depth, &*element.name) {
            (0, _) => {
                let types = reader.text(element, SPLIT_TYPES, "requiredSplitTypes");
                needs.splits_required = reader
                    .flag(element, SPLIT_REQUIRED, "isSplitRequired")
                    .unwrap_or(false)
                    || types.is_some_and(|types| !types.is_empty());
            }
            (1, "uses-feature") if required() => needs.features.extend(name()),
            (2, "uses-library") if required() => needs.libraries.extend(name()),
            (2, "meta-data")
                if name().as_deref() == Some("com.android.vending.splits.required") =>
            {
                needs.splits_required |= reader.flag(element, VALUE, "value").unwrap_or(false);
            }
            _ => {}
        }
    }
}

struct Reader<'a> {
    resources: &'a Resources<'a>,
}

impl Reader<'_> {
    fn value(&self, element: &Element, id: u32, name: &str) -> Option<Value> {
        match element.attribute(id, name)? {
            Value::Reference(id) => self.resources.get(*id),
            value => Some(value.clone()),
        }
    }

    fn text(&self, element: &Element, id: u32, name: &str) -> Option<String> {
        match self.value(element, id, name)? {
            Value::Text(text) => Some(text.to_string()),
            _ => None,
        }
    }

    fn flag(&self, element: &Element, id: u32, name: &str) -> Option<bool> {
        match self.value(element, id, name)? {
            Value::Bool(flag) => Some(flag),
            Value::Number(number) => Some(number != 0),
            Value::Text(text) => text.trim().parse().ok(),
            _ => None,
        }
    }
}
