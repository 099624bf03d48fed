//! The Q-network of DinoDroid (Zhao, Harrison, Yu, TOSEM 2024, section 3.2.4), and what computes it.
//!
//! A page's events are one batch: [`Rows`]. Each input of an event is a tower. A vector goes through a dense layer; words
//! go through a convolution over three words, tanh, and the largest of each filter. All towers are joined, and two dense
//! layers with tanh and one without give one number: the value of the event.
//!
//! Nothing here is random: first weights and the masks of dropout come from the caller.

#[cfg(feature = "tch")]
mod both;
mod engine;
mod layout;
pub mod product;
mod rust;
mod shape;
#[cfg(feature = "tch")]
mod torch;

#[cfg(feature = "tch")]
pub use both::Comparison;
pub use engine::{Engine, Lesson, Moments, Network, Torch, probe};
pub use layout::{Rows, Texts, Tower, dense_len};
pub use shape::{Initial, Sizes, Slot, first_limits, slots};
