//! A model as a real Android app: an activity a node, buttons and text fields, guards in Java.
//!
//! [`Project`] writes the sources, [`build`] makes an APK of them. The app behaves as the sim device does with clean
//! resets: a relaunch keeps persistent globals, cleared data none. What a text field has passed on it forgets, so
//! that a node has one look. Guards and sets without a value (a division by zero) crash the app; on sim they are
//! mistakes in the model.

mod activity;
pub mod build;
mod expression;
mod names;
#[cfg(test)]
mod tests;

use self::names::{Names, OWN};
use super::expr::Texts;
use super::model::{Ix, Model};
use crate::util::text::for_xml;
use quick_xml::escape::escape;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// What all these apps have in common.
const COMMON: [(&str, &str); 3] = [
    ("Fault", include_str!("java/Fault.java")),
    ("Python", include_str!("java/Python.java")),
    ("Screen", include_str!("java/Screen.java")),
];
/// The package that is in those files.
const PACKAGE: &str = "droidtest.model";
/// Activities, and widgets, that an app has at most: so many resources of one type there can be.
pub const MOST: usize = 50_000;
/// Java's longest constant, in the longest encoding of a character.
const LONGEST: usize = 65_535 / 3;

/// The sources of an app.
#[derive(Debug)]
pub struct Project {
    /// The app's package.
    pub package: String,
    /// By node, in the model's order: its activity's class with the package.
    pub activities: Vec<String>,
    /// Java sources by path, with `/`.
    pub java: BTreeMap<String, String>,
    /// The manifest.
    pub manifest: String,
    /// Resources by path below `res`.
    pub resources: BTreeMap<String, String>,
}

impl Project {
    /// The app of a model.
    ///
    /// # Errors
    /// The model is larger than an app can be, or has texts longer than Java's; in words.
    pub fn of(model: &Model) -> Result<Self, String> {
        if model.nodes.len() > MOST || model.widgets.len() > MOST {
            return Err(format!(
                "{}: {} activities and {} widgets are more than an app can have ({MOST} of each); generate a smaller \
                 model",
                model.name,
                model.nodes.len(),
                model.widgets.len()
            ));
        }
        let texts = model.texts();
        if let Some(long) = texts.all().find(|text| text.len() > LONGEST) {
            let begin: String = long.chars().take(40).collect();
            return Err(format!(
                "{}: a text of {} bytes is longer than Java allows ({LONGEST}): it begins with {begin:?}; shorten it",
                model.name,
                long.len()
            ));
        }
        let names = Names::of(model);
        let activities = names.activities.iter();
        Ok(Self {
            activities: activities
                .map(|name| format!("{}.{name}", names.package))
                .collect(),
            java: java(model, &names, &texts),
            manifest: manifest(model, &names),
            resources: resources(model, &names),
            package: names.package,
        })
    }
}

fn java(model: &Model, names: &Names, texts: &Texts) -> BTreeMap<String, String> {
    let package = &names.package;
    let own = format!("{package}.{OWN}");
    let path = |package: &str, class: &str| format!("{}/{class}.java", package.replace('.', "/"));
    let mut files: BTreeMap<String, String> = COMMON
        .iter()
        .map(|(class, text)| (path(&own, class), text.replacen(PACKAGE, &own, 1)))
        .collect();
    files.insert(path(&own, "State"), state(model, names, texts));
    files.insert(
        path(&own, "App"),
        format!(
            "package {own};\n\n/** The app's process. */\npublic final class App extends android.app.Application {{\n  \
             @Override\n  public void onCreate() {{\n    super.onCreate();\n    State.load(this);\n  }}\n}}\n"
        ),
    );
    for (node, class) in (0..).zip(&names.activities) {
        let text = activity::source(model, names, texts, node);
        files.insert(path(package, class), text);
    }
    for (class, named) in model.classes.iter().zip(&names.blocks) {
        if names.node(named).is_none() {
            let text = activity::block_class(&named.0, &named.1, class.probes);
            files.insert(path(&named.0, &named.1), text);
        }
    }
    files
}

