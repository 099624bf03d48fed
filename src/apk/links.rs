//! Deep links: the addresses with which a web page can open an app.

use super::components::{Component, Filter};
use super::manifest::Manifest;
use super::system_events::open_activities;
use crate::gui::SystemEvent;

const VIEW: &str = "android.intent.action.VIEW";
const BROWSABLE: &str = "android.intent.category.BROWSABLE";
/// What stands for any host.
const HOST: &str = "example.com";
/// Schemes whose addresses name a file, a person or a place: an address that is made up opens nothing.
const WITHOUT_PAGES: [&str; 8] = [
    "content", "file", "geo", "mailto", "package", "sms", "smsto", "tel",
];

/// One event for each address that a filter of an exported activity takes from a web page, in the manifest's order: each
/// scheme with the filter's first host and path.
pub fn deep_links(manifest: &Manifest) -> Vec<SystemEvent> {
    let mut links = Vec::new();
    for (component, target) in open_activities(manifest) {
        for link in addresses(component) {
            let event = SystemEvent::Activity {
                component: target.to_owned(),
                action: Some(VIEW.to_owned()),
                data: Some(link),
            };
            if !links.contains(&event) {
                links.push(event);
            }
        }
    }
    links
}

fn addresses(component: &Component) -> impl Iterator<Item = String> {
    let has = |list: &[String], name: &str| list.iter().any(|one| one == name);
    let of_pages =
        move |filter: &&Filter| has(&filter.actions, VIEW) && has(&filter.categories, BROWSABLE);
    let filters = component.filters.iter().filter(of_pages);
    filters.flat_map(|filter| {
        let schemes = filter.schemes.iter();
        schemes.filter_map(|scheme| address(scheme, filter))
    })
}

/// `None`: no address can be made of the scheme and the filter's host and path.
fn address(scheme: &str, filter: &Filter) -> Option<String> {
    let is_name = |text: &str, others: &str| {
        let is_one = |c: char| c.is_ascii_alphanumeric() || others.contains(c);
        text.chars().all(is_one)
    };
    if scheme.is_empty() || !is_name(scheme, "+-.") || WITHOUT_PAGES.contains(&scheme) {
        return None;
    }
    let host = match filter.hosts.first().map(String::as_str) {
        None if ["http", "https"].contains(&scheme) => HOST,
        Some("*") => HOST,
        Some(host) => host.strip_prefix("*.").unwrap_or(host),
        None => "",
    };
    let path = filter.paths.first().filter(|_| !host.is_empty());
    let path = path.map_or("", |path| path.trim_start_matches('/'));
    let slash = if path.is_empty() { "" } else { "/" };
    (is_name(host, "-._:") && is_name(path, "-._~/%=&?+@,;!*"))
        .then(|| format!("{scheme}://{host}{slash}{path}"))
}

#[cfg(test)]
mod tests {
    use super::super::components::{Activity, Alias};
    use super::*;

    fn filter(actions: &str, schemes: &[&str], hosts: &[&str], paths: &[&str]) -> Filter {
        let all = |list: &[&str]| list.iter().map(|&one| one.to_owned()).collect();
        Filter {
            actions: vec![format!("android.intent.action.{actions}")],
            categories: all(&["android.intent.category.BROWSABLE"]),
            schemes: all(schemes),
            hosts: all(hosts),
            paths: all(paths),
            ..Filter::default()
        }
    }

    fn component(name: &str, filters: Vec<Filter>) -> Component {
        Component {
            name: name.to_owned(),
            exported: true,
            enabled: true,
            filters,
            ..Component::default()
        }
    }

    #[test]
    fn each_scheme_of_a_filter_for_web_pages_is_a_link() {
        let closed = Component {
            exported: false,
            ..component("a.Inner", vec![filter("VIEW", &["inner"], &[], &[])])
        };
        let typed = filter("VIEW", &["content", "file", "geo"], &[], &[]);
        let odd = filter("VIEW", &["a b", "", "odd"], &["x;rm"], &[]);
        let own = Filter {
            categories: Vec::new(),
            ..filter("VIEW", &["own"], &[], &[])
        };
        let sent = filter("SEND", &["sent"], &[], &[]);
        let page = filter(
            "VIEW",
            &["https", "http"],
            &["*.b.org", "c.org"],
            &["/p/", "q"],
        );
        let any = filter("VIEW", &["https", "app"], &["*"], &[]);
        let manifest = Manifest {
            activities: [
                closed,
                component("a.Item", vec![typed, odd, own, sent, page]),
                component("a.Any", vec![any]),
                component("a.Login", vec![filter("VIEW", &["app"], &[], &["/never"])]),
            ]
            .map(|component| Activity {
                component,
                ..Activity::default()
            })
            .into(),
            aliases: vec![Alias {
                target: "a.Any".to_owned(),
                component: component("a.Other", vec![filter("VIEW", &["app"], &["*"], &[])]),
            }],
            ..Manifest::default()
        };
        let links = deep_links(&manifest);
        let text: Vec<_> = links.iter().map(ToString::to_string).collect();
        assert_eq!(
            text,
            [
                "start activity a.Item (android.intent.action.VIEW) with https://b.org/p/",
                "start activity a.Item (android.intent.action.VIEW) with http://b.org/p/",
                "start activity a.Any (android.intent.action.VIEW) with https://example.com",
                "start activity a.Any (android.intent.action.VIEW) with app://example.com",
                "start activity a.Login (android.intent.action.VIEW) with app://",
            ]
        );
        assert!(links.iter().all(|link| !link.is_artificial()));
    }
}
