//! How much work a pair may take, as users choose it: in steps, which every machine counts alike, not in seconds.

use std::str::FromStr;

use budget::Steps;

/// The work for one pair.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Effort(Steps);

/// The steps that the command line counts in.
const MILLION: u64 = 1_000_000;
/// How much more time than on a quiet core a check has before the clock kills it, unless the user says how much.
const PATIENCE: f64 = 4.0;
/// How much work fits the user's time, as a share of what the rate of steps says: a core that does nothing else was seen to do
/// half as much again. What does not fit is killed, and says less.
const FIT: f64 = 1.4;

impl Effort {
    pub const QUICK: Effort = Effort(Steps::of_seconds(3));
    pub const NORMAL: Effort = Effort(Steps::of_seconds(30));
    pub const THOROUGH: Effort = Effort(Steps::of_seconds(300));

    pub fn steps(self) -> Steps {
        self.0
    }

    /// The usual work, or less if the user has less time. It depends on the number of seconds alone, not on the clock.
    pub fn that_fits(seconds: f64) -> Effort {
        Effort(Effort::NORMAL.0.min(Steps::of_seconds(1).mul_f64(seconds * FIT)))
    }

    /// The seconds after which the clock kills, if the user does not say.
    pub fn seconds(self) -> f64 {
        (self.0.get() as f64 / Steps::of_seconds(1).get() as f64 * PATIENCE).max(1.0)
    }

    /// The effort and the seconds that follow from what the user says of either.
    pub fn and_seconds(effort: Option<Effort>, timeout: Option<f64>) -> (Effort, f64) {
        match (effort, timeout) {
            (Some(effort), timeout) => (effort, timeout.unwrap_or(effort.seconds())),
            (None, Some(timeout)) => (Effort::that_fits(timeout), timeout),
            (None, None) => (Effort::NORMAL, Effort::NORMAL.seconds()),
        }
    }
}

impl FromStr for Effort {
    type Err = String;

    fn from_str(text: &str) -> Result<Effort, String> {
        let number = match text {
            "quick" => return Ok(Effort::QUICK),
            "normal" => return Ok(Effort::NORMAL),
            "thorough" => return Ok(Effort::THOROUGH),
            number => number.parse::<u64>(),
        };
        match number {
            Ok(millions @ 1..=1_000_000) => Ok(Effort(Steps::new(millions * MILLION))),
            Ok(_) => Err("give 1 to 1000000 million steps".to_owned()),
            Err(_) => Err("give quick, normal, thorough, or a number of million steps".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn effort_has_names_and_numbers() {
        assert_eq!("normal".parse(), Ok(Effort::NORMAL));
        assert_eq!("60".parse::<Effort>().map(Effort::steps), Ok(Steps::new(60_000_000)));
        assert!("0".parse::<Effort>().is_err() && "fast".parse::<Effort>().is_err());
    }

    #[test]
    fn less_time_means_less_work_and_more_time_does_not_mean_more() {
        let (effort, seconds) = Effort::and_seconds(None, Some(10.0));
        assert!(effort.steps() < Effort::NORMAL.steps() && seconds == 10.0);
        assert_eq!(Effort::that_fits(1e6), Effort::NORMAL);
        assert_eq!(Effort::and_seconds(None, None), (Effort::NORMAL, 120.0));
        assert_eq!(Effort::and_seconds(Some(Effort::THOROUGH), Some(5.0)), (Effort::THOROUGH, 5.0));
    }
}
