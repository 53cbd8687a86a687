//! Symmetric positive definite matrices, small and dense. A tournament has some dozens of agents: Cholesky's
//! square root is forty lines, where a crate of linear algebra would be the largest dependency.

/// A square matrix, row by row.
#[derive(Clone, Debug)]
pub(super) struct Matrix {
    pub(super) size: usize,
    cells: Vec<f64>,
}

/// The lower triangle whose product with its mirror image is a matrix.
pub(super) struct Root(Matrix);

impl Matrix {
    /// All zero.
    pub(super) fn zero(size: usize) -> Self {
        Self { size, cells: vec![0.0; size * size] }
    }

    pub(super) fn row(&self, i: usize) -> &[f64] {
        &self.cells[i * self.size..][..self.size]
    }

    pub(super) fn at(&self, i: usize, j: usize) -> f64 {
        self.cells[i * self.size + j]
    }

    pub(super) fn at_mut(&mut self, i: usize, j: usize) -> &mut f64 {
        &mut self.cells[i * self.size + j]
    }

    /// Adds another one of the same size.
    pub(super) fn add(&mut self, other: &Self) {
        self.cells.iter_mut().zip(&other.cells).for_each(|(cell, other)| *cell += other);
    }

    /// The product with another one of the same size.
    pub(super) fn times(&self, other: &Self) -> Self {
        let mut product = Self::zero(self.size);
        for i in 0..self.size {
            let row = &mut product.cells[i * self.size..][..self.size];
            for (k, &factor) in self.row(i).iter().enumerate() {
                for (sum, &cell) in row.iter_mut().zip(other.row(k)) {
                    *sum += factor * cell;
                }
            }
        }
        product
    }

    /// Its root; none if it is not positive definite.
    pub(super) fn root(&self) -> Option<Root> {
        let mut root = Self::zero(self.size);
        for i in 0..self.size {
            for j in 0..=i {
                let known: f64 = root.row(i)[..j].iter().zip(root.row(j)).map(|(a, b)| a * b).sum();
                let rest = self.at(i, j) - known;
                *root.at_mut(i, j) = if i > j {
                    rest / root.at(j, j)
                } else if rest > 0.0 {
                    rest.sqrt()
                } else {
                    return None;
                };
            }
        }
        Some(Root(root))
    }
}

impl Root {
    /// What the matrix makes `right` of.
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

    /// The logarithm of the determinant of the matrix.
    pub(super) fn log_determinant(&self) -> f64 {
        (0..self.0.size).map(|i| 2.0 * self.0.at(i, i).ln()).sum()
    }

    /// The inverse of the matrix.
    pub(super) fn inverse(&self) -> Matrix {
        let size = self.0.size;
        let mut inverse = Matrix::zero(size);
        for i in 0..size {
            let mut unit = vec![0.0; size];
            unit[i] = 1.0;
            inverse.cells[i * size..][..size].copy_from_slice(&self.solve(&unit));
        }
        inverse
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
        // Its inverse is known, and whole.
        assert!(
            (inverse.at(0, 0) - 25.0).abs() < 1e-7 && (inverse.at(4, 4) - 44100.0).abs() < 1e-3
        );
        // And so is one by its determinant.
        let logarithm = hilbert.root().unwrap().log_determinant();
        assert!((logarithm + 266_716_800_000_f64.ln()).abs() < 1e-9, "{logarithm}");
        *hilbert.at_mut(2, 2) = -1.0;
        assert!(hilbert.root().is_none());
    }
}
