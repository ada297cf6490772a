//! The middle and the spread of times.

/// Mean, median, 90th percentile, ends and standard deviation of some seconds.
#[derive(Clone, Copy, PartialEq, Debug, Default, serde::Serialize)]
pub(crate) struct Spread {
    pub(crate) mean: f64,
    pub(crate) median: f64,
    /// The smallest one that at least nine tenths do not exceed (nearest rank).
    pub(crate) p90: f64,
    pub(crate) least: f64,
    pub(crate) most: f64,
    /// Of the sample: divided by one less than the count; zero for a single one.
    pub(crate) deviation: f64,
}

impl Spread {
    /// All are zero when there is nothing to measure.
    pub(crate) fn of(mut seconds: Vec<f64>) -> Spread {
        seconds.sort_unstable_by(f64::total_cmp);
        let count = seconds.len();
        if count == 0 {
            return Spread::default();
        }
        let mean = seconds.iter().sum::<f64>() / count as f64;
        let squares: f64 = seconds.iter().map(|one| (one - mean).powi(2)).sum();
        Spread {
            mean,
            median: f64::midpoint(seconds[(count - 1) / 2], seconds[count / 2]),
            p90: seconds[(count * 9).div_ceil(10) - 1],
            least: seconds[0],
            most: seconds[count - 1],
            deviation: (squares / (count - 1).max(1) as f64).sqrt(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_of_an_even_count_is_between_the_middle_two() {
        let spread = Spread::of(vec![4.0, 1.0, 3.0, 2.0]);
        assert_eq!((spread.mean, spread.median, spread.p90), (2.5, 2.5, 4.0));
        assert_eq!(Spread::of(vec![5.0, 1.0, 3.0]).median, 3.0);
    }

    #[test]
    fn nine_in_ten_are_at_or_below_the_90th_percentile() {
        let p90 = |count: u32| Spread::of((1..=count).map(f64::from).collect()).p90;
        assert_eq!([1, 2, 9, 10, 11, 20, 100].map(p90), [1.0, 2.0, 9.0, 9.0, 10.0, 18.0, 90.0]);
        assert_eq!(Spread::of(vec![7.0]).p90, 7.0);
        assert_eq!(Spread::of(Vec::new()), Spread::default());
    }

    #[test]
    fn the_deviation_is_that_of_a_sample() {
        let spread = Spread::of(vec![2.0, 4.0, 6.0]);
        assert_eq!((spread.least, spread.most, spread.deviation), (2.0, 6.0, 2.0));
        assert_eq!(Spread::of(vec![3.0]).deviation, 0.0);
    }
}
