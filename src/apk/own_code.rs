//! The packages that an app's own code is in, from its manifest, and whether its names still tell its packages apart.

use super::Apk;
use super::archive::Archive;
use super::code;
use super::counted::{Counted, covers};
use super::dex::{self, Budget, dotted};
use super::error::{ApkError, Problem};
use super::manifest::Manifest;
use crate::settings::Coverage;
use rustc_hash::FxHashSet;

/// Names below which unrelated projects are, each with one part of its own.
const SHARED: &[&str] = &[
    "com.github",
    "com.gitlab",
    "com.googlecode",
    "io.github",
    "io.gitlab",
    "net.sourceforge",
    "org.bitbucket",
    "org.codeberg",
    "org.github",
];
/// Second parts below a country (`uk.co`, `au.com`) that anyone may register a name in.
const REGISTRIES: &[&str] = &["ac", "co", "com", "edu", "gov", "net", "org"];
/// A class name of so few letters is one that a shrinker gave.
const SHORTENED: usize = 3;

/// The packages of a team's code: of the APK's package, the launcher's and the application object's what a team shares
/// over its modules, the first two parts (`org.example` of `org.example.shop.debug`). Where a library of `excluded` has
/// the same first parts, as with Google's samples, the complete package.
pub(super) fn roots(manifest: &Manifest, excluded: &[String]) -> Vec<String> {
    let package = |class: &String| Some(class.rsplit_once('.')?.0.to_owned());
    let launcher = manifest.launcher.as_ref().and_then(package);
    let application = manifest.application.as_ref().and_then(package);
    let is_library = |package: &String| excluded.iter().any(|library| covers(library, package));
    // A library's class as the application object is common; the app's package is the app's in any case.
    let others = [launcher, application].into_iter().flatten();
    let others = others.filter(|package| !is_library(package));
    let mut roots: Vec<String> = Vec::new();
    for package in std::iter::once(manifest.package.clone()).chain(others) {
        if roots.iter().any(|root| covers(root, &package)) {
            continue;
        }
        let shared = first_parts(&package);
        let libraries = excluded.iter().any(|library| covers(&shared, library));
        roots.push(if libraries { package } else { shared });
    }
    roots
}

/// The part of a package name that stands for its owner.
fn first_parts(package: &str) -> String {
    let parts: Vec<&str> = package.split('.').collect();
    let two = parts[..parts.len().min(2)].join(".");
    let country = parts[0].len() == 2 && parts.get(1).is_some_and(|part| REGISTRIES.contains(part));
    let count = match country || SHARED.contains(&two.as_str()) {
        true => 3,
        false => 2,
    };
    parts[..parts.len().min(count)].join(".")
}

impl Counted {
    /// The classes of an app that count. A build whose names were shortened (`renamed`: a mapping says so) says nothing of
    /// its packages: there all that the settings do not exclude counts.
    ///
    /// # Errors
    /// The APK cannot be read any more, or a dex file is damaged.
    pub fn for_app(
        settings: &Coverage,
        own: Option<&[String]>,
        apk: &Apk,
        renamed: bool,
    ) -> Result<Self, ApkError> {
        let counted = Self::new(settings, own, Some(&apk.manifest));
        if renamed || counted.packages().is_empty() {
            return Ok(counted.of_all_packages());
        }
        let names = class_names(apk).map_err(|problem| ApkError::new(&apk.file, problem))?;
        Ok(counted.unless_shortened(names.iter().map(String::as_str)))
    }

    /// The same for an app of these classes (dotted names).
    fn unless_shortened<'n>(self, classes: impl Iterator<Item = &'n str>) -> Self {
        let all = self.clone().of_all_packages();
        let (mut own, mut others, mut short) = (0_usize, 0_usize, 0_usize);
        for class in classes.filter(|class| all.class(class)) {
            if self.class(class) {
                own += 1;
                continue;
            }
            others += 1;
            let name = class.rsplit('.').next().unwrap_or(class);
            let outer = name.split('$').find(|part| !part.is_empty());
            short += usize::from(outer.is_some_and(|outer| outer.len() <= SHORTENED));
        }
        // Of 120 builds every renamed one has such names for 47 % of these classes or more, every other one for 20 % or
        // fewer.
        match own == 0 || 3 * short > others {
            true => all,
            false => self,
        }
    }
}

