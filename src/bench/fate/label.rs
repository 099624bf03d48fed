//! What models are called in rows, so that no two are called alike.

use camino::Utf8Path;

/// A label for each model, given by its name and its file (or `builtin:NAME`), which is its own. It is the name where no
/// other file's label is the same, else the file's stem, else its path. A file that is there twice is one model.
pub fn labels(models: &[(&str, &Utf8Path)]) -> Vec<String> {
    let mut spelled = vec![0; models.len()];
    loop {
        let labels: Vec<&str> = models
            .iter()
            .zip(&spelled)
            .map(|(&(name, file), spelled)| match spelled {
                0 => name,
                1 => file.file_stem().unwrap_or(file.as_str()),
                _ => file.as_str(),
            })
            .collect();
        let shared = |at: usize| {
            let others = models.iter().zip(&labels);
            others
                .filter(|(other, _)| other.1 != models[at].1)
                .any(|(_, label)| *label == labels[at])
        };
        let longer: Vec<usize> = (0..models.len())
            .filter(|&at| spelled[at] < 2 && shared(at))
            .collect();
        if longer.is_empty() {
            return labels.into_iter().map(str::to_owned).collect();
        }
        for at in longer {
            spelled[at] += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(models: &[(&str, &str)]) -> Vec<String> {
        let files = models.iter().map(|(name, file)| (*name, (*file).into()));
        labels(&files.collect::<Vec<_>>())
    }

    #[test]
    fn models_of_one_name_are_told_apart_by_their_files() {
        assert_eq!(
            of(&[("bank", "m/bank.json"), ("shop", "m/other.json")]),
            ["bank", "shop"]
        );
        assert_eq!(
            of(&[("bank", "bank.json"), ("bank", "bank-ptolemy.xml")]),
            ["bank", "bank-ptolemy"]
        );
        let paths = ["a/bank.json", "b/bank.json"];
        assert_eq!(of(&[("bank", paths[0]), ("bank", paths[1])]), paths);
        // One file with two numbers of strings.
        assert_eq!(
            of(&[("bank", "bank.json"), ("bank", "bank.json")]),
            ["bank", "bank"]
        );
    }

    #[test]
    fn a_stem_that_is_anothers_name_tells_nothing_apart() {
        let found = of(&[
            ("shop", "builtin:shop"),
            ("bank", "shop.json"),
            ("bank", "till.json"),
        ]);
        assert_eq!(found, ["builtin:shop", "shop.json", "till"]);
    }
}
