//! Tells the linker where libtorch lies, so that the tool, its tests and benches find it with no variable set.

use std::env;
use std::fs;
use std::path::PathBuf;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    if env::var_os("CARGO_FEATURE_DEEP").is_some() {
        println!(
            "cargo:warning=the feature `deep` is now `tch`; every build has the strategy `dinodroid` without it"
        );
    }
    // From torch-sys's build script, which ran before this one; absent without the feature `tch`.
    let Some(library) = env::var_os("DEP_TCH_LIBTORCH_LIB").map(PathBuf::from) else {
        return;
    };
    // The folder itself, not the clone's link to it: an installed binary outlives the clone.
    let library = fs::canonicalize(&library).unwrap_or(library);
    if env::var("CARGO_CFG_UNIX").is_ok() {
        println!("cargo:rustc-link-arg=-Wl,-rpath,{}", library.display());
    }
    // Nothing of ours names a symbol of libtorch's GPU half, so the linker would leave it out, and no GPU be seen.
    // What it needs in turn (cuBLAS and others) the loader finds next to it; the linker need not.
    let gpu = ["torch_cuda", "torch_hip"].into_iter();
    for half in gpu.filter(|half| library.join(format!("lib{half}.so")).exists()) {
        for argument in [
            "-Wl,--push-state,--no-as-needed",
            &format!("-l{half}"),
            "-Wl,--pop-state",
            "-Wl,--allow-shlib-undefined",
        ] {
            println!("cargo:rustc-link-arg={argument}");
        }
    }
}
