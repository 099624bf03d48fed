//! The document: what is held against what.

use super::*;

fn figure(mean: f64) -> Option<Figure> {
    Some(Figure {
        mean,
        sd: 300.0,
        seeds: 60.0,
        speed: 1000.0,
    })
}

fn row(strategy: &str, mean: f64, rows: usize) -> (String, Vec<Option<Figure>>) {
    (strategy.to_owned(), vec![figure(mean); rows])
}

#[test]
fn the_measured_code_is_held_against_the_preset_that_it_is() {
    let rows = ANCHORS.len();
    // The paper's preset is far off, the published one is not there yet.
    let mut table = vec![row("random", 88_603.0, rows), row("q-learning", 5.0, rows)];
    let told = document(&table, None);
    // On the first model alone is this what was measured.
    assert!(told.contains(&format!("standard errors: 1 of {rows}.")));
    assert!(told.contains("Not run yet: q-learning:published, q-learning:default"));
    assert!(told.contains("ares-td3:default, ares-ddpg:default, dinodroid, ares-td3."));
    table.push(row(MEASURED, 87_003.0, rows));
    let told = document(&table, None);
    let player = told.lines().find(|line| line.starts_with("| player"));
    let player = player.unwrap();
    assert!(
        player.contains("| 87003 ± 300 (60) | 87003 ± 300 (60) | +0.0 |"),
        "{player}"
    );
    assert!(
        told.contains(&format!("standard errors: 2 of {}.\n", 2 * rows)),
        "{told}"
    );
    assert!(!told.contains("Models kept back"));
}

#[test]
fn models_kept_back_have_a_table_of_their_own() {
    let mut kept_back = KeptBack {
        files: vec!["deep/maze.json".into(), "deep/wall.xml".into()],
        strings: 20,
        table: Vec::new(),
    };
    let main = vec![row("random", 5000.0, ANCHORS.len())];
    // Before the first has run there is nothing to show.
    assert!(!document(&main, Some(&kept_back)).contains("kept back"));
    kept_back.table.push(row("random", 5000.0, 2));
    kept_back.table.push(row("ares-sac", 5600.0, 2));
    kept_back.table[1].1[1] = None;
    let told = document(&main, Some(&kept_back));
    let (_, section) = told.split_once("## Models kept back\n").unwrap();
    assert!(
        section.contains("| model | random | ares-sac | |\n|---|---|---|---|\n"),
        "{section}"
    );
    // 600 over sqrt(2 x 300^2 / 60) = 54.8.
    assert!(
        section.contains("| maze | 5000 ± 300 (60) | 5600 ± 300 (60) | +11.0 |\n"),
        "{section}"
    );
    assert!(
        section.contains("| wall | 5000 ± 300 (60) | | |\n"),
        "{section}"
    );
    assert!(section.contains("## Speed"));
}

#[test]
fn models_are_found_and_the_strings_beside_them_are_none() {
    let held = tempfile::tempdir().unwrap();
    let folder = held.path();
    for name in ["b.json", "a.xml", "strings.json", "notes.md"] {
        fs::write(folder.join(name), "").unwrap();
    }
    let found = KeptBack::of(folder, 20).map(|kept_back| kept_back.files);
    assert_eq!(
        found.unwrap(),
        [folder.join("a.xml"), folder.join("b.json")]
    );
    assert!(KeptBack::of(&folder.join("nowhere"), 20).is_err());
}
