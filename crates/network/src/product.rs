//! A matrix product whose sums have one order, whatever the processor: for each element of the result, depth ascending,
//! a multiplication and then an addition, each rounded. Blocks only decide what is kept in registers meanwhile.

/// A matrix to read, by strides: so that it is also its own transpose, or some columns of a wider one.
#[derive(Clone, Copy, Debug)]
pub struct Strided<'a> {
    /// The numbers, from the first element on.
    pub numbers: &'a [f32],
    /// From one row to the next.
    pub row: usize,
    /// From one column to the next.
    pub column: usize,
}

impl<'a> Strided<'a> {
    /// A matrix that lies row by row.
    pub const fn rows(numbers: &'a [f32], columns: usize) -> Self {
        Self {
            numbers,
            row: columns,
            column: 1,
        }
    }

    /// The transpose of a matrix that lies row by row.
    pub const fn transposed(numbers: &'a [f32], columns: usize) -> Self {
        Self {
            numbers,
            row: 1,
            column: columns,
        }
    }
}

/// Some columns of a matrix that lies row by row, to add to.
#[derive(Debug)]
pub struct Columns<'a> {
    /// The matrix, from the first of these columns on.
    pub numbers: &'a mut [f32],
    /// From one row to the next.
    pub row: usize,
    /// Rows.
    pub rows: usize,
}

impl<'a> Columns<'a> {
    /// All columns.
    pub fn all(numbers: &'a mut [f32], columns: usize) -> Self {
        let rows = numbers.len().checked_div(columns).unwrap_or(0);
        Self {
            numbers,
            row: columns,
            rows,
        }
    }
}

/// Adds `left` (rows x depth) times `right` (depth x columns, row by row) to `sums` (rows x columns).
///
/// # Panics
/// A matrix is smaller than the others say.
pub fn add_product(left: Strided<'_>, right: &[f32], columns: usize, sums: Columns<'_>) {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has AVX2. What is computed with it is the same, lane by lane: a product and a sum are two
        // operations there, too, since fused ones (FMA) are another extension.
        #[allow(unsafe_code)]
        return unsafe { add_product_by_avx2(left, right, columns, sums) };
    }
    add_product_in_blocks::<8>(left, right, columns, sums);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn add_product_by_avx2(left: Strided<'_>, right: &[f32], columns: usize, sums: Columns<'_>) {
    add_product_in_blocks::<16>(left, right, columns, sums);
}

/// `WIDTH`: columns of a block, at least 8.
#[inline(always)]
fn add_product_in_blocks<const WIDTH: usize>(
    left: Strided<'_>,
    right: &[f32],
    columns: usize,
    sums: Columns<'_>,
) {
    let Columns { numbers, row, rows } = sums;
    let mut first = 0;
    while first < rows {
        let left = Strided {
            numbers: &left.numbers[first * left.row..],
            ..left
        };
        let numbers = &mut numbers[first * row..];
        first += match rows - first {
            1..4 => add_strip::<1, WIDTH>(left, right, columns, numbers, row),
            _ => add_strip::<4, WIDTH>(left, right, columns, numbers, row),
        };
    }
}

/// Returns `ROWS`.
#[inline(always)]
fn add_strip<const ROWS: usize, const WIDTH: usize>(
    left: Strided<'_>,
    right: &[f32],
    columns: usize,
    sums: &mut [f32],
    row: usize,
) -> usize {
    let mut first = 0;
    while first < columns {
        let sums = &mut sums[first..];
        let right = right.get(first..).unwrap_or_default();
        first += match columns - first {
            rest if rest >= WIDTH => add_block::<ROWS, WIDTH>(left, right, columns, sums, row),
            8.. => add_block::<ROWS, 8>(left, right, columns, sums, row),
            4.. => add_block::<ROWS, 4>(left, right, columns, sums, row),
            _ => add_block::<ROWS, 1>(left, right, columns, sums, row),
        };
    }
    ROWS
}

