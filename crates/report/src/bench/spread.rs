//! The middle and the spread of times.

/// Mean, median and 90th percentile of some seconds.
#[derive(Clone, Copy, PartialEq, Debug, Default, serde::Serialize)]
pub(crate) struct Spread {
    pub(crate) mean: f64,
    pub(crate) median: f64,
    pub(crate) p90: f64,
}

impl Spread {
    /// All are zero when there is nothing to measure.
    pub(crate) fn of(mut seconds: Vec<f64>) -> Spread {
        seconds.sort_unstable_by(f64::total_cmp);
        let count = seconds.len();
        if count == 0 {
            return Spread::default();
        }
        Spread {
            mean: seconds.iter().sum::<f64>() / count as f64,
            median: f64::midpoint(seconds[(count - 1) / 2], seconds[count / 2]),
            // The first one that nine tenths are not above.
            p90: seconds[count * 9 / 10],
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
    fn one_in_ten_is_at_or_above_the_90th_percentile() {
        let seconds = (0..100).map(f64::from).collect();
        assert_eq!(Spread::of(seconds).p90, 90.0);
        assert_eq!(Spread::of(vec![7.0]).p90, 7.0);
        assert_eq!(Spread::of(Vec::new()), Spread::default());
    }
}
