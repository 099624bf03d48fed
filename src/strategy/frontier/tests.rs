//! Rooms with known answers, without a session.

use super::*;
use crate::device::Caps;
use crate::graph::tracker::Ended;
use crate::graph::{By, Tracker};
use crate::gui::{Flags, RawNode, Rect};
use crate::util::intern::Interner;
use crate::util::seed::generator;
use std::collections::BTreeSet;

/// Rooms with buttons; each leads to a room. Room 0 is where the app starts. The back key does nothing.
struct World {
    rooms: Vec<Vec<usize>>,
    at: usize,
    tracker: Tracker,
    interner: Interner,
    rng: Rng,
    /// What was performed: room, event.
    done: Vec<(usize, usize)>,
    restarts: usize,
}

impl World {
    fn new(rooms: &[&[usize]], strategy: &Frontier) -> Self {
        let mut tracker = Tracker::new(strategy.states().unwrap());
        tracker.started();
        Self {
            rooms: rooms.iter().map(|doors| doors.to_vec()).collect(),
            at: 0,
            tracker,
            interner: Interner::default(),
            rng: generator(1, "", "", 0),
            done: Vec::new(),
            restarts: 0,
        }
    }

    fn page(&mut self) -> Page {
        let at = self.at;
        let node = |door: Option<usize>| RawNode {
            parent: if door.is_some() { 0 } else { -1 },
            text: door.map_or_else(String::new, |door| {
                char::from(b'a' + door as u8).to_string()
            }),
            resource_id: door.map_or_else(String::new, |door| format!("room{at}_{door}")),
            flags: match door {
                Some(_) => Flags::VISIBLE | Flags::ENABLED | Flags::CLICKABLE,
                None => Flags::VISIBLE | Flags::ENABLED,
            },
            bounds: Rect::from([0, 0, 9, 9]),
            ..RawNode::default()
        };
        let doors = self.rooms[at].len();
        let nodes: Vec<RawNode> = std::iter::once(None)
            .chain((0..doors).map(Some))
            .map(node)
            .collect();
        Page::build(&nodes, &format!("Room{at}"), 0, (9, 9), &mut self.interner)
    }

    fn step(&mut self, strategy: &mut Frontier) {
        let page = self.page();
        self.tracker.arrive(&page, &self.interner);
        let view = View {
            page: &page,
            system: &[],
            links: &[],
            number: 1,
            interner: &self.interner,
            caps: Caps::default(),
            map: self.tracker.map(),
        };
        let event = match strategy.decide(&view, &mut self.rng).unwrap() {
            Decision::Perform { event, .. } => {
                self.done.push((self.at, event));
                let click = page.events[event].kind == EventKind::Click;
                let door = page.events[event].widget.filter(|_| click);
                if let Some(door) = door.and_then(|widget| (widget as usize).checked_sub(1)) {
                    self.at = self.rooms[self.at][door];
                }
                Some(event)
            }
            Decision::System(SystemEvent::Relaunch) => {
                self.restarts += 1;
                self.at = 0;
                self.tracker.started();
                None
            }
            other => panic!("{other:?}"),
        };
        let ended = Ended {
            by: By::Strategy,
            leads: true,
            new: false,
        };
        self.tracker.performed(event, ended);
    }

    fn walk(&mut self, strategy: &mut Frontier, steps: usize) {
        (0..steps).for_each(|_| self.step(strategy));
    }

    fn rooms_seen(&self) -> usize {
        let rooms: BTreeSet<usize> = self.done.iter().map(|(room, _)| *room).collect();
        rooms.len()
    }
}

fn frontier(select: Select) -> Frontier {
    Frontier::new(Settings {
        select,
        system_rate: 0.0,
        ..Settings::default()
    })
}

