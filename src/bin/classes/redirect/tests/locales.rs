//! The lists of languages.

use super::*;

#[test]
fn lists_of_languages_are_androids() {
    for owner in ["java/util/Locale", "java/text/DateFormat"] {
        let text = format!("static {owner}.getAvailableLocales()[Ljava/util/Locale;");
        let mut class = class_with(|pool| vec![call(pool, &text)]);
        apply(&mut class, Calls::Confined);
        let named = "static box/Locales.named([Ljava/util/Locale;)[Ljava/util/Locale;";
        assert_eq!(listing(&class), [text.as_str(), named]);
    }
    let own = "static org/app/Locales.getAvailableLocales()[Ljava/util/Locale;";
    let mut class = class_with(|pool| vec![call(pool, own)]);
    apply(&mut class, Calls::Confined);
    assert_eq!(listing(&class), [own]);
}
