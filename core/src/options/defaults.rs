//! The defaults of a waiter for the options of its waits.

use std::time::Duration;

use serde_json::{Map, Value as Json, json};

use super::condition::{SAME, Same};
use super::host::{final_poll, pace, same};
use super::raw::{FromHost, RawOptions, check_object};
use super::{
    DefinitionDelays, FinalPoll, MAX_ATTEMPTS, MAX_DELAY, MIN_DELAY, Pace, SHOW_RULE, WaitOptions,
};
use crate::definition;
use crate::error::{OptionsError, option};
use crate::value::{Kind, Value};

/// The defaults of a waiter for options that a wait does not set. See docs/rules.md#defaults.
///
/// They belong to a waiter as its delays do, but not to its definition: a waiter that is created from the definition has
/// the specification's.
///
/// # Example: the defaults of the short form
///
/// ```
/// use smithy_waiters::{Defaults, Waiter};
///
/// let ready = Waiter::until("status", "READY").build()?;
/// assert_eq!(ready.defaults(), &Defaults::SHORT_FORM);
/// let strict = Waiter::from_value(&ready.definition(), None)?;
/// assert_eq!(strict.defaults(), &Defaults::SPECIFICATION);
/// # Ok::<(), smithy_waiters::DefinitionError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Defaults {
    pub(super) final_poll: Option<FinalPoll>,
    pub(super) pace: Option<Pace>,
    /// Used if the definition has none, like `max_delay`.
    pub(super) min_delay: Option<Duration>,
    pub(super) max_delay: Option<Duration>,
    /// Used if a wait has no limit.
    pub(super) max_attempts: Option<u64>,
    /// The path of `same`, whose value a wait must have.
    pub(super) same: Option<String>,
    pub(super) show: Vec<String>,
}

impl Defaults {
    /// The specification's rules for everything.
    pub const SPECIFICATION: Self = Self::new(None, None, [None, None]);

    /// A late last poll. These are the defaults of waiters that replace those of an SDK.
    pub const LATE: Self = Self::new(Some(FinalPoll::Late), None, [None, None]);

    /// A late last poll, and delays that double from 2 to 15 seconds. These are the defaults of [`Waiter::until`].
    ///
    /// [`Waiter::until`]: crate::Waiter::until
    pub const SHORT_FORM: Self = Self::new(
        Some(FinalPoll::Late),
        Some(Pace::Doubling),
        [Some(Duration::from_secs(2)), Some(Duration::from_secs(15))],
    );

    // A constant cannot take the other members of another one, because a list needs a destructor.
    const fn new(
        final_poll: Option<FinalPoll>,
        pace: Option<Pace>,
        [min_delay, max_delay]: [Option<Duration>; 2],
    ) -> Self {
        Self {
            final_poll,
            pace,
            min_delay,
            max_delay,
            max_attempts: None,
            same: None,
            show: Vec::new(),
        }
    }

    /// Returns the defaults of a preset.
    pub(crate) fn preset(show: Vec<String>, same: Option<String>) -> Self {
        Self {
            same,
            show,
            ..Self::SHORT_FORM
        }
    }

    /// Returns the defaults of a waiter in botocore's format.
    #[cfg(feature = "botocore")]
    pub(crate) fn botocore(delay: Duration, max_attempts: u64) -> Self {
        Self {
            min_delay: Some(delay),
            max_delay: Some(delay),
            max_attempts: Some(max_attempts),
            ..Self::LATE
        }
    }

    /// Returns the minimum delay, if a wait of a definition without delays has another one than the specification's.
    #[must_use]
    pub const fn min_delay(&self) -> Option<Duration> {
        self.min_delay
    }

    /// Returns the maximum delay, if a wait of a definition without delays has another one than the specification's.
    #[must_use]
    pub const fn max_delay(&self) -> Option<Duration> {
        self.max_delay
    }

    /// Returns the maximum number of attempts of a wait without a limit.
    #[must_use]
    pub const fn max_attempts(&self) -> Option<u64> {
        self.max_attempts
    }

