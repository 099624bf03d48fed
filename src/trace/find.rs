//! The widget that a trace means, on the page that is there now.

use super::format::{Spot, Target};
use crate::gui::{EventKind, Flags, Page, Widget, caption};
use crate::util::intern::{Interner, Sym};
use crate::util::text::shorten;
use std::fmt;

/// Characters of a text that a journal keeps, and so a trace.
pub(super) const TEXT: usize = 200;

/// What a widget was known by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum By {
    /// All that the trace says of it.
    All,
    /// Its resource-id; text or class differ.
    Id,
    /// Its text.
    Text,
    /// Its content description.
    Description,
    /// Its caption: a field's hint, the texts inside a row.
    Caption,
    /// Its path in the tree.
    Path,
    /// Its place on the screen.
    Place,
}

impl fmt::Display for By {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::All => "all that is known",
            Self::Id => "its resource-id",
            Self::Text => "its text",
            Self::Description => "its description",
            Self::Caption => "its caption",
            Self::Path => "its path",
            Self::Place => "its place on the screen",
        })
    }
}

/// How far a widget may be from what the trace says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fit {
    /// The same widget: one that is gone is gone. For minimizing, where a trace and its app belong together.
    Strict,
    /// The likeliest one. For other builds, devices and screens.
    Loose,
}

/// The index of the widget meant, and what it was known by; `None`: it is gone.
pub fn find(
    page: &Page,
    interner: &Interner,
    target: &Target,
    kind: EventKind,
    fit: Fit,
) -> Option<(u32, By)> {
    let offering: Vec<u32> = page
        .events
        .iter()
        .filter(|event| event.kind == kind)
        .filter_map(|event| event.widget)
        .collect();
    let search = Search {
        page,
        interner,
        target,
    };
    let found = search.among(&offering, fit);
    if found.is_some() || fit == Fit::Strict {
        return found;
    }
    // A person may name the text inside the row that takes the click.
    let live = |n: &u32| page.widgets[*n as usize].is_live();
    let all: Vec<u32> = (0..u32::try_from(page.widgets.len()).unwrap_or(0))
        .filter(live)
        .collect();
    search
        .among(&all, fit)
        .or_else(|| Some((search.at(&offering, target.at?)?, By::Place)))
}

struct Search<'a> {
    page: &'a Page,
    interner: &'a Interner,
    target: &'a Target,
}

