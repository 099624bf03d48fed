//! A step's line in the journal, written and read by custom code.
//!
//! Nearly all lines are steps, and a sim does 300,000 a second: flattening and identities that pass through
//! `String` would cost more than the write call itself. Tests compare both directions with the derives.

use super::evidence::Left;
use super::run_event::{Did, Input, LedBy, RawInput, StepRecord};
use crate::gui::{EventKey, ExactId, PageId, SystemEvent};
use serde::{Deserialize, Deserializer, Serialize};
use std::fmt;
use std::io;

/// Appends the line of a step as `serde_json` would write it.
pub(super) fn write(line: &mut Vec<u8>, step: &StepRecord) -> io::Result<()> {
    fn field<T: Serialize + ?Sized>(line: &mut Vec<u8>, name: &str, value: &T) -> io::Result<()> {
        line.extend_from_slice(name.as_bytes());
        Ok(serde_json::to_writer(line, value)?)
    }
    fn hex(line: &mut Vec<u8>, name: &str, value: u64) {
        line.extend_from_slice(name.as_bytes());
        let mut digits = *b"\"0000000000000000\"";
        for (i, digit) in digits[1..17].iter_mut().enumerate() {
            *digit = b"0123456789abcdef"[(value >> (60 - 4 * i) & 15) as usize];
        }
        line.extend_from_slice(&digits);
    }
    field(line, r#"{"e":"step","i":"#, &step.i)?;
    match &step.did {
        Did::Event { k, ix, input } => {
            hex(line, r#","t":"event","k":"#, k.0);
            field(line, r#","ix":"#, ix)?;
            match input {
                None => {}
                Some(Input::Point(x, y)) => {
                    field(line, r#","input":{"point":"#, &[x, y])?;
                    line.push(b'}');
                }
                Some(text) => field(line, r#","input":"#, text)?,
            }
        }
        Did::Raw { action } => field(line, r#","t":"raw","action":"#, action)?,
        Did::System { event } => field(line, r#","t":"system","event":"#, event)?,
        Did::Invalid => line.extend_from_slice(br#","t":"invalid""#),
    }
    if let Some(led) = &step.led {
        field(line, r#","led":"#, led)?;
    }
    hex(line, r#","from":"#, step.from.0);
    hex(line, r#","to":"#, step.to.0);
    hex(line, r#","exact":"#, step.exact.0);
    field(line, r#","changed":"#, &step.changed)?;
    if !step.probes.is_empty() {
        field(line, r#","probes":"#, &step.probes)?;
    }
    if !step.activities.is_empty() {
        field(line, r#","activities":"#, &step.activities)?;
    }
    field(line, r#","reward":"#, &step.reward)?;
    if !step.left.is_empty() {
        field(line, r#","left":"#, &step.left)?;
    }
    if !step.toasts.is_empty() {
        field(line, r#","toasts":"#, &step.toasts)?;
    }
    if !step.findings.is_empty() {
        field(line, r#","findings":"#, &step.findings)?;
    }
    line.push(b'}');
    Ok(())
}

/// Reads a line that [`write()`] may have written; `None`: left to the derive, which also says what is wrong.
pub(super) fn read(line: &[u8]) -> Option<StepRecord> {
    if !line.starts_with(br#"{"e":"step","#) {
        return None;
    }
    let flat: Flat = serde_json::from_slice(line).ok()?;
    let did = match flat.t {
        Kind::Event => Did::Event {
            k: EventKey(flat.k?.0),
            ix: flat.ix?,
            input: flat.input,
        },
        Kind::Raw => Did::Raw {
            action: flat.action?,
        },
        Kind::System => Did::System { event: flat.event? },
        Kind::Invalid => Did::Invalid,
    };
    Some(StepRecord {
        i: flat.i,
        did,
        led: flat.led,
        from: PageId(flat.from.0),
        to: PageId(flat.to.0),
        exact: ExactId(flat.exact.0),
        changed: flat.changed,
        probes: flat.probes,
        activities: flat.activities,
        reward: flat.reward.unwrap_or(f32::NAN),
        left: flat.left,
        toasts: flat.toasts,
        findings: flat.findings,
    })
}

/// All fields of all kinds of step side by side, as they are in the line.
#[derive(Deserialize)]
struct Flat {
    i: u64,
    t: Kind,
    k: Option<Hex>,
    ix: Option<u32>,
    input: Option<Input>,
    action: Option<RawInput>,
    event: Option<SystemEvent>,
    led: Option<LedBy>,
    from: Hex,
    to: Hex,
    exact: Hex,
    changed: bool,
    #[serde(default)]
    probes: Vec<(u32, u32)>,
    #[serde(default)]
    activities: Vec<String>,
    reward: Option<f32>,
    #[serde(default)]
    left: Vec<Left>,
    #[serde(default)]
    toasts: Vec<String>,
    #[serde(default)]
    findings: Vec<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Kind {
    Event,
    Raw,
    System,
    Invalid,
}

/// An identity, read without making a `String` of it.
struct Hex(u64);

impl<'de> Deserialize<'de> for Hex {
    fn deserialize<D: Deserializer<'de>>(text: D) -> Result<Self, D::Error> {
        struct Digits;
        impl serde::de::Visitor<'_> for Digits {
            type Value = Hex;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("hexadecimal digits")
            }
            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Hex, E> {
                u64::from_str_radix(text, 16).map(Hex).map_err(E::custom)
            }
        }
        text.deserialize_str(Digits)
    }
}
