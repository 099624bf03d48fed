//! Reports: what people and machines read of a run. All but the live lines are functions of the run's folder.

pub mod junit;
pub mod session;
pub mod summarize;
pub mod words;

#[cfg(test)]
mod fixture;
#[cfg(test)]
mod fixture_app;
#[cfg(test)]
mod fixture_png;
