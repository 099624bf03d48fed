//! Code coverage: JaCoCo's execution data, its reports, and the formats other tools read.

pub mod activity;
pub mod at;
pub mod changed;
mod class_id;
pub mod classes;
pub mod cobertura;
mod exec;
pub mod jacoco;
pub mod lcov;
mod method_probes;
pub mod report;
pub mod sources;
pub mod theirs;
pub mod tool;

pub use crate::apk::Counted;
pub use activity::ActivityCoverage;
pub use class_id::{ClassIds, class_id};
pub use exec::{ClassProbes, ExecData, ExecError, SessionInfo};
pub use jacoco::{has_lines, headline};
pub use method_probes::MethodProbes;
pub use sources::Sources;
