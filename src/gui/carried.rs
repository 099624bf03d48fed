//! A page with its texts, to be read by another session: symbols are numbers of one session only.

use super::Page;
use crate::util::intern::{Interner, Sym};
use std::sync::Arc;

/// A page and the texts of its symbols.
#[derive(Clone, Debug)]
pub struct Carried {
    page: Arc<Page>,
    texts: Vec<Arc<str>>,
}

impl Carried {
    /// A page of the session that these texts are of.
    pub fn new(page: &Arc<Page>, interner: &Interner) -> Self {
        let mut copy = Page::clone(page);
        let texts = symbols(&mut copy).map(|sym| interner.shared(*sym));
        Self {
            texts: texts.collect(),
            page: Arc::clone(page),
        }
    }

    /// The page as the session of these texts would have seen it.
    pub fn read(&self, interner: &mut Interner) -> Page {
        let mut page = Page::clone(&self.page);
        for (sym, text) in symbols(&mut page).zip(&self.texts) {
            *sym = interner.intern(text);
        }
        page
    }

    /// Is it this page, with the same texts and states?
    pub fn is(&self, page: &Page) -> bool {
        self.page.exact == page.exact && self.page.id == page.id
    }
}

/// All symbols of a page, always in the same order.
fn symbols(page: &mut Page) -> impl Iterator<Item = &mut Sym> {
    let widgets = page.widgets.iter_mut().flat_map(|widget| {
        [
            &mut widget.class,
            &mut widget.resource_id,
            &mut widget.text,
            &mut widget.description,
            &mut widget.hint,
            &mut widget.state,
            &mut widget.role,
            &mut widget.range,
            &mut widget.collection,
            &mut widget.item,
        ]
    });
    std::iter::once(&mut page.activity).chain(widgets)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gui::{Flags, RawNode, Rect};

    #[test]
    fn a_page_is_the_same_in_a_session_that_has_other_symbols() {
        let node = |class: &str, text: &str| RawNode {
            parent: -1,
            class: class.into(),
            text: text.into(),
            resource_id: "a:id/x".into(),
            hint: "h".into(),
            flags: Flags::VISIBLE | Flags::ENABLED | Flags::CLICKABLE,
            bounds: Rect::from([0, 0, 9, 9]),
            ..RawNode::default()
        };
        let nodes = [node("Button", "ok"), node("EditText", "name")];
        let (mut ours, mut theirs) = (Interner::default(), Interner::default());
        for text in ["some", "other", "ok"] {
            theirs.intern(text);
        }
        let seen = Page::build(&nodes, "a.Main", 1, (9, 9), &mut ours);
        let direct = Page::build(&nodes, "a.Main", 1, (9, 9), &mut theirs);
        assert_ne!(format!("{seen:?}"), format!("{direct:?}"));
        let carried = Carried::new(&Arc::new(seen), &ours);
        assert_eq!(
            format!("{:?}", carried.read(&mut theirs)),
            format!("{direct:?}")
        );
        assert!(carried.is(&direct));
    }
}
