use super::*;
use std::fs;

/// Sentences in which `save` and `store` have the same neighbours, as have `red` and `blue`.
fn text() -> Corpus {
    let mut corpus = Corpus::default();
    for round in 0..300 {
        let verb = ["save", "store"][round % 2];
        let noun = ["file", "picture", "document"][round % 3];
        let colour = ["red", "blue"][round / 2 % 2];
        let place = ["wall", "door", "roof"][round / 2 % 3];
        corpus.add(&format!("{verb} this {noun} now"));
        corpus.add(&format!("paint that {place} {colour} today"));
    }
    corpus
}

fn parameters() -> Parameters {
    Parameters {
        dim: 16,
        epochs: 20,
        subsample: 0.0,
        ..Parameters::default()
    }
}

fn first(embedding: &Embedding, word: &str) -> String {
    embedding.nearest(word, 1)[0].0.to_owned()
}

#[test]
fn words_with_equal_neighbours_come_close() {
    let (embedding, seen) = train(&text(), &parameters(), |_| {}).unwrap();
    assert_eq!(first(&embedding, "save"), "store");
    assert_eq!(first(&embedding, "blue"), "red");
    assert_eq!(seen.tokens, 300 * 9);
    assert_eq!(seen.words, embedding.len());
}

#[test]
fn words_with_equal_translations_come_close() {
    let mut corpus = Corpus::default();
    for _ in 0..60 {
        for (text, german, french) in [
            ("Delete", "Löschen", "Supprimer"),
            ("Remove", "Löschen", "Supprimer"),
            ("Open", "Öffnen", "Ouvrir"),
            ("View", "Öffnen", "Ouvrir"),
        ] {
            corpus.add_parallel(text, "de", german);
            corpus.add_parallel(text, "fr", french);
        }
    }
    let (embedding, seen) = train(&corpus, &parameters(), |_| {}).unwrap();
    assert_eq!(first(&embedding, "delete"), "remove");
    assert_eq!(first(&embedding, "open"), "view");
    assert_eq!((seen.words, seen.foreign), (4, 4));
}

#[test]
fn equal_texts_settings_and_seeds_give_equal_vectors() {
    let digest = |seed| {
        let parameters = Parameters {
            seed,
            epochs: 2,
            ..parameters()
        };
        let (embedding, _) = train(&text(), &parameters, |_| {}).unwrap();
        embedding.hash().to_owned()
    };
    assert_eq!(digest(1), digest(1));
    assert_ne!(digest(1), digest(2));
}

#[test]
fn forms_count_as_their_words_where_the_word_is_as_frequent() {
    let mut corpus = Corpus::default();
    for _ in 0..5 {
        corpus.add("delete the files settings settings");
        corpus.add("deleted the file setting");
    }
    corpus.add("delete delete file file");
    let (embedding, _) = train(&corpus, &parameters(), |_| {}).unwrap();
    let words: Vec<_> = embedding.words().collect();
    assert_eq!(words, ["delete", "file", "settings", "the", "setting"]);
}

#[test]
fn texts_that_teach_nothing_are_refused() {
    let mut corpus = Corpus::default();
    corpus.add("hello hello hello hello hello hello");
    let error = train(&corpus, &Parameters::default(), |_| {}).unwrap_err();
    assert!(
        error.to_string().starts_with("1 words are left of 6"),
        "{error}"
    );

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pairs.tsv");
    fs::write(&path, "Save\tde\tSpeichern\nOpen\tde\n").unwrap();
    let error = corpus.add_parallel_file(&path).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("pairs.tsv:2: not of the form `TEXT"),
        "{error}"
    );
    fs::write(&path, b"Save\tde\tSichern\nOpen\tde\t\xd6ffnen\n").unwrap();
    for error in [corpus.add_file(&path), corpus.add_parallel_file(&path)] {
        let said = error.unwrap_err().to_string();
        assert!(said.contains("pairs.tsv:2: not UTF-8"), "{said}");
    }
    let missing = corpus.add_file(&folder.path().join("none.txt"));
    let said = missing.unwrap_err().to_string();
    assert!(said.contains("none.txt: cannot read it"), "{said}");
}

#[test]
fn words_that_never_stand_together_are_refused_and_a_few_of_them_counted() {
    let train = |corpus: &Corpus, max_words| {
        let parameters = Parameters {
            max_words,
            ..parameters()
        };
        super::train(corpus, &parameters, |_| {}).map(|(_, seen)| seen)
    };
    let mut corpus = Corpus::default();
    for _ in 0..6 {
        corpus.add("save");
        corpus.add("load");
    }
    let said = train(&corpus, 0).unwrap_err().to_string();
    assert!(
        said.starts_with("no line holds two of the 2 words"),
        "{said}"
    );
    // Two words per line, but one of them always too rare.
    for rare in ["a", "b", "c", "d", "e"] {
        corpus.add(&format!("open {rare}"));
    }
    let said = train(&corpus, 0).unwrap_err().to_string();
    assert!(
        said.starts_with("no line holds two of the 3 words"),
        "{said}"
    );
    for _ in 0..5 {
        corpus.add("open file");
    }
    assert_eq!(train(&corpus, 0).unwrap().alone, 2);
    // An aligned pair is a context, too.
    for _ in 0..5 {
        corpus.add_parallel("save", "de", "speichern");
    }
    assert_eq!(train(&corpus, 0).unwrap().alone, 1);

    let said = train(&corpus, 1).unwrap_err().to_string();
    assert!(said.contains("--max-words 2 or more"), "{said}");
    assert_eq!(train(&corpus, 2).unwrap().words, 2);
}
