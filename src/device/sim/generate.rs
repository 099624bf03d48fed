//! Random realistic models by seed: screens in a tree with ways back and across, login walls, text guards, counters,
//! planted crashes.

use super::json::{Json, Node};
use super::write::{list, object, text, to_text};
use crate::util::seed::generator;
use rand::RngExt as _;

/// The most screens.
pub const MOST: usize = 100_000;

/// What is wanted of a model.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Wish {
    /// Screens, 1 to [`MOST`].
    pub screens: usize,
    /// Children of a screen, 1 to 50 at most; how many each has is chance.
    pub branching: usize,
    /// Screens from the first to the deepest, at most (as far as the branching leaves room).
    pub depth: usize,
    /// Transitions that need a user name and a password.
    pub logins: usize,
    /// Transitions that need one correct text.
    pub guards: usize,
    /// Transitions that need several repetitions of an action.
    pub counters: usize,
    /// Buttons that crash the app.
    pub crashes: usize,
    /// Strings that can be typed, including the correct ones; at least 2.
    pub strings: usize,
    /// Seed: the same wish and seed give the same model.
    pub seed: u64,
}

impl Default for Wish {
    fn default() -> Self {
        Self {
            screens: 20,
            branching: 4,
            depth: 6,
            logins: 1,
            guards: 2,
            counters: 2,
            crashes: 2,
            strings: 21,
            seed: 0,
        }
    }
}

/// A screen while it is made.
#[derive(Default)]
struct Screen {
    depth: usize,
    children: usize,
    transitions: Vec<Node>,
}

fn button(label: &str, destination: &str) -> Vec<(&'static str, Node)> {
    vec![
        ("type", text("button")),
        ("text", text(label)),
        ("destination", text(destination)),
    ]
}

/// The least depth at which so many screens have room with so many children each.
pub fn depth_for(screens: usize, branching: usize) -> usize {
    let (mut depth, mut room, mut row) = (0_usize, 1_usize, 1_usize);
    while room < screens {
        depth += 1;
        row = row.saturating_mul(branching.max(1));
        room = room.saturating_add(row);
    }
    depth
}

