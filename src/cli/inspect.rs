//! `cargo droidtest inspect`: a parsed Android file as JSON.

use std::fs::File;
use std::io::Read as _;

use camino::{Utf8Path, Utf8PathBuf};
use clap::{ValueEnum, ValueHint};
use serde_json::{Value, json};

use super::args::Global;
use super::shell::{Shell, print};
use super::{Failure, capability, preparation};
use crate::android::uiautomator::{Dump, DumpNode};
use crate::android::{FormatError, am, anr, devices, focus, java_crash, native, text, uiautomator};
use crate::apk::Apk;
use crate::device::DeviceError;
use crate::device::jvm::cache::Cache;
use crate::device::jvm::parts::{DEFAULT_SDK, Parts};
use crate::device::jvm::verify;
use crate::exit_code::ExitCode;
use crate::gui::{Flags, Page};
use crate::oracle::fingerprint::{self, Fingerprint};
use crate::oracle::program::Program;
use crate::util::console::Clean;
use crate::util::hash;
use crate::util::intern::Interner;

/// The maximum file size in bytes.
const LONGEST: u64 = 256 << 20;

/// The arguments of `inspect`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The kind of the files
    #[arg(long, value_name = "KIND")]
    kind: Kind,
    /// The APK that the crashes are of: with it, their fingerprints are those of a run (for `--kind crash`)
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    apk: Option<Utf8PathBuf>,
    /// Files written by adb, logcat, uiautomator or a bug report
    #[arg(required = true, value_name = "FILE", value_hint = ValueHint::FilePath)]
    files: Vec<Utf8PathBuf>,
}

/// The kind of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Kind {
    /// A hierarchy, as `uiautomator dump` writes it
    Uiautomator,
    /// A log (any format), a dropbox entry or a stack with uncaught exceptions or native crashes
    Crash,
    /// A tombstone, as a file or within a log
    Tombstone,
    /// A log, event log or traces.txt with apps that do not respond
    Anr,
    /// `dumpsys activity activities` or `dumpsys window`
    Dumpsys,
    /// The answer of `am start -W`
    Am,
    /// The answer of `adb devices -l`
    Devices,
    /// An APK: what the JVM's verifier reports about its translation for the `jvm` device
    Translation,
    /// An APK: what it needs, and how well the jvm device is expected to support it
    Apk,
}

/// Prints one JSON object per file, each on a separate line.
///
/// # Errors
/// A file that cannot be read or understood; the others are printed all the same.
pub fn main(global: &Global, args: &Args, shell: &Shell) -> Result<ExitCode, Failure> {
    let mut code = ExitCode::Ok;
    let program = match &args.apk {
        None => Program::default(),
        Some(_) if args.kind != Kind::Crash => {
            let message = "--apk is for --kind crash only; leave it out".to_owned();
            return Err(Failure::Other(ExitCode::Usage, message));
        }
        Some(file) => Program::of_apk(
            &Apk::open(file).map_err(|e| Failure::Other(ExitCode::BadInput, e.to_string()))?,
        ),
    };
    for file in &args.files {
        let found = match args.kind {
            Kind::Translation => translation(file, global, shell),
            Kind::Apk => apk(file, shell),
            kind => inspect(kind, file, &program),
        };
        match found {
            Ok(mut found) => {
                found["file"] = json!(file);
                print(&Clean::json(&format!("{found}\n")))?;
            }
            Err(why) => {
                shell.error(&why);
                code = ExitCode::BadInput;
            }
        }
    }
    Ok(code)
}

fn translation(file: &Utf8Path, global: &Global, shell: &Shell) -> Result<Value, String> {
    let watch = preparation::watch(shell, std::sync::Arc::default());
    let verified = || {
        let cache = Cache::locate()?;
        let parts = Parts::ensure(&cache, DEFAULT_SDK, global.offline, &watch)?;
        verify::verify(&cache, &parts, file.as_std_path(), &watch)
    };
    let mut found = verified().map_err(|error: DeviceError| error.to_string())?;
    found["kind"] = json!("translation");
    Ok(found)
}

fn inspect(kind: Kind, file: &Utf8Path, program: &Program) -> Result<Value, String> {
    let bytes = read(file)?;
    let text = text::decode(&bytes);
    let located = |error: FormatError| {
        let column = error.column.map(|c| format!(":{c}")).unwrap_or_default();
        let fix = error.fix.map(|m| format!("; {m}")).unwrap_or_default();
        format!(
            "{file}:{}{column}: {} [{}]{fix}",
            error.line, error.message, error.code
        )
    };
    understand(kind, &text, program).map_err(located)
}

fn read(file: &Utf8Path) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    File::open(file)
        .and_then(|opened| opened.take(LONGEST + 1).read_to_end(&mut bytes))
        .map_err(|error| format!("{file}: {error}"))?;
    if bytes.len() as u64 > LONGEST {
        return Err(format!(
            "{file}: larger than {} MiB; shorten it first",
            LONGEST >> 20
        ));
    }
    Ok(bytes)
}

