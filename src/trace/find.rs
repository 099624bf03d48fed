//! The widget that a trace means, on the page that is there now.

use super::format::{Spot, Target};
use crate::gui::{EventKind, Flags, Page, Widget, caption};
use crate::util::intern::{Interner, Sym};
use crate::util::text::shorten;
use std::fmt;

/// Characters of a text that a journal keeps, and so a trace.
pub const TEXT: usize = 200;

/// How a widget was identified.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum By {
    /// All properties in the trace.
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
            Self::All => "all its properties",
            Self::Id => "its resource-id",
            Self::Text => "its text",
            Self::Description => "its description",
            Self::Caption => "its caption",
            Self::Path => "its path",
            Self::Place => "its place on the screen",
        })
    }
}

/// How far a widget may differ from the trace.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fit {
    /// The same widget, without guesses. For minimizing, where a trace and its app belong together.
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
    // The trace may name the text inside the row that takes the click. Nothing but a field takes a text.
    let takes = |n: &u32| {
        let widget = &page.widgets[*n as usize];
        widget.is_live() && (kind != EventKind::Text || widget.flags.has(Flags::EDITABLE))
    };
    let all: Vec<u32> = (0..u32::try_from(page.widgets.len()).unwrap_or(0))
        .filter(takes)
        .collect();
    search
        .among(&all, fit)
        .or_else(|| search.reading(&offering))
        .or_else(|| search.reading(&all))
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
        // What a field holds changes, so it does not decide where something else names the field. Where nothing does,
        // its hint will do, too: that is what a user reads on it.
        let by_text_alone = target.id.is_empty()
            && target.desc.is_empty()
            && target.caption.is_empty()
            && target.path.is_none();
        let field = |w: &Widget| {
            w.flags.has(Flags::EDITABLE) && (!by_text_alone || same(&target.text, self.get(w.hint)))
        };
        let all = |w: &Widget| {
            self.id(w)
                && (field(w) || same(&target.text, self.get(w.text)))
                && same(&target.desc, self.get(w.description))
                && same(&target.class, self.get(w.class))
        };
        let known = named || !target.class.is_empty();
        let exact: Vec<u32> = self.those(pool, all);
        let said = self.saying(&exact, &target.caption);
        let captioned = !target.caption.is_empty();
        // A row that changes its words is the same row to one who requests the same widget.
        let by_caption = captioned && (fit == Fit::Loose || !known && target.path.is_none());
        if by_caption && !said.is_empty() {
            return self.pick(&said).map(|n| (n, By::All));
        }
        // Of the rows of a list the one that says all the same is the likeliest, wherever it has moved to.
        // A flow or a person names only one of its texts.
        let alike = Some(self.wording(&exact)).filter(|alike| !alike.is_empty());
        let alike = alike.unwrap_or(said);
        let by_words = known && captioned;
        if by_words && !alike.is_empty() && alike.len() < exact.len() {
            return self.pick(&alike).map(|n| (n, By::All));
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
            .or_else(|| {
                self.pick(&self.saying(pool, &target.caption))
                    .map(|n| (n, By::Caption))
            })
            .or_else(|| self.with_path(pool).map(|n| (n, By::Path)))
            // Other tools call all that a person reads on a widget its text.
            .or_else(|| by_text(&target.text, |w| w.description).map(|n| (n, By::Description)))
            .or_else(|| {
                self.pick(&self.saying(pool, &target.text))
                    .map(|n| (n, By::Caption))
            })
    }

    fn those(&self, pool: &[u32], wanted: impl Fn(&Widget) -> bool) -> Vec<u32> {
        let widget = |n: &u32| self.page.widgets.get(*n as usize);
        pool.iter()
            .copied()
            .filter(|n| widget(n).is_some_and(&wanted))
            .collect()
    }

    /// Those with the caption wanted; none if none is.
    fn saying(&self, pool: &[u32], wanted: &str) -> Vec<u32> {
        let says = |n: &u32| {
            let caption = caption::of_nameless(self.page, *n, self.interner);
            caption::says(&caption, wanted) || shorten(&caption, TEXT) == wanted
        };
        let there = pool.iter().copied();
        there.filter(|n| !wanted.is_empty() && says(n)).collect()
    }

    /// The one that reads like the text wanted, in capitals or not, in one line or several: so other tools compare texts.
    fn reading(&self, pool: &[u32]) -> Option<(u32, By)> {
        let wanted = &self.target.text;
        let read = |text: &str| text.to_lowercase().replace('\n', " ");
        let reads = |text: &str| !text.is_empty() && read(&shorten(text, TEXT)) == read(wanted);
        type Own = (fn(&Widget) -> Sym, By);
        let own: [Own; 3] = [
            (|w| w.text, By::Text),
            (|w| w.description, By::Description),
            (|w| w.hint, By::Caption),
        ];
        let inside = |n: &u32| {
            let caption = caption::of_nameless(self.page, *n, self.interner);
            caption.split(caption::BETWEEN).any(reads)
        };
        let named = own.into_iter().find_map(|(of, by)| {
            let there = self.those(pool, |w| reads(self.get(of(w))));
            Some((self.pick(&there)?, by))
        });
        named.or_else(|| {
            let rows: Vec<u32> = pool.iter().copied().filter(inside).collect();
            Some((self.pick(&rows)?, By::Caption))
        })
    }

    /// Those whose complete caption is the one wanted.
    fn wording(&self, pool: &[u32]) -> Vec<u32> {
        let wanted = self.target.caption.as_str();
        let same = |n: &u32| {
            let caption = caption::of_nameless(self.page, *n, self.interner);
            !wanted.is_empty() && shorten(&caption, TEXT) == wanted
        };
        pool.iter().copied().filter(same).collect()
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

/// Does this text match, if one is given?
fn same(wanted: &str, shown: &str) -> bool {
    wanted.is_empty() || wanted == shown || wanted == shorten(shown, TEXT)
}

#[cfg(test)]
#[path = "find_tests.rs"]
mod tests;
