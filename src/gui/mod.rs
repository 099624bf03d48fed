//! What is on the screen, and what can be done with it: hierarchy, widgets, pages, events.

pub mod activity_name;
pub mod caption;
pub mod carried;
pub mod event;
pub mod fault;
pub mod hierarchy;
pub mod page;
pub mod screen_match;
pub mod sketch;
pub mod system;
mod untold;
pub mod widget;
pub mod xpath;

pub use carried::Carried;
pub use event::{Direction, Event, EventIx, EventKey, EventKind};
pub use fault::Fault;
pub use hierarchy::RawNode;
pub use page::{ExactId, Page, PageId};
pub use screen_match::ScreenMatch;
pub use sketch::SketchId;
pub use system::{Extra, Extras, SystemEvent};
pub use widget::{Flags, Listeners, Rect, Widget};
pub use xpath::{XPath, XPathError};
