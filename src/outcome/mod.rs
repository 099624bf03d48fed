//! The results of a run: evidence from devices, findings, run events, the summary.

pub mod capability;
pub mod cause_name;
pub mod changed;
pub mod counted_code;
pub mod evidence;
pub mod exchange;
pub mod explanation;
pub mod finding;
pub mod finding_folder;
pub mod folder;
mod input;
pub mod journal;
mod led_by;
pub mod place;
mod plain;
pub mod reproduction;
pub mod restore_cost;
pub mod run_event;
mod run_info;
pub mod snapshot_cost;
mod step_line;
pub mod summary;
pub mod tests_coverage;
pub mod verdict;

pub use capability::{Capability, Support};
pub use counted_code::CountedCode;
pub use evidence::{Anr, Crash, EnvironmentLimit, Left, LogLine};
pub use finding::{Finding, FindingKind, Trigger};
pub use folder::{PlannedSession, RunFolder, RunInfo, SessionFolder};
pub use journal::{JournalError, JournalReader, JournalWriter, Timing, TimingWriter};
pub use place::Place;
pub use reproduction::{Minimality, Reproduction};
pub use restore_cost::{RestoreCost, RestoreSummary};
pub use run_event::RunEvent;
pub use snapshot_cost::{SnapshotCost, SnapshotSummary, SnapshotWork};
pub use summary::RunSummary;