/// A corridor of eight rooms, each with a door on, a door back to the first room, and three lamps.
const CORRIDOR: [&[usize]; 8] = [
    &[1, 0, 0, 0, 0],
    &[2, 0, 1, 1, 1],
    &[3, 0, 2, 2, 2],
    &[4, 0, 3, 3, 3],
    &[5, 0, 4, 4, 4],
    &[6, 0, 5, 5, 5],
    &[7, 0, 6, 6, 6],
    &[7, 0, 7, 7, 7],
];

#[test]
fn every_event_of_a_corridor_is_tried_with_few_steps_between_them() {
    // So that an event never tried seven steps away is worth more than one tried once: 1.25 e^-.7 > .5.
    let mut strategy = Frontier::new(Settings {
        decay: 0.1,
        ..frontier(Select::Frontier).settings
    });
    let mut world = World::new(&CORRIDOR, &strategy);
    // 8 rooms with 5 buttons and the keys back and menu; each return to a room costs at most 7 steps.
    let all = 8 * 7;
    world.walk(&mut strategy, all + 7 * 8);
    let different: BTreeSet<_> = world.done.iter().collect();
    assert_eq!(different.len(), all);
    let random = {
        let mut rng = generator(1, "", "", 0);
        let (mut at, mut far) = (0, 0);
        for _ in 0..all + 7 * 8 {
            let event = rng.random_range(0..7);
            at = CORRIDOR[at].get(event).copied().unwrap_or(at);
            far = far.max(at);
        }
        far
    };
    assert!(random < 7, "drawn events get as far: {random}");
}

#[test]
fn it_goes_to_the_nearest_of_equally_good_events_by_the_shortest_way() {
    // A hall with a long and a short way to a room with something new.
    let mut strategy = frontier(Select::Frontier);
    let mut world = World::new(&[&[1, 2], &[2, 1], &[2, 0, 2]], &strategy);
    world.walk(&mut strategy, 200);
    // Everything was tried; from the hall an aim in room 2 is one step away.
    let mut ways: Vec<VecDeque<Leg>> = Vec::new();
    for _ in 0..50 {
        world.step(&mut strategy);
        if world.at == 0 {
            ways.push(strategy.plan.clone());
        }
    }
    assert!(!ways.is_empty());
    assert!(ways.iter().all(|way| way.len() <= 2), "{ways:?}");
}

#[test]
fn out_of_a_room_without_a_way_back_it_starts_the_app_again_for_what_was_left() {
    // Both doors of the hall lead in only.
    for select in [Select::Frontier, Select::Archive] {
        let mut strategy = frontier(select);
        let mut world = World::new(&[&[1, 2], &[1], &[2]], &strategy);
        world.walk(&mut strategy, 60);
        assert_eq!(world.rooms_seen(), 3, "{select:?}");
        assert!(world.restarts > 0, "{select:?}");
    }
}

#[test]
fn a_way_that_leads_elsewhere_is_planned_again_and_its_aim_is_not_aimed_at_for_ever() {
    let mut strategy = frontier(Select::Frontier);
    // The door to room 1 opens once; its lamps were not tried.
    let mut world = World::new(&[&[1, 0], &[0, 1, 1, 1]], &strategy);
    while world.done.last() != Some(&(0, 0)) {
        world.step(&mut strategy);
    }
    world.step(&mut strategy);
    while world.at != 0 {
        world.step(&mut strategy);
    }
    world.rooms[0][0] = 0;
    world.done.clear();
    world.walk(&mut strategy, 100);
    let at_the_door = world.done.iter().filter(|done| **done == (0, 0)).count();
    assert!((1..80).contains(&at_the_door), "{at_the_door}");
    assert_eq!(world.rooms_seen(), 1);
}

#[test]
fn the_archive_draws_rarely_seen_states_more_often() {
    let mut strategy = frontier(Select::Archive);
    let mut world = World::new(&CORRIDOR, &strategy);
    world.walk(&mut strategy, 600);
    assert_eq!(world.rooms_seen(), 8);
    let chosen: Vec<u32> = strategy.states.iter().map(|state| state.chosen).collect();
    let near: u32 = chosen[..2].iter().sum();
    let far: u32 = chosen[6..].iter().sum();
    assert!(far >= near, "{chosen:?}");
}

