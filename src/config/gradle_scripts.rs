//! What Gradle's scripts say, as far as it can be read without running them: the modules of a project, and which are
//! apps. A script is a program; what it computes is not seen.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use camino::Utf8PathBuf;
use regex::Regex;

fn pattern(text: &'static str) -> Regex {
    Regex::new(text).expect("a valid pattern")
}

static COMMENT: LazyLock<Regex> =
    LazyLock::new(|| pattern(r#"(?s)/\*.*?\*/|(?m-s:(^|[\s;{})])//.*$)"#));
static INCLUDE: LazyLock<Regex> =
    LazyLock::new(|| pattern(r#"\binclude\b[\s(]*((?:["'][^"'\n]*["'][\s,]*)+)"#));
static QUOTED: LazyLock<Regex> = LazyLock::new(|| pattern(r#"["']([^"'\n]*)["']"#));
static FOLDER: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r#"project\(\s*["']:?([^"'\n]+)["']\s*\)\.projectDir\s*=\s*(?:new\s+)?[Ff]ile\(\s*(?:(?:settingsDir|rootDir|rootProject\.projectDir)\s*,\s*)?["']([^"'\n]+)["']"#,
    )
});
static PLUGIN: LazyLock<Regex> =
    LazyLock::new(|| pattern(r#"\b(?:id|plugin)\b\s*[:(=]*\s*["']([\w.-]+)["']"#));
static ALIAS: LazyLock<Regex> = LazyLock::new(|| pattern(r"\b\w+\.plugins\.([\w.]+)"));
static APPLICATION: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(^|\.)android\.application(\.|$)"));
static APPLICATION_ID: LazyLock<Regex> =
    LazyLock::new(|| pattern(r#"\bapplicationId\b\s*[=(]?\s*["'\w]"#));

fn without_comments(script: &str) -> String {
    COMMENT.replace_all(script, "$1").into_owned()
}

/// The modules that a `settings.gradle` or `settings.gradle.kts` includes: paths such as `:app`, and their folders
/// relative to the project's.
pub fn modules(settings: &str) -> BTreeMap<String, Utf8PathBuf> {
    let settings = without_comments(settings);
    let mut all = BTreeMap::new();
    for include in INCLUDE.captures_iter(&settings) {
        for name in QUOTED.captures_iter(&include[1]) {
            let name = name[1].trim_start_matches(':');
            // A name with a variable in it is not known.
            if !name.is_empty() && !name.contains('$') {
                all.insert(format!(":{name}"), name.replace(':', "/").into());
            }
        }
    }
    for moved in FOLDER.captures_iter(&settings) {
        if let Some(folder) = all.get_mut(&format!(":{}", &moved[1])) {
            *folder = moved[2].into();
        }
    }
    all
}

/// The plugins of a version catalog (`libs.versions.toml`): their ids by their names, with dots as in `libs.plugins`.
pub fn plugins(catalog: &str) -> BTreeMap<String, String> {
    let table: toml::Table = catalog.parse().unwrap_or_default();
    let plugins = table.get("plugins").and_then(toml::Value::as_table);
    let id = |plugin: &toml::Value| match plugin {
        toml::Value::String(text) => text.split(':').next().map(str::to_owned),
        other => other.get("id")?.as_str().map(str::to_owned),
    };
    let named = |(name, plugin): (&String, &toml::Value)| {
        Some((name.replace(['-', '_'], "."), id(plugin)?))
    };
    plugins.into_iter().flatten().filter_map(named).collect()
}

/// Whether a build script makes an app: it applies the plugin for apps, or a convention plugin with its name, or it
/// sets an application id.
pub fn is_application(script: &str, plugins: &BTreeMap<String, String>) -> bool {
    let script = without_comments(script);
    let applied = script.lines().filter(|line| !line.contains("apply false"));
    let mut applied = applied.filter(|line| !line.contains("apply(false)"));
    applied.any(|line| {
        let ids = PLUGIN.captures_iter(line).map(|found| found[1].to_owned());
        let aliases = ALIAS.captures_iter(line).map(|found| {
            let name = found[1].split(".get").next().unwrap_or_default();
            let name = name.replace('_', ".");
            plugins.get(&name).cloned().unwrap_or(name)
        });
        ids.chain(aliases).any(|id| APPLICATION.is_match(&id)) || APPLICATION_ID.is_match(line)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_are_read_in_both_languages() {
        let groovy = "include ':app', ':lib:core',\n    ':wear' // a watch: http://x\n/* include ':old' */\nincludeBuild 'logic'\n\
                      project(':wear').projectDir = new File(rootDir, 'watch/app')\n// include ':gone'\n";
        let kotlin = "pluginManagement { includeBuild(\"logic\") }\ninclude(\":app\")\ninclude(\n    \":lib:core\",\n    \"wear\",\n)\n\
                      include(\":x$name\")\nproject(\":wear\").projectDir = file(\"watch/app\")\n";
        for text in [groovy, kotlin] {
            let all: Vec<_> = modules(text).into_iter().collect();
            let all: Vec<_> = all.iter().map(|(p, f)| (p.as_str(), f.as_str())).collect();
            assert_eq!(
                all,
                [
                    (":app", "app"),
                    (":lib:core", "lib/core"),
                    (":wear", "watch/app")
                ],
                "{text}"
            );
        }
    }

    #[test]
    fn an_app_is_known_by_plugin_alias_convention_or_id() {
        let catalog = "[plugins]\nandroid-application = { id = \"com.android.application\", version.ref = \"agp\" }\n\
                       agp_app = \"com.android.application:8.1.0\"\nandroid-library = { id = \"com.android.library\", version = \"8\" }\n";
        let plugins = plugins(catalog);
        for app in [
            "plugins { id 'com.android.application' version '8.1.0' }",
            "plugins {\n    id(\"com.android.application\")\n}",
            "apply plugin: 'com.android.application'",
            "plugins { alias(libs.plugins.android.application) }",
            "plugins { alias libs.plugins.agp.app }",
            "plugins { id(libs.plugins.android.application.get().pluginId) }",
            "plugins { alias(libs.plugins.nowinandroid.android.application.compose) }",
            "plugins { id(\"x.convention\") }\nandroid { defaultConfig { applicationId = \"a.b\" } }",
        ] {
            assert!(is_application(app, &plugins), "{app}");
        }
        for other in [
            "plugins { alias(libs.plugins.android.application) apply false }",
            "plugins { id 'com.android.library' }",
            "plugins { alias(libs.plugins.android.library) }",
            "// id 'com.android.application'",
            "android { buildTypes { debug { applicationIdSuffix '.debug' } } }",
        ] {
            assert!(!is_application(other, &plugins), "{other}");
        }
    }
}
