//! Policies and embeddings that cannot be used: refused before anything runs.

use crate::common::program::Desk;

const SUITE: &str = r#"
[suite]
name = "s"
budget = { events = 20 }
seeds = [1]
[[app]]
name = "notes"
model = "builtin:notes"
[[strategy]]
kind = "dinodroid"
warm-up = 5
"#;

/// A suite whose strategy has these lines, and what `run` says of it; no run is left behind.
fn refused(desk: &Desk, lines: &str, words: &[&str]) {
    desk.write("droidtest.toml", format!("{SUITE}{lines}\n"));
    desk.refused(
        "run --out runs",
        &[&["bad-file", "[droidtest.toml:1", "help:"], words].concat(),
    );
    assert!(!desk.path("runs").exists(), "{lines}: a run was started");
}

#[test]
fn a_policy_that_is_no_whole_one_is_named_with_its_key_and_a_mend() {
    let desk = Desk::new(SUITE);
    let said = desk.tool("train policy --policy good.safetensors --out training");
    assert_eq!(said.code, 0, "{}", said.err);
    let good = desk.read("good.safetensors");

    desk.write("bad.safetensors", &good[..good.len() / 2]);
    let load = "policy = { load = \"bad.safetensors\" }";
    let train = "train policy --policy FILE";
    let cut = [
        "bad.safetensors: ",
        "this is not a complete policy file",
        load,
        train,
    ];
    refused(&desk, load, &[cut.as_slice(), &["it is cut off"]].concat());
    desk.write("bad.safetensors", "");
    refused(&desk, load, &[cut.as_slice(), &["it is empty"]].concat());
    desk.write("bad.safetensors", b"once upon a time, in a land far away");
    refused(
        &desk,
        load,
        &[cut.as_slice(), &["it is something else"]].concat(),
    );
    // A policy of another strategy is reported by name, for both kinds of files.
    let table = SUITE
        .replace("dinodroid", "q-learning")
        .replace("warm-up = 5\n", "");
    desk.write("droidtest.toml", format!("{table}{load}\n"));
    desk.write("bad.safetensors", &good);
    let words = ["strategy: the policy's is dinodroid, the suite's is q-learning"];
    desk.refused("run --out runs", &words);
    desk.write("droidtest.toml", &table);
    let said = desk.tool("train policy --policy table.safetensors --out training");
    assert_eq!(said.code, 0, "{}", said.err);
    desk.write("bad.safetensors", desk.read("table.safetensors"));
    refused(
        &desk,
        load,
        &["strategy: the policy's is q-learning, the suite's is dinodroid"],
    );

    let header = br#"\"version\":2"#;
    let at = good
        .windows(header.len())
        .position(|part| part == header)
        .unwrap();
    let mut newer = good.clone();
    newer[at + header.len() - 1] = b'3';
    desk.write("bad.safetensors", &newer);
    refused(
        &desk,
        load,
        &[
            "has format version 3, but this tool reads versions 1 and 2",
            train,
        ],
    );

    let mut spoilt = good.clone();
    let last = spoilt.len() - 4;
    spoilt[last..].copy_from_slice(&f32::NAN.to_le_bytes());
    desk.write("bad.safetensors", &spoilt);
    refused(&desk, load, &["holds a number that is not finite", train]);

    spoilt[last..].copy_from_slice(&3e8_f32.to_le_bytes());
    desk.write("bad.safetensors", &spoilt);
    refused(&desk, load, &["a weight beyond a million", train]);

    // With either of these the first step of the optimiser would spoil every weight.
    let steps = br#"\"steps\":"#;
    let mut backwards = good.clone();
    let at = good.windows(steps.len()).position(|part| part == steps);
    let digits = at.unwrap() + steps.len();
    // As long as before, and no number starts with a 0.
    backwards[digits..digits + 2].copy_from_slice(b"-1");
    desk.write("bad.safetensors", &backwards);
    refused(&desk, load, &["a negative number of steps", train]);
    let header = u64::from_le_bytes(good[..8].try_into().unwrap()) as usize;
    let tensors: serde_json::Value = serde_json::from_slice(&good[8..8 + header]).unwrap();
    let all = tensors.as_object().unwrap();
    let (_, square) = all
        .iter()
        .find(|(name, _)| name.starts_with("square."))
        .unwrap();
    let at = 8 + header + square["data_offsets"][0].as_u64().unwrap() as usize;
    let mut negative = good.clone();
    negative[at..at + 4].copy_from_slice(&(-1.0_f32).to_le_bytes());
    desk.write("bad.safetensors", &negative);
    refused(&desk, load, &["one of its mean squares is negative", train]);

    let mut steep = good.clone();
    let (_, mean) = all
        .iter()
        .find(|(name, _)| name.starts_with("mean."))
        .unwrap();
    let at = 8 + header + mean["data_offsets"][0].as_u64().unwrap() as usize;
    steep[at..at + 4].copy_from_slice(&3e38_f32.to_le_bytes());
    desk.write("steep.safetensors", &steep);
    let load_steep = "policy = { load = \"steep.safetensors\" }";
    refused(
        &desk,
        load_steep,
        &["a mean of its optimiser is too large", train],
    );

    // Of other inputs, and of words of another dimension.
    let load = "policy = { load = \"good.safetensors\" }";
    let fewer = format!("{load}\nfeatures = [\"fcr\"]");
    refused(
        &desk,
        &fewer,
        &[
            "inputs: the policy's is fcr (10), fcd1",
            "the suite's is fcr (10);",
        ],
    );
    desk.write("words.txt", "2 3\nok 1 0 0\nno 0 1 0\n");
    let other = format!("{load}\nembedding = \"words.txt\"");
    refused(
        &desk,
        &other,
        &["txc (6 x 3)", "embedding: the policy's is"],
    );

    // Training neither continues from a bad one nor writes over it.
    desk.write("droidtest.toml", SUITE);
    let spoilt = desk.read("bad.safetensors");
    let words = [
        "bad.safetensors: ",
        "is negative",
        "name another file with --policy",
    ];
    desk.refused(
        "train policy --policy bad.safetensors --out training",
        &words,
    );
    assert!(desk.read("bad.safetensors") == spoilt);
}

