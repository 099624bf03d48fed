//! The tables of a suite, one group per file, each with its type, defaults, schema and tests. A strategy's settings
//! are in its own file ([`crate::strategy`]).
//!
//! The types here are the only description of the file format. `serde` reads them, `schemars` turns them into the
//! schema that `cargo droidtest schema` prints, and `config::check` validates every file against that same schema, so
//! that editors and the loader accept the same files.

mod app;
mod bench;
mod changed;
mod confine;
mod coverage;
mod data;
mod device;
mod duration;
mod faults;
mod fence;
mod gate;
mod minimize;
mod network;
mod oracles;
mod report;
mod retries;
mod reward;
mod screen;
mod script;
mod shell_command;
mod suite;
mod text;

pub use app::{App, AppSource, ModelRef, Permissions};
pub use bench::{Bench, EventCost};
pub use changed::Changed;
pub use confine::Confine;
pub use coverage::{Coverage, CoverageScope, LIBRARY_PACKAGES};
pub use data::{CalendarEvent, Call, CallKind, Contact, DeviceData, Message, millis_of};
pub use device::{
    AdbDevice, AvdDevice, Device, DeviceKind, GpuMode, HierarchySource, JvmDevice, Outside,
    SimDevice, SimSemantics, Web,
};
pub use duration::{HumanDuration, ParseDurationError};
pub use faults::Faults;
pub use fence::Parts;
pub use gate::{BASELINE, Gate};
pub use minimize::Minimize;
pub use network::Network;
pub use oracles::{Anr, BlankPage, Level, Oracles};
pub use report::{CoverageFormats, GithubSummary, Report, Screenshots};
pub use retries::Retries;
pub use reward::Reward;
pub use screen::{Orientation, Screen};
pub use script::{Assert, Script};
pub use shell_command::ShellCommand;
pub use suite::{Budget, SuiteSection};
pub use text::{Secret, TextValue};

/// The pattern of a name: it becomes part of file names.
pub(crate) const NAME_PATTERN: &str = "^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$";

/// The schema of a name.
pub(crate) fn name_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    schemars::json_schema!({
        "type": "string",
        "pattern": NAME_PATTERN,
        "x-expects": "a name of at most 64 letters, digits, `.`, `_` and `-` that starts with a letter or digit",
    })
}

/// Turns the schema of a struct with a flattened, tagged enum into one closed object per tag value.
pub(crate) fn close_tagged(schema: &mut schemars::Schema) {
    use serde_json::{Value, json};
    let object = schema.ensure_object();
    let common = object.remove("properties").unwrap_or_else(|| json!({}));
    let required = object.remove("required").unwrap_or_else(|| json!([]));
    object.remove("type");
    for branch in object
        .get_mut("oneOf")
        .and_then(Value::as_array_mut)
        .into_iter()
        .flatten()
    {
        let Some(branch) = branch.as_object_mut() else {
            continue;
        };
        let mut properties = branch
            .remove("properties")
            .and_then(|own| own.as_object().cloned())
            .unwrap_or_default();
        properties.extend(common.as_object().cloned().unwrap_or_default());
        branch.insert("properties".into(), Value::Object(properties));
        let mut needed = required.as_array().cloned().unwrap_or_default();
        needed.extend(
            branch
                .remove("required")
                .and_then(|own| own.as_array().cloned())
                .unwrap_or_default(),
        );
        branch.insert("required".into(), Value::Array(needed));
        branch.insert("additionalProperties".into(), Value::Bool(false));
    }
    object.insert("x-tag".into(), "kind".into());
}
