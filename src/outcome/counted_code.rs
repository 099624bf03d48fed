//! Which classes code coverage counts: the denominator of its figures.

use serde::{Deserialize, Serialize};

/// The classes that an app's code coverage counts, and how many it leaves out.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct CountedCode {
    /// The app's own packages, with their subpackages; none if all packages count that the suite does not exclude.
    pub packages: Vec<String>,
    /// Classes that count.
    pub classes: u64,
    /// Classes of the app that do not: libraries, what the suite excludes, generated code.
    pub others: u64,
}

impl CountedCode {
    /// `1234 classes in org.example; 58766 others are not counted`.
    pub fn words(&self) -> String {
        let plural = if self.classes == 1 {
            "class"
        } else {
            "classes"
        };
        let where_ = match self.packages.as_slice() {
            [] => "in all packages that are not excluded".to_owned(),
            packages => format!("in {}", packages.join(", ")),
        };
        let others = match self.others {
            0 => String::new(),
            1 => "; 1 other is not counted".to_owned(),
            others => format!("; {others} others are not counted"),
        };
        format!("{} {plural} {where_}{others}", self.classes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_denominator_is_named_in_words() {
        let mut counted = CountedCode {
            packages: vec!["org.example".to_owned(), "net.fork".to_owned()],
            classes: 1234,
            others: 58766,
        };
        assert_eq!(
            counted.words(),
            "1234 classes in org.example, net.fork; 58766 others are not counted"
        );
        counted = CountedCode {
            packages: Vec::new(),
            classes: 1,
            others: 0,
        };
        assert_eq!(
            counted.words(),
            "1 class in all packages that are not excluded"
        );
    }
}
