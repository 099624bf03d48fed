//! Visual Studio Code: its English texts as code-server has them, and language packs of an earlier version,
//! joined by module and key.

use super::catalogue::{Catalogue, script};
use super::read::json;
use crate::Result;
use serde_json::Value;
use std::path::Path;

/// What the names of language packs start with; the language follows.
pub const PACK: &str = "@codingame/monaco-vscode-language-pack-";

/// English texts under `MODULE/KEY`: one file has the modules with their keys, one the texts in the same order.
pub fn english(folder: &Path) -> Result<Catalogue> {
    let out = folder.join("package/lib/vscode/out");
    let (keys, texts) = (
        json(&out.join("nls.keys.json"))?,
        json(&out.join("nls.messages.json"))?,
    );
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let mut texts = list(&texts).into_iter();
    let mut catalogue = Catalogue::new();
    for module in list(&keys) {
        let path = module[0].as_str().unwrap_or_default();
        for (key, text) in list(&module[1]).iter().zip(&mut texts) {
            if let (Some(key), Some(text)) = (key.as_str(), text.as_str()) {
                catalogue.insert(format!("{path}/{key}"), text.to_owned());
            }
        }
    }
    Ok(catalogue)
}

/// A language pack's texts under `MODULE/KEY`.
pub fn pack(folder: &Path) -> Result<Catalogue> {
    script(&folder.join("package/translations/main.i18n.json.js"))
}
