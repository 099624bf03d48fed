//! What the two tables of `q-learning` write into a policy beside their values.

use crate::learn::bundle::Bundle;

/// Which of the two: their rows mean different things.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Table {
    /// [`super::optimist`]'s: a value for each widget.
    Hopeful,
    /// [`super::q_learning`]'s: a value for each widget and string.
    Plain,
}

/// Key of the text that says it.
const KEY: &str = "table";

impl Table {
    const fn name(self) -> &'static str {
        match self {
            Self::Hopeful => "by widget",
            Self::Plain => "by widget and string",
        }
    }
}

/// Says in a policy whose table it holds.
pub(super) fn mark(table: Table, bundle: &mut Bundle) {
    bundle.texts.insert(KEY.to_owned(), table.name().to_owned());
}

/// Does a policy hold this table? Older ones do not say.
///
/// # Errors
/// It holds the other one.
pub(super) fn check(table: Table, bundle: &Bundle) -> Result<(), String> {
    match bundle.texts.get(KEY) {
        Some(theirs) if theirs != table.name() => Err(format!(
            "table: the policy's is {theirs}, the suite's is {} (`preset = \"default\"` uses the one by widget, \
             \"paper\" and \"published\" the other)",
            table.name()
        )),
        _ => Ok(()),
    }
}

/// The observation that a row is of: 16 hexadecimal digits, as they were written. Otherwise two names could be one
/// observation's.
///
/// # Errors
/// It is the name of no row.
pub(super) fn key(name: &str) -> Result<u64, String> {
    u64::from_str_radix(name, 16)
        .ok()
        .filter(|key| format!("{key:016x}") == name)
        .ok_or_else(|| {
            format!("its `{name}` is not a row of a table: it belongs to another strategy")
        })
}
