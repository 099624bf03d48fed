//! The exchanges of a HAR as rules of an archive.

use super::url::Url;
use super::{Answer, Archive, Failure, Rule};
use std::collections::{BTreeMap, BTreeSet};

/// A request with what it got.
pub struct Exchange {
    pub method: String,
    pub url: Url,
    pub answer: Answer,
    pub error: Option<String>,
}

/// Equal requests get their responses in order, then the last one repeatedly; matched by the complete address, else
/// without the query.
pub fn archive(exchanges: Vec<Exchange>) -> Archive {
    let mut archive = Archive::default();
    let (unresolved, refused) = (
        always(&exchanges, "NAME_NOT_RESOLVED", |url| url.host.clone()),
        always(&exchanges, "CONNECTION_REFUSED", Url::root),
    );
    let mut loose: Vec<(Rule, String)> = Vec::new();
    for exchange in exchanges {
        let Exchange {
            method,
            url,
            mut answer,
            ..
        } = exchange;
        if unresolved.contains(&url.host) {
            archive.unknown.push(url.host);
            continue;
        }
        let early = refused.contains(&url.root());
        if early {
            answer.fail = Some(Failure::Refused);
        }
        let rule = |url: String, loose| Rule {
            method: (!early).then(|| method.clone()),
            url,
            wild: false,
            loose,
            times: Some(1),
            answer: archive.answers.len(),
        };
        if !early {
            loose.push((rule(url.without_query().to_owned(), true), url.host.clone()));
        }
        let exact = rule(if early { url.root() } else { url.text }, false);
        archive.answers.push(answer);
        archive.add(exact, &url.host);
    }
    for (rule, host) in loose {
        archive.add(rule, &host);
    }
    let mut last = BTreeMap::new();
    for (index, rule) in archive.rules.iter().enumerate() {
        last.insert((rule.loose, rule.method.clone(), rule.url.clone()), index);
    }
    for index in last.into_values() {
        archive.rules[index].times = None;
    }
    archive
}

/// The hosts, or the hosts with ports, all of whose requests failed so.
fn always(exchanges: &[Exchange], error: &str, of: impl Fn(&Url) -> String) -> BTreeSet<String> {
    let (failed, others): (Vec<_>, Vec<_>) = exchanges.iter().partition(|exchange| {
        let said = exchange.error.as_deref().unwrap_or_default();
        exchange.answer.fail.is_some() && said.contains(error)
    });
    let others: BTreeSet<_> = others.iter().map(|exchange| of(&exchange.url)).collect();
    let failed = failed.iter().map(|exchange| of(&exchange.url));
    failed.filter(|one| !others.contains(one)).collect()
}
