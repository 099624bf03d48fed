//! The table of an app's activities, with the places within them.

use super::super::causes::by_activity;
use super::super::places;
use super::super::session::SessionRecord;
use super::graph::readable;
use super::text::{line, percent};
use crate::coverage::activity;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// One activity.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ActivityRow {
    name: String,
    /// The places within it.
    places: Vec<String>,
    class: String,
    reached: bool,
    first: u64,
    visits: u64,
    pages: u64,
    events: u64,
    tried: u64,
    unchanged: f64,
    findings: u64,
    reachable: bool,
    declared: bool,
}

/// The activities that are declared or were seen, those seen first.
pub fn activities(records: &[&SessionRecord]) -> Vec<ActivityRow> {
    #[derive(Default)]
    struct Sum<'r> {
        first: Option<u64>,
        visits: u64,
        events: u64,
        unchanged: u64,
        pages: BTreeSet<crate::gui::PageId>,
        tried: BTreeSet<crate::gui::EventKey>,
        reachable: bool,
        declared: bool,
        places: BTreeSet<&'r str>,
    }
    let mut sums: BTreeMap<&str, Sum<'_>> = BTreeMap::new();
    for record in records {
        if let Some(header) = &record.header {
            for name in &header.activities_declared {
                sums.entry(name).or_default().declared = true;
            }
            for name in &header.activities_reachable {
                sums.entry(name).or_default().reachable = true;
            }
        }
        for seen in record
            .activities
            .iter()
            .filter(|seen| !seen.name.is_empty())
        {
            let sum = sums.entry(&seen.name).or_default();
            sum.declared |= activity::counts(&seen.name, record.declared());
            sum.first = sum.first.into_iter().chain(seen.first).min();
            sum.visits += seen.visits;
            sum.events += seen.events;
            sum.unchanged += seen.unchanged;
        }
        for place in &record.places {
            if let Some(sum) = sums.get_mut(place.activity.as_str()) {
                sum.places.insert(&place.name);
            }
        }
        for page in &record.pages {
            if let Some(sum) = sums.get_mut(record.activities[page.activity].name.as_str()) {
                sum.pages.insert(page.id);
            }
        }
        for (at, key) in &record.tried {
            if let Some(sum) = sums.get_mut(record.activities[*at].name.as_str()) {
                sum.tried.insert(*key);
            }
        }
    }
    let found = by_activity(records);
    let mut rows: Vec<ActivityRow> = sums
        .into_iter()
        .map(|(class, sum)| ActivityRow {
            name: line(readable(class), 60),
            class: line(class, 200),
            places: (sum.places.iter().take(places::LISTED))
                .map(|name| line(name, 80))
                .chain(places::more(sum.places.len()))
                .collect(),
            reached: sum.first.is_some(),
            first: sum.first.unwrap_or(0),
            visits: sum.visits,
            pages: sum.pages.len() as u64,
            events: sum.events,
            tried: sum.tried.len() as u64,
            unchanged: percent(sum.unchanged, sum.events),
            findings: found.get(class).map_or(0, |found| found.len() as u64),
            reachable: sum.reachable,
            declared: sum.declared,
        })
        .collect();
    rows.sort_by_key(|row| (!row.reached, row.first));
    rows
}
