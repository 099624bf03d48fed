//! Blocked and allowed activities must be the app's: a name that no activity has blocks nothing.

use super::super::merged_apk::is_several;
use super::AppInputs;
use crate::apk::{Apk, Manifest};
use crate::config::AppSource;
use crate::config::diagnose::{Code, Problem};
use crate::gui::activity_name;

impl AppInputs<'_> {
    /// Checks the names against the manifest, where there is one file with all of it.
    pub(super) fn activities(&self, problems: &mut Vec<Problem>) {
        let AppSource::Apk(path) = &self.app.source else {
            return;
        };
        let (block, allow) = (&self.app.block.activities, &self.app.allow.activities);
        let on_disk = self.suite.on_disk(path);
        if block.is_empty() && allow.is_empty()
            || self.app.build.is_some()
            || is_several(self.app, &on_disk)
        {
            return;
        }
        // What is wrong with the file is the device's to say.
        let Ok(apk) = Apk::open(on_disk.as_std_path()) else {
            return;
        };
        for (key, names) in [("block", block), ("allow", allow)] {
            for (index, name) in names.iter().enumerate() {
                let Some(help) = undeclared(&apk.manifest, name) else {
                    continue;
                };
                let app = &self.app.name;
                let said = format!("the app `{app}` declares no activity `{name}`");
                let step = [key.into(), "activities".into(), index.into()];
                let place = self.suite.place(&self.path(&step), "no such activity");
                problems.push(Problem::new(Code::UnknownName, said).at(place).help(help));
            }
        }
    }
}

/// The help for a name that no declared activity has; `None`: one has it, or it is of another app.
fn undeclared(manifest: &Manifest, name: &str) -> Option<String> {
    let activities = manifest.activities.iter().map(|one| &one.component);
    let components = activities.chain(manifest.aliases.iter().map(|one| &one.component));
    let declared: Vec<&str> = components.map(|one| one.name.as_str()).collect();
    if declared.iter().any(|one| activity_name::matches(name, one)) {
        return None;
    }
    let full = name.contains('.') && !name.starts_with('.');
    let own = |class: &&str| family(class) == family(name);
    if full && !declared.iter().any(own) && family(&manifest.package) != family(name) {
        return None;
    }
    let last = |class: &str| class.rsplit('.').next().unwrap_or_default().to_lowercase();
    let word = last(name);
    let near = declared
        .iter()
        .min_by_key(|class| strsim::damerau_levenshtein(&word, &last(class)));
    Some(match near {
        Some(near) => format!("the nearest of its manifest is `{near}`"),
        None => "its manifest has no activity: delete the name".to_owned(),
    })
}

/// The first two parts of a class: those of one company's app.
fn family(class: &str) -> Vec<&str> {
    class.split('.').take(2).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::apk::{Activity, Component};

    #[test]
    fn the_help_for_a_name_that_no_activity_has_is_the_nearest() {
        let activity = |name: &str| Activity {
            component: Component {
                name: name.to_owned(),
                ..Component::default()
            },
            ..Activity::default()
        };
        let manifest = Manifest {
            package: "org.mill".to_owned(),
            activities: vec![
                activity("org.mill.MainActivity"),
                activity("org.mill.pay.PayActivity"),
            ],
            ..Manifest::default()
        };
        for name in [
            "MainActivity",
            ".PayActivity",
            "Pay*",
            "org.mill.*",
            "com.bank.Login",
            "com.bank.*",
        ] {
            assert_eq!(undeclared(&manifest, name), None, "{name}");
        }
        for (name, near) in [
            ("org.mill.PayActivty", "org.mill.pay.PayActivity"),
            ("MianActivity", "org.mill.MainActivity"),
            (".pay.Main", "org.mill.MainActivity"),
            ("Zzz*", "org.mill."),
        ] {
            let help = undeclared(&manifest, name).unwrap();
            assert!(help.contains(near), "{name}: {help}");
        }
    }
}
