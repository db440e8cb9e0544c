//! Reads and writes times.

use std::time::{Duration, SystemTime};

use anyhow::{Result, anyhow, bail, ensure};
pub(super) use smithy_waiters::internal::TEN_YEARS;
use smithy_waiters::{Defaults, Pace, WaitOptions};

/// Reads a time: `30`, `30s`, `5m`, `1h30m`.
pub(super) fn duration(text: &str) -> Result<Duration> {
    let number = text.parse::<f64>().ok();
    let parsed = match number {
        Some(seconds) => Duration::try_from_secs_f64(seconds).ok(),
        // `M` would be months.
        None if text.contains('M') => None,
        None => humantime::parse_duration(text).ok(),
    };
    parsed.ok_or_else(|| anyhow!("must be a time such as `30`, `30s`, `5m` or `1h30m`"))
}

/// Reads a time above 0.
pub(super) fn positive(text: &str) -> Result<Duration> {
    let time = duration(text)?;
    ensure!(!time.is_zero(), "must be more than 0");
    Ok(time)
}

/// Reads `--timeout`.
pub(super) fn timeout(text: &str) -> Result<Duration> {
    if text == "none" {
        return Ok(TEN_YEARS);
    }
    let time = duration(text)?;
    ensure!(
        !time.is_zero(),
        "0 has different meanings in other tools: use `--once` for one call, or `--timeout none`"
    );
    Ok(time)
}

/// Reads a time that `none` makes unlimited.
pub(super) fn window(text: &str) -> Result<Duration> {
    match text {
        "none" => Ok(TEN_YEARS),
        text => positive(text),
    }
}

/// Reads `--deadline` and returns the time until then: `2026-01-31T17:00:00Z`, or `@` and seconds since 1970.
pub(super) fn deadline(text: &str) -> Result<Duration> {
    let moment = match text.strip_prefix('@') {
        Some(seconds) => SystemTime::UNIX_EPOCH.checked_add(duration(seconds)?),
        None => humantime::parse_rfc3339_weak(text).ok(),
    };
    let Some(moment) = moment else {
        bail!(
            "must be a time in UTC such as `2026-01-31T17:00:00Z`, or `@` and seconds since 1970"
        );
    };
    Ok(moment.duration_since(SystemTime::now()).unwrap_or_default())
}

/// The value of `--interval`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Interval {
    from: Duration,
    to: Duration,
}

impl Interval {
    /// Returns the pauses of the engine's short form.
    pub(super) fn of_short_form() -> Option<Self> {
        let form = Defaults::SHORT_FORM;
        let (from, to) = form.min_delay().zip(form.max_delay())?;
        Some(Self { from, to })
    }

    pub(super) const fn every(delay: Duration) -> Self {
        Self {
            from: delay,
            to: delay,
        }
    }

    /// Reads `5s` or `2s..15s`.
    pub(super) fn read(text: &str) -> Result<Self> {
        let (from, to) = text.split_once("..").unwrap_or((text, text));
        let (from, to) = (positive(from)?, positive(to)?);
        ensure!(from <= to, "must begin with the shorter time");
        Ok(Self { from, to })
    }

    pub(super) fn apply(self, options: WaitOptions) -> WaitOptions {
        if self.from == self.to {
            return options.pace(Pace::Every(self.from));
        }
        let options = options.min_delay(self.from).max_delay(self.to);
        options.pace(Pace::Doubling)
    }
}

/// Formats a time for people: `1 min 12 s`, `0.4 s`.
pub(super) fn display(time: Duration) -> String {
    let millis = time.as_millis();
    if millis < 10_000 {
        let seconds = time.as_secs_f64();
        return format!("{} s", (seconds * 10.0).round() / 10.0);
    }
    let total = time.as_secs();
    let parts = [
        (total / 3600, "h"),
        (total / 60 % 60, "min"),
        (total % 60, "s"),
    ];
    let parts = parts.iter().filter(|(count, _)| *count > 0);
    let parts: Vec<String> = parts
        .map(|(count, unit)| format!("{count} {unit}"))
        .collect();
    parts.join(" ")
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Interval, TEN_YEARS, deadline, display, timeout, window};

    #[test]
    fn times_have_the_forms_of_other_tools() {
        for (text, seconds) in [
            ("30", 30),
            ("30s", 30),
            ("5m", 300),
            ("1h30m", 5_400),
            ("600s", 600),
        ] {
            assert_eq!(
                timeout(text).unwrap(),
                Duration::from_secs(seconds),
                "{text}"
            );
        }
        assert_eq!(timeout("none").unwrap(), TEN_YEARS);
        for text in ["0", "0s", "-1", "5M", "soon", ""] {
            assert!(timeout(text).is_err(), "{text}");
        }
        let [two, five] = [2, 5].map(Duration::from_secs);
        for (text, from, to) in [
            ("5s", five, five),
            ("2s..5s", two, five),
            ("2s..2", two, two),
        ] {
            assert_eq!(Interval::read(text).unwrap(), Interval { from, to });
        }
        for text in ["5s..2s", "0s", "0s..5s", "2s..x"] {
            assert!(Interval::read(text).is_err(), "{text}");
        }
        assert_eq!(window("none").unwrap(), TEN_YEARS);
        assert_eq!(window("5").unwrap(), five);
        assert!(window("0").is_err());
        assert_eq!(deadline("@0").unwrap(), Duration::ZERO);
        let century = Duration::from_secs(100 * 365 * 24 * 3_600);
        for text in ["@9999999999", "2286-11-20T17:46:39Z"] {
            assert!(deadline(text).unwrap() > century, "{text}");
        }
        assert!(deadline("soon").is_err() && deadline("@soon").is_err());
    }

    #[test]
    fn times_are_written_for_people() {
        for (millis, text) in [
            (0, "0 s"),
            (412, "0.4 s"),
            (9_999, "10 s"),
            (10_999, "10 s"),
            (3_599_000, "59 min 59 s"),
            (72_000, "1 min 12 s"),
            (3_600_000, "1 h"),
            (90_061_000, "25 h 1 min 1 s"),
        ] {
            assert_eq!(display(Duration::from_millis(millis)), text);
        }
    }
}
