//! The interface `quota`.

use smithy_waiters::internal::FromHost;
use smithy_waiters::retry::RetryQuota;

use crate::Engine;
use crate::convert::Error;
use crate::option::OptionValue;
use crate::wit::quota::{Guest, GuestQuota, Quota};

impl Guest for Engine {
    type Quota = SharedQuota;
}

/// A quota that strategies share.
pub(crate) struct SharedQuota(pub(crate) RetryQuota);

impl GuestQuota for SharedQuota {
    fn create(capacity: Option<u32>) -> Result<Quota, Error> {
        let options = OptionValue::object([("capacity", capacity.map(OptionValue::from))]);
        Ok(Quota::new(Self(RetryQuota::from_host(options)?)))
    }

    fn capacity(&self) -> u32 {
        self.0.capacity()
    }

    fn available(&self) -> u32 {
        self.0.available()
    }
}
