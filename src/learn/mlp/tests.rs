//! The network's sums against small differences, and what it learns.

use super::*;
use crate::learn::descent::Adam;
use crate::util::seed::generator;

const SHAPE: Shape = Shape {
    dense: 2,
    hidden: [8, 6],
    outputs: 3,
};

fn net() -> Mlp {
    net_of(SHAPE)
}

fn net_of(shape: Shape) -> Mlp {
    let mut rng = generator(1, "mlp", "", 0);
    let mut net = Mlp::new(shape, 0.5, &mut rng);
    net.grow(&[0, 1, 2, 3, 4], &mut rng);
    net
}

fn rows(bits: [&'static [u32]; 4]) -> Batch<'static> {
    let batch: Batch<'_> = bits.into_iter().collect();
    batch.with(vec![0.5, -1.0, 0.1, 0.2, 1.0, 1.0, -0.3, 0.7])
}

fn batch() -> Batch<'static> {
    rows([&[0, 3], &[4], &[], &[1, 2, 9]])
}

/// A loss with a different slope for each output.
fn loss(net: &Mlp, batch: &Batch<'_>) -> f32 {
    let out = net.forward(batch).out;
    out.iter()
        .zip(1_u8..)
        .map(|(x, n)| x * x * f32::from(n))
        .sum()
}

#[test]
fn gradients_are_those_of_small_differences() {
    hold_gradients(&net());
    // Sums are formed eight at a time: more than eight, with a rest.
    hold_gradients(&net_of(Shape {
        hidden: [11, 13],
        ..SHAPE
    }));
}

/// A matrix of one column may be laid out either way.
#[test]
fn gradients_pass_through_a_layer_of_one_unit() {
    hold_gradients(&net_of(Shape {
        hidden: [11, 1],
        ..SHAPE
    }));
}

fn hold_gradients(net: &Mlp) {
    let mut batch = batch();
    let pass = net.forward(&batch);
    let mut by_out = pass.out.clone();
    by_out
        .iter_mut()
        .zip(1_u8..)
        .for_each(|(x, n)| *x *= 2.0 * f32::from(n));
    let mut grads = vec![0.0; net.weights().len()];
    let by_dense = net.backward(&batch, &pass, &by_out, &mut grads);
    assert!(by_dense.iter().any(|&by| by != 0.0), "all units are off");
    let step = 1e-3;
    let close = |ours: f32, theirs: f32| (ours - theirs).abs() < 2e-2 * (1.0 + ours.abs());
    for (ix, &grad) in grads.iter().enumerate() {
        let mut moved = net.clone();
        moved.weights_mut()[ix] += step;
        let up = loss(&moved, &batch);
        moved.weights_mut()[ix] -= 2.0 * step;
        let slope = (up - loss(&moved, &batch)) / (2.0 * step);
        assert!(close(grad, slope), "weight {ix}: {} is not {slope}", grad);
    }
    for (ix, &by) in by_dense.iter().enumerate() {
        let was = batch.dense[ix];
        batch.dense[ix] = was + step;
        let up = loss(net, &batch);
        batch.dense[ix] = was - step;
        let slope = (up - loss(net, &batch)) / (2.0 * step);
        batch.dense[ix] = was;
        assert!(close(by, slope), "input {ix}: {} is not {slope}", by);
    }
}

#[test]
fn rows_of_one_observation_share_it_and_come_to_the_same() {
    static SHARED: [u32; 2] = [1, 4];
    static SAME: [u32; 2] = [1, 4];
    let net = net();
    let run = |batch: &Batch<'_>| {
        let pass = net.forward(batch);
        let mut grads = vec![0.0; net.weights().len()];
        net.backward(batch, &pass, &pass.out, &mut grads);
        (pass.out, grads)
    };
    let shared = rows([&SHARED, &[0], &SHARED, &SHARED]);
    let apart = rows([&SHARED, &[0], &SAME, &[1, 4]]);
    assert_eq!((shared.seen.len(), shared.len()), (2, 4));
    assert!(apart.seen.len() > 2);
    let ((ours, by_ours), (theirs, by_theirs)) = (run(&shared), run(&apart));
    assert_eq!(ours, theirs);
    let apart = |(a, b): (&f32, &f32)| (a - b).abs() > 1e-5;
    assert!(!by_ours.iter().zip(&by_theirs).any(apart));
}

