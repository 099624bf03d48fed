//! Checks before the first lesson that all lessons of a course can share one policy.

use super::TrainError;
use crate::config::Suite;
use crate::config::diagnose::{Code, Problem};
use crate::config::source::Segment;
use crate::run::RunError;
use crate::run::devices;
use crate::run::learning::{self, Models, Origins};
use crate::run::plan::{Plan, Session};
use crate::run::prepare::Ready;
use crate::strategy::StrategyError;
use crate::strategy::definition::{POLICY, Texts as Learns};
use camino::Utf8Path;
use std::collections::BTreeMap;

/// Most characters of a list of texts in a message.
const SHOWN: usize = 240;

/// `plan`: all lessons, including earlier ones, each with the current policy; `policy` and `absolute`: its path as
/// named and as opened.
///
/// # Errors
/// What does not fit.
pub(super) fn check(
    suite: &Suite,
    plan: &Plan,
    apps: &BTreeMap<String, Ready>,
    policy: &Utf8Path,
    absolute: &Utf8Path,
) -> Result<(), TrainError> {
    alike(suite, plan, apps).map_err(|problem| RunError::Learned(problem.into()))?;
    let origins = Origins::new(suite, plan);
    // With one strategy and one list of texts, checking the first lesson suffices.
    if let Some(first) = plan.entries.first()
        && let Some(ready) = apps.get(&first.app.name)
        && absolute.exists()
    {
        let pool = devices::pool(&first.app, &first.device, ready);
        let made = origins.strategy(first, ready, pool.as_deref(), Models::default());
        if let Err(StrategyError::File {
            what: POLICY,
            reason,
            ..
        }) = made
        {
            return Err(TrainError::Policy(policy.to_owned(), reason));
        }
    }
    Ok(learning::check(&origins, plan, apps).map_err(RunError::Learned)?)
}

/// The texts that can be typed in an app; `None`: the text generator's, and built-in strings.
type Texts = Option<Vec<String>>;

/// Do all lessons offer the same texts? The ARES family learns texts by their numbers, so a policy has another meaning
/// with other texts. Merging the lists here would not help: a later run has only its app's list.
///
/// # Errors
/// They do not.
fn alike(suite: &Suite, plan: &Plan, apps: &BTreeMap<String, Ready>) -> Result<(), Problem> {
    let Some(first) = plan.entries.first() else {
        return Ok(());
    };
    if first.strategy.kind.texts() != Learns::Numbered {
        return Ok(());
    }
    let mut groups: Vec<(Texts, Vec<String>)> = Vec::new();
    for lesson in &plan.entries {
        let Some(ready) = apps.get(&lesson.app.name) else {
            continue;
        };
        let texts = devices::pool(&lesson.app, &lesson.device, ready);
        let name = format!("`{}` on `{}`", lesson.app.name, lesson.device.name);
        match groups.iter_mut().find(|(known, _)| *known == texts) {
            Some((_, names)) if names.contains(&name) => {}
            Some((_, names)) => names.push(name),
            None => groups.push((texts, vec![name])),
        }
    }
    if groups.len() < 2 {
        return Ok(());
    }
    Err(differ(suite, first, &groups))
}

fn differ(suite: &Suite, first: &Session, groups: &[(Texts, Vec<String>)]) -> Problem {
    let lists: Vec<String> = groups
        .iter()
        .map(|(texts, names)| {
            let texts = texts.as_ref().map_or_else(
                || "the text generator's and built-in ones".to_owned(),
                |texts| listed(texts).unwrap_or_else(|| format!("{} texts", texts.len())),
            );
            format!("{}: {texts}", names.join(", "))
        })
        .collect();
    let mut all: Vec<String> = Vec::new();
    for text in groups
        .iter()
        .filter_map(|(texts, _)| texts.as_ref())
        .flatten()
    {
        if !all.contains(text) {
            all.push(text.clone());
        }
    }
    let list = listed(&all).unwrap_or_else(|| "[...]".to_owned());
    let name = first.strategy.name();
    let all = &suite.settings.strategies;
    let number = all.iter().position(|one| one.name() == name);
    let key: Vec<Segment> = std::iter::once(Segment::from("strategy"))
        .chain(number.map(Segment::from))
        .chain([Segment::from("kind")])
        .collect();
    Problem::new(
        Code::MissingKey,
        format!(
            "`{name}` learns texts by their numbers, but the apps of this training have different texts: {}",
            lists.join("; ")
        ),
    )
    .at(suite.place(&key, "this one needs `strings`"))
    .help(format!(
        "give the strategy one list for all apps, in every suite that starts from the policy: `strings = {list}`; \
         or train one policy for each app (`--app NAME --policy FILE`)"
    ))
}

/// A list in the suite's syntax; `None` if it is too long to show.
fn listed(texts: &[String]) -> Option<String> {
    // JSON strings are valid TOML strings.
    let quoted: Vec<String> = texts
        .iter()
        .map(|text| serde_json::to_string(text).ok())
        .collect::<Option<_>>()?;
    let list = format!("[{}]", quoted.join(", "));
    (list.chars().count() <= SHOWN).then_some(list)
}