#[test]
fn an_embedding_that_cannot_be_used_is_named_with_the_line_or_byte() {
    let desk = Desk::new(SUITE);
    let good = "3 4\nok 1 0 0 0\nyes 1 0 0 .1\nno 0 1 0 0\n";
    let fresh = "policy = { fresh = true }\nembedding = \"words.txt\"";
    let case = |bytes: &[u8], words: &[&str]| {
        desk.write("words.txt", bytes);
        let fix = ["embedding = \"words.txt\"", "train embeddings"];
        refused(&desk, fresh, &[&fix, words].concat());
    };
    let text = |from: &str, to: &str| good.replace(from, to).into_bytes();
    case(
        &text("no 0 1 0 0\n", ""),
        &["words.txt: 2 words, but the first line says 3"],
    );
    case(
        &text("0 .1", ".1"),
        &["words.txt:3: 3 numbers instead of 4"],
    );
    case(
        &text(".1", "nan"),
        &["words.txt:3: the vector of `yes` holds NaN in column 4"],
    );
    // Without a first line that says DIM nothing else tells a longer row from a word with a space.
    case(
        b"ok 1 0 0 0\nno 0 1 1 0 0\n",
        &["words.txt:2: 5 numbers instead of 4"],
    );
    case(
        b"2 4\nok 1 0 0 0 1\nno 0 1 0 0 1\n",
        &["words.txt:2: 5 numbers instead of 4"],
    );
    let wide = format!("ok{}\n", " 1".repeat(4097));
    case(
        wide.as_bytes(),
        &["words.txt: vectors of 4097 numbers; strategies need 1 to 4096"],
    );
    case(
        &text("3 4", "3 5"),
        &["words.txt:2: 4 numbers instead of 5"],
    );
    case(&text("3 4", "3 0"), &["words.txt:1: vectors of 0 numbers"]);
    case(b"", &["words.txt: it holds no words"]);
    let newer = b"droidtest-words 2\n1 2\nok\n";
    case(
        newer,
        &["words.txt: byte 16: version `2` of the compact format; this tool reads version 1"],
    );
    // word2vec's binary form, its last vector cut.
    let mut binary = b"2 2\nok ".to_vec();
    for number in [1.0_f32, 0.5] {
        binary.extend(number.to_le_bytes());
    }
    binary.extend(b"\nno ");
    binary.extend([0, 0, 128]);
    case(
        &binary,
        &["words.txt: byte 19: it ends in the middle of the vector of word 2 of 2"],
    );
}

