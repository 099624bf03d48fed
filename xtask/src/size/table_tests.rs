//! Rows made of measurements.

use super::*;
use serde_json::json;

fn row(app: &str, kind: &str, number: u64, wall: f64) -> Value {
    json!({
        "app": app, "kind": kind, "number": number, "wall": wall, "first_page": wall / 2.0, "dex_bytes": 4e6,
        "cache_bytes": 0, "load": 0.5, "failure": null,
        "costs": {
            "droidtest.tool.Translate": {"memory_kb": 1000.0 * wall, "cpu": 8.0},
            "droidtest-sandb": {"memory_kb": 9e9, "cpu": 9e9},
            "droidtest.host.Main": {"memory_kb": 2000.0 * wall, "cpu": 1.0},
        },
    })
}

#[test]
fn differences_are_those_of_one_round() {
    let all: Vec<Value> = [(1, 10.0, 4.0), (2, 30.0, 20.0), (3, 12.0, 5.0)]
        .into_iter()
        .flat_map(|(n, first, cached)| {
            [
                row("plain", "first", n, first),
                row("plain", "cached", n, cached),
            ]
        })
        .collect();
    let rows = Rows::new(all.iter());
    let more = rows.more(("plain", "first"), ("plain", "cached"), wall);
    // Of 6, 10 and 7; the medians themselves differ by 7 only by chance.
    assert_eq!(more, Cell::Number(7.0));
    assert_eq!(
        rows.median("plain", "first", translator),
        Cell::Number(12.0)
    );
    assert_eq!(rows.median("plain", "first", rate), Cell::Number(0.5));
    assert_eq!(rows.wall("56", "first"), Cell::Missing);
}

#[test]
fn a_build_that_fails_is_shown_with_its_reason() {
    let mut failed = row("56", "first", 1, 258.0);
    failed["failure"] = json!("107: not a usable APK: OutOfMemoryError");
    let plain = row("plain", "first", 1, 60.0);
    let rows = Rows::new([&failed, &plain].into_iter());
    let table = text(&rows, &Rows::new([&plain].into_iter()));
    let line = table
        .lines()
        .find(|line| line.starts_with("| 56 MB: first run over"))
        .unwrap();
    assert_eq!(
        line,
        "| 56 MB: first run over the unpadded | fails: 107: not a usable APK: OutOfMemoryError | - | <= 10 |"
    );
    assert!(
        table.contains("| unpadded: first run | 60.0 s | 60.0 s |"),
        "{table}"
    );
    assert!(table.contains("load of the machine before a measurement: 0.5"));
}
