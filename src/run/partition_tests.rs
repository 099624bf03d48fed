use super::*;

fn shard(text: &str) -> Result<Partition, String> {
    match text.parse::<Wanted>()? {
        Wanted::One(partition) => Ok(partition),
        Wanted::Auto => Err("auto".to_owned()),
    }
}

fn of(vars: &[(&str, &str)]) -> Result<String, String> {
    let env = vars
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    let (partition, _) = Wanted::Auto.resolve(&env.collect())?;
    Ok(partition.to_string())
}

#[test]
fn what_is_written_is_what_is_shown() {
    for text in ["slice:1/1", "slice:3/8", "hash:8/8"] {
        assert_eq!(shard(text).unwrap().to_string(), text);
    }
    assert_eq!("auto".parse(), Ok(Wanted::Auto));
}

#[test]
fn a_malformed_shard_names_the_forms() {
    for bad in [
        "",
        "3/8",
        "slice",
        "slice:",
        "slice:3",
        "slice:3/",
        "slice:/8",
        "slice:a/b",
        "slice:1/2/3",
        "count:1/2",
        "slice:-1/2",
        "slice:+1/2",
        "slice: 1/2",
        "Slice:1/2",
        "slice:99999999999999999999/1",
        "AUTO",
    ] {
        assert!(shard(bad).unwrap_err().contains("`slice:M/N`"), "{bad:?}");
    }
    assert!(shard("slice:0/8").unwrap_err().contains("no shard 0"));
    assert!(shard("slice:9/8").unwrap_err().contains("no shard 9 of 8"));
    assert!(shard("hash:1/0").unwrap_err().contains("0 shards"));
}

#[test]
fn each_session_is_in_one_shard() {
    let names: Vec<String> = (0..50).map(|ix| format!("notes-jvm-random-{ix}")).collect();
    for (by, count) in [("slice", 8), ("hash", 8), ("slice", 60), ("hash", 1)] {
        let all: Vec<_> = (1..=count)
            .map(|ix| shard(&format!("{by}:{ix}/{count}")).unwrap())
            .collect();
        for (ix, name) in names.iter().enumerate() {
            let within = all.iter().filter(|shard| shard.holds(ix, name)).count();
            assert_eq!(within, 1, "{by} {name}");
        }
    }
    let third = shard("slice:3/8").unwrap();
    let of_third: Vec<_> = (0..20).filter(|ix| third.holds(*ix, "")).collect();
    assert_eq!(of_third, [2, 10, 18]);
}

#[test]
fn by_hash_a_session_stays_in_its_shard_when_the_suite_grows() {
    let all: Vec<_> = (0..40)
        .map(|ix| shard_of(Division::Hash, 8, ix, &format!("s-{ix}")))
        .collect();
    let moved: Vec<_> = (0..40)
        .map(|ix| shard_of(Division::Hash, 8, ix + 7, &format!("s-{ix}")))
        .collect();
    assert_eq!(all, moved);
    // Not all in a few.
    let used: std::collections::BTreeSet<_> = all.into_iter().collect();
    assert!(used.len() >= 6, "{used:?}");
}

#[test]
fn schedulers_number_from_one_or_zero() {
    assert_eq!(
        of(&[("CI_NODE_INDEX", "2"), ("CI_NODE_TOTAL", "5")]).unwrap(),
        "slice:2/5"
    );
    assert_eq!(
        of(&[
            ("SLURM_ARRAY_TASK_ID", "8"),
            ("SLURM_ARRAY_TASK_COUNT", "8")
        ])
        .unwrap(),
        "slice:8/8"
    );
    assert_eq!(
        of(&[("JOB_COMPLETION_INDEX", "0"), (SHARDS, "4")]).unwrap(),
        "slice:1/4"
    );
    assert_eq!(
        of(&[("JOB_COMPLETION_INDEX", "3"), (SHARDS, "4")]).unwrap(),
        "slice:4/4"
    );
}

#[test]
fn a_part_of_a_slurm_array_needs_the_number_of_all_shards() {
    let part = [
        ("SLURM_ARRAY_TASK_ID", "3"),
        ("SLURM_ARRAY_TASK_COUNT", "2"),
        ("SLURM_ARRAY_TASK_MIN", "3"),
        ("SLURM_ARRAY_TASK_MAX", "5"),
    ];
    assert!(of(&part).unwrap_err().contains(SHARDS));
    let known: Vec<_> = part.into_iter().chain([(SHARDS, "8")]).collect();
    assert_eq!(of(&known).unwrap(), "slice:3/8");
    let from_zero = [
        ("SLURM_ARRAY_TASK_ID", "0"),
        ("SLURM_ARRAY_TASK_COUNT", "8"),
        ("SLURM_ARRAY_TASK_MIN", "0"),
        ("SLURM_ARRAY_TASK_MAX", "7"),
    ];
    assert!(of(&from_zero).unwrap_err().contains("--array=1-8"));
}

#[test]
fn missing_variables_are_named() {
    let none = of(&[]).unwrap_err();
    for name in [
        "CI_NODE_INDEX",
        "CI_NODE_TOTAL",
        "SLURM_ARRAY_TASK_ID",
        "JOB_COMPLETION_INDEX",
        SHARDS,
    ] {
        assert!(none.contains(name), "{none}");
    }
    assert!(
        of(&[("CI_NODE_INDEX", "1")])
            .unwrap_err()
            .contains("CI_NODE_TOTAL")
    );
    assert!(
        of(&[("JOB_COMPLETION_INDEX", "1")])
            .unwrap_err()
            .contains(SHARDS)
    );
    let word = of(&[("CI_NODE_INDEX", "one"), ("CI_NODE_TOTAL", "5")]).unwrap_err();
    assert!(word.contains("CI_NODE_INDEX is not a number"), "{word}");
    let beyond = of(&[("CI_NODE_INDEX", "6"), ("CI_NODE_TOTAL", "5")]).unwrap_err();
    assert!(
        beyond.contains("CI_NODE_INDEX and CI_NODE_TOTAL"),
        "{beyond}"
    );
    assert!(of(&[("JOB_COMPLETION_INDEX", "4"), (SHARDS, "4")]).is_err());
}
