//! Apps added to the text of a suite; comments, order and everything else stay.

use toml_edit::{Array, ArrayOfTables, DocumentMut, Item, Table, TableLike, Value, value};

/// An app to add.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NewApp {
    /// Its name.
    pub name: String,
    /// The APK, relative to the suite's folder.
    pub apk: String,
    /// The command that builds it.
    pub build: Option<String>,
    /// The folders of its sources, relative to the suite's folder.
    pub sources: Vec<String>,
}

/// Adds apps to a suite's text, behind the apps that it has. `keys` lead to the suite's table in a manifest.
///
/// # Errors
/// Why the text cannot be edited.
pub fn add_apps(text: &str, keys: &[&str], apps: &[NewApp]) -> Result<String, String> {
    let mut document: DocumentMut = text
        .parse()
        .map_err(|e: toml_edit::TomlError| e.message().to_owned())?;
    let mut suite: &mut dyn TableLike = document.as_table_mut();
    for key in keys {
        suite = suite
            .get_mut(key)
            .and_then(Item::as_table_like_mut)
            .ok_or_else(|| format!("there is no table `{key}`"))?;
    }
    let new = || Item::ArrayOfTables(ArrayOfTables::new());
    match suite.entry("app").or_insert_with(new) {
        Item::ArrayOfTables(tables) => tables.extend(apps.iter().map(table)),
        Item::Value(Value::Array(array)) => {
            array.extend(apps.iter().map(|app| table(app).into_inline_table()));
        }
        _ => return Err("`app` is not an array of tables".to_owned()),
    }
    let edited = document.to_string();
    // The lines of an editor on Windows.
    let lines = text.matches('\n').count();
    Ok(match lines > 0 && text.matches("\r\n").count() == lines {
        true => edited.replace("\r\n", "\n").replace('\n', "\r\n"),
        false => edited,
    })
}

fn table(app: &NewApp) -> Table {
    let mut table = Table::new();
    table.insert("name", value(&app.name));
    table.insert("apk", value(&app.apk));
    if let Some(build) = &app.build {
        table.insert("build", value(build));
    }
    if !app.sources.is_empty() {
        table.insert("sources", value(app.sources.iter().collect::<Array>()));
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    fn app(name: &str) -> NewApp {
        NewApp {
            name: name.into(),
            apk: format!("{name}.apk"),
            ..NewApp::default()
        }
    }

    #[test]
    fn an_app_comes_behind_the_others_and_nothing_else_changes() {
        let text = "# mine\n[suite]\nname = 'x' # one\n\n[[app]]\nname = \"a\"\napk = \"a.apk\"\n[app.text]\nuser = \"me\"\n\n# the phone\n[[device]]\nname = \"jvm\"\nkind = \"jvm\"\n# the end\n";
        let mut new = app("b");
        new.build = Some("make b".into());
        new.sources = vec!["src/main/java".into()];
        let edited = add_apps(text, &[], &[new, app("c")]).unwrap();
        let tables = "\n[[app]]\nname = \"b\"\napk = \"b.apk\"\nbuild = \"make b\"\nsources = [\"src/main/java\"]\n\n[[app]]\nname = \"c\"\napk = \"c.apk\"\n";
        let expected = text.replace("\n# the phone", &format!("{tables}\n# the phone"));
        assert_eq!(edited, expected);
    }

    #[test]
    fn an_inline_array_a_manifest_and_lines_of_windows_are_edited_too() {
        let inline = "app = [{ name = \"a\", apk = \"a.apk\" }]\n";
        let edited = add_apps(inline, &[], &[app("b")]).unwrap();
        assert_eq!(
            edited,
            "app = [{ name = \"a\", apk = \"a.apk\" }, { name = \"b\", apk = \"b.apk\" }]\n"
        );
        let manifest = "[package]\nname = \"p\"\n\n[package.metadata.droidtest.suite]\nseeds = [1]\n\n[dependencies]\n";
        let edited =
            add_apps(manifest, &["package", "metadata", "droidtest"], &[app("b")]).unwrap();
        assert!(
            edited.contains("[[package.metadata.droidtest.app]]\nname = \"b\""),
            "{edited}"
        );
        let edited = add_apps("[suite]\r\nseeds = [1]\r\n", &[], &[app("b")]).unwrap();
        assert_eq!(edited.matches("\r\n").count(), edited.matches('\n').count());
        assert!(add_apps("app = 1", &[], &[app("b")]).is_err());
    }
}