/// A model's JSON text.
///
/// # Errors
/// The wish cannot be had, in words.
pub fn generate(wish: &Wish) -> Result<String, String> {
    if !(1..=MOST).contains(&wish.screens) {
        return Err(format!("{} screens: ask for 1 to {MOST}", wish.screens));
    }
    if !(1..=50).contains(&wish.branching) || wish.depth == 0 {
        return Err("a branching of 1 to 50 and a depth of 1 or more are needed".into());
    }
    if !(2..=MOST).contains(&wish.strings) {
        return Err(format!("{} strings: ask for 2 to {MOST}", wish.strings));
    }
    let ways = wish.screens - 1;
    if wish.crashes > MOST {
        return Err(format!(
            "{} crashes are too many: ask for at most {MOST}",
            wish.crashes
        ));
    }
    let walls = wish
        .logins
        .saturating_add(wish.guards)
        .saturating_add(wish.counters);
    if walls > ways {
        return Err(format!(
            "{walls} walls (logins, guards, counters) need {walls} screens behind them, but there are only {ways}"
        ));
    }
    let mut rng = generator(wish.seed, "model", "generate", 0);
    let strings: Vec<String> = (0..wish.strings)
        .map(|n| format!("s{:x}{n}", rng.random::<u16>()))
        .collect();
    let mut globals: Vec<(String, Node)> = Vec::new();
    let name = |ix: usize| {
        if ix == 0 {
            "Start".to_owned()
        } else {
            format!("Screen{ix}")
        }
    };
    let mut screens: Vec<Screen> = vec![Screen::default()];
    // What guards the way to each screen: 1 login, 2 text, 3 counter, 0 nothing; drawn without repetition.
    let mut wall = vec![0_u8; ways];
    for (kind, count) in [(1, wish.logins), (2, wish.guards), (3, wish.counters)] {
        for _ in 0..count {
            let free = wall.iter().filter(|w| **w == 0).count();
            let chosen = rng.random_range(0..free);
            if let Some(slot) = wall.iter_mut().filter(|w| **w == 0).nth(chosen) {
                *slot = kind;
            }
        }
    }
    let mut open = vec![0_usize];
    for ix in 1..wish.screens {
        if open.is_empty() {
            return Err(format!(
                "{} screens do not fit a depth of {} with {} children each; ask for a depth of {} (--depth), or for more \
                 children (--branching)",
                wish.screens,
                wish.depth,
                wish.branching,
                depth_for(wish.screens, wish.branching)
            ));
        }
        let slot = rng.random_range(0..open.len());
        let parent = open[slot];
        screens[parent].children += 1;
        if screens[parent].children >= wish.branching {
            open.swap_remove(slot);
        }
        let depth = screens[parent].depth + 1;
        let (own, back) = (name(ix), name(parent));
        let mut way = button(&format!("Open {ix}"), &own);
        let mut field = |label: &str, slot: &str| {
            globals.push((slot.to_owned(), text("")));
            object([
                ("type", text("editText")),
                ("hint", text(label)),
                ("set", text(format!("{slot} = input_text"))),
                ("destination", text(back.clone())),
            ])
        };
        let mut secret = |slot: String| {
            let value = strings[rng.random_range(0..strings.len())].clone();
            (slot, text(value))
        };
        let mut extra = Vec::new();
        let mut constants = Vec::new();
        match wall[ix - 1] {
            1 => {
                extra.push(field("User name", &format!("user{ix}")));
                extra.push(field("Password", &format!("pass{ix}")));
                constants.push(secret(format!("name{ix}")));
                constants.push(secret(format!("word{ix}")));
                let guard = format!("(user{ix} == name{ix}) & (pass{ix} == word{ix})");
                way.push(("guard", text(guard)));
            }
            2 => {
                extra.push(field("Code", &format!("code{ix}")));
                constants.push(secret(format!("key{ix}")));
                way.push(("guard", text(format!("code{ix} == key{ix}"))));
            }
            3 => {
                let mut more = button(&format!("More {ix}"), &back);
                more.push(("set", text(format!("n{ix} = n{ix} + 1"))));
                extra.push(object(more));
                let zero = Node {
                    at: 0,
                    json: Json::Int(0),
                };
                constants.push((format!("n{ix}"), zero));
                let times = rng.random_range(2..=4_u8);
                way.push(("guard", text(format!("n{ix} >= {times}"))));
            }
            _ => {}
        }
        globals.extend(constants);
        screens[parent].transitions.extend(extra);
        screens[parent].transitions.push(object(way));
        screens.push(Screen {
            depth,
            children: 0,
            transitions: vec![object(button("Back", &back))],
        });
        // A way across, to a screen there already is.
        if ix > 2 && rng.random_bool(0.2) {
            let to = rng.random_range(0..ix);
            screens[ix]
                .transitions
                .push(object(button(&format!("Go {to}"), &name(to))));
        }
        if depth < wish.depth {
            open.push(ix);
        }
    }
    for number in 0..wish.crashes {
        let at = rng.random_range(0..screens.len());
        let kinds = [
            "java.lang.NullPointerException",
            "java.lang.IllegalStateException",
            "java.lang.IndexOutOfBoundsException",
        ];
        let kind = kinds[rng.random_range(0..kinds.len())];
        let own = name(at);
        let frame = format!(
            "org.example.generated.{own}.crash{number}({own}.java:{})",
            number + 10
        );
        let crash = object([("exception", text(kind)), ("frame", text(frame))]);
        let mut way = button(&format!("Try {number}"), &own);
        way.push(("crash", crash));
        screens[at].transitions.push(object(way));
    }
    let nodes = screens.into_iter().enumerate().map(|(ix, screen)| {
        object([
            ("node_id", text(name(ix))),
            ("transitions", list(screen.transitions)),
        ])
    });
    let named = format!("generated-{}", wish.seed);
    let meta = object([
        ("name", text(named)),
        ("package", text("org.example.generated")),
        ("strings", list(strings.iter().map(text).collect())),
    ]);
    let globals = object(
        globals
            .iter()
            .map(|(key, value)| (key.as_str(), copy(value))),
    );
    let nodes = list(nodes.collect());
    Ok(to_text(&object([
        ("meta", meta),
        ("global_vars", globals),
        ("nodes", nodes),
    ])))
}

