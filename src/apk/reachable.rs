//! Which activities can be reached at all, by the app's code and resources.
//!
//! Reached first is what Android itself starts: the application object, providers, exported components and those
//! with intent filters. From there on, two things spread:
//!
//! - *Code* of a class is reached when code that is reached creates it, calls it, reads a field of it, extends it,
//!   is annotated with it or names it, or when a resource (a layout, a preference screen) names it. All of a class counts, every method.
//! - *An activity* is reached when it is the launcher or exported, when code that is reached gives its class as a
//!   value (`Intent(this, X.class)`) or holds its name, an alias' name or an action of its filters as a string, when
//!   a resource holds its name, or when it is the parent (`Up`) of a reached activity.
//!
//! **Too much** is found where a class is named for something else than to be started, where a method is never
//! called or a branch never taken, where a name is in a resource that nobody uses. **Too little** is found where
//! a name is put together at run time, read from a file or the network, decrypted, or given by native code; an
//! activity of an app that does so may be reached and yet not be in the list. Coverage adds such to the list.

use super::Apk;
use super::archive::Archive;
use super::code::{self, DexFile};
use super::dex::{self, Budget, LONGEST};
use super::error::{ApkError, Problem};
use super::manifest::Manifest;
use super::texts::each_text;
use dex2class::dex::{Dex, DexError};
use rustc_hash::{FxHashMap, FxHashSet};

/// The declared activities that can be reached, in the manifest's order.
///
/// # Errors
/// The APK cannot be read any more, or a dex file is broken.
pub fn reachable_activities(apk: &Apk) -> Result<Vec<String>, ApkError> {
    search(apk).map_err(|problem| ApkError::new(&apk.file, problem))
}

fn search(apk: &Apk) -> Result<Vec<String>, Problem> {
    let mut archive = Archive::open(&apk.file)?;
    let files = code::read(apk, &mut archive).collect::<Result<Vec<_>, _>>()?;
    let size = files.iter().map(|file| file.bytes.len() as u64).sum();
    let mut code = Code::default();
    for file in &files {
        let mut budget = Budget::for_bytes(file.bytes.len() as u64);
        for dex in file.parts()? {
            let added = code.add(file, dex, &mut budget);
            added.map_err(|why| file.bad(why))?;
        }
    }
    code.link();
    let mut search = Search::new(&apk.manifest, &code, Budget::for_bytes(size));
    search.start();
    each_text(&mut archive, |text| search.resource(text));
    search.spread()?;
    Ok(search.activities_in_order())
}

/// Number of a class of the app.
type ClassIx = usize;

/// All classes of all dex files.
#[derive(Default)]
struct Code<'a> {
    /// Each part of a container is one.
    files: Vec<(&'a DexFile<'a>, Dex<'a>)>,
    /// By descriptor. Of two of one name Android loads the first.
    by_name: FxHashMap<&'a [u8], ClassIx>,
    /// File and number of each class.
    classes: Vec<(usize, u32)>,
    /// For each file, the class that each of its types is.
    of_type: Vec<Vec<Option<ClassIx>>>,
}

impl<'a> Code<'a> {
    fn add(
        &mut self,
        file: &'a DexFile<'a>,
        dex: Dex<'a>,
        budget: &mut Budget,
    ) -> Result<(), DexError> {
        for class in dex::classes(&dex, budget) {
            let (number, descriptor) = class?;
            let next = self.classes.len();
            if *self.by_name.entry(descriptor).or_insert(next) == next {
                self.classes.push((self.files.len(), number));
            }
        }
        self.files.push((file, dex));
        Ok(())
    }

    fn link(&mut self) {
        let class_of = |dex: &Dex<'a>, ix| {
            let name = dex.type_name(ix).ok()?;
            self.by_name.get(name).copied()
        };
        self.of_type = self
            .files
            .iter()
            .map(|(_, dex)| (0..dex.type_count()).map(|ix| class_of(dex, ix)).collect())
            .collect();
    }

    /// The class of a dotted or internal name.
    fn class(&self, name: &str) -> Option<ClassIx> {
        let descriptor = format!("L{};", name.replace('.', "/"));
        self.by_name.get(descriptor.as_bytes()).copied()
    }

    fn class_of_type(&self, file: usize, ix: u32) -> Option<ClassIx> {
        *self.of_type[file].get(usize::try_from(ix).ok()?)?
    }
}

struct Search<'a> {
    manifest: &'a Manifest,
    code: &'a Code<'a>,
    budget: Budget,
    /// Activities by their number in the manifest: reached?
    activities: Vec<bool>,
    /// The activity that a class is.
    by_class: FxHashMap<ClassIx, usize>,
    /// Activities that a text names: by class name, alias or action.
    by_text: FxHashMap<Vec<u8>, Vec<usize>>,
    reached: FxHashSet<ClassIx>,
    to_read: Vec<ClassIx>,
}