impl Search<'_> {
    fn among(&self, pool: &[u32], fit: Fit) -> Option<(u32, By)> {
        let target = self.target;
        let named = !(target.id.is_empty() && target.text.is_empty() && target.desc.is_empty());
        let all = |w: &Widget| {
            self.id(w)
                && (w.flags.has(Flags::EDITABLE) || same(&target.text, self.get(w.text)))
                && same(&target.desc, self.get(w.description))
                && same(&target.class, self.get(w.class))
        };
        let known = named || !target.class.is_empty();
        let exact: Vec<u32> = self.those(pool, all);
        let said = self.saying(&exact);
        let captioned = !target.caption.is_empty();
        // A row that changes its words is the same row to one who asks for the same widget.
        let by_caption = captioned && (fit == Fit::Loose || !known && target.path.is_none());
        if by_caption && !said.is_empty() {
            return self.pick(&said).map(|n| (n, By::All));
        }
        if known && (named || !by_caption) && !exact.is_empty() {
            // Without a name, only its path tells a widget from others of its class.
            let by_path_alone = !named && target.nth.is_none() && target.path.is_some();
            if !by_path_alone {
                return self.pick(&exact).map(|n| (n, By::All));
            }
            if let Some(n) = self.with_path(&exact) {
                return Some((n, By::All));
            }
        }
        if !target.id.is_empty() {
            let ids = self.those(pool, |w| self.id(w));
            let one = match (&ids[..], fit) {
                ([one], _) => Some(*one),
                (ids, Fit::Strict) => self.with_path(ids),
                (ids, Fit::Loose) => self.pick(ids),
            };
            if let Some(n) = one {
                return Some((n, By::Id));
            }
        }
        if fit == Fit::Strict {
            return None;
        }
        let by_text = |wanted: &str, of: fn(&Widget) -> Sym| {
            if wanted.is_empty() {
                return None;
            }
            self.pick(&self.those(pool, |w| same(wanted, self.get(of(w)))))
        };
        by_text(&target.text, |w| w.text)
            .map(|n| (n, By::Text))
            .or_else(|| by_text(&target.desc, |w| w.description).map(|n| (n, By::Description)))
            .or_else(|| self.pick(&self.saying(pool)).map(|n| (n, By::Caption)))
            .or_else(|| self.with_path(pool).map(|n| (n, By::Path)))
    }

    fn those(&self, pool: &[u32], wanted: impl Fn(&Widget) -> bool) -> Vec<u32> {
        let widget = |n: &u32| self.page.widgets.get(*n as usize);
        pool.iter()
            .copied()
            .filter(|n| widget(n).is_some_and(&wanted))
            .collect()
    }

    /// Those with the caption wanted; none where none is.
    fn saying(&self, pool: &[u32]) -> Vec<u32> {
        let wanted = self.target.caption.as_str();
        let says = |n: &u32| {
            let caption = caption::of_nameless(self.page, *n, self.interner);
            caption::says(&caption, wanted) || shorten(&caption, TEXT) == wanted
        };
        let there = pool.iter().copied();
        there.filter(|n| !wanted.is_empty() && says(n)).collect()
    }

    /// One of several equal ones: the numbered, the one in its old place, the first.
    fn pick(&self, pool: &[u32]) -> Option<u32> {
        match self.target.nth {
            Some(nth) => pool.get(nth).copied(),
            None => self.with_path(pool).or_else(|| pool.first().copied()),
        }
    }

    fn with_path(&self, pool: &[u32]) -> Option<u32> {
        let path = self.target.path?;
        let there = |n: &u32| self.page.widgets[*n as usize].path == path;
        pool.iter().copied().find(there)
    }

    /// The topmost of these at a place of the screen.
    fn at(&self, pool: &[u32], spot: Spot) -> Option<u32> {
        let (x, y) = spot.within(self.page.bounds());
        let there = |n: &u32| {
            let b = self.page.widgets[*n as usize].bounds;
            (b.left..b.right).contains(&x) && (b.top..b.bottom).contains(&y)
        };
        pool.iter().copied().rev().find(there)
    }

    fn id(&self, widget: &Widget) -> bool {
        let (wanted, full) = (self.target.id.as_str(), self.get(widget.resource_id));
        let short = || full.rsplit('/').next() == Some(wanted);
        wanted.is_empty() || wanted == full || !wanted.contains('/') && short()
    }

    fn get(&self, sym: Sym) -> &str {
        self.interner.get(sym)
    }
}

