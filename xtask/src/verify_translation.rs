//! Every class of every APK of a folder, as the jvm device would run it, before the JVM's verifier.

use crate::study::{self, name};
use crate::{Result, sh};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

pub fn run(args: &[String]) -> Result {
    let files = study::apks(study::folder(args)?)?;
    let jobs = usize::try_from(sh::number(args, "--jobs", 1)?).unwrap_or(1);
    let tool = sh::build_tool()?;
    let found = study::each(&files, jobs, |file| inspect(&tool, file))?;
    let mut sum = Sum::default();
    for (file, found) in files.iter().zip(found) {
        sum.add(&name(file), found);
    }
    sum.print();
    match sum.failing + sum.untranslated + sum.unreadable {
        0 => Ok(()),
        _ => Err(format!(
            "{} failing methods, {} classes and {} APKs not translated",
            sum.failing, sum.untranslated, sum.unreadable
        )),
    }
}

/// What the tool finds in one APK, or why it cannot say.
fn inspect(tool: &Path, file: &Path) -> Result<Value> {
    let output = Command::new(tool)
        .args(["droidtest", "inspect", "--kind", "translation"])
        .arg(file)
        .output()
        .map_err(|e| format!("cannot run {}: {e}", tool.display()))?;
    serde_json::from_slice(&output.stdout).map_err(|_| {
        let said = String::from_utf8_lossy(&output.stderr);
        said.lines().last().unwrap_or("no answer").to_owned()
    })
}

#[derive(Default)]
struct Sum {
    apps: usize,
    classes: u64,
    /// Methods that the verifier rejects or that were not translated.
    failing: u64,
    /// Classes of which no method was translated.
    untranslated: u64,
    sites: u64,
    unreadable: u64,
    causes: BTreeMap<String, u64>,
    missing: BTreeMap<String, u64>,
}

impl Sum {
    fn add(&mut self, file: &str, found: Result<Value>) {
        self.apps += 1;
        let found = match found {
            Ok(found) => found,
            Err(reason) => {
                self.unreadable += 1;
                println!("{file}: {reason}");
                return;
            }
        };
        let number = |key: &str| found[key].as_u64().unwrap_or(0);
        self.classes += number("classes");
        self.failing += number("failing_methods");
        self.sites += number("broken_sites");
        for key in ["failing", "broken"] {
            for (cause, one) in found[key].as_object().into_iter().flatten() {
                *self.causes.entry(cause.clone()).or_default() +=
                    one["count"].as_u64().unwrap_or(0);
                for site in one["sites"].as_array().into_iter().flatten() {
                    println!("{file}: {cause}: {}", site.as_str().unwrap_or_default());
                }
            }
        }
        for (what, count) in found["missing"].as_object().into_iter().flatten() {
            *self.missing.entry(what.clone()).or_default() += count.as_u64().unwrap_or(0);
        }
        // The methods that were not translated are among the failing ones.
        for key in ["classes_failed", "methods_unprobed"] {
            for one in found[key].as_array().into_iter().flatten() {
                self.untranslated += u64::from(key == "classes_failed");
                let what = key.replace('_', " ");
                println!("{file}: {what}: {}", one.as_str().unwrap_or_default());
            }
        }
    }

    fn print(&self) {
        for (cause, count) in &self.causes {
            println!("{count:8}  {cause}");
        }
        for (what, count) in &self.missing {
            println!("{count:8}  sites that name {what}");
        }
        println!(
            "{} failing methods, {} classes not translated, and {} call sites that cannot link, \
             in {} classes of {} APKs",
            self.failing, self.untranslated, self.sites, self.classes, self.apps
        );
    }
}
