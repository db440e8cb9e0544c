//! The count of a list of waits, which decides when the whole has ended.

use crate::error::OptionsError;
use crate::options::{FromHost, GREATEST_SEED, IntegerSpec, OptionSpec, RawOptions};
use crate::value::Value;

const QUORUM: IntegerSpec = IntegerSpec {
    spec: OptionSpec::new("quorum", "must be an integer from 1 to the number of waits"),
    least: 1,
    greatest: GREATEST_SEED,
};

/// Counts the ends of several waits.
///
/// By default the whole succeeds if all succeed, and a failure of one lets the others go on. With `quorum`, so many
/// successes are enough, and the whole fails as soon as they cannot be reached. With `fail_fast`, the first failure ends it.
///
/// # Example: two of three
///
/// ```
/// use smithy_waiters::{Tally, TallyState};
///
/// let mut tally = Tally::new(3, Some(2), false)?;
/// assert_eq!([tally.count(true), tally.count(false)], [TallyState::Open, TallyState::Open]);
/// assert_eq!(tally.count(true), TallyState::Succeeded);
/// # Ok::<(), smithy_waiters::OptionsError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Tally {
    total: usize,
    pub(super) quorum: Option<usize>,
    pub(super) fail_fast: bool,
    succeeded: usize,
    failed: usize,
}

/// Whether several waits have ended as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "hosts must handle every state")]
pub enum TallyState {
    /// The others go on.
    Open,
    /// Enough have succeeded.
    Succeeded,
    /// Too many have failed.
    Failed,
}

impl TallyState {
    /// Returns the name of the state: `open`, `succeeded` or `failed`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Succeeded => "succeeded",
            Self::Failed => "failed",
        }
    }
}

impl Tally {
    /// Creates the count of `total` waits.
    ///
    /// # Errors
    ///
    /// Returns `invalid_option` if `quorum` is 0 or above `total`.
    pub fn new(total: usize, quorum: Option<usize>, fail_fast: bool) -> Result<Self, OptionsError> {
        if let Some(quorum) = quorum.filter(|quorum| *quorum == 0 || *quorum > total) {
            return Err(QUORUM.spec.invalid(&format!("{quorum} of {total}")));
        }
        Ok(Self {
            quorum,
            fail_fast,
            ..Self::of_counts(total, [0, 0])
        })
    }

    /// Creates the count of `total` waits, some of which have succeeded and failed.
    pub(super) const fn of_counts(total: usize, [succeeded, failed]: [usize; 2]) -> Self {
        Self {
            total,
            quorum: None,
            fail_fast: false,
            succeeded,
            failed,
        }
    }

    /// Counts the end of a wait and returns the state of the whole.
    pub fn count(&mut self, is_success: bool) -> TallyState {
        let count = if is_success {
            &mut self.succeeded
        } else {
            &mut self.failed
        };
        *count = count.saturating_add(1);
        self.state()
    }

    /// Returns the counts as JSON text, with a line about them.
    pub(super) fn to_json(self) -> String {
        let Self {
            total,
            succeeded,
            failed,
            ..
        } = self;
        let waiting = self.open();
        format!(
            r#"{{"waiting":{waiting},"succeeded":{succeeded},"failed":{failed},"summary":"waits for {waiting} of {total} resources; {succeeded} succeeded, {failed} failed"}}"#
        )
    }

    /// Returns the number of waits that have not ended.
    const fn open(&self) -> usize {
        self.total
            .saturating_sub(self.succeeded)
            .saturating_sub(self.failed)
    }

    /// Returns the state of the whole. Without waits, it has succeeded.
    #[must_use]
    pub const fn state(&self) -> TallyState {
        let needed = match self.quorum {
            Some(quorum) => quorum,
            None => self.total,
        };
        let open = self.open();
        if self.succeeded >= needed {
            return TallyState::Succeeded;
        }
        let is_out_of_reach = self.succeeded.saturating_add(open) < needed;
        let ends = open == 0 || self.quorum.is_some() || self.fail_fast;
        if is_out_of_reach && ends {
            return TallyState::Failed;
        }
        TallyState::Open
    }
}

/// The options `quorum` and `failFast` of a host.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct TallyOptions {
    quorum: Option<u64>,
    fail_fast: bool,
}

impl TallyOptions {
    /// Creates the count of `total` waits.
    ///
    /// # Errors
    ///
    /// Those of [`Tally::new`].
    pub fn tally(self, total: usize) -> Result<Tally, OptionsError> {
        // A quorum that is too large for the platform is too large for the waits, too.
        let quorum = self
            .quorum
            .map(|quorum| usize::try_from(quorum).unwrap_or(usize::MAX));
        Tally::new(total, quorum, self.fail_fast)
    }
}

impl FromHost for TallyOptions {
    const NAMES: &'static [&'static str] = &["quorum", "failFast"];

    fn from_host<V: Value>(object: V) -> Result<Self, OptionsError> {
        let raw = RawOptions::read(object, Self::NAMES)?;
        Ok(Self {
            quorum: raw.integer(&QUORUM)?,
            fail_fast: raw.boolean("failFast")?.unwrap_or_default(),
        })
    }
}

/// The failures that the message lists.
const MOST_SHOWN: usize = 10;

/// Returns the message of the error for several waits of which some failed, with the names and the messages of these.
#[must_use]
pub fn waits_failed<'a>(
    failures: impl ExactSizeIterator<Item = (&'a str, &'a str)>,
    total: usize,
) -> String {
    let count = failures.len();
    let mut text = format!("{count} of {total} waits failed:");
    for (name, message) in failures.take(MOST_SHOWN) {
        text.push_str(&format!("\n  {name}: {message}"));
    }
    if let Some(more) = count.checked_sub(MOST_SHOWN).filter(|more| *more > 0) {
        text.push_str(&format!("\n  … and {more} more"));
    }
    text
}
