//! `[coverage]`: the measurement of code coverage.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

/// The pattern of a package name.
const PACKAGE_PATTERN: &str = r"^[A-Za-z_$][\w$]*(\.[A-Za-z_$][\w$]*)*$";

/// The schema of a list of packages.
pub(crate) fn packages_schema(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "array", "items": {
        "type": "string",
        "pattern": PACKAGE_PATTERN,
        "x-expects": "the name of a package such as \"com.example\", which includes its subpackages",
    } })
}

/// Packages of libraries: excluded by default.
pub const LIBRARY_PACKAGES: &[&str] = &[
    "android",
    "androidx",
    "bolts",
    "butterknife",
    "ch.acra",
    "com.actionbarsherlock",
    "com.afollestad",
    "com.airbnb.lottie",
    "com.alibaba",
    "com.android.volley",
    "com.bumptech.glide",
    "com.caverock.androidsvg",
    "com.crashlytics",
    "com.drew",
    "com.facebook",
    "com.fasterxml.jackson",
    "com.flurry",
    "com.google",
    "com.j256.ormlite",
    "com.jakewharton",
    "com.mikepenz",
    "com.mobsandgeeks",
    "com.nineoldandroids",
    "com.nispok",
    "com.nostra13",
    "com.opencsv",
    "com.squareup",
    "com.vladium.emma",
    "dagger",
    "de.greenrobot",
    "io.fabric",
    "io.grpc",
    "io.ktor",
    "io.reactivex",
    "java",
    "javax",
    "junit",
    "kotlin",
    "kotlinx",
    "net.sqlcipher",
    "oauth.signpost",
    "okhttp3",
    "okio",
    "org.acra",
    "org.androidannotations",
    "org.antlr",
    "org.apache",
    "org.bouncycastle",
    "org.commonmark",
    "org.greenrobot",
    "org.hamcrest",
    "org.htmlcleaner",
    "org.intellij",
    "org.jacoco",
    "org.jetbrains",
    "org.joda.time",
    "org.json",
    "org.jsoup",
    "org.junit",
    "org.kxml2",
    "org.mapsforge",
    "org.nibor",
    "org.ocpsoft",
    "org.osmdroid",
    "org.reactivestreams",
    "org.simpleframework",
    "org.slf4j",
    "org.xmlpull",
    "retrofit2",
    "roboguice",
    "rx",
    "timber",
];

/// Whose code counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CoverageScope {
    /// The app's own packages: the first two parts of its package, of its launcher's and of its application object's.
    /// All that is not excluded where the names were shortened.
    #[default]
    Own,
    /// All that is not excluded.
    All,
}

/// The code to measure. A package includes its subpackages.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Coverage {
    /// Whether to measure code coverage.
    pub enabled: bool,
    /// Whose code counts: the app's own packages, or all that is not excluded.
    pub scope: CoverageScope,
    /// Packages to exclude. Replaces the built-in list of well-known libraries.
    #[schemars(schema_with = "packages_schema")]
    pub exclude: Vec<String>,
    /// Packages to include although they are not the app's own, or `exclude` has a parent package.
    #[schemars(schema_with = "packages_schema")]
    pub include: Vec<String>,
}

impl Default for Coverage {
    fn default() -> Self {
        Self {
            enabled: true,
            scope: CoverageScope::default(),
            exclude: LIBRARY_PACKAGES
                .iter()
                .map(|&name| name.to_owned())
                .collect(),
            include: Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_of_libraries_is_sorted_and_well_formed() {
        assert!(LIBRARY_PACKAGES.is_sorted());
        let pattern = regex::Regex::new(PACKAGE_PATTERN).unwrap();
        assert!(LIBRARY_PACKAGES.iter().all(|name| pattern.is_match(name)));
    }
}
