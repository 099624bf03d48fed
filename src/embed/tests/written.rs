//! What is written is read back, or refused.

use super::*;
use proptest::prelude::*;

const FORMS: [Form; 3] = [Form::Word2vec, Form::Text, Form::Compact];

fn one(word: &str) -> Embedding {
    Embedding::from_rows([word, "save"], 2, vec![1.0, 0.5, -1.0, 0.25])
}

fn write(embedding: &Embedding, form: Form) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let written = embedding.write(form, &mut bytes);
    assert!(written.is_ok() || bytes.is_empty(), "a part was written");
    written.map(|()| bytes)
}

#[test]
fn words_that_a_form_cannot_hold_are_refused_with_a_mend() {
    let long = "x".repeat(4096);
    for (word, forms, why) in [
        (
            "new york",
            &FORMS[..2],
            "the word \"new york\" holds whitespace",
        ),
        ("1\u{a0}024", &FORMS[..2], "holds whitespace"),
        ("", &FORMS[..2], "the word \"\" is empty"),
        (&long, &FORMS[..1], "is longer than 4,095 bytes"),
    ] {
        for form in FORMS {
            let refused = write(&one(word), form).err().map(|e| e.to_string());
            assert_eq!(
                refused.is_some(),
                forms.contains(&form),
                "{form:?}: {refused:?}"
            );
            if let Some(said) = refused {
                let fix = said.ends_with("; write the compact format (--format compact)");
                assert!(said.contains(why) && fix, "{said}");
            }
        }
    }
    for form in FORMS {
        let said = write(&one("line\nfeed"), form).unwrap_err().to_string();
        let why =
            "the word \"line\\nfeed\" holds a line feed; no format can hold it: rename the word";
        assert!(said.starts_with(why), "{said}");
    }
}

/// Words with spaces, numbers, marks and control characters in them, and any others.
fn word() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z0-9.é]{1,6}",
        "[a 1.\t\r\n\u{b}\u{85}\u{a0}\u{2028}\u{feff}\u{0}é<-]{0,5}",
        any::<String>(),
    ]
}

fn embedding() -> impl Strategy<Value = Embedding> {
    // Of one number, floats can spell a row of text.
    (2..5_usize, prop::collection::vec(word(), 1..6)).prop_flat_map(|(dim, words)| {
        let number = any::<f32>().prop_filter("finite", |x| x.is_finite());
        let rows = prop::collection::vec(number, dim * words.len());
        rows.prop_map(move |rows| Embedding::from_rows(words.iter().map(String::as_str), dim, rows))
    })
}

#[test]
fn the_greatest_floats_can_be_read_back() {
    let made = Embedding::from_rows(["a"], 2, vec![f32::MAX, f32::MIN]);
    for form in FORMS {
        let read = open(&write(&made, form).unwrap()).unwrap();
        let mut row = [0.0; 2];
        assert!(read.vector("a", &mut row));
        assert!(row[0] > 3.4e38 && row[1] < -3.4e38, "{form:?}: {row:?}");
    }
}

proptest! {
    #[test]
    fn what_is_written_is_read_back_or_refused(made in embedding()) {
        for form in FORMS {
            let Ok(bytes) = write(&made, form) else {
                let odd = |w: &str| w.is_empty() || w.contains(char::is_whitespace) || w.len() > 4095;
                prop_assert!(made.words().any(odd), "{form:?} refused plain words");
                continue;
            };
            let read = open(&bytes).map_err(|e| TestCaseError::fail(format!("{form:?}: {e}")))?;
            prop_assert_eq!(
                read.words().collect::<Vec<_>>(),
                made.words().collect::<Vec<_>>(),
                "{:?}", form
            );
            if form != Form::Compact {
                prop_assert_eq!(read.hash(), made.hash(), "{:?}", form);
                continue;
            }
            let (mut got, mut wanted) = (vec![0.0; made.dim()], vec![0.0; made.dim()]);
            for word in made.words() {
                prop_assert!(read.vector(word, &mut got) && made.vector(word, &mut wanted));
                let greatest = wanted.iter().fold(0.0_f32, |most, x| most.max(x.abs()));
                for (got, wanted) in got.iter().zip(&wanted) {
                    // The smallest numbers there are cannot be divided finely.
                    let within = greatest / 253.0 + 1e-38;
                    prop_assert!((got - wanted).abs() <= within, "{got} for {wanted}");
                }
            }
        }
    }
}

/// The word is all that its first 4,096 bytes tell.
#[test]
fn floats_behind_the_longest_word_are_seen() {
    let long = "w".repeat(4095);
    let made = Embedding::from_rows([long.as_str(), "b"], 2, vec![0.5, 1.0, 1.0, 2.0]);
    let read = open(&write(&made, Form::Word2vec).unwrap()).unwrap();
    let mut row = [0.0; 2];
    assert!(read.vector("b", &mut row));
    assert_eq!(row, [1.0, 2.0]);
}