/// Is this the text wanted, if one is?
fn same(wanted: &str, shown: &str) -> bool {
    wanted.is_empty() || wanted == shown || wanted == shorten(shown, TEXT)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gui::{RawNode, Rect};

    /// Two rows with the same id, a button with a text, a bare image.
    fn page(size: i32) -> (Page, Interner) {
        let mut interner = Interner::default();
        let node = |id: &str, text: &str, class: &str, row: i32| RawNode {
            parent: -1,
            class: class.into(),
            resource_id: id.into(),
            text: text.into(),
            flags: Flags::VISIBLE | Flags::ENABLED | Flags::CLICKABLE,
            bounds: Rect::from([0, row * size, size, (row + 1) * size]),
            ..RawNode::default()
        };
        let nodes = [
            node("a:id/row", "Milk", "Text", 0),
            node("a:id/row", "Eggs", "Text", 1),
            node("", "Save", "Button", 2),
            node("", "", "Image", 3),
            node("", "", "Image", 4),
        ];
        let page = Page::build(&nodes, "A", 0, (size, 5 * size), &mut interner);
        (page, interner)
    }

    fn found(target: &Target, fit: Fit) -> Option<(u32, By)> {
        let (page, interner) = page(10);
        find(&page, &interner, target, EventKind::Click, fit)
    }

    fn row(text: &str) -> Target {
        Target {
            id: "row".into(),
            text: text.into(),
            ..Target::default()
        }
    }

    #[test]
    fn all_that_is_said_decides_then_the_number() {
        assert_eq!(found(&row("Eggs"), Fit::Strict), Some((1, By::All)));
        let second = Target {
            nth: Some(1),
            ..row("")
        };
        assert_eq!(found(&second, Fit::Strict), Some((1, By::All)));
        let third = Target {
            nth: Some(2),
            ..row("")
        };
        assert_eq!(found(&third, Fit::Strict), None);
    }

    #[test]
    fn a_widget_that_is_gone_is_gone_when_strict_and_the_likeliest_when_loose() {
        assert_eq!(found(&row("Soap"), Fit::Strict), None);
        assert_eq!(found(&row("Soap"), Fit::Loose), Some((0, By::Id)));
        let renamed = Target {
            id: "a:id/store".into(),
            text: "Save".into(),
            ..Target::default()
        };
        assert_eq!(found(&renamed, Fit::Strict), None);
        assert_eq!(found(&renamed, Fit::Loose), Some((2, By::Text)));
    }

    /// Rows without a name, each with a text inside.
    fn rows(texts: &[&str]) -> (Page, Interner) {
        let mut interner = Interner::default();
        let node = |parent, class: &str, text: &str, flags| RawNode {
            parent,
            class: class.into(),
            text: text.into(),
            flags: Flags::VISIBLE | Flags::ENABLED | flags,
            bounds: Rect::from([0, 0, 9, 9]),
            ..RawNode::default()
        };
        let nodes: Vec<_> = (0..)
            .step_by(2)
            .zip(texts)
            .flat_map(|(at, text)| {
                let row = node(-1, "Row", "", Flags::CLICKABLE);
                [row, node(at, "Text", text, 0)]
            })
            .collect();
        let page = Page::build(&nodes, "A", 0, (9, 9), &mut interner);
        (page, interner)
    }

    #[test]
    fn a_row_is_known_by_the_text_inside_it_before_its_place_in_the_list() {
        let (old, _) = rows(&["Milk", "Eggs"]);
        let eggs = Target {
            class: "Row".into(),
            caption: "Eggs".into(),
            path: Some(old.widgets[2].path),
            ..Target::default()
        };
        let found = |texts: &[&str], target: &Target, fit| {
            let (page, interner) = rows(texts);
            find(&page, &interner, target, EventKind::Click, fit)
        };
        for fit in [Fit::Loose, Fit::Strict] {
            assert_eq!(found(&["Milk", "Eggs"], &eggs, fit), Some((2, By::All)));
        }
        let longer = ["Bread", "Milk", "Eggs"];
        assert_eq!(found(&longer, &eggs, Fit::Loose), Some((4, By::All)));
        // Where no row says it, the place in the list is a guess.
        let other = ["Milk", "Soap"];
        assert_eq!(found(&other, &eggs, Fit::Loose), Some((2, By::Path)));
        assert_eq!(found(&other, &eggs, Fit::Strict), Some((2, By::All)));
        let older = Target {
            caption: String::new(),
            ..eggs.clone()
        };
        assert_eq!(found(&longer, &older, Fit::Loose), Some((2, By::All)));
        let by_hand = Target {
            caption: "Eggs".into(),
            ..Target::default()
        };
        for fit in [Fit::Loose, Fit::Strict] {
            assert_eq!(found(&longer, &by_hand, fit), Some((4, By::All)));
            assert_eq!(found(&other, &by_hand, fit), None);
        }
    }

    #[test]
    fn what_has_no_name_is_known_by_its_path_and_last_by_its_place_on_any_screen() {
        let (small, _) = page(10);
        let path = small.widgets[4].path;
        let nameless = |path| Target {
            class: "Image".into(),
            path: Some(path),
            at: Some(Spot { x: 0.5, y: 0.9 }),
            ..Target::default()
        };
        assert_eq!(found(&nameless(path), Fit::Strict), Some((4, By::All)));
        assert_eq!(found(&nameless(1), Fit::Strict), None);
        let (large, interner) = page(333);
        let other = find(
            &large,
            &interner,
            &nameless(1),
            EventKind::Click,
            Fit::Loose,
        );
        assert_eq!(other, Some((4, By::Place)));
    }
}
