//! Training the policy that ships with the crate, for `docs/policy.md`.

use crate::halves::{self, Apk};
use crate::{Result, sh, study};
use serde_json::Value;
use std::fmt::Write as _;
use std::fs;
use std::process::Command;

/// Where it lies in the crate.
const SHIPPED: &str = "src/strategy/dinodroid/policy.safetensors";

pub fn run(args: &[String]) -> Result {
    let folder = study::folder(args)?;
    let events = sh::number(args, "--events", 600)?;
    let seeds = sh::number(args, "--seeds", 1)?;
    let base = sh::target().join("studies").join("policy");
    if args.iter().any(|a| a == "--fresh") {
        let _ = fs::remove_dir_all(&base);
    }
    fs::create_dir_all(&base).map_err(|e| format!("cannot make {}: {e}", base.display()))?;
    let mut apps = halves::apks(folder)?;
    apps.retain(|app| halves::is_trained_on(&app.package));
    let suite = base.join("suite.toml");
    fs::write(&suite, toml(&apps, events, seeds))
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
    let shipped = sh::root().join(SHIPPED);
    fs::copy(&policy, &shipped).map_err(|e| format!("cannot write {}: {e}", shipped.display()))?;
    println!("{} now ships", policy.display());
    Ok(())
}

/// Models first, for they cost nothing; then the sample app; then one half of the folder.
fn toml(apps: &[Apk], events: u64, seeds: u64) -> String {
    let seeds: Vec<u64> = (1..=seeds).collect();
    let mut toml = format!(
        "[suite]\nname = \"policy\"\nbudget = {{ events = {events} }}\nseeds = {seeds:?}\n\n\
         [minimize]\nenabled = false\n\n[report]\nhtml = false\nscreenshots = \"none\"\n\n\
         [[device]]\nname = \"sim\"\nkind = \"sim\"\n\n[[device]]\nname = \"jvm\"\nkind = \"jvm\"\n\n\
         [[strategy]]\nkind = \"dinodroid\"\npolicy = {{ fresh = true }}\n\n"
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