/// From the last room of a corridor without ways back, starts of the app lead to all rooms.
#[test]
fn a_state_is_drawn_from_the_archive_once_whichever_way_leads_there() {
    const ONE_WAY: [&[usize]; 4] = [&[1], &[2], &[3], &[3]];
    let mut strategy = frontier(Select::Archive);
    let mut world = World::new(&ONE_WAY, &strategy);
    for _ in 0..4 {
        world.at = world.at.min(3);
        let page = world.page();
        world.tracker.arrive(&page, &world.interner);
        let ended = Ended {
            by: By::Others,
            leads: true,
            new: false,
        };
        let on = page.events.iter().position(|e| e.kind == EventKind::Click);
        world.tracker.performed(on, ended);
        world.at = (world.at + 1).min(3);
    }
    let page = world.page();
    world.tracker.arrive(&page, &world.interner);
    let mut drawn = [0_u32; 4];
    for _ in 0..4_000 {
        strategy.states.clear();
        let map = world.tracker.map().unwrap();
        strategy.plan_archive(map, &mut world.rng);
        let chosen = strategy.states.iter().position(|state| state.chosen > 0);
        drawn[chosen.unwrap()] += 1;
        strategy.plan.clear();
    }
    // By distance alone: 1.1, 1.2 and 1.3 by a start, 1 for the page.
    for (room, weight) in [1.1, 1.2, 1.3, 1.0].into_iter().enumerate() {
        let expected = 4_000.0 * weight / 4.6;
        let found = f64::from(drawn[room]);
        assert!((found - expected).abs() < 150.0, "{room}: {drawn:?}");
    }
}

/// Another member's event ended the app.
#[test]
fn what_ended_the_app_is_not_untried() {
    let mut strategy = frontier(Select::Frontier);
    let mut world = World::new(&[&[0, 0, 0, 0]], &strategy);
    let page = world.page();
    let all = page.events.len();
    for event in 0..all - 1 {
        world.tracker.arrive(&page, &world.interner);
        let ended = Ended {
            by: By::Strategy,
            leads: false,
            new: false,
        };
        world.tracker.performed(Some(event), ended);
    }
    world.step(&mut strategy);
    assert_eq!(world.done, [(0, all - 1)]);
}

#[test]
fn what_others_performed_is_not_untried() {
    let mut other = frontier(Select::Frontier);
    let mut world = World::new(&[&[0, 0, 0, 0]], &other);
    let all = world.page().events.len();
    world.walk(&mut other, all - 1);
    let mut second = frontier(Select::Frontier);
    world.step(&mut second);
    let done: BTreeSet<_> = world.done.iter().collect();
    assert_eq!((done.len(), world.restarts), (all, 0));
}

#[test]
fn it_says_where_it_goes_and_how_far_that_is() {
    let mut strategy = frontier(Select::Frontier);
    let mut world = World::new(&CORRIDOR, &strategy);
    let (mut far, mut near) = (0, 0);
    for _ in 0..60 {
        world.step(&mut strategy);
        let why = strategy.explanation().unwrap();
        assert!(strategy.explanation().is_none(), "once");
        match why.further {
            Some(events) => {
                assert_eq!(events as usize, strategy.plan.len());
                let on_the_way = why.reason();
                assert!(on_the_way.starts_with("on the way to "), "{on_the_way}");
                far += 1;
            }
            None => near += 1,
        }
        let last = world.done.last().unwrap();
        let first_time = world.done.iter().filter(|done| *done == last).count() == 1;
        if first_time && why.chosen.is_some() {
            assert_eq!((why.why, why.chosen), (Why::Untried, Some(last.1 as u32)));
        }
    }
    assert!(far > 0 && near > 40, "{far} {near}");
}
