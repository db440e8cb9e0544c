//! Waiters that the options name.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context as _, Result};
use smithy_waiters::Waiter;

/// A waiter that the options name.
pub(super) struct Named {
    pub(super) waiter: Waiter,
    /// `true` if the waiter reads responses and errors as boto3 has them.
    pub(super) is_botocore: bool,
    pub(super) delay: Option<Duration>,
    pub(super) timeout: Option<Duration>,
    pub(super) max_attempts: Option<u64>,
}

impl Named {
    /// Reads the waiter of a file.
    pub(super) fn read(file: &Path) -> Result<Self> {
        let name = file.display();
        let text =
            std::fs::read_to_string(file).with_context(|| format!("cannot read `{name}`"))?;
        let waiter =
            Waiter::from_json(&text).with_context(|| format!("`{name}` is not a waiter"))?;
        Ok(Self::of(waiter))
    }

    /// Names a waiter without limits of its own.
    pub(super) const fn of(waiter: Waiter) -> Self {
        Self {
            waiter,
            is_botocore: false,
            delay: None,
            timeout: None,
            max_attempts: None,
        }
    }
}
