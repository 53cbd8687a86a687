//! Symmetric positive definite matrices, dense. A tournament has some dozens of agents, seldom a thousand:
//! Cholesky's square root is forty lines, while a crate of linear algebra would be the largest dependency.
//!
//! All work of cubic order multiplies a row with [`LANES`] columns at once, which the compiler vectorises.

/// Square matrix, stored row by row.
#[derive(Clone, Debug)]
pub(super) struct Matrix {
    pub(super) size: usize,
    cells: Vec<f64>,
}

/// Cholesky root of a matrix: the lower triangle whose product with its transpose is the matrix.
pub(super) struct Root(Matrix);

/// Number of columns that are multiplied at once.
const LANES: usize = 8;

/// Largest size of a matrix that is one block. Its numbers do not depend on how larger ones are divided.
pub(super) const MAX_SMALL_SIZE: usize = 100;

/// Number of columns of a block of a larger matrix.
const BLOCK_COLUMNS: usize = 32;

/// [`LANES`] columns of a matrix, row by row.
type Columns = [[f64; LANES]];

/// Multiplies a row with some columns.
fn product(row: &[f64], columns: &Columns) -> [f64; LANES] {
    let mut sums = [0.0; LANES];
    for (factor, cells) in row.iter().zip(columns) {
        for (sum, cell) in sums.iter_mut().zip(cells) {
            *sum += factor * cell;
        }
    }
    sums
}

impl Matrix {
    /// Creates a matrix of zeros.
    pub(super) fn zero(size: usize) -> Self {
        Self { size, cells: vec![0.0; size * size] }
    }

    pub(super) fn row(&self, i: usize) -> &[f64] {
        &self.cells[i * self.size..][..self.size]
    }

    fn row_mut(&mut self, i: usize) -> &mut [f64] {
        &mut self.cells[i * self.size..][..self.size]
    }

    pub(super) fn at(&self, i: usize, j: usize) -> f64 {
        self.cells[i * self.size + j]
    }

    pub(super) fn at_mut(&mut self, i: usize, j: usize) -> &mut f64 {
        &mut self.cells[i * self.size + j]
    }

    /// Adds another matrix of the same size.
    pub(super) fn add(&mut self, other: &Self) {
        self.cells.iter_mut().zip(&other.cells).for_each(|(cell, other)| *cell += other);
    }

    /// Multiplies with another matrix of the same size.
    pub(super) fn times(&self, other: &Self) -> Self {
        let mut result = Self::zero(self.size);
        for start in (0..self.size).step_by(LANES) {
            let columns: Vec<[f64; LANES]> = (0..self.size)
                .map(|k| {
                    std::array::from_fn(|lane| {
                        other.row(k).get(start + lane).copied().unwrap_or(0.0)
                    })
                })
                .collect();
            for i in 0..self.size {
                let sums = product(self.row(i), &columns);
                let cells = &mut result.row_mut(i)[start..];
                cells.iter_mut().zip(sums).for_each(|(cell, sum)| *cell = sum);
            }
        }
        result
    }

    /// Returns the root; `None` if the matrix is not positive definite.
    pub(super) fn root(&self) -> Option<Root> {
        let mut root = self.clone();
        let block = if self.size <= MAX_SMALL_SIZE { MAX_SMALL_SIZE } else { BLOCK_COLUMNS };
        for start in (0..self.size).step_by(block) {
            let end = (start + block).min(self.size);
            root.finish_columns(start, end)?;
            root.subtract_columns(start, end);
        }
        for i in 0..self.size {
            root.row_mut(i)[i + 1..].fill(0.0);
        }
        Some(Root(root))
    }

    /// Turns these columns into those of the root; the products of earlier ones were subtracted before.
    fn finish_columns(&mut self, start: usize, end: usize) -> Option<()> {
        for i in start..self.size {
            for j in start..end.min(i + 1) {
                let before = |row: usize| &self.row(row)[start..j];
                let known: f64 = before(i).iter().zip(before(j)).map(|(a, b)| a * b).sum();
                let rest = self.at(i, j) - known;
                *self.at_mut(i, j) = if i > j {
                    rest / self.at(j, j)
                } else if rest > 0.0 {
                    rest.sqrt()
                } else {
                    return None;
                };
            }
        }
        Some(())
    }

    /// Subtracts the products of these columns of the root from later columns.
    fn subtract_columns(&mut self, start: usize, end: usize) {
        for first in (end..self.size).step_by(LANES) {
            let columns: Vec<[f64; LANES]> = (start..end)
                .map(|k| {
                    let at = |row: usize| if row < self.size { self.at(row, k) } else { 0.0 };
                    std::array::from_fn(|lane| at(first + lane))
                })
                .collect();
            for i in first..self.size {
                let (known, rest) = self.row_mut(i).split_at_mut(first);
                let sums = product(&known[start..end], &columns);
                rest.iter_mut().zip(sums).for_each(|(cell, sum)| *cell -= sum);
            }
        }
    }
}

impl Root {
    /// Solves the equation of the matrix for the right-hand side `right`.
    pub(super) fn solve(&self, right: &[f64]) -> Vec<f64> {
        let (root, mut x) = (&self.0, right.to_vec());
        for i in 0..root.size {
            let known: f64 = root.row(i)[..i].iter().zip(&x).map(|(a, b)| a * b).sum();
            x[i] = (x[i] - known) / root.at(i, i);
        }
        for i in (0..root.size).rev() {
            x[i] /= root.at(i, i);
            let (before, value) = (&mut x[..=i], root.row(i));
            for j in 0..i {
                before[j] -= value[j] * before[i];
            }
        }
        x
    }

