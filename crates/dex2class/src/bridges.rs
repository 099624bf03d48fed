//! Which classes need bridges for constructor calls that pass classes by, see [`crate::method::constructors`].
//!
//! A bridge is added to a class because of another class's code, so all code is looked at before the first class is
//! translated: in one pass over the instructions that only counts objects made and constructors called. Only a method
//! where the two do not match is analysed.

use crate::class::access;
use crate::dex::{CodeItem, Dex, EncodedMethod, internal_name};
use crate::hierarchy::{DexHierarchy, Hierarchy};
use crate::method::{self, constructors};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;

const NEW_INSTANCE: u8 = 0x22;
const INVOKE_DIRECT: u8 = 0x70;
const INVOKE_DIRECT_RANGE: u8 = 0x76;

/// A bridge: the descriptor of the constructor that is called in the end, and its class.
pub type Bridge = (Vec<u8>, Vec<u8>);

/// The bridges of all classes.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Bridges {
    by_class: BTreeMap<Vec<u8>, BTreeSet<Bridge>>,
}

impl Bridges {
    /// Looks at the code of all classes, on so many threads.
    pub fn find(app: &DexHierarchy<'_>, hierarchy: &dyn Hierarchy, threads: usize) -> Self {
        let found = Mutex::new(Self::default());
        let next = Mutex::new((0_usize, 0_u32));
        let work = || {
            let mut own = Self::default();
            while let Some((file, from, to)) = chunk(app, &next) {
                let dex = app.files()[file];
                let mut scan = Scan::new(&dex, hierarchy);
                for def in from..to {
                    let name = dex.class_name(def).ok().map(internal_name);
                    if name.and_then(|name| app.position(name)) == Some((file, def)) {
                        scan.class(def, &mut own);
                    }
                }
            }
            if let Ok(mut all) = found.lock() {
                all.merge(own);
            }
        };
        match threads {
            0 | 1 => work(),
            _ => std::thread::scope(|scope| {
                for _ in 0..threads {
                    scope.spawn(work);
                }
            }),
        }
        found.into_inner().unwrap_or_default()
    }

    fn merge(&mut self, other: Self) {
        for (class, bridges) in other.by_class {
            self.by_class.entry(class).or_default().extend(bridges);
        }
    }

    /// The bridges of a class, in a fixed order.
    pub fn of(&self, class: &[u8]) -> impl Iterator<Item = &Bridge> {
        self.by_class.get(class).into_iter().flatten()
    }

    /// How many classes have bridges.
    pub fn len(&self) -> usize {
        self.by_class.len()
    }

    /// Whether no class has one.
    pub fn is_empty(&self) -> bool {
        self.by_class.is_empty()
    }
}

/// Definitions that one thread looks at in a row.
const CHUNK: u32 = 2_000;

fn chunk(app: &DexHierarchy<'_>, next: &Mutex<(usize, u32)>) -> Option<(usize, u32, u32)> {
    let mut next = next.lock().ok()?;
    loop {
        let count = app.files().get(next.0)?.class_count();
        let from = next.1;
        if from >= count {
            *next = (next.0 + 1, 0);
            continue;
        }
        let to = from.saturating_add(CHUNK).min(count);
        next.1 = to;
        return Some((next.0, from, to));
    }
}

/// Code units that are looked at in one chunk: methods of a damaged file may share their code, so that it is more than
/// the file has.
const MOST_UNITS: usize = 1 << 23;
/// Bytes of the bridges that one chunk needs. Each call that passes by a thousand classes needs a thousand bridges.
const MOST_BYTES: usize = 4 << 20;
/// Classes in one method whose objects are counted; a method with more is analysed.
const MOST_COUNTED: usize = 256;

/// What is known of the methods that a dex file names.
struct Scan<'d, 'a> {
    dex: &'d Dex<'a>,
    hierarchy: &'d dyn Hierarchy,
    /// By method index: whether it is a constructor that its class declares.
    constructors: FxHashMap<u32, Option<bool>>,
    balance: Vec<(u32, i32)>,
    units_left: usize,
    bytes_left: usize,
}

impl<'d, 'a> Scan<'d, 'a> {
    fn new(dex: &'d Dex<'a>, hierarchy: &'d dyn Hierarchy) -> Self {
        Self {
            dex,
            hierarchy,
            constructors: FxHashMap::default(),
            balance: Vec::new(),
            units_left: MOST_UNITS,
            bytes_left: MOST_BYTES,
        }
    }

