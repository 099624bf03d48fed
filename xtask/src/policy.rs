//! Training policies on one half of a folder of APKs: the one that ships with the crate, for `docs/policy.md`, and those
//! of `qbe`, for `docs/results.md`.

use crate::halves::{self, Apk};
use crate::{Result, results, sh, study};
use serde_json::Value;
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

/// Where it is in the crate.
const SHIPPED: &str = "src/strategy/dinodroid/policy.safetensors";

pub fn run(args: &[String]) -> Result {
    let folder = study::folder(args)?;
    let events = sh::number(args, "--events", 600)?;
    let seeds = sh::number(args, "--seeds", 1)?;
    // `qbe` learns for a goal, and tries all types of actions alike; without a goal the bundled policy is trained.
    let goal = sh::option(args, "--qbe")?;
    let (name, settings, kept) = match goal {
        None => (
            "policy".to_owned(),
            "kind = \"dinodroid\"\npolicy = { fresh = true }".to_owned(),
            sh::root().join(SHIPPED),
        ),
        Some(goal @ ("crashes" | "activities")) => (
            format!("policy-qbe-{goal}"),
            format!("kind = \"qbe\"\ngoal = \"{goal}\"\nepsilon = 1.0"),
            of_qbe(goal),
        ),
        Some(_) => return Err("--qbe must be crashes or activities".to_owned()),
    };
    let base = sh::target().join("studies").join(name);
    if args.iter().any(|a| a == "--fresh") {
        let _ = fs::remove_dir_all(&base);
    }
    fs::create_dir_all(&base).map_err(|e| format!("cannot make {}: {e}", base.display()))?;
    let mut apps = halves::apks(folder)?;
    apps.retain(|app| halves::is_trained_on(&app.package));
    let suite = base.join("suite.toml");
    fs::write(&suite, toml(&apps, &settings, events, seeds))
        .map_err(|e| format!("cannot write {}: {e}", suite.display()))?;
    let policy = base.join("policy.safetensors");
    sh::show(
        Command::new(sh::build_tool()?)
            .args(["train", "policy", "--suite"])
            .arg(&suite)
            .arg("--policy")
            .arg(&policy)
            .arg("--out")
            .arg(base.join("runs")),
    )?;
    fs::copy(&policy, &kept).map_err(|e| format!("cannot write {}: {e}", kept.display()))?;
    println!("{} is now {}", policy.display(), kept.display());
    Ok(())
}

/// The policy of `qbe` for a goal.
fn of_qbe(goal: &str) -> PathBuf {
    results::folder().join(format!("qbe-{goal}.safetensors"))
}

/// What a policy states about itself in its header (safetensors: eight bytes of length, then JSON).
pub fn header(policy: &[u8]) -> Option<Value> {
    let (length, rest) = policy.split_first_chunk()?;
    let length = usize::try_from(u64::from_le_bytes(*length)).ok()?;
    let header: Value = serde_json::from_slice(rest.get(..length)?).ok()?;
    serde_json::from_str(header["__metadata__"]["droidtest"].as_str()?).ok()
}

/// Models first, for they cost nothing; then the sample app; then one half of the folder.
fn toml(apps: &[Apk], strategy: &str, events: u64, seeds: u64) -> String {
    let seeds: Vec<u64> = (1..=seeds).collect();
    let mut toml = format!(
        "[suite]\nname = \"policy\"\nbudget = {{ events = {events} }}\nseeds = {seeds:?}\n\n\
         [faults]\nrate = 0\n\n[minimize]\nenabled = false\n\n[report]\nhtml = false\nscreenshots = \"none\"\n\n\
         [[device]]\nname = \"sim\"\nkind = \"sim\"\n\n[[device]]\nname = \"jvm\"\nkind = \"jvm\"\n\n\
         [[strategy]]\n{strategy}\n\n"
    );
    for model in ["notes", "shop", "tape"] {
        let _ = write!(
            toml,
            "[[app]]\nname = \"model-{model}\"\nmodel = \"builtin:{model}\"\n\n"
        );
    }
    let sample = sh::root().join("tests/apps/notes/notes.apk");
    let mut app = |name: &str, file: &std::path::Path| {
        // A JSON string is a TOML basic string.
        let (name, file) = (Value::from(name), Value::from(file.display().to_string()));
        let _ = write!(toml, "[[app]]\nname = {name}\napk = {file}\n\n");
    };
    app("sample", &sample);
    for apk in apps {
        app(&apk.name(), &apk.file);
    }
    toml
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What `cargo xtask results` measures was never learned from.
    #[test]
    fn policies_have_learned_from_their_half_alone() {
        // The models and the sample app belong to no folder.
        let ours = ["notes", "shop", "tape"].map(|model| format!("org.example.{model}"));
        let shipped = sh::root().join(SHIPPED);
        for file in [shipped, of_qbe("crashes"), of_qbe("activities")] {
            let own = header(&fs::read(&file).unwrap()).unwrap();
            let lessons = own["history"].as_array().unwrap();
            let packages: Vec<&str> = lessons
                .iter()
                .filter_map(|lesson| lesson["package"].as_str())
                .collect();
            assert!(
                packages.len() == lessons.len() && packages.len() > 20,
                "{}: {packages:?}",
                file.display()
            );
            for package in packages {
                let own = package == "org.droidtest.notes" || ours.iter().any(|our| our == package);
                assert!(own || halves::is_trained_on(package), "{package}");
            }
        }
        assert_eq!(header(b"short"), None);
        assert_eq!(header(b"\x02\0\0\0\0\0\0\0{}"), None);
    }
}
