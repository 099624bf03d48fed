//! A finding's stack, or other evidence, as the page shows it.

use super::text::block;

/// Characters shown of one finding, at least and at most; all of it is in the finding's folder.
const ONE: (usize, usize) = (1_000, 20_000);

/// Characters shown of all findings together, as long as each has the least.
const ALL: usize = 4_000_000;

/// Characters that each of so many findings may have.
pub fn each(findings: usize) -> usize {
    (ALL / findings.max(1)).clamp(ONE.0, ONE.1)
}

/// The lines; true for lines of the app's code.
pub fn lines(text: &str, package: &str, most: usize) -> Vec<(bool, String)> {
    let own = |line: &str| {
        let frame = line.trim_start().strip_prefix("at ");
        let inside = frame.and_then(|frame| frame.strip_prefix(package));
        !package.is_empty() && inside.is_some_and(|rest| rest.starts_with('.'))
    };
    block(text, most)
        .lines()
        .map(|line| (own(line), line.to_owned()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_findings_share_the_page() {
        assert_eq!([1, 200, 1_000].map(each), [20_000, 20_000, 4_000]);
        assert_eq!(each(100_000), 1_000);
    }

    #[test]
    fn frames_of_the_app_stand_out() {
        let stack = "java.lang.Error\n\tat org.app.Main.run(Main.java:3)\n\tat org.apple.Other.run(Other.java)";
        let own: Vec<_> = lines(stack, "org.app", 1000)
            .iter()
            .map(|line| line.0)
            .collect();
        assert_eq!(own, [false, true, false]);
        assert!(!lines(stack, "", 1000).iter().any(|line| line.0));
    }
}
