//! Texts of an app in the languages of exports.

/// The name of the variable, or the test's argument, that has the text of a key of `[app.text]`.
pub fn variable(key: &str) -> String {
    let name = key.to_ascii_uppercase();
    let allowed = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    format!("TEXT_{}", name.chars().map(allowed).collect::<String>())
}