    /// Returns the logarithm of the determinant of the matrix.
    pub(super) fn log_determinant(&self) -> f64 {
        (0..self.0.size).map(|i| 2.0 * self.0.at(i, i).ln()).sum()
    }

    /// Returns the inverse of the matrix.
    pub(super) fn inverse(&self) -> Matrix {
        let size = self.0.size;
        let mut inverse = Matrix::zero(size);
        if size > MAX_SMALL_SIZE {
            let transposed = self.transposed();
            for first in (0..size).step_by(LANES) {
                self.invert_columns(&transposed, first, &mut inverse);
            }
            return inverse;
        }
        for i in 0..size {
            let mut unit = vec![0.0; size];
            unit[i] = 1.0;
            inverse.cells[i * size..][..size].copy_from_slice(&self.solve(&unit));
        }
        inverse
    }

    /// Returns the transpose: an upper triangle.
    fn transposed(&self) -> Matrix {
        let root = &self.0;
        let mut transposed = Matrix::zero(root.size);
        for i in 0..root.size {
            for j in 0..=i {
                *transposed.at_mut(j, i) = root.at(i, j);
            }
        }
        transposed
    }

    /// Computes [`LANES`] columns of the inverse from the diagonal down, and the rows that mirror them.
    fn invert_columns(&self, transposed: &Matrix, first: usize, inverse: &mut Matrix) {
        let (root, size) = (&self.0, self.0.size);
        let mut x = vec![[0.0; LANES]; size];
        for i in first..size {
            let known = product(&root.row(i)[first..i], &x[first..i]);
            for (lane, known) in known.into_iter().enumerate() {
                let unit = if i == first + lane { 1.0 } else { 0.0 };
                x[i][lane] = (unit - known) / root.at(i, i);
            }
        }
        for i in (first..size).rev() {
            let known = product(&transposed.row(i)[i + 1..], &x[i + 1..]);
            for (lane, known) in known.into_iter().enumerate() {
                x[i][lane] = (x[i][lane] - known) / root.at(i, i);
            }
        }
        for (i, cells) in x.iter().enumerate().skip(first) {
            for (lane, &cell) in cells.iter().enumerate().take(size - first) {
                *inverse.at_mut(i, first + lane) = cell;
                *inverse.at_mut(first + lane, i) = cell;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_matrix_times_its_inverse_is_one() {
        // The Hilbert matrix, which is nearly singular, and positive definite.
        let size = 5;
        let mut hilbert = Matrix::zero(size);
        for i in 0..size {
            for j in 0..size {
                *hilbert.at_mut(i, j) = 1.0 / (i + j + 1) as f64;
            }
        }
        let inverse = hilbert.root().unwrap().inverse();
        let one = hilbert.times(&inverse);
        for i in 0..size {
            for j in 0..size {
                let wanted = if i == j { 1.0 } else { 0.0 };
                assert!((one.at(i, j) - wanted).abs() < 1e-9, "{i} {j}: {}", one.at(i, j));
            }
        }
        // The elements of its inverse are known whole numbers.
        assert!(
            (inverse.at(0, 0) - 25.0).abs() < 1e-7 && (inverse.at(4, 4) - 44100.0).abs() < 1e-3
        );
        // And so is one by its determinant.
        let logarithm = hilbert.root().unwrap().log_determinant();
        assert!((logarithm + 266_716_800_000_f64.ln()).abs() < 1e-9, "{logarithm}");
        *hilbert.at_mut(2, 2) = -1.0;
        assert!(hilbert.root().is_none());
    }

    /// Creates an information matrix as tournaments have it: pairings on a diagonal.
    fn information(size: usize) -> Matrix {
        let mut matrix = Matrix::zero(size);
        for i in 0..size {
            *matrix.at_mut(i, i) += 0.3 + 0.01 * (i % 7) as f64;
            for (distance, weight) in [(1, 0.5), (17, 0.2), (40, 1.1)] {
                let j = (i + distance) % size;
                for (a, b, sign) in [(i, i, 1.0), (j, j, 1.0), (i, j, -1.0), (j, i, -1.0)] {
                    *matrix.at_mut(a, b) += sign * weight;
                }
            }
        }
        matrix
    }

    #[test]
    fn large_matrices_have_the_roots_and_inverses_of_small_ones() {
        for size in [MAX_SMALL_SIZE, MAX_SMALL_SIZE + 1, 131, 160, 200] {
            let matrix = information(size);
            let root = matrix.root().unwrap();
            let solved: Vec<Vec<f64>> = (0..size)
                .map(|i| {
                    let mut unit = vec![0.0; size];
                    unit[i] = 1.0;
                    root.solve(&unit)
                })
                .collect();
            let inverse = root.inverse();
            let one = matrix.times(&inverse);
            for (i, solved) in solved.iter().enumerate() {
                assert!(root.0.row(i)[i + 1..].iter().all(|&cell| cell == 0.0), "{size}: {i}");
                for (j, &solved) in solved.iter().enumerate() {
                    let wanted = if i == j { 1.0 } else { 0.0 };
                    assert!((one.at(i, j) - wanted).abs() < 1e-9, "{size}: {i} {j}");
                    assert!((inverse.at(i, j) - solved).abs() < 1e-9, "{size}: {i} {j}");
                    let square: f64 =
                        root.0.row(i).iter().zip(root.0.row(j)).map(|(a, b)| a * b).sum();
                    assert!((square - matrix.at(i, j)).abs() < 1e-9, "{size}: {i} {j}");
                }
            }
            let mut broken = matrix.clone();
            *broken.at_mut(size - 1, size - 1) = -1.0;
            assert!(broken.root().is_none());
        }
    }
}
