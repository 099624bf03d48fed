//! Which classes count as the app's own.
//!
//! By default those in the app's own packages ([`own_code`](super::own_code)); with `coverage.scope = "all"` those of all
//! packages. In both cases without the packages of well-known libraries,
//! [`LIBRARY_PACKAGES`](crate::settings::LIBRARY_PACKAGES), which a suite may replace (`coverage.exclude`,
//! `exclude-packages` of an app). To it come rules that no suite needs to know: code that a build tool wrote, coverage
//! harnesses, and that an app's package always counts, even below a listed name (Google's samples live in `com.google`).

use super::manifest::{Manifest, is_harness};
use super::own_code::roots;
use crate::settings::{Coverage, CoverageScope};

/// Simple names of classes that Android's build writes (with what is nested in them).
const GENERATED: &[&str] = &["R", "BuildConfig", "Manifest", "BR", "DataBinderMapperImpl"];
/// Ends of the names of classes that annotation processors write.
const GENERATED_SUFFIXES: &[&str] = &[
    "_Factory",
    "_HiltComponents",
    "_HiltModules",
    "_MembersInjector",
    "_ViewBinding",
];
/// Last part of the packages that data and view binding write their classes to.
const GENERATED_PACKAGE: &str = "databinding";
/// Runtimes of coverage tools that were built into an APK.
const HARNESSES: &[&str] = &["com.vladium.emma", "org.jacoco"];

/// Tells the classes that count from those that don't.
#[derive(Clone, Default, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Counted {
    exclude: Vec<String>,
    include: Vec<String>,
    /// The app's own packages; with none, and in files of older versions, all packages.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    own: Vec<String>,
}

impl Counted {
    /// By a suite's settings, an app's list if it has one, and the app's manifest.
    pub fn new(settings: &Coverage, own: Option<&[String]>, manifest: Option<&Manifest>) -> Self {
        let exclude = own.unwrap_or(&settings.exclude).to_vec();
        let mut include = settings.include.clone();
        include.extend(manifest.into_iter().flat_map(own_packages));
        let scoped = manifest.filter(|_| settings.scope == CoverageScope::Own);
        let own = scoped.map_or_else(Vec::new, |manifest| roots(manifest, &exclude));
        Self {
            exclude,
            include,
            own,
        }
    }

    /// The packages that count, without those that the suite includes; none: all.
    pub fn packages(&self) -> &[String] {
        &self.own
    }

    /// The same without a restriction to the app's own packages.
    pub(super) fn of_all_packages(mut self) -> Self {
        self.own.clear();
        self
    }

    /// Does this class count? The name may be internal (`a/b/C$D`) or dotted.
    ///
    /// The longest name that covers its package decides; of two equally long ones the one that counts it.
    pub fn class(&self, name: &str) -> bool {
        let name = name.replace('/', ".");
        if is_harness(&name) || is_generated(&name) || HARNESSES.iter().any(|h| covers(h, &name)) {
            return false;
        }
        let within = |list: &[String]| list.iter().any(|pattern| covers(pattern, &name));
        if !self.own.is_empty() && !within(&self.own) && !within(&self.include) {
            return false;
        }
        let longest = |list: &[String]| {
            let covering = list.iter().filter(|pattern| covers(pattern, &name));
            covering.map(|pattern| stem(pattern).len()).max()
        };
        match longest(&self.exclude) {
            None => true,
            excluded => longest(&self.include) >= excluded,
        }
    }
}

/// The app's package, and that of its launcher where it lies elsewhere (the package of an APK may be renamed by the
/// build while the code keeps its own).
fn own_packages(manifest: &Manifest) -> Vec<String> {
    let mut packages = vec![manifest.package.clone()];
    let launcher = manifest.launcher.as_deref();
    if let Some((package, _)) = launcher.and_then(|name| name.rsplit_once('.'))
        && !covers(&manifest.package, package)
    {
        packages.push(package.to_owned());
    }
    packages
}

/// A pattern without its star: `a.b.*`, `a.b` and `a/b/` are the same.
fn stem(pattern: &str) -> &str {
    pattern.trim_end_matches('*').trim_end_matches(['.', '/'])
}

