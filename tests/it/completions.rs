//! The completion scripts serve `cargo droidtest`, as a real shell completes it.

use crate::common::program::droidtest;
use droidtest::util::process;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

/// The completion script for a shell.
fn script(shell: &str, folder: &Path) -> String {
    let done = droidtest(folder)
        .args(["completions", shell])
        .output()
        .unwrap();
    assert!(done.status.success());
    String::from_utf8(done.stdout).unwrap()
}

/// Runs a shell; nothing where it is not installed, and says so.
fn run(shell: &str, args: &[&str], folder: &Path) -> Option<String> {
    let Ok(shell) = which::which(shell) else {
        crate::common::skip::skip(&format!("{shell} is not installed"));
        return None;
    };
    let mut command = Command::new(shell);
    command.args(args).current_dir(folder).stdin(Stdio::null());
    let done = process::run(&mut command, Duration::from_secs(120)).unwrap();
    let said = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success() && said.is_empty(), "{args:?}: {said}");
    Some(String::from_utf8(done.stdout).unwrap())
}

/// Completes the last of its words as bash does, and prints the candidates in one line.
const TRY: &str = r#"
source droidtest.bash
try() {
    COMP_WORDS=("$@")
    COMP_CWORD=$(($# - 1))
    [[ $(complete -p "$1") =~ -F\ ([^ ]+) ]]
    COMPREPLY=()
    "${BASH_REMATCH[1]}" "$1" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
    echo "${COMPREPLY[*]}"
}
try cargo droid
try cargo droidtest docto
try cargo +nightly droidtest run --resu
try cargo droidtest run --color ""
try cargo-droidtest gate up
_of_cargo() { COMPREPLY=("cargo's own for $2"); }
complete -F _of_cargo cargo
source droidtest.bash
source droidtest.bash
try cargo bui
try cargo droidtest inspe
"#;

#[test]
fn bash_completes_commands_options_and_values_and_leaves_cargo_its_own() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(
        folder.path().join("droidtest.bash"),
        script("bash", folder.path()),
    )
    .unwrap();
    fs::write(folder.path().join("try.bash"), TRY).unwrap();
    let Some(said) = run("bash", &["--norc", "try.bash"], folder.path()) else {
        return;
    };
    let wanted = [
        "droidtest",
        "doctor",
        "--resume",
        "auto always never",
        "update",
        "cargo's own for bui",
        "inspect",
    ];
    assert_eq!(said.lines().collect::<Vec<_>>(), wanted);
}

#[test]
fn fish_completes_what_comes_after_the_command() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(
        folder.path().join("droidtest.fish"),
        script("fish", folder.path()),
    )
    .unwrap();
    let line = "source droidtest.fish; complete -C 'cargo droidtest docto'; complete -C 'cargo droidtest run --resu'";
    let Some(said) = run("fish", &["--no-config", "-c", line], folder.path()) else {
        return;
    };
    let words: Vec<_> = said
        .lines()
        .filter_map(|line| line.split('\t').next())
        .collect();
    assert_eq!(words, ["doctor", "--resume"]);
}

/// Completes lines as zsh does, and prints the candidates of each in one line.
const ZSH: &str = r#"
zmodload zsh/zpty
try() {
    : > found
    zpty shell zsh -f -i
    zpty -w shell 'source ./init.zsh'
    zpty -w -n shell "$1"$'\t'
    while zpty -r shell line; do :; done
    zpty -d shell
    print -r -- ${(u)${(f)"$(<found)"}}
}
for line in "$@"; do try "$line"; done
"#;

/// What its shell reads: every candidate goes into a file, and the shell ends after the first completion.
const ZSH_INIT: &str = r#"
PROMPT=
fpath=($PWD $OF_CARGO $fpath)
autoload -U compinit
compinit -D -u
bindkey '^I' complete-word
compadd() {
    local -a hits
    builtin compadd -A hits "$@"
    print -rl -- $hits >> found
    builtin compadd "$@"
}
leave() { exit }
comppostfuncs=(leave)
"#;

/// The folder of cargo's own completion for zsh; `None`, and says so, if the toolchain has none.
fn of_cargo() -> Option<String> {
    let rustc = Command::new("rustc").args(["--print", "sysroot"]).output();
    let root = String::from_utf8(rustc.ok()?.stdout).ok()?;
    let folder = Path::new(root.trim()).join("share/zsh/site-functions");
    if !folder.join("_cargo").is_file() {
        crate::common::skip::skip("cargo has no completion for zsh here");
        return None;
    }
    folder.to_str().map(str::to_owned)
}

/// Cargo's completion calls the function of this name for `cargo droidtest`.
#[test]
fn zsh_completes_by_the_function_that_cargo_calls() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    let text = script("zsh", folder.path());
    assert!(text.contains("\n_cargo-droidtest() {\n"));
    write("_cargo-droidtest", &text);
    write("try.zsh", ZSH);
    let tried = |of_cargo: &str, lines: &[&str]| {
        write("init.zsh", &ZSH_INIT.replace("$OF_CARGO", of_cargo));
        run("zsh", &[&["-f", "try.zsh"], lines].concat(), folder.path())
    };
    let Some(said) = tried("", &["cargo-droidtest gate up"]) else {
        return;
    };
    assert_eq!(said, "update\n");
    let Some(of_cargo) = of_cargo() else {
        return;
    };
    let lines = ["cargo droidtest docto", "cargo droidtest run --resu"];
    assert_eq!(tried(&of_cargo, &lines).unwrap(), "doctor\n--resume\n");
}
