//! The page of all commands and options, from `--help`.

use super::printed;
use crate::Result;
use std::fmt::Write as _;
use std::path::Path;

/// The options that every command has, which are shown once.
const GLOBAL: &str = "Global options:\n";

/// The page.
pub fn page(tool: &Path) -> Result<String> {
    let mut page = "# Commands and options\n\nGenerated from `--help`. [Commands](../docs/commands.md) is the overview.\n".to_owned();
    add(tool, &mut Vec::new(), &mut page)?;
    Ok(page)
}

/// Adds a command and those below it.
fn add(tool: &Path, path: &mut Vec<String>, page: &mut String) -> Result {
    let args: Vec<&str> = path.iter().map(String::as_str).chain(["--help"]).collect();
    let help = printed(tool, &args)?;
    let shown = match path.is_empty() {
        true => &help,
        false => help.split(GLOBAL).next().unwrap_or(&help),
    };
    let name = [&["cargo droidtest".to_owned()], path.as_slice()]
        .concat()
        .join(" ");
    let _ = write!(page, "\n## {name}\n\n```text\n{}\n```\n", shown.trim());
    for command in below(&help) {
        path.push(command.to_owned());
        add(tool, path, page)?;
        path.pop();
    }
    Ok(())
}

/// The names of the commands that a help text lists.
fn below(help: &str) -> impl Iterator<Item = &str> {
    let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let rows = listed.take_while(|line| !line.is_empty());
    let names = rows.filter(|row| !row.starts_with("   "));
    let names = names.filter_map(|row| row.split_whitespace().next());
    names.filter(|name| *name != "help")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_the_first_words_of_rows_and_nothing_else() {
        let help = "Tool\n\nCommands:\n  run    Explore\n         more\n  help   Print\n\nOptions:\n  -h\n";
        assert_eq!(below(help).collect::<Vec<_>>(), ["run"]);
        assert_eq!(below("Options:\n  -h\n").count(), 0);
    }
}
