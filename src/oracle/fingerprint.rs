//! The fingerprint of a crash: its cause's class and the app's frames, stable across runs, devices and builds.
//!
//! ARES (paper, section 4) hashes the sanitized stack trace; its code kept the raw text with the PID inside and so
//! could not tell duplicates. The rules, their version and how well they tell bugs apart are in
//! `docs/fingerprints.md`: no line number and no PID is in a fingerprint, and no message but that of a script's error
//! that names no function.

use super::frames::{enters_again, folded, is_plumbing};
use super::place::{Place, Places};
use super::program::Program;
use super::retrace::SourceFrame;
use super::script;
use crate::android::anr;
pub use crate::android::stack::{Frame, Thrown, is_platform, is_pseudo_cause, parse};
use crate::outcome::Crash;
use crate::util::hash;
use std::collections::BTreeMap;

/// What a fingerprint of these rules starts with.
pub const VERSION: &str = "v2:";
/// Exceptions that the runtime raises where the mistake is. Any other that an app's method throws itself is a check of
/// what its caller did, and the caller counts too.
const RAISED: [&str; 9] = [
    "java.lang.ArithmeticException",
    "java.lang.ArrayIndexOutOfBoundsException",
    "java.lang.ArrayStoreException",
    "java.lang.ClassCastException",
    "java.lang.NegativeArraySizeException",
    "java.lang.NoClassDefFoundError",
    "java.lang.NullPointerException",
    "java.lang.OutOfMemoryError",
    "java.lang.UnsatisfiedLinkError",
];
/// Frames that stand for a stack without any of the app's.
const PLUMBING_FRAMES: usize = 3;

/// Two fingerprints of one failure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fingerprint {
    /// By the rules of this version.
    pub hash: u64,
    /// By the rules of the first version, for old traces.
    pub v1: u64,
}

impl From<u64> for Fingerprint {
    /// Of a failure whose rule has not changed since the first version.
    fn from(hash: u64) -> Self {
        Self { hash, v1: hash }
    }
}

impl Fingerprint {
    /// As findings have it: version and 16 hexadecimal digits.
    pub fn text(self) -> String {
        format!("{VERSION}{:016x}", self.hash)
    }
}

/// The fingerprint of a crash's stack; `kind` keeps a crash and an ANR at one place apart, `class` stands for a
/// cause that the stack does not name.
pub fn of_stack(kind: &str, class: &str, stack: &str, program: &Program) -> Fingerprint {
    let chain = parse(stack);
    let places = program.places(&chain);
    Fingerprint {
        hash: of_chain(kind, class, &chain, &places, program),
        v1: super::fingerprint_v1::of_stack(kind, class, stack, program.mapping.as_deref()),
    }
}

/// The fingerprint of a crash. Devices may cut a stack short but name the app's frame: that one counts then.
pub fn of_crash(crash: &Crash, class: &str, program: &Program) -> Fingerprint {
    let found = of_stack("crash", class, &crash.stack, program);
    let own = |stack: &str| {
        let frames = parse(stack).into_iter().flat_map(|thrown| thrown.frames);
        frames
            .into_iter()
            .any(|frame| !is_plumbing(frame.class, &program.package))
    };
    let whole = match &crash.app_frame {
        Some(frame) if !own(&crash.stack) => format!("{}\n\tat {frame}", crash.stack),
        _ => return found,
    };
    Fingerprint {
        v1: found.v1,
        ..of_stack("crash", class, &whole, program)
    }
}

/// The number of a fingerprint from its parts.
pub fn of_chain(
    kind: &str,
    class: &str,
    chain: &[Thrown<'_>],
    places: &[Vec<Place>],
    program: &Program,
) -> u64 {
    let words = words(kind, class, chain, places, program);
    words.iter().fold(0, |hash, word| {
        hash::mix(hash, hash::of_bytes(word.as_bytes()))
    })
}

/// What a fingerprint is made of: kind, class of the root cause, frames from the inside out, each
/// `class.method#throw0` with the instruction's ordinal where it is known.
pub fn words(
    kind: &str,
    class: &str,
    chain: &[Thrown<'_>],
    places: &[Vec<Place>],
    program: &Program,
) -> Vec<String> {
    let chain = without_remote(chain);
    let thrown = |of: &Thrown<'_>| !is_pseudo_cause(of.class, of.message);
    let root_at = chain.iter().rposition(thrown).unwrap_or(0);
    let root = chain.get(root_at);
    let class = root
        .map(|thrown| thrown.class)
        .filter(|class| !class.is_empty())
        .unwrap_or(class);
    let mapping = program.mapping.as_deref();
    let class = mapping.map_or_else(|| class.to_owned(), |m| m.class(class).to_owned());
    let of = |(ix, thrown): (usize, &Thrown<'_>)| {
        let places = places.get(ix).map_or(&[][..], Vec::as_slice);
        named(thrown, places, program)
    };
    // The root's app frames, or the nearest outer exception's if it has none (thrown deep in the platform).
    let by_depth = chain.iter().enumerate().rev().map(of);
    let mut own = by_depth
        .map(|frames| {
            frames
                .into_iter()
                .filter(|f| !f.plumbing)
                .collect::<Vec<_>>()
        })
        .find(|frames| !frames.is_empty());
    if own.is_none()
        && let Some(root) = root
    {
        // Left out altogether, plumbing would merge all bugs that it alone shows (as it did in OSS-Fuzz's issue 8389).
        let mut frames = of((root_at, root));
        frames.truncate(PLUMBING_FRAMES);
        own = Some(frames);
    }
    let own = own.unwrap_or_default();
    let count = match own.first() {
        Some(frame) if frame.plumbing => PLUMBING_FRAMES,
        Some(frame) if frame.innermost && !RAISED.contains(&class.as_str()) => 2,
        _ => 1,
    };
    let frames = match class.as_str() {
        "java.lang.StackOverflowError" => cycle(&own),
        _ => own.iter().take(count).map(Named::text).collect(),
    };
    let mut words = vec![kind.to_owned(), class];
    words.extend(frames);
    words.extend(root.into_iter().flat_map(script::words));
    words
}

/// Without a last cause that is only the stack of the service which refused a call: newer versions of Android add it.
fn without_remote<'c, 'a>(chain: &'c [Thrown<'a>]) -> &'c [Thrown<'a>] {
    match chain {
        [rest @ .., last] if !rest.is_empty() && last.class == "android.os.RemoteException" => rest,
        _ => chain,
    }
}

