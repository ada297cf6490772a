//! One number as a linear function of others, found from a few rows.
//!
//! Under-approximating: what fits these rows need not fit others.

/// Rows with larger numbers may have wrapped around, and are not used for finding coefficients.
const SMALL: i128 = 100_000;
const LARGEST_COEFFICIENT: i128 = 16;
const LARGEST_CONSTANT: i128 = 100_000;

/// The coefficients `k` and the constant `c` (the last one) with `t = k1 * v1 + ... + c` in all small rows, if there is
/// one choice only, all of them are whole, and no coefficient is zero.
pub(super) fn fit(rows: &[(Vec<i128>, i128)]) -> Option<Vec<i128>> {
    let unknowns = rows.first()?.0.len() + 1;
    let mut pivots: Vec<Vec<Ratio>> = Vec::new();
    for (values, target) in rows {
        if values.iter().chain([target]).any(|value| value.abs() > SMALL) {
            continue;
        }
        let ones = values.iter().copied().chain([1, *target]);
        let mut row: Vec<Ratio> = ones.map(Ratio::whole).collect();
        for pivot in &pivots {
            let at = leading(pivot)?;
            let factor = row[at].over(pivot[at])?;
            for (mine, theirs) in row.iter_mut().zip(pivot) {
                *mine = mine.minus(theirs.times(factor)?)?;
            }
        }
        match leading(&row) {
            // Nothing new, or a contradiction.
            None => {}
            Some(at) if at == unknowns => return None,
            Some(_) => pivots.push(row),
        }
    }
    if pivots.len() < unknowns {
        return None;
    }
    let mut found = vec![Ratio::whole(0); unknowns];
    // Each pivot has zeros where those before it lead.
    for pivot in pivots.iter().rev() {
        let at = leading(pivot)?;
        let mut value = pivot[unknowns];
        for other in (0..unknowns).filter(|other| *other != at) {
            value = value.minus(pivot[other].times(found[other])?)?;
        }
        found[at] = value.over(pivot[at])?;
    }
    let whole: Vec<i128> = found.into_iter().map(Ratio::as_whole).collect::<Option<_>>()?;
    let (constant, coefficients) = whole.split_last()?;
    let fits = |it: &i128| *it != 0 && it.abs() <= LARGEST_COEFFICIENT;
    (coefficients.iter().all(fits) && constant.abs() <= LARGEST_CONSTANT).then_some(whole)
}

fn leading(row: &[Ratio]) -> Option<usize> {
    row.iter().position(|it| it.above != 0)
}

/// A fraction in lowest terms. Operations give none where numbers grow too long.
#[derive(Clone, Copy)]
struct Ratio {
    above: i128,
    below: i128,
}

impl Ratio {
    fn whole(value: i128) -> Ratio {
        Ratio { above: value, below: 1 }
    }

    fn of(above: i128, below: i128) -> Option<Ratio> {
        if below == 0 {
            return None;
        }
        let (mut a, mut b) = (above.unsigned_abs(), below.unsigned_abs());
        while b != 0 {
            (a, b) = (b, a % b);
        }
        let common = i128::try_from(a.max(1)).ok()? * below.signum();
        Some(Ratio { above: above / common, below: below / common })
    }

    fn times(self, other: Ratio) -> Option<Ratio> {
        Ratio::of(self.above.checked_mul(other.above)?, self.below.checked_mul(other.below)?)
    }

    fn over(self, other: Ratio) -> Option<Ratio> {
        Ratio::of(self.above.checked_mul(other.below)?, self.below.checked_mul(other.above)?)
    }

    fn minus(self, other: Ratio) -> Option<Ratio> {
        let left = self.above.checked_mul(other.below)?;
        let right = other.above.checked_mul(self.below)?;
        Ratio::of(left.checked_sub(right)?, self.below.checked_mul(other.below)?)
    }

    fn as_whole(self) -> Option<i128> {
        (self.below == 1).then_some(self.above)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coefficients_come_from_rows() {
        let rows = |of: &dyn Fn(i128, i128) -> i128| -> Vec<(Vec<i128>, i128)> {
            [(0, 0), (1, 0), (0, 1), (2, 5), (7, -3)].map(|(a, b)| (vec![a, b], of(a, b))).to_vec()
        };
        assert_eq!(fit(&rows(&|a, b| 2 * a - b + 3)), Some(vec![2, -1, 3]));
        assert_eq!(fit(&rows(&|a, b| a * b)), None);
        // One that does not count has no coefficient.
        assert_eq!(fit(&rows(&|a, _| a)), None);
    }

    #[test]
    fn too_few_rows_tell_nothing() {
        assert_eq!(fit(&[(vec![1], 2), (vec![1], 2)]), None);
        assert_eq!(fit(&[]), None);
    }
}