/// Is the class in the package, below it, the class itself, or nested in it?
pub(super) fn covers(pattern: &str, name: &str) -> bool {
    let stem = stem(pattern);
    let rest = if stem.contains('/') {
        name.strip_prefix(stem.replace('/', ".").as_str())
    } else {
        name.strip_prefix(stem)
    };
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '$']))
}

fn is_generated(name: &str) -> bool {
    let (package, class) = name.rsplit_once('.').unwrap_or(("", name));
    let outer = class.split('$').next().unwrap_or(class);
    GENERATED.contains(&outer)
        || GENERATED_SUFFIXES
            .iter()
            .any(|suffix| outer.ends_with(suffix))
        || outer.starts_with("Hilt_")
        || package.rsplit('.').next() == Some(GENERATED_PACKAGE)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub fn manifest(package: &str, launcher: &str) -> Manifest {
        Manifest {
            package: package.to_owned(),
            launcher: Some(launcher.to_owned()),
            ..Manifest::default()
        }
    }

    fn counted(package: &str) -> Counted {
        let manifest = manifest(package, &format!("{package}.Main"));
        Counted::new(&Coverage::default(), None, Some(&manifest))
    }

    #[test]
    fn libraries_and_generated_code_do_not_count() {
        let counted = counted("org.example.notes");
        for name in [
            "androidx/core/view/ViewCompat",
            "android.support.v4.app.Fragment",
            "kotlin/collections/ArraysKt",
            "okhttp3/OkHttpClient",
            "com/google/android/material/R$id",
            "org/example/notes/R",
            "org/example/notes/R$layout",
            "org/example/notes/BuildConfig",
            "org/example/notes/databinding/ActivityMainBinding",
            "org/example/notes/EditorActivity_ViewBinding$1",
            "org/example/notes/EmmaInstrument/FinishListener",
            "com/vladium/emma/rt/RT",
        ] {
            assert!(!counted.class(name), "{name}");
        }
        for name in [
            "org/example/notes/Main",
            "org.example.notes.Reader$R",
            "org/example/other/Helper",
        ] {
            assert!(counted.class(name), "{name}");
        }
    }

    #[test]
    fn of_all_packages_only_listed_libraries_do_not_count() {
        let counted = counted("org.example.notes").of_all_packages();
        assert!(counted.class("androidxtra/Thing") && counted.class("Nameless"));
        assert!(!counted.class("androidx/core/view/ViewCompat"));
    }

    #[test]
    fn an_apps_own_package_counts_below_a_listed_one() {
        let own = counted("com.google.android.opengles.triangle");
        assert!(own.class("com/google/android/opengles/triangle/Kube"));
        assert!(!own.class("com/google/android/gms/ads/AdView"));
        // A short package does not take libraries in.
        let short = counted("com");
        assert!(!short.class("com/google/android/gms/ads/AdView"));
    }

    #[test]
    fn code_that_lies_outside_the_renamed_package_counts() {
        let manifest = manifest("net.example.fork", "com.facebook.sample.Main");
        let counted = Counted::new(&Coverage::default(), None, Some(&manifest));
        assert!(counted.class("com/facebook/sample/Main"));
        assert!(!counted.class("com/facebook/login/LoginManager"));
    }

    #[test]
    fn an_apps_own_list_takes_prefixes_and_single_classes() {
        let own = [
            "com.example.generated.*".to_owned(),
            "com/example/Big".to_owned(),
        ];
        let counted = Counted::new(&Coverage::default(), Some(&own), None);
        assert!(!counted.class("com/example/generated/db/Dao"));
        assert!(!counted.class("com/example/Big$Inner"));
        assert!(counted.class("com/example/Bigger"));
        assert!(counted.class("androidx/core/View"));
    }

    #[test]
    fn included_packages_come_back() {
        let settings = Coverage {
            include: vec!["androidx.sample".to_owned(), "net.module".to_owned()],
            ..Coverage::default()
        };
        let counted = |manifest| Counted::new(&settings, None, manifest);
        let own = manifest("org.example.notes", "org.example.notes.Main");
        for counted in [counted(None), counted(Some(&own))] {
            assert!(counted.class("androidx/sample/Thing"));
            assert!(counted.class("net/module/Thing"));
            assert!(!counted.class("androidx/core/Thing"));
        }
        assert!(!counted(Some(&own)).class("net/other/Thing"));
    }
}
