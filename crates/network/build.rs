//! Lets this crate's tests find libtorch with no variable set. The tool's own build script does the same for the tool.

use std::env;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    // From torch-sys's build script, which ran before this one; absent without the feature `tch`.
    if let Ok(library) = env::var("DEP_TCH_LIBTORCH_LIB") {
        println!("cargo:rustc-link-arg=-Wl,-rpath,{library}");
    }
}
