//! Ways between activities over several events: what an event is worth that leads to where a new activity is near.
//!
//! Ours. The paper's expectation looks one event ahead, so that a reused model has no advice on pages whose neighbours
//! were all visited.

use crate::learn::event_model::EventModel;
use rustc_hash::FxHashMap;

/// Rounds of value iteration.
const ROUNDS: usize = 12;
/// Ways looked at in a decision, at most. Apps have some hundreds; a model with more is used one event ahead.
const MOST: usize = 2000;

/// The ways of a model, and how near new activities are.
#[derive(Debug, Default)]
pub(super) struct Ways {
    /// From one activity to another: the events and their P(e, A), the likeliest first.
    events: FxHashMap<(u32, u32), Vec<(u64, f64)>>,
    /// By activity: the discounted chance of a new one behind it, 0 to 1.
    near: Vec<f64>,
}

impl Ways {
    /// The ways of a model. In one pass: a model may have tens of thousands of events in one activity.
    pub fn new(model: &EventModel) -> Self {
        let mut ways = Self::default();
        let mut events: Vec<_> = model.events().collect();
        events.sort_unstable();
        for (event, at) in events {
            for (to, share) in shares(model, event) {
                let all = ways.events.entry((at, to)).or_default();
                all.push((event, share));
            }
        }
        for all in ways.events.values_mut() {
            lead(all);
        }
        ways
    }

    /// An event of an activity was counted.
    pub fn update(&mut self, model: &EventModel, event: u64, at: u32) {
        for (to, share) in shares(model, event) {
            let all = self.events.entry((at, to)).or_default();
            match all.iter_mut().find(|known| known.0 == event) {
                Some(known) => known.1 = share,
                None => all.push((event, share)),
            }
            lead(all);
        }
    }

    /// Computes how near new activities are: V(A) = γ max P(e, B) (1 if B is new, else V(B)). `discount`: γ.
    pub fn look(&mut self, discount: f64, is_new: impl Fn(u32) -> bool) {
        self.near.fill(0.0);
        if discount == 0.0 || self.events.len() > MOST {
            return;
        }
        for _ in 0..ROUNDS {
            let mut changed = false;
            for ((at, to), events) in &self.events {
                let Some((_, share)) = events.first() else {
                    continue;
                };
                let behind = if is_new(*to) { 1.0 } else { self.near(*to) };
                let value = discount * share * behind;
                if value > self.near(*at) {
                    let known = self.near.len().max(*at as usize + 1);
                    self.near.resize(known, 0.0);
                    self.near[*at as usize] = value;
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
    }

    /// How near a new activity is to this one.
    pub fn near(&self, activity: u32) -> f64 {
        self.near.get(activity as usize).copied().unwrap_or(0.0)
    }
}

/// Where an event led, and P(e, A) of each.
fn shares(model: &EventModel, event: u64) -> impl Iterator<Item = (u32, f64)> {
    let results = model.results(event);
    let total: u64 = results.iter().map(|(_, times)| u64::from(*times)).sum();
    let share = move |times: u32| f64::from(times) / total as f64;
    results.iter().map(move |(to, times)| (*to, share(*times)))
}

/// Puts the likeliest event first.
fn lead(events: &mut [(u64, f64)]) {
    let shares = events.iter().map(|(_, share)| *share).enumerate();
    if let Some((best, _)) = shares.max_by(|a, b| a.1.total_cmp(&b.1)) {
        events.swap(0, best);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A leads to B and back, B by chance to C, and C to D.
    fn chain() -> EventModel {
        let mut model = EventModel::new("p");
        for (event, at, to, times) in [
            (1, "A", "B", 3),
            (2, "B", "A", 1),
            (3, "B", "C", 1),
            (3, "B", "B", 1),
            (4, "C", "D", 1),
        ] {
            model.count(event, at, to, times);
        }
        model
    }

    #[test]
    fn nearness_is_the_discounted_chance_of_the_best_way() {
        let mut ways = Ways::new(&chain());
        // Only D, number 3, is new.
        ways.look(0.5, |activity| activity == 3);
        let near = [0, 1, 2, 3].map(|activity| ways.near(activity));
        assert_eq!(near, [0.5 * 0.125, 0.5 * 0.5 * 0.5, 0.5, 0.0]);
        ways.look(0.5, |_| false);
        assert_eq!(ways.near(2), 0.0);
        ways.look(0.0, |_| true);
        assert_eq!(ways.near(2), 0.0);
    }

    #[test]
    fn a_read_model_has_the_ways_of_one_that_was_counted_event_by_event() {
        let mut model = EventModel::new("p");
        let mut counted = Ways::default();
        for number in 0..500_u64 {
            let event = number * 7919 % 300;
            let (at, to) = (event % 5, number * 31 % 7);
            let times = u32::try_from(number * 13 % 17).unwrap() + 1;
            model.count(event, &at.to_string(), &to.to_string(), times);
            let at = model.activity(&at.to_string());
            counted.update(&model, event, at);
        }
        let mut read = Ways::new(&model);
        let sorted = |ways: &Ways| {
            let mut all: Vec<_> = ways.events.clone().into_iter().collect();
            all.sort_unstable_by_key(|(between, _)| *between);
            for (_, events) in &mut all {
                let best = events.iter().map(|(_, share)| *share).fold(0.0, f64::max);
                assert_eq!(events[0].1, best);
                events.sort_unstable_by_key(|(event, _)| *event);
            }
            all
        };
        assert_eq!(sorted(&read), sorted(&counted));
        for ways in [&mut read, &mut counted] {
            ways.look(0.9, |activity| activity == 6);
        }
        let near = |ways: &Ways| (0..7).map(|at| ways.near(at)).collect::<Vec<_>>();
        assert_eq!(near(&read), near(&counted));
        assert!(near(&read).iter().any(|near| *near > 0.0));
    }

    #[test]
    fn a_way_that_no_longer_leads_there_is_worth_less() {
        let mut model = chain();
        let mut ways = Ways::new(&model);
        model.count(4, "C", "C", 3);
        ways.update(&model, 4, 2);
        ways.look(1.0, |activity| activity == 3);
        assert_eq!(ways.near(2), 0.25);
        // Another event leads there more often.
        model.count(5, "C", "D", 1);
        model.count(5, "C", "C", 1);
        ways.update(&model, 5, 2);
        model.count(5, "C", "C", 8);
        ways.update(&model, 5, 2);
        ways.look(1.0, |activity| activity == 3);
        assert_eq!(ways.near(2), 0.25, "the event that was likeliest before");
    }
}
