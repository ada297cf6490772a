//! The exponent of a power law through measured points.

use super::Point;

/// The slope of log time against log size, by least squares over the larger half of the sizes: small sizes are mostly
/// what a check costs anyway. Only of proofs: what was given up says nothing. None for fewer than two points.
pub(crate) fn exponent(points: &[Point]) -> Option<f64> {
    let points: Vec<&Point> = points.iter().filter(|point| point.verdict == "equivalent").collect();
    let kept = points.len() - points.len().div_ceil(2).max(2).min(points.len());
    let logs: Vec<(f64, f64)> = points[kept..]
        .iter()
        .map(|point| ((point.loops as f64).ln(), point.seconds.max(1e-9).ln()))
        .collect();
    let count = logs.len() as f64;
    let (x, y) =
        (logs.iter().map(|it| it.0).sum::<f64>() / count, logs.iter().map(|it| it.1).sum::<f64>() / count);
    let across: f64 = logs.iter().map(|it| (it.0 - x) * (it.1 - y)).sum();
    let spread: f64 = logs.iter().map(|it| (it.0 - x).powi(2)).sum();
    (logs.len() >= 2 && spread > 0.0).then(|| across / spread)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(time: fn(f64) -> f64) -> Vec<Point> {
        let sizes = [1, 2, 4, 8, 16];
        sizes
            .into_iter()
            .map(|loops| Point { loops, seconds: time(loops as f64), verdict: "equivalent" })
            .collect()
    }

    #[test]
    fn powers_have_their_exponents() {
        assert!((exponent(&points(|size| 0.1 * size)).expect("a slope") - 1.0).abs() < 1e-6);
        assert!((exponent(&points(|size| 0.1 * size * size)).expect("a slope") - 2.0).abs() < 1e-6);
        assert!(exponent(&points(|size| 0.01 * size.exp2())).expect("a slope") > 5.0);
    }

    #[test]
    fn what_was_given_up_does_not_count() {
        let mut some = points(|size| size);
        some.push(Point { loops: 32, seconds: 1000.0, verdict: "unknown" });
        assert!((exponent(&some).expect("a slope") - 1.0).abs() < 1e-6);
    }

    #[test]
    fn one_point_has_no_slope() {
        assert_eq!(exponent(&points(|size| size)[..1]), None);
        assert_eq!(exponent(&[]), None);
    }
}
