//! `bench fate`: strategies on FATE models in the published simulator's terms, many seeds in little time.
//!
//! Rows of the paper's kind: model x strategy x strings, the area under the curve of activities over so many
//! steps, as mean, spread and median over seeds. Cells that are done are kept and not run again.

pub mod contender;
pub mod course;
pub mod grid;
pub mod label;
#[cfg(test)]
mod order_tests;
pub mod pool;
pub mod ranking;
pub mod row;
pub mod search;
mod session;

pub use contender::Contender;
pub use grid::{Cell, Grid, Setup};
pub use row::Row;

/// Why a grid could not be run.
#[derive(Debug, thiserror::Error)]
pub enum FateError {
    /// A model cannot be read.
    #[error(transparent)]
    Model(#[from] crate::device::sim::ModelError),
    /// The model has no value for an expression.
    #[error(transparent)]
    Step(#[from] Box<crate::device::sim::model::StepError>),
    /// A strategy's name.
    #[error("{0}")]
    Contender(String),
    /// Strings to type.
    #[error("{0}")]
    Pool(String),
    /// The store of finished cells.
    #[error("{0}: {1}")]
    Store(camino::Utf8PathBuf, std::io::Error),
    /// A session on the device.
    #[error("{0}")]
    Session(String),
    /// Interrupted by the user; what is done is kept.
    #[error(
        "interrupted; the finished runs are stored, and the same command without --fresh continues from there"
    )]
    Interrupted,
}
