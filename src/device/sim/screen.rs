//! What a node looks like: a title, then one button or text field a widget, below each other.

use super::model::{Ix, Model, Semantics, Widget};
use crate::gui::{Flags, Listeners, Page, RawNode, Rect};
use crate::util::intern::Interner;
use std::sync::Arc;

/// Pixels of the simulated screen.
pub const SCREEN: (i32, i32) = (1080, 1920);
/// Height of the title's row, and the most a widget gets.
const ROW: i32 = 144;

/// Android's `TYPE_CLASS_TEXT`.
const TEXT: u32 = 0x1;
/// With `TYPE_TEXT_VARIATION_PASSWORD`.
const PASSWORD: u32 = 0x81;

/// Pages made so far. A page is the same however often its node is reached: what was typed is not shown.
#[derive(Debug, Default)]
pub struct Screen {
    pages: Vec<Option<Arc<Page>>>,
    interner: u64,
}

impl Screen {
    /// The page of a node; made on first sight, shared afterwards.
    #[inline]
    pub fn page(
        &mut self,
        model: &Model,
        node: Ix,
        semantics: Semantics,
        interner: &mut Interner,
    ) -> Arc<Page> {
        if self.interner == interner.id()
            && let Some(Some(page)) = self.pages.get(node as usize)
        {
            return page.clone();
        }
        self.make(model, node, semantics, interner)
    }

    #[cold]
    fn make(
        &mut self,
        model: &Model,
        node: Ix,
        semantics: Semantics,
        interner: &mut Interner,
    ) -> Arc<Page> {
        if self.interner != interner.id() || self.pages.len() != model.nodes.len() {
            self.interner = interner.id();
            self.pages = vec![None; model.nodes.len()];
        }
        let activity = &model.nodes[node as usize].id;
        let nodes = raw(model, node, semantics);
        let page = Arc::new(Page::build(&nodes, activity, 0, SCREEN, interner));
        self.pages[node as usize] = Some(page.clone());
        page
    }
}

/// How many nodes of a page come before the first widget's.
pub fn before_widgets(model: &Model, node: Ix) -> u32 {
    1 + u32::from(model.nodes[node as usize].title.is_some())
}

/// The node's widget at a point.
pub fn widget_at(model: &Model, node: Ix, x: i32, y: i32) -> Option<Ix> {
    let count = model.nodes[node as usize].widgets.len();
    let row = row(count);
    if !(0..SCREEN.0).contains(&x) || y < ROW {
        return None;
    }
    model.widget(node, u32::try_from((y - ROW) / row).ok()?)
}

fn row(count: usize) -> i32 {
    let count = i32::try_from(count).unwrap_or(i32::MAX).max(1);
    ((SCREEN.1 - ROW) / count).clamp(1, ROW)
}

fn raw(model: &Model, node: Ix, semantics: Semantics) -> Vec<RawNode> {
    let this = &model.nodes[node as usize];
    let keys = match semantics {
        // A page without widgets keeps them, since a page needs a way out.
        Semantics::FateCompat if !this.widgets.is_empty() => Flags::NO_KEYS,
        _ => 0,
    };
    let mut nodes = vec![RawNode {
        parent: -1,
        class: "android.widget.FrameLayout".into(),
        bounds: Rect::from([0, 0, SCREEN.0, SCREEN.1]),
        flags: Flags::VISIBLE | Flags::ENABLED | keys,
        ..RawNode::default()
    }];
    if let Some(title) = &this.title {
        nodes.push(RawNode {
            parent: 0,
            class: "android.widget.TextView".into(),
            text: title.clone(),
            bounds: Rect::from([0, 0, SCREEN.0, ROW]),
            flags: Flags::VISIBLE | Flags::ENABLED,
            ..RawNode::default()
        });
    }
    let height = row(this.widgets.len());
    let mut top = ROW;
    for widget in &model.widgets[this.widgets.start as usize..this.widgets.end as usize] {
        let bounds = Rect::from([0, top, SCREEN.0, top.saturating_add(height)]);
        top = top.saturating_add(height);
        nodes.push(RawNode {
            parent: 0,
            resource_id: format!("{}:id/{}_{}", model.package, this.id, widget.id),
            bounds,
            ..look(widget, semantics)
        });
    }
    nodes
}

fn look(widget: &Widget, semantics: Semantics) -> RawNode {
    let mut flags = Flags::VISIBLE | Flags::CLICKABLE | Flags::FOCUSABLE;
    if widget.active || semantics == Semantics::FateCompat {
        flags |= Flags::ENABLED;
    }
    if !widget.editable {
        return RawNode {
            class: "android.widget.Button".into(),
            text: match &widget.text {
                Some(text) => text.clone(),
                // The destination is not reported: it is not visible on an app's screen either.
                None => format!("Button {}", widget.id),
            },
            flags,
            listeners: Listeners::CLICK,
            ..RawNode::default()
        };
    }
    flags |= Flags::EDITABLE | Flags::LONG_CLICKABLE;
    if widget.password {
        flags |= Flags::PASSWORD;
    }
    RawNode {
        class: "android.widget.EditText".into(),
        description: widget.text.clone().unwrap_or_default(),
        hint: widget.hint.clone(),
        flags,
        listeners: Listeners::TEXT,
        input_type: if widget.password { PASSWORD } else { TEXT },
        ..RawNode::default()
    }
}