fn copy(node: &Node) -> Node {
    let json = match &node.json {
        Json::Text(text) => Json::Text(text.clone()),
        Json::Int(int) => Json::Int(*int),
        _ => Json::Null,
    };
    Node { at: 0, json }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::sim::Model;

    #[test]
    fn a_model_has_what_was_wished_for_and_is_the_same_by_seed() {
        for seed in 0..20 {
            let wish = Wish {
                seed,
                ..Wish::default()
            };
            let written = generate(&wish).unwrap();
            assert_eq!(written, generate(&wish).unwrap());
            let model = Model::parse(&written, "m.json", "m").unwrap();
            assert_eq!(model.nodes.len(), 20);
            assert!(model.reachable().iter().all(|reached| *reached));
            let fields = model.widgets.iter().filter(|w| w.editable).count();
            assert_eq!(fields, 2 * wish.logins + wish.guards);
            let crashes = model
                .transitions
                .iter()
                .filter(|t| t.effect.is_some())
                .count();
            assert_eq!(crashes, wish.crashes);
            let guarded = model
                .transitions
                .iter()
                .filter(|t| t.guard.is_some())
                .count();
            assert_eq!(guarded, wish.logins + wish.guards + wish.counters);
            assert_eq!(model.strings.len(), 21);
        }
        let other = Wish {
            seed: 99,
            ..Wish::default()
        };
        assert_ne!(
            generate(&other).unwrap(),
            generate(&Wish::default()).unwrap()
        );
    }

    #[test]
    fn a_large_model_is_made_and_read() {
        let wish = Wish {
            screens: 20_000,
            branching: 8,
            depth: 12,
            logins: 40,
            guards: 200,
            counters: 200,
            crashes: 100,
            strings: 81,
            seed: 5,
        };
        let model = Model::parse(&generate(&wish).unwrap(), "m.json", "m").unwrap();
        assert_eq!(model.nodes.len(), 20_000);
        assert!(model.reachable().iter().all(|reached| *reached));
    }

    #[test]
    fn the_depth_that_is_named_is_the_least_that_does() {
        let wish = |screens, branching, depth| Wish {
            screens,
            branching,
            depth,
            ..Wish::default()
        };
        for (screens, branching, depth) in [(1, 4, 0), (6, 1, 5), (21, 4, 2), (22, 4, 3)] {
            assert_eq!(depth_for(screens, branching), depth);
        }
        assert_eq!(depth_for(MOST, 4), 9);
        let reported = generate(&wish(300, 3, 4)).unwrap_err();
        assert!(reported.contains("a depth of 5 (--depth)"), "{reported}");
        assert!(generate(&wish(300, 3, 5)).is_ok());
        // A tree that is full to the last place.
        assert!(generate(&wish(121, 3, 4)).is_ok());
    }

    #[test]
    fn what_cannot_be_had_is_refused_with_a_reason() {
        let usual = Wish::default();
        for (wish, word) in [
            (
                Wish {
                    screens: 0,
                    ..usual
                },
                "screens",
            ),
            (
                Wish {
                    screens: MOST + 1,
                    ..usual
                },
                "screens",
            ),
            (
                Wish {
                    branching: 1,
                    depth: 3,
                    ..usual
                },
                "do not fit",
            ),
            (
                Wish {
                    logins: 30,
                    ..usual
                },
                "walls",
            ),
            (
                Wish {
                    strings: 1,
                    ..usual
                },
                "strings",
            ),
            (
                Wish {
                    branching: 0,
                    ..usual
                },
                "branching",
            ),
        ] {
            let reported = generate(&wish).unwrap_err();
            assert!(reported.contains(word), "{reported}");
        }
    }
}
