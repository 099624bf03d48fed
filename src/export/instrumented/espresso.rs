//! Views by Espresso.

use super::{Test, at_place, is_selected};
use crate::export::selector::{Selector, start};
use crate::gui::Direction;
use crate::trace::Deed;

impl Test<'_> {
    /// Something is done to a view of the app.
    pub(super) fn view(&mut self, selector: &Selector<'_>, deed: &Deed) -> Result<(), String> {
        if let Some(tap) = at_place(selector, deed) {
            self.call(tap);
            return Ok(());
        }
        let action = match deed {
            Deed::Click => "click()".to_owned(),
            Deed::LongClick => "longClick()".to_owned(),
            Deed::Type(typed) => {
                let enter = if typed.enter {
                    "pressImeActionButton()"
                } else {
                    "closeSoftKeyboard()"
                };
                format!("replaceText({}), {enter}", self.typed(typed))
            }
            Deed::Scroll(reveal) => swipe(reveal.opposite()),
            Deed::Swipe(finger) => swipe(*finger),
            // Espresso has no such action.
            Deed::Pinch { .. } | Deed::Tap(_) => return self.widget(selector, deed),
        };
        is_selected(selector)?;
        let view = format!(
            "view({}, {})",
            self.matched(selector),
            Self::chosen(selector)
        );
        self.call(format!("{view}.perform({action})"));
        Ok(())
    }

    fn matched(&self, selector: &Selector<'_>) -> String {
        let mut all = Vec::new();
        if !selector.id.is_empty() {
            all.push(format!(
                "withResourceName({})",
                self.text(selector.short_id())
            ));
        }
        let said = |name: &str, text: &str| {
            let (text, is_start) = start(text);
            let whole = self.text(text);
            let text_of = if is_start {
                format!("startsWith({whole})")
            } else {
                whole
            };
            (!text.is_empty()).then(|| format!("{name}({text_of})"))
        };
        all.extend(said("withText", selector.text));
        all.extend(said("withContentDescription", selector.desc));
        if !selector.class.is_empty() {
            all.push(format!("accessibleAs({})", self.text(selector.class)));
        }
        if selector.field {
            all.extend(said("withHint", selector.caption).filter(|_| all.is_empty()));
        } else {
            let row = said("withText", selector.caption);
            all.extend(row.map(|row| format!("hasDescendant({row})")));
        }
        format!("allOf({})", all.join(", "))
    }
}

fn swipe(finger: Direction) -> String {
    format!("swipe{finger:?}()")
}