    /// Returns the defaults as an object with the names and units of [`WaitOptions`] in hosts. Others are left out.
    #[must_use]
    pub fn to_json(&self) -> Map<String, Json> {
        let pace = self.pace.map(|pace| match pace {
            Pace::Specification => json!("specification"),
            Pace::Doubling => json!("doubling"),
            Pace::Every(delay) => json!({"every": seconds(delay)}),
            Pace::Proportional(part) => json!({"proportional": part}),
        });
        let has_shown = !self.show.is_empty();
        let members = [
            ("finalPoll", self.final_poll.map(|poll| json!(poll))),
            ("maxAttempts", self.max_attempts.map(|number| json!(number))),
            ("maxDelay", self.max_delay.map(seconds)),
            ("minDelay", self.min_delay.map(seconds)),
            ("pace", pace),
            ("same", self.same.as_ref().map(|path| json!({"path": path}))),
            ("show", has_shown.then(|| json!(self.show))),
        ];
        let members = members.into_iter();
        members
            .filter_map(|(name, value)| Some((name.to_owned(), value?)))
            .collect()
    }

    /// Returns the default delays for options without another pace.
    ///
    /// A delay of the caller moves the other default: they must not contradict each other.
    pub(super) fn delays(&self, options: &WaitOptions) -> (Duration, Duration) {
        if options.pace.is_some() {
            return (definition::MIN_DELAY, definition::MAX_DELAY);
        }
        let min = self
            .min_delay
            .map(|min| options.max_delay.map_or(min, |max| min.min(max)));
        let max = self
            .max_delay
            .map(|max| options.min_delay.map_or(max, |min| max.max(min)));
        (
            min.unwrap_or(definition::MIN_DELAY),
            max.unwrap_or(definition::MAX_DELAY),
        )
    }

    /// Returns the pace of a wait with these options.
    ///
    /// Delays of the definition are delays of the specification's pace.
    pub(super) fn pace(&self, options: &WaitOptions, definition: DefinitionDelays) -> Pace {
        let usual = self.pace.filter(|_| definition == (None, None));
        options.pace.or(usual).unwrap_or_default()
    }

    /// Adds the defaults to the options of a wait.
    pub(super) fn complete(&self, options: &WaitOptions) -> WaitOptions {
        let mut options = options.clone();
        let has_end = options.max_wait.is_some() || options.deadline.is_some();
        if !has_end && options.max_attempts.is_none() {
            options.max_attempts = self.max_attempts;
        }
        // A late poll is placed relative to the end of the wait. A limit on attempts has none, and as a default it is not
        // the caller's mistake.
        if has_end {
            options.final_poll = options.final_poll.or(self.final_poll);
        }
        if options.show.is_empty() {
            options.show.clone_from(&self.show);
        }
        options
    }
}

/// Returns a duration in seconds, as an integer if possible.
fn seconds(duration: Duration) -> Json {
    if duration.subsec_nanos() == 0 {
        json!(duration.as_secs())
    } else {
        json!(duration.as_secs_f64())
    }
}

#[doc(hidden)]
impl FromHost for Defaults {
    const NAMES: &'static [&'static str] = &[
        "finalPoll",
        "maxAttempts",
        "maxDelay",
        "minDelay",
        "pace",
        "same",
        "show",
    ];

    /// Reads the defaults from an object of a host language, with the names and units of [`WaitOptions`].
    ///
    /// # Errors
    ///
    /// - `unknown_option` for any other name.
    /// - `invalid_option` for a value of the wrong type or out of range.
    fn from_host<V: Value>(object: V) -> Result<Self, OptionsError> {
        if let Ok(kind) = object.kind()
            && kind != Kind::Null
        {
            check_object("defaults", option("defaults"), kind)?;
        }
        let raw = RawOptions::read(object, Self::NAMES)?;
        Ok(Self {
            final_poll: final_poll(&raw)?,
            pace: pace(&raw)?,
            min_delay: raw.duration(&MIN_DELAY)?,
            max_delay: raw.duration(&MAX_DELAY)?,
            max_attempts: raw.integer(&MAX_ATTEMPTS)?,
            same: path_of_same(&raw)?,
            show: raw.strings("show", SHOW_RULE)?,
        })
    }
}

/// Returns the path of the default `same`, which has no value: each wait has another one.
fn path_of_same(raw: &RawOptions) -> Result<Option<String>, OptionsError> {
    match same(raw)? {
        None => Ok(None),
        Some(Same {
            path: Some(path),
            is: None,
            text: false,
        }) => Ok(Some(path)),
        Some(_) => Err(SAME.invalid("more or less than a `path` as a default")),
    }
}
