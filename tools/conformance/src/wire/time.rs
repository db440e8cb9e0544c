//! Texts of timestamps.

use serde_json::Value as Json;
use smithy_waiters_model::{Member, Shape};

/// A format of timestamps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    DateTime,
    EpochSeconds,
    HttpDate,
}

const DAY: i64 = 86_400;
const WEEKDAYS: [&str; 7] = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"];
const MONTHS: [&str; 12] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
];

impl Format {
    /// Returns the format of a member.
    pub(super) fn of(member: &Member<'_>, shape: &Shape<'_>, default: Self) -> Self {
        let id = "smithy.api#timestampFormat";
        let applied = member.find_trait(id).or_else(|| shape.find_trait(id));
        match applied.and_then(|applied| applied.value.as_str()) {
            Some("date-time") => Self::DateTime,
            Some("epoch-seconds") => Self::EpochSeconds,
            Some("http-date") => Self::HttpDate,
            _ => default,
        }
    }

    /// Returns the JSON value of a timestamp.
    pub(super) fn json(self, seconds: f64) -> Json {
        match self {
            Self::EpochSeconds => crate::sample::number(seconds),
            text => text.write(seconds).into(),
        }
    }

    /// Returns the text of a timestamp, without fractions of a second in a date.
    pub(super) fn write(self, seconds: f64) -> String {
        let whole = crate::sample::number(seconds.floor())
            .as_i64()
            .unwrap_or_default();
        let (days, second) = (whole.div_euclid(DAY), whole.rem_euclid(DAY));
        let (year, month, day) = civil(days);
        let time = [second / 3600, second / 60 % 60, second % 60]
            .map(|part| format!("{part:02}"))
            .join(":");
        match self {
            Self::EpochSeconds => crate::sample::number(seconds).to_string(),
            Self::DateTime => format!("{year:04}-{month:02}-{day:02}T{time}Z"),
            Self::HttpDate => {
                let name = |names: &[&'static str], place: i64| {
                    let place = usize::try_from(place).ok();
                    place
                        .and_then(|place| names.get(place).copied())
                        .unwrap_or_default()
                };
                let (weekday, month) = (
                    name(&WEEKDAYS, days.rem_euclid(7)),
                    name(&MONTHS, month.saturating_sub(1)),
                );
                format!("{weekday}, {day:02} {month} {year:04} {time} GMT")
            }
        }
    }
}

/// Returns the date of a number of days since 1970: Howard Hinnant's algorithm `civil_from_days`.
#[expect(
    clippy::arithmetic_side_effects,
    reason = "the days of a double's seconds are far from overflow"
)]
fn civil(days: i64) -> (i64, i64, i64) {
    let shifted = days + 719_468;
    let (era, day) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let (of_month, calendar) = (
        day - (153 * month + 2) / 5 + 1,
        if month < 10 { month + 3 } else { month - 9 },
    );
    (
        year + era * 400 + i64::from(calendar <= 2),
        calendar,
        of_month,
    )
}

#[cfg(test)]
mod tests {
    use super::Format;

    #[test]
    fn timestamps_have_three_formats() {
        let texts = [Format::EpochSeconds, Format::DateTime, Format::HttpDate]
            .map(|format| format.write(1_582_934_400.5));
        assert_eq!(
            texts,
            [
                "1582934400.5",
                "2020-02-29T00:00:00Z",
                "Sat, 29 Feb 2020 00:00:00 GMT"
            ]
        );
        for (seconds, text) in [
            (-1.0, "1969-12-31T23:59:59Z"),
            (-11_644_473_600.0, "1601-01-01T00:00:00Z"),
            (0.0, "1970-01-01T00:00:00Z"),
            (951_782_400.0, "2000-02-29T00:00:00Z"),
            (951_868_800.0, "2000-03-01T00:00:00Z"),
            (978_220_800.0, "2000-12-31T00:00:00Z"),
            (1_009_756_800.0, "2001-12-31T00:00:00Z"),
            (4_107_456_000.0, "2100-02-28T00:00:00Z"),
            (4_107_542_400.0, "2100-03-01T00:00:00Z"),
            (13_569_379_200.0, "2399-12-31T00:00:00Z"),
            (13_574_563_200.0, "2400-02-29T00:00:00Z"),
        ] {
            assert_eq!(Format::DateTime.write(seconds), text);
        }
    }
}