#[test]
fn vectors_that_cannot_be_written_are_refused_before_anything_is_learned() {
    let desk = Desk::new(SUITE);
    desk.write("text.txt", "save this file\n".repeat(5));
    let train = |args: &str| format!("train embeddings {args}");
    let glove = "new york 0.1 0.2 0.3\nsave 0.2 0.1 0.4\n";
    desk.write("glove.txt", format!("2 3\n{glove}"));
    let spaces = [
        "words.bin with the words of glove.txt",
        "\"new york\" holds whitespace",
        "--format compact",
    ];
    let join = "--join glove.txt --dim 2 --out words.bin";
    desk.refused(&train(join), &spaces);
    desk.refused(&train(&format!("{join} --format text")), &spaces);
    assert!(!desk.path("words.bin").exists());
    let compact = desk.tool(&train(&format!("{join} --format compact")));
    assert_eq!(compact.code, 0, "{}", compact.err);

    let learn = "--corpus text.txt --out";
    desk.refused(&train(&format!("{learn} .")), &["it is a folder"]);
    desk.refused(
        &train(&format!("{learn} none/words.bin")),
        &["the folder none does not exist"],
    );
    #[cfg(target_os = "linux")]
    desk.refused(
        &train(&format!("{learn} /proc/words.bin")),
        &["cannot create a file in /proc"],
    );
    // No input is overwritten, by whatever name it goes.
    let words = desk.read("words.bin");
    desk.write("pairs.txt", "save file\n");
    desk.write("lines.tsv", "save\tde\tsichern\n");
    for args in [
        "--join words.bin --dim 2 --out words.bin",
        "--corpus text.txt --out ./text.txt",
        "--corpus text.txt --parallel lines.tsv --out ./././lines.tsv",
        "--corpus text.txt --pairs pairs.txt --out pairs.txt",
    ] {
        desk.refused(
            &train(args),
            &["it is the input", "choose another file with --out"],
        );
    }
    assert!(desk.read("words.bin") == words);
}

#[test]
fn texts_that_teach_nothing_are_refused_and_a_few_such_words_told() {
    let desk = Desk::new(SUITE);
    desk.write("text.txt", "save\nload\n".repeat(5));
    let learn = "train embeddings --corpus text.txt --out words.bin";
    desk.refused(learn, &["no line holds two of the 2 words"]);
    desk.write("text.txt", b"save\nl\xf6schen\n");
    desk.refused(learn, &["text.txt:2: not UTF-8"]);
    for (args, why) in [
        ("--max-words 1", "at least 2 words are needed"),
        ("--negative 0", "0 is not in 1..=1000"),
    ] {
        let said = desk.tool(&format!("{learn} {args}"));
        assert!(said.code != 0 && said.err.contains(why), "{}", said.err);
    }
    assert!(!desk.path("words.bin").exists());
    desk.write("text.txt", "save file\nload\n".repeat(5));
    let said = desk.tool(learn);
    assert_eq!(said.code, 0, "{}", said.err);
    let reported = "nothing was learned about 1 of the 3 words";
    assert!(said.err.contains(reported), "{}", said.err);
}

#[test]
fn an_engine_that_is_not_there_is_told_before_anything_runs() {
    let desk = Desk::new(SUITE);
    let words = ["torch:cuda:99", "`rust` is always available", "--engine"];
    desk.refused("run --out runs --engine torch:cuda:99", &words);
    let wrong = ["\"gpu\" is not `rust`, `torch:cpu`", "--engine"];
    desk.refused("run --out runs --engine gpu", &wrong);
    assert!(!desk.path("runs").exists());
}

#[test]
fn vectors_that_ran_away_are_not_written() {
    let desk = Desk::new(SUITE);
    desk.write("text.txt", include_str!("../../../README.md"));
    desk.refused(
        "train embeddings --corpus text.txt --out words.bin --rate 1 --epochs 300 --min-count 1 --dim 4",
        &["training diverged", "lower --rate"],
    );
    assert!(!desk.path("words.bin").exists());
}

#[test]
fn a_policy_of_the_other_learners_is_checked_before_anything_runs_too() {
    let suite = SUITE
        .replace("dinodroid", "ares-sac")
        .replace("warm-up = 5\n", "");
    let desk = Desk::new(&format!("{suite}policy = {{ save = true }}\n"));
    assert!([0, 100].contains(&desk.tool("run --out kept --run-id r").code));
    let policy = desk.read("kept/r/sessions/notes-sim-ares-sac-1/policy.safetensors");
    let load = format!("{suite}policy = {{ load = \"bad.safetensors\" }}\n");
    desk.write("droidtest.toml", &load);
    desk.write("bad.safetensors", &policy);
    assert!([0, 100].contains(&desk.tool("run --out runs --run-id good").code));
    desk.write("bad.safetensors", &policy[..policy.len() - 1]);
    let words = [
        "bad-file",
        "bad.safetensors: ",
        "this is not a complete policy file",
        "droidtest.toml:",
    ];
    desk.refused("run --out runs --run-id bad", &words);
    // Another learner's, and an app with other texts to type.
    desk.write("bad.safetensors", &policy);
    desk.write("droidtest.toml", load.replace("ares-sac", "ares-td3"));
    desk.refused(
        "run --out runs --run-id bad",
        &["strategy: the policy's is ares-sac, the suite's is ares-td3"],
    );
    desk.write(
        "droidtest.toml",
        load.replace("builtin:notes", "builtin:shop"),
    );
    desk.refused(
        "run --out runs --run-id bad",
        &["strings: the policy's is ["],
    );
    assert!(!desk.path("runs/bad").exists());
}
