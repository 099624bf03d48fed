//! Which widgets ARES acts on, and how it tells them apart.

use crate::gui::Page;
use crate::util::intern::{Interner, Sym};

/// Widgets that offer an event, each once.
pub fn operable(page: &Page) -> Vec<u32> {
    let mut widgets: Vec<u32> = page
        .events
        .iter()
        .filter_map(|event| event.widget)
        .collect();
    widgets.dedup();
    widgets
}

/// Resource-id, else content description, else activity, class and text, as ARES tells widgets apart.
pub fn identity(page: &Page, widget: u32, interner: &Interner) -> String {
    let Some(widget) = page.widgets.get(widget as usize) else {
        return String::new();
    };
    let said = |sym: Sym| (!sym.is_empty()).then(|| interner.get(sym).to_owned());
    said(widget.resource_id)
        .or_else(|| said(widget.description))
        .unwrap_or_else(|| {
            let [activity, class, text] =
                [page.activity, widget.class, widget.text].map(|sym| interner.get(sym));
            format!("{activity}.{class}.{text}")
        })
}
