//! The reports of several waits.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Index;
use std::sync::Arc;
use std::{slice, vec};

use crate::wait::WaitReport;

/// The reports of waits by their names or identifiers, in the order of the list of waits.
///
/// # Example: the order
///
/// ```
/// use std::time::Duration;
/// use serde_json::json;
/// use smithy_waiters::driver::{BlockingWaits, StdRuntime};
/// use smithy_waiters::{ErrorMetadata, Waiter};
///
/// let ready = Waiter::until("Status", "READY").build()?;
/// let describe = |_| Ok::<_, ErrorMetadata>(json!({"Status": "READY"}));
/// let reports = BlockingWaits::new(StdRuntime::new(), Duration::from_secs(600))
///     .add("replica", |driver, options| driver.wait_blocking(&ready, describe, options))
///     .add("primary", |driver, options| driver.wait_blocking(&ready, describe, options))
///     .all()?;
/// assert!(reports.names().eq(["replica", "primary"]));
/// assert_eq!(reports["primary"].attempts, 1);
/// for (name, report) in &reports {
///     println!("{name}: {}", report.message);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Default)]
pub struct Reports {
    list: Vec<(String, Arc<WaitReport>)>,
    by_name: BTreeMap<String, Arc<WaitReport>>,
}

impl Reports {
    /// Creates reports from a list without repeated names.
    pub(super) fn new(list: Vec<(String, Arc<WaitReport>)>) -> Self {
        let by_name = list.iter().cloned().collect();
        Self { list, by_name }
    }

    /// Returns the report of a wait.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Arc<WaitReport>> {
        self.by_name.get(name)
    }

    /// Returns the names and the reports.
    pub fn iter(&self) -> slice::Iter<'_, (String, Arc<WaitReport>)> {
        self.list.iter()
    }

    /// Returns the names of the waits.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.list.iter().map(|(name, _)| &**name)
    }

    /// Returns the number of reports.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.list.len()
    }

    /// Returns `true` if there are no reports.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.list.is_empty()
    }
}

/// Returns the report of a wait. Panics if there is none, as a map does; see [`Reports::get`].
impl Index<&str> for Reports {
    type Output = Arc<WaitReport>;

    #[expect(
        clippy::indexing_slicing,
        reason = "an index panics, and `get` does not"
    )]
    fn index(&self, name: &str) -> &Arc<WaitReport> {
        &self.by_name[name]
    }
}

impl IntoIterator for Reports {
    type Item = (String, Arc<WaitReport>);
    type IntoIter = vec::IntoIter<Self::Item>;

    fn into_iter(self) -> Self::IntoIter {
        self.list.into_iter()
    }
}

impl<'r> IntoIterator for &'r Reports {
    type Item = &'r (String, Arc<WaitReport>);
    type IntoIter = slice::Iter<'r, (String, Arc<WaitReport>)>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl fmt::Debug for Reports {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let entries = self.list.iter().map(|(name, report)| (name, report));
        f.debug_map().entries(entries).finish()
    }
}