/// `ROWS` x `WIDTH` sums, kept in registers over the whole depth. `right` begins at their first column. Returns `WIDTH`.
#[inline(always)]
fn add_block<const ROWS: usize, const WIDTH: usize>(
    left: Strided<'_>,
    right: &[f32],
    columns: usize,
    sums: &mut [f32],
    row: usize,
) -> usize {
    let mut kept = [[0.0_f32; WIDTH]; ROWS];
    for (at, kept) in kept.iter_mut().enumerate() {
        kept.copy_from_slice(&sums[at * row..][..WIDTH]);
    }
    // The last row of `right` ends before a whole one.
    for (depth, right) in right.chunks(columns).enumerate() {
        let right: &[f32; WIDTH] = right[..WIDTH].try_into().expect("as long as that");
        for (at, kept) in kept.iter_mut().enumerate() {
            let factor = left.numbers[at * left.row + depth * left.column];
            for (sum, number) in kept.iter_mut().zip(right) {
                *sum += factor * number;
            }
        }
    }
    for (at, kept) in kept.iter().enumerate() {
        sums[at * row..][..WIDTH].copy_from_slice(kept);
    }
    WIDTH
}

/// The transpose of a matrix that lies row by row.
pub fn transpose(numbers: &[f32], columns: usize) -> Vec<f32> {
    let rows = numbers.len().checked_div(columns).unwrap_or(0);
    let element = |column: usize| (0..rows).map(move |row| numbers[row * columns + column]);
    (0..columns).flat_map(element).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Different numbers whose sums depend on their order.
    fn numbers(count: usize, seed: u32) -> Vec<f32> {
        let mut state = seed;
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / 16_777_216.0 - 0.5
        };
        (0..count).map(|_| next()).collect()
    }

    /// One element after the other.
    fn plain(left: &[f32], right: &[f32], columns: usize, sums: &mut [f32]) {
        let depth = right.len() / columns;
        for (row, sums) in sums.chunks_exact_mut(columns).enumerate() {
            for (column, sum) in sums.iter_mut().enumerate() {
                for k in 0..depth {
                    *sum += left[row * depth + k] * right[k * columns + column];
                }
            }
        }
    }

    #[test]
    fn each_sum_has_the_bits_of_the_plain_loop_whatever_block_it_lies_in() {
        for (rows, depth, columns) in [
            (1, 1, 1),
            (3, 7, 5),
            (4, 30, 8),
            (9, 50, 30),
            (20, 77, 50),
            (5, 2, 23),
        ] {
            let (left, right) = (numbers(rows * depth, 1), numbers(depth * columns, 2));
            let before = numbers(rows * columns, 3);
            let mut wanted = before.clone();
            plain(&left, &right, columns, &mut wanted);
            let mut sums = before.clone();
            let all = Columns::all(&mut sums, columns);
            add_product(Strided::rows(&left, depth), &right, columns, all);
            assert_eq!(sums, wanted, "{rows} x {depth} x {columns}");
            let mut sums = before.clone();
            let all = Columns::all(&mut sums, columns);
            add_product_in_blocks::<8>(Strided::rows(&left, depth), &right, columns, all);
            assert_eq!(sums, wanted, "{rows} x {depth} x {columns}, without AVX2");
            let turned = transpose(&left, depth);
            let mut sums = before;
            let all = Columns::all(&mut sums, columns);
            add_product(Strided::transposed(&turned, rows), &right, columns, all);
            assert_eq!(sums, wanted, "{rows} x {depth} x {columns}, transposed");
        }
    }

    #[test]
    fn only_the_columns_asked_for_are_added_to() {
        let mut sums = vec![1.0; 12];
        let part = Columns {
            numbers: &mut sums[1..],
            row: 4,
            rows: 3,
        };
        add_product(Strided::rows(&[1.0, 2.0, 3.0], 1), &[10.0, 20.0], 2, part);
        assert_eq!(
            sums,
            [
                1.0, 11.0, 21.0, 1.0, 1.0, 21.0, 41.0, 1.0, 1.0, 31.0, 61.0, 1.0
            ]
        );
    }
}