/// The names of all classes, each once.
fn class_names(apk: &Apk) -> Result<FxHashSet<String>, Problem> {
    let mut archive = Archive::open(&apk.file)?;
    let mut names = FxHashSet::default();
    for file in code::read(apk, &mut archive) {
        let file = file?;
        let mut budget = Budget::for_bytes(file.bytes.len() as u64);
        for dex in file.parts()? {
            for class in dex::classes(&dex, &mut budget) {
                names.insert(dotted(class.map_err(|why| file.bad(why))?.1));
            }
        }
    }
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::apk::counted::tests::manifest;
    use crate::settings::CoverageScope;

    fn found(package: &str, launcher: &str) -> Vec<String> {
        roots(&manifest(package, launcher), &Coverage::default().exclude)
    }

    #[test]
    fn what_a_team_shares_over_its_modules_is_its_own() {
        for (package, launcher, wanted) in [
            (
                "org.example.shop.debug",
                "org.example.shop.Main",
                "org.example",
            ),
            ("shop", "shop.Main", "shop"),
            ("org.shop", "org.shop.Main", "org.shop"),
            ("uk.co.example.shop", "uk.co.example.Main", "uk.co.example"),
            (
                "io.github.user.shop",
                "io.github.user.Main",
                "io.github.user",
            ),
            // A listed library has the same first parts.
            (
                "com.google.samples.shop",
                "com.google.samples.shop.Main",
                "com.google.samples.shop",
            ),
        ] {
            assert_eq!(found(package, launcher), [wanted]);
        }
    }

    #[test]
    fn code_of_another_name_than_the_package_is_found_by_the_launcher() {
        assert_eq!(
            found("net.fork.shop", "org.example.Main"),
            ["net.fork", "org.example"]
        );
        // A launcher of a library says nothing of the app.
        assert_eq!(found("net.fork.shop", "androidx.test.Main"), ["net.fork"]);
    }

    fn counted() -> Counted {
        let manifest = manifest("org.example.shop", "org.example.shop.Main");
        Counted::new(&Coverage::default(), None, Some(&manifest))
    }

    #[test]
    fn sixty_thousand_classes_of_libraries_do_not_count() {
        let libraries = (0..60_000).map(|n| format!("net.library{}.part.Class{n}", n % 50));
        let own = (0..200).map(|n| format!("org.example.data.Store{n}"));
        let all: Vec<String> = libraries.chain(own).collect();
        let counted = counted().unless_shortened(all.iter().map(String::as_str));
        assert_eq!(counted.packages(), ["org.example"]);
        assert_eq!(all.iter().filter(|name| counted.class(name)).count(), 200);
    }

    #[test]
    fn a_build_with_shortened_names_counts_as_a_whole() {
        let shortened = (0..600).map(|n| format!("a.b{}.c{}", n % 7, n % 90));
        let kept = ["org.example.shop.Main".to_owned()];
        let all: Vec<String> = shortened.chain(kept).collect();
        let counted = counted().unless_shortened(all.iter().map(String::as_str));
        assert!(counted.packages().is_empty() && counted.class("a.b1.c1"));
        assert!(!counted.class("androidx.core.View"));
    }

    #[test]
    fn an_app_without_a_class_in_its_package_counts_as_a_whole() {
        let elsewhere = ["net.engine.player.Player"];
        let counted = counted().unless_shortened(elsewhere.into_iter());
        assert!(counted.class("net.engine.player.Player"));
    }

    #[test]
    fn the_setting_all_counts_what_is_not_excluded() {
        let settings = Coverage {
            scope: CoverageScope::All,
            ..Coverage::default()
        };
        let manifest = manifest("org.example.shop", "org.example.shop.Main");
        let counted = Counted::new(&settings, None, Some(&manifest));
        assert!(counted.class("net.library.Thing") && counted.packages().is_empty());
    }
}