#[test]
fn it_learns_a_function_of_places() {
    let mut net = net();
    let mut adam = Adam::new(0.01);
    let wanted = [1.0, -2.0, 0.5, 3.0];
    let batch = rows([&[0], &[1], &[2], &[0, 2]]);
    for _ in 0..1500 {
        let pass = net.forward(&batch);
        let mut by_out = Array2::zeros(pass.out.raw_dim());
        for (row, wanted) in wanted.iter().enumerate() {
            by_out[[row, 0]] = pass.out[[row, 0]] - wanted;
        }
        let mut grads = vec![0.0; net.weights().len()];
        net.backward(&batch, &pass, &by_out, &mut grads);
        adam.step(net.weights_mut(), &grads);
    }
    let out = net.forward(&batch).out;
    for (row, wanted) in wanted.iter().enumerate() {
        assert!(
            (out[[row, 0]] - wanted).abs() < 0.02,
            "{row}: {}",
            out[[row, 0]]
        );
    }
}

#[test]
fn growing_changes_nothing_that_was_learned() {
    let mut grown = net();
    let before = grown.forward(&batch()).out;
    let mut rng = generator(2, "mlp", "", 0);
    grown.grow(&[8], &mut rng);
    assert_eq!(grown.places(), 9);
    // The place 9 of the last row has no weights yet.
    assert_eq!(before, grown.forward(&batch()).out);
    let again = Mlp::with(SHAPE, grown.all()).unwrap();
    assert_eq!(again.all(), grown.all());
    // Of the places 5 to 7, which were never on, nothing is in memory; they count all the same.
    assert_eq!(
        again.weights().len() - grown.weights().len(),
        3 * SHAPE.hidden[0]
    );
    let new = rows([&[5], &[6, 0], &[8], &[7, 5]]);
    assert_eq!(again.forward(&new).out, grown.forward(&new).out);
    assert!(Mlp::with(SHAPE, vec![0.0; 7]).is_none());
}

#[test]
fn a_copy_that_follows_gets_near() {
    let original = net();
    let mut copy = Mlp::new(SHAPE, 0.5, &mut generator(9, "mlp", "", 0));
    for _ in 0..2000 {
        copy.track(&original, 0.01);
    }
    let (copy, original) = (copy.all(), original.all());
    let apart = copy.iter().zip(&original).map(|(a, b)| (a - b).abs());
    assert!(apart.fold(0.0, f32::max) < 1e-3);
}

/// A network that has all its rows in memory, beside one that gets them as they are on: with what they learn, and what
/// follows them, they are the same to the bit.
#[test]
fn rows_that_come_late_change_no_number() {
    let shape = Shape { dense: 0, ..SHAPE };
    let mut rng = generator(3, "late", "", 0);
    let net = Mlp::new(shape, 0.5, &mut rng);
    let (mut late, mut target) = (net.clone(), net);
    late.grow(&[30], &mut rng);
    let mut early = Mlp::with(shape, late.all()).unwrap();
    let mut early_target = early.clone();
    let mut adams = [Adam::new(0.01), Adam::new(0.01)];
    // The target is behind: it comes to know the places with its first step.
    target.track(&late, 0.1);
    early_target.track(&early, 0.1);
    for step in 0..60_u32 {
        let seen = [[step / 2 % 31, 3], [step * 7 % 31, step / 3 % 31]];
        let batch: Batch<'_> = seen.iter().map(|bits| bits.as_slice()).collect();
        for bits in &seen {
            late.grow(bits, &mut rng);
        }
        let outs = [&mut late, &mut early].map(|net| net.forward(&batch).out);
        assert_eq!(outs[0], outs[1], "{step}");
        for (net, adam) in [&mut late, &mut early].into_iter().zip(&mut adams) {
            let pass = net.forward(&batch);
            let mut grads = vec![0.0; net.weights().len()];
            net.backward(&batch, &pass, &pass.out, &mut grads);
            adam.step(net.weights_mut(), &grads);
        }
        let after = [&target, &early_target].map(|net| net.forward(&batch).out);
        assert_eq!(after[0], after[1], "{step}");
        if step % 4 == 0 {
            target.track(&late, 0.1);
            early_target.track(&early, 0.1);
        }
    }
    assert_eq!(late.all(), early.all());
    assert_eq!(target.all(), early_target.all());
    assert!(late.at.order() != early.at.order());
}

#[test]
fn a_hundred_thousand_places_of_which_few_are_on_take_little() {
    let mut rng = generator(4, "wide", "", 0);
    let mut net = Mlp::new(SHAPE, 0.5, &mut rng);
    let fixed = net.weights().len();
    net.grow(&[400_000, 2], &mut rng);
    assert_eq!(
        (net.places(), net.weights().len()),
        (400_001, fixed + 2 * 8)
    );
    let mut target = net.clone();
    net.grow(&[77], &mut rng);
    target.track(&net, 0.5);
    assert_eq!(target.weights(), net.weights());
}
