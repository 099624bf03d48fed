use super::*;
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
        let interval = median_interval(&data).unwrap();
        for (got, wanted) in [(interval.low, &case["low"]), (interval.high, &case["high"])] {
            let wanted = wanted.as_f64().unwrap();
            assert!(
                (got.unwrap() - wanted).abs() <= 0.02,
                "{interval:?} {wanted}"
            );
        }
    }
}

/// The ends by drawing every possible sample.
fn ends_of_all_samples(values: &[f64]) -> (f64, f64) {
    let n = values.len();
    let all = n.pow(u32::try_from(n).unwrap());
    let sample = |number: usize| -> Vec<f64> {
        let digits = (0..n).scan(number, |left, _| {
            let value = values[*left % n];
            *left /= n;
            Some(value)
        });
        digits.collect()
    };
    let mut medians: Vec<f64> = (0..all)
        .map(|number| median(&sample(number)).unwrap())
        .collect();
    medians.sort_by(f64::total_cmp);
    let at = |share: f64| medians[(share * all as f64).ceil() as usize - 1];
    (at(0.025), at(0.975))
}

#[test]
fn intervals_are_those_of_all_samples() {
    for values in [
        &[1.0, 4.0][..],
        &[3.0, 1.0, 2.0],
        &[3.0, 1.0, 2.0, 10.0],
        &[5.0, 5.0, 1.0, 7.0],
        &[0.0, 8.0, 3.5, 9.0, 1.0],
        &[0.0, 8.0, 3.5, 9.0, 1.0, 2.0],
        &[2.0, 2.0, 2.0, 6.0, 6.0, 7.0],
        &[4.0, 0.0, 8.0, 3.5, 9.0, 1.0, 2.0],
    ] {
        let interval = median_interval(values).unwrap();
        let ends = (interval.low.unwrap(), interval.high.unwrap());
        assert_eq!(ends, ends_of_all_samples(values), "{values:?}");
    }
}

#[test]
fn intervals_hold_the_median_and_narrow_with_more_values() {
    let mut widths = Vec::new();
    for n in [4, 40, 400, 1_200] {
        let values: Vec<f64> = (0..n).map(|k| f64::from(k) / f64::from(n)).collect();
        let interval = median_interval(&values).unwrap();
        let (low, high) = (interval.low.unwrap(), interval.high.unwrap());
        assert!(low <= interval.median && interval.median <= high);
        widths.push(high - low);
    }
    assert!(widths.is_sorted_by(|a, b| a > b), "{widths:?}");
    // Of many equally likely values: 1.96 / sqrt(n) on both sides together.
    assert!((widths[2] - 0.098).abs() < 0.01, "{widths:?}");
}

#[test]
fn one_value_has_no_interval() {
    let one = median_interval(&[4.0]).unwrap();
    assert_eq!((one.low, one.median, one.high), (None, 4.0, None));
    assert!(median_interval(&[]).is_none());
}