/// The globals, and the file that keeps those that outlive the process.
fn state(model: &Model, names: &Names, texts: &Texts) -> String {
    let mut out = format!(
        "package {}.{OWN};\n\nimport android.content.Context;\nimport android.content.SharedPreferences;\n\n\
         /** The model's globals. */\npublic final class State {{\n  private static SharedPreferences kept;\n",
        names.package
    );
    for (field, value) in names.globals.iter().zip(&model.initial) {
        let value = expression::literal(*value, texts);
        let _ = writeln!(out, "  public static Object {field} = {value};");
    }
    out.push_str("\n  private State() {}\n\n  static void load(Context app) {\n");
    out.push_str("    kept = app.getSharedPreferences(\"globals\", Context.MODE_PRIVATE);\n");
    let persistent: Vec<&String> = names
        .globals
        .iter()
        .zip(&model.persistent)
        .filter_map(|(name, kept)| kept.then_some(name))
        .collect();
    for field in &persistent {
        let _ = writeln!(out, "    {field} = read(\"{field}\", {field});");
    }
    out.push_str("  }\n\n  public static void save() {\n");
    out.push_str("    SharedPreferences.Editor to = kept.edit();\n");
    for field in &persistent {
        let _ = writeln!(out, "    write(to, \"{field}\", {field});");
    }
    // At once: the process may end with the next line.
    out.push_str("    to.commit();\n  }\n");
    out.push_str(
        r#"
  private static Object read(String name, Object first) {
    String text = kept.getString(name, null);
    if (text == null) {
      return first;
    }
    String value = text.substring(1);
    switch (text.charAt(0)) {
      case 'b':
        return Boolean.valueOf(value);
      case 'i':
        return Long.valueOf(value);
      case 'f':
        return Double.longBitsToDouble(Long.parseLong(value));
      case 't':
        return value;
      default:
        return null;
    }
  }

  private static void write(SharedPreferences.Editor to, String name, Object value) {
    String text = "n";
    if (value instanceof Boolean) {
      text = "b" + value;
    } else if (value instanceof Long) {
      text = "i" + value;
    } else if (value instanceof Double) {
      text = "f" + Double.doubleToRawLongBits((Double) value);
    } else if (value instanceof String) {
      text = "t" + value;
    }
    to.putString(name, text);
  }
}
"#,
    );
    out
}

fn manifest(model: &Model, names: &Names) -> String {
    let mut out = format!(
        r#"<?xml version="1.0" encoding="utf-8"?>
<manifest xmlns:android="http://schemas.android.com/apk/res/android" package="{package}">
  <application
      android:name="{package}.{OWN}.App"
      android:allowBackup="false"
      android:label="@string/app"
      android:theme="@android:style/Theme.Material.Light.NoActionBar">
"#,
        package = names.package
    );
    for (node, class) in (0..).zip(&names.activities) {
        let first: Ix = model.start;
        let start = node == first;
        let _ = writeln!(
            out,
            "    <activity android:name=\"{}.{class}\" android:exported=\"{start}\" \
             android:windowSoftInputMode=\"stateAlwaysHidden|adjustNothing\"{}",
            names.package,
            if start { ">" } else { "/>" }
        );
        if start {
            out.push_str(
                "      <intent-filter>\n        <action android:name=\"android.intent.action.MAIN\"/>\n        \
                 <category android:name=\"android.intent.category.LAUNCHER\"/>\n      </intent-filter>\n    \
                 </activity>\n",
            );
        }
    }
    out.push_str("  </application>\n</manifest>\n");
    out
}

fn resources(model: &Model, names: &Names) -> BTreeMap<String, String> {
    let mut ids = String::from("<resources>\n");
    for id in &names.ids {
        let _ = writeln!(ids, "  <item type=\"id\" name=\"{id}\"/>");
    }
    ids.push_str("</resources>\n");
    // Quotes and backslashes are aapt2's own; a name needs none.
    let label: String = model
        .name
        .chars()
        .filter(|c| !['"', '\'', '\\', '@', '?'].contains(c))
        .collect();
    let label = format!(
        "<resources>\n  <string name=\"app\">{}</string>\n</resources>\n",
        escape(for_xml(&label))
    );
    [("values/ids.xml", ids), ("values/strings.xml", label)]
        .map(|(path, text)| (path.to_owned(), text))
        .into()
}