    fn class(&mut self, def: u32, bridges: &mut Bridges) {
        let Ok(def) = self.dex.class_def(def) else {
            return;
        };
        let Ok(data) = self.dex.class_data(&def) else {
            return;
        };
        for method in data.direct_methods().chain(data.virtual_methods()) {
            if method.code_off == 0 {
                continue;
            }
            let Ok(code) = self.dex.code(method.code_off) else {
                continue;
            };
            let Some(left) = self.units_left.checked_sub(code.insns.len()) else {
                return;
            };
            self.units_left = left;
            if self.suspicious(&method, &code, def.type_ix, def.parent) {
                self.analyse(&method, &code, def.kind, bridges);
            }
        }
    }

    /// Whether a method is a constructor (`Some`), and whether its class declares it.
    fn constructor(&mut self, ix: u32) -> Option<bool> {
        if let Some(&known) = self.constructors.get(&ix) {
            return known;
        }
        let look = || {
            let method = self.dex.method(ix).ok()?;
            if method.name != b"<init>" {
                return None;
            }
            let mut descriptor = Vec::new();
            let proto = self.dex.proto(method.proto).ok()?;
            proto.descriptor(&mut descriptor).ok()?;
            let owner = internal_name(method.owner);
            Some(
                self.hierarchy
                    .method(owner, b"<init>", &descriptor)
                    .is_some(),
            )
        };
        let known = look();
        self.constructors.insert(ix, known);
        known
    }

    /// Whether objects made and constructors called do not match.
    fn suspicious(
        &mut self,
        method: &EncodedMethod,
        code: &CodeItem<'a>,
        own: u32,
        parent: Option<&[u8]>,
    ) -> bool {
        self.balance.clear();
        let units = code.insns;
        let is_static = method.access & u32::from(access::STATIC) != 0;
        let constructor = !is_static && self.constructor(method.ix).is_some();
        let mut at = 0;
        while let Some(first) = units.get(at) {
            let opcode = first.to_le_bytes()[0];
            let index = || units.get(at + 1).map(u32::from);
            match opcode {
                NEW_INSTANCE => {
                    let Some(kind) = index() else { return false };
                    self.count(kind, 1);
                }
                INVOKE_DIRECT | INVOKE_DIRECT_RANGE => {
                    let Some(index) = index() else { return false };
                    match self.constructor(index) {
                        None => {}
                        Some(false) => return true,
                        Some(true) => {
                            let owner = self.dex.method_owner(index).unwrap_or(u32::MAX);
                            self.count(owner, -1);
                        }
                    }
                }
                _ => {}
            }
            let Some(length) = method::length(units, at) else {
                return false;
            };
            at += length;
            if self.balance.len() > MOST_COUNTED {
                return true;
            }
        }
        self.balance.iter().any(|&(kind, count)| match count {
            0 => false,
            // A constructor calls another one of its class or of the superclass on itself.
            ..0 if constructor => kind != own && self.dex.type_name(kind).ok() != parent,
            _ => true,
        })
    }

    fn count(&mut self, kind: u32, by: i32) {
        match self.balance.iter_mut().find(|known| known.0 == kind) {
            Some(known) => known.1 += by,
            None => self.balance.push((kind, by)),
        }
    }

    fn analyse(
        &mut self,
        method: &EncodedMethod,
        code: &CodeItem<'a>,
        own: &[u8],
        bridges: &mut Bridges,
    ) {
        let calls = method::constructor_calls(self.dex, method, code).unwrap_or_default();
        for call in calls {
            let target = constructors::target(
                self.hierarchy,
                internal_name(own),
                call.made.map(internal_name),
                internal_name(call.named),
                &call.descriptor,
            );
            let Some(root) = target.bridge else { continue };
            let between = constructors::between(self.hierarchy, &target.owner, &root);
            for class in between.unwrap_or_default() {
                let bytes = call.descriptor.len() + root.len() + class.len();
                let Some(left) = self.bytes_left.checked_sub(bytes) else {
                    return;
                };
                self.bytes_left = left;
                let bridge = (call.descriptor.clone(), root.clone());
                bridges.by_class.entry(class).or_default().insert(bridge);
            }
        }
    }
}
