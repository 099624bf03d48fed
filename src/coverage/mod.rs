//! Code coverage: JaCoCo's execution data, its reports, and the formats other tools read.

mod class_id;
mod exec;

pub use class_id::{ClassIds, class_id};
pub use exec::{ClassProbes, ExecData, ExecError, SessionInfo};
