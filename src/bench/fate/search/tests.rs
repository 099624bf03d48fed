//! Tests of grids.

use super::*;
use crate::bench::fate::ranking::settings;

const GRID: &str = "[[strategy]]\nkind = \"ares-sac\"\npreset = \"paper\"\ntrain-every = [1, 5]\nlearning-rate = [0.001, 0.0003]\n\
                    [[strategy]]\nkind = \"q-learning\"\nepsilon = [0.1, 0.5, 0.8]\npreset = \"paper\"\n";

#[test]
fn every_combination_stands_once_and_each_is_a_suites_strategy() {
    let (candidates, _) = candidates(GRID, "grid.toml").unwrap();
    assert_eq!(candidates.len(), 7);
    let mut names: Vec<&str> = candidates
        .iter()
        .map(|c| c.contender.name.as_str())
        .collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), 7);
    for candidate in &candidates {
        let suite: Table = settings(candidate).parse().unwrap();
        let strategy: Strategy = suite["strategy"][0].clone().try_into().unwrap();
        assert_eq!(Runs::Strategy(strategy.kind), candidate.contender.runs);
    }
}

#[test]
fn the_grid_of_the_paper_can_be_written() {
    let grid = "[[strategy]]\nkind = \"ares-sac\"\npreset = \"paper\"\ntrain-every = [1, 5]\ntarget-update = [1, 2, 5, 10]\n\
                [[strategy]]\nkind = \"ares-sac\"\nentropy = [-1, 0.3]\ntau = [0.005, 1]\n\
                [[strategy]]\nkind = \"ares-td3\"\npolicy-delay = [1, 2]\ntau = [0.005, 0.05]\n\
                [[strategy]]\nkind = \"ares-ddpg\"\ntau = [0.001, 0.01]\n";
    let (candidates, _) = candidates(grid, "grid.toml").unwrap();
    let mut kinds: Vec<String> = candidates
        .iter()
        .map(|c| format!("{:?}", c.contender.runs))
        .collect();
    kinds.sort_unstable();
    kinds.dedup();
    assert_eq!((candidates.len(), kinds.len()), (18, 18));
}

#[test]
fn what_a_suite_would_not_take_is_refused_at_its_place() {
    for (grid, place, word) in [
        (
            "[[strategy]]\nkind = \"ares-sac\"\nbatsh = [1]",
            "3:1",
            "batsh",
        ),
        ("[[strategy]]\nkind = \"random\"", "1:1", "no parameters"),
        ("x = 1", "1:1", "a grid has no key `x`"),
        ("", "1:1", "no [[strategy]]"),
        (
            "[strategy]\nkind = \"ares-sac\"",
            "1:2",
            "write [[strategy]]",
        ),
        (
            "[[strategy]]\nkind = \"q-learning\"\nepsilon = [0.1, 5.0]",
            "3:17",
            "`strategy.epsilon` is out of range",
        ),
        (
            "[[strategy]]\nkind = \"ares-sac\"\nreward-scale = nan",
            "3:16",
            "`strategy.reward-scale` is out of range",
        ),
        (
            "[[strategy]]\nkind = \"ares-sac\"\nbatch = 0",
            "3:9",
            "between 1 and 4096",
        ),
        (
            "[[strategy]]\nkind = \"q-learning\"\nepsilon = []",
            "3:11",
            "`epsilon` is an empty list",
        ),
        (
            "[[strategy]]\nkind = \"q-learning\"\nepisode = [100, 250]",
            "3:1",
            "`episode` cannot be used in a grid",
        ),
        (
            "[[strategy]]\nkind = \"ares-td3\"\nentropy = [0, 0.3]",
            "3:1",
            "only `ares-sac` has it",
        ),
        (
            "[[strategy]]\nkind = \"dinodroid\"\nsystem-every = [5, 10]\nsystem-rate = 0.1",
            "3:1",
            "both `system-rate` and `system-every`; keep one",
        ),
        (
            "[[strategy]]\nkind = \"monkey\"\npct-touch = [10, 70]\npct-nav = 60",
            "2:8",
            "add up to 130 percent",
        ),
        (
            "[[strategy]]\nkind = \"ares-td3\"\ntarget-noise = [[0.2, -0.5]]",
            "3:23",
            "between 0 and 2",
        ),
        (
            "[[strategy]]\nkind = \"ares-sac\"\nhidden = [[8, 0]]",
            "3:15",
            "between 1 and 1024",
        ),
        (
            "[[strategy]]\nkind = \"ares-td3\"\ntarget-noise = [0.2, 0.5]",
            "3:17",
            "write target-noise = [[0.2, 0.5]]",
        ),
        ("[[strategy", "1:", "this is not valid TOML"),
    ] {
        let reported = candidates(grid, "grid.toml").unwrap_err().to_string();
        assert!(
            reported.contains(&format!("grid.toml:{place}")),
            "{reported}"
        );
        assert!(reported.contains(word), "{reported}");
    }
}

#[test]
fn old_names_are_read_with_a_notice() {
    let grid = "[[strategy]]\nkind = \"dinodroid\"\nagain = [1.0, 2.0]\n";
    let (candidates, notices) = candidates(grid, "grid.toml").unwrap();
    assert_eq!(candidates.len(), 2);
    assert!(settings(&candidates[0]).contains("repeat-crash-penalty = 1.0"));
    assert!(
        notices[0].starts_with("grid.toml:3: `again` is now"),
        "{notices:?}"
    );
}

#[test]
fn a_grid_beyond_all_reason_is_refused_before_it_is_built() {
    let list: Vec<String> = (1..=1000).map(|n| n.to_string()).collect();
    let list = list.join(", ");
    let grid = format!(
        "[[strategy]]\nkind = \"ares-sac\"\nbatch = [{list}]\nmemory = [{list}]\ntrain-every = [{list}]\n"
    );
    let reported = candidates(&grid, "grid.toml").unwrap_err().to_string();
    assert!(
        reported.contains("more than 10000 combinations"),
        "{reported}"
    );
}
