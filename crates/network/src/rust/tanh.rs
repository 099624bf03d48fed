//! tanh without the C library, whose bits depend on the processor that it finds.

/// Beyond it the result is 1 within the precision of `f32`.
const LIMIT: f32 = 7.905_311;

/// Numerator, powers 13 to 1 of x, and denominator, powers 6 to 0: the rational approximation of Eigen
/// (`generic_fast_tanh_float`), which TensorFlow and libtorch's peers use as well.
const NUMERATOR: [f32; 7] = [
    -2.760_768_5e-16,
    2.000_188e-13,
    -8.604_672e-11,
    5.122_297e-8,
    1.485_722_4e-5,
    6.372_619_3e-4,
    4.893_524_6e-3,
];
const DENOMINATOR: [f32; 4] = [1.198_258_4e-6, 1.185_347_1e-4, 2.268_434_6e-3, 4.893_525e-3];

/// The hyperbolic tangent, within 5e-7; NaN of NaN.
pub fn tanh(x: f32) -> f32 {
    let x = x.clamp(-LIMIT, LIMIT);
    let square = x * x;
    let power = |sum: f32, &factor: &f32| sum * square + factor;
    x * NUMERATOR.iter().fold(0.0, power) / DENOMINATOR.iter().fold(0.0, power)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_near_the_real_one_everywhere() {
        for step in -2_000_000..=2_000_000_i32 {
            let x = step as f32 / 100_000.0;
            let real = f64::from(x).tanh();
            let error = (f64::from(tanh(x)) - real).abs();
            assert!(error < 5e-7, "{x}: {error}");
        }
        assert_eq!(tanh(0.0), 0.0);
        assert!((tanh(f32::INFINITY) - 1.0).abs() < 1e-6);
        assert!(tanh(f32::NAN).is_nan());
    }
}
