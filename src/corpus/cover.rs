//! The smallest set of traces that reaches all that a corpus reaches: greedy weighted set cover (Chvátal, "A Greedy
//! Heuristic for the Set-Covering Problem", 1979), then without the traces that later choices made superfluous.

use super::worth::{Gain, Worth};
use std::collections::{BTreeMap, BTreeSet};

/// The indices of the chosen traces, in order. `traces`: what each reaches, and its events.
pub fn cover(traces: &[(&Worth, usize)]) -> Vec<usize> {
    let mut open: BTreeSet<&Gain> = traces.iter().flat_map(|(worth, _)| worth.iter()).collect();
    let mut chosen = Vec::new();
    while !open.is_empty() {
        let gain = |ix: &usize| traces[*ix].0.iter().filter(|g| open.contains(g)).count();
        // The start of the app is a part of every trace.
        let cost = |ix: usize| traces[ix].1 + 1;
        let better = |one: &(usize, usize), other: &(usize, usize)| {
            let (one, other) = (one.0 * cost(other.1), other.0 * cost(one.1));
            one.cmp(&other)
        };
        let all = (0..traces.len()).rev().map(|ix| (gain(&ix), ix));
        // Of equal ones the first.
        let Some((_, best)) = all.max_by(better) else {
            break;
        };
        open.retain(|gain| !traces[best].0.contains(*gain));
        chosen.push(best);
    }
    // The most expensive first.
    let mut order = chosen.clone();
    order.sort_by_key(|ix| (std::cmp::Reverse(traces[*ix].1), *ix));
    for ix in order {
        let others: Vec<_> = chosen.iter().filter(|other| **other != ix).collect();
        let reached = |gain: &Gain| others.iter().any(|other| traces[**other].0.contains(gain));
        if traces[ix].0.iter().all(reached) {
            chosen.retain(|other| *other != ix);
        }
    }
    chosen.sort_unstable();
    chosen
}

/// What only one of these traces reaches, for each of them.
pub fn sole<'w>(traces: impl IntoIterator<Item = &'w Worth>) -> Vec<Worth> {
    let mut by_gain: BTreeMap<&Gain, (usize, usize)> = BTreeMap::new();
    let mut count = 0;
    for (ix, worth) in traces.into_iter().enumerate() {
        count = ix + 1;
        for gain in worth {
            by_gain.entry(gain).or_insert((ix, 0)).1 += 1;
        }
    }
    let mut own = vec![Worth::new(); count];
    for (gain, (ix, times)) in by_gain {
        if times == 1 {
            own[ix].insert(gain.clone());
        }
    }
    own
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn worth(probes: &[u32]) -> Worth {
        let probe = |&probe| Gain::Probe("a/B".into(), probe);
        probes.iter().map(probe).collect()
    }

    #[test]
    fn the_cheapest_traces_that_reach_all_are_chosen() {
        let all = [
            worth(&[1, 2, 3, 4]),
            worth(&[1, 2]),
            worth(&[3, 4]),
            worth(&[2]),
        ];
        let chosen = |events: [usize; 4]| {
            let traces: Vec<_> = all.iter().zip(events).collect();
            cover(&traces)
        };
        assert_eq!(chosen([100, 4, 4, 1]), [1, 2]);
        assert_eq!(chosen([5, 4, 4, 1]), [0]);
        assert_eq!(cover(&[]), Vec::<usize>::new());
    }

    #[test]
    fn a_choice_that_later_ones_make_superfluous_is_taken_back() {
        // The third is chosen first, for its four; the others reach its part, too.
        let all = [worth(&[1, 2, 5]), worth(&[3, 4, 6]), worth(&[1, 2, 3, 4])];
        let traces: Vec<_> = all.iter().zip([9, 9, 9]).collect();
        assert_eq!(cover(&traces), [0, 1]);
    }

    #[test]
    fn what_two_reach_is_neithers_own() {
        let all = [worth(&[1, 2]), worth(&[2, 3])];
        assert_eq!(sole(&all), [worth(&[1]), worth(&[3])]);
    }

    proptest! {
        #[test]
        fn nothing_is_lost_and_nothing_chosen_is_superfluous(
            traces in proptest::collection::vec((proptest::collection::vec(0..12_u32, 0..6), 0..20_usize), 0..8)
        ) {
            let all: Vec<_> = traces.iter().map(|(probes, events)| (worth(probes), *events)).collect();
            let given: Vec<_> = all.iter().map(|(worth, events)| (worth, *events)).collect();
            let chosen = cover(&given);
            let reached = |of: &[usize]| -> Worth { of.iter().flat_map(|ix| all[*ix].0.clone()).collect() };
            let every: Vec<_> = (0..all.len()).collect();
            prop_assert_eq!(reached(&chosen), reached(&every));
            for ix in &chosen {
                let rest: Vec<_> = chosen.iter().copied().filter(|other| other != ix).collect();
                prop_assert_ne!(reached(&rest), reached(&chosen));
            }
        }
    }
}
