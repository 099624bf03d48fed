//! A few inputs for each parser, so that the study and the parsers stay together.

use droidtest_fuzz::{Sources, all};

#[test]
fn every_parser_takes_its_good_inputs_and_survives_a_few_bad_ones() {
    for mut target in all(&Sources::here()) {
        assert!(!target.corpus.is_empty(), "{}", target.name);
        let good = target.corpus.clone();
        let taken = good.iter().filter(|input| (target.run)(input)).count();
        // Some samples are of failures, which parsers refuse.
        assert!(
            2 * taken > good.len(),
            "{}: {taken} of {}",
            target.name,
            good.len()
        );
        let mut refused = 0;
        for number in 0..60 {
            let input = target.input(1, number);
            assert_eq!(
                input,
                target.input(1, number),
                "the same words give the same input"
            );
            refused += u32::from(!(target.run)(&input));
        }
        println!("{}: {taken} good, {refused} of 60 refused", target.name);
    }
}
