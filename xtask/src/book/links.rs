//! Checks the built book: each link within it leads to a page or file, and to an anchor that is there.

use super::failed;
use crate::Result;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Component, Path, PathBuf};

/// The number of links that were checked; an error names each one that leads nowhere.
pub fn check(book: &Path) -> Result<usize> {
    let mut pages = BTreeMap::new();
    collect(book, &mut pages)?;
    let mut checked = 0;
    let mut wrong = Vec::new();
    for (path, html) in &pages {
        for link in attributes(html, "href").chain(attributes(html, "src")) {
            if link.contains("://") || link.starts_with("mailto:") || link.starts_with("data:") {
                continue;
            }
            checked += 1;
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = match file {
                "" => path.clone(),
                _ => plain(&path.parent().unwrap_or(path).join(file)),
            };
            let found = match pages.get(&target) {
                Some(page) => anchor.is_empty() || attributes(page, "id").any(|id| id == anchor),
                None => target.is_file(),
            };
            if !found {
                let page = path.strip_prefix(book).unwrap_or(path);
                wrong.push(format!("{}: {link}", page.display()));
            }
        }
    }
    match wrong.is_empty() {
        true => Ok(checked),
        false => Err(format!(
            "{} links lead nowhere:\n{}",
            wrong.len(),
            wrong.join("\n")
        )),
    }
}

/// All pages below a folder. That for missing pages has its links from the root of a site, so it is left out.
fn collect(folder: &Path, pages: &mut BTreeMap<PathBuf, String>) -> Result {
    for entry in fs::read_dir(folder).map_err(|e| failed(folder, &e))? {
        let path = entry.map_err(|e| failed(folder, &e))?.path();
        if path.is_dir() {
            collect(&path, pages)?;
        } else if path.extension().is_some_and(|e| e == "html") && !path.ends_with("404.html") {
            let html = fs::read_to_string(&path).map_err(|e| failed(&path, &e))?;
            pages.insert(path, html);
        }
    }
    Ok(())
}

/// The values of an attribute, anywhere in a page.
fn attributes<'a>(html: &'a str, name: &str) -> impl Iterator<Item = &'a str> {
    let start = format!(" {name}=\"");
    html.match_indices(&start)
        .map(|(at, found)| &html[at + found.len()..])
        .filter_map(|rest| rest.split('"').next())
        .collect::<Vec<_>>()
        .into_iter()
}

/// The path without `.` and `..`.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(plain.pop()),
            Component::CurDir => {}
            other => plain.push(other),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_page_a_missing_anchor_and_a_missing_picture_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
        fs::create_dir(folder.path().join("sub")).unwrap();
        write("sub/b.html", r#"<h1 id="x">b</h1>"#);
        write(
            "a.html",
            r##"<a href="sub/b.html#x"><a href="https://a.b/"><a href="#y" id="y">"##,
        );
        assert_eq!(check(folder.path()), Ok(2));
        write(
            "a.html",
            r#"<a href="c.html"><a href="sub/../sub/b.html#z"><img src="p.png">"#,
        );
        let error = check(folder.path()).unwrap_err();
        for link in ["a.html: c.html", "b.html#z", "p.png", "3 links"] {
            assert!(error.contains(link), "{link}: {error}");
        }
    }
}
