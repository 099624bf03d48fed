//! Which apps and seeds a stage has, in which order.

use super::Stage;
use crate::Result;
use crate::halves::{self, Apk};
use std::collections::BTreeSet;
use std::path::PathBuf;

/// Apps that no strategy can launch on the jvm device (`docs/compat.md`).
const CANNOT_LAUNCH: [&str; 2] = ["Kyant0-Expressa", "emilkrebs-WatchLock"];

/// So many old apps of AndroTest, and as many others, make the confirmation.
const OF_EACH: usize = 12;

/// So many old apps, and as many modern ones, make the screening.
const SCREENED: usize = 12;

/// One app with one seed: the smallest part of the study that a machine completes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unit {
    pub app: String,
    pub file: PathBuf,
    pub seed: u64,
}

impl Unit {
    /// The name of its bench.
    pub fn id(&self) -> String {
        format!("{}-{}", self.app, self.seed)
    }
}

/// All units of a stage, the first seed of every app before the second of any, old and modern apps in turn: whenever
/// the study is stopped, it has measured both kinds alike.
pub fn units(stage: Stage, old: &str, modern: &str) -> Result<Vec<Unit>> {
    let apps = chosen(stage, halves::apks(old)?, halves::apks(modern)?);
    let units = (1..=stage.seeds()).flat_map(|seed| {
        apps.iter().map(move |apk| Unit {
            app: apk.name().replace(' ', "_"),
            file: apk.file.clone(),
            seed,
        })
    });
    Ok(units.collect())
}

/// No app of the bundled policy's half is compared on old apps. The confirmation has the first of the other half, the
/// screening the rest, filled up with the last ones of the confirmation. Of the modern apps, on which no policy was
/// trained, one half is for the screening, the other for the confirmation.
fn chosen(stage: Stage, old: Vec<Apk>, modern: Vec<Apk>) -> Vec<Apk> {
    let mut seen = BTreeSet::new();
    let old = old.into_iter().filter(|apk| {
        !halves::is_trained_on(&apk.package) && seen.insert(halves::app(&apk.package).to_owned())
    });
    let (mut androtest, mut others): (Vec<_>, Vec<_>) =
        old.partition(|apk| apk.name().starts_with("androtest-"));
    let mut rest = androtest.split_off(OF_EACH.min(androtest.len()));
    rest.extend(others.split_off(OF_EACH.min(others.len())));
    let confirmed: Vec<Apk> = androtest.into_iter().chain(others).collect();
    let launched = |apk: &Apk| !CANNOT_LAUNCH.contains(&apk.name().as_str());
    let (screened, held_out): (Vec<_>, Vec<_>) =
        (modern.into_iter().filter(launched)).partition(|apk| halves::is_trained_on(&apk.package));
    match stage {
        Stage::Screening => {
            rest.extend(confirmed.into_iter().rev());
            let screened = screened.into_iter().take(SCREENED);
            in_turn(screened, rest.into_iter().take(SCREENED))
        }
        Stage::Early | Stage::Confirmation => in_turn(held_out.into_iter(), confirmed.into_iter()),
    }
}

fn in_turn(mut a: impl Iterator<Item = Apk>, mut b: impl Iterator<Item = Apk>) -> Vec<Apk> {
    let mut all = Vec::new();
    loop {
        let before = all.len();
        all.extend(a.next());
        all.extend(b.next());
        if all.len() == before {
            return all;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn apks(prefix: &str, packages: &[&str]) -> Vec<Apk> {
        let apk = |(number, package): (usize, &&str)| Apk {
            file: format!("{prefix}{number:02}.apk").into(),
            package: (*package).to_owned(),
        };
        packages.iter().enumerate().map(apk).collect()
    }

    fn names(apps: &[Apk]) -> Vec<String> {
        apps.iter().map(Apk::name).collect()
    }

    #[test]
    fn stages_share_no_app_but_those_that_fill_up() {
        let free: Vec<String> = (0..200)
            .map(|n| format!("p{n}"))
            .filter(|p| !halves::is_trained_on(p))
            .collect();
        let free: Vec<&str> = free.iter().map(String::as_str).collect();
        let mut old = apks("androtest-", &free[..14]);
        old.extend(apks("other-", &free[14..20]));
        // Another build of the first, and an app that the policy was trained on.
        old.push(apks("debug-", &[&format!("{}.debug", free[0])])[0].clone());
        old.extend(
            apks(
                "trained-",
                &["net.mandaria.trained", "p1", "p2", "p3", "p4"],
            )
            .into_iter()
            .filter(|apk| halves::is_trained_on(&apk.package)),
        );
        let modern = apks(
            "modern-",
            &["com.example.homeassistantlauncher", "inc.flide.vi8.rc"],
        );
        let confirmed = names(&chosen(Stage::Confirmation, old.clone(), modern.clone()));
        let screened = names(&chosen(Stage::Screening, old, modern));
        assert_eq!(confirmed.len(), 12 + 6 + 1);
        assert_eq!(
            &confirmed[..3],
            ["modern-01", "androtest-00", "androtest-01"]
        );
        assert!(confirmed.iter().all(|name| !name.starts_with("trained-")));
        assert_eq!(
            &screened[..5],
            [
                "modern-00",
                "androtest-12",
                "androtest-13",
                "other-05",
                "other-04"
            ]
        );
        assert_eq!(screened.len(), 1 + 12);
    }
}