fn understand(kind: Kind, text: &str, program: &Program) -> Result<Value, FormatError> {
    Ok(match kind {
        // Not text: `translation` uses the file itself.
        Kind::Translation => Value::Null,
        Kind::Uiautomator => hierarchy(&uiautomator::parse(text)?),
        Kind::Crash => crashes(text, program)?,
        Kind::Tombstone => {
            let found: Vec<_> = native::parse(text)?.iter().map(native_crash).collect();
            json!({ "kind": "tombstone", "native-crashes": found })
        }
        Kind::Anr => {
            let found: Vec<_> = anr::parse(text)?
                .iter()
                .map(|report| {
                    with_fingerprint(json!(report), fingerprint::of_anr(&report.words(), program))
                })
                .collect();
            json!({ "kind": "anr", "anrs": found })
        }
        Kind::Dumpsys => {
            let mut found = json!(focus::parse(text)?);
            found["kind"] = json!("dumpsys");
            found
        }
        Kind::Am => {
            let answer = am::parse(text)?;
            let mut found = json!(answer);
            found["kind"] = json!("am");
            found["started"] = json!(answer.started());
            found
        }
        Kind::Devices => json!({ "kind": "devices", "devices": devices::parse(text)? }),
        // Read by its reader: it is not a text.
        Kind::Apk => json!({ "kind": "apk" }),
    })
}

fn apk(file: &Utf8Path, shell: &Shell) -> Result<Value, String> {
    let watch = preparation::watch(shell, std::sync::Arc::default());
    let (apk, needs) = capability::read(file.as_std_path(), &[], &watch)?;
    Ok(json!({
        "kind": "apk",
        "package": apk.manifest.package,
        "label": apk.manifest.label,
        "version": apk.manifest.version_name,
        "sha256": apk.content,
        "bytes": apk.bytes,
        "activities": apk.manifest.activity_names(),
        "launcher": apk.manifest.launcher,
        "needs": needs,
        "capability": needs.on_jvm(),
    }))
}

fn crashes(text: &str, program: &Program) -> Result<Value, FormatError> {
    let java = java_crash::parse(text);
    let native = native::parse(text);
    if let (Err(error), Err(_)) = (&java, &native) {
        return Err(error.clone());
    }
    let (java, mut native) = (java.unwrap_or_default(), native.unwrap_or_default());
    native::keep_deaths(&mut native, &java);
    let java: Vec<_> = java
        .iter()
        .map(|found| {
            let class = found
                .crash
                .root_class
                .as_ref()
                .unwrap_or(&found.crash.class);
            let stack = &found.crash.stack;
            let print = fingerprint::of_crash(&found.crash, class, program);
            let mut value = with_fingerprint(json!(found), print);
            // What it is made of, for a reader who wonders why two crashes are one finding or not.
            let chain = fingerprint::parse(stack);
            let places = program.places(&chain);
            value["fingerprint-of"] =
                json!(fingerprint::words("crash", class, &chain, &places, program));
            value["places"] = json!(places);
            value
        })
        .collect();
    let native: Vec<_> = native.iter().map(native_crash).collect();
    Ok(json!({ "kind": "crash", "java-crashes": java, "native-crashes": native }))
}

fn native_crash(found: &native::NativeCrash) -> Value {
    with_fingerprint(json!(found), found.fingerprint().into())
}

fn with_fingerprint(mut value: Value, fingerprint: Fingerprint) -> Value {
    value["fingerprint"] = json!(fingerprint.text());
    value
}

fn hierarchy(dump: &Dump) -> Value {
    let mut packages = std::collections::BTreeMap::<&str, usize>::new();
    for node in &dump.nodes {
        *packages.entry(&node.package).or_default() += 1;
    }
    let raw: Vec<_> = dump.nodes.iter().map(|n| n.node.clone()).collect();
    let page = Page::build(
        &raw,
        "",
        dump.rotation,
        dump.extent(),
        &mut Interner::default(),
    );
    let events: Vec<_> = page
        .events
        .iter()
        .map(|event| json!({ "do": event.kind.to_string(), "node": event.widget }))
        .collect();
    json!({
        "kind": "uiautomator",
        "rotation": dump.rotation,
        "extent": dump.extent(),
        "packages": packages,
        "node-count": dump.nodes.len(),
        "nodes": dump.nodes.iter().map(node).collect::<Vec<_>>(),
        "events": events,
        "structure": format!("{:016x}", hash::mix(page.id.0, 0)),
    })
}

fn node(of: &DumpNode) -> Value {
    let n = &of.node;
    let flags = Flags(n.flags);
    let states: Vec<_> = [
        ("clickable", Flags::CLICKABLE),
        ("long-clickable", Flags::LONG_CLICKABLE),
        ("checkable", Flags::CHECKABLE),
        ("checked", Flags::CHECKED),
        ("enabled", Flags::ENABLED),
        ("focusable", Flags::FOCUSABLE),
        ("focused", Flags::FOCUSED),
        ("scrollable", Flags::SCROLLABLE),
        ("password", Flags::PASSWORD),
        ("selected", Flags::SELECTED),
        ("editable", Flags::EDITABLE),
        ("visible", Flags::VISIBLE),
    ]
    .into_iter()
    .filter(|(_, bit)| flags.has(*bit))
    .map(|(name, _)| name)
    .collect();
    json!({
        "parent": usize::try_from(n.parent).ok(),
        "class": n.class,
        "package": of.package,
        "resource-id": n.resource_id,
        "text": n.text,
        "content-desc": n.description,
        "hint": n.hint,
        "bounds": n.bounds,
        "states": states,
        "other": of.other,
    })
}
