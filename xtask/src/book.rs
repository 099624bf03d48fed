//! The documentation as a book: its pages, and the reference that the tool itself prints.

mod commands;
mod links;
mod settings;

use crate::{Result, engine, sh};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The version of mdBook that is installed if there is none.
const MDBOOK: &str = "0.5.4";

/// Other pages and files that pages link to; in the book they are where they are in the repository.
const BESIDE: [&str; 9] = [
    "README.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "Containerfile",
    "docs",
    "example-configs",
    "templates/ci",
    "templates/coverage-hook",
    "tests/apps/pantry/planted.toml",
];

/// The line of the table of contents that the generated pages take the place of.
const GENERATED: &str = "<!-- generated -->\n";

pub fn run(args: &[String]) -> Result {
    if let Some(arg) = args.first() {
        return Err(format!("book takes no argument, not {arg:?}"));
    }
    if std::env::var_os("XTASK_TOOL").is_none() {
        engine::prepare()?;
    }
    let tool = sh::build_tool()?;
    let book = sh::target().join("book");
    if book.exists() {
        fs::remove_dir_all(&book).map_err(|e| failed(&book, &e))?;
    }
    let pages = book.join("src");
    for name in BESIDE {
        copy(&sh::root().join(name), &pages.join(name))?;
    }
    write(
        &pages.join("reference/commands.md"),
        &commands::page(&tool)?,
    )?;
    write(
        &pages.join("reference/settings.md"),
        &settings::page(&tool)?,
    )?;
    let contents = read("docs/SUMMARY.md")?;
    write(&pages.join("SUMMARY.md"), &summary(&contents)?)?;
    // The contents are also a page. mdBook makes `index.html` of the README, and does not lead links there.
    let shown = contents.replace("../README.md", "../index.html");
    write(&pages.join("docs/SUMMARY.md"), &shown)?;
    write(&book.join("book.toml"), &read("docs/book.toml")?)?;
    sh::show(Command::new(mdbook()?).arg("build").arg(&book))?;
    let html = book.join("html");
    let checked = links::check(&html)?;
    println!(
        "{checked} links lead to a page of the book; open {}",
        html.join("index.html").display()
    );
    Ok(())
}

/// The table of contents as seen from the root of the repository, with the generated pages.
fn summary(docs: &str) -> Result<String> {
    let generated =
        "- [Settings](reference/settings.md)\n- [Commands and options](reference/commands.md)\n";
    if !docs.contains(GENERATED) {
        return Err(format!("docs/SUMMARY.md has no line {}", GENERATED.trim()));
    }
    let moved = docs.replace("](", "](docs/").replace("](docs/../", "](");
    Ok(moved.replace(GENERATED, generated))
}

/// An mdBook of the version that the pages were checked with, on the PATH or in `target/mdbook`.
fn mdbook() -> Result<PathBuf> {
    let ours = sh::target().join("mdbook");
    let installed = ours
        .join("bin")
        .join(format!("mdbook{}", std::env::consts::EXE_SUFFIX));
    for program in [PathBuf::from("mdbook"), installed.clone()] {
        let version = Command::new(&program).arg("--version").output();
        if version.is_ok_and(|v| {
            String::from_utf8_lossy(&v.stdout)
                .trim_end()
                .ends_with(MDBOOK)
        }) {
            return Ok(program);
        }
    }
    sh::show(
        sh::cargo()
            .args(["install", "--locked", "mdbook", "--version", MDBOOK])
            .args(["--no-default-features", "--features", "search"])
            .arg("--root")
            .arg(&ours),
    )?;
    Ok(installed)
}

/// What the tool prints with these arguments, the same on every machine.
fn printed(tool: &Path, args: &[&str]) -> Result<String> {
    let out = Command::new(tool)
        .env_clear()
        .args(args)
        .output()
        .map_err(|e| failed(tool, &e))?;
    if !out.status.success() {
        let reason = String::from_utf8_lossy(&out.stderr);
        return Err(format!(
            "{} {} failed: {reason}",
            tool.display(),
            args.join(" ")
        ));
    }
    String::from_utf8(out.stdout).map_err(|e| format!("{}: {e}", tool.display()))
}

fn read(name: &str) -> Result<String> {
    let path = sh::root().join(name);
    fs::read_to_string(&path).map_err(|e| failed(&path, &e))
}

fn write(path: &Path, text: &str) -> Result {
    let folder = path.parent().unwrap_or(path);
    fs::create_dir_all(folder).map_err(|e| failed(folder, &e))?;
    fs::write(path, text).map_err(|e| failed(path, &e))
}

/// Copies a file, or a folder with all that is in it.
fn copy(from: &Path, to: &Path) -> Result {
    if from.is_dir() {
        for entry in fs::read_dir(from).map_err(|e| failed(from, &e))? {
            let entry = entry.map_err(|e| failed(from, &e))?;
            copy(&entry.path(), &to.join(entry.file_name()))?;
        }
        return Ok(());
    }
    let folder = to.parent().unwrap_or(to);
    fs::create_dir_all(folder).map_err(|e| failed(folder, &e))?;
    fs::copy(from, to).map(drop).map_err(|e| failed(from, &e))
}

fn failed(path: &Path, e: &std::io::Error) -> String {
    format!("{}: {e}", path.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_contents_are_seen_from_the_root_and_name_the_generated_pages() {
        let docs = format!("[a](../README.md)\n- [b](ci.md)\n{GENERATED}- [c](x/y.md)\n");
        let root = summary(&docs).unwrap();
        assert!(root.contains("[a](README.md)\n- [b](docs/ci.md)\n- [Settings](reference/"));
        assert!(root.ends_with("- [c](docs/x/y.md)\n"), "{root}");
        assert!(summary("[a](b.md)").unwrap_err().contains("SUMMARY"));
    }
}
