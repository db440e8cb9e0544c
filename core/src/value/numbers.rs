//! Numbers with fractions, read and printed: by libraries, or by a host that can do both.
//!
//! Their tables and long arithmetic would be a tenth of the wasm, whose host has its own.

use std::borrow::Cow;
use std::ops::ControlFlow;
use std::sync::OnceLock;

use serde_json::{Number, Value as Json};

use super::{Kind, ReadError, Value};

/// What a host does with numbers. A build without the feature `numbers` needs one.
///
/// # Example: a host without fractions
///
/// ```standalone_crate
/// use smithy_waiters::value::Numbers;
///
/// let host = Numbers { print: |number| format!("{number:.0}"), parse: |_, _| () };
/// host.install();
/// ```
#[derive(Clone, Copy, Debug)]
#[expect(clippy::exhaustive_structs, reason = "a host must know both")]
pub struct Numbers {
    /// Prints a finite number as ECMAScript does: with the fewest digits that tell it from its neighbours, of these the
    /// nearest and then the even ones, and with an exponent from `1e21` and below `1e-6`.
    pub print: fn(f64) -> String,
    /// Reads a JSON text and hands what it says to [`correct`](Self::correct), together with the JSON.
    pub parse: fn(&str, &mut Json),
}

static HOST: OnceLock<Numbers> = OnceLock::new();

impl Numbers {
    /// Has the host do it, before anything else is asked of the engine.
    pub fn install(self) {
        // A second host is none: the first one has printed already.
        let _ = HOST.set(self);
    }

    /// Gives `json` the fractions that the host has for the same text, exact to the last bit.
    ///
    /// # Errors
    ///
    /// When the host cannot read its own value; the rest of `json` is then as it was.
    pub fn correct<V: Value>(json: &mut Json, host: &V) -> Result<(), ReadError> {
        match json {
            Json::Number(number) if number.is_f64() => {
                if let Kind::Number(exact) = host.kind()? {
                    *number = Number::from_f64(exact).unwrap_or_else(|| number.clone());
                }
            }
            Json::Array(items) => {
                for (index, item) in items.iter_mut().enumerate() {
                    if let Some(host) = host.item(index)? {
                        Self::correct(item, &host)?;
                    }
                }
            }
            Json::Object(members) => {
                let mut result = Ok(());
                host.members(&mut |name, host| {
                    if let Some(member) = members.get_mut(name) {
                        result = Self::correct(member, &host);
                    }
                    match result {
                        Ok(()) => ControlFlow::Continue(()),
                        Err(_) => ControlFlow::Break(()),
                    }
                })?;
                result?;
            }
            _ => {}
        }
        Ok(())
    }
}

/// JSON as its text says it, to the last bit.
pub(crate) fn read(text: &str) -> Result<Json, serde_json::Error> {
    let mut json = serde_json::from_str(text)?;
    exact(&mut json, || text.into());
    Ok(json)
}

/// Corrects JSON that was read without the feature `numbers`.
pub(crate) fn exact<'t>(json: &mut Json, text: impl FnOnce() -> Cow<'t, str>) {
    if let Some(host) = HOST.get().filter(|_| has_fraction(json)) {
        (host.parse)(&text(), json);
    }
}

/// The shortest text of a finite number.
pub(super) fn print(number: f64) -> String {
    HOST.get()
        .map_or_else(|| own(number), |host| (host.print)(number))
}

fn has_fraction(json: &Json) -> bool {
    match json {
        Json::Number(number) => number.is_f64(),
        Json::Array(items) => items.iter().any(has_fraction),
        Json::Object(members) => members.values().any(has_fraction),
        _ => false,
    }
}

#[cfg(feature = "numbers")]
use shortest::print as own;

/// Without a host and without the feature: all digits, in the standard library's form.
#[cfg(not(any(feature = "numbers", target_family = "wasm")))]
fn own(number: f64) -> String {
    number.to_string()
}

/// Nothing: in wasm the host is missing, and the standard library's form would be a tenth of it.
#[cfg(all(not(feature = "numbers"), target_family = "wasm"))]
fn own(_: f64) -> String {
    String::new()
}

#[cfg(feature = "numbers")]
mod shortest {
    /// Where the exponent begins: before the first digit that stands further behind the point, and from `1e21` on.
    const PLAIN_PLACES: std::ops::RangeInclusive<i32> = -5..=20;

    pub(super) fn print(number: f64) -> String {
        let mut buffer = zmij::Buffer::new();
        let text = buffer.format_finite(number);
        let (sign, text) = text
            .strip_prefix('-')
            .map_or(("", text), |text| ("-", text));
        let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let all = format!("{whole}{fraction}");
        let digits = all.trim_start_matches('0');
        // The place of the first digit: 0 where it stands right before the point.
        let zeros = places(all.len().saturating_sub(digits.len()));
        let place = exponent
            .parse::<i32>()
            .unwrap_or(0)
            .saturating_add(places(whole.len()))
            .saturating_sub(zeros)
            .saturating_sub(1);
        let digits = digits.trim_end_matches('0');
        if PLAIN_PLACES.contains(&place) {
            return format!("{sign}{}", plain(digits, place));
        }
        let point = if digits.len() > 1 { "." } else { "" };
        let (first, rest) = digits.split_at_checked(1).unwrap_or((digits, ""));
        format!("{sign}{first}{point}{rest}e{place:+}")
    }

    fn places(count: usize) -> i32 {
        i32::try_from(count).unwrap_or(i32::MAX)
    }

    /// The digits without an exponent.
    fn plain(digits: &str, place: i32) -> String {
        let Ok(place) = usize::try_from(place) else {
            let zeros = place.saturating_neg().saturating_sub(1).unsigned_abs();
            return format!("0.{}{digits}", "0".repeat(zeros as usize));
        };
        let before = place.saturating_add(1);
        match digits.split_at_checked(before) {
            None | Some((_, "")) => {
                format!(
                    "{digits}{}",
                    "0".repeat(before.saturating_sub(digits.len()))
                )
            }
            Some((whole, fraction)) => format!("{whole}.{fraction}"),
        }
    }
}
