//! Widgets by UiAutomator.

use super::{Test, at_place, is_selected, shares};
use crate::export::selector::{Selector, start};
use crate::gui::Direction;
use crate::trace::Deed;

impl Test<'_> {
    /// Something is done to a widget.
    pub(super) fn widget(&mut self, selector: &Selector<'_>, deed: &Deed) -> Result<(), String> {
        if let Some(tap) = at_place(selector, deed) {
            self.call(tap);
            return Ok(());
        }
        is_selected(selector)?;
        let widget = format!(
            "widget({}, {})",
            self.selected(selector),
            Self::chosen(selector)
        );
        let call = match deed {
            Deed::Click => format!("{widget}.click()"),
            Deed::LongClick => format!("{widget}.longClick()"),
            Deed::Type(typed) => {
                self.call(format!("enter({widget}, {})", self.typed(typed)));
                match typed.enter {
                    true => "device.pressEnter()".to_owned(),
                    false => return Ok(()),
                }
            }
            Deed::Scroll(reveal) => format!("{widget}.scroll({}, 0.6f)", direction(*reveal)),
            Deed::Swipe(finger) => format!("{widget}.swipe({}, 0.75f)", direction(*finger)),
            Deed::Pinch { inward: true } => format!("{widget}.pinchClose(0.5f)"),
            Deed::Pinch { inward: false } => format!("{widget}.pinchOpen(0.5f)"),
            Deed::Tap(inside) => format!("tapInside({widget}, {})", shares(*inside)),
        };
        self.call(call);
        Ok(())
    }

    fn selected(&self, selector: &Selector<'_>) -> String {
        let mut by = Vec::new();
        if !selector.id.is_empty() {
            let id = match selector.id.contains('/') {
                true => selector.id.to_owned(),
                false => format!("{}:id/{}", self.trace.app.package, selector.id),
            };
            by.push(format!("res({})", self.text(&id)));
        }
        let said = |name: &str, text: &str| {
            let (text, is_start) = start(text);
            let more = if is_start { "StartsWith" } else { "" };
            (!text.is_empty()).then(|| format!("{name}{more}({})", self.text(text)))
        };
        by.extend(said("text", selector.text));
        by.extend(said("desc", selector.desc));
        if !selector.class.is_empty() {
            by.push(format!("clazz({})", self.text(selector.class)));
        }
        if let Some(caption) = said("text", selector.caption) {
            match (by.is_empty(), selector.field) {
                (true, _) => by.push(caption),
                (false, false) => by.push(format!("hasDescendant(By.{caption})")),
                // The field has a name, and its hint is gone when it has a text.
                (false, true) => {}
            }
        }
        format!("By.{}", by.join("."))
    }
}

fn direction(direction: Direction) -> String {
    format!("Direction.{}", format!("{direction:?}").to_uppercase())
}