impl<'a> Search<'a> {
    fn new(manifest: &'a Manifest, code: &'a Code<'a>, budget: Budget) -> Self {
        let mut search = Self {
            manifest,
            code,
            budget,
            activities: vec![false; manifest.activities.len()],
            by_class: FxHashMap::default(),
            by_text: FxHashMap::default(),
            reached: FxHashSet::default(),
            to_read: Vec::new(),
        };
        for (ix, activity) in manifest.activities.iter().enumerate() {
            let component = &activity.component;
            search
                .by_class
                .extend(code.class(&component.name).map(|class| (class, ix)));
            search.name(&component.name, ix);
            component
                .actions()
                .for_each(|action| search.text(action, ix));
        }
        for alias in &manifest.aliases {
            if let Some(ix) = search.position(&alias.target) {
                search.name(&alias.component.name, ix);
                alias
                    .component
                    .actions()
                    .for_each(|action| search.text(action, ix));
            }
        }
        search
    }

    fn position(&self, name: &str) -> Option<usize> {
        self.manifest
            .activities
            .iter()
            .position(|a| a.component.name == name)
    }

    /// The spellings of a class name: in full, with slashes, and as a manifest shortens it.
    fn name(&mut self, name: &str, ix: usize) {
        self.text(name, ix);
        self.text(&name.replace('.', "/"), ix);
        let package = &self.manifest.package;
        if let Some(short) = name
            .strip_prefix(package.as_str())
            .filter(|s| s.starts_with('.'))
        {
            self.text(short, ix);
        }
    }

    fn text(&mut self, text: &str, ix: usize) {
        // Every app says this of its launcher, and much code names it without starting anything.
        if text != "android.intent.action.MAIN" {
            self.by_text
                .entry(text.as_bytes().to_owned())
                .or_default()
                .push(ix);
        }
    }

    /// What Android starts by itself or on another app's behalf.
    fn start(&mut self) {
        let manifest = self.manifest;
        let launcher = manifest
            .launcher
            .as_deref()
            .and_then(|name| self.position(name));
        launcher.into_iter().for_each(|ix| self.activity(ix));
        for (ix, activity) in manifest.activities.iter().enumerate() {
            let component = &activity.component;
            if component.exported && component.enabled && component.permission.is_none() {
                self.activity(ix);
            }
        }
        for alias in manifest
            .aliases
            .iter()
            .filter(|a| a.component.exported && a.component.enabled)
        {
            self.position(&alias.target)
                .into_iter()
                .for_each(|ix| self.activity(ix));
        }
        let services = manifest.services.iter().chain(&manifest.receivers);
        let started = services.filter(|c| c.enabled && (c.exported || !c.filters.is_empty()));
        let providers = manifest.providers.iter().map(|p| &p.component);
        let names = started.chain(providers).map(|c| c.name.as_str());
        for name in names.chain(manifest.application.as_deref()) {
            self.code
                .class(name)
                .into_iter()
                .for_each(|class| self.class(class));
        }
    }

    fn activity(&mut self, ix: usize) {
        if std::mem::replace(&mut self.activities[ix], true) {
            return;
        }
        let activity = &self.manifest.activities[ix];
        let class = self.code.class(&activity.component.name);
        class.into_iter().for_each(|class| self.class(class));
        let parent = activity
            .parent
            .as_deref()
            .and_then(|name| self.position(name));
        parent.into_iter().for_each(|parent| self.activity(parent));
    }

    fn class(&mut self, class: ClassIx) {
        if self.reached.insert(class) {
            self.to_read.push(class);
        }
    }

    /// A text of a resource: it may name an activity, a view, a fragment.
    fn resource(&mut self, text: &str) {
        self.named(text.as_bytes());
        if text.contains('.') {
            self.code
                .class(text)
                .into_iter()
                .for_each(|class| self.class(class));
        }
    }

    fn named(&mut self, text: &[u8]) {
        let named = self.by_text.get(text).cloned().unwrap_or_default();
        named.into_iter().for_each(|ix| self.activity(ix));
    }

    fn spread(&mut self) -> Result<(), Problem> {
        while let Some(class) = self.to_read.pop() {
            let (file, number) = self.code.classes[class];
            let (name, dex) = &self.code.files[file];
            let found = dex::references(dex, number, &mut self.budget);
            let found = found.map_err(|why| name.bad(why))?;
            let (code, types) = (self.code, found.types.iter().chain(&found.constants));
            types
                .filter_map(|&ix| code.class_of_type(file, ix))
                .for_each(|class| self.class(class));
            for &ix in &found.constants {
                let class = code.class_of_type(file, ix);
                let activity = class.and_then(|class| self.by_class.get(&class).copied());
                activity.into_iter().for_each(|ix| self.activity(ix));
            }
            for &ix in &found.strings {
                // A name is shorter than many of a file's texts.
                if let Ok(text) = dex.string_up_to(ix, LONGEST) {
                    self.named(text);
                }
            }
        }
        Ok(())
    }

    fn activities_in_order(&self) -> Vec<String> {
        let all = self.manifest.activities.iter().zip(&self.activities);
        let reached = all.filter(|(_, reached)| **reached);
        reached
            .map(|(activity, _)| activity.component.name.clone())
            .collect()
    }
}

#[cfg(test)]
#[path = "reachable_tests.rs"]
mod tests;