/// A frame under the name that counts.
struct Named {
    class: String,
    method: String,
    site: String,
    plumbing: bool,
    /// No frame, made up ones apart, is within it.
    innermost: bool,
    /// Frames of the same method that follow each other count as one.
    times: usize,
}

impl Named {
    fn text(&self) -> String {
        format!("{}.{}{}", self.class, self.method, self.site)
    }
}

/// The frames of an exception without the made-up ones, from the inside out.
fn named(thrown: &Thrown<'_>, places: &[Place], program: &Program) -> Vec<Named> {
    let mut frames: Vec<Named> = Vec::new();
    let unknown = Place::default();
    let retraced = program.mapping.as_deref().map(|m| m.retrace(thrown));
    for (ix, frame) in thrown.frames.iter().enumerate() {
        let place = places.get(ix).unwrap_or(&unknown);
        let retraced = retraced.as_ref().map(|all| {
            let named = |frame: &SourceFrame| (frame.class.clone(), frame.method.clone());
            all[ix].iter().map(named).collect()
        });
        // Without a mapping: the names of the code, where the compiler numbered the frame's.
        let known = retraced.unwrap_or_else(|| {
            let class = place.class.as_deref().unwrap_or(frame.class);
            let method = place.method.as_deref().unwrap_or(frame.method);
            vec![(class.to_owned(), method.to_owned())]
        });
        // The innermost of inlined methods has the instruction.
        for (depth, (class, method)) in known.into_iter().enumerate() {
            // A class without its package is one of the app's, or named like it.
            let full = match program.mapping {
                Some(_) => class.as_str(),
                None => frame.class,
            };
            let plumbing = is_plumbing(full, &program.package);
            let Some((class, method)) = folded(&class, &method) else {
                continue;
            };
            if let Some(last) = frames.last_mut() {
                let inner = (last.class.as_str(), last.method.as_str());
                let same = inner == (class.as_str(), method.as_str());
                if same || enters_again((&class, &method), inner) {
                    last.times += usize::from(same);
                    continue;
                }
            }
            let site = match (&place.site, depth) {
                (Some((deed, ordinal)), 0) => format!("#{deed}{ordinal}"),
                _ => String::new(),
            };
            frames.push(Named {
                class,
                method,
                site,
                plumbing,
                innermost: frames.is_empty(),
                times: 1,
            });
        }
    }
    frames
}

/// The methods of an endless recursion: where in its circle the stack ran out is chance.
fn cycle(frames: &[Named]) -> Vec<String> {
    let name = |frame: &Named| format!("{}.{}", frame.class, frame.method);
    let mut times = BTreeMap::new();
    for frame in frames {
        *times.entry(name(frame)).or_insert(0) += frame.times;
    }
    let circle = times.into_iter().filter(|(_, times)| *times > 2);
    let circle: Vec<String> = circle.map(|(name, _)| name).collect();
    if circle.is_empty() {
        return frames.iter().map(name).collect();
    }
    circle
}

/// The fingerprint of a blocked main thread. If no frame is known, the unanswered request distinguishes causes. The
/// instruction that a thread was at when it was looked at is chance: there are no ordinals.
pub fn of_anr(stack: &str, program: &Program) -> Fingerprint {
    let chain = parse(stack);
    let hash = of_chain("anr", "", &chain, &Places::default(), program);
    let v1 = super::fingerprint_v1::of_anr(stack, program.mapping.as_deref());
    if chain.iter().any(|thrown| !thrown.frames.is_empty()) {
        return Fingerprint { hash, v1 };
    }
    let kind = anr::kind(stack.lines().next().unwrap_or_default());
    let hash = hash::mix(hash, hash::of_bytes(kind.as_bytes()));
    Fingerprint { hash, v1 }
}

#[cfg(test)]
#[path = "fingerprint_tests.rs"]
mod tests;
