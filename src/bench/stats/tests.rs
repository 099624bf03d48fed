use super::*;
use crate::util::seed::generator;
use serde_json::Value;

fn recorded() -> Value {
    serde_json::from_str(include_str!(
        "../../../tests/fixtures/bench/scipy_reference.json"
    ))
    .unwrap()
}

fn numbers(value: &Value) -> Vec<f64> {
    let all = value.as_array().unwrap();
    all.iter().map(|x| x.as_f64().unwrap()).collect()
}

#[test]
fn the_signed_rank_test_says_what_scipy_says() {
    let recorded = recorded();
    let cases = recorded["wilcoxon"].as_array().unwrap();
    assert_eq!(cases.len(), 10);
    for case in cases {
        let test = wilcoxon(&numbers(&case["a"]), &numbers(&case["b"]));
        assert_eq!(
            test.above.min(test.below),
            case["statistic"].as_f64().unwrap()
        );
        let p = case["p"].as_f64().unwrap();
        assert!(
            (test.p - p).abs() < 1e-9,
            "{} pairs: {} {p}",
            test.pairs,
            test.p
        );
    }
}

/// Hollander & Wolfe, "Nonparametric Statistical Methods", example 3.1: a depression scale before and after
/// treatment, T+ = 40, one-sided p = 0.0195.
#[test]
fn the_signed_rank_test_gives_the_textbook_s_result() {
    let before = [1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30];
    #[allow(clippy::approx_constant)] // a patient's score
    let after = [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29];
    let test = wilcoxon(&before, &after);
    assert_eq!((test.above, test.below), (40.0, 5.0));
    assert!((test.p - 0.039_062_5).abs() < 1e-12);
}

#[test]
fn no_difference_is_no_evidence() {
    assert_eq!(wilcoxon(&[1.0, 2.0], &[1.0, 2.0]).p, 1.0);
    assert_eq!(wilcoxon(&[], &[]).p, 1.0);
    assert_eq!(wilcoxon(&[2.0], &[1.0]).p, 1.0);
}

/// Holm 1979 as worked through in many courses: of .01 .04 .03 .005 only the first and last hold at .05.
#[test]
fn holm_s_adjusted_values_are_r_s() {
    let adjusted = holm(&[0.01, 0.04, 0.03, 0.005]);
    for (got, wanted) in adjusted.iter().zip([0.03, 0.06, 0.06, 0.02]) {
        assert!((got - wanted).abs() < 1e-12, "{adjusted:?}");
    }
    assert_eq!(holm(&[0.6, 0.7]), [1.0, 1.0]);
    assert!(holm(&[]).is_empty());
}

#[test]
fn a12_is_scipy_s_u_over_the_number_of_pairs() {
    for case in recorded()["a12"].as_array().unwrap() {
        let got = a12(&numbers(&case["a"]), &numbers(&case["b"])).unwrap();
        assert!((got - case["a12"].as_f64().unwrap()).abs() < 1e-12);
    }
}

/// The usual example of the rank-sum test: six tortoises and six hares come in as T H H H H H T T T T T H;
/// counted from the goal, tortoises are ahead in 11 of 36 meetings.
#[test]
fn a12_counts_the_meetings_won() {
    let order = "THHHHHTTTTTH";
    let of = |animal: char| -> Vec<f64> {
        let places = order.chars().enumerate().filter(|(_, who)| *who == animal);
        places.map(|(place, _)| -(place as f64)).collect()
    };
    assert!((a12(&of('T'), &of('H')).unwrap() - 11.0 / 36.0).abs() < 1e-12);
    assert_eq!(a12(&[1.0, 2.0], &[1.0, 2.0]), Some(0.5));
    assert_eq!(a12(&[], &[1.0]), None);
}

#[test]
fn bootstrap_intervals_are_close_to_scipy_s() {
    for case in recorded()["bootstrap"].as_array().unwrap() {
        let data = numbers(&case["data"]);
        let spread = data.iter().copied().fold(f64::MIN, f64::max)
            - data.iter().copied().fold(f64::MAX, f64::min);
        let interval = median_interval(&data, &mut generator(1, "bench", "test", 0)).unwrap();
        for (got, wanted) in [(interval.low, &case["low"]), (interval.high, &case["high"])] {
            let wanted = wanted.as_f64().unwrap();
            assert!(
                (got.unwrap() - wanted).abs() <= 0.05 * spread,
                "{interval:?} {wanted}"
            );
        }
    }
}

#[test]
fn intervals_repeat_and_hold_the_median() {
    let values = [3.0, 1.0, 2.0, 10.0];
    let make = || median_interval(&values, &mut generator(7, "bench", "test", 0)).unwrap();
    assert_eq!(make(), make());
    assert_eq!(make().median, 2.5);
    assert!(make().low.unwrap() <= 2.5 && 2.5 <= make().high.unwrap());
    let one = median_interval(&[4.0], &mut generator(7, "bench", "test", 0)).unwrap();
    assert_eq!((one.low, one.median, one.high), (None, 4.0, None));
    assert!(median_interval(&[], &mut generator(7, "bench", "test", 0)).is_none());
}
