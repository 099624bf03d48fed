//! The README's second command: everything that must hold before a change lands.

use crate::{Result, sh};

pub fn run(args: &[String]) -> Result {
    sh::show(sh::cargo().args(["fmt", "--all", "--check"]))?;
    sh::show(sh::cargo().args([
        "clippy",
        "--workspace",
        "--all-targets",
        "--",
        "-D",
        "warnings",
    ]))?;
    // Without the tensor engine everything else must still build.
    sh::show(sh::cargo().args([
        "clippy",
        "--package",
        "cargo-droidtest",
        "--all-targets",
        "--no-default-features",
        "--",
        "-D",
        "warnings",
    ]))?;
    // The jvm device's end-to-end tests need its parts; fetched once, then nothing is done here.
    sh::show(sh::cargo().args(["run", "--quiet", "--bin", "cargo-droidtest", "--", "setup"]))?;
    sh::show(
        sh::cargo()
            .args(["test", "--workspace", "--no-fail-fast"])
            .args(args),
    )
}
